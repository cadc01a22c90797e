"""A chain of audit records: whatever is done to it behind its back is found."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tipstaff.audit.chain import GENESIS, AuditRecord, NoRecord, linked, read_line
from tipstaff.audit.pruning import PRUNED, tombstone
from tipstaff.audit.verifying import Anchor, read_export, verify

KEY = b"k" * 32
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
bodies = st.lists(st.dictionaries(st.text(min_size=1), values, max_size=4), min_size=2, max_size=12)


def chain(*contents: dict[str, Any], tenant: str = "acme") -> list[AuditRecord]:
    made: list[AuditRecord] = []
    for number, body in enumerate(contents, start=1):
        made.append(after(made, body, tenant=tenant, at=f"2026-01-{number:02}T00:00:00.000Z"))
    return made


def after(
    made: list[AuditRecord],
    body: dict[str, Any],
    *,
    kind: str = "query",
    tenant: str = "acme",
    at: str = "2026-06-01T00:00:00.000Z",
) -> AuditRecord:
    return linked(
        tenant=tenant,
        number=len(made) + 1,
        at=at,
        kind=kind,
        body=body,
        previous=made[-1].hash if made else GENESIS,
    )


def pruned(made: list[AuditRecord], *numbers: int, key: bytes = KEY) -> list[AuditRecord]:
    """As the server does it: bodies go, and a sealed record says so."""
    gone = [record for record in made if record.number in numbers]
    kept = [record.pruned() if record in gone else record for record in made]
    stone = tombstone(gone, older_than="2026-05-01T00:00:00.000Z", by="retention", key=key)
    return [*kept, after(kept, stone, kind=PRUNED)]


@given(bodies)
def test_a_chain_as_it_was_written_is_whole_also_after_its_export(
    contents: list[dict[str, Any]],
) -> None:
    made = chain(*contents)
    assert verify(made).is_whole
    again = list(read_export(record.line() for record in made))
    assert again == made
    assert verify(again, tenant="acme", anchors=[verify(made).head], key=KEY).is_whole


def changed(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    place = chance.randrange(len(made))
    record = made[place]
    name = chance.choice(["tenant", "number", "at", "kind", "body", "body_sha256", "previous"])
    another: Any = {
        "tenant": "other",
        "number": record.number + chance.choice([-1, 1, 7]),
        "at": "2020-01-01T00:00:00.000Z",
        "kind": "another",
        "body": {**(record.body or {}), "added": True},
        "body_sha256": "1" * 64,
        "previous": "2" * 64,
    }[name]
    return [*made[:place], replace(record, **{name: another}), *made[place + 1 :]]


def removed(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    place = chance.randrange(len(made))
    return [*made[:place], *made[place + 1 :]]


def inserted(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    place = chance.randrange(len(made))
    return [*made[:place], after(made[:place], {"never": "happened"}), *made[place:]]


def doubled(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    place = chance.randrange(len(made))
    return [*made[: place + 1], *made[place:]]


def moved(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    one, other = chance.sample(range(len(made)), 2)
    made = list(made)
    made[one], made[other] = made[other], made[one]
    return made


def emptied(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    place = chance.randrange(len(made))
    return [*made[:place], made[place].pruned(), *made[place + 1 :]]


def cut(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    return made[: chance.randrange(len(made))]


def rewritten(made: list[AuditRecord], chance: random.Random) -> list[AuditRecord]:
    """All hashes from a changed record on made anew, as one with this program could."""
    place = chance.randrange(len(made))
    again = made[:place]
    for record in made[place:]:
        again.append(after(again, {"rewritten": True}, at=record.at, kind=record.kind))
    return again


TAMPERING = [changed, removed, inserted, doubled, moved, emptied, cut, rewritten]


@settings(max_examples=200)
@given(bodies, st.sampled_from(TAMPERING), st.randoms(use_true_random=False))
def test_whatever_is_tampered_with_anywhere_is_found(
    contents: list[dict[str, Any]], tamper: Any, chance: random.Random
) -> None:
    made = chain(*contents)
    anchor = Anchor(made[-1].number, made[-1].hash)
    assert not verify(tamper(made, chance), tenant="acme", anchors=[anchor], key=KEY).is_whole


@settings(max_examples=100)
@given(
    bodies,
    st.sampled_from([changed, removed, inserted, doubled, moved, emptied]),
    st.randoms(use_true_random=False),
)
def test_but_for_the_end_no_anchor_is_needed(
    contents: list[dict[str, Any]], tamper: Any, chance: random.Random
) -> None:
    made = chain(*contents, {"last": True})
    tampered = [*tamper(made[:-1], chance), made[-1]]
    assert not verify(tampered, tenant="acme", key=KEY).is_whole


def test_what_cannot_be_seen_is_the_end_a_cut_tail_without_an_anchor_and_what_is_added() -> None:
    made = chain({"a": 1}, {"b": 2}, {"c": 3})
    assert verify(made[:2]).is_whole
    assert verify([*made, after(made, {"never": "happened"})], key=KEY).is_whole
    assert not verify(made[:2], anchors=[Anchor(3, made[2].hash)]).is_whole


@given(bodies, st.data())
def test_a_pruned_chain_is_whole_and_says_no_more_what_was_pruned(
    contents: list[dict[str, Any]], data: st.DataObject
) -> None:
    made = chain(*contents)
    numbers = data.draw(st.sets(st.integers(1, len(made)), min_size=1))
    left = pruned(made, *numbers)
    verdict = verify(left, anchors=[Anchor(made[-1].number, made[-1].hash)], key=KEY)
    assert (verdict.findings, verdict.pruned) == ([], len(numbers))
    again = pruned(left, *(set(range(1, len(made) + 1)) - numbers))
    assert verify(again, key=KEY).is_whole
    assert all(b'"salt"' not in record.line() for record in again if record.number in numbers)


def test_a_body_that_somebody_else_took_out_is_missed() -> None:
    made = pruned(chain({"a": 1}, {"b": 2}, {"c": 3}), 1)
    more = [made[0], made[1].pruned(), *made[2:]]
    assert [one.number for one in verify(more, key=KEY).findings] == [2]
    assert [one.number for one in verify(more).findings] == [2]


def test_a_pruning_that_the_server_did_not_sign_is_none() -> None:
    made = pruned(chain({"a": 1}, {"b": 2}), 1, key=b"x" * 32)
    assert {one.number for one in verify(made, key=KEY).findings} == {1, 3}


def test_a_body_younger_than_its_pruning_says_is_missed() -> None:
    made = chain({"a": 1})
    late = [*made, after(made, {"late": 1}, at="2026-05-20T00:00:00.000Z")]
    assert [one.number for one in verify(pruned(late, 2), key=KEY).findings] == [2]


def test_the_record_of_another_tenant_is_not_taken_for_ones_own() -> None:
    assert not verify(chain({"a": 1}, tenant="other"), tenant="acme").is_whole


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b'{"number":1}',
        chain({"a": 1})[0].line().replace(b'"kind":', b'"kind": '),
        chain({"a": 1})[0].line().replace(b'{"at"', b'{"a":1,"at"'),
        chain({"a": 1})[0].line().replace(b'"number":1', b'"number":true'),
        chain({"a": 1})[0].line().replace(b'"number":1', b'"number":2,"number":1'),
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_a_line_that_was_not_exported_here_is_no_record(line: bytes) -> None:
    with pytest.raises(NoRecord):
        read_line(line)


def test_equal_bodies_have_different_hashes_so_that_none_is_guessed() -> None:
    one, other = chain({"user": "jane"}, {"user": "jane"})
    assert one.body_sha256 != other.body_sha256
