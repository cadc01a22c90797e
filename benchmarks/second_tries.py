"""What a language model is asked again of each draft: `python -m benchmarks.second_tries FOLDER`.

FOLDER is a set of drafts (`benchmarks.drafts`). For each draft of which something could not be
verified a JSON line is printed: its file and number there, the question, and the request with what
had been said by then. An answer to it is written into the draft as `second`, and is then played as
the second try: who answers sees what a model would see and no more.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.drafts import (
    AdversarialDraft,
    Drafting,
    indexed_for,
    interrogation_of,
    read_drafts,
)
from tipstaff.indexing import IndexedBundle
from tipstaff.llm.model import Delta


def requests(folder: Path) -> Iterator[dict[str, object]]:
    for path in sorted(folder.glob("*.toml")):
        drafts = list(enumerate(read_drafts(folder, path.name), 1))
        for hidden in dict.fromkeys(draft.hidden for _, draft in drafts):
            some = [(number, draft) for number, draft in drafts if draft.hidden == hidden]
            with indexed_for(some[0][1].bundle, hidden) as indexed:
                for number, draft in some:
                    if asked := request_for(draft, indexed):
                        yield {"file": path.name, "draft": number, "query": draft.query, **asked}


def request_for(draft: AdversarialDraft, indexed: IndexedBundle) -> dict[str, str] | None:
    """What the model was asked again, with what had been said by then."""
    model = Drafting(draft, [Delta(draft.text)])
    interrogation_of(draft, indexed, model).ask(draft.query)
    if model.returned is None:
        return None
    return {"request": model.returned.messages[-1].content}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.second_tries")
    parser.add_argument("folder", type=Path)
    for request in requests(parser.parse_args().folder):
        print(json.dumps(request, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
