"""What English writes in digits and signs beyond quantities and times: ordinals, years, fractions, codes."""

import re

from edgevox.speech.normalise.numbers import Numbers

_FRACTIONS = {
    "1/2": "one half", "1/3": "one third", "2/3": "two thirds", "1/4": "one quarter", "3/4": "three quarters",
    "1/5": "one fifth", "1/8": "one eighth", "½": "one half", "⅓": "one third", "⅔": "two thirds", "¼": "one quarter",
    "¾": "three quarters", "⅛": "one eighth",
}  # fmt: skip
_YEAR = r"(1[1-9]\d\d|20\d\d)"
_YEARS = re.compile(rf"\b{_YEAR}\s?[-–]\s?{_YEAR}\b")
_YEAR_AFTER = re.compile(
    rf"\b(in|since|of|from|until|till|by|before|after|year|during|around|circa) {_YEAR}\b(?![.,]?\d|%|-| [a-z])",
    re.IGNORECASE,
)
_YEAR_AT_END = re.compile(
    rf"\b(in|since|from|until|by|year) {_YEAR}(?= (?:and|was|were|the|to|it|we|he|she|they|when|with)\b)",
    re.IGNORECASE,
)
_DECADE = re.compile(r"\b(1[1-9]|20)?(\d0)s\b")
_ORDINAL = re.compile(r"\b(\d{1,3}(?:,\d{3})*|\d+)(?:st|nd|rd|th)\b")
_MIXED = re.compile(r"\b(\d+)[ ]?(1/2|1/3|2/3|1/4|3/4)(?![\d/])|(?<![\d/])(\d+)?\s?([½⅓⅔¼¾⅛])")
_SIMPLE = re.compile(r"(?<![\d/.])(1/2|1/3|2/3|1/4|3/4|1/5|1/8)(?![\d/])")
_OVER = re.compile(r"(?<![\d/.])(\d{1,3})/(\d{1,3})(?![\d/])")
_PHONE = re.compile(r"(?<![\w.])(?:\+\d{1,3}[ -])?\(?\d{3}\)?[ -]\d{3}[ -]\d{4}\b|\b\d{3}-\d{4}\b")
_NUMBER_SIGN = re.compile(r"\b[Nn]os?\.\s?(?=\d)")
_SAINT = re.compile(r"\bSt\.(?=\s[A-Z])")
_STREET = re.compile(r"(?<=[a-z]) St\.")
_TIMES = re.compile(r"\b(\d+)x\b")
_BY = re.compile(r"\b(\d+)\s?[x×]\s?(\d+)\b")


def apply(text: str, numbers: Numbers) -> str:
    """Return `text` with what only English has in words."""
    text = _SAINT.sub("Saint", _STREET.sub(" Street", text))
    text = _NUMBER_SIGN.sub("number ", text)
    text = _PHONE.sub(lambda match: _phone(match[0], numbers), text)
    text = _YEARS.sub(lambda m: f"{numbers.year(int(m[1]))} to {numbers.year(int(m[2]))}", text)
    for pattern in (_YEAR_AFTER, _YEAR_AT_END):
        text = pattern.sub(lambda m: f"{m[1]} {numbers.year(int(m[2]))}", text)
    text = _DECADE.sub(lambda m: _decade(m[1], int(m[2]), numbers), text)
    text = _ORDINAL.sub(lambda m: numbers.ordinal(int(m[1].replace(",", ""))), text)
    text = text.replace("24/7", "24 7")
    text = _MIXED.sub(_mixed, text)
    text = _SIMPLE.sub(lambda m: _FRACTIONS[m[1]], text)
    text = _OVER.sub(r"\1 over \2", text)
    text = _BY.sub(r"\1 by \2", text)
    return _TIMES.sub(r"\1 times", text)


def _mixed(match: re.Match[str]) -> str:
    whole, part = match[1] or match[3], _FRACTIONS[match[2] or match[4]]
    if not whole:
        return part
    return f"{whole} and {part.replace('one half', 'a half').replace('one quarter', 'a quarter')}"


def _phone(text: str, numbers: Numbers) -> str:
    groups = re.findall(r"\d+", text)
    plus = "plus " if text.startswith("+") else ""
    return plus + ", ".join(numbers.digits(group) for group in groups)


def _decade(century: str | None, tens: int, numbers: Numbers) -> str:
    names = {0: "hundreds", 10: "tens", 20: "twenties", 30: "thirties", 40: "forties", 50: "fifties", 60: "sixties",
             70: "seventies", 80: "eighties", 90: "nineties"}  # fmt: skip
    if century == "20" and tens == 0:
        return "two thousands"
    return f"{numbers.spell(century)} {names[tens]}" if century else names[tens]
