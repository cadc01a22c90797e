"""Audio and video → what is said in it, sentence by sentence, and what a video shows in
writing, each with its time.

Sound becomes mono samples, whose number is the only duration that is believed: containers
lie. It is transcribed in stretches of a few minutes, cut where it is quiet, so that memory
does not grow with the length of the recording.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from tipstaff.domain.document import BlockKind, Document
from tipstaff.domain.location import TimeRange
from tipstaff.parse.building import IN_A_PICTURE, DocumentBuilder
from tipstaff.parse.embedded_pictures import EmbeddedPictures
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.transcriber import DEFAULT, SAMPLES_PER_SECOND, transcriber
from tipstaff.parse.video_pictures import Scene, VideoPictures
from tipstaff.parse.whisper import not_installed

if TYPE_CHECKING:
    import numpy as np
    from av import AudioFrame
    from av.container import InputContainer
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

# Only formats that hold their own sound: playlists would open other files and addresses.
_FORMATS = "wav,w64,mp3,flac,ogg,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,aac,aiff,amr,asf,avi,mpegts"
_STRETCH_S = 300
_LOOK_FOR_QUIET_S = 20
_QUIET_WINDOW = SAMPLES_PER_SECOND // 5
_SILENCE = 0.001
_NOTHING_SAID = CannotRead(
    "No speech was found in the recording.",
    "Ask the sender what the recording holds, or for a written version.",
)


def parse(source: Source) -> Document:
    pictures = EmbeddedPictures(source.options)  # their time is what speech leaves of the file's
    sound = _Sound(source.content)
    blocks = list(_spoken(sound, source))
    builder = DocumentBuilder()
    builder.notes += sound.notes
    duration_ms = sound.duration_ms
    if source.media_type.startswith("video/"):
        video = VideoPictures(lambda: _opened(source.content), pictures)
        blocks += _written(video.scenes(duration_ms=duration_ms))
        builder.notes += video.notes
        duration_ms = max(duration_ms, video.last_ms)
    if not blocks:
        raise CannotRead(_NOTHING_SAID.reason, sound.lack or _NOTHING_SAID.suggestion)
    for block in sorted(blocks, key=lambda block: block.place.start_ms):
        builder.block(
            block.kind,
            block.text,
            block.place,
            confidence=min(1.0, max(0.0, block.confidence)),
            headings=block.headings,
        )
    return builder.build(duration_ms=duration_ms)


class _Block(NamedTuple):
    """Something said or shown."""

    kind: BlockKind
    place: TimeRange
    text: str
    confidence: float
    headings: tuple[str, ...] = ()


def _spoken(sound: _Sound, source: Source) -> Iterator[_Block]:
    speech = transcriber(source.options.get("transcriber", DEFAULT))
    for offset_ms, samples in sound.stretches():
        for segment in speech.transcribe(samples):
            if not segment.text.strip():
                continue
            end_of_stretch = offset_ms + len(samples) * 1000 // SAMPLES_PER_SECOND
            start = min(offset_ms + segment.start_ms, end_of_stretch)
            end = min(max(start, offset_ms + segment.end_ms), end_of_stretch)
            yield _Block(
                BlockKind.TRANSCRIPT_SEGMENT,
                TimeRange(start, end),
                " ".join(segment.text.split()),
                segment.confidence,
            )


def _written(scenes: Iterable[Scene]) -> Iterator[_Block]:
    for scene in scenes:
        place = TimeRange(scene.start_ms, scene.end_ms)
        for text in scene.texts:
            yield _Block(BlockKind.PARAGRAPH, place, text.text, text.confidence, (IN_A_PICTURE,))


def _opened(content: bytes) -> InputContainer:
    import av

    options = {"format_whitelist": _FORMATS, "protocol_whitelist": "none"}
    return av.open(io.BytesIO(content), "r", options=options)


class _Sound:
    """The samples of a file; after they were read, how many there were and what went wrong."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.notes: list[str] = []
        self.lack = ""
        self.samples_read = 0
        self.starts_at_ms = 0

    @property
    def duration_ms(self) -> int:
        return self.starts_at_ms + self.samples_read * 1000 // SAMPLES_PER_SECOND

    def stretches(self) -> Iterator[tuple[int, Samples]]:
        """Pieces that are not silent, with the time at which each begins."""
        import numpy as np

        waiting: list[Samples] = []
        length = done = 0
        for piece in self._decoded():
            waiting.append(piece)
            length += len(piece)
            self.samples_read += len(piece)
            if length >= _STRETCH_S * SAMPLES_PER_SECOND:
                samples = np.concatenate(waiting)
                cut = _quietest(samples)
                yield from self._unless_silent(done, samples[:cut])
                done += cut
                waiting, length = [samples[cut:]], len(samples) - cut
        if length:
            yield from self._unless_silent(done, np.concatenate(waiting))

    def _unless_silent(self, done: int, samples: Samples) -> Iterator[tuple[int, Samples]]:
        if float(abs(samples).max(initial=0.0)) > _SILENCE:
            yield self.starts_at_ms + done * 1000 // SAMPLES_PER_SECOND, samples

    def _decoded(self) -> Iterator[Samples]:
        try:
            import av
        except ImportError:
            raise not_installed() from None
        resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLES_PER_SECOND)
        try:
            with _opened(self.content) as container:
                if not container.streams.audio:
                    self.lack = "The file has no sound to be read."
                    return
                for frame in self._frames(container):
                    if self.samples_read == 0 and frame.time is not None:
                        begin = frame.time - (container.start_time or 0) / av.time_base
                        self.starts_at_ms = max(0, round(begin * 1000))
                    frame.pts = None  # gaps in the clock are not ours to fill
                    for part in resampler.resample(frame):
                        yield _samples(part)
                for part in resampler.resample(None):
                    yield _samples(part)
        except (av.FFmpegError, ValueError, EOFError, IndexError) as error:
            if not self.samples_read:
                raise CannotRead(
                    "The recording is damaged or in a format that cannot be read.",
                    "Ask the sender for it as MP3, WAV or MP4.",
                ) from error
            said = TimeRange(self.duration_ms)
            self.notes.append(f"The recording is damaged and was read only up to {said}.")

    def _frames(self, container: InputContainer) -> Iterator[AudioFrame]:
        """All that can be decoded: one damaged packet must not cost the rest of the talk."""
        from av import FFmpegError

        damaged = False
        for packet in container.demux(container.streams.audio[0]):
            try:
                frames = packet.decode()
            except FFmpegError:
                damaged = True
                continue
            yield from frames
        if damaged:
            self.notes.append("Damaged pieces of the recording were skipped.")


def _samples(frame: AudioFrame) -> Samples:
    return cast("Samples", frame.to_ndarray().reshape(-1))


def _quietest(samples: Samples) -> int:
    """Where a cut does least harm: the quietest fifth of a second near the end."""
    tail = samples[-_LOOK_FOR_QUIET_S * SAMPLES_PER_SECOND :]
    windows = tail[: len(tail) // _QUIET_WINDOW * _QUIET_WINDOW].reshape(-1, _QUIET_WINDOW)
    quietest = int((windows**2).mean(axis=1).argmin())
    return len(samples) - len(tail) + quietest * _QUIET_WINDOW + _QUIET_WINDOW // 2


PARSER = Parser(name="recording", version=2, media_types=("audio/*", "video/*"), parse=parse)
