"""Patterns of `grep` (basic and extended) and of `find -name`, written for RE2, which takes linear time whatever comes.

Knows the letters of patterns. What RE2 cannot do in linear time, back-references, is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from edgevox.tools.files.faults import Trouble, quoted

WORD = r"\p{L}\p{Nd}_"
"""Inside brackets: what words are made of."""
_CLASSES = {
    "alpha": r"\p{L}", "upper": r"\p{Lu}", "lower": r"\p{Ll}", "digit": "0-9", "alnum": r"\p{L}\p{Nd}",
    "space": r"\s\x{b}", "blank": r" \t", "punct": r"[:punct:]", "xdigit": "0-9A-Fa-f", "cntrl": r"\x{0}-\x{1f}\x{7f}",
    "print": r"[:print:]\x{80}-\x{10ffff}", "graph": r"[:graph:]\x{a1}-\x{10ffff}",
}  # fmt: skip
_ESCAPES = {
    "w": f"[{WORD}]", "W": f"[^{WORD}]", "s": r"[\s\x{b}]", "S": r"[^\s\x{b}]", "b": r"\b", "B": r"\B",
    "<": r"\b", ">": r"\b", "`": r"\A", "'": r"\z",
}  # fmt: skip
_MOST_REPEATS = 1000
TROUBLE = 2
"""Exit status of a search that could not be made."""


def grep_pattern(text: str, *, extended: bool) -> str:
    """Write a pattern of `grep` for RE2; lines of it are alternatives.

    Args:
        text: the pattern.
        extended: whether it is one of `grep -E`.

    Raises:
        Trouble: it is malformed, or has a back-reference.
    """
    return "|".join(f"(?:{_Translation(line, extended).whole()})" for line in text.split("\n"))


def literal(text: str) -> str:
    """Write a text for RE2 that stands for itself; lines of it are alternatives."""
    return "|".join("".join(map(_plain, line)) for line in text.split("\n"))


def name_pattern(text: str) -> str:
    """Write a pattern of `find -name` for RE2: `*`, `?`, brackets and backslashes."""
    written: list[str] = []
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if character == "*":
            written.append(".*")
        elif character == "?":
            written.append(".")
        elif character == "[":
            piece, at = _name_brackets(text, at)
            written.append(piece)
        elif character == "\\" and at < len(text):
            written.append(_plain(text[at]))
            at += 1
        else:
            written.append(_plain(character))
    return f"(?s)\\A(?:{''.join(written)})\\z"


def _name_brackets(text: str, at: int) -> tuple[str, int]:
    if text.startswith("!", at):
        text = f"{text[:at]}^{text[at + 1 :]}"
    brackets = _Brackets(text, at)
    try:
        return brackets.written(), brackets.at
    except Trouble:  # a bracket that nothing closes stands for itself
        return _plain("["), at


@dataclass(slots=True)
class _Translation:
    """One alternative, read from left to right."""

    text: str
    extended: bool
    at: int = 0
    out: list[str] = field(default_factory=list[str])
    atom: int | None = None
    """Where the last thing begins that a repetition would repeat."""
    groups: list[int] = field(default_factory=list[int])

    def whole(self) -> str:
        while self.at < len(self.text):
            self._step()
        if self.groups:
            raise _malformed("a parenthesis is not closed")
        return "".join(self.out)

    def _step(self) -> None:
        character = self.text[self.at]
        self.at += 1
        escaped = character == "\\"
        if escaped:
            if self.at == len(self.text):
                raise _malformed("a backslash stands at its end")
            character = self.text[self.at]
            self.at += 1
        special = self._special(character, escaped)
        if special is not None:
            special()
        elif escaped and character in _ESCAPES:
            self._push(_ESCAPES[character])
        elif escaped and character in "123456789":
            raise _malformed("it refers back to a group, which cannot be searched in bounded time")
        elif not escaped and character == "[":
            brackets = _Brackets(self.text, self.at)
            self._push(brackets.written())
            self.at = brackets.at
        elif not escaped and character == ".":
            self._push(".")
        else:
            self._push(_plain(character))

    def _special(self, character: str, escaped: bool) -> Callable[[], None] | None:
        """What a mark does; which marks need a backslash is all that tells basic from extended patterns."""
        marks: dict[str, Callable[[], None]] = {"(": self._open, ")": self._close, "|": self._or, "{": self._interval}
        if character in "+?":
            marks[character] = lambda: self._repeat(character)
        if character in marks:
            return marks[character] if escaped is not self.extended else None
        if escaped:
            return None
        if character == "*":
            return lambda: self._repeat("*")
        if (character == "^" and self._anchors_begin()) or (character == "$" and self._anchors_end()):
            return lambda: self._push(character, repeatable=self.extended)
        return None

    def _anchors_begin(self) -> bool:
        return self.extended or not self.out or self.out[-1] in ("(?:", "|")

    def _anchors_end(self) -> bool:
        return self.extended or self.at == len(self.text) or self.text.startswith(("\\)", "\\|"), self.at)

    def _push(self, piece: str, *, repeatable: bool = True) -> None:
        self.atom = len(self.out) if repeatable else None
        self.out.append(piece)

    def _open(self) -> None:
        self.groups.append(len(self.out))
        self.out.append("(?:")
        self.atom = None

    def _close(self) -> None:
        if not self.groups:
            if not self.extended:
                raise _malformed("a parenthesis is closed that was not opened")
            self._push(_plain(")"))
            return
        self.atom = self.groups.pop()
        self.out.append(")")

    def _or(self) -> None:
        self.out.append("|")
        self.atom = None

    def _repeat(self, mark: str) -> None:
        if self.atom is None:
            self._push(_plain(mark) if not self.extended else "(?:)")
            return
        piece = "".join(self.out[self.atom :])
        self.out[self.atom :] = [f"(?:{piece}){mark}"]

    def _interval(self) -> None:
        if self.atom is None:
            if not self.extended:
                raise _malformed("a number of repetitions stands where there is nothing to repeat")
            self._push(_plain("{"))
            return
        end = self.text.find("}" if self.extended else "\\}", self.at)
        least, comma, most = self.text[self.at : end].partition(",") if end >= 0 else ("x", "", "")
        if not all(part.isascii() and part.isdigit() for part in (least, most) if part) or not (least or comma):
            if not self.extended:
                raise _malformed("what stands in \\{\\} is no number of repetitions")
            self._push(_plain("{"))
            return
        if any(int(part[:9] or 0) > _MOST_REPEATS for part in (least, most)):
            raise _malformed(f"something is repeated more than {_MOST_REPEATS} times")
        self.at = end + (1 if self.extended else 2)
        self._repeat(f"{{{least or 0}{comma}{most}}}")


class _Brackets:
    """One bracket expression, read from the character after its `[`."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.at = at
        """Afterwards: the character behind its `]`."""

    def written(self) -> str:
        negated = self._text.startswith("^", self.at)
        self.at += negated
        pieces: list[str] = []
        first = True
        while first or not self._text.startswith("]", self.at):
            pieces.append(self._item())
            first = False
        self.at += 1
        return f"[{'^' if negated else ''}{''.join(pieces)}]"

    def _item(self) -> str:
        if self._text.startswith("[:", self.at):
            return self._class()
        low = self._character()
        if not self._text.startswith("-", self.at) or self._text.startswith("-]", self.at):
            return _code(low)
        self.at += 1
        high = self._character()
        if high < low:
            raise _malformed(f"the range {low}-{high} runs backwards")
        return f"{_code(low)}-{_code(high)}"

    def _class(self) -> str:
        end = self._text.find(":]", self.at + 2)
        name = self._text[self.at + 2 : end] if end >= 0 else ""
        if name not in _CLASSES:
            raise _malformed(f"there is no class {quoted('[:' + name + ':]')}")
        self.at = end + 2
        return _CLASSES[name]

    def _character(self) -> str:
        for mark in (".", "="):
            if self._text.startswith(f"[{mark}", self.at) and self._text.startswith(f"{mark}]", self.at + 3):
                self.at += 5
                return self._text[self.at - 3]
        if self.at >= len(self._text):
            raise _malformed("a bracket is not closed")
        self.at += 1
        return self._text[self.at - 1]


def _plain(character: str) -> str:
    return character if character.isalnum() and character.isascii() else _code(character)


def _code(character: str) -> str:
    return f"\\x{{{ord(character):x}}}"


def _malformed(why: str) -> Trouble:
    return Trouble(f"the pattern cannot be used: {why}", TROUBLE)
