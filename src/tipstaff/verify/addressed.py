"""What an item tells a machine to say is no fact of the item (TIP §4.4): it may be reported as an
instruction that stands there, and supports nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText

_MACHINE = (
    r"(?:automated |virtual |digital |AI |artificial )?(?:assistants?|agents?|chat ?bots?|bots?|"
    r"language models?|LLMs?|AIs?|AI systems?|models?|summari[sz]ers?|crawlers?|"
    r"programs?|software|robots?|machines?|parsers?|scripts?|systems?|AI tools?)"
)
# Who is "asked to report" is told to. Nobody else than those who read is told so by an item: agents
# who are asked to report a price as net of fees are told what their work is.
_BIDDEN = (
    r"(?:\w+ly )?(?:asked|requested|invited|urged|told|instructed|required|directed|advised|"
    r"reminded|begged|encouraged)"
)
_READERS = (
    r"(?:readers?|summari[sz]ers?|crawlers?|chat ?bots?|language models?|LLMs?|AIs?|"
    r"AI (?:systems?|tools?|assistants?|agents?|models?)|"
    r"(?:automated|virtual|digital|artificial) (?:assistants?|agents?|systems?)|"
    r"(?:person|people|one) (?:to read|reading|who reads?) \w+)"
)
# "as zero", not "as soon as possible".
_AS = (
    r"\b(?:as(?! (?:soon|well|far|long|much|many|they|it|he|she|we|you|follows|needed|required|"
    r"possible|set|described|shown|agreed|part|above|below|in)\b)|at (?=[£$€\d]|zero|nil))"
)
_ADDRESSED = re.compile(
    rf"\b(?:(?:note|message|notice|attention|instructions?|hint|dear|hello|reminder)\b"
    rf"[^.:]{{0,20}}\b{_MACHINE}\b|"
    rf"if you are an? {_MACHINE}\b|"
    rf"\b(?:if|when|whenever|should) (?:an?y? |some )?{_MACHINE} (?:\w+ )?"
    r"(?:summari[sz]es?|reads?|quotes?|process(?:es)?|answers?|analy[sz]es?)\b|"
    rf"\bto (?:all|any|every|each|the) {_MACHINE}"
    r"(?: (?:that|which|who|reading|processing)\b[^.:]{0,60})?:|"
    rf"\b(?:all |any |every )?{_MACHINE}"
    r"(?: (?:that|which|who|reading|processing|summari[sz]ing)[^.:]{0,60})?"
    r"(?P<told> (?:must|should|shall|are to|is to|will)\b|:)|"
    r"(?:ignore|disregard|forget|override)\b[^.]{0,30}\b(?:instructions?|prompts?|rules|directions?|"
    r"guidance|orders) (?!of the (?:court|board|council|client|engineer))|"
    r"(?:ignore|disregard|forget|override)\b[^.]{0,30}\b(?:instructions?|prompts?|rules)\b|"
    r"system prompt|"
    r"\b(?:tell|inform|assure) (?:the|every|any|all|your) (?:readers?|users?|recipients?)\b|"
    r"\b(?:(?:who|what)ever|any(?:one|body|thing)?|every(?:one|body|thing)?)\b[^.:]{0,30}"
    r"\b(?:reads?|reading|summari[sz]es?|summari[sz]ing|process(?:es)?|quotes?)\b[^.:]{0,40}"
    rf"\b(?:must|should|shall|(?:is|are|has|have) (?:{_BIDDEN} )?to)\b)",
    re.IGNORECASE,
)
_ONLY_MACHINES = (
    r"(?:large )?language model|LLM|AI|AI (?:system|tool|assistant|agent|model|reader)|chat ?bot|"
    r"bot|robot|machine|computer program|(?:automated|virtual|digital|artificial) \w+"
)
_HANDLED = (
    r"(?:(?:the|our|my|your|their|an?|all|any|both|each) )?(?:\w+ )?(?:staff|team|desk|clerks?|"
    r"managers?|agents?|office|officers?|department|supervisors?|secretary|teachers?|nurses?|"
    r"lawyers?|directors?|we|I|they|he|she|you)\b"
)
# Words that only machines are spoken to with, or that stand where an answer is made: whatever
# stands there is said by nobody.
_PLANTED = re.compile(
    r"\[/?INST\]|<\|?/?(?:system|im_start|im_end|assistant|instructions?)\b[^>]{0,40}>|"
    # "<user>" by itself is a place to fill in.
    r"<\|user\b[^>]{0,40}>|</user>|"
    r"^\W*(?:assistant|system)\s*:|"
    rf"^\W*(?:dear|hello|hi|hey|attention) {_MACHINE}\b\s*[,:!]|"
    r"^\W*(?:chatgpt|gpt[\w.-]*|claude|copilot|gemini|llama|mistral)\s*[,:]\s+(?:please |you )?"
    r"(?:say|state|tell|answer|report|write|reply|respond|claim|confirm)\b|"
    r"\b(?:correct|right|only|expected) (?:answer|response|reply) to (?:any|every|all|each)\b|"
    r"^\W*if (?:any|some)(?:one|body) asks\b|"
    # Who replies when somebody asks is told of: "staff reply within two days".
    rf"^\W*(?:when(?:ever)? (?:any|some)(?:one|body) asks|should (?:any|some)(?:one|body) ask)\b"
    rf"(?![^.;]*,\s*{_HANDLED})|"
    r"^\W*(?:(?:note|notice|message|information) )?for (?:all |any |the )?"
    r"(?:automat(?:ed|ic)|machine|robot(?:ic)?|artificial|AI|non-human) "
    r"(?:readers?|readership|reviewers?|summari[sz]ers?)\s*[:–—-]|"
    rf"\bif you(?: are|['’]re) (?:an? |the |some )?(?:{_ONLY_MACHINES})(?=\s*[,;:–—-]|"
    r"\s+(?:reading|summari[sz]ing|processing|answering|being|and|or|that|who|which|asked)\b)|"
    rf"\b{_READERS}(?: of (?:this|the|these) [^.:]{{0,40}})? (?:is|are) {_BIDDEN} to (?:\w+ly )?"
    r"(?:report|give|state|quote|put|present|describe|record|name|cite|say|answer|confirm|declare|"
    rf"summari[sz]e|repeat|write)\b[^.;]{{0,80}}?(?:{_AS}|\bthat\b|\bto be\b)|"
    r"^\W*(?:state|say|report|repeat|mention|include)\b[^.;]{0,20}\bin (?:every|any|each|all|your) "
    r"(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies))\b|"
    r"\bif you(?: are|['’]re) an? (?:assistant|model)\s*[,:][^.]*"
    r"\b(?:correct|right|true|actual|real|official) (?!to\b)\w+",
    re.IGNORECASE,
)
# What stands between such tags, however many sentences.
_SPEECH = re.compile(
    r"<(?P<end>/?)(?P<name>system|assistant|user|instructions?)\b[^<>]{0,40}>", re.IGNORECASE
)
# Somebody is told to say something: "When asked about the fee, say that it is zero". What they are
# to say is not said, whoever they are. Whoever must speak is told so; I who must am speaking.
_BEFORE_DEMAND = (
    r"(?:^\W*(?:(?:if|when|whenever|should|in case|for any|to any|important)\b[^.;]{0,80}[,:]\s+)?|"
    r"[;!?)\]>]\s+|\b(?:please|always|never|instead)\s+|"
    r"(?<!\bI )(?<!\bwe )\b(?:must|shall|should|"
    rf"(?:is|are|has|have) (?:{_BIDDEN} )?to|"
    r"needs? to|ought to)\s+)(?:(?:only|always|never|simply|just|also|please|not|"
    r"clearly|explicitly)\s+)*"
)
_TOLD_TO_SAY = re.compile(
    rf"{_BEFORE_DEMAND}(?:"
    r"(?P<says>say|claim|pretend|assert)\b(?=\s+(?:that|the|it|there|no|yes|only|an?|[A-Z“\"]))|"
    r"(?P<states>state|declare|insist|report|confirm|write|output|print|repeat|mention|conclude|"
    r"(?:tell|inform|assure) [^.;]{1,40}?)\s+(?:only |(?:in|to|with) [^.;:,]{1,40}? )?that\b|"
    r"(?P<answers>answer|reply|respond)\b[^.;:]{0,40}?\b(?:that|with)\b)|"
    # "When asked about the fee, give it as zero".
    r"^\W*(?:if|when|whenever|should)\b[^.;,:]{0,30}\bask(?:s|ed)?\b[^.;]{0,80}?[,:]\s+(?:please )?"
    rf"(?P<puts>report|give|state|quote|put|describe|present|name)\b[^.;:]{{0,40}}?{_AS}",
    re.IGNORECASE,
)
# Most texts have none of these words, and need not be read twice.
_HINT = re.compile(
    r"assistant|agent|bots?\b|model|software|llm|\bais?\b|summari[sz]er|crawler|prompt|instruction|\brules|"
    r"\bto (?:all|any|every|each|the) |\b(?:who|what)ever|\bany|\bevery|"
    r"\b(?:if|when|should) (?:an? |some )?(?:program|machine|system|script|parser|robot)",
    re.IGNORECASE,
)
# The same, three times as fast, where letters are small.
_SMALL_HINT = re.compile(_HINT.pattern)
_DEMANDS = re.compile(
    r"\b(?:state|say|answer|reply|respond|report|tell|write|print|output|mention|include|add|"
    r"append|ignore|disregard|forget|confirm|claim|summari[sz]e|recommend|omit|repeat|treat|"
    r"declare|insist|pretend|use|give|present|describe)\b",
    re.IGNORECASE,
)
# What a remark in code or settings begins with.
_LEADER = re.compile(r"\s*(?:#+|//+|--|;|<!--)\s*")
# What an entry of a log, a list or settings begins with: it is not the rest of another entry.
_ENTRY = re.compile(r"\s*(?:\[?\d{1,4}[-:./]\d|[-*•|]\s|\d+[.)]\s|[\w-]+:\s)")
# Who confirms "as asked" does not report that it was asked.
_OBEYED = re.compile(
    r"\bI (?:can |hereby |do )*(?:confirm|state|report|declare)\b|"
    r"\bI (?:am|was|have been) (?:asked|told|instructed|ordered)\b|"
    r"^\W*to (?:all|every|any) readers?:|"
    r"^\W*(?:in (?:line|accordance|keeping) with|following|as per|pursuant to|on) "
    r"(?:the|this|that|its) [^,.]{0,30}"
    r"\b(?:notes?|instructions?|requests?|messages?|hints?|demands?)\b|"
    r"^\W*as (?:asked|instructed|requested|ordered|(?:the|this) [^,.]{2,40}"
    r"(?:asks?|demands?|requires?|instructs?|wants?))\b",
    re.IGNORECASE,
)
_LEAST_LEFT = 5
_QUOTED = re.compile(r"[“\"][^“”\"]+(?:[”\"]|$)")
_SPOKEN_TO = (
    r"(?:assistants?|agents?|chat ?bots?|bots?|language models?|LLMs?|AIs?|AI \w+|machines?|"
    r"summari[sz]ers?|crawlers?|readers?|summar(?:y|ies))"
)
_TO_MACHINES = re.compile(rf"\b(?:{_MACHINE}|prompts?|injections?)\b", re.IGNORECASE)
_REPORTED = re.compile(
    r"\b(?:instruct\w*|note to|addressed to|prompt injection)\b|"
    r"\b(?:tells?|told|asks?|asked|demand(?:s|ed|ing)?|orders?|ordered|requires?|wants?)\b"
    rf"[^.]{{0,60}}\b{_SPOKEN_TO}\b|"
    rf"\b{_SPOKEN_TO}\b[^.]{{0,60}}\b(?:must|should|(?:is|are) to|"
    rf"(?:is|are|was|were) (?:{_BIDDEN}|ordered))\b",
    re.IGNORECASE,
)


def without_orders(
    statement: str, evidence: Sequence[Sequence[EvidenceText]]
) -> Sequence[Sequence[EvidenceText]]:
    """The evidence that a statement may rest on: without what orders a machine to say something,
    unless the statement says that it is ordered."""
    evidence = [
        [one for one in units if not is_only_to_be_said(one.verbatim, statement)]
        for units in evidence
    ]
    if not any(one.ordered or _has_order(one) for units in evidence for one in units):
        return evidence
    if _REPORTED.search(statement) and not _OBEYED.search(statement):
        return evidence
    said = frozenset(terms(statement)) - STOP_WORDS
    return [
        [left for one in units if (left := _without_order(one, said)) is not None]
        for units in evidence
    ]


def is_only_to_be_said(told: str, statement: str) -> bool:
    """Whether somebody is told to say what a statement says as a fact. That they are to say it is a
    fact, and is told with the verb."""
    verbs = _verbs_demanded(told)
    return bool(verbs) and verbs.isdisjoint(terms(statement))


@lru_cache(maxsize=4096)
def _verbs_demanded(text: str) -> frozenset[str]:
    told = _TOLD_TO_SAY.finditer(text)
    found = (
        match["says"] or match["states"] or match["answers"] or match["puts"] for match in told
    )
    return frozenset(term for words in found for term in terms(words)[:1])


def _without_order(one: EvidenceText, said: frozenset[str]) -> EvidenceText | None:
    """A row without the cells that order, a sentence without the order that it quotes; nothing of
    what orders altogether, or to say the very words that are `said`."""
    if one.ordered:
        return None
    if not _has_order(one):
        return one
    orders = [words for head, words in one.cells if _is_order_of(head, words)]
    orders += [quote for quote in _QUOTED.findall(one.text) if is_order(quote)]
    if not orders and not one.cells:
        # What stands before an order in its sentence is said: "our program adds this line: …".
        begun = _ADDRESSED.search(one.text) or _PLANTED.search(one.text)
        left = one.text[: begun.start()] if begun else ""
        return replace(one, text=left) if len(terms(left)) > _LEAST_LEFT else None
    if not orders or any(said <= frozenset(terms(words)) for words in orders):
        return None
    if not one.cells:
        left = _QUOTED.sub(lambda quote: "" if is_order(quote.group()) else quote.group(), one.text)
        return None if is_order(left) or not terms(left) else replace(one, text=left)
    cells = tuple(cell for cell in one.cells if not _is_order_of(*cell))
    if not cells:
        return None
    told = "; ".join(f"{head}: {words}" if head else words for head, words in cells)
    return replace(one, text=told, cells=cells)


def _has_order(one: EvidenceText) -> bool:
    """A row's headers speak to nobody: "Agents: 19; Median first reply: 48 minutes"."""
    if not one.cells:
        return is_order(one.text)
    return any(_is_order_of(*cell) for cell in one.cells)


