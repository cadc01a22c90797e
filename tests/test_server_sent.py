"""Server-Sent Events: whatever pieces they come in, the same events."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tipstaff.server_sent import HEARTBEAT, EventReader, Received, retry_after, written

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.lists(TEXT, max_size=6), st.data())
def test_events_survive_any_cutting(texts: list[str], data: st.DataObject) -> None:
    stream = retry_after(1500)
    for number, text in enumerate(texts, start=1):
        stream += written(
            "tip.token", json.dumps({"delta": text}, ensure_ascii=False).encode(), number=number
        )
        stream += HEARTBEAT
    reader, events = EventReader(), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        events += reader.feed(stream[:size])
        stream = stream[size:]
    assert [json.loads(event.data)["delta"] for event in events] == texts
    assert [event.id for event in events] == [str(n) for n in range(1, len(texts) + 1)]
    assert reader.retry_ms == 1500


@given(st.sampled_from([b"\n", b"\r", b"\r\n"]), st.integers(1, 40))
def test_every_line_end_of_the_standard_is_one(end: bytes, cut: int) -> None:
    stream = end.join(
        [b": hello", b"id: 7", b"event: a", b"data:one", b"data: two", b"", b"data: x", b"", b""]
    )
    reader = EventReader()
    events = reader.feed(stream[:cut]) + reader.feed(stream[cut:]) + reader.feed(b"\n")
    assert events == [Received("a", "one\ntwo", "7"), Received("message", "x", "7")]


def test_an_event_that_broke_off_is_asked_for_again() -> None:
    reader = EventReader()
    assert reader.feed(b"id: 4\nevent: a\ndata: 1\n\nid: 5\nevent: a\ndata: half") != []
    reader.restart()
    assert reader.last_id == "4"
    assert reader.feed(b"id: 5\ndata: whole\n\n") == [Received("message", "whole", "5")]
