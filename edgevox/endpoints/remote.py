"""A chat model behind an address: llama.cpp's server, vLLM, Ollama, LM Studio, or a provider on the network.

Streams everything, so that a stop hangs up at once and the server stops working too. Speaks through the `openai`
library, which is loaded at the first question. Never puts a key or a whole address into a message.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The client's `create` is overloaded over dozens of typed dictionaries; ours are plain.

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from edgevox.context import with_facts
from edgevox.core.completion import Envelope, Usage, as_mapping, collect
from edgevox.core.errors import LanguageModelError, LibraryMissing, UsageError
from edgevox.core.relay import relayed
from edgevox.endpoints.faults import as_error, broken_off
from edgevox.endpoints.sockets import HangUp

Put = Callable[[Mapping[str, Any]], None]

CONNECT_S = 10.0
NO_KEY = "none-needed"
"""What local servers are sent; the client insists on something."""

_PASSED_ON = (
    "max_tokens", "temperature", "top_p", "seed", "stop", "response_format", "presence_penalty", "frequency_penalty",
    "extra_body",
)  # fmt: skip
_KEYS = {
    "system": ("role", "content"),
    "user": ("role", "content", "name"),
    "assistant": ("role", "content", "tool_calls"),
    "tool": ("role", "content", "tool_call_id"),
}


class RemoteModel:
    """A `ChatModel` over a server's chat completions. Safe from any thread; the server queues its own callers.

    Args:
        base_url: address of the API, such as `http://localhost:8080/v1`; a model may follow after `#`.
        model: what the server calls the model; `None` is the first one that it lists.
        api_key: secret of the account; servers on this machine need none.
        timeout_s: seconds without any sign of life after which the server counts as gone.
        context_size: tokens that the model holds, if known: conversations are cut to fit before they are sent.

    Raises:
        UsageError: `base_url` is no web address.
    """

    def __init__(
        self,
        base_url: str,
        model: str | None = None,
        api_key: str | None = None,
        *,
        timeout_s: float = 60.0,
        context_size: int | None = None,
    ) -> None:
        address, _, named = base_url.partition("#")
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("The address of a language model server looks like http://localhost:8080/v1#model.")
        self.host = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
        """Where it is, as people are told."""
        self.context_size = context_size
        self._address = address
        self._model = model or named or None
        self._api_key = api_key
        self._timeout_s = timeout_s

    @property
    def name(self) -> str:
        """What the server calls the model; the host until that is known."""
        return self._model or self.host

    def __repr__(self) -> str:
        """Name host and model, never the key."""
        return f"RemoteModel({self.name!r} at {self.host})"

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
        """Answer in the OpenAI chat-completion shape (see `ChatModel.complete`).

        Args:
            messages: the conversation in the OpenAI shape.
            tools: tool schemas in the OpenAI shape.
            tool_choice: `auto`, `none`, `required`, or one tool by name.
            stop_event: hangs up when it is set; the answer then ends with `cancelled`.
            stream: return an iterator of chunks.
            options: `max_tokens`, `temperature`, `top_p`, `seed`, `stop`, `response_format`, `facts` and `extra_body`
                for what only this server knows; others are for other models and left out.

        Raises:
            LibraryMissing: the `openai` library is not installed.
            ContextOverflow: the server says that the conversation is too long.
            LanguageModelError: the server cannot be reached or refuses; one sentence.
        """
        body: dict[str, Any] = {"messages": _sendable(with_facts(messages, str(options.get("facts") or "")))}
        if tools:
            body["tools"] = [dict(tool) for tool in tools]
            if tool_choice is not None:
                body["tool_choice"] = _choice(tool_choice)
        body |= {name: options[name] for name in _PASSED_ON if options.get(name) is not None}
        chunks = self._chunks(body, stop_event)
        return chunks if stream else self._whole(chunks)

    def _whole(self, chunks: Iterator[Mapping[str, Any]]) -> dict[str, Any]:
        answer = collect(chunks)
        envelope = Envelope(model=answer.model or self.name)
        return envelope.answer(answer.text, answer.calls, answer.finish or "stop", answer.usage)

    def _chunks(self, body: dict[str, Any], stop: threading.Event | None) -> Iterator[Mapping[str, Any]]:
        hang_up = HangUp()

        def read(put: Put) -> None:
            self._read(body, hang_up, put)

        try:
            ended = yield from relayed(
                read,
                over=lambda: stop is not None and stop.is_set(),
                name="remote-model",
            )
            if not ended:
                yield Envelope(model=self.name).closing("cancelled", Usage())
        finally:
            hang_up()

    def _read(self, body: dict[str, Any], hang_up: HangUp, put: Put) -> None:
        """Ask the server and hand on what it says; runs on a thread of its own."""
        finished = False
        try:
            with self._client(hang_up) as client:
                named = self._named(client)
                stream = client.chat.completions.create(
                    model=named, stream=True, stream_options={"include_usage": True}, **body
                )
                for chunk in stream:
                    piece = as_mapping(chunk)
                    finished |= any(choice.get("finish_reason") for choice in piece.get("choices") or ())
                    put(piece)
        except LibraryMissing:
            raise
        except Exception as error:  # every fault of a network is one sentence for a person
            raise as_error(error, self.host, self.name) from None  # its text may hold an address and a key
        if not finished:
            raise broken_off(self.host)

    def _named(self, client: Any) -> str:
        if self._model is None:
            listed = client.models.list().data
            if not listed:
                raise LanguageModelError(f"The server at {self.host} has no model: load one there.")
            self._model = str(listed[0].id)
        return self._model

    def _client(self, hang_up: HangUp) -> Any:
        """Return a client of one question: its connection ends with it, or before when somebody hangs up."""
        try:
            import openai
        except ImportError as error:
            raise LibraryMissing(
                "language model servers need the openai library: pip install 'edgevox[remote]'"
            ) from error
        timeout = openai.Timeout(self._timeout_s, connect=min(self._timeout_s, CONNECT_S))
        hooks = {"request": [hang_up.watch]}
        transport = cast("Any", openai.DefaultHttpxClient(timeout=timeout, event_hooks=hooks))
        return openai.OpenAI(
            base_url=self._address, api_key=self._api_key or NO_KEY, http_client=transport, max_retries=0
        )


def _sendable(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages with the keys that strict servers accept and no others."""
    return [{key: m[key] for key in _KEYS[m["role"]] if key in m} for m in messages]


def _choice(tool_choice: str | Mapping[str, Any]) -> Any:
    if isinstance(tool_choice, str) and tool_choice not in ("auto", "none", "required"):
        return {"type": "function", "function": {"name": tool_choice}}
    return tool_choice
