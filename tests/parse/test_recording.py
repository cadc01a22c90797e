from __future__ import annotations

import io
import subprocess
import sys
import wave
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageStat

from tests.parse.pdf_files import picture_of
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.document import BlockKind, Document
from tipstaff.domain.location import TimeRange, read_location
from tipstaff.parse import ocr, recording, whisper
from tipstaff.parse.building import IN_A_PICTURE
from tipstaff.parse.ocr import OcrWord
from tipstaff.parse.parser import CannotRead, Source
from tipstaff.parse.transcriber import SAMPLES_PER_SECOND, Segment

FIRST = "The budget for the project is four million dollars."
SECOND = "The meeting takes place on Friday."

Samples = NDArray[np.float32]


@cache
def speech(words: str) -> Samples:
    made = subprocess.run(
        ["espeak-ng", "-v", "en-us", "-s", "140", "--stdout", words],
        capture_output=True,
        check=True,
    )
    with av.open(io.BytesIO(made.stdout), "r") as container:
        resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLES_PER_SECOND)
        frames = [part for frame in container.decode(audio=0) for part in resampler.resample(frame)]
        frames += resampler.resample(None)
    return np.concatenate([frame.to_ndarray().reshape(-1) for frame in frames]).astype(np.float32)


def silence(seconds: float) -> Samples:
    return np.zeros(int(seconds * SAMPLES_PER_SECOND), np.float32)


@cache
def talk() -> Samples:
    """Two seconds of nothing, a sentence, four seconds of nothing, another sentence."""
    return np.concatenate([silence(2), speech(FIRST), silence(4), speech(SECOND), silence(1)])


def encoded(samples: Samples, container_format: str, codec: str, *, video: bool = False) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format=container_format) as container:
        picture: Any = container.add_stream("mpeg4", rate=5) if video else None
        if picture is not None:
            picture.width = picture.height = 64
            picture.pix_fmt = "yuv420p"
        stream: Any = container.add_stream(codec, rate=48_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(samples[None, :], format="fltp", layout="mono")
        frame.sample_rate = SAMPLES_PER_SECOND
        resampler = av.AudioResampler(
            format=stream.format, layout="mono", rate=48_000, frame_size=stream.frame_size or 1024
        )
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            container.mux(stream.encode(part))
        container.mux(stream.encode(None))
        if picture is not None:
            # A frame that nobody has drawn on is whatever the memory had.
            grey = np.full((64, 64, 3), 200, np.uint8)
            for _ in range(5):
                blank = av.VideoFrame.from_ndarray(grey, format="rgb24")
                container.mux(picture.encode(blank.reformat(format="yuv420p")))
            container.mux(picture.encode(None))
    return out.getvalue()


def wav(samples: Samples, rate: int = SAMPLES_PER_SECOND) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return out.getvalue()


def parse(content: bytes, media_type: str = "audio/wav", **options: str) -> Document:
    source = Source(content=content, name="x", media_type=media_type, options=options)
    document = recording.parse(source)
    assert faults_of(document) == []
    return document


def times(document: Document) -> list[tuple[int, int]]:
    return [
        (block.location.start_ms, block.location.end_ms or 0)
        for block in document.blocks
        if isinstance(block.location, TimeRange)
    ]


def assert_talk(document: Document) -> None:
    """Both sentences, each within a second of where it was put."""
    assert {block.kind for block in document.blocks} == {BlockKind.TRANSCRIPT_SEGMENT}
    first_end = 2 + len(speech(FIRST)) / SAMPLES_PER_SECOND
    second_start = first_end + 4
    second_end = second_start + len(speech(SECOND)) / SAMPLES_PER_SECOND
    words = " ".join(document.text_of(block) for block in document.blocks).lower()
    assert "budget" in words
    assert "million" in words
    assert "friday" in words
    (start_ms, end_ms), *_, (later_ms, last_ms) = times(document)
    assert abs(start_ms / 1000 - 2) < 1
    assert abs(end_ms / 1000 - first_end) < 1
    assert abs(later_ms / 1000 - second_start) < 1
    assert abs(last_ms / 1000 - second_end) < 1
    assert abs((document.duration_ms or 0) / 1000 - len(talk()) / SAMPLES_PER_SECOND) < 0.2
    assert all(0.1 < (block.confidence or 0) <= 1 for block in document.blocks)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (lambda: wav(talk()), "audio/wav"),
        (lambda: encoded(talk(), "mp3", "libmp3lame"), "audio/mpeg"),
    ],
    ids=["wav", "mp3"],
)
def test_speech_becomes_words_at_their_times(content: Callable[[], bytes], media_type: str) -> None:
    assert_talk(parse(content(), media_type))


