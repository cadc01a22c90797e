"""The codeword probe: a fact that lives in one item's bytes alone, before and after a round trip.

A server that keeps hashes and metadata and loses bytes answers from the synthesis as before; here
it has nothing to answer from. And what only this bundle has must not be known in another.
"""

from __future__ import annotations

import json
import tempfile
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from tipstaff.bundle.inline_export import export_inline
from tipstaff.bundle.level_three import pack
from tipstaff.bundle.opening import OpenBundle, open_bundle
from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.expectation import Expectation
from tipstaff.compliance.expected import says
from tipstaff.compliance.grounding import grounding_checks
from tipstaff.compliance.reply import Reply
from tipstaff.compliance.tez_file import archived
from tipstaff.compliance.tip.asking import asked
from tipstaff.compliance.tip.mixed_bundle import CODEWORD, CODEWORD_QUERY, MIXED, NOTES
from tipstaff.compliance.tip.required import TIP
from tipstaff.compliance.verdict import CannotBeJudged, Check, Verdict
from tipstaff.compliance.world import Fixture, World
from tipstaff.settings import DEFAULTS

_OK = 200
_TRIP = "-round-trip"


@TIP.case("codeword", section="TIP §2.6, §3.2", title="Codeword: the bytes are there")
async def codeword(world: World) -> Verdict:
    probe, evidence, tez_id = await _probe(world)
    reply = await asked(world, probe.query, tez_id)
    checks = [
        *_answers(reply, probe, evidence, "as published"),
        *grounding_checks(reply, probe.query, evidence),
        *await _bytes_are_served(world, probe, evidence, tez_id),
    ]
    return Verdict.of(checks)


@TIP.case(
    "codeword-round-trip",
    section="TIP §2.6, §3.2",
    title="Codeword after an inline export and import",
    required=False,
)
async def round_trip(world: World) -> Verdict:
    probe, evidence, _ = await _probe(world)
    trip_id = f"{evidence.subject.bundle.id}{_TRIP}"
    opened = evidence.subject.opened
    fixture = Fixture(
        name="round-trip", tez_id=trip_id, build=lambda: inline_and_back(opened, trip_id)
    )
    tez_id = await world.tez(fixture)
    again = world.evidence_of(fixture)
    reply = await asked(world, probe.query, tez_id)
    return Verdict.of(_answers(reply, probe, again, "after export and import"))


@TIP.case(
    "codeword-elsewhere",
    section="TIP §8.3",
    title="Codeword: another tez does not know it",
    required=False,
)
async def elsewhere(world: World) -> Verdict:
    probe, _, tez_id = await _probe(world)
    other = await world.tez(MIXED)
    if other == tez_id:
        raise CannotBeJudged("The bundle has no codeword query of its own.")
    reply = await asked(world, probe.query, other)
    word = probe.contains[0][0]
    return Verdict.of(
        [
            Check("it is not said", not says(reply.text, word), reply.text[:120]),
            Check(
                "the other tez abstains",
                reply.classification in ("abstention", "partial"),
                reply.classification or "none",
            ),
        ]
    )


def inline_and_back(opened: OpenBundle, tez_id: str) -> bytes:
    """The bundle as one Markdown document with its bytes inside, opened again and packed."""
    document = export_inline(opened, DEFAULTS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bundle.md"
        path.write_bytes(document.content)
        for name, read in document.beside.items():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(read())
        with open_bundle(path) as again:
            contents = {name: read() for name, read in pack(again, DEFAULTS).contents.items()}
    manifest = json.loads(contents["manifest.json"])
    manifest["id"] = tez_id
    return archived(contents | {"manifest.json": json.dumps(manifest).encode()})


async def _probe(world: World) -> tuple[Expectation, Evidence, str]:
    """The bundle's own codeword, else that of the mixed bundle."""
    evidence = world.judged()
    for one in evidence.subject.expectations:
        if one.is_codeword and one.contains and one.cites:
            return one, evidence, evidence.subject.tez_id
    own = Expectation(
        id="codeword",
        query=CODEWORD_QUERY,
        classes=("grounded",),
        contains=((CODEWORD,),),
        cites=(NOTES,),
        is_codeword=True,
    )
    return own, world.evidence_of(MIXED), await world.tez(MIXED)


def _answers(reply: Reply, probe: Expectation, evidence: Evidence, when: str) -> list[Check]:
    word = probe.contains[0][0]
    places = reply.cited(evidence.subject.names)
    cited = any(says(evidence.words_at(place), word) for place in places)
    return [
        Check(f"the codeword is said {when}", says(reply.text, word), reply.text[:160]),
        Check(
            f"it is cited where it stands {when}", cited, ", ".join(map(str, places)) or "nothing"
        ),
    ]


async def _bytes_are_served(
    world: World, probe: Expectation, evidence: Evidence, tez_id: str
) -> list[Check]:
    """Where a server has a route for an item's bytes, they are those that were sent."""
    item_id = probe.cites[0]
    path = f"/tez/{quote(tez_id, safe='')}/items/{quote(item_id, safe='')}/content"
    answer = await world.wire.send("GET", path)
    wanted = evidence.subject.hashes.get(item_id)
    if answer.status != _OK or wanted is None:
        return []
    same = sha256(answer.raw).hexdigest() == wanted
    found = f"{len(answer.raw)} other bytes"
    return [Check("the item's bytes are served as they were sent", same, found)]
