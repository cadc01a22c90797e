"""A question to a small bundle, as a test asks it."""

from __future__ import annotations

from pathlib import Path

from tipstaff.asking import Interrogation
from tipstaff.domain.response import Response
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.settings import load_settings


def ask(
    folder: Path, query: str, *, reader: str = "minilm", grounding: str = "standard"
) -> Response:
    with open_bundle(folder) as opened:
        indexed = index_bundle(opened, settings=load_settings({"reader": reader}))
        return Interrogation(indexed=indexed, grounding=grounding).ask(query).response
