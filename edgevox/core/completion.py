"""The OpenAI chat-completion shape: how an answer, a chunk of one and a tool call look as dictionaries.

Knows the shape only; where the words come from is somebody else's business.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from edgevox.core.characters import encodable
from edgevox.core.clock import utc_now
from edgevox.core.errors import LanguageModelError
from edgevox.core.redaction import redacted
from edgevox.core.tools import new_use_id

FinishReason = Literal["stop", "length", "tool_calls", "cancelled"]
"""Why an answer ended. `cancelled` is ours: the stop event was set before the answer was over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool that a model asked for."""

    name: str
    arguments: str = "{}"
    """JSON text, as the model wrote it; it may not be valid."""
    use_id: str = field(default_factory=new_use_id)

    @classmethod
    def of(cls, name: str, arguments: Mapping[str, Any] | str | None = None) -> "ToolCall":
        """Make a call from arguments as a mapping or as JSON text."""
        text = arguments if isinstance(arguments, str) else json.dumps(dict(arguments or {}), ensure_ascii=False)
        return cls(name=name, arguments=text)

    def openai(self) -> dict[str, Any]:
        """The call as a message carries it."""
        return {
            "id": self.use_id,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How many tokens an answer took, and how long."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Tokens of the prompt that the model still knew and did not read again."""
    first_token_s: float = 0.0
    took_s: float = 0.0

    def openai(self) -> dict[str, Any]:
        """The usage as an answer carries it."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
            "first_token_s": self.first_token_s,
            "took_s": self.took_s,
        }

    @classmethod
    def from_openai(cls, data: Mapping[str, Any] | None) -> "Usage":
        """Read a usage; whatever is missing is zero."""
        known = data or {}
        details = cast("Mapping[str, Any]", known.get("prompt_tokens_details") or {})
        return cls(
            prompt_tokens=int(known.get("prompt_tokens") or 0),
            completion_tokens=int(known.get("completion_tokens") or 0),
            cached_tokens=int(details.get("cached_tokens") or 0),
            first_token_s=float(known.get("first_token_s") or 0.0),
            took_s=float(known.get("took_s") or 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """What every piece of one answer has in common."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{new_use_id()}")
    created: int = field(default_factory=lambda: int(utc_now().timestamp()))

    def answer(self, text: str, calls: Sequence[ToolCall], finish: str, usage: Usage) -> dict[str, Any]:
        """The whole answer as one dictionary."""
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [call.openai() for call in calls]
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return {**self._head("chat.completion"), "choices": [choice], "usage": usage.openai()}

    def opening(self) -> dict[str, Any]:
        """The first chunk: it says who speaks."""
        return self._chunk({"role": "assistant", "content": ""})

    def text(self, piece: str) -> dict[str, Any]:
        """A chunk with words."""
        return self._chunk({"content": piece})

    def call(self, index: int, call: ToolCall) -> dict[str, Any]:
        """A chunk with one whole tool call."""
        return self._chunk({"tool_calls": [{"index": index, **call.openai()}]})

    def closing(self, finish: str, usage: Usage) -> dict[str, Any]:
        """The last chunk: why the answer ended and what it took."""
        return {**self._chunk({}, finish), "usage": usage.openai()}

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


@dataclass(slots=True, kw_only=True)
class Answer:
    """An answer put together again from its chunks."""

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    finish: str | None = None
    usage: Usage = field(default_factory=Usage)
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmCall:
    """What one call of a model took: the payload of `llm_call`."""

    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    first_token_s: float | None = None
    """Seconds to the first words or call; `None` when there were none."""
    took_s: float = 0.0
    finish: str | None = None
    """`stop`, `length`, `tool_calls`, `cancelled`; `None` when the stream broke off."""
    error: str | None = None
    """Why it failed, without keys."""

    def __post_init__(self) -> None:
        """Cover what a client library may have written into its error."""
        if self.error is not None:
            object.__setattr__(self, "error", redacted(self.error))

    @classmethod
    def of(
        cls,
        answer: Answer,
        *,
        took_s: float,
        first_token_s: float | None = None,
        finish: str | None = None,
        error: str | None = None,
    ) -> "LlmCall":
        """Say what an answer took.

        Args:
            answer: as far as it came.
            took_s: seconds.
            first_token_s: seconds to its beginning.
            finish: how it ended, where the answer itself does not know.
            error: what went wrong.
        """
        return cls(
            model=answer.model,
            prompt_tokens=answer.usage.prompt_tokens,
            completion_tokens=answer.usage.completion_tokens,
            cached_tokens=answer.usage.cached_tokens,
            first_token_s=first_token_s,
            took_s=took_s,
            finish=finish or answer.finish,
            error=error,
        )


