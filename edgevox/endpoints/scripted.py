"""An endpoint that answers from a script: flows with a model in them run, and are tested, without one.

Keeps what it was asked. Knows no provider, no key and no network.
"""

import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.core.completion import Envelope, Usage
from edgevox.core.errors import Cancelled, LanguageModelError

PIECE = 24
"""Characters of one piece of a streamed answer."""
CHARACTERS_OF_A_TOKEN = 4

Response = str | Mapping[str, Any] | BaseException | type[BaseException]
"""Words as they are, a mapping that is said as JSON, or an exception to raise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedRequest:
    """One call of `complete`, as it came in."""

    messages: Sequence[Mapping[str, Any]]
    """In the OpenAI shape. A list is kept as it was when it came; read-only windows are kept as they are."""
    tools: Sequence[Mapping[str, Any]] | None = None
    tool_choice: str | Mapping[str, Any] | None = None
    stream: bool = False
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


class MockLLMEndpoint:
    """A `ChatEndpoint` that gives one response a call. Safe from any thread.

    Args:
        responses: what it says, call after call.
        model_name: what it calls its model.
        api_name: what it calls its provider.
        max_context_tokens: tokens that it says fit; `None` says nothing.
        piece_delay_s: seconds before each piece of an answer.
    """

    def __init__(
        self,
        responses: Iterable[Response] = (),
        *,
        model_name: str = "scripted",
        api_name: str = "mock",
        max_context_tokens: int | None = 128_000,
        piece_delay_s: float = 0.0,
    ) -> None:
        self.requests: list[ScriptedRequest] = []
        """What it was asked, oldest first."""
        self._responses: deque[Response] = deque(responses)
        self._model_name = model_name
        self._api_name = api_name
        self._max_context_tokens = max_context_tokens
        self._piece_delay_s = piece_delay_s
        self._lock = threading.Lock()

    @property
    def model_name(self) -> str:
        """What it calls its model."""
        return self._model_name

    @property
    def api_name(self) -> str:
        """What it calls its provider."""
        return self._api_name

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that it says fit."""
        return self._max_context_tokens

    @property
    def responses_left(self) -> int:
        """How many responses nobody has asked for yet."""
        return len(self._responses)

    def __repr__(self) -> str:
        """Name the model and how much of the script is left."""
        return f"MockLLMEndpoint({self._model_name!r}, {self.responses_left} responses left)"

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
        """Answer with the next response in the OpenAI chat-completion shape (see `ChatModel.complete`).

        Four characters count as a token of the answer, and a message as one of the prompt.

        Raises:
            LanguageModelError: the script is over.
            BaseException: the next response is one.
        """
        envelope = Envelope(model=self._model_name)
        if stop_event is not None and stop_event.is_set():
            return _nothing(envelope, stream)
        request = ScriptedRequest(
            messages=tuple(messages) if isinstance(messages, list) else messages,
            tools=tools,
            tool_choice=tool_choice,
            stream=stream,
            options=options,
        )
        text = self._next(request)
        if stream:
            return self._chunks(text, len(messages), envelope, stop_event)
        said, finish = text, "stop"
        if self._piece_delay_s:
            pieces = list(self._paced(text, stop_event))
            said, finish = "".join(pieces), "stop" if len(pieces) == -(-len(text) // PIECE) else "cancelled"
        return envelope.answer(said, (), finish, _usage(len(messages), said))

    def _next(self, request: ScriptedRequest) -> str:
        with self._lock:
            self.requests.append(request)
            response = self._responses.popleft() if self._responses else None
        if response is None:
            raise LanguageModelError(
                f"The script of this endpoint is over after {len(self.requests) - 1} responses: give it more of them."
            )
        if isinstance(response, BaseException | type):
            raise response
        return response if isinstance(response, str) else json.dumps(response, ensure_ascii=False)

    def _chunks(
        self, text: str, prompt_tokens: int, envelope: Envelope, stop: threading.Event | None
    ) -> Iterator[Mapping[str, Any]]:
        said = ""
        yield envelope.opening()
        for piece in self._paced(text, stop):
            said += piece
            yield envelope.text(piece)
        finish = "stop" if len(said) == len(text) else "cancelled"
        yield envelope.closing(finish, _usage(prompt_tokens, said))

    def _paced(self, text: str, stop: threading.Event | None) -> Iterator[str]:
        """Yield the pieces of a text until a stop, each after its delay."""
        pause = stop if stop is not None else threading.Event()
        for start in range(0, len(text), PIECE):
            if pause.wait(self._piece_delay_s) if self._piece_delay_s else pause.is_set():
                return
            yield text[start : start + PIECE]


def _usage(prompt_tokens: int, said: str) -> Usage:
    return Usage(prompt_tokens=prompt_tokens, completion_tokens=-(-len(said) // CHARACTERS_OF_A_TOKEN))


def _nothing(envelope: Envelope, stream: bool) -> Any:
    if stream:
        return iter([envelope.closing("cancelled", Usage())])
    return envelope.answer("", (), "cancelled", Usage())


class MockTranscriptionEndpoint:
    """A transcription endpoint that answers from a script. Safe from any thread.

    Args:
        responses: words, or exceptions to raise, recording after recording.
        model_name: what it calls its model.
        api_name: what it calls its provider.
    """

    def __init__(
        self,
        responses: Iterable[str | BaseException | type[BaseException]] = (),
        *,
        model_name: str = "scripted",
        api_name: str = "mock",
    ) -> None:
        self.requests: list[tuple[bytes, dict[str, Any]]] = []
        """The recordings that it was given, each with its options, oldest first."""
        self.model_name = model_name
        self.api_name = api_name
        self._responses = deque(responses)
        self._lock = threading.Lock()

    def transcribe(
        self,
        audio: bytes,
        *,
        stop_event: threading.Event | None = None,
        filename: str = "speech.wav",
        content_type: str = "audio/wav",
        language: str | None = None,
        temperature: float | None = None,
        prompt: str | None = None,
        timeout_s: float | None = None,
    ) -> str:
        """Return the next response.

        Raises:
            Cancelled: the stop event was set.
            LanguageModelError: the script is over.
        """
        if stop_event is not None and stop_event.is_set():
            raise Cancelled("the recording was not wanted any more")
        options = {
            "filename": filename,
            "content_type": content_type,
            "language": language,
            "temperature": temperature,
            "prompt": prompt,
            "timeout_s": timeout_s,
        }
        with self._lock:
            self.requests.append((audio, {name: value for name, value in options.items() if value is not None}))
            response = self._responses.popleft() if self._responses else None
        if response is None:
            raise LanguageModelError("The script of this endpoint is over: give it more responses.")
        if not isinstance(response, str):
            raise response
        return response
