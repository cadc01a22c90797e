"""Decide from the starch test and firmness whether a load goes to long, middle or short storage."""

from dataclasses import dataclass

# Starch index on the scale of 1 (all starch) to 10 (no starch left).
LONG_STORAGE_MAX_STARCH = 3.5
MIDDLE_STORAGE_MAX_STARCH = 5.0

# Firmness in kilograms, measured with the 11 mm plunger.
MIN_FIRMNESS_KG = {
    "Gala": 7.5,
    "Braeburn": 8.0,
    "Bramley": 8.5,
    "Cox": 7.8,
}

SAMPLE_SIZE = 20
MAX_SAMPLE_AGE_HOURS = 6


@dataclass(frozen=True)
class Sample:
    variety: str
    starch: float
    firmness_kg: float
    fruit: int
    age_hours: float


class SampleRejected(ValueError):
    """The sample is too small or too old to decide by."""


def check(sample: Sample) -> None:
    if sample.fruit < SAMPLE_SIZE:
        raise SampleRejected(f"{sample.fruit} fruit, {SAMPLE_SIZE} are needed")
    if sample.age_hours > MAX_SAMPLE_AGE_HOURS:
        raise SampleRejected(f"sample is {sample.age_hours} hours old")


def destination(sample: Sample) -> str:
    """Return "long", "middle", "short" or "juice"."""
    check(sample)
    minimum = MIN_FIRMNESS_KG.get(sample.variety)
    if minimum is None:
        # Pears are judged by hand: there is no starch chart for Conference.
        raise KeyError(sample.variety)
    if sample.firmness_kg < minimum - 1.5:
        return "juice"
    if sample.firmness_kg < minimum:
        return "short"
    if sample.starch <= LONG_STORAGE_MAX_STARCH:
        return "long"
    if sample.starch <= MIDDLE_STORAGE_MAX_STARCH:
        return "middle"
    return "short"


def latest_sale_month(where: str) -> str:
    """The month by whose end the fruit should be sold."""
    months = {"long": "May", "middle": "February", "short": "November"}
    return months[where]
