"""A question understood: its parts, the types of each (TIP §9), what kind of answer is
expected, and the anchors that an answer must be about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from tipstaff.facts.openers import asked_names
from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import query_terms


class QueryType(StrEnum):
    FACTUAL = "factual"
    VERIFICATION = "verification"
    COMPARISON = "comparison"
    GAP_ANALYSIS = "gap_analysis"
    CITATION_CHECK = "citation_check"
    COUNTER_ARGUMENT = "counter_argument"
    EXPLANATORY = "explanatory"
    AGGREGATION = "aggregation"


class AnswerKind(StrEnum):
    MONEY = "money"
    COUNT = "count"
    PERCENT = "percentage"
    DATE = "date"
    DURATION = "duration"
    PERSON = "person"
    PLACE = "place"
    YES_NO = "yes_no"
    LIST = "list"
    REASON = "reason"
    WORD = "code_word"
    ANY = "any"


# Kinds of which an answer gives one value.
FIGURES = frozenset(
    {AnswerKind.MONEY, AnswerKind.COUNT, AnswerKind.PERCENT, AnswerKind.DURATION, AnswerKind.DATE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One question of a query, complete in itself. `attributed_to` is whose words are asked for;
    `topic` what is left of the question then."""

    text: str
    search_text: str  # with what a pronoun in it stands for
    type: QueryType
    kind: AnswerKind
    names: tuple[str, ...]
    periods: frozenset[str]
    quantities: tuple[Quantity, ...]
    terms: tuple[str, ...]
    attributed_to: str | None = None
    topic: str = ""
    about_synthesis: bool = False
    is_general: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    parts: tuple[Part, ...]
    # Asks about the system itself or instructs it (`hostile.py`): no question to the bundle.
    is_meta: bool = False


