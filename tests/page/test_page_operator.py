"""For senders and operators: a tez dropped onto the page, tokens, use, audit."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import MERIDIAN, manifest_of
from tests.page.conftest import Checked, ask, signed_in
from tests.page.looking import Looking
from tests.serve.processes import Server, served, without_limits

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
METRICS = {"relevance": 0.95, "faithfulness": 1.0, "citation_accuracy": 1.0, "completeness": 0.6}
WORSE = {**METRICS, "relevance": 0.82}
EVALUATED = {
    "version": "1.0",
    "metrics": WORSE,
    "evaluated_at": "2026-02-05T10:00:00Z",
    "model_evaluated": "<b>bold</b>",
    "query_count": 30,
    "history": [
        {
            "evaluated_at": "2026-01-05T10:00:00Z",
            "model": "m",
            "metrics": METRICS,
            "query_count": 30,
        }
    ],
}
DROP = """((bytes) => {
    const file = new File([bytes], 'dropped.tez'), data = new DataTransfer();
    data.items.add(file);
    const drop = new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true});
    document.querySelector('#drop').dispatchEvent(drop);
    return true;
})(Uint8Array.from(atob(given.content), one => one.charCodeAt(0)))"""

# What a browser says of a folder that is dropped.
FOLDER = """(() => {
    const file = ([name, text]) =>
        ({isFile: true, name, file: (done) => done(new File([text], name))});
    const folder = (name, inside) => ({isDirectory: true, name, createReader: () => {
        let left = [inside, []];
        return {readEntries: (done) => done(left.shift())};
    }});
    const context = folder('context', Object.entries(given.context).map(file));
    const whole = folder('papers', [...Object.entries(given.files).map(file), context]);
    const drop = new DragEvent('drop', {bubbles: true, cancelable: true});
    Object.defineProperty(drop, 'dataTransfer',
        {value: {items: [{webkitGetAsEntry: () => whole}], files: []}});
    document.querySelector('#drop').dispatchEvent(drop);
    return true;
})()"""
PRESS = """[...document.querySelectorAll('button')]
    .find(one => one.innerText.startsWith(given.it)).click()"""


@pytest.fixture(scope="module")
def server(folder: Path, bundle_maker: Callable[..., Path]) -> Iterator[Server]:
    items = {"notes.md": b"The budget for the roof is $4,200.\n"}
    bundle = bundle_maker(items, manifest=manifest_of(items))
    extension = bundle / "extensions" / "tezit-eval"
    extension.mkdir(parents=True)
    (extension / "tezit-eval.json").write_text(json.dumps(EVALUATED), encoding="utf-8")
    scopes = ("--scope", "admin", "--scope", "publish", "--scope", "interrogate")
    words = ("token", "issue", "ann@example.com", *scopes, "--every-tez")
    made = subprocess.run(
        [sys.executable, "-m", "tipstaff", *words],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TIPSTAFF_DATA_DIR": str(folder / "data")},
    )
    found = re.search(r"tts_[\w-]+", made.stdout + made.stderr)
    assert found, made.stderr
    with served(folder, bundle, *without_limits(), makes_token=False) as running:
        running.token = found[0]
        yield running


def test_a_tez_is_dropped_and_asked(look: Looking, server: Server, checked: Checked) -> None:
    look.visit(signed_in(server))
    look.sees("#drop")
    checked()
    content = base64.b64encode(MERIDIAN.with_suffix(".tez").read_bytes()).decode()
    assert look.value(DROP, content=content)
    look.says("10 items", ".contents")


def test_the_operator_sees_how_quality_went(
    look: Looking, server: Server, checked: Checked
) -> None:
    look.visit(signed_in(server, view="operator"))
    look.says("2 evaluations", ".quality")
    # What a bundle says of its model is text, never markup.
    look.says("<b>bold</b>", ".quality")
    look.says("relevance declined by 14%, from 0.95 to 0.82", ".quality")
    look.says("completeness is 0.60, below its threshold 0.70", ".quality")
    assert look.value("document.querySelectorAll('.gauge').length") == 5
    heights = """[...document.querySelectorAll('.gauge')].map(chart =>
        [...chart.querySelectorAll('.rod')].map(one =>
            Math.round(100 * one.offsetHeight / chart.clientHeight)))"""
    drawn = look.value(heights)
    for found, wanted in zip(
        drawn, ([95, 82], [100, 100], [100, 100], [60, 60], [0, 0]), strict=True
    ):
        assert found == pytest.approx(wanted, abs=2)
    assert "not measured" in look.text(".gauges figure:last-child")
    for shade in ("light", "dark"):
        look.prefers(prefers_color_scheme=shade)
        checked()


def papers(sum_of_money: str) -> tuple[dict[str, str], dict[str, str]]:
    """The files of a bundle and those of its context."""
    text = f"The budget for the cellar is {sum_of_money}.\n"
    manifest = manifest_of({"papers.md": text.encode()}, id="papers-tez")
    files = {"manifest.json": json.dumps(manifest), "tez.md": "# Findings\n\nNothing.\n"}
    return files, {"papers.md": text}


def test_a_folder_is_dropped_and_asked_and_a_newer_one_is_told_of(
    look: Looking, server: Server
) -> None:
    look.visit(signed_in(server))
    look.sees("#drop")
    files, context = papers("$7,700")
    assert look.value(FOLDER, files=files, context=context)
    look.says("1 item", ".contents")
    ask(look, "What is the budget for the cellar?")
    look.says("7,700", ".exchange .words")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        files, context = papers("$8,800")
        for name, text in (files | {f"context/{name}": context[name] for name in context}).items():
            packed.writestr(name, text)
    headers = {"Authorization": f"Bearer {server.token}"}
    put = httpx.put(
        f"{server.url}/tez/papers-tez", content=archive.getvalue(), headers=headers, timeout=60
    )
    assert put.status_code < 300, put.text
    ask(look, "What is the budget for the cellar works?")
    look.says("The tez has a newer version (2)", ".exchange:last-of-type")
    assert "8,800" not in look.text(".exchange:last-of-type .words")


def test_the_operator_sees_use_and_hands_out_a_token(
    look: Looking, server: Server, checked: Checked
) -> None:
    look.visit(signed_in(server, view="operator"))
    look.says("Tezits, last 30 days", ".operator")
    look.says("user:ann@example.com", ".operator")
    look.says("Limits", ".operator")
    for shade in ("light", "dark"):
        look.prefers(prefers_color_scheme=shade)
        checked()
    look.value(PRESS, it="Issue")
    look.sees("#token-user")
    look.value("document.querySelector('#token-user').value = 'bob@example.com'")
    look.click("dialog button.main")
    look.says("tts_", ".secret")
    look.click("dialog button.main")
    look.says("user:bob@example.com", ".operator")
    look.says("Questions a day, at most", ".operator")
    # A day on which nothing was asked has a bar of no height.
    assert look.value("document.querySelector('.day').getBoundingClientRect().height") == 0
    assert look.value("document.querySelectorAll('.charts .days:first-child .day').length") == 31
    look.value(PRESS, it="Search")
    # What was just done here is in it.
    look.says("token_issued", ".audit")
    look.value("document.querySelector('#audit-words').focus()")
    look.write("nothing like this")
    look.value(PRESS, it="Search")
    look.says("0 records", ".operator")
    look.value("document.querySelector('#audit-words').value = 'bob@EXAMPLE.com'")
    look.value("document.querySelector('#audit-kind').value = 'token_issued'")
    look.value(PRESS, it="Search")
    look.says("1 record", ".operator")