def test_of_a_video_the_sound_is_read_and_pictures_without_text_add_nothing() -> None:
    document = parse(encoded(talk(), "mp4", "aac", video=True), "video/mp4")
    assert_talk(document)
    [note] = document.notes
    assert note.startswith("Of the pictures of the video, only ")


def test_the_same_recording_gives_the_same_words_and_a_time_leads_to_them() -> None:
    document, again = parse(wav(speech(SECOND))), parse(wav(speech(SECOND)))
    assert (document.text, document.blocks) == (again.text, again.blocks)
    found = CitableDocument("talk", document).resolve(read_location("t0:00:01"))
    assert isinstance(found, Passage)
    assert "Friday" in found.text


@pytest.mark.parametrize(
    "samples",
    [silence(3), np.sin(np.arange(48_000) / 6).astype(np.float32) * 0.2, silence(0)],
    ids=["silence", "a tone", "nothing"],
)
def test_without_speech_nothing_is_made_up(samples: Samples) -> None:
    with pytest.raises(CannotRead, match="No speech was found"):
        parse(wav(samples))


def slides(*texts: str, seconds: int = 4, sound: bool = False) -> bytes:
    """A video that shows each text for some seconds, every second a key frame."""
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream: Any = container.add_stream("mpeg4", rate=2)
        stream.width, stream.height, stream.pix_fmt = 960, 540, "yuv420p"
        stream.bit_rate, stream.gop_size = 4_000_000, 2
        spoken: Any = container.add_stream("aac", rate=48_000, layout="mono") if sound else None
        for text in texts:
            picture = picture_of([text] * 3, size=(960, 540))
            for _ in range(2 * seconds):
                frame: Any = av.VideoFrame
                container.mux(stream.encode(frame.from_image(picture)))
        container.mux(stream.encode(None))
        if spoken is not None:
            talking = av.AudioFrame.from_ndarray(
                speech(FIRST)[None, :], format="fltp", layout="mono"
            )
            talking.sample_rate = SAMPLES_PER_SECOND
            resampler = av.AudioResampler(
                format=spoken.format, layout="mono", rate=48_000, frame_size=1024
            )
            for part in [*resampler.resample(talking), *resampler.resample(None)]:
                container.mux(spoken.encode(part))
            container.mux(spoken.encode(None))
    return out.getvalue()


def written(document: Document) -> list[tuple[str, str]]:
    return [
        (str(block.location), document.text_of(block).split(". ")[0])
        for block in document.blocks
        if block.headings == (IN_A_PICTURE,) and (block.confidence or 0) > 0.5
    ]


def test_what_a_video_shows_in_writing_is_read_for_the_time_it_is_shown() -> None:
    document = parse(slides("Total due is 4,250 euros", "Payment within thirty days"), "video/mp4")
    (first, opening), *_ = written(document)
    (last, closing) = written(document)[-1]
    assert first == "t0:00:00-0:00:04"
    assert "4,250 euros" in opening
    assert last.startswith("t0:00:04-")
    assert "thirty days" in closing
    assert document.notes == ("Of the pictures of the video, only 2 that begin a scene were read.",)


def test_what_is_said_and_what_is_shown_stand_in_the_order_of_their_times() -> None:
    document = parse(slides("Total due is 4,250 euros", "The end", sound=True), "video/mp4")
    starts = [start for start, _ in times(document)]
    assert starts == sorted(starts)
    assert {block.kind for block in document.blocks} == {
        BlockKind.TRANSCRIPT_SEGMENT,
        BlockKind.PARAGRAPH,
    }