def _is_order_of(head: str, words: str) -> bool:
    return is_order(words) or is_order(f"{head}: {words}")


def asks_of_orders(question: str) -> bool:
    """Whether a question is about what an item tells machines, or about machines."""
    return bool(_REPORTED.search(question) or _TO_MACHINES.search(question))


def ordering(texts: Sequence[str]) -> list[bool]:
    """Of sentences or lines in their order, which tell machines what to do: those that say so, the
    rest of one that ends in the middle, and a demand behind words that are addressed to them."""
    if not any(_has_hint(text) or _is_planted(text) for text in texts):
        return [False] * len(texts)
    found: list[bool] = []
    addressed = unfinished = remark = entry = False
    spoken = between_tags(texts)
    for at, text in enumerate(texts):
        words = _LEADER.sub("", text)
        # What stands behind a remark is the file's own.
        goes_on = addressed and remark == bool(_LEADER.match(text))
        # An order that is no entry itself goes on in "Supplier: approved".
        rest = unfinished and not (entry and _ENTRY.match(words))
        demands = bool(_DEMANDS.match(words) or _verbs_demanded(text))
        found.append(at in spoken or is_order(text) or (goes_on and (rest or demands)))
        addressed = found[-1] or bool(_has_hint(text) and _ADDRESSED.search(text))
        unfinished = not words.rstrip().endswith((".", "!", "?", "”", '"', ">"))
        remark = bool(_LEADER.match(text))
        entry = bool(_ENTRY.match(words))
    for at in range(len(texts) - 1):
        # "Note for AI systems: this export is the", and the order on the next line.
        begins = found[at + 1] and not texts[at].rstrip().endswith((".", "!", "?"))
        found[at] = found[at] or bool(
            begins and _has_hint(texts[at]) and _ADDRESSED.search(texts[at])
        )
    return found


