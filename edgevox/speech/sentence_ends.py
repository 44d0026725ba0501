"""Tells an end mark that ends a sentence from one that does not.

Knows abbreviations, initials, numbers, list items and quotes. Given a text that may go on, it says *wait* until enough
follows, and more text never changes what it has decided.
"""

import re
from collections.abc import Callable
from typing import Literal

from edgevox.speech.abbreviations import Abbreviations

Verdict = Literal["end", "no", "wait"]

LOOK_AHEAD = 32
"""The word after a full stop is read up to here, characters."""

WIDE_ENDS = "。！？｡॥।؟۔"
"""They end a sentence without a space after them."""

ENDS = ".!?…"

_CLOSERS = "\"'”’»›)]}」』）】*_"
_OPENERS = "\"'“‘«‹([{「『（*_¿¡"
_WORD_BEFORE = re.compile(r"[^\s(\[{\"“‘«„*_]+$")
_LIST_NUMBER = re.compile(r"\s*\(?\d{1,3}")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")


class SentenceEnds:
    """Judges end marks of one language.

    Args:
        table: what the language abbreviates.
    """

    def __init__(self, table: Abbreviations) -> None:
        self._table = table

    def judge(self, text: str, at: int, *, final: bool) -> tuple[int, Verdict]:
        """Judge the run of end marks that begins at `at`.

        Args:
            text: from the beginning of a sentence.
            at: place of the first mark.
            final: whether nothing will follow the text.

        Returns:
            The place after the run and its closing quotes, and the verdict.
        """
        after_marks = _skip(text, at, ENDS + WIDE_ENDS)
        after = _skip(text, after_marks, _CLOSERS)
        marks = text[at:after_marks]
        if after == len(text):
            return after, "end" if final else "wait"
        if any(mark in WIDE_ENDS for mark in marks):
            return after, "end"
        if not text[after].isspace():
            return after, "no"
        ahead = _Ahead(text, after, final)
        if ahead.new_line:
            return after, "end"
        if after > after_marks or set(marks) == {"…"} or (len(marks) > 1 and set(marks) == {"."}):
            return after, ahead.first(lambda first: not first.islower())
        return after, self._full_stop(text[:at], ahead) if marks == "." else "end"

    def _full_stop(self, before: str, ahead: "_Ahead") -> Verdict:
        found = _WORD_BEFORE.search(before)
        spelled = found.group().lstrip("'’") if found else ""
        word = spelled.lower()
        if word in self._table.never or (len(word) == 1 and spelled.islower()):
            return ahead.never()
        if word in self._table.before_number:
            return ahead.first(lambda first: not first.isdigit())
        if word in self._table.may_end or _ACRONYM.fullmatch(word) or (len(word) == 1 and word.isalpha()):
            return ahead.word(lambda following: self._begins_after(word, following))
        return self._number(before, word, ahead) if word.isdigit() else "end"

    def _number(self, before: str, word: str, ahead: "_Ahead") -> Verdict:
        """A full stop after a number: the end, the number of a list item, or an ordinal."""
        if _LIST_NUMBER.fullmatch(before):
            return ahead.never()
        if not self._table.ordinals:
            return "end"
        words_before = before[: -len(word)].split()
        if len(word) <= 2 and words_before and words_before[-1].lower() in self._table.before_ordinal:
            return ahead.never()
        return ahead.word(
            lambda following: not following[0].islower() and following.lower() not in self._table.after_ordinal
        )

    def _begins_after(self, word: str, following: str) -> bool:
        """Whether `following` begins a sentence after an abbreviation that may end one."""
        if not following[0].isupper():
            return not following[0].isalnum()
        if word in ("a.m", "p.m"):
            return following.lower() not in self._table.not_after_time
        return word in ("etc", "usw", "v.v") or following.lower() in self._table.starters


class _Ahead:
    """What comes after an end mark, as far as it has arrived."""

    def __init__(self, text: str, after: int, final: bool) -> None:
        start = after
        while start < len(text) and text[start].isspace():
            start += 1
        self.new_line = "\n" in text[after:start]
        start = _skip(text, start, _OPENERS)
        self._start = start
        self._text = text
        self._final = final

    def never(self) -> Verdict:
        """No end, unless nothing follows."""
        return self.first(lambda _: False)

    def first(self, begins: Callable[[str], bool]) -> Verdict:
        """Decide by the first character that follows."""
        if self._start == len(self._text):
            return "end" if self._final else "wait"
        return "end" if begins(self._text[self._start]) else "no"

    def word(self, begins: Callable[[str], bool]) -> Verdict:
        """Decide by the first word that follows."""
        end = self._start
        while end < len(self._text) and self._text[end].isalnum() and end - self._start < LOOK_AHEAD:
            end += 1
        if end == len(self._text) and not self._final and end - self._start < LOOK_AHEAD:
            return "wait"
        return self.first(lambda first: begins(self._text[self._start : end] or first))


def _skip(text: str, at: int, characters: str) -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at
