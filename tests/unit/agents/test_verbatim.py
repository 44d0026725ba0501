"""Slots for any words hold what was said."""

import pytest

from edgevox.agents.verbatim import has_signs, restored


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        ("2 -3", "calculate 2 * -3", "2 * -3"),
        ("1+2)*3", "calculate (1+2)*3", "(1+2)*3"),
        ("2 2 10", "Calculate 2 + 2 * 10.", "2 + 2 * 10"),
        ("rm rf is bad", "note that rm -rf / is bad!", "rm -rf / is bad"),
        ("buy milk", "add a note: buy milk, please", "buy milk"),
        ("tea", "start a tea timer for five minutes", "tea"),
        ("the cake", "set a timer, for the cake, for five minutes", "the cake"),
        ("Buy milk", "add a note BUY MILK", "BUY MILK"),
        ("milk", "add a note buy bread", None),
        ("", "add a note", None),
        ("a b", "a c a b", "a b"),
    ],
)
def test_words_come_back_with_their_signs(value: str, text: str, said: str | None) -> None:
    assert restored(value, text) == said


@pytest.mark.parametrize(("text", "signs"), [("note that it's fine, really!", False), ("2 * 3", True), ("a/b", True)])
def test_signs_are_what_a_plain_sentence_does_not_have(text: str, signs: bool) -> None:
    assert has_signs(text) is signs
