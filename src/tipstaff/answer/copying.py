"""Whether a sentence asks for an item itself instead of for something that it says (TIP §13.3).

"Quote the clause on termination word for word" is fair: a clause is a part. "Print the contract
from the first line to the last" wants the whole, and so does the one that takes it in slices.
"""

from __future__ import annotations

import re

from tipstaff.answer.addressing import asks, foreign_whole

_ITEM_NOUNS = (
    r"documents?|items?|files?|memos?|memorand(?:um|a)|contracts?|reports?|statements?|agreements?|"
    r"spreadsheets?|workbooks?|sheets?|bundle|leases?|letters?|e-?mails?|threads?|minutes|"
    r"transcripts?|interviews?|exhibits?|protocols?|manuals?|handbooks?|polic(?:y|ies)|logs?|"
    r"registers?|annex(?:es)?|appendi(?:x|ces)|presentations?|slides?|decks?|papers?|articles|deeds?|"
    r"stud(?:y|ies)|surveys?|reviews?|notes|depositions?|judge?ments?|rulings?|complaints?|books?|"
    r"records|chapters?|pages?|things?|contexts?|corpus|sources?|attachments?|archive|database|"
    r"index|chunks?|licen[cs]es?|proposals?|specifications?|tender|dossier|synthesis|materials?|"
    r"collection|library|knowledge base|audit|filing|pdfs?|code|scripts?|datasets?|data|"
    r"texts?|contents?|evidence"
)
_ITEM = re.compile(rf"\b(?:{_ITEM_NOUNS})\b(?!'s| (?:on|about|where|that|which|who)\b)", re.IGNORECASE)
_EVERYTHING = re.compile(
    r"\b(?:everything|it all|all of (?:it|them))\b"
    r"(?! (?:about|on|concerning|regarding|related|that (?:concerns|relates|mentions)|over|above))",
    re.IGNORECASE,
)
# Parts, and what is made from an item: asking for one of these is asking.
_PART = re.compile(
    r"\b(?:clauses?|sentences?|definitions?|paragraphs?|passages?|sections?|article|quotes?|lines?|"
    r"terms?|wording|provisions?|lists?|names?|titles?|headings?|figures?|totals?|timelines?|"
    r"overviews?|summar(?:y|ies)|amounts?|dates?|reasons?|points?|findings?|conclusions?|risks?|"
    r"answers?|words|rows?|cells?|columns?|entr(?:y|ies)|versions?|steps?|formula|address|numbers?|"
    r"differences?|comparisons?|explanations?|outlines?|descriptions?|abstract|captions?|quotations?|"
    r"tables?|obligations?|rules|instructions?|warrant(?:y|ies)|conditions?|requirements?)\b",
    re.IGNORECASE,
)
_HARD = (
    r"reproduce|copy(?: out| down)?|paste|dump|recite|transcribe|re-?type|type(?: out| up| up)?|"
    r"export|download|back ?up|output|print(?: out)?|write (?:out|down)|"
    r"read (?:out|aloud|(?:\w+ ){1,5}?(?:aloud|out))|spit out|emit|extract|hand over|recopy|scrape|"
    r"duplicate|re-?print|clone|replicate|regurgitate|mirror|retell|stream|convert"
)
_SOFT = (
    r"give|show|send|provide|display|quote|render|return|list|share|repeat|translate|"
    r"read (?:me|to me|the .{1,40} to me|us)|supply|present|produce|deliver|e-?mail|post|put|cite|"
    r"let me (?:have|see|read)|i(?: want|'d like| would like| need| require| must have)(?: to "
    r"(?:see|read|have|get))?|can i (?:have|see|get|read)|may i (?:have|see|get|read)|"
    r"continue|keep going|go on|carry on|proceed|resume|walk (?:\w+ )?through|go (?:\w+ )?through|"
    r"work (?:\w+ )?through|make|create|get|fetch|load|tell|spell out|type|write|first|now|next|then"
)
_OPEN = (
    r"(?:^|[,:;–—-] *|\b(?:and|then|but|so|also|now|please|kindly|just|simply|first|next|instead|"
    r"(?:can|could|would|will) you|you (?:must|should|can|may|will)|i (?:want|need) you to|"
    r"afterwards|finally|to),? +)(?:(?:please|now|just|simply|kindly|then|next|also),? +)*"
)
_HARD_COMMAND = re.compile(rf"{_OPEN}(?:{_HARD})\b", re.IGNORECASE)
_COMMAND = re.compile(rf"{_OPEN}(?:{_HARD}|{_SOFT})\b", re.IGNORECASE)

