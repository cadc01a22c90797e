"""The pictures of a video: those that begin a scene or a slide, read by OCR (TIP §10.2.4).

Only key frames are decoded, first in small, to find those that differ most from the one
before. Each of these is read once, for the time from which it is shown until the next is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, cast

from PIL import Image, ImageChops

from tipstaff.domain.location import TimeRange
from tipstaff.parse.building import PictureText
from tipstaff.parse.embedded_pictures import EmbeddedPictures, PictureReading
from tipstaff.parse.picture_files import MAX_PIXELS

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import InputContainer

_SMALL = (96, 54)
_CHANGED = 16  # of 255: more than what packing does to a point that stays as it is
_NEW_SCENE = 0.005  # of the picture: a line of text that appears
_MOST_KEY_FRAMES = 20_000
_NOT_READ = PictureReading(unread="picture")


@dataclass(frozen=True, slots=True)
class Scene:
    """What is written in a picture, and from when until when it is shown."""

    start_ms: int
    end_ms: int
    texts: tuple[PictureText, ...]


class VideoPictures:
    """The pictures of a file that `open_file` opens; `notes` tells what was not read of them."""

    def __init__(self, open_file: Callable[[], InputContainer], pictures: EmbeddedPictures) -> None:
        self.notes: list[str] = []
        self.last_ms = 0
        self._open = open_file
        self._pictures = pictures

    def scenes(self, *, duration_ms: int) -> list[Scene]:
        """What each new picture adds; words that stay on the screen are not repeated."""
        chosen = self._chosen()
        shown: list[tuple[int, tuple[PictureText, ...]]] = []
        end_ms: int | None = None
        for at_ms, frame in self._key_frames():
            if at_ms not in chosen:
                continue
            may_read = self._pictures.may_read_more
            reading = self._pictures.read_frame(_picture(frame)) if may_read else _NOT_READ
            if reading == _NOT_READ:
                end_ms = at_ms
                self._say_where_reading_ended(at_ms if shown else None)
                break
            shown.append((at_ms, reading.texts))
        if shown and end_ms is None:
            end_ms = max(self.last_ms, duration_ms)
            self.notes.append(
                f"Of the pictures of the video, only {len(shown)} that begin a scene were read."
            )
        return list(_additions(shown, end_ms or 0))

    def _say_where_reading_ended(self, at_ms: int | None) -> None:
        why = next(iter(self._pictures.refusals()), "There was no time left.")
        if at_ms is None:
            said = "Only the sound of the video was read, not its pictures."
        else:
            said = f"The pictures of the video were read only up to {TimeRange(at_ms)}."
        self.notes.append(f"{said} {why}")

    def _chosen(self) -> set[int]:
        """The times of the pictures that are worth reading, as many as may be read."""
        changes: list[tuple[float, int]] = []
        last: Image.Image | None = None
        for at_ms, frame in islice(self._key_frames(), _MOST_KEY_FRAMES):
            if frame.width * frame.height > MAX_PIXELS or not self._pictures.may_read_more:
                break
            self.last_ms = max(self.last_ms, at_ms)
            small = _picture(frame.reformat(*_SMALL, format="gray"))
            change = 1.0 if last is None else _change(last, small)
            if change >= _NEW_SCENE:
                changes.append((change, at_ms))
            last = small
        return {at_ms for _, at_ms in nlargest(self._pictures.left, changes)}

    def _key_frames(self) -> Iterator[tuple[int, VideoFrame]]:
        import av

        try:
            with self._open() as container:
                if not container.streams.video:
                    return
                stream = container.streams.video[0]
                stream.codec_context.skip_frame = "NONKEY"
                begin = (container.start_time or 0) / av.time_base
                for frame in container.decode(stream):
                    if frame.time is not None:
                        yield max(0, round((frame.time - begin) * 1000)), frame
        except (av.FFmpegError, ValueError, EOFError, IndexError):
            note = "The pictures of the video are damaged and were read in part."
            self.notes += [] if note in self.notes else [note]


def _picture(frame: VideoFrame) -> Image.Image:
    return cast(Image.Image, frame.to_image())  # type: ignore[no-untyped-call]


def _change(one: Image.Image, other: Image.Image) -> float:
    """The share of a picture that is another one."""
    histogram = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
    return sum(histogram[_CHANGED:]) / (_SMALL[0] * _SMALL[1])


def _additions(
    shown: Sequence[tuple[int, tuple[PictureText, ...]]], end_ms: int
) -> Iterator[Scene]:
    ends = [at_ms for at_ms, _ in shown[1:]] + [end_ms]
    before: set[str] = set()
    for (at_ms, texts), until_ms in zip(shown, ends, strict=False):
        added = tuple(text for text in texts if text.text not in before)
        before = {text.text for text in texts}
        if added:
            yield Scene(at_ms, max(at_ms, until_ms), added)
