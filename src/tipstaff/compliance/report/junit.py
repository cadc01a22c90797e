"""A judgement as JUnit XML, as continuous integration reads it."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.running import CaseResult
from tipstaff.compliance.verdict import Outcome

# What XML 1.0 has no way to write; a stranger's server may say anything.
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(judgement: Judgement) -> str:
    counts = judgement.counts()
    seconds = sum(result.seconds for result in judgement.results)
    head = (
        f"<testsuite name={_attribute(f'tip-comply {judgement.suite}')} "
        f'tests="{len(judgement.results)}" failures="{counts["failed"]}" errors="0" '
        f'skipped="{counts["inconclusive"]}" time="{seconds:.3f}">'
    )
    cases = "\n".join(map(_case, judgement.results))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites>\n{head}\n{cases}\n</testsuite>\n</testsuites>\n"
    )


def _case(result: CaseResult) -> str:
    name = f"{result.case.id} {result.case.title}"
    head = (
        f"<testcase classname={_attribute(result.case.section)} name={_attribute(name)} "
        f'time="{result.seconds:.3f}"'
    )
    why = result.why()
    if result.outcome() is Outcome.PASSED:
        return f"{head}/>"
    if result.outcome() is Outcome.INCONCLUSIVE:
        return f"{head}><skipped message={_attribute(why)}/></testcase>"
    runs = "\n".join(f"run {at}: {run.verdict.why()}" for at, run in enumerate(result.runs, 1))
    body = escape(_UNWRITABLE.sub("\ufffd", runs))
    return f"{head}><failure message={_attribute(why)}>{body}</failure></testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_UNWRITABLE.sub("\ufffd", text))