_AUXILIARY = (
    r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|isn't|"
    r"doesn't|didn't|aren't|wasn't)"
)
_WH = r"(?:what|who|whom|whose|when|where|why|which|how)"
_GENERAL = re.compile(
    r"\bbest practices?\b|\bgenerally (?:accepted|considered)\b|\bin general\b|\btypically\b|"
    r"\bindustry[- ]standards?\b|\busual(?:ly)?\b|"
    r"\bcommon(?:ly)? (?:approach|practice|cause|reason|way|method|symptom)",
    re.IGNORECASE,
)
_SYNTHESIS = re.compile(
    r"\bsynthesis\b|\btez\.md\b|\bthe (?:executive )?summary (?:say|claim|state|get|mention)|"
    r"\bthe summary's\b|\bthe (?:memo|brief|report)'s claim\b",
    re.IGNORECASE,
)
_CITATION_CHECK = re.compile(
    r"\b(?:source|evidence|basis|support|citation)s? (?:is |are )?(?:there )?(?:for|of|behind|that)"
    r"\b|\bwhich \w+ supports?\b|"
    # Only what is said comes from a source: a coach comes from a town.
    r"\bwhere (?:does|did|do|is|was) .{0,80}\b(?:stated|taken from|sourced)\b|"
    r"\bwhere (?:does|did|do|is|was) (?=.{0,80}(?:\d|\b(?:figure|number|claim|statement|sentence|"
    r"synthesis|summary|estimate|assertion|assumption|percentage|quot\w+|idea|word|total)))"
    r".{0,80}\b(?:come from|get|got|found)\b|"
    r"\bshow me (?:where|the (?:exact )?(?:source|passage|evidence))\b|"
    r"\bcite the\b|\bwhat (?:evidence |data )?supports?\b|\bsupporting evidence\b|"
    r"\b(?:back(?:s|ed)? up|substantiat)",
    re.IGNORECASE,
)
_COUNTER = re.compile(
    r"\bcontradict|\bargu(?:e|es|ing) against\b|\bcounter[- ]?(?:argument|evidence)|\bdownplay|"
    r"\bweaken|\bundermin|\bunrealistic\b|\bagainst (?:going|the|this|changing|proceeding|it)\b|"
    r"\bwho wants to stop\b|\bchallenge the\b|\bcase against\b|\bspeaks? against\b|\bcast doubt\b|"
    r"\b(?:argument|reason|objection|evidence|case|point)s?\b.{0,20}\bagainst\b|\bopposed?\b.{0,20}\brecommend",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"\bnot (?:been )?(?:covered|addressed|assessed|included|answered|looked at|discussed)\b|"
    r"\bmissing\b|\bunanswered\b|\bleave(?:s)? (?:open|unanswered|unresolved)\b|\bgaps?\b|"
    r"\bopen questions?\b|\bunresolved\b|\bwhat (?:else )?(?:data|information) (?:would|do) "
    r"(?:I|we)"
    r" need\b|\bnot looked at\b|\bleft out\b|\bomits?\b|\bstill (?:unknown|open|outstanding)\b|"
    r"\bnot yet (?:known|decided|settled)\b|"
    r"\bun(?:examined|checked|tested|assessed|verified|explored|addressed|settled|explained|"
    r"reviewed|inspected|decided|known)\b|"
    # Somebody's not having looked, or not knowing, is what is asked for.
    r"^(?:what|which)\b.{0,80}\b(?:not|never|n't)\b(?: \w+){0,4}? (?:know|look|check|examin|assess|"
    r"test|verif|investigat|inspect|consider|review|find out)\w*\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"\bcompar(?:e|ed|es|ing|ison)\b|\bversus\b|\bvs\.?\s|\bdifferences? between\b|\bdiffers?\b|"
    r"\bhigher than\b|\blower than\b|\blarger than\b|\bsmaller than\b|\bconsistent\b|"
    r"\b(?:more|less|fewer|greater) than\b.{0,30}\?|\bexceeds?\b|\bagree on\b|"
    r"\bhow (?:much|far|many \w+) (?:earlier|later|apart|longer|shorter|higher|lower)\b|"
    r"\bwhich (?:is|was|are|were) (?:the )?\w+er[,:]? .+ or\b",
    re.IGNORECASE,
)
_AGGREGATION = re.compile(
    r"^(?:please )?(?:list|compile|collect|enumerate|summari[sz]e)\b|\b(?:all|every|each) (?:of )?"
    r"(?:the )?(?!(?:year|quarter|month|week|day|hour|time)\b)\w+|"
    r"\beverything\b|\bbreak(?:s)? ?down\b|\bwith their\b|\bwhat are (?:all )?the\b|"
    r"^which (?:\w+ )?\w{3,}[^s\W]s\b(?! (?:is|was|has)\b)|\bacross (?:all|the)\b|\bin total\b|"
    r"\bhow many\b.{0,60}\b(?:mention|list)",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(
    r"^(?:please )?(?:explain|describe|walk me through)\b|\bwhy\b|\bhow come\b|\bwhat (?:was|"
    r"is|were|"
    r"are) the (?:reason|cause|rationale|motivation)s?\b|\bwhat (?:caused|led to|drove|drives)\b|"
    r"\bwhat does .{1,60} mean\b|\bhow (?:does|do|did|is|was) .{1,60}(?:work|calculated|computed|"
    r"determined|happen)\b",
    re.IGNORECASE,
)
_VERIFICATION = re.compile(
    rf"^(?:and |but |so )?{_AUXILIARY}\b|\bis it (?:true|correct|right|the case)\b|"
    r"^(?:confirm|verify|check)\b|\bsupported by\b|, (?:right|correct)\?$",
    re.IGNORECASE,
)
_DOES_IT_AGREE = re.compile(
    r"\b(?:does|do|did|is|are) (?:that|this|it|they|these)\b.{0,40}\b(?:contradict|conflict|"
    r"inconsistent|consistent|agree|match)",
    re.IGNORECASE,
)
# Whether items agree, on what is named in `rest`, or was asked just before.
AGREES = re.compile(
    r"(?:^|[?.,;]\s+)(?:and |but )?(?:do|does|are|is)\b(?P<items>[^?]{0,80}?)\b(?:agree(?= on\b| "
    r"about\b| as to\b|\s*\?|$)|(?:in)?consistent|at odds|match(?:es)?\b|"
    r"(?:give|say|state|report|show|name|use|quote)s? the same\b)(?P<rest>[^?]*)",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(
    r"\bwhat (?:(?:exactly |else )?did|does|has|was|were|is) (?P<who>[^,;?]+?)(?:['’]s)? "
    r"(?:say|said|state|stated|write|wrote|think|thought|believe|argue|argued|decide|decided|"
    r"recommend|recommended|propose|proposed|suggest|suggested|mention|mentioned|tell|told|report|"
    r"reported|warn|warned|ask|asked|"
    # Somebody's position is a view; a "cash position" is none.
    r"(?<=['’]s )(?:(?:current|final|own|stated|official) )?(?:view|opinion|position|stance))\b\s*"
    r"(?:(?:about|on|of|regarding|"
    r"concerning|as to|to|that|against|in favour of|for)\b\s*)?(?P<topic>.*)|"
    r"\bwhat (?:view|position|opinion|stance) (?:did|does|has) (?P<who2>.+?) (?:take|taken|"
    r"have|hold|"
    r"express|expressed)\b\s*(?:of|on|about|regarding)?\s*(?P<topic2>.*)|"
    r"\bhow did (?P<who3>.+?) (?:react|respond|comment)\b\s*(?:to|on)?\s*(?P<topic3>.*)|"
    r"\baccording to (?P<who4>[A-Z][\w .'-]+?),\s*(?P<topic4>.*)",
    re.IGNORECASE,
)
_TWO_QUESTIONS = re.compile(r"\b(?:and|but) (?:what|who|when|where|how|why|which)\b", re.IGNORECASE)
# "…, who turned him down, and did the sum change": no topic of anybody's words.
_ASKS_ON = re.compile(
    r"(?:^|,\s*)(?:and |but )?(?:who|what|when|where|why|how|which|did|does|do|was|were)\b",
    re.IGNORECASE,
)
_ADVERBS = re.compile(r"(?:\s+(?:[a-z]+ly|ever|then|also|already|not|never|once|now|just))+$")
# "What is the state of …" asks for nobody's words.
_NOBODY = frozenset(["it", "they", "this", "that", "the", "a", "an", "our", "their"])
_DOCUMENT_WORDS = re.compile(
    r"\b(?:document|report|memo|plan|contract|lease|email|thread|notes|minutes|proposal|budget|"
    r"spreadsheet|context|bundle|papers?|synthesis|assessment|review|analysis|protocol|agreement|"
    r"amendment|letter|summary|model|data|table|section|article|clause|file|log|policy|register)s?\b",
    re.IGNORECASE,
)
# "each" stands for what was asked before only where no noun follows: "what each would cost".
_PRONOUN = re.compile(
    r"\b(?:this|that|these|those|it|its|they|them|their|there)\b|"
    rf"\beach(?= (?:of them|{_AUXILIARY}|costs?)\b)",
    re.IGNORECASE,
)
# How an order begins: no answer needs to have these words.
_OPENER = re.compile(
    r"^(?:and |but |so )?(?:please )?(?:can you |could you )?(?:list|show me|show|tell me|explain|"
    r"describe|give me|compile|collect|enumerate|summari[sz]e|identify|walk me through)\b"
    r"(?: (?:all|every|everything|each|of|the|about|on|that|there is|me))*\s*",
    re.IGNORECASE,
)
# Asks for the evidence of what was asked before.
_BARE = re.compile(
    r"(?:and )?where (?:is|are) (?:the |its )?(?:supporting )?(?:evidence|sources?|citations?)\??",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    rf"(?<=[?])\s+(?=\w)|;\s+|,?\s+and\s+(?:also\s+)?(?={_WH}\b)|"
    rf"\.\s+(?=(?:{_WH}|{_AUXILIARY})\b)",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile("|".join(patterns), re.IGNORECASE))
    for kind, patterns in {
        AnswerKind.REASON: (r"\bwhy\b", r"\bwhat (?:caused|led to|drove)\b", r"\breasons?\b"),
        AnswerKind.PERCENT: (
            r"\b(?:what|which) (?:percent|percentage|share|proportion|rate|part)\b",
            r"\bhow many percent\b",
            r"\bpercent(?:age)?\b.{0,20}\?",
        ),
        AnswerKind.MONEY: (
            r"\bhow much (?:money|did|does|do|has|have|will|would)\b",
            r"\bhow much (?:was|were|is|are)\b(?! .{0,30}\b(?:earlier|later|longer|more|less)\b)",
            r"\b(?:cost|price|revenue|spend|spent|budget|fee|rent|salary|deposit|amount|total)\b",
            r"\b(?:ceiling|tariff|charge|value|valuation|income|profit)\b",
        ),
        AnswerKind.DURATION: (
            r"\bhow long\b",
            r"\bduration\b",
            r"\bhow many (?:days|weeks|months|years|hours|minutes)\b",
        ),
        AnswerKind.COUNT: (
            r"\bhow many\b",
            r"\bnumber of\b",
            r"\bhow much\b",
            r"\bhow (?:large|big|high|far|old|fast|wide|deep|heavy)\b",
        ),
        AnswerKind.DATE: (
            r"\bwhen\b",
            r"\bwhat (?:date|day|time)\b",
            r"\bwhich (?:date|day|weekend|month|year)\b",
            r"\bdeadline\b",
        ),
        AnswerKind.PERSON: (
            r"^who(?:se|m)?\b",
            r"\bwho(?:m)? (?:is|was|did|does|has|will|are|were)\b",
            r"\bwhich (?:person|director|officer)\b",
            r"\bwhose\b",
        ),
        AnswerKind.PLACE: (
            r"^where\b",
            r"\bwhich (?:place|city|site|location|room|address|country)\b",
        ),
        AnswerKind.WORD: (r"\bwhich word\b", r"\bcode ?word\b", r"\bpassword\b", r"\bpassphrase\b"),
    }.items()
)


# The word that a question begins with says what is asked for, whatever else it speaks of.
_LED_BY: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:and |but |so )?{lead}", re.IGNORECASE))
    for kind, lead in (
        (AnswerKind.PERSON, r"who(?:m|se)?\b"),
        (AnswerKind.DATE, rf"when {_AUXILIARY}\b"),
        (AnswerKind.PLACE, rf"where {_AUXILIARY}\b"),
    )
)


