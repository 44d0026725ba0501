"""One question to a model within a loop: what it is shown, what comes back, and what is done when it does not fit.

Reads every model's stream through the same parser, so that a server that lets markup or thinking through harms nobody.
"""

import re
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from edgevox.context.visible import visible
from edgevox.core.completion import Assembler, LlmCall, ToolCall, as_mapping
from edgevox.core.errors import ContextOverflow
from edgevox.core.messages import Usage
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.llm.parsers import Discarded, Part, ReplyParser
from edgevox.llm.pump import pumped
from edgevox.llm.reply import signatures_of
from edgevox.tools import ToolRegistry

SQUEEZES = (1.0, 0.6, 0.3, 0.1)
"""Shares of the room that are tried, one after the other, when a model says that its context is full."""

_OVERFLOW = re.compile(
    r"context (?:window|length|size)|exceed\w* .{0,40}context|maximum context|too many tokens", re.IGNORECASE
)


@dataclass(slots=True, kw_only=True)
class Asked:
    """What a model has answered so far."""

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    cancelled: bool = False
    recorded: bool = False
    error: str | None = None
    began: float = field(default_factory=time.monotonic)
    first: float | None = None
    assembler: Assembler = field(default_factory=Assembler)

    def take(self, parts: Sequence[Part]) -> str:
        """Add what a parser found and return the words in it."""
        words = ""
        for part in parts:
            match part:
                case str():
                    words += part
                    self.text += part
                case Discarded():
                    self.text = words = ""
                case ToolCall():
                    self.calls.append(part)
        if (words or self.calls) and self.first is None:
            self.first = time.monotonic() - self.began
        return words

    def usage(self) -> Usage:
        """The tokens, as a message keeps them."""
        answer = self.assembler.finish()
        tokens = answer.usage
        return Usage(model=answer.model, token_input=tokens.prompt_tokens, token_output=tokens.completion_tokens)

    def note(self) -> LlmCall:
        """What the call took."""
        return LlmCall.of(
            self.assembler.finish(),
            took_s=time.monotonic() - self.began,
            first_token_s=self.first,
            finish="cancelled" if self.cancelled else None,
            error=self.error,
        )


class Question(Protocol):
    """What asking needs to know of the loop."""

    model: ChatModel
    registry: ToolRegistry
    ctx: AgentContext
    options: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation in the OpenAI shape."""
        ...


def ask_model(question: Question, asked: Asked, choice: str) -> Generator[str, None, None]:
    """Ask, and yield words as they come; words that may have to be taken back are not yielded.

    Args:
        question: what to ask whom.
        asked: filled with what comes.
        choice: `auto`, `required` or `none`.

    Raises:
        LanguageModelError: the model could not answer.
        ContextOverflow: what cannot be left out is too long for the model.
    """
    for index, share in enumerate(SQUEEZES):
        try:
            yield from _stream(question, asked, choice, share)
            return
        except Exception as error:
            asked.error = str(error)
            untouched = not asked.text and not asked.calls
            if not is_overflow(error) or not untouched:
                raise
            if index == len(SQUEEZES) - 1:
                raise ContextOverflow("That is too long for the language model: say it in fewer words.") from error


def is_overflow(error: BaseException) -> bool:
    """Whether a model, ours or somebody else's, says that its context is full."""
    return isinstance(error, ContextOverflow) or _OVERFLOW.search(str(error)) is not None


def _stream(question: Question, asked: Asked, choice: str, share: float) -> Generator[str, None, None]:
    tools = question.registry.openai_schemas()
    shown = visible(question.messages, question.model, tools, question.options, share)
    parser = ReplyParser(signatures_of(tools))
    scope = question.ctx.scope.child()

    def ask() -> Any:
        extra: dict[str, Any] = {"tools": tools, "tool_choice": choice} if tools else {}
        return question.model.complete(shown, **extra, stop_event=scope.event, stream=True, **question.options)

    try:
        for chunk in pumped(ask, scope):
            words = asked.take(parser.feed(asked.assembler.feed(as_mapping(chunk))))
            if words and choice != "required":
                yield words
        answer = asked.assembler.finish()
        asked.cancelled = scope.cancelled or answer.finish == "cancelled"
        words = "" if asked.cancelled else asked.take(parser.finish())
        asked.calls.extend(answer.calls)
        asked.error = None
        if words and choice != "required":
            yield words
    finally:
        scope.cancel()
        scope.close()
