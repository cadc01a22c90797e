"""What a killed process left goes; what another machine may still write stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tipstaff.sweeping import own_mark, sweep


def of_a_dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_only_what_a_dead_process_of_this_machine_left_is_removed(tmp_path: Path) -> None:
    dead, here = of_a_dead_process(), own_mark().partition("-")[2]
    left = [f".new-{dead}-{here}abc", f".new-{dead}-abc"]
    kept = [
        f".new-{own_mark()}abc",
        f".new-{os.getpid()}-abc",
        # Of another machine, where a process of this number may well live.
        f".new-{dead}-at00000000-abc",
        "other",
    ]
    for name in (*left, *kept):
        (tmp_path / name).touch()
    sweep(tmp_path, ".new-")
    assert {path.name for path in tmp_path.iterdir()} == set(kept)


def test_what_another_machine_has_not_touched_for_long_is_removed(tmp_path: Path) -> None:
    old = tmp_path / f".new-{os.getpid()}-at00000000-abc"
    old.touch()
    os.utime(old, (0, 0))
    sweep(tmp_path, ".new-")
    assert not old.exists()
