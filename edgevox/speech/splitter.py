"""Cuts a reply into sentences while it is being written.

Knows where sentences, clauses, lines and code end. Its answer depends on the text alone, never on how the text arrived:
a place is decided once enough follows it, and no place is passed before it is decided.
"""

import re

from edgevox.speech.abbreviations import abbreviations
from edgevox.speech.sentence_ends import ENDS, WIDE_ENDS, SentenceEnds, Verdict

CLAUSE_MIN = 24
"""The first clause of a reply has at least so many characters, or it is not worth a breath."""

CLAUSE_REST = 16
"""… and at least so many follow it before the sentence ends."""

MAX_CHARS = 300
"""A sentence without an end is cut at a clause, or a space, before this."""

CODE_SPAN = 80
"""Longest piece of code within a line, characters."""

_CLAUSE_MARKS = ",;:–—"
_WIDE_CLAUSE_MARKS = "，；：、"
_FENCE_END = re.compile(r"\n[ \t]*(?:```|~~~)[ \t]*(?=\n|$)")
_LAST_CLAUSE = re.compile(r".*(?:[,;:–—](?=\s)|[，；：、])", re.DOTALL)
_LAST_SPACE = re.compile(r".*\s", re.DOTALL)


class SentenceSplitter:
    """Turns pieces of text into sentences; the first may be a clause when the first sentence is long.

    Args:
        language: two-letter code of the text.
        max_chars: no piece is longer, but for code between fences.
    """

    def __init__(self, language: str = "en", *, max_chars: int = MAX_CHARS) -> None:
        self._ends = SentenceEnds(abbreviations(language))
        self._max = max_chars
        self._text = ""
        self._first = True

    def feed(self, text: str) -> list[str]:
        """Take the next piece of the reply and return the sentences that are complete now."""
        self._text += text
        return self._take(final=False)

    def finish(self) -> list[str]:
        """Return what is left: the reply is over. The next `feed` begins another."""
        sentences = self._take(final=True)
        self._text, self._first = "", True
        return sentences

    def _take(self, *, final: bool) -> list[str]:
        sentences: list[str] = []
        self._text = self._text.lstrip()
        while self._text and (end := self._find_end(final)) is not None:
            sentences.append(self._text[:end].rstrip())
            self._text = self._text[end:].lstrip()
            self._first = False
        return sentences

    def _find_end(self, final: bool) -> int | None:
        """Return where the first sentence of the text ends, or `None` while that is not certain."""
        if self._fence_at(0, final) == "end":
            return self._end_of_fence(final)
        at = 0
        while at < len(self._text):
            if at >= self._max:
                return self._forced_end()
            at, verdict = self._look(at, final)
            if verdict == "end":
                return at
            if verdict == "wait":
                return None
        return len(self._text) if final else None

    def _look(self, at: int, final: bool) -> tuple[int, Verdict]:
        """Judge what begins at `at`. Returns the place after it and whether the sentence ends there."""
        char = self._text[at]
        if char == "\n":
            return at + 1, "end"
        if char in "`~":
            return self._code(at, final)
        if char in WIDE_ENDS or char in ENDS:
            return self._ends.judge(self._text, at, final=final)
        if self._first and (char in _CLAUSE_MARKS or char in _WIDE_CLAUSE_MARKS):
            return at + 1, self._clause(at, final)
        return at + 1, "no"

    def _clause(self, at: int, final: bool) -> Verdict:
        """Whether the first sentence may be cut after the mark at `at`."""
        if at + 1 < CLAUSE_MIN:
            return "no"
        rest = self._text[at + 1 : at + 1 + CLAUSE_REST]
        if self._text[at] in _CLAUSE_MARKS and rest and not rest[0].isspace():
            return "no"
        if any(char in ENDS or char in WIDE_ENDS or char in "\n`" for char in rest):
            return "no"
        if len(rest) == CLAUSE_REST:
            return "end"
        return "no" if final else "wait"

    def _forced_end(self) -> int:
        """Return where to cut a sentence that is too long: its last clause, its last space, or anywhere."""
        head = self._text[: self._max]
        match = _LAST_CLAUSE.match(head[:-1]) or _LAST_SPACE.match(head)
        return match.end() if match is not None else self._max

    # Code

    def _fence_at(self, at: int, final: bool) -> Verdict:
        head = self._text[at : at + 3]
        if head in ("```", "~~~"):
            return "end"
        return "wait" if not final and head in ("`", "``", "~", "~~") else "no"

    def _end_of_fence(self, final: bool) -> int | None:
        for match in _FENCE_END.finditer(self._text, 3):
            # The end of the text is the end of the line only once nothing can follow.
            if final or match.end() < len(self._text):
                return match.end()
        return len(self._text) if final else None

    def _code(self, at: int, final: bool) -> tuple[int, Verdict]:
        """Pass over code within a line; a fence in the middle of a line ends what is before it."""
        fence = self._fence_at(at, final)
        if fence != "no" or self._text[at] == "~":
            return (at, fence) if fence != "no" else (at + 1, "no")
        span = self._text[at + 1 : at + 1 + CODE_SPAN]
        line_end, close = span.find("\n"), span.find("`")
        if close >= 0 and (line_end < 0 or close < line_end):
            return at + 2 + close, "no"
        undecided = line_end < 0 and len(span) < CODE_SPAN and not final
        return at + 1, "wait" if undecided else "no"
