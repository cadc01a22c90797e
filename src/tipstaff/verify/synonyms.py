"""Words of everyday English that say the same: irregular forms, and verbs of reports and minutes.

Only what holds in every field; no pair here can turn a statement round.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise

from tipstaff.lexical.analysis import STOP_WORDS as _SMALL
from tipstaff.lexical.analysis import terms
from tipstaff.verify.irregular_forms import forms_of
from tipstaff.verify.thesaurus import other_words

_DOERS = ("er", "or")
_GROUPS = (
    "must shall", "minimum min", "maximum max capacity room",
    "pay paid payment payable", "send sent", "hold held", "keep kept keeps retain",
    "begin began begun start started commence commenced", "leave left leaving departed depart",
    "lose lost loss threw-away", "find found finding identify identified discovered",
    "give gave given grant granted", "say said tell told state claim wrote write written remark",
    "meet met meeting", "buy bought purchase", "sell sold", "build built",
    "spend spent expenditure", "grow grew grown growth", "know knew known",
    "think thought believe considers view opinion", "show shown shows demonstrate",
    "choose chose chosen", "break broke broken", "speak spoke spoken", "rise rose risen",
    "fall fell fallen", "go went gone going", "take took taken", "draw drew drawn",
    "claim demand require ask request want sum", "cost price amount charge estimate fee",
    "need require must has-to", "allow permit may can possible",
    "responsible own owner owned by", "plan planned intend expect expected schedule",
    "move moved transfer", "help assist", "change alter amend vary modified",
    "replace substitute place-of", "join combine together", "share split divide",
    "fix repair mend renew", "author write wrote prepare prepared written", "lead chair head",
    "receive received get got reached arrive arrived", "finish complete completed done end",
    "report tell record note log", "use used using run ran", "size area", "yearly annual year",
    "company firm business", "staff people team employee", "whole entire all total altogether",
    "side party", "sum amount figure", "single one only sole", "origin original initially",
    "worry worries worried concern", "name named call called", "gain gained pick picked won",
    "cut shorten shortened reduce halved lowered", "supply supplied provide provided deliver",
    "agree agreed accept accepted consent", "check checked verify verified test",
    "aged age old", "maintain maintained keep", "issue issued publish published release released",
    "stay stayed remain remained continue continued", "big large", "small little", "fast quick",
    "about approximately roughly around some nearly almost", "every each all any",
    "evening night", "happen happened occur occurred", "fault defect error bug problem",
    "mean means meant", "person people participant user",
    "look looked examine examined review study studied",
    "last lasted take took duration length", "open unresolved outstanding", "buyer purchaser",
    "customer client account", "worth value", "despite although", "count counted",
    "end terminate cancel finish conclude stop cease halt discontinue quit",
    "expire expires expired lapse end ends ended run-out", "sign indication trace hint evidence",
    "wholly full fully entire entirely", "partly partially part", "price priced cost",
    "hear heard told learn", "dearer costlier expensive up",
    "tell inform notify advise alert report", "remove drop delete erase discard eliminate strip",
    "clear flush empty wipe purge", "manual hand", "consecutive running row successive",
    "cap limit ceiling maximum threshold", "pass carry carried adopt adopted approve approved",
    "check ask query test verify examine inspect", "hit fall affect hurt burden",
    "night overnight", "team we our us staff crew group",
    "fire fired trigger triggered sound sounded went-off raise raised",
    "greater exceed above more over higher", "less below under lower fewer",
    "soon immediate straight once promptly instantly", "exhaust exhausted full used-up depleted",
    "likely probable expected", "confirm confirmed", "cover include contain comprise",
    "entry record row line", "mistake error fault slip wrong",
    "delay delayed late postpone postponed behind held-up", "delayed wait waiting waited",
    "damage harm loss", "live living reside", "replace exchange swap substitute renew change",
    "produce production output made make", "laid lay install installed put",
    "household home family", "yearly annual per-year a-year", "monthly month", "weekly week",
    "daily day", "quarterly quarter", "price cost charge rate tariff fee",
    "money cash fund funds sum", "income revenue takings earnings", "buy purchase acquire procure",
    "employ employee hire hired staff worker", "doctor physician clinician",
    "patient participant subject", "drug medicine medication tablet", "meeting session call",
    "letter mail email message", "answer reply respond response",
    "ask request seek sought call-for", "refuse decline reject turned-down",
    "choose select pick opt", "decide decision resolve resolution determine",
    "suggest propose recommend advise", "aim goal target objective purpose",
    "begin start commence launch open", "quit leave depart resign", "build construct erect",
    "break burst fail rupture", "leak leakage escape seep ingress", "repair mend fix restore",
    "collect gather receive", "deliver delivered arrive arrived", "pay settle reimburse",
    "owe due outstanding owing arrears unpaid",
    "rent rental lease tenancy", "agreement contract deed", "document paper file",
    "sign signed", "forbid prohibit ban bar",
    "allow permit let authorise may can", "oblige bound bind must compel require obligation duty",
    "prevail override precede", "remain stay keep continue stand",
    "store keep hold kept save stored", "plain clear unencrypted", "duplicate copy repeated",
    "large big major substantial considerable", "small minor slight little",
    "fast quick rapid swift", "slow sluggish", "cheap inexpensive", "expensive costly dear",
    "difficult hard tough", "easy simple", "quiet silent", "correct right accurate",
    "wrong incorrect false mistaken", "needed necessary required essential",
    "enough sufficient adequate", "whole entire complete full total",
    "main chief principal primary", "yearly year", "several some multiple various few", "both two",
    "fifth 20", "half 50", "quarter 25", "usual normal typical ordinary", "rare seldom",
    "often frequent common", "near close beside next", "far distant",
    "before prior previous earlier", "after following later subsequently since",
    "during while throughout", "about concern regard relate subject",
    "show indicate reveal demonstrate display", "see notice observe spot noticed saw seen",
    "find discover detect identify locate found", "know aware learn learned",
    "think believe consider reckon opinion view", "worry concern fear anxious",
    "hope wish want desire like", "need require call want", "try attempt tried",
    "work function operate", "run operate manage", "lead head direct chair",
    "own possess hold belong", "share portion part fraction proportion", "count number tally",
    "measure gauge", "measurement reading measured", "increase rise grow raise climb up",
    "decrease fall decline reduce drop lower cut shrink", "double twice", "split divide",
    "join merge combine", "add extra further additional more", "attach append enclose enclosed",
    "send dispatch post forward ship sent",
    "receive get obtain got reach reached come came arrive",
    "give grant provide supply hand issue", "bring deliver submit present hand",
    "present show showed presented explain", "explain account describe", "speak talk spoke said",
    "write compose draft wrote", "publish print issue release", "plan schedule intend design",
    "prepare ready", "wait await hold", "hurry rush", "happen occur take-place",
    "cause lead make produce", "prevent avoid stop keep", "protect guard shield safeguard",
    "warn caution alert", "risk danger hazard threat", "safe secure", "attack threat",
    "test trial try", "trial study", "result outcome finding", "reason cause why because",
    "benefit gain advantage", "problem trouble issue difficulty",
    "shortage short lack scarcity scarce", "supplier vendor provider",
    "customer client buyer account", "owner proprietor landlord", "tenant lessee",
    "lessor landlord", "worker staff labour", "boss manager",
    "chair chairman chairwoman chairperson chaired", "lawyer solicitor counsel attorney legal",
    "engineer developer programmer", "expert specialist professional",
    "consultant adviser advisor consulting", "author writer wrote written", "reader reviewer",
    "member participant", "resident household inhabitant", "building premises property",
    "ground basis reason", "roof covering", "wall partition", "car vehicle", "road street",
    "town city municipal", "country nation", "world global", "law legal statute",
    "rule regulation requirement policy", "right entitled entitlement",
    "clause paragraph section provision", "version release edition",
    "setting option parameter configuration value", "server node machine host", "database store",
    "db database", "unless except",
    "latency p99 p95 p50 response-time", "auth authentication", "qty quantity", "avg average",
    "config configuration", "temp temperature", "installment instalment payment",
    "fault bug defect", "outage incident downtime disruption unavailable",
    "restore recover recovery", "rollback roll back revert reverted rolled",
    "deploy ship release rollout", "upgrade update", "automatic automatically automated",
    "allocate assign allot", "assign owner responsible charge", "deadline due by", "date day",
    "promise undertake undertook commit committed guarantee", "guarantee warranty",
    "offer propose", "demand claim insist", "complain object objection protest",
    "oppose against opposed", "support back favour favor favoured", "vote ballot",
    "unanimous everyone all", "attend present there", "absent missing away",
    "apology apologies apologise sorry", "thank thanks grateful", "blame fault",
    "agree accept consent concur", "disagree dispute contest",
    "differ difference different vary discrepancy gap", "same identical equal",
    "match agree correspond", "compare against versus", "exclude exclusion outside except",
    "include inside within part", "begin onset", "last final latest", "first initial earliest",
    "new fresh latest recent", "old former previous earlier", "current present now today",
    "future coming next ahead", "temporary interim provisional", "permanent lasting",
    "weekly week", "hospital admission admitted", "faint fainted fainting syncope",
    "death fatal die died dead", "ill sick", "dose dosing", "itch pruritus",
    "adherence compliance", "withdraw leave drop-out stop withdrawn",
    "enrol enrolment enroll recruit recruitment", "visit appointment", "record log note register",
    "upload submit send", "train training retrain", "lock locked", "wet damp water moisture",
    "underneath beneath under below", "measure measured take taken test", "probable likely",
    "treat count regard consider", "anyone person participant whoever",
    "temperature degree celsius",
    "stay remain keep unchanged", "able can could",
    "step stage phase", "wide width breadth beam broad", "long length", "high height tall",
    "deep depth draught", "heavy weigh weight mass", "fast speed quick", "room space capacity",
    "dry dried", "heat warm", "cold cool chilled refrigerated",
)  # fmt: skip

# From so many letters on, words that begin alike are forms of one another.
_LONG = 6
# Exclude and exclusion, decide and decision: the end of the root shifts.
_SHIFTING = "dst"
_ROOT = 5
_SHORTEST_ROOT = 4
_SHORTEST_PART = 4


@cache
def _sets() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS:
        group = frozenset(term for word in line.split() for term in _told(word))
        for term in group:
            found[term] = found.get(term, frozenset()) | group
    return found


def _told(word: str) -> list[str]:
    """The terms of a word; of several, those that tell something ("went-off" is "went")."""
    found = terms(word)
    return [term for term in found if len(found) == 1 or ("-" not in term and term not in _SMALL)]


def is_form(term: str, known: Collection[str]) -> bool:
    """The term itself, or another form of a long one."""
    if term in known or any(other in known for other in forms_of(term)):
        return True
    if len(term) < _ROOT:
        return False
    head, root = term[:_LONG], term.rstrip(_SHIFTING)
    return any(
        other[:_LONG] == head or (len(root) >= _SHORTEST_ROOT and other.rstrip(_SHIFTING) == root)
        for other in known
        if len(other) >= _ROOT
    )


def with_synonyms(words: Collection[str]) -> frozenset[str]:
    """These words and every other word for them."""
    return frozenset(words).union(*(_sets().get(word, ()) for word in words))


def is_known(term: str, known: Collection[str]) -> bool:
    """The term itself, another word for it, or another form of a long one."""
    if term in known or any(other in known for other in _sets().get(term, ())):
        return True
    if f"un{term}" in known or f"in{term}" in known:
        # Which of the two is said is a matter of denial.
        return True
    if not other_words(term).isdisjoint(known):
        return True
    if any(
        f"{base.rstrip('e')}{end}" in known for base in (term, *forms_of(term)) for end in _DOERS
    ):
        # Whoever is the driver drove.
        return True
    return is_form(term, known)


_SHORTEST_UNDONE = 5


def undone(word: str) -> str:
    """What is not so with what is "un" so: of "unopened", "opened"."""
    return word[2:] if word.startswith("un") and len(word) > _SHORTEST_UNDONE else ""


def written_apart(words: Sequence[str], known: frozenset[str]) -> frozenset[str]:
    """Words that the evidence writes as one, and one that it writes apart: a time zone and a
    timezone, waste water and wastewater."""
    found: set[str] = set()
    for one, other in pairwise(words):
        if not known.isdisjoint(terms(f"{one}{other}")):
            found |= {one, other}
    for word in words:
        cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
        if any(word[:at] in known and word[at:] in known for at in cuts):
            found.add(word)
    return frozenset(found)
