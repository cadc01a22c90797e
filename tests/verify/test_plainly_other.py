"""What one sentence or row plainly says otherwise, beside what it does say."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.moves import moves_wrongly_in_row
from tipstaff.verify.support import check_support


def row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


def texts(*sentences: str) -> list[EvidenceText]:
    return [EvidenceText(one, block=1) for one in sentences]


AIR = texts("The set point of the air in the empty main hall was lowered from 30 to 18 on 20 June.")
LOTS = texts("Lot A was all in steel, lot B had nine months in old barrels, and lot C in new ones.")
COURSE = [row(("Course", "Improvers"), ("Places before", "260"), ("Places now", "150"))]
URN = [row(("service", "Biodegradable urn"), ("fee 2025", "£130"), ("fee 2026", "£120"))]
FILTER = [row(("Substance", "Mercury"), ("Limit", "50"), ("Old filter", "46"))]
CHLORINE = [
    row(("date", "2025-08-19"), ("time", "07:00"), ("combined chlorine", "0.18 mg/l")),
    row(("date", "2025-08-19"), ("time", "15:00"), ("combined chlorine", "0.24 mg/l")),
]
CARBON = texts("Activated carbon is supplied at £2.85 per kilogram.")
COVER = texts("If the alarm sounds, close the mirror cover first and the shutter second.")
ILLNESS = texts(
    "No deduction is due where the delay was caused by force majeure.",
    "Illness of a translator and failure of the Agency's own equipment are not force majeure.",
)
UNDECIDED = texts("Not decided: whether to drop the surcharge for chapter 7.")
MARK = texts("The second review passed Polish, but Finnish missed the mark by 0.6 points.")
MOISTURE = [row(("Property", "Moisture (%)"), ("Norrvik", "9.8"), ("Baltwood", "11.2"))]
SHIFTS = texts("Ms Fairley had proposed them; Mr Okafor was against them.")
PRICES = texts("Its value rose because langoustine prices were unusually high from May onwards.")
NOTICE = texts("The Holder shall not abstract while a red bathing-water notice is in force.")
RAISE = texts("Ms Beaumont proposed raising the ticket to £14.00.", "No decision was taken.")
ICE = texts("The small standby compressor yields only 7 tonnes a day.")
FEE = texts("The fee for an application is £600.", "It is not refunded if the application fails.")
INSURER = texts(
    "Nobody was hurt and no lift was damaged.",
    "The insurance paid nothing, since its waiting period is seven days.",
)
QUOTES = texts(
    "Steiner wants CHF 38,500 for all towers, fitted by 7 November.",
    "Garaventa would change only tower 9, for CHF 4,900.",
)
DELAY = [row(("guards", "trip"), ("trip delay", "250 milliseconds"))]
VOTES = [
    EvidenceText("Scale.", block=1),
    EvidenceText("Carried, 8 to 4.", block=1, before="Scale."),
    EvidenceText("Highway safety.", block=2),
    EvidenceText("Carried, 7 to 5.", block=2, before="Highway safety."),
]
RANG = [
    EvidenceText("The call came at five to five, Piet.", author="Rowan Achterby"),
    EvidenceText("It was ten to six.", author="Piet Lascombe"),
]
HERD = texts("The Supplier pays per head: cattle EUR 128.00; calves EUR 74.00; pigs EUR 26.50.")
LOANS = texts(
    "Loan B, Municipal Credit Fund: €6.9 million, due 2031",
    "Loan C, Kestrel Bank: €1.5 million, due 2027, may be prepaid for a fee of €22,000",
)
TESSEL = texts("Tessel may not suspend deliveries because of a dispute on clause 8.")
ZLOTY = texts("They offer twenty thousand zloty.")
RESERVE = texts(
    "Base cost in the October budget is $3,880,000.",
    "I recommend a contingency of 12 percent, which is $465,600.",
)
PIPES = texts("Sponsor a front pipe: £750", "Sponsor a whole stop: £6,000")
CROWN = [row(("Treatment", "Crown"), ("Until 30 June", "£690"), ("From 1 July", "£725"))]
TOWERS = [row(("Source", "Tower admissions"), ("2024-25", "£118,260"), ("2023-24", "£121,500"))]
APPEAL = texts("The appeal brought in £31,750 from 894 donors, against a target of £40,000.")
FUNDS = [row(("Source", "Total"), ("Promised", "£2,008,000"), ("Received by May", "£1,416,650"))]
BOND = texts("9.2 The Surety may not cancel this bond for non-payment of its premium.")
LEND = texts("4.1 The Borrower may not lend the drawings without written consent.")
DRILL = texts("Brannock quoted 5,600 pounds to redrill it.", "It was cleared in March for 900.")
RATINGS = texts(
    "Brackenhurst: Good (October 2024).",
    "Corder House: Outstanding (May 2025).",
    "The reports hang in each entrance hall.",
)
AUDIT = [row(("", "audit"), ("tidewell", "weekly"), ("corder house", "monthly"))]
FLAMES = [
    EvidenceText("I was told at 06:50.", author="Tomasz Wilk", block=1),
    EvidenceText(
        "Petra Lind, the breakfast cook, saw flames in the canopy and rang 999.",
        author="Tomasz Wilk",
        block=1,
    ),
]
CARGO = texts("A claim of £6,420 has been lodged with Marlow Marine, the cargo insurer.")
SALES = texts(
    "The fall in profit came mainly from the price of green coffee.",
    "Wholesale roasted sales fell because the Fennimore hotel group left in May 2025.",
    "Samir asked whether Tidewell should put up its prices.",
)
AGENTS = [row(("Site", "Leeds"), ("Agents", "19"), ("Median first reply", "48 minutes"))]
PROFIT = texts("Profit before tax was 412,000 pounds (2023: 437,000).")
LORRIES = texts("After opening we expect 22 lorries a week, compared with 17 now.")
RHEOMETER = [row(("item", "Rheometer"), ("group", "Polymers"), ("status", "refused"))]
OVEN = [row(("item", "Oven"), ("group", "Ceramics"), ("status", "on order"))]
MILL = [EvidenceText("I have been borrowing a ball mill from Durham.", author="Lena Okafor")]
HEARING = texts("Ms Wray would not object to a hearing by video.")
CABLE = texts("New cable was ordered on 13 December, and the supplier delivered it on 8 January.")
HARFIELD = texts("Ms Wray has taken three late repairs in Harfield out of the statement.")
FEEDS = [
    row(
        ("", "interfaces"),
        ("northmark events", "{enabled: true, poll_minutes: 15}"),
        ("velsen tracking", '{enabled: false, reason: "no test account before May"}'),
    )
]
OWNERS = [
    EvidenceText(one, surroundings="Risk assessment", block=1)
    for one in (
        "R-04 has no owner.",
        'I have put "(none)" in the register because it is true.',
        "38,750 certificates went out from a module nobody can safely change.",
    )
]
RATES = texts(
    "Rates may be raised once a year, on 1 April, and never by more than 5 per cent.",
    "Invoices are due within 30 days.",
    "Late payment bears interest at 4 per cent a year.",
)
TRENCHES = [
    row(("Trench", "3"), ("Area (m²)", "2,480 m²")),
    row(("Trench", "4"), ("Area (m²)", "1,800 m²")),
]
EXAM = [row(("Exam", "German B1"), ("Pass rate", "77.3%"), ("Pass rate 2023-24", "81.5%"))]
LEGS = texts("The turning of chair legs is excepted and may be given to others without consent.")
BACKFILL = texts(
    "The Unit is not obliged to backfill trenches, save where the officer asks for it."
)
GLUE = [
    EvidenceText(
        "Glue and screws are provided by the Supplier at its own cost.",
        nearby="The Buyer shall provide the beech.",
    )
]
SEATS = [row(("date", "13 May"), ("production", "The Log"), ("seats", "90"), ("sold", "83"))]
BOARD = texts(
    "Mr Okafor reported that the insurer has offered EUR 71,000.",
    "The claim had been for EUR 96,500.",
    "The board did not accept the offer and asked him to negotiate further.",
)
FURNACE = texts("The Builder guarantees twelve years for the crown and ten years for the throat.")
FAN = texts("Fan B vibrates at 7.8 millimetres per second and the limit is 4.5.")
MILK = texts("From 1 January milk above the limit loses 1.5 cents per kg.")
DEBT = [
    row(
        ("Item (EUR thousand)", "Bank debt at year end"), ("2023/24", "5,600"), ("2024/25", "4,900")
    )
]
DAMP = [row(("moisture reading", "Lantern room"), ("March 2025", "16.1"), ("August 2025", "18.3"))]
ITEMS = [row(("Item", "Other operating items"), ("Sept 30, 2025", "85"), ("June 30, 2025", "60"))]
HEADS = texts("The levy is £5 per head.")
SCHOOLS = texts(
    "The share of schools was 8 per cent of the visitors, against 11 per cent the year before."
)
HONEY = texts("The honey earns a levy of 74 pence per kilogram.")
MESH = [row(("filter", "second"), ("mesh_micrometres", "400"))]
STEEL = texts("The steelwork was the only heading that came in below its budget.")
VAN = texts("Volumes travel in a closed van at 16 to 20 degrees Celsius.")
BATCH = [row(("batch", "B13"), ("rejected images", "402"), ("status", "accepted after rescan"))]
LAMP = [row(("date", "2025-08-18"), ("time", "15:00"), ("remark", "second lamp on from 13:00"))]


@pytest.mark.parametrize(
    ("true", "false", "evidence"),
    [
        (
            "The throat is guaranteed for ten years.",
            "The throat is guaranteed for twelve years.",
            FURNACE,
        ),
        ("The honey earns 74 pence per kilogram.", "The honey earns 74 pence per jar.", HONEY),
        (
            "Milk above the limit loses 1.5 cents per kg.",
            "Milk above the limit loses 1.5 cents per litre.",
            MILK,
        ),
        (
            "Bank debt fell from EUR 5.6 million to EUR 4.9 million.",
            "Bank debt grew from EUR 4.9 million to EUR 5.6 million.",
            DEBT,
        ),
        (
            "In the lantern room the moisture reading rose between March and August.",
            "In the lantern room the moisture reading fell between March and August.",
            DAMP,
        ),
        (
            "The share of schools was 8 per cent, against 11 per cent the year before.",
            "The share of schools rose from 8 per cent to 11 per cent.",
            SCHOOLS,
        ),
        (
            "Scale was carried 8 to 4 and highway safety was carried 7 to 5.",
            "Scale was carried 7 to 5 and highway safety was carried 8 to 4.",
            VOTES,
        ),
        (
            "By Achterby's own account the call came at five to five.",
            "By Lascombe's own account the call came at five to five.",
            RANG,
        ),
        (
            "Cattle are EUR 128.00 per head and calves EUR 74.00.",
            "Calves are EUR 128.00 per head and cattle EUR 74.00.",
            HERD,
        ),
        (
            "Loan C may be prepaid for a fee of €22,000.",
            "Loan B may be prepaid for a fee of €22,000.",
            LOANS,
        ),
        (
            "Tessel may not suspend deliveries because of a dispute.",
            "Tessel may hold back its deliveries because of a dispute.",
            TESSEL,
        ),
        ("They offer twenty thousand zloty.", "They offer twenty thousand pounds.", ZLOTY),
        (
            "Contingency is 12 percent of the base cost.",
            "The base cost is 12 percent of the contingency.",
            RESERVE,
        ),
        ("Other operating items rose to 85.", "Other operating items fell to 85.", ITEMS),
        ("The levy is £5 per person.", "The levy is £5 per year.", HEADS),
        ("The mesh is 400 micrometres.", "The mesh is 400 millimetres.", MESH),
        ("Fan B vibrates at 7.8 mm per second.", "Fan A vibrates at 7.8 mm per second.", FAN),
        (
            "The only heading that came in below its budget was the steelwork.",
            "Steelwork was the only heading that went over its budget.",
            STEEL,
        ),
        (
            "The volumes travel at 16 to 20 degrees Celsius.",
            "The volumes travel at 16 to 20 degrees Fahrenheit.",
            VAN,
        ),
        ("Batch B13 was accepted after rescan.", "Batch B13 was rejected.", BATCH),
        (
            "A front pipe costs £750 and a whole stop £6,000.",
            "A front pipe costs £6,000 and a whole stop £750.",
            PIPES,
        ),
        (
            "The second lamp was on before the 15:00 reading of 18 August.",
            "The second lamp was on after the 15:00 reading of 18 August.",
            LAMP,
        ),
        ("The set point was lowered on 20 June.", "The set point was raised on 20 June.", AIR),
        ("Lot B had nine months in old barrels.", "Lot A had nine months in old barrels.", LOTS),
        (
            "Improvers have 150 places now.",
            "Improvers have more places now than before.",
            COURSE,
        ),
        ("The biodegradable urn goes down in 2026.", "The biodegradable urn goes up in 2026.", URN),
        ("The limit for mercury is 50.", "The old filter exceeded the mercury limit.", FILTER),
        (
            "Combined chlorine was 0.18 mg/l at 07:00 and 0.24 mg/l at 15:00.",
            "Combined chlorine was 0.24 mg/l at 07:00 and 0.18 mg/l at 15:00.",
            CHLORINE,
        ),
        ("Carbon is supplied at £2.85 per kg.", "Carbon is supplied at £2.85 per tonne.", CARBON),
        (
            "The mirror cover is closed first and the shutter second.",
            "The shutter is closed first and the mirror cover second.",
            COVER,
        ),
        (
            "The illness of a translator is not force majeure.",
            "The illness of a translator is treated as force majeure.",
            ILLNESS,
        ),
        (
            "It was not decided whether to drop the surcharge for chapter 7.",
            "It was decided to drop the surcharge for chapter 7.",
            UNDECIDED,
        ),
        ("Finnish missed the mark by 0.6 points.", "Finnish was 0.6 points above the mark.", MARK),
        (
            "The moisture was 9.8% for Norrvik and 11.2% for Baltwood.",
            "The moisture was 11.2% for Norrvik and 9.8% for Baltwood.",
            MOISTURE,
        ),
        ("They were proposed by Ms Fairley.", "They were proposed by Samuel Okafor.", SHIFTS),
        ("Langoustine prices were unusually high.", "Cod prices were unusually high.", PRICES),
        (
            "The Holder may not abstract while a red bathing-water notice is in force.",
            "It may go on while a red bathing-water notice is in force.",
            NOTICE,
        ),
        ("No decision was taken.", "The trustees took the decision to raise it.", RAISE),
        ("The compressor yields 7 tonnes a day.", "The compressor yields 7 tonnes an hour.", ICE),
        (
            "The fee is not refunded if the application fails.",
            "The fee is refunded if the application fails.",
            FEE,
        ),
        (
            "The insurance paid nothing because its waiting period is seven days.",
            "The insurance paid nothing because no lift was damaged.",
            INSURER,
        ),
        ("Garaventa would change tower 9 for CHF 4,900.", "Steiner asks for CHF 4,900.", QUOTES),
        ("The trip delay is 250 milliseconds.", "The trip delay is 250 seconds.", DELAY),
        (
            "A crown costs £690 until 30 June and £725 from 1 July.",
            "A crown costs £725 until 30 June and £690 afterwards.",
            CROWN,
        ),
        (
            "Tower admissions fell from the year before.",
            "Tower admissions rose from the year before.",
            TOWERS,
        ),
        (
            "The appeal missed its target of £40,000.",
            "The appeal exceeded its target of £40,000.",
            APPEAL,
        ),
        ("£1,416,650 has been received.", "The sum of £2,008,000 has been received.", FUNDS),
        (
            "Trench 3 covers 2,480 m² and Trench 4 covers 1,800 m².",
            "Trench 3 covers 1,800 m² and Trench 4 covers 2,480 m².",
            TRENCHES,
        ),
        (
            "The German B1 rate fell to 77.3%.",
            "The German B1 rate went up and now stands at 77.3%.",
            EXAM,
        ),
        (
            "The turning of chair legs may be given to others without consent.",
            "The turning of chair legs may not be given to others without consent either.",
            LEGS,
        ),
        (
            "The Unit is not obliged to backfill trenches, save where the officer asks for it.",
            "The Unit is obliged to backfill the trenches, whether or not the officer asks for it.",
            BACKFILL,
        ),
        (
            "Glue and screws are provided by the Supplier at its own cost.",
            "Glue and screws are provided by the Buyer at its own cost.",
            GLUE,
        ),
        ("On 13 May 83 seats were sold.", "On 13 May The Log was sold out.", SEATS),
        (
            "The board did not accept the offer.",
            "The board accepted the offer of EUR 71,000.",
            BOARD,
        ),
        ("The total promised is £2,008,000.", "The total of £2,008,000 has been paid.", FUNDS),
        (
            "Interest is 4 per cent a year, and rates may be raised once a year.",
            "Interest is 4 per cent a year, and rates may be raised twice a year.",
            RATES,
        ),
        (
            "The Surety may not cancel the bond for non-payment of its premium.",
            "The Surety may cancel the bond if its premium is not paid.",
            BOND,
        ),
        (
            "The Borrower may not lend the drawings without written consent.",
            "The Borrower may lend the drawings without written consent.",
            LEND,
        ),
        ("Brannock quoted £5,600 to redrill it.", "Brannock redrilled it for £5,600.", DRILL),
        (
            "Corder House is rated Outstanding (May 2025).",
            "Brackenhurst is rated Outstanding (May 2025).",
            RATINGS,
        ),
        ("The audit at Tidewell is weekly.", "The audit at Corder House is weekly.", AUDIT),
        (
            "Petra Lind saw flames in the canopy and rang 999.",
            "Tomasz Wilk saw flames in the canopy and rang 999.",
            FLAMES,
        ),
        (
            "A claim of £6,420 has been lodged with Marlow Marine.",
            "It has received £6,420 from Marlow Marine, the cargo insurer.",
            CARGO,
        ),
        (
            "Wholesale roasted sales fell because the Fennimore hotel group left in May 2025.",
            "Wholesale roasted sales fell because Tidewell put up its prices in May 2025.",
            SALES,
        ),
        (
            "Profit before tax fell to £412,000 from £437,000.",
            "Profit before tax rose to £412,000.",
            PROFIT,
        ),
        (
            "After opening there will be more lorries, 22 a week.",
            "After opening there will be fewer lorries, 22 a week.",
            LORRIES,
        ),
        (
            "The oven for the Ceramics group is on order.",
            "The rheometer for the Polymers group was on order.",
            [*OVEN, *RHEOMETER],
        ),
        (
            "Lena Okafor has been borrowing a ball mill from Durham.",
            "Lena Okafor has been lending a ball mill to Durham.",
            MILL,
        ),
        (
            "Ms Wray would not object to a hearing by video.",
            "Ms Wray would not accept a hearing by video.",
            HEARING,
        ),
        (
            "The new cable was ordered on 13 December.",
            "The new cable was delivered on 13 December.",
            CABLE,
        ),
        (
            "Ms Wray has taken three late repairs in Harfield out of the statement.",
            "Ms Wray added three late repairs in Harfield to the statement.",
            HARFIELD,
        ),
        (
            "Velsen tracking has no test account before May.",
            "Northmark events has no test account before May.",
            FEEDS,
        ),
        (
            "The risk R-04 has no owner.",
            "The risk is that nobody has taken responsibility for the data in the register.",
            OWNERS,
        ),
        # A header speaks to nobody.
        ("Leeds has 19 agents.", "Leeds has 48 agents.", AGENTS),
    ],
)
def test_what_is_said_is_kept_and_what_is_not_is_withheld(
    true: str, false: str, evidence: list[EvidenceText]
) -> None:
    assert check_support(true, [evidence]).support is not Support.UNVERIFIED
    assert check_support(false, [evidence]).support is Support.UNVERIFIED


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        (
            "The noise may not go above 68 dB at 100 km/h.",
            texts("The noise shall not exceed 68 dB at 100 km/h."),
        ),
        (
            "An application must reach the Authority at least six months before it.",
            texts(
                "An application shall reach the Authority not later than six months before expiry."
            ),
        ),
        (
            "A transfer needs written consent.",
            texts("It may not be transferred without consent in writing."),
        ),
        ("Footfall declined by 22% over two years.", texts("Footfall fell by 22% in two years.")),
        (
            "Its contract expires on 31 December 2025.",
            texts("Its contract ends on 31 December 2025."),
        ),
        (
            "Nineteen of them have driven more than 300,000 km.",
            texts("The mean age is 6.8 years; nineteen of them have driven more than 300,000 km."),
        ),
        ("A full turn takes 240 seconds.", texts("A full turn takes 4 minutes.")),
        (
            "The last six are to be delivered by 30 April 2026.",
            texts("The first six are delivered by 1 May 2025 and the last six by 30 April 2026."),
        ),
        ("The warranty was half a year.", texts("The warranty was 6 months.")),
    ],
)
def test_what_is_said_in_other_forms_is_kept(statement: str, evidence: list[EvidenceText]) -> None:
    assert check_support(statement, [evidence]).support is not Support.UNVERIFIED


def test_of_a_year_and_a_month_of_it_neither_is_the_later() -> None:
    place = row(("Item", "Fuel"), ("2025", "85"), ("March 2025", "60"))
    assert not moves_wrongly_in_row("Fuel went from 60 to 85.", [place])
    assert not moves_wrongly_in_row("Fuel went from 85 to 60.", [place])
