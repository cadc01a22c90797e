"""What every authorizer promises (Enterprise §3.4, docs/decisions/0013).

`faults_of(authorizer, allowed=…, refused=…)` is empty for a good one. The checks are whoever's who
sets it up: `allowed` are those that it must allow, `refused` those that it must not. The promise
that matters most: nothing but what was meant is allowed, whatever stands in a check.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from tipstaff.access.authorizer import BATCH, AccessCheck, Authorizer, Decision

# Words that end a string, begin a comment, name everybody, leave a path, or are no text at all.
_ODD = (
    "",
    " ",
    "*",
    "user:*",
    "group:legal#member",
    'x" || true || "',
    "x\\",
    "x'; --",
    "\n}\nallow := true\n",
    "../../v1/policies",
    "tez/item_access?pretty",
    "x\x00y",
    "\ud800",
    "ü🏗\u202e",
    "a" * 2_000,
)
_STRANGER = "user:nobody-of-this-name@example.org"


async def faults_of(
    authorizer: Authorizer, *, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> list[str]:
    """Every broken promise, in words; the suite's only entry."""
    faults = []
    for promise in (_answers, _order, _company, _strangers, _odd_words, _claims, _tokens):
        faults += [fault async for fault in promise(authorizer, allowed, refused)]
    return faults


async def _answers(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    if await authorizer.check([]):
        yield "no checks have decisions"
    for one in allowed:
        (decision,) = await authorizer.check([one])
        if not decision.allowed:
            yield f"{_name(one)} is not allowed: {decision.reason or decision.outcome}"
    for one in refused:
        (decision,) = await authorizer.check([one])
        if decision.allowed:
            yield f"{_name(one)} is allowed"


async def _order(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    """A full batch, in both orders."""
    both = [*allowed, *refused]
    many = (both * BATCH)[:BATCH]
    for name, order in (("a full batch", many), ("a batch turned round", many[::-1])):
        decisions = await authorizer.check(order)
        if len(decisions) != len(order):
            yield f"{name}: {len(order)} checks have {len(decisions)} decisions"
        elif [one.allowed for one in decisions] != [one in allowed for one in order]:
            yield f"{name}: decisions are not in the order of the checks"


async def _company(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    """Asked at the same time, nobody gets another's decisions."""
    batches = [list(allowed), list(refused), [*refused, *allowed]] * 4
    done = await asyncio.gather(*(authorizer.check(batch) for batch in batches))
    for batch, decisions in zip(batches, done, strict=True):
        if [one.allowed for one in decisions] != [one in allowed for one in batch]:
            yield "decisions differ when several ask at once"


async def _strangers(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    del refused
    stranger = [replace(one, recipient=_STRANGER, by_creator=False) for one in allowed]
    for one, decision in zip(stranger, await authorizer.check(stranger), strict=True):
        if decision.allowed:
            yield f"{_name(one)} is allowed to somebody unknown"


async def _odd_words(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    """Odd words are allowed nothing, and do not change what is decided beside them."""
    good, bad = allowed[0], refused[0]
    for word in _ODD:
        odd = [
            replace(bad, recipient=word),
            replace(bad, recipient=f"user:{word}"),
            replace(bad, relation=word),
            replace(bad, object=word),
            replace(bad, object=f"document:{word}"),
            replace(bad, attributes={**bad.attributes, "input": word, "provider": word}),
        ]
        for one in odd:
            for decision in await _beside(authorizer, one, bad):
                if decision.allowed:
                    yield f"{_name(one)} is allowed"
        (still,) = await authorizer.check([good])
        if not still.allowed:
            yield f"after {word[:20]!r} {_name(good)} is no longer allowed"


async def _beside(
    authorizer: Authorizer, odd: AccessCheck, other: AccessCheck
) -> Sequence[Decision]:
    """It may be raised for: whoever asks takes that for a no."""
    try:
        return await authorizer.check([odd, other])
    except Exception:
        return ()


async def _claims(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    """A sender may describe an item, and cannot say who is asking."""
    claimed = {
        "user": allowed[0].recipient,
        "recipient": allowed[0].recipient,
        "principal": allowed[0].recipient,
        "tenant": allowed[0].tenant,
        "object": allowed[0].object,
        "allow": True,
    }
    for one in refused:
        written = {**one.attributes, **claimed, "input": claimed, "attributes": claimed}
        (decision,) = await authorizer.check([replace(one, attributes=written)])
        if decision.allowed:
            yield f"{_name(one)} is allowed by what its sender claims"


async def _tokens(
    authorizer: Authorizer, allowed: Sequence[AccessCheck], refused: Sequence[AccessCheck]
) -> AsyncIterator[str]:
    tenant = allowed[0].tenant
    first = await authorizer.change_token(tenant)
    await authorizer.check([*allowed, *refused])
    if await authorizer.change_token(tenant) != first:
        yield "its change token changes although nothing did"


def _name(check: AccessCheck) -> str:
    return f"{check.recipient[:40]!r} {check.relation[:40]!r} {check.object[:40]!r}"
