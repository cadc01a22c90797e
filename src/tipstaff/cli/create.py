"""`tip create FOLDER -o OUT`: a bundle from a folder of files, by flags or by questions."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tipstaff.authoring.drafting import BundleDraft, drafted
from tipstaff.authoring.terms import (
    HOSTING,
    LIMITS,
    SHARING,
    SenderTerms,
    bundle_files,
    manifest_for,
)
from tipstaff.bundle.file_names import derive_bundle_id
from tipstaff.bundle.level_three import Reader
from tipstaff.bundle.writing import new_file, new_folder, write_archive, write_files
from tipstaff.cli.create_wizard import Wizard
from tipstaff.cli.kept_before import keep_before, put_back
from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.terminal import Terminal, plain, size
from tipstaff.domain.timestamp import timestamp
from tipstaff.domain.wire import to_wire
from tipstaff.errors import EXIT_CHECKS_FAILED, UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="the folder of files")
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="a new folder, or a file X.tez"
    )
    parser.add_argument("--title", help="what the bundle is called")
    parser.add_argument("--id", help="its id; derived from the title if not given")
    parser.add_argument("--creator", help="who sends it")
    parser.add_argument("--org", help="for whom")
    parser.add_argument("--synthesis", metavar="FILE", help="the synthesis, where it is written")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="files that are no items"
    )
    parser.add_argument(
        "--access",
        action="append",
        default=[],
        metavar="ITEM=LEVEL",
        help="full, interrogation_only, summary_only or creator_only; * is every item",
    )
    parser.add_argument("--hosting", choices=HOSTING, help="where it may be asked (TIP §12)")
    parser.add_argument("--hosting-url", metavar="URL", help="the sender's server")
    parser.add_argument(
        "--limit", action="append", default=[], metavar="NAME=N", help=", ".join(LIMITS)
    )
    parser.add_argument("--expires", metavar="DATE", help="the last day on which it may be asked")
    parser.add_argument(
        "--conversation", choices=SHARING, help="how conversation.json of the folder is shared"
    )
    parser.add_argument("--wizard", action="store_true", help="ask, even without a terminal")
    parser.add_argument("-y", "--yes", action="store_true", help="ask nothing")
    parser.add_argument(
        "--strict", action="store_true", help="write nothing and exit 9 if a secret is recognised"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace what is there; it is kept for --undo"
    )
    parser.add_argument("--undo", action="store_true", help="put back what --force replaced")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    target = Path(arguments.output)
    if arguments.undo:
        put_back(target)
        terminal.say(f"{target} is as it was before.")
        return 0
    folder = _folder(arguments, target)
    settings = settings_from(arguments)
    with tempfile.TemporaryDirectory(prefix="tip-create-") as place:
        staging = Path(place)
        draft = drafted(
            folder,
            staging,
            settings=settings,
            title=arguments.title,
            exclude=arguments.exclude,
            synthesis=Path(arguments.synthesis) if arguments.synthesis else None,
            progress=terminal.progress("Reading"),
        )
        draft, terms = _from_flags(arguments, draft), _terms(arguments)
        if arguments.wizard or (_is_person() and not (arguments.yes or arguments.json)):
            wizard = Wizard(terminal)
            draft, terms = wizard.settle(draft, terms)
            if not wizard.confirm(draft):
                terminal.say("Nothing was written.")
                return 0
        _warn(draft, terminal)
        if arguments.strict and any(one.is_secret for one in draft.warnings):
            terminal.fail("A secret was recognised; nothing was written.", "Take it out first.")
            return EXIT_CHECKS_FAILED
        manifest = manifest_for(draft, terms, created_at=_now())
        _write(bundle_files(draft, manifest, staging, terms), target, force=arguments.force)
    _told(arguments, draft, target, manifest, terminal)
    return 0


def _folder(arguments: argparse.Namespace, target: Path) -> Path:
    if arguments.folder is None:
        raise UsageError("Name the folder of files.", suggestion="tip create FOLDER -o OUT")
    folder = Path(arguments.folder)
    if not folder.is_dir():
        raise UsageError(f"'{folder}' is not a folder.")
    if target.resolve().is_relative_to(folder.resolve()):
        raise UsageError(
            f"'{target}' lies inside the folder that the items come from.",
            suggestion="Name a place outside it.",
        )
    return folder


def _from_flags(arguments: argparse.Namespace, draft: BundleDraft) -> BundleDraft:
    if arguments.id:
        draft = replace(draft, id=arguments.id)
    elif arguments.title:
        draft = replace(draft, id=derive_bundle_id(arguments.title))
    for item_id, level in _pairs(arguments.access, "--access"):
        for one in [item.id for item in draft.items] if item_id == "*" else [item_id]:
            draft = draft.with_access(one, level)
    return draft


def _terms(arguments: argparse.Namespace) -> SenderTerms:
    limits = {}
    for name, value in _pairs(arguments.limit, "--limit"):
        if not value.isdigit():
            raise UsageError(f"--limit takes NAME=N with a whole number, not '{value}'.")
        limits[name] = int(value)
    return SenderTerms(
        creator=arguments.creator or os.environ.get("USER") or "unknown",
        organisation=arguments.org,
        hosting=arguments.hosting,
        hosting_url=arguments.hosting_url,
        limits=limits,
        expires_at=arguments.expires,
        conversation=arguments.conversation or "excluded",
    )


def _pairs(words: list[str], option: str) -> list[tuple[str, str]]:
    found = []
    for word in words:
        name, equals, value = word.rpartition("=")
        if not equals or not name:
            raise UsageError(f"{option} takes NAME=VALUE, not '{word}'.")
        found.append((name.strip(), value.strip()))
    return found


def _is_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _now() -> str:
    """The present, or the moment that a reproducible build is of."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return timestamp(int(epoch) if epoch.isdigit() else time.time())


def _warn(draft: BundleDraft, terminal: Terminal) -> None:
    for one in draft.warnings:
        terminal.note(str(one))
    for words in draft.left_out:
        terminal.say(f"left out: {words}")


def _write(contents: dict[str, Reader], target: Path, *, force: bool) -> None:
    if force:
        keep_before(target)
    if target.suffix.lower() in (".tez", ".zip"):
        with new_file(target, replace=False) as temporary:
            write_archive(temporary, contents, compress=True)
    else:
        with new_folder(target, replace=False) as temporary:
            write_files(temporary, contents)


def _told(
    arguments: argparse.Namespace,
    draft: BundleDraft,
    target: Path,
    manifest: dict[str, Any],
    terminal: Terminal,
) -> None:
    if arguments.json:
        terminal.json(
            {
                "written": str(target),
                "id": draft.id,
                "items": manifest["context"]["items"],
                "warnings": to_wire(draft.warnings),
                "left_out": draft.left_out,
                "synthesis": "given" if draft.own_synthesis is not None else "drafted",
            }
        )
        return
    rows = [(i.id, i.type, i.title, size(i.size_bytes), i.access) for i in draft.items]
    terminal.answer(terminal.table(("item", "type", "title", "size", "access"), rows, right="size"))
    terminal.answer(f"{plain(str(target))}: {draft.id}, {len(draft.items)} items.")
    if draft.own_synthesis is None:
        terminal.say("Its synthesis is a draft of quotations: write yours, then run tip audit.")
