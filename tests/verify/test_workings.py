"""The bare sum of a withheld sentence is told where it comes out of what is told; nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.verify.workings import workings


@pytest.mark.parametrize(
    ("statement", "told", "sum_"),
    [
        (
            "The invoice of £3,480 is £980 higher than the limit of GBP 2,500 per Event",
            ["invoice £3,480 from Pellow", "up to GBP 2,500 per Event"],
            "£3,480 − GBP 2,500 = £980",
        ),
        (
            "The claim of GBP 2,910 is GBP 505 higher than the 2,405 that she named",
            ["GBP 2,910, being the ceiling", "the sum is 2,405 at most"],
            "GBP 2,910 − 2,405 = GBP 505",
        ),
        (
            "7.5% of the Contract Sum of EUR 6,840,000 is EUR 513,000",
            ["means EUR 6,840,000", "shall not exceed 7.5% of it"],
            "7.5% of EUR 6,840,000 = EUR 513,000",
        ),
        (
            "15% for M1, 40% for M2 and 30% for M3 are 85% together",
            ["M1 15%", "M2 40%", "M3 30%"],
            "15% + 40% + 30% = 85%",
        ),
        (
            "The 112 days less the 27 days of the storm and the 12 days of pupping leave 73 days",
            ["Total; Days: 112", "112 days", "27 days", "12 days"],
            "112 days − 27 days − 12 days = 73 days",
        ),
        (
            "11 days at EUR 4,200 for each Day make EUR 46,200",
            ["11 days late", "EUR 4,200 for each Day"],
            "11 days × EUR 4,200 = EUR 46,200",
        ),
        (
            "The unit is 11 km away, 4 km less than the 15 km of clause 8",
            ["distance: 11 km", "not less than 15 km"],
            "15 km − 11 km = 4 km",
        ),
        (
            "Of the 40 doors 12 were jammed, which is 30%",
            ["40 doors in all", "12 doors jammed"],
            "12 ÷ 40 = 30%",
        ),
        (
            "The yard's 24 working days are 4 more than the surveyor's 20 working days",
            ["24 working days, no overtime", "20 working days on the slip"],
            "24 working days − 20 working days = 4",
        ),
        (
            "25 per cent of £4,275 and 40 per cent of £6,720 come to £3,756.75 together",
            ["heel shoe £4,275", "25 per cent new for old", "bowsprit £6,720", "40 per cent"],
            "25 per cent of £4,275 + 40 per cent of £6,720 = £3,756.75",
        ),
        (
            "Two stanchions at 155 each come to 310",
            ["two stanchions; 155 each", "2 bent"],
            "2 × 155 = 310",
        ),
        (
            "£32,100, £18,860 and £7,400 come to £58,360, the amount of the invoice",
            ["£32,100", "£18,860", "£7,400", "invoice £58,360"],
            "£32,100 + £18,860 + £7,400 = £58,360",
        ),
        (
            "The arrival at 09:05 was within 12 hours of the call at 03:12",
            ["called 03:12", "on site 09:05", "within 12 hours"],
            "From 03:12 to 09:05: 5 hours 53 minutes",
        ),
        (
            "The notice of 4 July came within 30 days after 6 June",
            ["Thu, 4 Jul 2024", "on 6 June 2024", "30 days"],
            "From 6 June to 4 July: 28 days",
        ),
        (
            "45 days from 4 December 2023 run to 18 January 2024",
            ["on 4 December 2023", "within 45 days"],
            "From 4 December 2023 to 18 January 2024: 45 days",
        ),
    ],
)
def test_a_sum_that_comes_out_is_told(statement: str, told: list[str], sum_: str) -> None:
    assert [one.text for one in workings(statement, told)] == [sum_]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        # Another result; an operand that stands nowhere; roughly; other currencies.
        ("The invoice of £3,480 is £890 higher than £2,500", ["£3,480", "£2,500"]),
        ("The invoice of £3,480 is £980 higher than £2,500", ["£3,480"]),
        ("The invoice of £3,480 is about £980 higher than £2,500", ["£3,480", "£2,500"]),
        ("The invoice of €3,480 is £980 higher than £2,500", ["€3,480", "£2,500"]),
        # Nothing new is worked out.
        ("The invoice of £3,480 is above £2,500", ["£3,480", "£2,500"]),
        # Months are no number of days, working days are not counted; nothing is compared.
        ("From 4 March 2024 to 4 June 2024 it took 90 days", ["4 March 2024", "4 June 2024"]),
        ("The notice of 4 July and the letter of 6 June agree", ["4 July 2024", "6 June 2024"]),
        ("The notice of 4 July came 28 days after 6 June", ["4 July 2024", "7 June 2024"]),
        (
            "The report of 1 December came within three working days after 26 November",
            ["on 26 November 2025", "on 1 December 2025", "three working days"],
        ),
        # A range is no span; times of two days; nothing stands there but the difference.
        ("The slip is closed from 18 May to 20 May", ["18 May to 20 May 2026 inclusive"]),
        ("He was told at 10:30, after 08:10", ["on 16 June at 08:10", "on 17 June, 10:30"]),
        ("The 12 doors, 7 more than the 6 windows", ["12 doors", "6 windows"]),
        ("The notice of 4 July came 27 days after 6 June", ["4 July 2024", "6 June 2024"]),
    ],
)
def test_what_does_not_come_out_is_not(statement: str, told: list[str]) -> None:
    assert workings(statement, told) == []


MONEY = st.integers(2, 10**7)


@given(MONEY, MONEY, st.integers(-3, 3))
def test_no_sum_is_told_that_is_not_so(one: int, other: int, off: int) -> None:
    said = abs(one - other) + off
    told = [f"£{one:,}", f"£{other:,}"]
    found = workings(f"The fee of £{one:,} and the fee of £{other:,} differ by £{said:,}", told)
    for working in found:
        left, _, right = working.text.replace("£", "").replace(",", "").partition(" = ")
        numbers = [int(number) for number in left.replace("−", "+").replace("×", "+").split("+")]
        difference, total = numbers[0] - sum(numbers[1:]), sum(numbers)
        assert int(right) == (difference if "−" in left else total)


def test_of_a_table_of_figures_no_sum_is_looked_for() -> None:
    figures = [17 * number + 3 for number in range(40)]
    told = [f"{number} crowns" for number in figures]
    statement = f"Of {', '.join(map(str, figures))} crowns 999,983 were left"
    assert workings(statement, told) == []