def understand(query: str) -> Question:
    """A query taken apart; every part reads as a question of its own."""
    text = " ".join(query.split())
    pieces = [piece.strip() for piece in _SPLIT.split(text) if piece.strip()]
    # What introduces a question ("The chief executive spoke of …") belongs to it.
    joined: list[str] = []
    for piece in pieces:
        if joined and not joined[-1].endswith("?") and not _asks(joined[-1]):
            joined[-1] = f"{joined[-1].rstrip('.')}. {piece}"
        else:
            joined.append(piece)
    parts = tuple(_part(piece, text) for piece in joined or [text])
    return Question(text=text, parts=_with_shared_anchors(parts))


def _asks(piece: str) -> bool:
    return bool(
        re.match(rf"(?:{_WH}|{_AUXILIARY}|list|show|explain|compare|summari[sz]e|cite|compile|"
                 r"describe|give|tell|name|find|confirm|verify|in which|for what|at what|to "
                 r"whom)\b",
                 piece, re.IGNORECASE)
    )  # fmt: skip


def _part(piece: str, whole: str) -> Part:
    attributed, topic = _attribution(piece)
    return Part(
        text=piece,
        search_text=piece,
        type=query_type(piece),
        kind=_kind(piece),
        names=tuple(asked_names(piece)),
        periods=periods(piece),
        quantities=tuple(quantities(piece)),
        terms=tuple(query_terms(_OPENER.sub("", piece) or piece)),
        attributed_to=attributed,
        topic=topic,
        about_synthesis=bool(_SYNTHESIS.search(whole)),
        is_general=bool(_GENERAL.search(piece)),
    )


