"""One question to a small bundle, without the neural reader, so that rules alone are tested."""

from __future__ import annotations

from pathlib import Path

from tipstaff.asking import Interrogation
from tipstaff.domain.response import Response
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.settings import load_settings


def asked(folder: Path, *questions: str) -> Response:
    """The response to the last of several questions of one session."""
    with open_bundle(folder) as opened:
        indexed = index_bundle(opened, settings=load_settings({"reader": "none"}))
        interrogation = Interrogation(indexed=indexed)
        return [interrogation.ask(question) for question in questions][-1].response


def cited_items(response: Response) -> set[str]:
    return {citation.item_id for citation in response.citations}
