"""What becomes of drafts that lie: `python -m benchmarks.drafts [FOLDER] [--misses]`.

A file of `tests/drafts/` names a bundle and drafts about it; each draft says which of its words are
true and must leave, and which are false and must not. `second` is what a model answered when it was
told what of this draft could not be verified (`benchmarks.second_tries` has those requests). Older
sets have `again` instead: true words, and what their author wrote in their place. Every folder
there has been opened and tuned with, each since its own first reading (docs/checked-drafts.md): a
figure to quote needs a new set, measured once before its misses are printed.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
import tomllib
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tipstaff.answer.testimony_response import INSTEAD
from tipstaff.domain.response import NoticeKind, ResponseEnvelope
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.indexing import IndexedBundle
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.llm.model import Delta, Model, Piece, Prompt
from tipstaff.llm.script_file import Script
from tipstaff.llm.scripted import Scripted
from tipstaff.settings import load_settings
from tipstaff.verify.figures import figures_missing_from
from tipstaff.verify.synonyms import is_known

ROOT = Path(__file__).resolve().parent.parent
DRAFTS = ROOT / "tests" / "drafts"
_RECIPIENT = "user:reader@example.com"
_OBEYED = "injected instruction obeyed"
_MARK = re.compile(r"\s*\[\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarialDraft:
    """`hidden` are items that the recipient may not see; `second` the second try; `again` what is
    written in the place of true words that come back."""

    bundle: str
    kind: str
    query: str
    text: str
    true: tuple[str, ...]
    false: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    second: str = ""
    again: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """How much of what is true was kept, and how much of what is false was withheld."""

    kept: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    restated: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)
    leaked: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    not_asked: int = 0

    @property
    def kept_true(self) -> float:
        return self.kept.total() / max(self.kept.total() + self.lost.total(), 1)

    @property
    def delivered_true(self) -> float:
        """With what was lost at first and left at the second try."""
        every = self.kept.total() + self.lost.total()
        return (self.kept.total() + self.restated.total()) / max(every, 1)

    @property
    def told_true(self) -> float:
        """With what was lost as the draft has it and stands there as its source has it."""
        every = self.kept.total() + self.lost.total()
        return (self.kept.total() + self.told.total()) / max(every, 1)

    @property
    def withheld_false(self) -> float:
        return self.withheld.total() / max(self.withheld.total() + self.leaked.total(), 1)


def read_drafts(folder: Path, files: str = "*.toml") -> list[AdversarialDraft]:
    found = []
    for path in sorted(folder.glob(files)):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        again = {one["words"]: one["text"] for one in content.get("again", ())}
        found += [_draft(content["bundle"], record, again) for record in content["draft"]]
    return found


def _draft(bundle: str, record: dict[str, Any], again: Mapping[str, str]) -> AdversarialDraft:
    return AdversarialDraft(
        bundle=bundle,
        kind=record["kind"],
        query=record["query"],
        text=record["text"],
        true=tuple(record["true"]),
        false=tuple(record["false"]),
        hidden=tuple(record.get("hidden", ())),
        second=record.get("second", ""),
        again={words: again[words] for words in record["true"] if words in again},
    )


@contextmanager
def indexed_for(bundle: str, hidden: Sequence[str]) -> Iterator[IndexedBundle]:
    """A bundle, some of whose items are the sender's alone."""
    settings = load_settings({"reader": "none", "embedder": "static"})
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / bundle
        shutil.copytree(_bundle_folder(bundle), copy)
        manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
        for item in manifest["context"]["items"]:
            if item["id"] in hidden:
                item["access"] = {"type": "creator_only"}
        (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        with open_bundle(copy, settings=settings) as opened:
            yield index_bundle(opened, settings=settings)


def _bundle_folder(bundle: str) -> Path:
    """Documents written for one set of drafts lie beside it: what is tuned with the shipped
    bundles has not been tuned with them."""
    shipped = ROOT / "bundles" / bundle
    return shipped if shipped.is_dir() else next(DRAFTS.glob(f"*/{bundle}"))


def answered(
    draft: AdversarialDraft, indexed: IndexedBundle, deltas: Sequence[str] = ()
) -> ResponseEnvelope:
    """The response when a model drafts this, whole or in these pieces."""
    model = Drafting(draft, [Delta(text) for text in deltas or (draft.text,)])
    return interrogation_of(draft, indexed, model).ask(draft.query)


def interrogation_of(
    draft: AdversarialDraft, indexed: IndexedBundle, model: Model
) -> ModelInterrogation:
    recipient = _RECIPIENT if draft.hidden else None
    return ModelInterrogation(indexed=indexed, recipient=recipient, model=model)


class Drafting(Scripted):
    """Plays a draft, and its second try; keeps the request for that in `returned`."""

    def __init__(self, draft: AdversarialDraft, pieces: Sequence[Delta]) -> None:
        super().__init__("scripted:drafts", Script({"": (tuple(pieces),)}))
        self._draft = draft
        self.returned: Prompt | None = None

    def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        if prompt.repairs:
            self.returned = prompt
            if second := self._draft.second or self._written_again(prompt):
                again = Scripted(self.name, Script({"": ((Delta(second),),)}))
                prompt = replace(prompt, repairs=False)
                return again.stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s)
        return super().stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s)

    def _written_again(self, prompt: Prompt) -> str:
        returned = _one_line(_MARK.sub("", prompt.about))
        again = self._draft.again.items()
        return "\n".join(text for words, text in again if _one_line(words) in returned)


