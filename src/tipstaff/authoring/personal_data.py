"""Personal data that can be recognised in a text: by checksum where there is one, by form where
the form is plain, and by a word beside it where a number alone could be anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tipstaff.authoring.recognised import Recognised

_CARD = re.compile(r"(?<![\d.,-])(?:\d[ -]?){12,18}\d(?![\d]|[.,-]\d)")
_CARD_PREFIX = re.compile(r"3[47]|30[0-5]|36|38|4|5[1-5]|2[2-7]|6(?:011|5|4[4-9])|35")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_MAIL = re.compile(r"\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b")
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+\d{1,3}[ .-]?(?:\(0?\d{1,4}\)[ .-]?)?(?:\d{2,4}[ .-]?){2,4}\d{2,4}|"
    r"\(\d{3}\) ?\d{3}-\d{4})(?![\w-]|\.\d)"
)
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_HETU_MARKS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_FISCAL_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3,
         6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)  # fmt: skip


def personal_data_in(text: str) -> Iterator[Recognised]:
    taken: list[tuple[int, int]] = []
    for kind, pattern, is_one in _KINDS:
        for match in pattern.finditer(text):
            start, end = match.span(match.lastindex or 0)
            if any(one < end and start < other for one, other in taken):
                continue
            if is_one(re.sub(r"[ .\-/]", "", text[start:end]).upper()):
                taken.append((start, end))
                yield Recognised(kind, start, end)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1."""
    if not digits.isdigit():
        return False
    doubled = [int(d) * (1 + place % 2) for place, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def is_iban(text: str) -> bool:
    """ISO 13616: the rearranged number leaves 1 when divided by 97."""
    if not 15 <= len(text) <= 34 or not text.isalnum():
        return False
    turned = text[4:] + text[:4]
    return int("".join(str(int(mark, 36)) for mark in turned)) % 97 == 1


def _is_card(digits: str) -> bool:
    return 13 <= len(digits) <= 19 and bool(_CARD_PREFIX.match(digits)) and luhn(digits)


def _is_phone(text: str) -> bool:
    return 9 <= sum(map(str.isdigit, text)) <= 15


def _is_dni(text: str) -> bool:
    """Spain: the letter is the number modulo 23."""
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and _DNI_LETTERS[int(number) % 23] == text[-1]


def _is_cpf(text: str) -> bool:
    """Brazil: two check digits, weighted modulo 11."""
    digits = [int(mark) for mark in text]
    if len(set(digits)) == 1:
        return False
    for count in (9, 10):
        weighted = sum(d * (count + 1 - place) for place, d in enumerate(digits[:count]))
        if weighted * 10 % 11 % 10 != digits[count]:
            return False
    return True


def _is_nir(text: str) -> bool:
    """France: 97 less the number modulo 97; Corsica counts as 19 and 18."""
    body = text[:13].replace("2A", "19").replace("2B", "18")
    return body.isdigit() and 97 - int(body) % 97 == int(text[13:])


def _is_fiscal_code(text: str) -> bool:
    """Italy: odd and even places have tables of their own."""
    even = {mark: int(mark, 36) % 36 - 10 if mark.isalpha() else int(mark) for mark in text}
    total = sum(
        _FISCAL_ODD[mark] if place % 2 == 0 else even[mark] for place, mark in enumerate(text[:15])
    )
    return chr(ord("A") + total % 26) == text[15]


def _is_nhs(text: str) -> bool:
    """England: ten digits, modulo 11."""
    check = 11 - sum(int(d) * (10 - place) for place, d in enumerate(text[:9])) % 11
    return check % 11 == int(text[9]) and check != 10


def _is_personnummer(text: str) -> bool:
    """Sweden: a date, and Luhn's digit."""
    digits = text.replace("+", "")[-10:]
    return luhn(digits) and 1 <= int(digits[2:4]) <= 12 and 1 <= int(digits[4:6]) % 60 <= 31


def _is_register_number(text: str) -> bool:
    """Belgium: 97 less the number modulo 97; a 2 goes before those born since 2000."""
    body, check = text[:9], int(text[9:])
    return check in (97 - int(body) % 97, 97 - int(f"2{body}") % 97)


def _is_hetu(text: str) -> bool:
    """Finland: the mark is the number modulo 31; the dash was taken out."""
    digits = re.sub(r"[+A]", "", text[:-1])
    return digits.isdigit() and len(digits) == 9 and _HETU_MARKS[int(digits) % 31] == text[-1]


def _is_pesel(text: str) -> bool:
    """Poland: weights 1, 3, 7, 9."""
    total = sum(int(d) * (1, 3, 7, 9)[place % 4] for place, d in enumerate(text[:10]))
    return (10 - total % 10) % 10 == int(text[10])


def _is_bsn(text: str) -> bool:
    """The Netherlands: the test of eleven."""
    total = sum(int(d) * (9 - place) for place, d in enumerate(text[:8])) - int(text[8])
    return total % 11 == 0 and int(text) > 0


def _is_resident_id(text: str) -> bool:
    """China: ISO 7064, MOD 11-2."""
    total = sum(int(d) * pow(2, 17 - place, 11) for place, d in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17]


def _any(_: str) -> bool:
    return True


_Check = Callable[[str], bool]
_NATIONAL: tuple[tuple[str, str, _Check], ...] = (
    ("Spanish identity number", r"\b(?:\d{8}|[XYZ]-?\d{7})-?[A-Z]\b", _is_dni),
    ("Brazilian CPF", r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b", _is_cpf),
    ("French social security number",
     r"\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}\b", _is_nir),
    ("Italian tax code", r"\b[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]\b", _is_fiscal_code),
    ("NHS number", r"(?i:\bNHS\b)\D{0,20}\b(\d{3}[ -]?\d{3}[ -]?\d{4})\b", _is_nhs),
    ("Swedish personal number", r"\b(?:19|20)?\d{6}[-+]\d{4}\b", _is_personnummer),
    ("Belgian register number", r"\b\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}\b", _is_register_number),
    ("Finnish personal code", r"\b\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]\b", _is_hetu),
    ("PESEL", r"(?i:\bPESEL\b)\D{0,20}\b(\d{11})\b", _is_pesel),
    ("BSN", r"(?i:\bBSN\b)\D{0,20}\b(\d{9})\b", _is_bsn),
    ("Chinese resident number", r"\b[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dX]\b",
     _is_resident_id),
)  # fmt: skip
_KINDS: tuple[tuple[str, re.Pattern[str], _Check], ...] = (
    ("e-mail address", _MAIL, _any),
    ("IBAN", _IBAN, is_iban),
    *((kind, re.compile(pattern), check) for kind, pattern, check in _NATIONAL),
    ("card number", _CARD, _is_card),
    ("telephone number", _PHONE, _is_phone),
)
