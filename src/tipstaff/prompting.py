"""What goes before a model for one query, and what had to be left out of it (TIP §10.2, §14.3).

The rules and the synthesis are always whole. When room is short, history goes first, then
passages, then passages are shortened; each is said. What still does not fit is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.prompt import BuiltPrompt, PromptItem, build_prompt
from tipstaff.answer.prompt_items import prompt_items, summary_items, with_places
from tipstaff.domain.conversation import Conversation
from tipstaff.domain.response import Notice, NoticeKind
from tipstaff.domain.retrieval import Retrieval
from tipstaff.domain.scope import IndexedItem
from tipstaff.errors import TokenLimitExceeded
from tipstaff.llm.model import Model
from tipstaff.llm.window import AROUND_MESSAGE
from tipstaff.retrieve.loading import LoadedContext, load
from tipstaff.tokens import count_tokens

# What the exchanges before may always take of the window, and what the context should then have.
_HISTORY_SHARE = 0.2
_CONTEXT_SHARE = 0.3
# "Question" and "Answer" before each, and what stands around all of them.
_PER_EXCHANGE_TOKENS = 24
_AROUND_EXCHANGES = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it is put before a model, and what had to be left out of it."""

    built: BuiltPrompt
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompting:
    """One recipient's context, one model. `answer_tokens` are kept free for the answer;
    `summarised` are the items of which only the summary may be had."""

    context: AnswerContext
    model: Model
    grounding: str
    answer_tokens: int
    summarised: Sequence[IndexedItem] = ()

    def asked(self, query: str, said: Sequence[tuple[str, str]]) -> Asked:
        """The prompt of a query; `said` are the exchanges before it, oldest first."""
        conversation: Conversation | None = self.context.bundle.conversation
        notices: list[Notice] = []
        fixed = self._fixed_tokens(query, conversation)
        room = self.model.window_tokens - self.answer_tokens - 2 * AROUND_MESSAGE
        # TIP §4.5: a conversation may stand there, the context must.
        if fixed + self._least_context() > room and conversation is not None:
            conversation = None
            notices.append(_NO_CONVERSATION)
            fixed = self._fixed_tokens(query, None)
        if fixed > room:
            raise TokenLimitExceeded(
                token_limit=self.model.window_tokens,
                tokens_required=fixed + self.answer_tokens,
                mitigation="History and passages were left out; the synthesis alone is too long "
                "for this model. A model with a larger window, or 'extractive', can answer.",
                mitigated=False,
            )
        found = self.context.search(query, self.context.options)
        loaded, built = self._fitting(found, query, conversation, (), room)
        kept, cut = _history_within(said, self._for_history(loaded, _tokens_of(built), fixed, room))
        if kept:
            loaded, built = self._fitting(found, query, conversation, kept, room)
        return Asked(built=built, notices=(*notices, *cut, *_reduced(loaded)))

    def _for_history(self, loaded: LoadedContext, used: int, fixed: int, room: int) -> int:
        """What the exchanges before may take beside a prompt without them: what it leaves, but for
        what a second try repeats of an answer. Where it leaves little, their share; only a small
        context stays whole for it (TIP §10.2.1)."""
        left = room - used
        at_most = left if loaded.strategy == "full" else room - fixed - self._least_context()
        share = min(int(self.model.window_tokens * _HISTORY_SHARE), at_most)
        return max(left - self.answer_tokens, share) - _AROUND_EXCHANGES

    def _least_context(self) -> int:
        return min(int(self.model.window_tokens * _CONTEXT_SHARE), self.context.scope.tokens)

    def _fitting(
        self,
        found: Retrieval,
        query: str,
        conversation: Conversation | None,
        said: Sequence[tuple[str, str]],
        room: int,
    ) -> tuple[LoadedContext, BuiltPrompt]:
        """What is loaded, and the prompt with it. By its own count it fits, headings and all, which
        no count of passages has in it."""
        free = room - _tokens_of(self._built(query, (), conversation, said))
        at_most = free
        while True:
            loaded = self._loaded(found, at_most)
            built = self._built(query, prompt_items(loaded, self.context), conversation, said)
            over = _tokens_of(built) - room
            if over <= 0 or not (loaded.passages or loaded.whole):
                return loaded, built
            at_most = loaded.tokens - 1
            if loaded.strategy != "full":
                # With a passage goes its heading.
                at_most = min(at_most, loaded.tokens * free // (free + over))

    def _loaded(self, found: Retrieval, at_most: int) -> LoadedContext:
        context = self.context
        return load(
            found,
            index=context.index,
            scope=context.scope,
            window_tokens=self.model.window_tokens,
            reserved_tokens=self.model.window_tokens - at_most,
            as_shown=lambda chunk: with_places(chunk, context),
        )

    def _fixed_tokens(self, query: str, conversation: Conversation | None) -> int:
        """Of everything that may not be left out."""
        return _tokens_of(self._built(query, (), conversation))

    def _built(
        self,
        query: str,
        items: Sequence[PromptItem],
        conversation: Conversation | None,
        said: Sequence[tuple[str, str]] = (),
    ) -> BuiltPrompt:
        context = self.context
        synthesis = context.bundle.synthesis
        return build_prompt(
            query,
            items=[*items, *summary_items(self.summarised, context)],
            synthesis=synthesis.text if synthesis else "",
            said=said,
            conversation=conversation,
            unquotable=[item.id for item in context.items if not context.quotable(item.id)],
            grounding=self.grounding,
        )


_NO_CONVERSATION = Notice(
    NoticeKind.CONTEXT_REDUCED,
    "The conversation record did not fit the model's window and was left out.",
)


def _history_within(
    said: Sequence[tuple[str, str]], room: int
) -> tuple[list[tuple[str, str]], list[Notice]]:
    """The last exchanges that fit; what is left out is said (TIP §8.1.4)."""
    kept: list[tuple[str, str]] = []
    for number, exchange in enumerate(reversed(said)):
        cost = _exchange_tokens(exchange)
        if cost > room:
            left = len(said) - number
            exchanges = "earliest exchange" if left == 1 else f"{left} earliest exchanges"
            words = f"The {exchanges} of this session {'was' if left == 1 else 'were'} left out."
            return kept, [Notice(NoticeKind.HISTORY_TRUNCATED, words)]
        room -= cost
        kept.insert(0, exchange)
    return kept, []


def _tokens_of(built: BuiltPrompt) -> int:
    return count_tokens(built.system) + count_tokens(built.question)


def _exchange_tokens(exchange: tuple[str, str]) -> int:
    return sum(map(count_tokens, exchange)) + _PER_EXCHANGE_TOKENS


def _reduced(loaded: LoadedContext) -> list[Notice]:
    """TIP §14.3: what the window cost, where it cost something that was asked for."""
    notices = []
    if loaded.cut:
        words = f"Not all of {', '.join(loaded.cut)} fits the model's window"
        words += "; passages of it were shortened." if loaded.shortened else "."
        notices.append(Notice(NoticeKind.CONTEXT_REDUCED, words))
    elif loaded.shortened:
        words = "The passages that were found were cut to their first sentences to fit the model's"
        notices.append(Notice(NoticeKind.CONTEXT_REDUCED, f"{words} window."))
    if loaded.left_out:
        words = f"{loaded.left_out} of the passages that were found did not fit the model's window."
        notices.append(Notice(NoticeKind.CONTEXT_REDUCED, words))
    return notices
