"""Written or recognised speech to comparable tokens: width, case, punctuation, hyphens.

Knows spelling. Does not know which words stop.
"""

import re
import unicodedata

_CLAUSE_END = re.compile(r"[.!?;:,¡¿。！？；，、।\n]+|\s[-–—]+\s|[–—]+")
_STRETCHED = re.compile(r"([^\W\d])\1{2,}")
_ONE_WORD = re.compile(r"\b(non|un)-(?=\w)")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ´`", "'"))
_WITHOUT_SPACES = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")


def clauses(text: str) -> list[list[str]]:
    """Split a text into clauses, each a list of comparable tokens; clauses without a word are left out.

    Writing without spaces between words becomes one token per character, so that a phrase is a run of tokens in every
    script.
    """
    split = [_tokens(part) for part in _CLAUSE_END.split(_canonical(text))]
    return [tokens for tokens in split if tokens]


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the tokens of a text, whatever its punctuation."""
    return tuple(token for clause in clauses(text) for token in clause)


def without_accents(token: str) -> str:
    """Drop the marks over and under Latin letters: what somebody types on a foreign keyboard."""
    decomposed = unicodedata.normalize("NFD", token.translate(_STROKES))
    return "".join(char for char in decomposed if not 0x300 <= ord(char) <= 0x36F)


def unstretched(token: str) -> str:
    """Shorten a drawn-out letter to one: `stoooop` to `stop`."""
    return _STRETCHED.sub(r"\1", token)


_STROKES = str.maketrans({"đ": "d", "ł": "l", "ø": "o"})


def _canonical(text: str) -> str:
    # Case folding can undo the composition of a letter, so the text is composed again after it.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_APOSTROPHES)
    visible = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return _ONE_WORD.sub(r"\1", visible)


def _tokens(part: str) -> list[str]:
    spaced = _WITHOUT_SPACES.sub(r" \1 ", part)
    words = "".join(char if _in_word(char) else " " for char in spaced).split()
    return [token for token in (word.strip("'") for word in words) if token]


def _in_word(char: str) -> bool:
    # Vowel signs (Devanagari) are marks, not letters, and belong to their word.
    return char.isalnum() or char == "'" or unicodedata.category(char).startswith("M")
