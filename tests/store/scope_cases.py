"""The scope-exact property over many cases: any bundle, any subset of its items, any query."""

from __future__ import annotations

from tipstaff.contracts.index_samples import (
    chance_of,
    index_contents,
    part_of,
    query_text,
    query_vector,
)
from tipstaff.contracts.stores import options_by_chance, scope_faults
from tipstaff.store.store import IndexKey, OpenIndex, Store

SCOPE_CASES = 1_200
_INDEXES = 40
_QUERIES_A_SCOPE = 5


def scope_case_faults(store: Store, *, cases: int, seed: int = 20) -> list[str]:
    """Faults in so many (bundle, scope, query) cases; a few queries share a scope."""
    chance = chance_of(seed)
    contents = [
        index_contents(chance, most_chunks=chance.choice((2, 8, 40))) for _ in range(_INDEXES)
    ]
    wholes = [_written(store, f"whole-{number}", one) for number, one in enumerate(contents)]
    faults = []
    for case in range(cases // _QUERIES_A_SCOPE):
        number = chance.randrange(_INDEXES)
        share = chance.choice((0.2, 0.5, 0.9))
        ids = {item.id for item in contents[number].items if chance.random() < share}
        part = _written(store, f"part-{case}", part_of(contents[number], ids))
        for _ in range(_QUERIES_A_SCOPE):
            faults += scope_faults(
                wholes[number],
                part,
                ids,
                query=query_text(chance),
                vector=query_vector(chance),
                options=options_by_chance(chance),
            )
    return faults


def _written(store: Store, name: str, contents: object) -> OpenIndex:
    key = IndexKey(tenant="scopes", tez_id=name, digest="digest")
    store.write(key, contents)  # type: ignore[arg-type]
    index = store.open(key)
    assert index is not None
    return index