def test_a_picture_that_stays_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []

    def engine(image: Image.Image, *, languages: str) -> list[OcrWord]:
        asked.append(image.size)
        return [OcrWord("harbour", 0, 0, 90, 12, 0.9, 0)]

    monkeypatch.setattr(ocr, "engine_called", lambda _: engine)
    document = parse(slides("One picture", seconds=10), "video/mp4")
    assert len(asked) == 1
    assert [words for _, words in written(document)] == ["harbour"]
    several = parse(slides("One picture", "Something else", seconds=3), "video/mp4")
    assert len(asked) == 3
    # The second picture shows the same word: it is not said twice.
    assert [words for _, words in written(several)] == ["harbour"]


def test_of_many_pictures_those_that_change_most_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[float] = []

    def engine(image: Image.Image, *, languages: str) -> list[OcrWord]:
        read.append(ImageStat.Stat(image.convert("L")).mean[0])
        return [OcrWord(f"{languages} {len(read)}", 0, 0, 90, 12, 0.9, 0)]

    monkeypatch.setattr(ocr, "engine_called", lambda _: engine)
    content = slides("Same", "Sane", "", "Something quite different " * 2)
    document = parse(content, "video/mp4", max_pictures="2")
    assert len(read) == 2
    assert written(document) == [
        ("t0:00:00-0:00:12", "eng 1"),
        ("t0:00:12-0:00:15", "eng 2"),
    ]
    assert document.notes == ("Of the pictures of the video, only 2 that begin a scene were read.",)


def test_without_an_ocr_engine_the_sound_of_a_video_is_read_and_the_lack_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tipstaff.parse.tesseract.shutil.which", lambda _: None)
    document = parse(slides("Unseen", sound=True), "video/mp4")
    assert written(document) == []
    [note] = document.notes
    assert note.startswith("Only the sound of the video was read, not its pictures. No OCR engine")


def test_a_video_without_sound_says_so() -> None:
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream: Any = container.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for _ in range(5):
            container.mux(stream.encode(av.VideoFrame(64, 64, "yuv420p")))
        container.mux(stream.encode(None))
    with pytest.raises(CannotRead, match="No speech was found") as caught:
        parse(out.getvalue(), "video/mp4")
    assert caught.value.suggestion == "The file has no sound to be read."


@pytest.mark.parametrize(
    "content",
    [b"", b"garbage" * 100, b"RIFF\x00\x00\x00\x00WAVE", b"ID3\x04" + b"\x00" * 500,
     b"#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n", b"ffconcat version 1.0\nfile '/etc/hostname'"],
)  # fmt: skip
def test_damaged_files_and_playlists_are_refused(content: bytes) -> None:
    with pytest.raises(CannotRead):
        parse(content, "audio/mpeg")


class Echo:
    """A transcriber that says how long its samples are."""

    def transcribe(self, samples: Samples) -> Iterable[Segment]:
        length_ms = len(samples) * 1000 // SAMPLES_PER_SECOND
        return [Segment(0, length_ms + 9_000, f"{length_ms} ms", 1.7), Segment(5, 1, "  ", 0.5)]


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "transcriber", lambda _name: Echo())


@pytest.mark.usefixtures("echo")
@pytest.mark.parametrize(
    ("container_format", "codec", "media_type"),
    [
        ("wav", "pcm_s24le", "audio/wav"),
        ("ipod", "aac", "audio/mp4"),
        ("mov", "aac", "video/quicktime"),
        ("ogg", "libopus", "audio/ogg"),
        ("flac", "flac", "audio/flac"),
        ("webm", "libopus", "video/webm"),
    ],
)
def test_every_format_becomes_samples(container_format: str, codec: str, media_type: str) -> None:
    document = parse(encoded(talk(), container_format, codec), media_type)
    assert abs((document.duration_ms or 0) / 1000 - len(talk()) / SAMPLES_PER_SECOND) < 0.2


