"""Judging by hand: resumable, undoable, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.eval.samples import answered, unit
from tipstaff.errors import UsageError
from tipstaff.eval.evaluating import evaluation_of
from tipstaff.eval.history_entry import Methodology
from tipstaff.eval.observation import Observed, UnitKind
from tipstaff.eval.review_file import ReviewFile, ReviewSubject
from tipstaff.eval.reviewing import all_units, edge_cases, review

SUBJECT = ReviewSubject(tez_id="t", tez_digest="d", model="extractive", query_set="s")
OBSERVED = [
    answered("one", expected=[("x", "y")]),
    answered("two", claims=[False, True], citations=()),
]


@dataclass
class ScriptedDesk:
    """Types one key after the other, then goes away."""

    keys: list[str]
    shown: list[str] = field(default_factory=list)

    def show(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str | None:
        assert prompt
        return self.keys.pop(0) if self.keys else None


def at_desk(path: Path, *keys: str, observed: Sequence[Observed] = OBSERVED) -> ReviewFile:
    kept = (
        ReviewFile.resumed(path, SUBJECT)
        if path.exists()
        else ReviewFile.started(path, SUBJECT, observed)
    )
    desk = ScriptedDesk(list(keys))
    review(all_units(kept.observed), kept, desk, by="ann", clock=lambda: "2026-02-05T10:00:00Z")
    return kept


def marks(kept: ReviewFile) -> dict[str, bool]:
    return {name: one.holds for name, one in kept.judged.items()}


def test_responses_and_judgements_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    at_desk(path, "y", "n")
    again = ReviewFile.resumed(path, SUBJECT)
    assert again.observed == OBSERVED
    assert marks(again) == {"one/chunk/1": True, "one/claim/1": False}


def test_who_goes_on_is_asked_only_for_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    at_desk(path, "y", "y", "q")
    kept = at_desk(path, "n", "y", "y", "n")
    assert marks(kept) == {
        "one/chunk/1": True,
        "one/claim/1": True,
        "one/citation/1": False,
        "two/chunk/1": True,
        "two/claim/1": True,
        "two/claim/2": False,
    }


def test_the_last_judgement_is_undone_also_on_another_day(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    at_desk(path, "y", "y")
    assert marks(at_desk(path, "u", "u", "n")) == {"one/chunk/1": False}
    assert marks(ReviewFile.resumed(path, SUBJECT)) == {"one/chunk/1": False}


def test_undo_with_nothing_judged_says_so(tmp_path: Path) -> None:
    kept = ReviewFile.started(tmp_path / "r", SUBJECT, OBSERVED)
    desk = ScriptedDesk(["u"])
    review(all_units(OBSERVED), kept, desk, by="", clock=lambda: "now")
    assert "Nothing to undo." in desk.shown


def test_skipped_units_are_asked_for_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    kept = at_desk(path, "s", "y", "y", "y", "y", "y")
    assert "one/chunk/1" not in kept.judged
    assert "one/chunk/1" in at_desk(path, "y").judged


def test_a_key_that_means_nothing_judges_nothing(tmp_path: Path) -> None:
    assert marks(at_desk(tmp_path / "r", "x", "", "7", "y")) == {"one/chunk/1": True}


def test_half_a_line_of_a_crash_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    at_desk(path, "y")
    with path.open("ab") as stream:
        stream.write(b'{"judged": "one/claim/1", "ho')
    assert marks(at_desk(path, "n")) == {"one/chunk/1": True, "one/claim/1": False}
    assert marks(ReviewFile.resumed(path, SUBJECT)) == {"one/chunk/1": True, "one/claim/1": False}


@pytest.mark.parametrize("name", ["tez_id", "tez_digest", "model", "query_set"])
def test_judgements_of_something_else_do_not_count(tmp_path: Path, name: str) -> None:
    path = tmp_path / "review.jsonl"
    at_desk(path, "y")
    with pytest.raises(UsageError, match=f"a review of another {name.replace('_', ' ')}"):
        ReviewFile.resumed(path, replace(SUBJECT, **{name: "another"}))


def test_a_file_that_is_no_review_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann,\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is no review"):
        ReviewFile.resumed(path, SUBJECT)
    assert path.read_text(encoding="utf-8") == "Dear Ann,\n"


def test_every_judgement_says_who_and_when(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    at_desk(path, "y")
    last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
    assert (last["by"], last["at"]) == ("ann", "2026-02-05T10:00:00Z")


def test_what_the_automatic_judge_thinks_is_not_shown(tmp_path: Path) -> None:
    kept = ReviewFile.started(tmp_path / "r", SUBJECT, OBSERVED)
    desk = ScriptedDesk(["y"] * 6)
    assert review(all_units(OBSERVED), kept, desk, by="", clock=lambda: "now")
    words = "\n".join(desk.shown).lower()
    assert "what of one?" in words
    assert "what is cited" in words
    assert not {"true", "false", "holds", "rules"} & set(words.split())


def test_only_edge_cases_go_before_a_person_and_the_rest_stands() -> None:
    sure = unit(UnitKind.CLAIM, 1)
    unsure = unit(UnitKind.CLAIM, 2, is_edge=True)
    observed = [replace(OBSERVED[0], units=(sure, unsure))]
    automatic = {observed[0].unit_id(one): one.by_rules for one in observed[0].units}
    assert [one.unit for one in edge_cases(observed, automatic)] == [unsure]


def test_what_is_settled_is_nobodys_to_judge() -> None:
    settled = replace(unit(UnitKind.CITATION, 1, holds=False), settled=True)
    observed = [replace(OBSERVED[0], units=(settled,))]
    assert all_units(observed) == []
    done = evaluation_of(
        observed,
        {},
        methodology=Methodology.HUMAN,
        model="extractive",
        evaluated_at="2026-02-05T10:00:00Z",
        query_set="s",
    )
    assert done.measured.values["citation_accuracy"] == 0.0
    assert done.measured.unjudged == 0
