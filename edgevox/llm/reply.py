"""One answer of a local model, from its place in the queue to its chunks.

Takes the text apart into words and calls and puts them into the OpenAI shape. Does not know how text is generated.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from edgevox.core.completion import Envelope, FinishReason, ToolCall, Usage
from edgevox.llm.engine import Generated
from edgevox.llm.owner import Ticket
from edgevox.llm.parsers import Discarded, Part, ReplyParser
from edgevox.llm.prompt import Prompt


@dataclass(slots=True, kw_only=True)
class Reply:
    """One answer that is going to be generated when somebody reads it."""

    name: str
    """Of the model."""
    submit: Callable[[Ticket], Ticket]
    generate: Callable[[Ticket, Callable[[Prompt], object]], Generated]
    """Does the work on the owner's thread, and tells what prompt it begins with."""
    signatures: Mapping[str, Sequence[str]]
    words_only: bool = False
    """Calls are not allowed, and left out."""
    verbatim: bool = False
    """The text is what was asked for, whatever it looks like."""
    stop: threading.Event | None = None
    _prompt: Prompt | None = None

    def stream(self) -> Iterator[dict[str, Any]]:
        """Yield the chunks as they come."""
        ticket = self.submit(Ticket(self._work, self.stop))
        envelope = Envelope(model=self.name)
        calls = 0
        yield envelope.opening()
        for part in self._parts(ticket):
            if isinstance(part, str):
                yield envelope.text(part)
            elif isinstance(part, ToolCall):
                yield envelope.call(calls, part)
                calls += 1
        yield envelope.closing(*_ending(ticket.outcome, called=calls > 0))

    def whole(self) -> dict[str, Any]:
        """Wait for the answer and return it in one piece."""
        ticket = self.submit(Ticket(self._work, self.stop))
        text, calls = "", list[ToolCall]()
        for part in self._parts(ticket):
            match part:
                case str():
                    text += part
                case ToolCall():
                    calls.append(part)
                case Discarded():
                    text = ""
        return Envelope(model=self.name).answer(text.strip(), calls, *_ending(ticket.outcome, called=bool(calls)))

    def _work(self, ticket: Ticket) -> Generated:
        return self.generate(ticket, self._begun)

    def _begun(self, prompt: Prompt) -> None:
        self._prompt = prompt

    def _parts(self, ticket: Ticket) -> Iterator[Part]:
        """Yield words and calls as they are certain."""
        if self.verbatim:
            yield from ticket.pieces()
            return
        parser: ReplyParser | None = None
        for piece in ticket.pieces():
            if parser is None:
                parser = ReplyParser(self.signatures, thinking=self._prompt is not None and self._prompt.thinking)
            yield from self._allowed(parser.feed(piece))
        cut = ticket.outcome is None or ticket.outcome.finish == "cancelled"
        if parser is not None and not cut:
            yield from self._allowed(parser.finish())

    def _allowed(self, parts: Sequence[Part]) -> list[Part]:
        return [part for part in parts if not (self.words_only and isinstance(part, ToolCall))]


def signatures_of(tools: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the parameters of each tool, in order."""
    functions = [cast("Mapping[str, Any]", tool["function"]) for tool in tools]
    return {str(each["name"]): _parameters(each) for each in functions}


def _parameters(function: Mapping[str, Any]) -> list[str]:
    schema = cast("Mapping[str, Any]", function.get("parameters") or {})
    return list(cast("Mapping[str, Any]", schema.get("properties") or {}))


def _ending(outcome: Generated | None, *, called: bool) -> tuple[FinishReason, Usage]:
    if outcome is None:
        return "cancelled", Usage()
    usage = Usage(
        prompt_tokens=outcome.prompt_tokens,
        completion_tokens=outcome.completion_tokens,
        cached_tokens=outcome.cached_tokens,
        first_token_s=outcome.first_token_s,
        took_s=outcome.took_s,
    )
    return ("tool_calls" if called and outcome.finish != "cancelled" else outcome.finish), usage
