"""Why a statement is withheld, in words that repeat nothing of it; how sure a repair must be."""

from __future__ import annotations

# A citation that the drafter did not give must be beyond doubt.
REPAIRED = 0.8
# With so few words beside it a quotation is all that is said.
FEW_WORDS = 3
DENIED = "It affirms what the cited words deny, or denies what they affirm."
OPPOSED = "It states the opposite of the cited words."
MISPLACED = "A figure or a name in it belongs to something else at the cited place."
MISATTRIBUTED = "It is not said by, or of, whom it names."
SUPPOSED = "What the cited words only suppose is stated as a fact."
PLANNED = "What the cited words only plan is said to be done."
UNCONDITIONAL = "What the cited words say under a condition is said to hold in any case."
NOT_THEN = "The cited words say it of another time than was asked about."
NOT_SAID = "The cited words do not say it."
NEAR = "The cited words come near it, and do not say it."
# What is cited speaks against it: nothing else in the context makes it true.
AGAINST = frozenset((DENIED, OPPOSED, MISPLACED, MISATTRIBUTED, SUPPOSED, PLANNED, UNCONDITIONAL))
