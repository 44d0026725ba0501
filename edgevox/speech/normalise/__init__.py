"""Writes a text the way it is spoken: the one normaliser in front of every synthesiser.

Knows numbers, times, dates, money, units, versions, abbreviations, markdown, links, code, emoji and signs, per
language. Does not know voices. What cannot be said becomes nothing.
"""

from functools import lru_cache

from edgevox.speech.normalise import english
from edgevox.speech.normalise.markup import strip_markup
from edgevox.speech.normalise.numbers import Numbers
from edgevox.speech.normalise.quantities import Quantities
from edgevox.speech.normalise.symbols import Signs, tidy
from edgevox.speech.normalise.times import Times
from edgevox.speech.normalise.vocabulary import vocabulary

__all__ = ["normalise", "speakable"]


def normalise(text: str, language: str = "en") -> str:
    """Return `text` as it is spoken; empty when it holds nothing that can be said.

    Args:
        text: a sentence or more, with any markdown.
        language: two-letter code. In languages without a vocabulary the numbers stay digits.
    """
    return _normaliser(language[:2].lower())(text)


def speakable(text: str) -> bool:
    """Whether `text` holds a letter or a digit."""
    return any(each.isalnum() for each in text)


class _Normaliser:
    """The passes of one language, in order: each leaves less for the next."""

    def __init__(self, language: str) -> None:
        self._words = vocabulary(language)
        self._numbers = Numbers(self._words)
        self._signs = Signs(self._words, self._numbers)
        self._times = Times(self._words, self._numbers)
        self._quantities = Quantities(self._words, self._numbers)

    def __call__(self, text: str) -> str:
        text = strip_markup(text, self._words)
        if not speakable(text):
            return ""
        text = self._signs.abbreviations(text)
        text = self._signs.versions(text)
        text = self._times.apply(text)
        if self._words.code == "en":
            text = english.apply(text, self._numbers)
        text = self._signs.ranges_and_signs(text)
        text = self._quantities.apply(text)
        text = self._numbers.spell_all(text)
        text = tidy(self._signs.operators(text))
        return text if speakable(text) else ""


@lru_cache(maxsize=16)
def _normaliser(language: str) -> _Normaliser:
    return _Normaliser(language)
