"""Who is meant by initials: minutes name those who are present and then write "KT: …"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from tipstaff.facts.titles import TITLES

# Bounded: an item may be one word of a million letters.
_PERSON = re.compile(
    r"\b[A-ZÀ-Þ][a-zà-ÿ][\w’'-]{0,40}(?: [A-ZÀ-Þ]\.)?(?: [A-ZÀ-Þ][a-zà-ÿ’'][\w’'-]{0,40}){1,2}"
)
_INITIALS = re.compile(r"(?<![\w.-])[A-ZÀ-Þ]{2,4}(?:-[A-ZÀ-Þ])?(?![\w-])")
_EXPLAINED = r"([\w’'-]{{1,40}}) \({}\)"


def initials(text: str) -> dict[str, str]:
    """Of the initials that stand in a text, those of one person whom it names in full, and of
    nobody and nothing else."""
    used = set(_INITIALS.findall(text))
    if not used:
        return {}
    people: dict[str, set[str]] = defaultdict(set)
    for found in _PERSON.finditer(text):
        words = [word for word in found.group().split() if word.lower().strip(".") not in TITLES]
        if len(words) > 1:
            for short in _shortened(words) & used:
                people[short].add(" ".join(words))
    return {
        short: name
        for short, (name, *others) in ((short, sorted(names)) for short, names in people.items())
        if not others and not _is_something_else(short, name, text)
    }


def with_names(text: str, known: Mapping[str, str]) -> str:
    """A text with names in the place of initials."""
    if not known:
        return text
    return _INITIALS.sub(lambda found: known.get(found.group(), found.group()), text)


def _shortened(words: list[str]) -> set[str]:
    """Amara Dilworth-Kee is AD-K, ADK or AD."""
    first = [word[0] for word in words]
    *_, last = words
    parts = [part[0] for part in last.split("-") if part]
    before = "".join(first[:-1])
    return {
        before + parts[0],
        before + "".join(parts),
        before + "-".join(parts),
        words[0][0] + parts[0],
    }


def _is_something_else(short: str, name: str, text: str) -> bool:
    """ "the Kent Trust (KT)": a text that says what the letters stand for says who they are not."""
    explained = re.findall(_EXPLAINED.format(re.escape(short)), text)
    return any(word != name.rsplit(maxsplit=1)[-1] for word in explained)
