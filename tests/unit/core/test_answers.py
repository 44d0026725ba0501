import pytest

from edgevox.core.answers import understand

YES = [
    "yes", "Yes.", "YES!", "yeah", "Yep, do it", "ok", "Okay.", "sure", "yes please", "go ahead", "yes yes",
    "of course",
    "Yes, do it.",
]  # fmt: skip
NO = [
    "no", "No.", "nope", "no thanks", "don't", "don\u2019t do it", "cancel that", "never mind", "yes no", "stop",
    "please do not", "no, go ahead later",
]  # fmt: skip
NEITHER = [
    "",
    "   ",
    "maybe",
    "what",
    "yesterday",
    "the kitchen light",
    "I know nothing about okra",
    "is that the right room",
    "nobody",
]


@pytest.mark.parametrize("text", YES)
def test_nothing_but_yes_is_yes(text: str) -> None:
    assert understand(text) is True


@pytest.mark.parametrize("text", NO)
def test_a_no_anywhere_is_no(text: str) -> None:
    assert understand(text) is False


@pytest.mark.parametrize("text", NEITHER)
def test_anything_else_is_neither(text: str) -> None:
    assert understand(text) is None


@pytest.mark.parametrize(
    ("language", "yes", "no"),
    [
        ("de", "Ja, bitte.", "Nein danke!"),
        ("fr", "Oui.", "Non merci"),
        ("es", "Sí.", "No, gracias"),
        ("vi", "Đồng ý", "Không"),
    ],
)
def test_each_language_has_its_words_and_the_english_ones(language: str, yes: str, no: str) -> None:
    assert understand(yes, language) is True
    assert understand(no, language) is False
    assert understand("yes", language) is True
