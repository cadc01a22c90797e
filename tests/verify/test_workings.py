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
            "12 doors of the 41 doors were jammed, a share of 29%",
            ["41 doors in all", "12 doors jammed"],
            "12 ÷ 41 ≈ 29%",
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
            "Two stanchions at £155 each come to £310",
            ["two stanchions at £155 each", "2 bent"],
            "2 × £155 = £310",
        ),
        (
            "£32,100, £18,860 and £7,400 come to £58,360, the amount of the invoice",
            ["£32,100", "£18,860", "£7,400", "invoice £58,360"],
            "£32,100 + £18,860 + £7,400 = £58,360",
        ),
        (
            "The arrival at 09:05 was 5 hours 53 minutes after the call at 03:12",
            ["called 03:12", "on site 09:05", "within 12 hours"],
            "From 03:12 to 09:05: 5 hours 53 minutes",
        ),
        (
            "The notice of 4 July came within 30 days after 6 June",
            ["Date: Thu, 4 Jul 2024 16:58 +0200", "on 6 June 2024", "30 days"],
            "From 6 June 2024 to 4 July 2024: 28 days",
        ),
        (
            "The £3,450 of the report is £4,600 lower than the £8,050 of the table",
            ["Damages: £3,450", "month: 2025-09; damages_gbp: 8050"],
            "£8,050 − £3,450 = £4,600",
        ),
        (
            "From 17 March 2026 at 15:20 to 19 March 2026 at 10:05 there are 42 hours 45 minutes",
            ['at: "2026-03-17T15:20:00+00:00"', 'at: "2026-03-19T10:05:00+00:00"'],
            "From 17 March 2026 at 15:20 to 19 March 2026 at 10:05: 42 hours 45 minutes",
        ),
        (
            "The form of 20 April 2026 came 23 days after 28 March 2026",
            ["the form came on 20 April", "at: 2026-03-28T21:10:00Z"],
            "From 28 March 2026 to 20 April 2026: 23 days",
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


# What somebody who attacked it got told, and is not any more.
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "The report at 3:15 pm came 6 hours 45 minutes after the alarm at 10:00 am",
            ["alarm 10:00 am", "3:15 pm"],
        ),
        (
            "The engineer came on Tuesday at 09:30, 6 hours 30 minutes after the call at 16:00",
            ["Call logged Monday 16:00", "Engineer on site Tuesday 09:30"],
        ),
        (
            "The claim of 18 January came after the event of 4 December 2023",
            ["event on 4 December 2023", "Claim notified 18 January"],
        ),
        (
            "The notice of 4 July 2024 came after 6 June 2022",
            ["notice of 4 July", "6 June"],
        ),
        (
            "The alarm at 2024-03-04T10:00Z came 2 hours before 2024-03-04T12:00+02:00",
            ["2024-03-04T10:00Z alarm", "2024-03-04T12:00+02:00 call"],
        ),
        (
            "Section 4 may be used within 30 days after 6 June 2024",
            ["Section 4 may be used within 30 days", "6 June 2024"],
        ),
        ("30 days less 12 days leave 18 days", ["clause 30", "£12"]),
        ("£3,480 less £2,500 leaves £980", ["€3,480", "€2,500"]),
        ("£3,480 less £2,500 leaves £980", ["3480 keys", "2500 doors"]),
        (
            "At 2024-03-04 10:00, 2 hours before 2024-03-04 12:00",
            ["2024-03-04T10:00Z alarm", "2024-03-04T12:00+02:00 call"],
        ),
        ("EUR 12 500 less EUR 2 500 is EUR 10 000", ["EUR 12 500", "EUR 2 500"]),
        ("EUR 3.750,85 is EUR 1.500,75 plus EUR 2.250,10", ["EUR 1.500,75", "EUR 2.250,10"]),
        ("6½ acres less 2 acres leave 4½ acres", ["6½ acres", "2 acres"]),
        ("The delay of 10 days at £500 per week made £5,000", ["10 days", "£500 per week"]),
        ("50% of 4 weeks is 2 days", ["50%", "4 weeks"]),
        ("5 km and 300 m make 305 m", ["5 km", "300 m"]),
        ("A$700 less US$200 leaves A$500", ["A$700", "US$200"]),
        ("Under clause 8 the 3 crews and the 5 boats make a fleet", ["3 crews", "5 boats"]),
        ("Under clause 7 the fee of £12 and that of £5 make a sum", ["£12", "£5"]),
        ("The £102 and the £100 make less than 2", ["£102", "£100"]),
        ("About £3,480 is £980 more than £2,500", ["£3,480", "£2,500"]),
        ("The £3,480 is £980 more than £2,500", ["approximately £3,480", "£2,500"]),
        (
            "The notice came within 10 banking days, 4 July after 6 June",
            ["4 July 2024", "6 June 2024"],
        ),
        (
            "The slip, closed from 18 May 2026 to 20 May 2026, opened before the races",
            ["closed 18 May 2026 to 20 May 2026"],
        ),
        ("The drawings at 1:50 came 30 minutes after those at 1:20", ["1:50", "1:20"]),
        ("The 4,200 less 1,200 make 3,000", ["revenue in thousands 4,200", "(thousands) 1,200"]),
    ],
)
def test_what_may_be_read_otherwise_is_not_told(statement: str, told: list[str]) -> None:
    assert workings(statement, told) == []


def test_a_difference_of_per_cents_is_in_points() -> None:
    (one,) = workings("20% is 5% more than 15%", ["20% here", "15% there"])
    assert one.text == "20% − 15% = 5 percentage points"


def test_the_long_s_of_old_print_breaks_nothing() -> None:
    assert workings("The run of 1 hour 30 ſeconds came after 5 ſeptember 1902", ["1 hour"]) == []


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


def test_of_what_is_no_sentence_no_sum_is_looked_for() -> None:
    long = "£5 less £3 is £2, and 1 more than 2 " * 5_000
    assert workings(long, ["£5", "£3"]) == []
    assert workings("£5 less £3 is £2", ["£5 " * 50_000, "£3"]) == []
