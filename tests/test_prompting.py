"""What goes before a model, and that it fits (TIP §14.3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_generating import QUESTION, TRUE, scripted
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.registry import model_named
from tipstaff.settings import load_settings


@pytest.mark.parametrize("window", [3_600, 4_800, 5_000, 6_000, 8_192, 10_000])
def test_a_prompt_fits_whatever_the_window_is(tmp_path: Path, window: int) -> None:
    """TIP §14.3: fewer passages, not an error, while the rules and the synthesis fit."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"answers": [TRUE], "window_tokens": window}), encoding="utf-8")
    settings = load_settings(
        {"reader": "none", "embedder": "static", "max_response_tokens": "64", "top_k": "40"}
    )
    rows = "\n".join(f"{number},{number % 7}" for number in range(1, 900))
    folder = tmp_path / "tez"
    folder.mkdir()
    (folder / "tez.md").write_text("# Revenue\n", encoding="utf-8")
    (folder / "log.csv").write_text(f"id,value\n{rows}\n", encoding="utf-8")
    with open_bundle(folder, settings=settings) as opened:
        interrogation = ModelInterrogation(
            indexed=index_bundle(opened, settings=settings),
            model=model_named(f"scripted:{script}"),
        )
        envelope = interrogation.ask("Which value has the id 5?")
    assert envelope.response.text


def test_a_conversation_makes_room_for_the_context(tmp_path: Path) -> None:
    """TIP §4.5: it may stand there. In a window that it would just fill, it does not."""
    with scripted(tmp_path, {"answers": [TRUE]}) as interrogation:
        prompting = interrogation.prompting(interrogation.model)
        conversation = interrogation.context().bundle.conversation
        assert conversation is not None
        needed = prompting._fixed_tokens(QUESTION, conversation)
    window = needed + prompting.answer_tokens + 100
    with scripted(tmp_path, {"answers": [TRUE], "window_tokens": window}) as interrogation:
        asked = interrogation.prompting(interrogation.model).asked(QUESTION, ())
    assert "[[financial-report:" in asked.built.system
    assert any("conversation record" in notice.message for notice in asked.notices)