def deltas(answer: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the chunks of an answer, whether the model streamed it or gave it whole.

    Args:
        answer: an iterable of chunks, or one answer; dictionaries, or objects with `model_dump`.

    Raises:
        LanguageModelError: it is neither.
    """
    if isinstance(answer, Mapping) or hasattr(answer, "model_dump"):
        yield as_mapping(answer)
        return
    if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
        raise unreadable(answer)
    for chunk in cast("Iterable[Any]", answer):
        yield as_mapping(chunk)


def as_mapping(data: Any) -> Mapping[str, Any]:
    """Return a dictionary view of an answer or a chunk of any client library.

    Raises:
        LanguageModelError: it has none.
    """
    if isinstance(data, Mapping):
        return cast("Mapping[str, Any]", data)
    if not hasattr(data, "model_dump"):
        raise unreadable(data)
    return cast("Mapping[str, Any]", data.model_dump())


def unreadable(answer: Any) -> LanguageModelError:
    """The error of an answer that does not have the shape of one."""
    return LanguageModelError(
        f"The language model's answer cannot be read: it is {answer!r:.80}, not a chat completion in the OpenAI shape."
    )


def collect(chunks: Any) -> Answer:
    """Put an answer together from its chunks, or read a whole one."""
    assembled = Assembler()
    for chunk in deltas(chunks):
        assembled.feed(chunk)
    return assembled.finish()


class Assembler:
    """Puts an answer together while its chunks come in; tool calls may arrive in fragments."""

    def __init__(self) -> None:
        self._answer = Answer()
        self._calls: dict[int, dict[str, str]] = {}

    def feed(self, chunk: Mapping[str, Any]) -> str:
        """Take one chunk and return the words it brought.

        Raises:
            LanguageModelError: the server tells an error in the place of an answer.
        """
        if chunk.get("error") and not chunk.get("choices"):
            raise LanguageModelError(f"The language model's server says: {_told_error(chunk['error'])}")
        if chunk.get("usage"):
            self._answer.usage = Usage.from_openai(chunk["usage"])
        self._answer.model = chunk.get("model") or self._answer.model
        words = ""
        choices: Sequence[Any] = chunk.get("choices") or ()
        if not all(isinstance(choice, Mapping) for choice in choices):
            raise unreadable(chunk)
        for choice in cast("Sequence[Mapping[str, Any]]", choices):
            self._answer.finish = choice.get("finish_reason") or self._answer.finish
            body: dict[str, Any] = choice.get("delta") or choice.get("message") or {}
            words += encodable(_words_in(body.get("content")))
            self._take_calls(body.get("tool_calls") or ())
        self._answer.text += words
        return words

    def finish(self) -> Answer:
        """Return the answer as far as it came."""
        self._answer.calls = [
            ToolCall(name=part["name"], arguments=part["arguments"] or "{}", use_id=part["id"] or new_use_id())
            for _, part in sorted(self._calls.items())
        ]
        return self._answer

    def _take_calls(self, fragments: Iterable[Mapping[str, Any]]) -> None:
        for position, fragment in enumerate(fragments):
            index = fragment.get("index")
            part = self._calls.setdefault(position if index is None else index, {"id": "", "name": "", "arguments": ""})
            function: dict[str, Any] = fragment.get("function") or {}
            part["id"] = fragment.get("id") or part["id"]
            part["name"] += function.get("name") or ""
            arguments: Any = function.get("arguments") or ""
            part["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments)


def _words_in(content: Any) -> str:
    """The words of a message, which some servers send in parts."""
    if isinstance(content, list):
        parts: list[Any] = [part for part in cast("list[Any]", content) if isinstance(part, Mapping)]
        return "".join(str(part.get("text") or "") for part in parts)
    return str(content or "")


def _told_error(error: Any) -> str:
    said = cast("Mapping[str, Any]", error).get("message") if isinstance(error, Mapping) else error
    return f"{said or error!s:.300}"
