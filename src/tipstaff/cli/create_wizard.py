"""The questions of `tip create`: each has a proposal, and Enter takes it."""

from __future__ import annotations

import sys
from dataclasses import replace

from tipstaff.authoring.drafting import BundleDraft
from tipstaff.authoring.terms import HOSTING, LIMITS, SHARING, SenderTerms
from tipstaff.bundle.file_names import derive_bundle_id
from tipstaff.cli.terminal import Terminal, cut
from tipstaff.errors import UsageError

_TITLE_CHARS = 60


class Wizard:
    """Questions go to stderr; the end of the input takes every proposal that is left."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._ended = False

    def settle(self, draft: BundleDraft, terms: SenderTerms) -> tuple[BundleDraft, SenderTerms]:
        title = self._ask("Title", draft.title)
        if title != draft.title:
            draft = replace(draft, title=title, id=derive_bundle_id(title))
        draft = replace(draft, id=self._ask("Id", draft.id))
        terms = replace(terms, creator=self._ask("Sent by", terms.creator))
        draft = self._items(draft)
        return draft, self._hosting(draft, terms)

    def confirm(self, draft: BundleDraft) -> bool:
        secrets = sum(one.is_secret for one in draft.warnings)
        personal = len(draft.warnings) - secrets
        for one in draft.warnings:
            self._terminal.say(f"  ! {one}")
        proposal = "n" if secrets else "y"
        told = f"{secrets} secrets and {personal} pieces of personal data recognised. "
        question = f"{told if draft.warnings else ''}Write {len(draft.items)} items? (y/n)"
        return self._ask(question, proposal).lower().startswith("y")

    def _items(self, draft: BundleDraft) -> BundleDraft:
        while True:
            for number, item in enumerate(draft.items, start=1):
                title = cut(item.title, _TITLE_CHARS)
                self._terminal.say(f"  {number}. {item.id} ({item.type}) {title} [{item.access}]")
            answer = self._ask("Leave out (-2), set access (2=interrogation_only), or go on", "")
            if not answer:
                return draft
            try:
                draft = self._changed(draft, answer)
            except UsageError as problem:
                self._terminal.say(problem.message)

    def _changed(self, draft: BundleDraft, answer: str) -> BundleDraft:
        for word in answer.replace(",", " ").split():
            name, _, level = word.lstrip("-").partition("=")
            ids = [item.id for item in draft.items]
            if name.isdigit() and 1 <= int(name) <= len(ids):
                name = ids[int(name) - 1]
            if word.startswith("-"):
                if len(ids) == 1:
                    raise UsageError("A bundle has at least one item.")
                draft = draft.without([name])
            else:
                draft = draft.with_access(name, level)
        return draft

    def _hosting(self, draft: BundleDraft, terms: SenderTerms) -> SenderTerms:
        hosting = self._choose("Hosting", ("", *HOSTING), terms.hosting or "")
        terms = replace(terms, hosting=hosting or None)
        if hosting in ("sender", "dual"):
            terms = replace(terms, limits=self._limits(terms))
            expires = self._ask("May be asked until (YYYY-MM-DD)", terms.expires_at or "")
            terms = replace(terms, expires_at=expires or None)
        if draft.conversation is not None:
            shared = self._choose("Share the conversation", SHARING, terms.conversation)
            terms = replace(terms, conversation=shared)
        return terms

    def _limits(self, terms: SenderTerms) -> dict[str, int]:
        found = dict(terms.limits)
        for name in LIMITS:
            answer = self._ask(f"Limit {name}", str(found.get(name, "")))
            if answer.isdigit() and int(answer) > 0:
                found[name] = int(answer)
        return found

    def _choose(self, question: str, known: tuple[str, ...], proposal: str) -> str:
        names = ", ".join(filter(None, known))
        while True:
            answer = self._ask(f"{question} ({names})", proposal)
            if answer in known:
                return answer
            self._terminal.say(f"'{answer}' is none of {names}.")

    def _ask(self, question: str, proposal: str) -> str:
        shown = f" [{proposal}]" if proposal else ""
        print(f"{question}{shown}: ", end="", file=sys.stderr, flush=True)
        line = "" if self._ended else sys.stdin.readline()
        if not line:
            self._ended = True
            print(file=sys.stderr)
        return line.strip() or proposal
