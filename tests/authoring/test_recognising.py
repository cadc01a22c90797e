"""Secrets and personal data are recognised by what proves them, and little else is taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.authoring.personal_data import is_iban, luhn, personal_data_in
from tipstaff.authoring.recognised import masked
from tipstaff.authoring.secrets import secrets_in

# Made here, so that nothing in this file is a token itself.
_RANDOM = "q7Zt93LmXw2Vb8Ns41KdRy60PfHj5GcT"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE", "private key"),
        ("-----BEGIN OPENSSH " + "PRIVATE KEY-----", "private key"),
        ("id AKIA" + "Q7ZT93LMXW2VB8NS", "AWS access key"),
        ("ghp_" + _RANDOM + "a1b2", "GitHub token"),
        ("xoxb-" + "123456789012-" + _RANDOM, "Slack token"),
        ("sk-ant-" + "api03-" + _RANDOM, "Anthropic key"),
        ("sk_" + "live_" + _RANDOM, "Stripe key"),
        ("AIza" + _RANDOM + "xyZ", "Google API key"),
        ("postgres://app:" + "hunter22@db.internal/x", "password in an address"),
        (f'password = "{_RANDOM}"', "password or token"),
        (f"API_KEY: {_RANDOM}", "password or token"),
    ],
)
def test_a_secret_is_recognised(text: str, kind: str) -> None:
    assert [one.kind for one in secrets_in(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "The password is changed every 90 days.",
        "token: see the vault",
        "password = changeme",
        "api_key = xxxxxxxxxxxxxxxxxxxx1",
        "secret: aaaaaaaaaaaaaaaaaaaaaaaa",
        "-----BEGIN PUBLIC KEY-----",
        "commit 4f5e3a91b2c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4",
        "https://example.com/a:b@c",
    ],
)
def test_what_only_speaks_of_secrets_is_none(text: str) -> None:
    assert not list(secrets_in(text))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("write to jane.doe@example.com", "e-mail address"),
        ("4111 1111 1111 1111", "card number"),
        ("DE89 3704 0044 0532 0130 00", "IBAN"),
        ("GB82WEST12345698765432", "IBAN"),
        ("+44 20 7946 0958", "telephone number"),
        ("(212) 555-0123", "telephone number"),
        ("12345678Z", "Spanish identity number"),
        ("X1234567L", "Spanish identity number"),
        ("529.982.247-25", "Brazilian CPF"),
        ("2 55 08 14 168 025 38", "French social security number"),
        ("RSSMRA85T10A562S", "Italian tax code"),
        ("NHS number 943 476 5919", "NHS number"),
        ("811228-9874", "Swedish personal number"),
        ("85.07.30-033.28", "Belgian register number"),
        ("131052-308T", "Finnish personal code"),
        ("PESEL 44051401359", "PESEL"),
        ("BSN: 111222333", "BSN"),
        ("11010519491231002X", "Chinese resident number"),
    ],
)
def test_personal_data_is_recognised(text: str, kind: str) -> None:
    (found,) = personal_data_in(f"See {text}, please.")
    assert found.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",
        "DE89 3704 0044 0532 0130 01",
        "12345678A",
        "529.982.247-26",
        "2 55 08 14 168 025 39",
        "RSSMRA85T10A562T",
        "NHS number 943 476 5918",
        "811228-9875",
        "85.07.30-033.29",
        "131052-308U",
        "PESEL 44051401358",
        "44051401359",
        "BSN: 111222334",
        "110105194912310021",
        "$1,234,567.89 and 12,595,600 units in 2025-11-14",
        "Revenue 48,620 | 47,480 | 44,560 | 9.1%",
        "version 2.13.4 of 3 July at 14:30",
    ],
)
def test_a_number_without_its_checksum_is_none(text: str) -> None:
    assert not list(personal_data_in(f"See {text}, please."))


@given(st.from_regex(r"[0-9]{12,18}", fullmatch=True))
def test_exactly_one_last_digit_makes_a_number_a_card(digits: str) -> None:
    assert sum(luhn(digits + str(last)) for last in range(10)) == 1


@given(st.integers(min_value=0, max_value=10**18 - 1))
def test_exactly_one_pair_of_check_digits_makes_an_iban(account: int) -> None:
    body = f"{account:018d}"
    assert sum(is_iban(f"DE{check:02d}{body}") for check in range(2, 99)) == 1


def test_what_is_shown_of_a_secret_is_of_no_use() -> None:
    assert masked(_RANDOM) == "q7Zt…"
    assert masked("abc") == "ab…"