@pytest.mark.usefixtures("echo")
def test_a_cut_file_is_read_as_far_as_it_goes() -> None:
    whole = encoded(talk(), "flac", "flac")
    document = parse(whole[: len(whole) // 2], "audio/flac")
    assert 1_000 < (document.duration_ms or 0) < 10_000


@pytest.mark.usefixtures("echo")
def test_a_damaged_piece_does_not_cost_the_rest() -> None:
    content = bytearray(encoded(talk(), "mp3", "libmp3lame"))
    middle = len(content) // 2
    content[middle : middle + 3_000] = b"\xff" * 3_000
    document = parse(bytes(content), "audio/mpeg")
    assert document.notes == ("Damaged pieces of the recording were skipped.",)
    assert abs((document.duration_ms or 0) / 1000 - len(talk()) / SAMPLES_PER_SECOND) < 1


@pytest.mark.usefixtures("echo")
def test_samples_are_counted_and_the_container_is_not_believed() -> None:
    content = bytearray(wav(np.tile(talk(), 2)))
    content[40:44] = (0x7FFFFFF0).to_bytes(4, "little")  # data of hours, it says
    document = parse(bytes(content))
    assert abs((document.duration_ms or 0) - 2_000 * len(talk()) / SAMPLES_PER_SECOND) < 100


@pytest.mark.usefixtures("echo")
def test_long_recordings_are_cut_where_they_are_quiet_and_times_add_up() -> None:
    loud = np.full(SAMPLES_PER_SECOND * 290, 0.2, np.float32)
    quiet = np.full(SAMPLES_PER_SECOND, 0.001, np.float32)
    document = parse(wav(np.concatenate([loud, quiet, loud])))
    (start, end), (later, last) = times(document)
    assert start == 0
    assert 290_000 <= later <= 291_000
    assert last == document.duration_ms == 581_000
    assert end == later
    assert all(block.confidence == 1.0 for block in document.blocks)


@pytest.mark.usefixtures("echo")
def test_sound_that_begins_later_than_the_video_keeps_its_time() -> None:
    out = io.BytesIO()
    with av.open(out, "w", format="matroska") as container:
        picture: Any = container.add_stream("mpeg4", rate=5)
        picture.width = picture.height = 64
        picture.pix_fmt = "yuv420p"
        sound: Any = container.add_stream("pcm_s16le", rate=16_000, layout="mono")
        for number in range(25):
            # Not av.VideoFrame(64, 64): what was in memory may be read as writing.
            blank = np.zeros((64, 64, 3), np.uint8)
            still = av.VideoFrame.from_ndarray(blank, format="rgb24")
            still.pts = number
            container.mux(picture.encode(still))
        container.mux(picture.encode(None))
        tone = (np.ones((1, 16_000)) * 9_000).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(tone, format="s16", layout="mono")
        frame.sample_rate = 16_000
        frame.pts = 3 * 16_000
        container.mux(sound.encode(frame))
        container.mux(sound.encode(None))
    document = parse(out.getvalue(), "video/x-matroska")
    assert times(document) == [(3_000, 4_000)]


def test_without_the_extra_the_command_to_install_it_is_named() -> None:
    script = (
        "import sys\n"
        "sys.modules['faster_whisper'] = sys.modules['av'] = None\n"
        "from tipstaff.parse.parser import CannotRead, Source\n"
        "from tipstaff.parse.recording import PARSER\n"
        "try:\n"
        "    PARSER.parse(Source(content=b'', name='x.mp3', media_type='audio/mpeg'))\n"
        "except CannotRead as fault:\n"
        "    print(fault.reason, fault.suggestion)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("Recordings cannot be read: no speech recognition is installed.")
    assert "pip install 'tipstaff[speech]'" in run.stdout


def test_a_transcriber_that_does_not_exist_is_named() -> None:
    with pytest.raises(CannotRead, match="no transcriber 'parrot'"):
        parse(wav(silence(1)), transcriber="parrot")


def test_weights_that_were_changed_are_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whisper, "_WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(CannotRead, match="not the one"):
        whisper.WhisperTranscriber()
