"""Forms of verbs and nouns that no stemmer brings together: rang is ring, and feet are a foot."""

from __future__ import annotations

from functools import cache

from tipstaff.lexical.analysis import terms

_VERBS = """
arise arose arisen|awake awoke|bear bore borne|beat beaten|become became|begin began begun
bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen choice|cling clung
come came|creep crept|deal dealt|dig dug|do did done|draw drew drawn|drink drank drunk
drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fly flew flown flight|forbid forbade forbidden
foresee foresaw foreseen|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone
grind ground|grow grew grown growth|hang hung|have had|hear heard|hide hid hidden|hold held
keep kept
kneel knelt|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lie lain|light lit
lose lost loss|make made|mean meant|meet met|overcome overcame|pay paid|ride rode ridden
ring rang rung
rise rose risen|run ran|say said|see saw seen|seek sought|sell sold sale|send sent
shake shook shaken
shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
sleep slept|slide slid|speak spoke spoken speech|spend spent|spin spun|spring sprang sprung
stand stood
steal stole stolen|stick stuck|strike struck stricken|swear swore sworn|sweep swept|swim swam swum
swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
undertake undertook undertaken|understand understood|wake woke woken|wear wore worn|weave wove woven
win won|wind wound|withdraw withdrew withdrawn|withhold withheld|write wrote written
"""
_OTHERS = """
man men|woman women|child children|foot feet|tooth teeth|mouse mice|goose geese|person people
half halves|leaf leaves|shelf shelves|knife knives|datum data|criterion criteria|analysis analyses
weigh weight|prove proof|believe belief|advise advice|die death|live life|high height|wide width
long length|deep depth|strong strength|warm warmth|true truth|young youth
index indices|appendix appendices
"""


def _lines(forms: str) -> list[str]:
    return forms.replace("\n", "|").strip("|").split("|")


# Of those that are written like another word, only what is no noun or adjective as well.
_ALSO_OTHERS = frozenset((
    "beaten", "bent", "bit", "bound", "broken", "choice", "drunk", "flight", "frozen", "ground",
    "growth", "left", "loss", "lit", "sale", "saw", "shot", "sought", "speech", "spoke", "thought",
    "wound",
))  # fmt: skip
# What somebody did, as it stands behind its subject: rang, went, took.
PAST = frozenset(word for line in _lines(_VERBS) for word in line.split()[1:]) - _ALSO_OTHERS


@cache
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in (*_lines(_VERBS), *_lines(_OTHERS)):
        group = frozenset(terms(line))
        for term in group:
            found[term] = found.get(term, frozenset()) | group
    return found


def forms_of(term: str) -> frozenset[str]:
    """The other forms of an irregular word; of any other word nothing."""
    return _groups().get(term, frozenset())