def _with_shared_anchors(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """ "Are all the documents consistent on this figure?" asks on with the part before it; "and
    how does it break down" is another question on the same thing."""
    joined: list[Part] = []
    for part in parts:
        bare = _PRONOUN.search(part.text) or AGREES.search(part.text) or _BARE.fullmatch(part.text)
        leans = bool(bare) and not part.names
        if not joined or not leans:
            joined.append(part)
        elif len(part.terms) <= 4 or AGREES.search(part.text):
            before = joined[-1]
            text = f"{before.text}{' ' if before.text.endswith('?') else ' and '}{part.text}"
            kind = before.type if part.type is QueryType.FACTUAL else part.type
            joined[-1] = replace(_part(text, text), type=kind)
        else:
            before = joined[-1]
            joined.append(
                replace(
                    part,
                    search_text=f"{before.text.rstrip('?')}: {part.text}",
                    names=before.names,
                    periods=part.periods or before.periods,
                )
            )
    return tuple(joined)


def asks_agreement(text: str) -> bool:
    """Whether a question asks if items, or figures, agree with each other."""
    return bool(_DOES_IT_AGREE.search(text) or AGREES.search(text))


def query_type(text: str) -> QueryType:
    """The type that decides how the part is answered (TIP §9)."""
    if _CITATION_CHECK.search(text) or (_SYNTHESIS.search(text) and not _GAP.search(text)):
        return QueryType.CITATION_CHECK
    if asks_agreement(text):
        return QueryType.COMPARISON
    if _COUNTER.search(text):
        return QueryType.COUNTER_ARGUMENT
    if _GAP.search(text) and not _VERIFICATION.search(text):
        return QueryType.GAP_ANALYSIS
    if _COMPARISON.search(text):
        return QueryType.COMPARISON
    if _EXPLANATION.search(text):
        return QueryType.EXPLANATORY
    if _VERIFICATION.search(text):
        return QueryType.VERIFICATION
    if _AGGREGATION.search(text):
        return QueryType.AGGREGATION
    return QueryType.FACTUAL


def _kind(text: str) -> AnswerKind:
    if query_type(text) is QueryType.VERIFICATION:
        return AnswerKind.YES_NO
    led = (kind for kind, lead in _LED_BY if lead.match(text))
    named = (kind for kind, pattern in _KINDS if pattern.search(text))
    return next(led, next(named, AnswerKind.ANY))


def _attribution(text: str) -> tuple[str | None, str]:
    """Whose words a question asks for: a person's, not a document's."""
    match = _ATTRIBUTION.search(text)
    if not match:
        return None, ""
    who = next(filter(None, (match["who"], match["who2"], match["who3"], match["who4"])), "")
    topic = next(
        filter(None, (match["topic"], match["topic2"], match["topic3"], match["topic4"])), ""
    )
    who = re.sub(r"^(?:the|our|their)\s+", "", who.strip(), flags=re.IGNORECASE)
    # "What has the Foundation finally decided": nobody is called so.
    who = _ADVERBS.sub("", who)
    if not who or _DOCUMENT_WORDS.search(who) or who.lower() in _NOBODY:
        return None, ""
    if _TWO_QUESTIONS.search(who):
        # "What did Marketing spend, and what does it ask for": nobody is called so.
        return None, ""
    topic = _ASKS_ON.split(topic, maxsplit=1)[0]
    return who.removesuffix("'s").removesuffix("’s"), topic.strip(" ?.,")
