"""What goes before a model, and that it fits (TIP §14.3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.test_generating import QUESTION, TRUE, scripted
from tipstaff.domain.response import NoticeKind
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.registry import model_named
from tipstaff.settings import load_settings
from tipstaff.tokens import count_tokens


@pytest.mark.parametrize("window", [3_600, 4_800, 5_000, 6_000, 8_192, 10_000])
def test_a_prompt_fits_whatever_the_window_is(tmp_path: Path, window: int) -> None:
    """TIP §14.3: fewer passages, not an error, while the rules and the synthesis fit."""
    rows = "\n".join(f"{number},{number % 7}" for number in range(1, 900))
    with of_files(tmp_path, {"log.csv": f"id,value\n{rows}\n"}, window, top_k="40") as one:
        assert one.ask("Which value has the id 5?").response.text


@pytest.mark.parametrize(("window", "expected"), [(8_192, 10), (200_000, 150)])
def test_many_small_items_leave_room_for_one_another(
    tmp_path: Path, window: int, expected: int
) -> None:
    """What an item's heading takes is counted where the item is loaded, not for all that are."""
    files = {f"team-{k}.md": f"# Team {k}\n\nTeam {k} spends ${1_000 + k}.\n" for k in range(150)}
    with of_files(tmp_path, files, window, top_k="10") as one:
        asked = one.prompting(one.model).asked("What does Team 30 spend?", ())
    assert asked.built.system.count("--- Context Item:") == expected
    assert "Team 30 spends $1030." in asked.built.system
    assert asked.notices == ()


def test_headings_are_fitted_with_what_they_stand_above(tmp_path: Path) -> None:
    """Where not all of the passages that were found fit, those that do are there, and it is said
    how many are not."""
    files = {f"team-{k}.md": f"# Team {k}\n\nTeam {k} spends ${1_000 + k}.\n" for k in range(90)}
    with of_files(tmp_path, files, 3_600, top_k="40") as one:
        asked = one.prompting(one.model).asked("What does Team 30 spend?", ())
    shown = asked.built.system.count("--- Context Item:")
    assert 10 < shown < 40
    assert [one.message for one in asked.notices] == [
        f"{40 - shown} of the passages that were found did not fit the model's window."
    ]


EXCHANGES = [(f"And of Team {k}?", f"Team {k} spends ${1_000 + k}. " * 20) for k in range(40)]


def test_history_is_kept_where_there_is_room(tmp_path: Path) -> None:
    """TIP §8.1.4: it is cut when the window is nearly full, not at a share of it."""
    files = {"team.md": "# Team 7\n\nTeam 7 spends $1007.\n"}
    with of_files(tmp_path, files, 16_000) as one:
        asked = one.prompting(one.model).asked("What does Team 7 spend?", EXCHANGES)
    history = sum(count_tokens(answer) for _, answer in EXCHANGES)
    assert history > 16_000 * 0.3
    assert asked.built.question.count("\nQuestion: ") == len(EXCHANGES)
    assert asked.notices == ()


def test_a_long_history_leaves_a_small_context_whole(tmp_path: Path) -> None:
    """TIP §10.2.1 has it whole; §8.1.4 lets the oldest exchanges go."""
    files = {f"team-{k}.md": f"# Team {k}\n\nTeam {k} spends ${1_000 + k}.\n" for k in range(90)}
    with of_files(tmp_path, files, 12_288, top_k="5") as one:
        asked = one.prompting(one.model).asked("What does Team 7 spend?", EXCHANGES)
    assert asked.built.system.count("--- Context Item:") == 90
    assert 0 < asked.built.question.count("\nQuestion: ") < len(EXCHANGES)
    assert [one.kind for one in asked.notices] == [NoticeKind.HISTORY_TRUNCATED]


@contextmanager
def of_files(
    folder: Path, files: Mapping[str, str], window: int, **also: str
) -> Iterator[ModelInterrogation]:
    """A bundle of these items before a model with that window."""
    script = folder / "script.json"
    script.write_text(json.dumps({"answers": [TRUE], "window_tokens": window}), encoding="utf-8")
    settings = load_settings(
        {"reader": "none", "embedder": "static", "max_response_tokens": "64", **also}
    )
    bundle = folder / "tez"
    bundle.mkdir()
    for name, text in {"tez.md": "# Revenue\n", **files}.items():
        (bundle / name).write_text(text, encoding="utf-8")
    with open_bundle(bundle, settings=settings) as opened:
        yield ModelInterrogation(
            indexed=index_bundle(opened, settings=settings),
            model=model_named(f"scripted:{script}"),
        )


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
