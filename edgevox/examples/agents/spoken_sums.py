"""Writes spoken arithmetic with digits and signs: *twelve times seven*, *fünfzehn Prozent von achtzig*.

Knows the words of five languages. Works nothing out: that is `calculator`.
"""

import functools
import re
from collections.abc import Mapping

from edgevox.intents.lexicons import base_language, for_language
from edgevox.intents.numbers import numbers_of

_EVERYWHERE = {"×": " * ", "÷": " / ", "−": " - ", "^": " ** "}

_SIGNS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/", "over": "/",
        "to the power of": "**", "squared": "** 2", "cubed": "** 3", "modulo": "%", "the square root of": "sqrt",
        "square root of": "sqrt", "the root of": "sqrt", "percent of": "/ 100 *", "% of": "/ 100 *",
        "half of": "1 / 2 *",
    },
    "de": {
        "plus": "+", "minus": "-", "mal": "*", "multipliziert mit": "*", "geteilt durch": "/", "dividiert durch": "/",
        "durch": "/", "hoch": "**", "zum quadrat": "** 2", "im quadrat": "** 2", "modulo": "%",
        "die quadratwurzel aus": "sqrt", "die quadratwurzel von": "sqrt", "quadratwurzel aus": "sqrt",
        "die wurzel aus": "sqrt", "wurzel aus": "sqrt", "die wurzel von": "sqrt", "wurzel von": "sqrt",
        "prozent von": "/ 100 *", "% von": "/ 100 *",
    },
    "fr": {
        "le": "", "les": "", "plus": "+", "moins": "-", "fois": "*", "multiplié par": "*", "divisé par": "/",
        "sur": "/",
        "puissance": "**", "à la puissance": "**", "au carré": "** 2", "au cube": "** 3", "modulo": "%",
        "la racine carrée de": "sqrt", "racine carrée de": "sqrt", "racine de": "sqrt", "pour cent de": "/ 100 *",
        "pourcent de": "/ 100 *", "% de": "/ 100 *",
    },
    "es": {
        "el": "", "más": "+", "menos": "-", "por": "*", "multiplicado por": "*", "dividido por": "/",
        "dividido entre": "/", "entre": "/", "elevado a": "**", "al cuadrado": "** 2", "al cubo": "** 3", "módulo": "%",
        "la raíz cuadrada de": "sqrt", "raíz cuadrada de": "sqrt", "raíz de": "sqrt", "por ciento de": "/ 100 *",
        "% de": "/ 100 *",
    },
    "vi": {
        "cộng": "+", "trừ": "-", "nhân": "*", "nhân với": "*", "chia": "/", "chia cho": "/", "mũ": "**",
        "lũy thừa": "**", "bình phương": "** 2", "căn bậc hai của": "sqrt", "căn của": "sqrt",
        "phần trăm của": "/ 100 *", "% của": "/ 100 *",
    },
}  # fmt: skip
"""Language to words to the signs that they mean."""

_DECIMAL_COMMA = re.compile(r"(?<![\w,])(\d+),(\d+)(?![\w,])")
_THOUSANDS = re.compile(r"(?<![\w,.])\d{1,3}(?:,\d{3})+(?![\w,])")
_TYPED = re.compile(r"\s*[-+(]*\s*(?:\d|sqrt)(?:[\d\s.,+*/%()-]|sqrt)*[\d)]\s*|\s*\d\s*")
_SIGN = re.compile(r"[-+*/%]|sqrt")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@functools.lru_cache(maxsize=2048)
def sum_in(text: str, language: str) -> str | None:
    """Return a text if it looks like a sum: numbers with something to do between them; `None` otherwise.

    Args:
        text: a few words of an utterance.
        language: two-letter code.
    """
    typed = written(text, language)
    if not _TYPED.fullmatch(typed) or not _SIGN.search(typed.strip(" +-")):
        return None
    return text


def written(text: str, language: str) -> str:
    """Write a sum as it is typed.

    Args:
        text: what was said, or a sum that is typed already.
        language: two-letter code; English words are read in every language.
    """
    plain = " ".join(text.casefold().split())
    for sign, meant in _EVERYWHERE.items():
        plain = plain.replace(sign, meant)
    plain = _without_commas(plain, language)
    for code in dict.fromkeys((base_language(language), "en")):
        plain = _with_digits(_with_signs(plain, code), code)
    return _with_roots(" ".join(plain.split()))


def _with_signs(text: str, code: str) -> str:
    signs = _SIGNS.get(code, {})
    padded = f" {text} "
    for words in sorted(signs, key=len, reverse=True):
        wanted = rf"(?<=\d)\s*{re.escape(words)} " if words.startswith("%") else rf"(?<!\w){re.escape(words)}(?!\w)"
        padded = re.sub(wanted, f" {signs[words]} ", padded)
    return " ".join(padded.split())


def _with_digits(text: str, code: str) -> str:
    """Write number words in digits; everything else stays."""
    words = text.split()
    if not any(_WORD.fullmatch(word) for word in words):
        return text
    numbers = numbers_of(for_language(code))
    parts = [part for word in words for part in (word.split("-") if _WORD.fullmatch(word) else [word])]
    found: list[str] = []
    index = 0
    while index < len(parts):
        read = numbers.read(parts, index) if _WORD.fullmatch(parts[index]) or parts[index].isdigit() else None
        found.append(f"{read[0]:.15g}" if read is not None else parts[index])
        index += read[1] if read is not None else 1
    return " ".join(found)


def _without_commas(text: str, language: str) -> str:
    """Write a number's comma as a point, or leave it out, as the language means it."""
    if "(" in text and "," in text:  # the comma may stand between arguments
        return text
    if for_language(language).numbers.decimal_comma:
        return _DECIMAL_COMMA.sub(r"\1.\2", text)
    return _THOUSANDS.sub(lambda found: found[0].replace(",", ""), text)


def _with_roots(text: str) -> str:
    return re.sub(r"\bsqrt (\d+(?:\.\d+)?)", r"sqrt(\1)", text)
