# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingTypeStubs=false
# pyright: reportUnknownArgumentType=false
# google-re2 ships neither types nor stubs.
"""Tells which lines a pattern selects, and where in them it matches. The one module that knows RE2."""

from collections.abc import Iterator
from typing import Any

import re2

from edgevox.tools.files.faults import Trouble
from edgevox.tools.files.patterns import TROUBLE, WORD

_MEMORY = 32 * 1024 * 1024
"""Bytes that one pattern may cost."""


class Matcher:
    """One compiled pattern over bytes that should be UTF-8; bytes that are not fit nothing but themselves.

    Args:
        pattern: in RE2's syntax.
        ignore_case: whether the case of letters counts for nothing.
        whole_line: whether it has to fit lines as a whole.
        whole_word: whether no letter may touch the match.
        longest: whether the longest match counts, as for `grep`, or the first alternative, as for `rg`.

    Raises:
        Trouble: it is no pattern, or one too large.
    """

    def __init__(
        self,
        pattern: str,
        *,
        ignore_case: bool = False,
        whole_line: bool = False,
        whole_word: bool = False,
        longest: bool = True,
    ) -> None:
        if whole_line:
            pattern = f"^(?:{pattern})$"
        elif whole_word:
            pattern = f"(?:^|[^{WORD}])({pattern})(?:[^{WORD}]|$)"
        self._group = 1 if whole_word and not whole_line else 0
        options = re2.Options()
        options.case_sensitive = not ignore_case
        options.longest_match = longest
        options.log_errors = False
        options.max_mem = _MEMORY
        try:
            self._compiled: Any = re2.compile(pattern.encode(), options)
        except (re2.error, UnicodeEncodeError) as error:
            raise Trouble(f"the pattern cannot be used: {_words(error)}", TROUBLE) from error

    def selects(self, line: bytes) -> bool:
        """Whether it matches anywhere in a line."""
        return self._compiled.search(line) is not None

    def spans(self, line: bytes) -> Iterator[tuple[int, int]]:
        """Where it matches in a line; empty matches are left out."""
        at = 0
        while at <= len(line) and (found := self._compiled.search(line, at)) is not None:
            start, end = found.span(self._group)
            if end > start:
                yield start, end
            at = max(end, at + 1) if end > start else start + 1


def _words(error: Exception) -> str:
    said: Any = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