def judge(draft: AdversarialDraft, envelope: ResponseEnvelope, tally: Tally) -> None:
    """Words are compared without marks, unless they have one themselves. Where the context is
    taken to be silent and the model was never asked, true words count as lost."""
    tally.not_asked += any("was not asked" in notice.message for notice in envelope.notices)
    response = envelope.response
    quoted = _quoted(draft, envelope)
    # What the context says in its own words has no words of the draft; an order to machines would.
    left_out = set() if draft.kind == _OBEYED else set(quoted)
    claims = [claim.text for claim in response.claims if claim.text not in left_out]
    fell_back = any(notice.kind is NoticeKind.FALLBACK_MODEL for notice in envelope.notices)
    own = response.text if draft.kind == _OBEYED else response.text.partition(INSTEAD)[0]
    said = "" if fell_back else _one_line("\n".join((own, *claims)))
    bare = _MARK.sub("", said)
    for words in draft.true:
        kept = _one_line(_MARK.sub("", words)) in bare
        (tally.kept if kept else tally.lost)[draft.kind] += 1
        if not kept:
            restated = words in draft.again and _is_said(draft.again[words], bare)
            tally.restated[draft.kind] += restated
            told = restated or _tells(quoted, words)
            tally.told[draft.kind] += told
            reasons = "; ".join(dict.fromkeys(one.reason for one in response.removed))
            name = "again " if restated else "quoted" if told else "lost  "
            tally.misses.append(f"{name} {draft.bundle} · {draft.kind}: {words} ({reasons})")
    for words in draft.false:
        leaked = _one_line(words) in (said if "[[" in words else bare)
        (tally.leaked if leaked else tally.withheld)[draft.kind] += 1
        if leaked:
            tally.misses.append(f"leaked {draft.bundle} · {draft.kind}: {words}")


def _is_said(text: str, bare: str) -> bool:
    """Whether every sentence of a second try was let through."""
    pieces = [_one_line(piece).strip(" .") for piece in _MARK.split(text)]
    return all(piece in bare for piece in pieces if re.search(r"\w", piece))


def _quoted(draft: AdversarialDraft, envelope: ResponseEnvelope) -> list[str]:
    """Lines of the context that the response has and the draft has not."""
    drafted = _one_line(_MARK.sub("", "\n".join((draft.text, *draft.again.values()))))
    # An abstention claims nothing, and shows what there is.
    cited = (citation.claim for citation in envelope.response.citations)
    claims = dict.fromkeys((*(claim.text for claim in envelope.response.claims), *cited))
    return [text for text in claims if _one_line(text) not in drafted]


def _tells(quoted: Sequence[str], words: str) -> bool:
    """Whether one line has every figure of a passage and half of its words, or other words for
    them: a rough measure, and held against readers (docs/checked-drafts.md)."""
    telling = set(terms(words)) - STOP_WORDS
    for line in quoted:
        known = frozenset(terms(line))
        held = sum(is_known(word, known) for word in telling)
        if 2 * held >= len(telling) and not figures_missing_from(words, [line]):
            return True
    return False


def measured(drafts: Sequence[AdversarialDraft]) -> Tally:
    tally = Tally()
    groups: dict[tuple[str, tuple[str, ...]], list[AdversarialDraft]] = {}
    for draft in drafts:
        groups.setdefault((draft.bundle, draft.hidden), []).append(draft)
    for (bundle, hidden), some in groups.items():
        with indexed_for(bundle, hidden) as indexed:
            for draft in some:
                judge(draft, answered(draft, indexed), tally)
    return tally


def _one_line(text: str) -> str:
    return " ".join(text.split())


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.drafts")
    parser.add_argument("folder", nargs="?", default="reported")
    parser.add_argument("--kinds", action="store_true", help="a line for each kind of draft")
    parser.add_argument("--misses", action="store_true", help="every miss, in words")
    options = parser.parse_args()
    drafts = read_drafts(DRAFTS / options.folder) + read_drafts(DRAFTS, f"{options.folder}*.toml")
    tally = measured(drafts)
    print(
        f"{options.folder}: {len(drafts)} drafts; withheld-false {tally.withheld_false:.3f} "
        f"({tally.leaked.total()} left), kept-true {tally.kept_true:.3f} "
        f"({tally.lost.total()} lost), {tally.delivered_true:.3f} with second tries, "
        f"{tally.told_true:.3f} with what its source is quoted for; "
        f"{tally.not_asked} drafts vetoed, the model not asked"
    )
    if options.kinds:
        for kind in sorted({draft.kind for draft in drafts}):
            false = f"{tally.withheld[kind]}/{tally.withheld[kind] + tally.leaked[kind]}"
            true = f"{tally.kept[kind]}/{tally.kept[kind] + tally.lost[kind]}"
            print(f"  {kind:34} withheld {false:7} kept {true}")
    if options.misses:
        print("\n".join(tally.misses))


if __name__ == "__main__":
    main()
