"""What a true statement becomes when it is changed at one place: lies by the dozen, for what only
looks at how words are arranged. (The model of support learned nothing good from such.)"""

import random
import re

from tipstaff.lexical.analysis import STOP_WORDS

NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
FIGURE = re.compile(r"\d[\d.,:/-]*\d|\d")
WORD = re.compile(r"\b[a-z]{5,}\b")
SUBJECT = re.compile(r"(?:The |Mr |Ms |Dr )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
CONDITION = re.compile(
    r",? (?:unless|except|provided|if|until|only if|subject to|but only|save|apart from|where)\b[^,.;]*"
)
CLAUSE = re.compile(r", (?:and|but|which|who|because|since) ")
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|must|shall|should)\b "
)
EXCHANGED = (
    ("before", "after"), ("until", "from"), ("by", "from"), ("to", "from"), ("more", "less"),
    ("over", "under"), ("above", "below"), ("all", "some"), ("only", "also"), ("may", "must"),
    ("shall", "may"), ("would", "will"), ("if", "although"), ("unless", "if"), ("first", "last"),
    ("and", "or"), ("by", "to"), ("at least", "at most"), ("later", "earlier"),
)  # fmt: skip


def lies(said, told, seed):
    """Up to five changed statements. `told` are the passages, each under what stands above it."""
    chance = random.Random(seed)
    own = " ".join(passage.rsplit("\n", 1)[-1] for passage in told)
    made = {changed(said, own, chance), changed(said, own, chance)}
    conditions = list(CONDITION.finditer(said))
    if conditions and chance.random() < 0.7:
        made.add(without(said, chance.choice(conditions)))
    others = sorted({one.group() for one in NAME.finditer(own)} - set(NAME.findall(said)))
    subject = SUBJECT.match(said)
    if subject and others and chance.random() < 0.5:
        made.add(chance.choice(others) + said[subject.end() :])
    if len(told) > 1 and chance.random() < 0.3:
        clauses = CLAUSE.split(chance.choice(told).rsplit("\n", 1)[-1])
        if len(clauses) > 1 and 3 < len(clauses[-1].split()) < 15:
            made.add(f"{said.rstrip('.')}, and {clauses[-1]}")
    return sorted(made - {said, None})


def changed(said, own, chance):
    """With one thing in it another, or denied; None where nothing can be changed."""
    ways = [exchanged, exchanged, otherwise, otherwise, denied, denied, turned, turned, reworded]
    chance.shuffle(ways)
    return next((made for way in ways if (made := way(said, own, chance))), None)


def exchanged(said, _own, chance):
    """Two names or two figures in each other's place."""
    found = list(chance.choice((NAME, FIGURE)).finditer(said))
    if len({one.group() for one in found}) < 2:
        return None
    one, other = sorted(chance.sample(found, 2), key=re.Match.start)
    between = said[one.end() : other.start()]
    return said[: one.start()] + other.group() + between + one.group() + said[other.end() :]


def otherwise(said, own, chance):
    """With a name or a figure that the place has of something else."""
    kind = chance.choice((NAME, FIGURE))
    found = list(kind.finditer(said))
    others = sorted({one.group() for one in kind.finditer(own)} - {one.group() for one in found})
    if not found or not others:
        return None
    one = chance.choice(found)
    return said[: one.start()] + chance.choice(others) + said[one.end() :]


def denied(said, _own, _chance):
    if re.search(r"\bnot ", said):
        return re.sub(r"\bnot ", "", said, count=1).replace("do ", "", 1)
    verb = VERB.search(said)
    return said[: verb.end()] + "not " + said[verb.end() :] if verb else None


def turned(said, _own, chance):
    pairs = [*EXCHANGED, *(pair[::-1] for pair in EXCHANGED)]
    chance.shuffle(pairs)
    for one, other in pairs:
        if re.search(rf"\b{one}\b", said):
            return re.sub(rf"\b{one}\b", other, said, count=1)
    return None


def reworded(said, own, chance):
    found = [one for one in WORD.finditer(said) if one.group() not in STOP_WORDS]
    known = {one.group() for one in found}
    others = sorted({w for w in WORD.findall(own) if w not in STOP_WORDS} - known)
    if not found or not others:
        return None
    one = chance.choice(found)
    return said[: one.start()] + chance.choice(others) + said[one.end() :]


def without(said, match):
    return said[: match.start()] + said[match.end() :]
