"""Abbreviations, versions, ranges and signs as words, and the spaces between what is left."""

import re

from edgevox.speech.normalise.numbers import Numbers
from edgevox.speech.normalise.vocabulary import Vocabulary

_VERSION = re.compile(r"\b[vV](?:ersion )?(\d+(?:\.\d+)*)(?![\w.]*\w)|(?<![\w.])(\d+(?:\.\d+){2,})(?![\w])")
_GROUPED_OR_DATE = re.compile(r"\d{1,3}(?:\.\d{3})+|\d{1,2}\.\d{1,2}\.\d{2,4}")
_NUMBERED = re.compile(r"#(?=\d)")
_MONEY_RANGE = re.compile(r"([$€£])(\d[\d.,]*)\s?[-–]\s?\1?(?=\d)")
_MINUS = re.compile(r"(?<![\w.)\]])-(?=[$€£¥₹₫]?\s?\.?\d)")
_PLUS = re.compile(r"(?<![\w+.)])\+(?=[$€£]?\.?\d)")
_BARE_POINT = re.compile(r"(?<![\w.,])\.(?=\d)")
_MATH = re.compile(r"(?<=[\d)])\s?([-+*/=<>×÷])\s?(?=[\d(]|minus )")
_FILE = re.compile(
    r"(?<=\w)\.(?=(?:py|md|txt|json|toml|yaml|yml|wav|mp3|html|css|js|ts|rs|cpp|csv|pdf|png|jpg|sh|exe)\b)"
)
_DOMAIN = re.compile(r"(?<=\w)\.(?=(?:com|org|net|io|dev|de|fr|es|vn|ai|eu|edu|gov)\b)")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.;:!?…])")
_MARKS_IN_A_ROW = re.compile(r"([,;:])(?:\s*[,;:])+|(?<=[.!?])\s*,")
_LEFTOVER = re.compile(r"[^\w\s.,;:!?'\"()\-…。！？、，；：।؟¿¡،۔·]", re.UNICODE)


class Signs:
    """Signs of one language.

    Args:
        words: its vocabulary.
        numbers: how it writes numbers.
    """

    def __init__(self, words: Vocabulary, numbers: Numbers) -> None:
        self._words = words
        names = sorted(words.abbreviations, key=len, reverse=True)
        joined = "|".join(re.escape(name) for name in names) or r"(?!)"
        self._abbreviation = re.compile(rf"(?<![\w.])({joined})(?!\w)", re.IGNORECASE)
        self._range = re.compile(rf"(?<![\w.,-])({numbers.pattern})(?:-|\s?[–—]\s?)({numbers.pattern})(?![\w-]*-\d)")

    def abbreviations(self, text: str) -> str:
        """Return `text` with its abbreviations in full."""
        return self._abbreviation.sub(self._full, text)

    def versions(self, text: str) -> str:
        """Return `text` with versions and addresses of machines as numbers with points between."""
        if not self._words.version:
            return text

        def said(match: re.Match[str]) -> str:
            if match[2] and _GROUPED_OR_DATE.fullmatch(match[2]) and self._words.decimal_comma:
                return match[0]
            parts = (match[1] or match[2]).split(".")
            point = self._words.dot if len(parts) == 4 or self._words.decimal_comma else self._words.point
            numbers = f" {point} ".join(parts)
            return f"{self._words.version} {numbers}" if match[1] else numbers

        return _VERSION.sub(said, text)

    def ranges_and_signs(self, text: str) -> str:
        """Return `text` with ranges, signs and sums of numbers in words."""
        if not self._words.minus:
            return text
        text = _NUMBERED.sub(f"{self._words.number_sign} ", text)
        text = _MONEY_RANGE.sub(rf"\2 {self._words.to} \1", text)
        text = _BARE_POINT.sub("0.", text)
        text = self._range.sub(rf"\1 {self._words.to} \2", text)
        text = _MINUS.sub(f"{self._words.minus} ", text)
        text = _PLUS.sub(f"{self._words.plus} ", text)
        return _MATH.sub(lambda match: f" {self._sum(match[1])} ", text)

    def operators(self, text: str) -> str:
        """Return `text` with the signs that are left as words, or without them."""
        words = self._words
        if words.code == "en":
            for sign, said in _ENGLISH_SIGNS.items():
                text = text.replace(sign, said)
        text = _DOMAIN.sub(f" {words.dot} ", _FILE.sub(f" {words.dot} ", text))
        text = text.replace("&", f" {words.and_} ").replace("@", f" {words.at} ").replace("%", f" {words.percent} ")
        text = re.sub(r"(?<=\w)/(?=\w)", f" {words.slash} " if words.slash else " ", text)
        text = re.sub(r"\s[–—-]+\s|—", ", ", text).replace("–", "-")
        return _LEFTOVER.sub(" ", text)

    def _full(self, match: re.Match[str]) -> str:
        word = self._words.abbreviations[match[0].lower()]
        # The full stop of an abbreviation at the end of a text is the end of its sentence too.
        return word + "." if not match.string[match.end() :].strip() and match[0].endswith(".") else word

    def _sum(self, sign: str) -> str:
        words = self._words
        table = {"-": words.minus, "+": words.plus, "=": words.equals, "*": words.times, "×": words.times}
        return table.get(sign) or {"/": words.slash, "÷": "/", "<": "<", ">": ">"}.get(sign, sign)


_ENGLISH_SIGNS = {
    "and/or": "and or",
    "C++": "C plus plus", "C#": "C sharp", "F#": "F sharp", "±": " plus or minus ", "≈": " about ", "≤": " at most ",
    "≥": " at least ", "≠": " is not equal to ", "→": " to ", "×": " times ", "÷": " divided by ", "©": " copyright ",
    "=": " equals ", "+": " plus ", "<": " less than ", ">": " greater than ", "§": " section ", "#": " hash ",
    "~": " about ",
}  # fmt: skip


def tidy(text: str) -> str:
    """Return `text` with one space between words, none before a mark, and no marks in a row."""
    text = " ".join(text.split())
    text = _SPACE_BEFORE_MARK.sub(r"\1", text)
    text = _MARKS_IN_A_ROW.sub(lambda match: match[1] or "", text)
    text = re.sub(r"\(\s*\)|\"\s*\"", "", text)
    return " ".join(text.split()).strip(" ,;:-")
