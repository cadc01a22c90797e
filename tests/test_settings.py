from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tipstaff.errors import UsageError
from tipstaff.settings import Settings, load_settings


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "tipstaff.toml"
    file.write_text("max_items = 1\nmax_nesting = 11\nmax_file_bytes = 111\n")
    environment = {"TIPSTAFF_CONFIG": str(file), "TIPSTAFF_MAX_NESTING": "12"}
    loaded = load_settings({"max_file_bytes": "1_000"}, environment=environment)
    assert (loaded.max_items, loaded.max_nesting, loaded.max_file_bytes) == (1, 12, 1000)
    assert loaded.max_archive_entries == Settings().max_archive_entries


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_such_setting", "1"),
        ("max_items", "0"),
        ("max_items", "many"),
        ("chunk_tokens", "127"),
        ("chunk_overlap_percent", "51"),
        ("ocr_languages", " "),
    ],
)
def test_a_wrong_setting_is_a_usage_error_that_names_it(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"--set {name}"):
        load_settings({name: value}, environment={"TIPSTAFF_CONFIG": "/dev/null"})


def test_a_configuration_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no configuration file"):
        load_settings(environment={"TIPSTAFF_CONFIG": str(tmp_path / "none.toml")})


def test_every_setting_is_documented_with_its_default() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for known in fields(Settings):
        default = known.default if isinstance(known.default, str) else f"{known.default:,}"
        row = f"| `{known.name}` | {default} | {known.metadata['help']} |"
        assert row in page