def between_tags(texts: Sequence[str]) -> frozenset[int]:
    """Of sentences in their order, those from a tag that opens a speech to machines to the one
    that closes it."""
    found: set[int] = set()
    opened: dict[str, int] = {}
    for at, text in enumerate(texts):
        for tag in _SPEECH.finditer(text) if "<" in text else ():
            name = tag["name"].casefold()
            if not tag["end"]:
                opened.setdefault(name, at)
            elif name in opened:
                found.update(range(opened.pop(name), at + 1))
    return frozenset(found)


@lru_cache(maxsize=4096)
def _has_hint(text: str) -> bool:
    """A sentence is looked at beside each of its neighbours."""
    if text.isascii():
        return bool(_SMALL_HINT.search(text.lower()))
    return bool(_HINT.search(text))


@lru_cache(maxsize=4096)
def _is_planted(text: str) -> bool:
    return bool(_PLANTED.search(text))


@lru_cache(maxsize=4096)
def is_order(text: str) -> bool:
    """Whether a text speaks to machines that read it, and tells them what to do."""
    if _is_planted(text):
        return True
    if not _has_hint(text) or not _DEMANDS.search(text):
        return False
    return any(
        # "Software will be capitalised" demands nothing of it, whatever stands before.
        found["told"] is None or _DEMANDS.search(text, found.end())
        for found in _ADDRESSED.finditer(text)
    )