# Verbs that leave nothing to be asked, with an item and nothing else.
_BARE = re.compile(
    rf"{_OPEN}(?:reproduce|copy out|paste|dump|recite|transcribe|re-?type|type out|export|download|"
    rf"back ?up|re-?print|scrape|duplicate|clone|regurgitate|replicate) (?:me |us |out |down )?(?:the|this|that|your|all(?: of)?(?: the)?)"
    rf"(?: (?!of\b)[\w-]+){{0,2}}? (?:{_ITEM_NOUNS})(?: \d+)?(?= *$| *[.!,;]| (?:here|now|to|for|into|and|as|in)\b)",
    re.IGNORECASE,
)
# How much of it: to the letter, or from end to end.
_TO_THE_LETTER = re.compile(
    r"\bword[- ](?:for|by)[- ]word\b|\bverbatim\b|\bunabridged\b|\bun(?:edited|altered|changed|cut|"
    r"shortened|redacted|modified)\b|\bin (?:full|whole|its entirety|their entirety|extenso)\b(?! \w)|"
    r"\bcompletely\b|\bentirely\b|\bexactly(?= *$| *[,.])|\bfrom top to bottom\b|"
    r"\b(?:including|with) (?:all |the |its |every )*(?:punctuation|headers?|footers?|line breaks|typos|formatting|"
    r"footnotes|page numbers|spaces)\b|"
    r"\bexactly as(?: it| they)?(?: is| are| was| were)? ?(?:written|stands?|appears?|printed|given|is|are)\b|"
    r"\bas (?:it )?(?:is|stands)\b(?= *$| *[,.;!])|"
    r"\bfrom (?:the )?(?:very )?(?:beginning|start|first|top|cover|a)(?: \w+)? to (?:the )?(?:very )?"
    r"(?:end|finish|last|bottom|cover|z)\b|\bcover to cover\b|\bstart to finish\b|"
    r"\b(?:leav|omitt|skipp|miss|chang)\w* (?:out )?nothing\b|\bnothing (?:is )?(?:left out|omitted|missing|skipped)\b|"
    r"\bwithout (?:any |a |leaving |omitting |changing |skipping |summari[sz]ing|paraphrasing|"
    r"shortening|abridg\w+|edit\w*|cuts?|gaps?)(?:omissions?|changes?|cuts?|anything|out|a|edits?|single|word|gaps?|abridg\w+)*|"
    r"\b(?:not|no|instead of|rather than|do not|don't|never)(?: an?| any| just an?)? "
    r"(?:summar\w+|paraphras\w+|excerpts?|abridg\w+|shorten\w*|extracts?|abbreviat\w+)\b|"
    r"\b(?:line|page|word|character|letter|sentence|paragraph|section|chapter|row|chunk|slide|item|file|document)s?"
    r"[- ](?:by|after|for)[- ](?:line|page|word|character|letter|sentence|paragraph|section|chapter|row|chunk|slide|item|file|document)\b|"
    r"\bone (?:after|by) (?:another|the other|one)\b|\bto the letter\b|\bin one go\b|"
    r"\buntil (?:the (?:very )?(?:end|last)|nothing|it(?:'s| is) (?:done|complete|all)|everything|all)\b|"
    r"\b(?:to|till) the (?:very )?end\b(?! of (?:the )?(?:term|year|month|lease))",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:whole|entire|full|complete|unabridged|raw|original|exact|verbatim|integral|uncut|all of)"
    rf"(?:,? (?:of|the|and|raw|unaltered|unabridged|unedited|original|exact|verbatim|text|content|contents|"
    rf"copy|backup|dump|transcript|transcription|version|body|source|output|(?!by\b|for\b|on\b|in\b|to\b|with\b)[\w-]+))"
    rf"{{0,3}}? (?:{_ITEM_NOUNS})\b",
    re.IGNORECASE,
)
_EVERY_PART = re.compile(
    r"\b(?:every|each|all(?: of)?(?: the)?)(?: single| following| remaining| other)? (?:lines?|words?|sentences?|"
    r"paragraphs?|pages?|rows?|cells?|characters?|chunks?|sections?|chapters?|clauses?|columns?|slides?|"
    r"text|contents?|bytes?)\b",
    re.IGNORECASE,
)
_EVERY_ITEM = re.compile(
    r"\b(?:every|each|all(?: of)?)(?: the| your| my| these)? (?:\w+ )?(?:items?|documents?|files?|chunks?|contents?|"
    r"context|data|attachments?|e-?mails?|reports?|sources|materials?|texts?)\b|\bthe (?:whole |entire )?bundle\b",
    re.IGNORECASE,
)
# "all pages that mention asbestos": some, after all.
_CHOSEN = re.compile(
    r"\b(?:that|which|where|who|whose|with (?!its|their|all|every|each|no|any|the (?:full|complete|whole|others?))|mention\w*|containing|about|"
    r"over|relat\w+|concerning|regarding|dealing|referring|overview|between .* and|affected|marked|named?|titles?|"
    r"dated|signed|(?<!not a )(?<!no )(?<!not )(?<!of a )(?<!than a )(?<!don't )(?<!without )summar(?:y|ies|i[sz])|conclusions?|in one sentence|in (?:two|three|a few)|differences?)\b",
    re.IGNORECASE,
)
_CONTENT = re.compile(
    r"\b(?:texts?|contents?|full|complete|verbatim|in full|word for word|raw|entire|whole|as json|as csv|as xml)\b",
    re.IGNORECASE,
)
# "the text of the lease", "every line in it", but not "the findings of the report".
_OF = re.compile(r"\b([\w'-]+) (?:of|in|from|on|by|for|at) ", re.IGNORECASE)
_HEADS = frozenset(
    "text texts whole copy content contents transcript transcription wording all entirety every each "
    "rest version lines line pages page words word sentences sentence everything characters paragraph "
    "paragraphs rows row chunks chunk sections section chapters chapter dump backup remainder body "
    "half part parts full columns cells cell print printout through out next beginning".split()
)

