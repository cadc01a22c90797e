"""Killing a build does no harm: a later open works or builds anew, and nothing piles up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

# The full count of the promise is 200: TIPSTAFF_KILLS=200.
KILLS = int(os.environ.get("TIPSTAFF_KILLS", "80"))


def test_builds_killed_at_random_moments_leave_a_right_index_or_none(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.store.killed_builds", str(tmp_path), str(KILLS), "7"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    print(report)
    assert report["faults"] == [], done.stderr
    assert report["killed"] >= KILLS
    assert report["with several builders"]
    # Kills that hit nothing would prove nothing.
    assert report["half written files"] > KILLS // 20
