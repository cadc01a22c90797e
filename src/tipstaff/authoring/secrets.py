"""Secrets that can be recognised in a text: keys, tokens of known makers, passwords by their look.

A warning is worth the most where it is never wrong, so what has no prefix must be named as a secret
and look random.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from tipstaff.authoring.recognised import Recognised

_KEY_BLOCK = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_PREFIXED = (
    ("AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abposr]-[A-Za-z0-9-]{10,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("OpenAI key", r"\bsk-(?!ant-)(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}"),
    ("Stripe key", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("Google API key", r"\bAIza[0-9A-Za-z_-]{35}\b"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)
_TOKENS = tuple((kind, re.compile(pattern)) for kind, pattern in _PREFIXED)
_IN_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:([^\s/@]{3,128})@")
_NAMED = re.compile(
    r"\b(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|auth)\w{0,20}"
    r"[\"']?\s{0,3}(?:[:=]|=>)\s{0,3}[\"']?([A-Za-z0-9+/_=.~!@#$%^&*-]{12,200})",
    re.IGNORECASE,
)
# Bits a character: words have less, random letters and digits more.
_RANDOM_BITS = 3.2


def secrets_in(text: str) -> Iterator[Recognised]:
    """Each with its range; what two patterns see is told once."""
    taken: list[tuple[int, int]] = []
    for found in sorted(_all(text), key=lambda one: (one.start, -one.end)):
        if not any(start < found.end and found.start < end for start, end in taken):
            taken.append((found.start, found.end))
            yield found


def _all(text: str) -> Iterator[Recognised]:
    for match in _KEY_BLOCK.finditer(text):
        yield Recognised("private key", match.start(), match.end(), is_secret=True)
    for kind, pattern in _TOKENS:
        for match in pattern.finditer(text):
            if _looks_random(match.group()):
                yield Recognised(kind, match.start(), match.end(), is_secret=True)
    for match in _IN_ADDRESS.finditer(text):
        yield Recognised("password in an address", *match.span(1), is_secret=True)
    for match in _NAMED.finditer(text):
        if _looks_random(match[1]):
            yield Recognised("password or token", *match.span(1), is_secret=True)


def _looks_random(value: str) -> bool:
    """Not a word, not a placeholder: letters and digits mixed, and few of them repeated."""
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_both and entropy_bits(value) >= _RANDOM_BITS


def entropy_bits(value: str) -> float:
    """Shannon's entropy, in bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
