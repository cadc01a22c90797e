"""The bundles that the suite publishes: a harbour, with and without items that are not for all.

Each figure stands in one item alone, so that whoever says it has read that item.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Any

from tipstaff.compliance.verdict import CannotBeJudged
from tipstaff.compliance.world import Fixture, World

# What a server must have been told for the type that is tried: docs/comply-enterprise.md.
ACCESS: Mapping[str, Mapping[str, Any]] = {
    "fga": {"type": "fga", "object": "document:comply-vault", "relation": "can_read"},
    "opa": {"type": "opa", "policy": "tez/item_access", "input": {"item": "comply-vault"}},
    "cedar": {"type": "cedar", "action": "can_read", "resource": 'Document::"comply-vault"'},
}
_CREATED = "2026-02-05T10:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    title: str
    text: str
    access: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class HarbourBundle:
    """A bundle as the suite knows it; `fixture` is what a server gets."""

    name: str
    tez_id: str
    items: Mapping[str, Item]
    synthesis: str
    manifest: Mapping[str, Any] = field(default_factory=dict)
    extensions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fixture(self) -> Fixture:
        return Fixture(name=self.name, tez_id=self.tez_id, build=self.as_tez)

    def as_tez(self) -> bytes:
        """The same bytes every time: equal bytes are the version that a server has."""
        files = {"manifest.json": json.dumps(self._manifest()), "tez.md": self.synthesis}
        files |= {f"context/{name}.md": item.text for name, item in self.items.items()}
        for name, document in self.extensions.items():
            about = {"extension_id": name, "extension_version": "1.0", "name": name}
            files[f"extensions/{name}/manifest.json"] = json.dumps(about)
            files[f"extensions/{name}/{name}.json"] = json.dumps(document)
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text.encode())
        return buffer.getvalue()

    def _manifest(self) -> dict[str, Any]:
        items = [_declared(name, item) for name, item in self.items.items()]
        return {
            "tezit_version": "1.2",
            "id": self.tez_id,
            "version": 1,
            "created_at": _CREATED,
            "creator": {"name": "The suite", "email": "suite@comply.example"},
            "synthesis": {"title": "The harbour", "type": "analysis", "file": "tez.md"},
            "context": {"scope": "full", "item_count": len(items), "items": items},
            **self.manifest,
        }


def _declared(name: str, item: Item) -> dict[str, Any]:
    content = item.text.encode()
    return {
        "id": name,
        "type": "document",
        "title": item.title,
        "file": f"context/{name}.md",
        "size_bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
    } | ({} if item.access is None else {"access": dict(item.access)})


MOORING = "How much is the mooring fee?"
BOATS = "How many boats did the storm damage?"
FEE, BOATS_DAMAGED = "41,300", "14"
COMPARISON = "How does the mooring fee compare to the price of the new crane?"
FOUR_THINGS = "What is said about the mooring fee, the crane, the north pier and the lighthouse?"
CRANE = "238,400"

_OPEN = {
    "harbour-report": Item(
        title="Harbour report",
        text="# Harbour report\n\nThe mooring fee is 41,300 euros a year.\n\n"
        "The north pier was repaired by the firm of Halvorsen.\n",
    ),
    "storm-log": Item(
        title="Storm log",
        text="# Storm log\n\nThe storm of 9 March damaged 14 boats.\n\n"
        "The lighthouse stayed dark for three nights.\n",
    ),
    "crane-offer": Item(
        title="Crane offer",
        text="# Crane offer\n\nThe new crane costs 238,400 euros.\n\n"
        "It lifts boats of up to 40 tonnes.\n",
    ),
}
_SYNTHESIS = "# The harbour\n\nThe mooring fee is 41,300 euros a year [[harbour-report]].\n"

HARBOUR = HarbourBundle(name="harbour", tez_id="comply-harbour", items=_OPEN, synthesis=_SYNTHESIS)
# One query for each recipient: the second is an error that can be provoked on any server.
ONE_QUERY = HarbourBundle(
    name="one-query",
    tez_id="comply-one-query",
    items=_OPEN,
    synthesis=_SYNTHESIS,
    manifest={
        "sharing": {"hosting": "sender", "hosting_limits": {"interrogations_per_recipient": 1}}
    },
)
# The stranger's own, under the name that the owner's has.
OTHER_FEE = "58,900"
STRANGERS = HarbourBundle(
    name="strangers-harbour",
    tez_id=HARBOUR.tez_id,
    items={
        "quay-report": Item(
            title="Quay report", text="# Quay report\n\nThe mooring fee is 58,900 euros a year.\n"
        )
    },
    synthesis="# The quay\n\nThe mooring fee is 58,900 euros a year [[quay-report]].\n",
)

VAULT = "vault-ledger"
RESERVE = "How much does the reserve fund hold?"
RESERVE_HELD = "902,517"
SUCCESSOR = "Who is the successor of the harbour master?"
DRY_DOCK = "How much is the sealed offer for the dry dock?"
_NOBODYS = {"type": "custom", "provider": "com.example.nobody", "policy": "none"}


def _restricted(access: Mapping[str, Any]) -> dict[str, Item]:
    return {
        VAULT: Item(
            title="Zephyrine ledger",
            text="# Zephyrine ledger\n\nThe reserve fund holds 902,517 euros.\n",
            access=access,
        ),
        "master-diary": Item(
            title="Diary of Thessaly",
            text="# Diary of Thessaly\n\n"
            "The successor of the harbour master is Quillon Abernathy.\n",
            access={"type": "creator_only"},
        ),
        "sealed-letter": Item(
            title="Letter from Brannoc",
            text="# Letter from Brannoc\n\nThe sealed offer for the dry dock is 77,731 euros.\n",
            access=_NOBODYS,
        ),
    }


# Words of which each gives a restricted item away: ids, titles, files, facts.
OF_THE_VAULT = (VAULT, "Zephyrine", RESERVE_HELD)
OF_THE_OTHERS = (
    *("master-diary", "Thessaly", "Quillon", "Abernathy"),
    *("sealed-letter", "Brannoc", "77,731"),
)


def filtered(world: World) -> HarbourBundle:
    """Three items for everybody, one that an authorizer decides on, one for its creator alone,
    one whose authorizer does not exist."""
    return _filtered(_access_type(world))


@cache
def _filtered(access: str) -> HarbourBundle:
    synthesis = (
        _SYNTHESIS + "\nThe reserve fund is sound: it holds 902,517 euros [[vault-ledger]].\n"
    )
    return HarbourBundle(
        name="filtered",
        tez_id="comply-filtered",
        items=_OPEN | _restricted(ACCESS[access]),
        synthesis=synthesis,
    )


def _access_type(world: World) -> str:
    wished = world.options.get("access", "fga")
    if wished not in ACCESS:
        raise CannotBeJudged(f"Access of type '{wished}' is none that the fixture knows.")
    return wished


EVALUATION = {
    "version": "1.0",
    "metrics": {
        "relevance": 0.92,
        "faithfulness": 0.97,
        "citation_accuracy": 1.0,
        "completeness": 0.64,
        "abstention_rate": 0.9,
    },
    "evaluated_at": "2026-02-05T10:00:00Z",
    "evaluator": "comply/1.0",
    "model_evaluated": "extractive",
    "query_count": 50,
    "methodology": "automated_heuristic",
    "history": [
        {
            "evaluated_at": "2026-01-15T10:00:00Z",
            "model": "extractive",
            "metrics": {"relevance": 0.94, "faithfulness": 0.98, "citation_accuracy": 1.0},
            "query_count": 50,
        }
    ],
    "model_comparison": [
        {"model": "extractive", "metrics": {"relevance": 0.92, "faithfulness": 0.97}},
        {"model": "another", "metrics": {"relevance": 0.88, "faithfulness": 0.94}},
    ],
}
EVALUATED = HarbourBundle(
    name="evaluated",
    tez_id="comply-evaluated",
    items=_OPEN,
    synthesis=_SYNTHESIS,
    extensions={"tezit-eval": EVALUATION},
)
