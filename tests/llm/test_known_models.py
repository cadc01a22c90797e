"""What is known of models by their names, and what is not made up for the others."""

from __future__ import annotations

import pytest

from tipstaff.errors import UsageError
from tipstaff.llm.known_models import KnownModel, known_model
from tipstaff.llm.model import Model, Price, UsageReport, estimated_cost_usd, too_small
from tipstaff.llm.script_file import Script
from tipstaff.llm.scripted import Scripted


def facts(provider: str, name: str) -> KnownModel:
    return known_model(provider, name)[1]


class Priced(Scripted):
    """A model with nothing but facts."""

    def __init__(self, known: KnownModel) -> None:
        super().__init__("scripted:none", Script({"": ((),)}))
        self.parameters_b = known.parameters_b
        self.price = known.price


def test_an_unknown_model_gets_the_smallest_recommended_window_and_no_price() -> None:
    """TIP §10.3.5."""
    known = facts("openai", "brand-new-model")
    assert known.window_tokens == 32_768
    assert (known.price, known.parameters_b) == (None, None)


@pytest.mark.parametrize(
    ("provider", "name", "window"),
    [
        ("anthropic", "claude-3-5-sonnet-20241022", 200_000),
        ("anthropic", "claude-3-5-haiku-latest", 200_000),
        ("bedrock", "us.anthropic.claude-3-5-sonnet-20241022-v2:0", 200_000),
        ("openai", "gpt-4o-2024-08-06", 128_000),
        ("google", "gemini-2.0-flash-001", 1_048_576),
        ("openai", "smollm2:135m", 8_192),
        ("openai", "HuggingFaceTB/SmolLM2-1.7B-Instruct", 8_192),
        ("openai", "llama3:instruct", 8_192),
        ("openai", "tinyllama:chat", 2_048),
        # A successor is not its predecessor, though the names begin alike.
        ("anthropic", "claude-opus-4-99", 32_768),
        ("openai", "gpt-4o-audio", 32_768),
    ],
)
def test_windows_are_known_by_name(provider: str, name: str, window: int) -> None:
    assert facts(provider, name).window_tokens == window


def test_a_window_can_be_named() -> None:
    name, known = known_model("openai", "llama3.1:70b@16384")
    assert (name, known.window_tokens) == ("llama3.1:70b", 16_384)
    assert known.max_output_tokens <= 16_384 // 2
    # Eight digits are a date.
    assert known_model("anthropic", "claude-3-5-sonnet@20241022")[1].window_tokens == 200_000
    with pytest.raises(UsageError, match="too small"):
        known_model("openai", "llama3.1@512")


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("llama3.1:8b", 8.0),
        ("meta-llama/Llama-3.1-70B-Instruct", 70.0),
        ("Qwen3-30B-A3B", 30.0),
        ("smollm2-135m-instruct", 0.135),
        ("mixtral:8x7b", 46.7),
        ("mixtral-8x22b-instruct", 141.0),
        ("mistral-large-latest", 123.0),
        ("phi4", 14.7),
        ("gpt-4o-mini", None),
        ("claude-3-haiku", None),
    ],
)
def test_sizes_are_known_by_name(name: str, size: float | None) -> None:
    assert facts("openai", name).parameters_b == size


@pytest.mark.parametrize(
    ("name", "small"),
    [("llama3.1:8b", True), ("qwen2.5:72b", False), ("Qwen3-30B-A3B", False), ("gpt-4o", False)],
)
def test_models_below_thirty_billion_parameters_are_too_small(name: str, small: bool) -> None:
    """TIP §10.3.4; a size that is not known is no reason to warn."""
    model: Model = Priced(facts("openai", name))
    assert too_small(model) == small


def test_the_cost_is_by_list_price() -> None:
    model = Priced(facts("openai", "gpt-4o"))
    assert estimated_cost_usd(model, UsageReport(1_000_000, 100_000)) == pytest.approx(3.5)
    dated = Priced(facts("openai", "gpt-4o-2024-05-13"))
    assert estimated_cost_usd(dated, UsageReport(1_000_000, 0)) == pytest.approx(5.0)
    assert estimated_cost_usd(Priced(facts("openai", "unknown")), UsageReport(9, 9)) is None


def test_long_prompts_cost_more_where_they_do() -> None:
    model = Priced(facts("google", "gemini-2.5-pro"))
    assert model.price == Price(1.25, 10.0, 200_000, 2.50, 15.0)
    assert estimated_cost_usd(model, UsageReport(200_000, 0)) == pytest.approx(0.25)
    assert estimated_cost_usd(model, UsageReport(400_000, 1_000)) == pytest.approx(1.015)


def test_bedrock_has_prices_of_its_own() -> None:
    known = known_model("bedrock", "anthropic.claude-3-haiku-20240307-v1:0", own_service=False)[1]
    assert (known.window_tokens, known.price) == (200_000, None)
