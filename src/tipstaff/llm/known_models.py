"""A model's name → what is known of it: window, output limit, size, price.

Facts only (`known_models.toml`): an unknown model gets TIP §10.3.5's smallest recommended window
and no price. `some-model@8192` names the window of a server that is set up differently.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tipstaff.errors import UsageError
from tipstaff.llm.model import Price

DEFAULT_WINDOW_TOKENS = 32_768
DEFAULT_OUTPUT_TOKENS = 4_096
_LEAST_WINDOW_TOKENS = 1_024

# A date can stand behind @ as well, with eight digits; a window has fewer.
_WINDOW = re.compile(r"(?P<model>.+)@(?P<tokens>\d{1,7})")
# `us.anthropic.`, `meta.`: how Bedrock says where and whose.
_WHOSE = re.compile(r"^(?:(?:us|eu|apac|global|us-gov)\.)?[a-z0-9]+\.(?=[a-z])")
_EDITION = re.compile(
    r"(?:-20\d{6}|-20\d\d-\d\d-\d\d|@20\d{6}|-latest|:latest|-v\d+(?::\d+)?|-00\d)+$"
)
# `8b`, `1.7B`, `135m` as a word of its own: not the `a3b` (active) of `30b-a3b`.
_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])")


@dataclass(frozen=True, slots=True)
class KnownModel:
    window_tokens: int = DEFAULT_WINDOW_TOKENS
    max_output_tokens: int = DEFAULT_OUTPUT_TOKENS
    parameters_b: float | None = None
    price: Price | None = None


def known_model(provider: str, chosen: str, *, own_service: bool = True) -> tuple[str, KnownModel]:
    """The name to send, and what is known. `own_service` is false where somebody else's server
    answers to the same names: its prices are its own."""
    model, window = _name_and_window(chosen)
    names = _spellings(model)
    row = _row(provider, names) or _row("open", names)
    parameters = row.get("parameters_b")
    size = _size_in(model)
    tokens = window or int(row.get("window", DEFAULT_WINDOW_TOKENS))
    return model, KnownModel(
        window_tokens=tokens,
        max_output_tokens=min(int(row.get("output", DEFAULT_OUTPUT_TOKENS)), tokens // 2),
        parameters_b=size if size is not None else parameters,
        price=_price(row) if own_service else None,
    )


def _name_and_window(chosen: str) -> tuple[str, int | None]:
    named = _WINDOW.fullmatch(chosen)
    if named is None:
        return chosen, None
    tokens = int(named["tokens"])
    if tokens < _LEAST_WINDOW_TOKENS:
        raise UsageError(
            f"A window of {tokens} tokens is too small; {_LEAST_WINDOW_TOKENS} are the least.",
            suggestion=f"TIP §10.3.5 recommends at least {DEFAULT_WINDOW_TOKENS}.",
        )
    return named["model"], tokens


def _spellings(model: str) -> list[str]:
    """From the most exact name to the least: with its date, without it, its size, its tag."""
    plain = _WHOSE.sub("", model.lower().rpartition("/")[2])
    undated = _EDITION.sub("", plain)
    unsized = re.split(r"[:-]\d+(?:\.\d+)?[bm](?![a-z0-9])", undated)[0]
    bare = re.sub(r"-(instruct|chat|it)$", "", undated).replace(":", "-")
    # "llama3:instruct" is Llama 3.
    untagged = undated.partition(":")[0]
    return [model, plain, undated, bare, unsized, untagged]


def _row(provider: str, names: list[str]) -> Mapping[str, Any]:
    # Bedrock offers Anthropic's models; at prices of its own.
    table = _facts().get("anthropic" if provider == "bedrock" else provider, {})
    return next((table[name] for name in names if name in table), {})


def _size_in(model: str) -> float | None:
    found = _SIZE.search(model.lower())
    if found is None:
        return None
    return float(found[1]) if found[2] == "b" else float(found[1]) / 1_000


def _price(row: Mapping[str, Any]) -> Price | None:
    fields = Price.__dataclass_fields__
    return (
        Price(**{name: row[name] for name in fields if name in row}) if "input_usd" in row else None
    )


@cache
def _facts() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    text = files("tipstaff.llm").joinpath("known_models.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
