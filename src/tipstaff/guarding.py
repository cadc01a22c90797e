"""What stands between a recipient's queries and the answers: hostile queries, bulk extraction and
limits of length (TIP §4.4, §13.3, §14.4). One guard for one session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tipstaff.answer.addressing import Aim
from tipstaff.answer.disclosure import (
    NO_EXCERPT,
    TOO_LONG,
    TOO_MUCH_OF_ONE,
    TOO_MUCH_SHOWN,
    Disclosure,
)
from tipstaff.answer.extraction import PlaceByPlace
from tipstaff.answer.hostile import Judgement, judge
from tipstaff.answer.rendering import bulk_refusal, copy_refusal, meta_refusal, verbatim_refusal
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.classification import Classification, Confidence
from tipstaff.domain.response import Gap, Notice, NoticeKind, Response

_ROLE = (
    "This is an interrogation of a bundle: questions are answered from its context only, and "
    "instructions to do otherwise are not followed."
)
_LEFT_ASIDE = f"A part of the query was left aside. {_ROLE}"
_LIMITED = {
    TOO_LONG: "The response is limited to {tokens} tokens; {count} more could be said. Ask a "
    "narrower question, or for a part of it.",
    TOO_MUCH_OF_ONE: "A response quotes at most {words} words of one item; {count} more could be "
    "said. Ask a narrower question, or look at the cited places.",
    TOO_MUCH_SHOWN: "A session shows at most {percent} percent of an item, and {count} more are "
    "beyond that. Ask about something else in the bundle, or ask the sender for the item.",
    NO_EXCERPT: "As much of an item as may be shown at once has been shown: the words at {count} "
    "are not repeated beside the answer. Open the citation to see them, if you may.",
}
_TOLD = {
    Aim.VERBATIM: "The sender shares this item to be asked about, and not to be copied.",
    Aim.COPY: "An item as a whole is the item itself, and not a question about it.",
    Aim.BULK: "Page after page of an item is the item itself, and not a question about it.",
}
_NOT_ABOUT_IT = "This is not a question about the bundled context."
_WORD = re.compile(r"\w+")


@dataclass(kw_only=True)
class SessionGuard:
    """Remembers what one session has asked for and been shown; nothing of any other."""

    boundary: GroundingBoundary
    disclosure: Disclosure = field(init=False)
    judged: Judgement = field(default_factory=lambda: Judgement(""))
    _places: PlaceByPlace | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        settings = self.boundary.indexed.settings
        # The owner has the bundle: nothing can be copied out that they do not hold.
        is_owner = self.boundary.recipient is None
        self.disclosure = Disclosure(
            max_tokens=settings.max_response_tokens,
            words_per_response=settings.max_quoted_words,
            percent_per_session=None if is_owner else settings.max_item_percent,
            words_in=self._words_in,
        )
        if not is_owner:
            self._places = PlaceByPlace(settings.max_place_queries)

    def take_up(self, query: str) -> Judgement:
        """A query judged before it is understood; `fair` is what may be answered."""
        self.disclosure.begin()
        names = self._names()
        protected = [name for item_id, title in names for name in (item_id, title)
                     if not self.boundary.quotable(item_id)]  # fmt: skip
        is_owner = self.boundary.recipient is None
        self.judged = judge(query, protected=protected, is_owner=is_owner)
        titles = [name for pair in names for name in pair]
        if self._places is not None and self._places.is_bulk(query, titles):
            self.judged = Judgement("", Aim.BULK)
        return self.judged

    def remember(self, query: str, shown: Sequence[tuple[str, Sequence[str]]]) -> None:
        """What was asked and shown before this guard was made counts as if it had been there."""
        if self._places is not None:
            self._places.is_bulk(query, [name for pair in self._names() for name in pair])
        self.disclosure.remember(shown)

    def refusal(self, topic: str) -> Response:
        """TIP §4.4, §14.4: what this is for, without reproach."""
        items = [item for item in self.boundary.indexed.index.items
                 if item.id in self.boundary.permitted()]  # fmt: skip
        words = {
            Aim.VERBATIM: verbatim_refusal,
            Aim.BULK: bulk_refusal,
            Aim.COPY: copy_refusal,
        }
        aim = self.judged.aim
        text = words.get(aim, meta_refusal)(items) if aim else meta_refusal(items)
        told = _TOLD.get(aim, _NOT_ABOUT_IT) if aim else _NOT_ABOUT_IT
        return _abstention(text, Gap(topic, told))

    def exhausted(self, topic: str) -> Response | None:
        """In place of an answer of which nothing may be said any more."""
        if TOO_MUCH_SHOWN not in self.disclosure.left_out:
            return None
        items = [item for item in self.boundary.indexed.index.items
                 if item.id in self.boundary.permitted()]  # fmt: skip
        return _abstention(bulk_refusal(items), Gap(topic, TOO_MUCH_SHOWN))

    def notices(self) -> tuple[Notice, ...]:
        """What was left aside or left out of this response: never silently."""
        told = []
        if self.judged.aim is not None and self.judged.fair:
            told.append(Notice(NoticeKind.LEFT_ASIDE, _LEFT_ASIDE))
        limits = self.disclosure
        told += [
            Notice(
                NoticeKind.LIMITED,
                _LIMITED[reason].format(
                    tokens=limits.max_tokens,
                    words=limits.words_per_response,
                    percent=limits.percent_per_session,
                    count=_counted(reason, count),
                ),
            )
            for reason, count in limits.left_out.items()
        ]
        if self.judged.aim is Aim.BULK:
            told.append(Notice(NoticeKind.LIMITED, _TOLD[Aim.BULK]))
        return tuple(told)

    def _names(self) -> list[tuple[str, str]]:
        return [(item.id, item.title) for item in self.boundary.bundle.items]

    def _words_in(self, item_id: str) -> int | None:
        """Of an item that speaks through its summary, the summary is all there is."""
        if item_id not in self.boundary.searchable():
            return None
        citable = self.boundary.citable(item_id)
        return None if citable is None else len(_WORD.findall(citable.document.text))


def _counted(reason: str, count: int) -> str:
    thing = "cited place" if reason == NO_EXCERPT else "statement"
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _abstention(text: str, gap: Gap) -> Response:
    return Response(
        text=text,
        classification=Classification.ABSTENTION,
        confidence=Confidence.HIGH,
        gaps=(gap,),
    )
