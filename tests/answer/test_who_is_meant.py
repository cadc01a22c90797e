"""Whom the words of an item mean by initials and by "I"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tipstaff.engine import index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.registry import model_named
from tipstaff.settings import load_settings

MINUTES = """# Minutes of 19 September

Present: Nerys Blane (chair), Kasper Thornlow (line producer), Wanda Estlin (minutes).

**1. Plates.** KT: the drives left the store on 2 May. WE asked for one more week.
"""
REPORT = """# Report on the bank

Dr Helmi Aspland, Quillon Surveys

I inspected the bank on 29 April 2025. The crest is even. I have not seen a signed plan of the
works. My fee is capped at £2,800. Whatever else was asked of the owners lies outside this report,
and nothing in it is to be read as advice on the purchase of the land or of the buildings on it.
The ground water was not measured, since the pipes at the foot of the bank had been closed.
"""


def answered(folder: Path, draft: str) -> str:
    tez = folder / "tez"
    tez.mkdir()
    (tez / "tez.md").write_text("# Plates and bank\n", encoding="utf-8")
    (tez / "minutes.md").write_text(MINUTES, encoding="utf-8")
    (tez / "report.md").write_text(REPORT, encoding="utf-8")
    script = folder / "script.json"
    script.write_text(json.dumps({"": [draft]}), encoding="utf-8")
    settings = load_settings(
        {"reader": "none", "embedder": "static", "support_checker": "none", "repair_rounds": "0"}
    )
    with open_bundle(tez, settings=settings) as opened:
        interrogation = ModelInterrogation(
            indexed=index_bundle(opened, settings=settings),
            model=model_named(f"scripted:{script}"),
        )
        response = interrogation.ask("Who said what about the drives and the bank?").response
    for citation in response.citations:
        # What stands there is shown as it stands there.
        assert "Thornlow:" not in citation.text_excerpt
    return "\n".join(claim.text for claim in response.claims if claim.text.rstrip(".") in draft)


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("Kasper Thornlow said that the drives left the store on 2 May", True),
        ('The minutes have "KT: the drives left the store on 2 May."', True),
        ("Wanda Estlin said that the drives left the store on 2 May", False),
        ("Nerys Blane asked for one more week", False),
        ("Wanda Estlin asked for one more week", True),
    ],
)
def test_initials_are_whoever_the_minutes_name(tmp_path: Path, said: str, stands: bool) -> None:
    assert bool(answered(tmp_path, f"{said} [[minutes:L5]].")) is stands


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("Dr Aspland inspected the bank on 29 April 2025", True),
        ("Helmi Aspland has not seen a signed plan of the works", True),
        ("Wanda Estlin inspected the bank on 29 April 2025", False),
    ],
)
def test_i_am_the_one_whose_name_stands_alone_at_the_head(
    tmp_path: Path, said: str, stands: bool
) -> None:
    assert bool(answered(tmp_path, f"{said} [[report:L5]].")) is stands