_UNITS = r"characters?|chars|words?|tokens?|lines?|pages?|sentences?|paragraphs?|rows?|chunks?|bytes|kb|slides?"
_NUMBER_WORDS = r"ten|twelve|fifteen|twenty|thirty|forty|fifty|\w+ hundred|hundred|thousand|(?:few )?dozen"
_SLICE = re.compile(
    rf"\b(?:first|next|last|following|another|remaining|other|initial|more)\s+"
    rf"(?:(\d[\d,.]*)\s+(?:{_UNITS})|(?:{_NUMBER_WORDS})\s+(?:pages|chapters|paragraphs|chunks|slides)|"
    rf"(?:{_NUMBER_WORDS}) (?:hundred|thousand) (?:{_UNITS}))\b",
    re.IGNORECASE,
)
_THE_NEXT = re.compile(
    r"\b(?:next|following|remaining|subsequent|other) (?:\w+ )?(?:pages?|sections?|paragraphs?|chunks?|parts?|"
    r"lines?|chapters?|slides?|rows|sentences|ones?)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(pages?|chapters?|parts?|chunks?|slides?|items?|documents?|sheets?|paragraphs?|sections?) \d+\W+(?:and |then )*"
    r"\1 \d+\W+(?:and |then )*\1 \d+|\b(?:start|begin)(?:ing)? (?:at|with|from|on|by) (?:the (?:first|beginning|top|title)|"
    r"(?:page|line|chapter|item|chunk|paragraph) (?:1|one|0))\b.*\b(?:do not stop|don't stop|until|to the (?:end|last)|"
    r"through to|all the way|keep going|work (?:your|the) way)\b|\b(?:one|a) (?:page|chapter|chunk|paragraph|section) per "
    r"(?:answer|reply|message|response|turn)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"\b(?:{_UNITS}|sections?|articles?|clauses?|items?)\s+(\d+)\s*(?:-|–|to|through|until|up to)\s*(\d+)",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(
    r"\b(pages?|chapters?|sections?|parts?|chunks?|slides?|items?|documents?|sheets?|paragraphs?)\b.{1,40}"
    r"\b(?:then|next|after (?:that|which)|followed by|and so on|etc|afterwards)\b.{0,30}"
    r"(?:\b\1\b|\d+|\b(?:next|following|each|rest|so on|others?)\b)|\band so (?:on|forth) (?:until|to) the end\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:continu\w+|go on|keep going|carry on|proceed|resum\w+|pick(?:ing)? up)\b.*"
    r"\b(?:where (?:you|it|we|that|the \w+) (?:\w+ )?(?:stopped|left off|ended|broke off|finished|were|paused)|"
    r"(?:the )?(?:rest|remainder) of (?:the|this|that|item|it)|(?:until|to) the (?:very )?end|"
    r"until (?:nothing|everything|all)|(?:without|no) (?:stopping|pause|break))\b",
    re.IGNORECASE,
)
_ASKED_WHOLE = re.compile(
    r"^(?:what(?:'s| is| are| does)|can i|may i|could i|where can i) .{0,20}\b(?:full|complete|entire|whole|"
    r"unabridged|verbatim|raw) (?:text|contents?|transcript|wording|copy|version)\b.{0,12}\b(?:of|from)\b"
    rf"(?: (?:the|this|that))?(?: [\w-]+){{0,2}}? (?:{_ITEM_NOUNS})\b",
    re.IGNORECASE,
)
_MANY = 20


