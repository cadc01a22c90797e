"""`tip ask` and `tip chat` as a person or a program meets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
FILES = {
    "lease.md": b"# Lease\n\nThe rent is $12,400 a month, due on the first day.\n",
    "survey.md": b"# Survey\n\nThe repair of the roof is estimated at $38,000.\n",
}
ENVELOPE = {
    "response_id", "query_id", "created_at", "session", "response", "context_scope",
    "retrieval_summary", "notices", "model", "usage",
}  # fmt: skip
RESPONSE = {
    "text", "classification", "confidence", "claims", "citations", "gaps", "inferences",
    "contradictions", "removed",
}  # fmt: skip
CITATION = {
    "item_id", "location", "text_excerpt", "claim", "verified", "exists_verified",
    "integrity_verified", "quote_verified",
}  # fmt: skip


@pytest.fixture
def mill(make_bundle: BundleMaker) -> Path:
    manifest = manifest_of(FILES)
    manifest["context"]["items"][1]["access"] = {"type": "creator_only"}
    return make_bundle(FILES, manifest=manifest, synthesis=b"# Mill\n\nRent is due [[lease:L3]].\n")


def shown(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def test_an_answer_leaves_0_and_an_abstention_3(tip: Tip, mill: Path) -> None:
    answered = tip("ask", mill, "How much is the rent a month?")
    assert answered.returncode == 0
    assert "According to [[lease:L3]]: “The rent is $12,400 a month" in answered.stdout
    assert "1 citation checked" in answered.stdout
    abstained = tip("ask", mill, "What is the share price of the mill?")
    assert abstained.returncode == 3
    assert "does not contain information about the share price of the mill." in abstained.stdout
    for done in (answered, abstained):
        assert "\x1b" not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_the_envelope_has_every_field_of_the_interfaces(tip: Tip, mill: Path) -> None:
    done = tip("ask", mill, "How much is the rent a month?", "--json", "--explain")
    envelope = shown(done)
    assert set(envelope) >= ENVELOPE | {"retrieval_transparency", "retrieved"}
    response = envelope["response"]
    assert set(response) >= RESPONSE
    (citation,) = response["citations"]
    assert set(citation) >= CITATION
    assert citation["verified"] is True
    assert citation["text_excerpt"] == "The rent is $12,400 a month, due on the first day."
    (claim,) = response["claims"]
    assert {"text", "confidence", "citations", "support"} <= set(claim)
    assert claim["support"] == "quoted"
    assert {"query_count", "input_tokens", "output_tokens", "total_tokens_used"} <= set(
        envelope["session"]
    )
    assert {"input_tokens", "output_tokens", "estimated_cost_usd"} <= set(envelope["usage"])
    assert envelope["model"] == "extractive"


def test_a_gap_has_a_topic_and_a_description(tip: Tip, mill: Path) -> None:
    done = tip("ask", mill, "What is the share price of the mill?", "--json")
    assert done.returncode == 3
    response = shown(done)["response"]
    assert response["classification"] == "abstention"
    (gap,) = response["gaps"]
    assert gap["topic"] == "the share price of the mill"
    assert gap["description"].startswith("The bundled context does not contain information about")


def test_how_passages_were_found_is_told_on_stderr(tip: Tip, mill: Path) -> None:
    done = tip("ask", mill, "How much is the rent a month?", "--explain")
    assert "Retrieval: " in done.stderr
    assert "lease:L" in done.stderr
    assert "Retrieval: " not in done.stdout


def test_a_recipient_is_told_that_there_is_more_but_not_what(tip: Tip, mill: Path) -> None:
    question = "What is the repair of the roof estimated at?"
    assert "$38,000" in tip("ask", mill, question).stdout
    done = tip("ask", mill, question, "--as", "user:jane@example.com")
    assert done.returncode == 3
    assert "based on 1 of 2 context items" in done.stderr
    assert "38,000" not in done.stdout + done.stderr
    assert "urvey" not in done.stdout + done.stderr


def test_what_is_not_as_it_was_sent_is_told_before_the_answer(tip: Tip, mill: Path) -> None:
    """TIP §12.2.4; but nothing of what does not exist for a recipient (Enterprise §10.1)."""
    (mill / "context" / "survey.md").write_bytes(b"# Survey\n\nThe roof is fine.\n")
    question = "How much is the rent a month?"
    owner = tip("ask", mill, question)
    assert owner.returncode == 0
    assert "Not as it was sent: survey: The bytes do not match" in owner.stderr
    assert "survey" not in tip("ask", mill, question, "--as", "user:jane@example.com").stderr


def test_a_wrong_model_or_mode_is_a_usage_error(tip: Tip, mill: Path) -> None:
    assert tip("ask", mill, "Rent?", "--model", "oracle").returncode == 2
    assert tip("ask", mill, "Rent?", "--grounding", "loose").returncode == 2
    assert tip("ask", mill, "How much is the rent?", "--grounding", "strict").returncode in (0, 3)
    empty = tip("ask", mill, " ", "--json")
    assert empty.returncode == 2
    assert "error" in shown(empty)


def test_a_streamed_answer_that_breaks_off_says_so_where_its_words_stand(
    tip: Tip, mill: Path, tmp_path: Path
) -> None:
    """TIP §14.5: whoever keeps stdout alone must see it, too."""
    script = tmp_path / "script.json"
    said = "The rent is $12,400 a month [[lease:L3]]. It is "
    script.write_text(json.dumps([said, {"error": "generation_failed"}]), encoding="utf-8")
    done = tip("ask", mill, "How much is the rent?", "--stream", "--model", f"scripted:{script}")
    assert done.returncode == 7
    assert "$12,400" in done.stdout
    assert done.stdout.endswith("\n\n(This answer is incomplete.)\n")
    assert "broke off" in done.stderr
    script.write_text(json.dumps([{"error": "generation_failed"}]), encoding="utf-8")
    done = tip("ask", mill, "How much is the rent?", "--stream", "--model", f"scripted:{script}")
    assert (done.returncode, done.stdout) == (7, "")


def chat(folder: Path, *lines: str, options: tuple[str, ...] = ()) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "tipstaff", "chat", str(folder), *options],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ,
    )


def test_a_chat_answers_shows_sources_scope_and_why_and_closes(mill: Path) -> None:
    done = chat(
        mill, "/sources", "How much is the rent a month?", "/sources", "/scope", "/why",
        "/nonsense", "", "/close", "What comes after the end?",
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith("Nothing has been cited yet.")
    assert "[[lease:L3]]  The rent is $12,400 a month, due on the first day." in done.stdout
    assert "2 of 2 items: lease, survey" in done.stdout
    assert "Retrieval: " in done.stderr
    assert "There is no command '/nonsense'" in done.stderr
    assert "Closed after 1 question." in done.stderr
    assert "after the end" not in done.stdout
    assert "\x1b" not in done.stdout


def test_a_follow_up_leans_on_the_question_before(mill: Path) -> None:
    asked = ("What is the repair of the roof estimated at?", "When is it due?")
    done = chat(mill, *asked, options=("--json",))
    first, second = [json.loads(one) for one in _objects(done.stdout)]
    assert "$38,000" in first["response"]["text"]
    assert second["session"]["query_count"] == 2
    assert second["session"]["session_id"] == first["session"]["session_id"]
    (notice,) = second["notices"]
    assert notice["kind"] == "follow_up"
    assert "repair of the roof" in notice["message"]


def _objects(text: str) -> list[str]:
    """JSON objects that follow each other."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(text.rstrip()):
        _, end = decoder.raw_decode(text, at)
        found.append(text[at:end])
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found
