"""A chat model that says what a script tells it to, and remembers what it was asked."""

import copy
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.core.completion import Envelope, ToolCall, Usage

POLL_S = 0.01
_PIECE = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call of `complete`, as it came in."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | Mapping[str, Any] | None = None
    stream: bool = False
    options: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def last_user_text(self) -> str:
        """What the person said last."""
        spoken = [m for m in self.messages if m["role"] == "user"]
        return str(spoken[-1]["content"]) if spoken else ""

    @property
    def tool_names(self) -> list[str]:
        """Names of the tools that were offered."""
        return [tool["function"]["name"] for tool in self.tools or ()]

    @property
    def tool_results(self) -> list[str]:
        """What the tools answered, in the order the model saw it."""
        return [str(m["content"]) for m in self.messages if m["role"] == "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """A scripted reply that asks for tools, with or without words before."""

    calls: tuple[ToolCall, ...]
    text: str = ""


def call(name: str, /, **arguments: Any) -> Calls:
    """Script one tool call: `call("set_light", room="kitchen", on=True)`."""
    return Calls(calls=(ToolCall.of(name, arguments),))


def calls(*parts: Calls | tuple[str, Mapping[str, Any] | str | None], text: str = "") -> Calls:
    """Script several tool calls in one message; a tuple may carry raw argument text, as models write it."""
    made: list[ToolCall] = []
    for part in parts:
        made.extend(part.calls if isinstance(part, Calls) else [ToolCall.of(part[0], part[1])])
    return Calls(calls=tuple(made), text=text)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A scripted reply whose stream is cut exactly here."""

    parts: tuple[str, ...]


def pieces(*parts: str) -> Pieces:
    """Script a reply in the pieces given: for parsers that must not depend on where a stream is cut."""
    return Pieces(parts)


Reply = str | Calls | Pieces | BaseException | Callable[[ModelRequest], Any]
"""Words, tool calls, exact pieces, an exception to raise, or a function of the request that returns one of these."""


class ScriptedModel:
    """Answers from a script, one reply a call; honours the stop event at every token; serialises its callers.

    Args:
        replies: what it says, call after call.
        otherwise: what it says when the script is over; without it, that is an error.
        token_delay_s: seconds before each token.
        prompt_delay_s: seconds before the first token, as if a prompt were being read.
        context_size: tokens that it says fit; `None` says nothing.
        name: what it calls itself in its answers.
    """

    def __init__(
        self,
        *replies: Reply,
        otherwise: Reply | None = None,
        token_delay_s: float = 0.0,
        prompt_delay_s: float = 0.0,
        context_size: int | None = None,
        name: str = "scripted",
    ) -> None:
        self.replies: list[Reply] = list(replies)
        self.otherwise = otherwise
        self.token_delay_s = token_delay_s
        self.prompt_delay_s = prompt_delay_s
        self.context_size = context_size
        self.name = name
        self.requests: list[ModelRequest] = []
        """What it was asked, oldest first."""
        self.cancelled = 0
        """How many answers a stop event, or a reader that went away, has cut."""
        self.tokens_said = 0
        self._owner = threading.Lock()
        self._inside = 0

    @property
    def calls_left(self) -> int:
        """Replies that nobody has asked for yet."""
        return len(self.replies)

    @property
    def busy(self) -> bool:
        """Whether somebody is being answered right now."""
        return self._inside > 0

    def count_tokens(self, text: str) -> int:
        """How many tokens `text` has: one for each word or sign."""
        return len(re.findall(r"\w+|[^\w\s]", text))

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        stop_event: threading.Event | None = None,
        stream: bool = False,
        **options: Any,
    ) -> Any:
        """Answer with the next reply of the script (see `ChatModel.complete`)."""
        request = ModelRequest(
            messages=copy.deepcopy([dict(m) for m in messages]),
            tools=copy.deepcopy([dict(t) for t in tools]) if tools is not None else None,
            tool_choice=tool_choice,
            stream=stream,
            options=options,
        )
        chunks = self._answer(request, stop_event)
        if stream:
            return chunks
        return self._whole(chunks)

    def _whole(self, chunks: Iterator[dict[str, Any]]) -> dict[str, Any]:
        text, made, finish, usage = "", list[ToolCall](), "stop", Usage()
        for chunk in chunks:
            delta = chunk["choices"][0]["delta"]
            text += delta.get("content") or ""
            for each in delta.get("tool_calls") or ():
                made.append(ToolCall(use_id=each["id"], **each["function"]))
            finish = chunk["choices"][0]["finish_reason"] or finish
            usage = Usage.from_openai(chunk.get("usage"))
        return Envelope(model=self.name).answer(text, made, finish, usage)

    def _answer(self, request: ModelRequest, stop: threading.Event | None) -> Iterator[dict[str, Any]]:
        envelope = Envelope(model=self.name)
        if not self._enter(stop):
            yield envelope.closing("cancelled", Usage())
            return
        try:
            self.requests.append(request)
            yield from self._say(request, self._next(request), envelope, stop)
        finally:
            self._inside -= 1
            self._owner.release()

    def _enter(self, stop: threading.Event | None) -> bool:
        while not self._owner.acquire(timeout=POLL_S):
            if stop is not None and stop.is_set():
                return False
        self._inside += 1
        assert self._inside == 1, "two callers are inside the model at once"
        return True

    def _next(self, request: ModelRequest) -> Any:
        reply = self.replies.pop(0) if self.replies else self.otherwise
        if reply is None:
            raise AssertionError(f"the script is over, and the model was asked once more: {request.last_user_text!r}")
        while callable(reply) and not isinstance(reply, BaseException | type):
            reply = reply(request)
        return reply

    def _say(
        self, request: ModelRequest, reply: Any, envelope: Envelope, stop: threading.Event | None
    ) -> Iterator[dict[str, Any]]:
        finish, said = "cancelled", 0
        try:
            if not _pause(self.prompt_delay_s, stop):
                yield envelope.closing("cancelled", Usage())
                return
            if isinstance(reply, BaseException) or (isinstance(reply, type) and issubclass(reply, BaseException)):
                finish = "error"
                raise reply
            finish = "closed"
            yield envelope.opening()
            for piece in _cut(reply):
                if not _pause(self.token_delay_s, stop):
                    finish = "cancelled"
                    break
                said += 1
                self.tokens_said += 1
                yield envelope.text(piece)
            else:
                wanted = reply.calls if isinstance(reply, Calls) else ()
                for index, each in enumerate(wanted):
                    yield envelope.call(index, each)
                finish = "tool_calls" if wanted else "stop"
            usage = Usage(prompt_tokens=self._prompt_tokens(request), completion_tokens=said)
            yield envelope.closing(finish, usage)
        finally:
            if finish in ("cancelled", "closed"):
                self.cancelled += 1

    def _prompt_tokens(self, request: ModelRequest) -> int:
        return sum(self.count_tokens(str(m.get("content") or "")) for m in request.messages)


def _cut(reply: Any) -> Sequence[str]:
    if isinstance(reply, Pieces):
        return reply.parts
    words = reply.text if isinstance(reply, Calls) else str(reply)
    return _PIECE.findall(words)


def _pause(seconds: float, stop: threading.Event | None) -> bool:
    """Sleep unless stopped; returns whether to go on."""
    until = time.monotonic() + seconds
    while stop is None or not stop.is_set():
        left = until - time.monotonic()
        if left <= 0:
            return True
        time.sleep(min(left, POLL_S))
    return False