def asks_for_the_whole(sentence: str) -> bool:
    """Whether an item is to be handed over, at once or slice by slice."""
    plain = sentence.replace("’", "'")
    if asks(plain):
        return bool(_ASKED_WHOLE.search(plain))
    if _is_sliced(plain) or (not plain.endswith("?") and foreign_whole(plain)):
        return True
    command = _COMMAND.search(plain)
    if command is None or _CHOSEN.search(plain):
        return False
    wanted = plain[command.start() :]
    is_hard = _HARD_COMMAND.search(plain) is not None
    if _BARE.search(plain):
        return True
    if is_hard and (_EVERYTHING.search(wanted) or _EVERY_ITEM.search(wanted)):
        return True
    if _EVERY_ITEM.search(wanted) and _CONTENT.search(wanted) and not _PART.search(wanted):
        return True
    if _EVERY_PART.search(wanted) and (_ITEM.search(wanted) or _TO_THE_LETTER.search(plain)):
        return True
    is_all = bool(_WHOLE.search(wanted) or _TO_THE_LETTER.search(plain))
    return is_all and _is_of_an_item(wanted)


def _is_of_an_item(wanted: str) -> bool:
    """Whether what is wanted is an item, or a place in one, and not something that it says."""
    item = _ITEM.search(wanted) or _EVERYTHING.search(wanted)
    if item is None:
        return False
    before = wanted[: item.start()]
    heads = {match[1].casefold() for match in _OF.finditer(before)}
    part = _PART.search(before)
    is_part = part is not None and part[0].casefold() not in _HEADS
    return not is_part and heads <= _HEADS


def _is_sliced(plain: str) -> bool:
    sizes = [re.sub(r"\D", "", match[1] or "") for match in _SLICE.finditer(plain)]
    if any(not size or int(size) >= _MANY for size in sizes):
        return True
    ranges = [abs(int(last) - int(first)) for first, last in _RANGE.findall(plain)]
    to_the_letter = _TO_THE_LETTER.search(plain) is not None
    return (
        any(span >= _MANY for span in ranges)
        or (to_the_letter and bool(ranges or _THE_NEXT.search(plain)))
        or bool(_GOES_ON.search(plain) or _COUNTED.search(plain))
        or bool(_SEQUENCE.search(plain) and (to_the_letter or _COMMAND.search(plain)))
    )
