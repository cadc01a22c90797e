"""What turns speech into words: a plug-in of the group `tipstaff.transcriber`.

An entry point names something that, called without arguments, gives a `Transcriber`. It may
raise `CannotRead` if what it needs is not installed. It never uses the network.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol, cast

from tipstaff.parse.parser import CannotRead

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GROUP = "tipstaff.transcriber"
DEFAULT = "whisper"
SAMPLES_PER_SECOND = 16_000


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence or so of speech; times from the start of the samples, confidence 0 to 1."""

    start_ms: int
    end_ms: int
    text: str
    confidence: float


class Transcriber(Protocol):
    def transcribe(self, samples: NDArray[np.float32]) -> Iterable[Segment]:
        """Segments in order, for mono samples at `SAMPLES_PER_SECOND` between -1 and 1.
        The same samples give the same segments; no speech gives none."""
        ...


@cache
def transcriber(name: str = DEFAULT) -> Transcriber:
    """The transcriber of a name, made once a process: models take time to load."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise CannotRead(
            f"There is no transcriber '{name}' to read recordings with.",
            "Install the package that brings it, or choose another transcriber.",
        )
    return cast(Transcriber, found[name].load()())
