"""`tip eval` as a person or a program meets it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.test_search_write import files_of
from tests.conftest import BundleMaker, manifest_of
from tipstaff.cli.main import main
from tipstaff.eval.report import schema


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


Tip = Callable[..., Done]
ITEMS = {
    "deed.md": b"The yearly rent of Unit 4 is \xc2\xa391,200.\n",
    "plan.md": b"The floor area of Unit 4 is 412 square metres.\n",
}
QUERIES: list[dict[str, Any]] = [
    {
        "id": "rent",
        "query": "What is the yearly rent of Unit 4?",
        "answerable": True,
        "relevant_items": ["deed"],
        "expected": ["91,200"],
    },
    {
        "id": "area",
        "query": "What is the floor area of Unit 4?",
        "answerable": True,
        "relevant_items": ["plan"],
        "expected": ["412"],
    },
    {"id": "broker", "query": "What is the credit rating of the landlord?", "answerable": False},
]


@pytest.fixture
def bundle(make_bundle: BundleMaker) -> Path:
    return make_bundle(ITEMS, manifest=manifest_of(ITEMS), synthesis=b"# Unit 4\n")


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    return written(tmp_path / "queries.jsonl", QUERIES)


@pytest.fixture
def tip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tip:
    """In this process, with a data directory of its own; `keys` are typed."""
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path / "data"))

    def run(*words: str | Path, keys: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(keys))
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def script(path: Path, answers: object) -> str:
    path.write_text(json.dumps(answers), encoding="utf-8")
    return f"scripted:{path}"


def test_json_has_the_report_of_the_specification_and_its_details(
    tip: Tip, bundle: Path, queries: Path
) -> None:
    done = tip("eval", bundle, "--queries", queries, "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    report = shown["extensions"]["tezit-eval"]
    jsonschema.validate(report, schema())
    assert report["metrics"] == {
        "relevance": 1.0,
        "faithfulness": 1.0,
        "citation_accuracy": 1.0,
        "completeness": 1.0,
        "abstention_rate": 1.0,
    }
    assert report["methodology"] == "automated_heuristic"
    assert (report["query_count"], report["model_evaluated"]) == (3, "extractive")
    assert shown["passed"]
    assert shown["details"]["abstention"]["false_answers"]["of"] == 1
    assert [one["id"] for one in shown["queries"]] == ["rent", "area", "broker"]


def test_below_a_threshold_the_exit_code_is_9_and_the_misses_are_listed(
    tip: Tip, bundle: Path, tmp_path: Path
) -> None:
    wrong = [{**QUERIES[0], "relevant_items": ["deed", "plan"]}]
    file = written(tmp_path / "wrong.jsonl", wrong)
    done = tip("eval", bundle, "--queries", file, "--misses")
    assert done.returncode == 9, done.stderr
    assert "completeness" in done.stdout
    assert "below" in done.stdout
    assert "not used: plan" in done.stdout
    assert "note: completeness is 0.50, below its threshold 0.70." in done.stderr
    lower = ("--threshold", "completeness=0.5")
    assert tip("eval", bundle, "--queries", file, *lower).returncode == 0


@pytest.mark.parametrize("packed", [False, True])
def test_write_changes_nothing_but_the_extension(
    tip: Tip, bundle: Path, queries: Path, tmp_path: Path, packed: bool
) -> None:
    before = files_of(bundle)
    target = bundle
    if packed:
        target = tmp_path / "packed.tez"
        assert tip("pack", bundle, "-o", target).returncode == 0
        with zipfile.ZipFile(target) as archive:
            before = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(2):
        done = tip("eval", target, "--queries", queries, "--write")
        assert done.returncode == 0, done.stderr
    after = files_of(bundle)
    if packed:
        with zipfile.ZipFile(target) as archive:
            after = {name: archive.read(name) for name in archive.namelist()}
    assert before.items() <= after.items()
    folder = "extensions/tezit-eval"
    assert set(after) - set(before) == {f"{folder}/manifest.json", f"{folder}/tezit-eval.json"}
    report = json.loads(after[f"{folder}/tezit-eval.json"])["extensions"]["tezit-eval"]
    jsonschema.validate(report, schema())
    assert 1 <= len(report["history"]) <= 2
    assert json.loads(after[f"{folder}/manifest.json"])["extension_id"] == "tezit-eval"
    assert tip("validate", target).returncode == 0
    assert "tezit-eval" not in tip("inspect", target).stdout


def test_a_manifest_that_lists_the_extension_stays_as_it_is(
    tip: Tip, make_bundle: BundleMaker, queries: Path
) -> None:
    old = {"version": "1.0", "evaluated_at": "2026-01-15T10:00:00Z", "metrics": {"relevance": 0.9}}
    manifest = manifest_of(ITEMS, extensions={"tezit-eval": old})
    folder = make_bundle(ITEMS, manifest=manifest, synthesis=b"# Unit 4\n")
    bytes_before = (folder / "manifest.json").read_bytes()
    done = tip("eval", folder, "--queries", queries, "--write")
    assert done.returncode == 0, done.stderr
    assert (folder / "manifest.json").read_bytes() == bytes_before
    kept = json.loads((folder / "extensions/tezit-eval/tezit-eval.json").read_text("utf-8"))
    history = kept["extensions"]["tezit-eval"]["history"]
    assert history[0]["evaluated_at"] == "2026-01-15T10:00:00Z"
    assert len(history) == 2
    assert tip("validate", folder).returncode == 0


def test_a_decline_since_the_last_evaluation_is_told(
    tip: Tip, bundle: Path, queries: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "tenants" / "local" / "quality" / "small-tez.jsonl"
    assert tip("eval", bundle, "--queries", queries).returncode == 0
    (line,) = kept.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["metrics"]["relevance"] == 1.0
    # The same questions, and a document that no longer answers one of them.
    (bundle / "context" / "plan.md").write_bytes(b"The floor of Unit 4 is oak.\n")
    done = tip("eval", bundle, "--queries", queries, "--json")
    shown = json.loads(done.stdout)
    assert done.returncode == 9
    assert any(one.startswith("completeness declined by 50%") for one in shown["alerts"])
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2


def test_models_are_compared_on_the_same_queries(
    tip: Tip, bundle: Path, queries: Path, tmp_path: Path
) -> None:
    silent = script(tmp_path / "silent.json", {"": "The context does not say."})
    words = ("eval", bundle, "--queries", queries, "--compare", "extractive", silent)
    done = tip(*words, "--json")
    shown = json.loads(done.stdout)
    first, second = shown["extensions"]["tezit-eval"]["model_comparison"]
    assert (first["model"], second["model"]) == ("extractive", silent)
    jsonschema.validate(shown["extensions"]["tezit-eval"], schema())
    table = tip(*words).stdout
    assert "false_abstentions" in table
    assert table.count(silent) == 2


def test_a_model_judges_and_is_named(tip: Tip, bundle: Path, queries: Path, tmp_path: Path) -> None:
    judge = script(tmp_path / "judge.json", {"0, 1, 2 or 3?": "3", "YES, PARTLY or NO?": "NO"})
    done = tip("eval", bundle, "--queries", queries, "--judge", judge, "--json")
    shown = json.loads(done.stdout)
    report = shown["extensions"]["tezit-eval"]
    assert report["methodology"] == "automated_llm_judge"
    assert report["metrics"]["relevance"] == 1.0
    assert report["metrics"]["faithfulness"] == 0.0
    assert shown["details"]["judge"] == judge
    assert done.returncode == 9


def test_a_person_stops_and_goes_on_and_then_it_is_measured(
    tip: Tip, bundle: Path, queries: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "review.jsonl"
    words = ("eval", bundle, "--queries", queries, "--review", kept, "--json")
    stopped = tip(*words, keys="y\nn\nu\nq\n")
    assert stopped.returncode == 0, stopped.stderr
    told = json.loads(stopped.stdout)["review"]
    assert told["judged"] == 1
    assert "Is this passage relevant to the query?" in stopped.stderr
    done = tip(*words, keys="y\n" * (told["of"] - 1))
    report = json.loads(done.stdout)["extensions"]["tezit-eval"]
    assert report["methodology"] == "human_evaluation"
    assert report["metrics"]["faithfulness"] == 1.0
    assert done.returncode == 0


def test_people_see_edge_cases_only_where_they_are_asked_to(
    tip: Tip, bundle: Path, queries: Path, tmp_path: Path
) -> None:
    words = ("eval", bundle, "--queries", queries, "--review", tmp_path / "r", "--edge-cases")
    done = tip(*words, "--json")
    report = json.loads(done.stdout)["extensions"]["tezit-eval"]
    assert report["methodology"] == "human_in_the_loop"
    assert report["metrics"]["faithfulness"] == 1.0


def test_drafts_are_written_and_are_not_asked_before_somebody_has_read_them(
    tip: Tip, bundle: Path, tmp_path: Path
) -> None:
    drafts = tmp_path / "drafts.jsonl"
    made = tip("eval", bundle, "--generate", drafts, "--json")
    assert made.returncode == 0, made.stderr
    rows = [json.loads(line) for line in drafts.read_text(encoding="utf-8").splitlines()]
    assert all(row["draft"] is True for row in rows)
    assert {row["answerable"] for row in rows} == {True, False}
    rent = next(row for row in rows if "rent" in row["query"])
    assert rent["query"] == "What is the yearly rent of Unit 4?"
    assert rent["expected"] == [["£91,200"]]
    assert rent["relevant_passages"][0]["item"] == "deed"
    refused = tip("eval", bundle, "--queries", drafts)
    assert refused.returncode == 2
    assert "nobody has reviewed" in refused.stderr
    assert tip("eval", bundle, "--queries", drafts, "--drafts").returncode in (0, 9)
    again = tip("eval", bundle, "--generate", drafts)
    assert again.returncode == 2
    assert "exists already" in again.stderr


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--queries", "q", "--generate", "g"),
        ("--queries", "q", "--edge-cases"),
        ("--queries", "q", "--review", "r", "--compare", "extractive"),
        ("--queries", "nowhere.jsonl"),
    ],
)
def test_words_that_contradict_each_other_are_refused(
    tip: Tip, bundle: Path, words: tuple[str, ...]
) -> None:
    assert tip("eval", bundle, *words).returncode == 2
