"""Whether words stand at a place."""

from __future__ import annotations

from tipstaff.verify.quotes import stands_in


def test_the_marks_before_answered_mail_lines_are_no_words() -> None:
    passage = "> I am\n> setting contingency at 15 percent.\n>> Please stop."
    assert stands_in("I am setting contingency at 15 percent.", passage)


def test_a_sign_within_a_line_is_still_compared() -> None:
    assert not stands_in("5.2 5", "5.2 > 5")
