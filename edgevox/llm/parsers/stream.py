"""Takes a reply apart while it streams: words for the person, calls for the tools, thinking for nobody.

Gives the same parts however the stream is cut. Never lets a character of markup through, and never makes a call of
something that was only mentioned. Does not run anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from edgevox.core.completion import ToolCall
from edgevox.llm.parsers.calls import Signatures
from edgevox.llm.parsers.formats import FORMATS, THINK_ENDS, Format


@dataclass(frozen=True, slots=True)
class Discarded:
    """What was said up to here was thinking: its opening marker never came."""


_CALL_KEYS = ("tool", "name", "function", "tool_name", "tool_calls", "arguments")

Part = str | ToolCall | Discarded
"""Words, a call, or the news that earlier words were none."""


class ReplyParser:
    """Reads one reply.

    Args:
        signatures: the tools that exist, with their parameters in order.
        thinking: the reply begins inside a block of thought, as some chat templates have it.
        formats: the notations to understand.
    """

    def __init__(
        self,
        signatures: Signatures | None = None,
        *,
        thinking: bool = False,
        formats: Sequence[Format] = FORMATS,
    ) -> None:
        self._signatures: Signatures = signatures or {}
        self._openers = sorted(
            ((opener, each) for each in formats for opener in each.openers), key=lambda pair: -len(pair[0])
        )
        self._marked = [(opener, each) for opener, each in self._openers if not each.bare]
        self._longest = max(len(opener) for opener, _ in self._openers)
        self._buffer = ""
        self._inside: Format | None = next(f for f in formats if f.thinking) if thinking else None
        self._fresh = True

    @property
    def thinking(self) -> bool:
        """Whether the reply is inside a block of thought now."""
        return self._inside is not None and self._inside.thinking

    def feed(self, text: str) -> list[Part]:
        """Take a piece of the reply and return what is certain by now."""
        self._buffer += text
        parts: list[Part] = []
        while self._step(parts):
            pass
        return parts

    def finish(self) -> list[Part]:
        """Return what is left when the reply is over; markup that was cut off is dropped."""
        parts: list[Part] = []
        while self._inside is not None or self._buffer:
            if self._inside is None:
                self._end_of_words(parts)
            else:
                self._end_of_body(parts)
            while self._step(parts):
                pass
        return parts

    def _step(self, parts: list[Part]) -> bool:
        """Do one thing that is certain; returns whether there may be another."""
        if self._inside is not None:
            span = self._inside.close(self._buffer)
            if span is None:
                return False
            self._leave(parts, span)
            return bool(self._buffer)
        return self._words(parts)

    def _words(self, parts: list[Part]) -> bool:
        if self._fresh and self._skip_to_bare():
            return self._inside is not None
        at, opener, form = self._next_opener()
        if form is None:
            self._say(parts, len(self._buffer) - self._held_back())
            return False
        if self._could_grow(at, opener):
            self._say(parts, at)
            return False
        self._say(parts, at)
        if opener in THINK_ENDS:
            parts.append(Discarded())
            self._fresh = True
        self._enter(form, opener, keep=False)
        return True

    def _skip_to_bare(self) -> bool:
        """Look for a bare opener at the beginning; returns whether there is nothing else to do here."""
        start = self._buffer.lstrip()
        if not start or self._marked_prefix(start):
            return True
        for opener, form in self._openers:
            if form.bare and start.startswith(opener):
                if any(start.startswith(marked) for marked, _ in self._marked):
                    return False
                self._buffer = start
                self._enter(form, opener, keep=True)
                return True
        return any(form.bare and opener.startswith(start) for opener, form in self._openers)

    def _marked_prefix(self, text: str) -> bool:
        return any(opener.startswith(text) and opener != text for opener, _ in self._marked)

    def _next_opener(self) -> tuple[int, str, Format | None]:
        best: tuple[int, str, Format | None] = (len(self._buffer), "", None)
        for opener, form in self._marked:
            at = self._buffer.find(opener)
            if 0 <= at < best[0]:
                best = (at, opener, form)
        return best

    def _could_grow(self, at: int, opener: str) -> bool:
        """Whether what stands there is also the beginning of a longer marker that has not arrived whole."""
        rest = self._buffer[at:]
        return any(len(each) > len(opener) and each.startswith(rest) for each, _ in self._marked)

    def _held_back(self) -> int:
        """How many characters at the end may be the beginning of a marker."""
        for length in range(min(self._longest - 1, len(self._buffer)), 0, -1):
            tail = self._buffer[-length:]
            if any(len(opener) > length and opener.startswith(tail) for opener, _ in self._marked):
                return length
        return 0

    def _say(self, parts: list[Part], length: int) -> None:
        words, self._buffer = self._buffer[:length], self._buffer[length:]
        if not words or (self._fresh and not words.strip()):
            return
        parts.append(words.lstrip() if self._fresh else words)
        self._fresh = False

    def _enter(self, form: Format, opener: str, *, keep: bool) -> None:
        self._inside = form
        at = self._buffer.find(opener)
        self._buffer = self._buffer[at if keep else at + len(opener) :]

    def _leave(self, parts: list[Part], span: tuple[int, int]) -> None:
        form = self._inside
        assert form is not None
        body = self._buffer[: span[0]]
        if form.bare:
            body = self._buffer[: span[1]]
        self._buffer, self._inside = self._buffer[span[1] :], None
        self._take(parts, form, body)

    def _take(self, parts: list[Part], form: Format, body: str) -> None:
        calls = form.read(body, self._signatures)
        parts.extend(calls)
        if calls:
            self._fresh = True
        elif form.bare:
            parts.append(body)
            self._fresh = False

    def _end_of_words(self, parts: list[Part]) -> None:
        held = self._held_back()
        self._say(parts, len(self._buffer) - (held if held > 1 else 0))
        self._buffer = ""

    def _end_of_body(self, parts: list[Part]) -> None:
        form, body = self._inside, self._buffer
        assert form is not None
        self._inside, self._buffer = None, ""
        if form.thinking:
            return
        if form.bare:
            self._end_of_bare(parts, form, body)
            return
        closings = [(at, at + len(closer)) for closer in form.closers if (at := body.find(closer)) >= 0]
        if closings:
            end, self._buffer = min(closings)[0], body[min(closings)[1] :]
            self._take(parts, form, body[:end])
        elif form.whole(body):
            self._take(parts, form, body)

    def _end_of_bare(self, parts: list[Part], form: Format, body: str) -> None:
        if form.whole(body):
            self._take(parts, form, body)
        elif not self._like_a_call(body):
            self._fresh = False
            parts.append(body)

    def _like_a_call(self, body: str) -> bool:
        """Whether a body that was cut off was going to be a call."""
        head = body.lstrip("`{[ \n")[:80]
        return any(f'"{key}"' in head for key in _CALL_KEYS) or any(f"{name}(" in head for name in self._signatures)
