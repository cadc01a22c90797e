"""What a language model is given for each of some questions: `python -m benchmarks.prompts BUNDLE
QUESTIONS FOLDER`.

`QUESTIONS` has one a line. For each that a model would be asked, FOLDER gets `NN.txt` with the
prompt; of those that never reach one it is printed why. Drafts to measure the verifier by
(`benchmarks.drafts`) are answers to these: a draft that no prompt of ours led to says little about
those that will come.
"""

from __future__ import annotations

import argparse
from collections.abc import AsyncGenerator
from pathlib import Path

from tipstaff.engine import index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.model import Delta, Piece, Prompt
from tipstaff.llm.script_file import Script
from tipstaff.llm.scripted import Scripted
from tipstaff.settings import load_settings


class _Listening(Scripted):
    """Says next to nothing, and keeps the first prompt that it is given."""

    heard: Prompt | None = None

    def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        self.heard = self.heard or prompt
        return super().stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s)


def write_prompts(bundle: Path, queries: list[str], folder: Path) -> None:
    settings = load_settings({"reader": "none", "embedder": "static"})
    folder.mkdir(parents=True, exist_ok=True)
    with open_bundle(bundle, settings=settings) as opened:
        indexed = index_bundle(opened, settings=settings)
        for number, query in enumerate(queries, 1):
            model = _Listening("scripted:prompts", Script({"": ((Delta("Well."),),)}))
            envelope = ModelInterrogation(indexed=indexed, model=model).ask(query)
            if model.heard is None:
                told = "; ".join(notice.message for notice in envelope.notices)
                print(f"{number:02} {query} ({told})")
                continue
            text = "\n\n".join((model.heard.system, *(m.content for m in model.heard.messages)))
            (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.prompts")
    for name in ("bundle", "questions", "folder"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    write_prompts(options.bundle, [line for line in lines if line.strip()], options.folder)


if __name__ == "__main__":
    main()
