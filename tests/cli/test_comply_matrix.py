"""`tip comply --matrix`, and what `--suite enterprise` says when it cannot be run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

from tipstaff.compliance.requirement import requirements

Tip = Callable[..., subprocess.CompletedProcess[str]]


def test_the_matrix_is_printed_without_a_server(tip: Tip) -> None:
    done = tip("comply", "--matrix")
    assert done.returncode == 0, done.stderr
    last = next(line for line in done.stdout.splitlines() if line.startswith("all "))
    assert last.split()[1] == str(len(list(requirements())))
    assert "TIP-10.2.4-1 differs:" in done.stdout


def test_the_matrix_as_json_has_every_requirement(tip: Tip) -> None:
    told = json.loads(tip("comply", "--matrix", "--json").stdout)
    assert [one["id"] for one in told["requirements"]] == [one.id for one in requirements()]
    assert all(
        one["wire"] or one["unit"] or one["inspection"] or one["deferred"]
        for one in told["requirements"]
    )


def test_a_server_that_is_not_there_is_unavailable_and_a_fact_that_is_none_a_mistake(
    tip: Tip,
) -> None:
    gone = tip("comply", "--suite", "enterprise", "--url", "http://127.0.0.1:9")
    assert gone.returncode == 7
    assert "cannot be reached" in gone.stderr
    odd = tip("comply", "--suite", "enterprise", "--fact", "access")
    assert odd.returncode == 2
    assert "--fact takes NAME=VALUE" in odd.stderr
