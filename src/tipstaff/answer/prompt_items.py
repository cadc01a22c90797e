"""The items of a prompt (TIP §4.2.1): whole where they fit, else the passages that were found."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.prompt import PromptItem
from tipstaff.domain.document import Chunk
from tipstaff.retrieve.loading import LoadedContext


def prompt_items(loaded: LoadedContext, context: AnswerContext) -> list[PromptItem]:
    """Every item that something is loaded of, in the order of the bundle; each passage under the
    place that a citation of it would name. Items without a passage show their summary."""
    by_item: dict[str, list[Chunk]] = {}
    for chunk in dict.fromkeys((*loaded.whole, *loaded.passages)):
        by_item.setdefault(chunk.item_id, []).append(chunk)
    summaries = {item.id: summary for item, summary in loaded.summaries}
    made = []
    for item in context.items:
        chunks = sorted(by_item.get(item.id, ()), key=lambda chunk: chunk.spans[0])
        content = _passages(item.id, chunks) if chunks else ""
        if not content and item.id in summaries:
            content = f"(summary) {summaries[item.id]}"
        if content:
            known = context.bundle.item(item.id)
            made.append(
                PromptItem(
                    id=item.id,
                    title=item.title,
                    type=item.type,
                    source=(known.source if known and known.source else "bundle"),
                    content=content,
                )
            )
    return made


def _passages(item_id: str, chunks: Sequence[Chunk]) -> str:
    lines = []
    for chunk in chunks:
        place = f"{item_id}:{chunk.location}".rstrip(":")
        head = f" {chunk.context.splitlines()[0]}" if chunk.context else ""
        lines.append(f"[[{place}]]{head}\n{chunk.text}")
    return "\n\n".join(lines)
