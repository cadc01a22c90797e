"""What a question names, apart from words that have a capital only because it begins with them:
"Even if …", "Hi, who …"."""

from __future__ import annotations

import re

from tipstaff.facts.names import names

# No name looks like one of these; "Will", "May", "Mark" and "Sue" are for that reason not here.
_OPENER_TEXT = """
above across actually admittedly after afterwards again ahead all almost along already alright
also although always amid among amongst analyse analyze and another any anybody anyhow anyone
anything anyway anywhere around aside assess at away back barely because before beforehand behind
being below beneath beside between beyond both but by categorise categorize clarify classify
collate compile compute contrast corroborate dear deduct despite determine diagnose differentiate
dig discuss distinguish down during each earlier early either elsewhere enough enumerate estimate
evaluate even ever every everybody everyone everything everywhere examine except extract fetch few
finally fine first firstly following for former from further furthermore given go granted great
greetings guess half hardly having hello hence hey hi highlight how however identify if in indeed
initially inside insofar inspect instead interpret into investigate it itemise itemize its judging
justify kindly last lastly late later latter least less like likewise locate looking lots made
many maybe meanwhile more moreover most much multiply near nearly neither never nevertheless next
no nobody none nonetheless nor not nothing notwithstanding now nowhere of off often oh ok okay on
once one only onto open or originally other otherwise our out outline outside over own paraphrase
per perhaps pinpoint plus prepare presumably pretend previously produce provided pull quantify
quick quickly quite rather really rebut recalculate recall recap reckon recompute reconcile
reconstruct recount refute regarding regardless remind rephrase reproduce restate retell rewrite
right same search second secondly see seldom seriously several shall since so somebody somehow
someone something sometime sometimes somewhere soon sorry spell still strictly subtract such sum
sure tabulate tally teach than thank thanks that then there therefore third though through
throughout thus till to today together tomorrow too total touching toward towards trace translate
twice under unless unlike until up upon verify versus very via weigh well were whatever whenever
where whereas wherever whether whichever while whilst whoever whose why with within without yes
yesterday yet
"""
_NAMED_TEXT = (
    "beverly billy carly cicely dolly elly ely emily holly italy kelly kimberly lilly lily milly "
    "molly nelly polly reilly sally shelly sicily thessaly tilly willy"
)
_OPENERS = frozenset(_OPENER_TEXT.split())
_NAMED_SO = frozenset(_NAMED_TEXT.split())
_HEAD = re.compile(r"(?:^|(?<=[.?!:;]\s))(?P<word>[A-Z][a-z]*)(?=[\s,!.]|$)")


def asked_names(question: str) -> list[str]:
    """As `names` has them, in order."""
    return names(_HEAD.sub(lambda head: _in_small_letters(head["word"]), question))


def _in_small_letters(word: str) -> str:
    plain = word.lower()
    is_adverb = plain.endswith("ly") and plain not in _NAMED_SO
    return plain if is_adverb or plain in _OPENERS else word
