"""Words of everyday English that say the same, for questions that are worded unlike the text.

Two sorts of lines: the irregular forms of one word, which no stemmer joins, and words that most
writers would exchange for each other. Never a field's own terms, and never opposites: what is
alike here may stand for the other in a question. The verifier of drafts has a list of its own
(`verify/synonyms.py`), wider, because it holds two statements against each other and not a
question against a whole bundle.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from tipstaff.lexical.analysis import STOP_WORDS, terms

_FORMS = """
pay paid payment; lose lost loss; keep kept; rise rose risen; fall fell fallen; begin began begun
beginning; buy bought; sell sold sale; send sent; spend spent; say said; tell told; write wrote
written; give gave given; take took taken; bring brought; think thought; find found; hold held;
leave left; meet met; make made; see saw seen; speak spoke spoken; break broke broken; choose chose
chosen choice; grow grew grown growth; know knew known; show shown; throw threw thrown; drive drove
driven; draw drew drawn; win won; run ran; build built; teach taught; catch caught; seek sought;
fight fought; feel felt; deal dealt; mean meant; hear heard; stand stood; understand understood;
sit sat; lend lent loan; bear bore borne; wear wore worn; tear tore torn; freeze froze frozen; steal
stole stolen; forget forgot forgotten; shrink shrank shrunk; sink sank sunk; swear swore sworn; fly
flew flown; go went gone; come came; become became; get got; strike struck; wind wound; bind bound;
lay laid; lead led; feed fed; shoot shot; withdraw withdrew withdrawn withdrawal; arise arose;
forbid forbade forbidden; foresee foresaw; undertake undertook; overtake overtook; decide decision;
maintain maintenance; receive receipt; admit admission; permit permission; expand expansion;
conclude conclusion; reduce reduction; produce production; choose chose chosen; long length; wide
width; high height; deep depth; strong strength; hot heat; high height; weigh weight; die death
died; deliver delivery; recover recovery; discover discovery; fail failure; expose exposure; close
closure; analyse analysis; appear appearance; pay paid
"""

_ALIKE = """
agreement contract
alarm alert
allow permit
alter change modify amend
annual yearly
answer reply respond response
apartment flat
appointment visit
arrive reach
assess evaluate
assist help
attempt try
automobile car vehicle
bonus premium
breach violation
break burst rupture fracture
build construct
buy purchase acquire
cancel terminate
cap ceiling limit maximum
cash money
cause reason
cease stop halt
check inspect examine test
choose select
client customer
climb rise increase grow
cold chilled refrigerated
colleague coworker
commence begin start
company firm business enterprise
compensation damages
complaint grievance
complete finish
consume use
cost price charge
create make
crew staff personnel
customer client
daily day
danger risk hazard
deadline due
decline refuse reject
defect fault flaw
delay postpone defer
department division
detect notice spot discover
diminish decrease decline drop fall
discard throw dump
dispatch send ship
doctor physician
donate give
download fetch
drug medicine medication
dwelling home house household
earn receive
edit revise
employ hire
employee worker
end finish expire terminate stop
engineer developer
enquiry inquiry
equipment apparatus machine
error mistake fault
estimate forecast projection
examine inspect
expert specialist
expire end lapse
explain clarify
factory plant
failure fault outage breakdown
faint collapse
fee charge
fetch download get
fine penalty
fix repair mend
flaw defect
fresh new
fund money
get obtain receive
give provide supply
guarantee warranty
guard protect
guest visitor
happen occur
hazard risk
hide conceal
illness disease sickness
increase rise raise growth climb
inform notify tell
injury wound
insist maintain
inspector examiner
instalment payment
instance example
instruct order
journey trip travel
keep retain hold
kind type sort
largest biggest
law statute
lawyer solicitor attorney counsel
leak seep
liable responsible
machine device
mail email e-mail
main primary
manager head
medicine drug
meet satisfy fulfil
meeting session
memo memorandum
mend repair
merchandise goods
minimum least lowest
money cash
month monthly
notice notification warning
notice observe
notify inform
number count
objection protest
obligation duty
obtain get receive
occupier tenant occupant
occur happen
offer propose
oldest earliest
operate run
opponent critic
order instruct command
organisation organization body
outage downtime
owner landlord proprietor
package parcel
password passphrase
pause interrupt
pay settle
people persons
percentage share proportion
perform execute
person individual
pick choose
place location site
policy rule
postpone defer delay
previous earlier prior old
price cost
problem issue trouble
profit earnings surplus
project scheme
promise undertake commit
protest objection
prove demonstrate
provider supplier vendor
purchase buy
quarter quarterly
quick fast rapid
quit resign leave
rainfall precipitation
raise increase
rate tariff
reach attain
recall remember
receive get
recommend advise suggest
record log
recruit hire
reduce cut lower
refund reimburse repay
refuse reject
remain stay
remedy fix
remove delete
repair mend fix
replace substitute
reply answer
require need
requirement need
reserve buffer cushion
resign quit
restore recover
result outcome
revenue income turnover
revert return
rule policy
safe secure
salary wage pay
school college
send dispatch
serious severe grave
share proportion percentage part
ship deliver
show demonstrate
shut close
sickness illness
sign signature
simple easy
size extent
staff personnel employees workers
stop cease halt
storm gale
strange odd
subject topic
subsidise subsidy
suffer sustain
sum amount total
supplier vendor provider
survey study
target goal aim
task job
tenant lessee occupier
tool instrument
total sum
town city municipality
train teach
trial study
trust rely
typical ordinary average usual normal
unusable unavailable
urgent pressing
usual ordinary typical
value worth
variability variance variation
vehicle car
vendor supplier
verify check confirm
visit appointment
wage salary
warn caution
warning notice
watch monitor
week weekly
whole entire
withhold retain
worker employee
year yearly annual
yield produce
"""
# What another word for the same is worth beside the word itself.
_OTHER_WORD = 0.6
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def _lines() -> list[str]:
    return [*_FORMS.replace("\n", " ").split(";"), *_ALIKE.splitlines()]


@cache
def _words() -> dict[str, str]:
    """A word for each term."""
    return {terms(word)[0]: word for line in reversed(_lines()) for word in line.split()}


@cache
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _lines():
        group = {terms(word)[0] for word in line.split()}
        for term in group:
            found.setdefault(term, set()).update(group)
    return {term: frozenset(group - {term}) for term, group in found.items()}


def known() -> frozenset[str]:
    """The terms that others may stand for."""
    return frozenset(_groups())


def alike(term: str) -> frozenset[str]:
    """The terms that may stand for a term, itself not among them. Not those that may stand for
    these: meaning drifts with every step."""
    return _groups().get(term, frozenset())


def said_in(term: str, text: frozenset[str]) -> float:
    """1 if a text has a term; less if it has one that says the same, for it may mean another."""
    if term in text:
        return 1.0
    return 0.0 if text.isdisjoint(alike(term)) else _OTHER_WORD


def in_its_place(question: str, occurs: Callable[[str], int]) -> list[str]:
    """Words to search for instead of those of a question that occur nowhere."""
    found: list[str] = []
    for match in _WORD.finditer(question):
        (term, *_) = terms(match.group()) or [""]
        exchanged = match.group().lower() not in STOP_WORDS and not match.group()[0].isupper()
        if exchanged and not occurs(term):
            found += [_words()[other] for other in sorted(alike(term)) if occurs(other)]
    return list(dict.fromkeys(found))


def reworded(question: str, passage: str) -> str:
    """A question in the words of a passage, where it has others for the same: a reader that was
    trained on questions near their text knows few."""
    there = _words_of(passage)

    def word(match: re.Match[str]) -> str:
        asked = match.group()
        (term, *_) = terms(asked) or [""]
        if asked.lower() in STOP_WORDS or asked[0].isupper() or term in there:
            return asked
        return next((there[one].lower() for one in sorted(alike(term)) if one in there), asked)

    return _WORD.sub(word, question)


@lru_cache(maxsize=2048)
def _words_of(passage: str) -> dict[str, str]:
    """The first word of a passage for each of its terms; passages are met again and again."""
    there: dict[str, str] = {}
    for match in _WORD.finditer(passage):
        for term in terms(match.group())[:1]:
            there.setdefault(term, match.group())
    return there
