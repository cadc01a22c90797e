"""`create_tez`, step by step: draft, context, synthesis, pack."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from tipstaff.agents.desk import Desk, Tell
from tipstaff.agents.drafts import Draft, pack_draft
from tipstaff.agents.results import CreateArguments
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.wire import to_wire
from tipstaff.errors import UsageError

_MOST_FINDINGS = 50
_AFTER_PACKING = "audit_synthesis checks every claim of the synthesis before it is sent."


async def create_tez(desk: Desk, arguments: CreateArguments, tell: Tell) -> Any:
    if arguments.step == "draft":
        draft = desk.drafts.begin(
            desk.owner,
            title=_needed(arguments, "title"),
            creator=_needed(arguments, "creator"),
            tez_id=arguments.tez_id,
        )
        return _at(draft, arguments, "step=add_context, once for every item.", tez_id=draft.tez_id)
    draft = desk.drafts.get(desk.owner, arguments.draft_id)
    if arguments.step == "add_context":
        return await _add(desk, draft, arguments)
    if arguments.step == "set_synthesis":
        draft.synthesis = _needed(arguments, "text")
        return _at(draft, arguments, "step=pack.")
    return await _pack(desk, draft, arguments, tell)


async def _add(desk: Desk, draft: Draft, arguments: CreateArguments) -> dict[str, Any]:
    if (arguments.text is None) == (arguments.file is None):
        raise UsageError("step=add_context takes `text` or `file`, one of them.")
    if arguments.file is not None:
        path = desk.folders.existing(arguments.file)
        content = await asyncio.to_thread(_content, path, desk.settings.max_file_bytes)
        name = path.name
    else:
        content = (arguments.text or "").encode()
        name = f"{arguments.item_id or arguments.title or 'note'}.md"
    item_id = draft.add(
        content,
        name=name,
        item_id=arguments.item_id,
        title=arguments.title,
        access=AccessLevel(arguments.access),
        settings=desk.settings,
    )
    after = "step=add_context for more, or step=set_synthesis."
    return _at(draft, arguments, after, item_id=item_id, cite_as=f"[[{item_id}]]")


async def _pack(desk: Desk, draft: Draft, arguments: CreateArguments, tell: Tell) -> dict[str, Any]:
    await tell("packing", 1, None)
    with tempfile.TemporaryDirectory(prefix="tipstaff-draft-") as folder:
        packed = await asyncio.to_thread(pack_draft, draft, Path(folder), desk.settings)
        name = arguments.output or f"{draft.tez_id}.tez"
        entry, kept_at = await desk.keep(packed.path, name, tell)
    desk.drafts.drop(desk.owner, draft)
    return _at(
        draft,
        arguments,
        _AFTER_PACKING,
        tez_id=entry.tez_id,
        kept_at=kept_at,
        findings=to_wire(packed.findings[:_MOST_FINDINGS]),
        warnings=[str(one) for one in packed.warnings[:_MOST_FINDINGS]],
    )


def _content(path: Path, most: int) -> bytes:
    if not path.is_file() or path.stat().st_size > most:
        raise UsageError(f"'{path.name}' is no file of at most {most:,} bytes.")
    return path.read_bytes()


def _needed(arguments: CreateArguments, name: str) -> str:
    value = str(getattr(arguments, name) or "").strip()
    if not value:
        raise UsageError(f"step={arguments.step} needs `{name}`.")
    return value


def _at(draft: Draft, arguments: CreateArguments, next_step: str, **more: Any) -> dict[str, Any]:
    return {
        "step": arguments.step,
        "draft_id": draft.draft_id,
        "next_step": next_step,
        "items": [one for one in draft.items if one != SYNTHESIS_ID],
        **more,
    }
