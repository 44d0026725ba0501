"""`LLMEndpoint`: a language model behind an address, as an object that can be handed around and exchanged.

Any server that speaks OpenAI's chat completions: llama.cpp's server, Ollama, vLLM, LM Studio, or a provider on the
network. Making one touches nothing; the library is loaded and the key looked up at the first question. A stop hangs up
at once, so that the server stops working too.
"""

import copy
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from edgevox.context import with_facts
from edgevox.core.completion import Envelope, Usage, collect
from edgevox.core.errors import ConfigError, EdgeVoxError, LanguageModelError
from edgevox.core.relay import relayed
from edgevox.endpoints.attempts import REPLACED, Question, Retries, Tally
from edgevox.endpoints.faults import fault_of
from edgevox.endpoints.provider import CHECK_S, Provider
from edgevox.endpoints.request import MessageMapper, RequestOptions, conversation, forced_tool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFailure:
    """Why an endpoint cannot be used now."""

    reason: str
    """A stable word: the `code` of the error."""
    message: str
    """One sentence for a person, without keys."""


class LLMEndpoint:
    """A `ChatEndpoint` over a provider's chat completions. Safe from any thread; the provider queues its own callers.

    Args:
        base_url: address of the API, such as `http://localhost:8080/v1`, after which the model may follow behind `#`;
            or a `Provider`, whose connections are then shared.
        model: what the provider calls the model; `None` is the first one that it lists.
        api_key: the key; local servers need none.
        api_name: what the provider is called; its host when not given.
        api_key_env: the variable that holds the key.
        timeout_s: seconds without any sign of life after which the provider counts as gone.
        max_context_tokens: tokens that the model holds, where that is known: conversations are cut to fit.
        options: what holds for every request.
        message_mapper: makes of each message what this provider takes.
        stream: whether the provider is asked for a stream; where not, answers come in one piece.
        retries: when it is asked again.
        client: a client in the shape of `openai.OpenAI`, in place of the library's.
        more: the fields of `RequestOptions`, in place of `options`: `temperature`, `max_tokens`, `stop`, …

    Raises:
        UsageError: `base_url` is no web address.
        ConfigError, ValueError: a number or an option cannot be used.
    """

    kind = "model_endpoint"

    def __init__(
        self,
        base_url: str | Provider,
        model: str | None = None,
        api_key: str | None = None,
        *,
        api_name: str = "",
        api_key_env: str | None = None,
        timeout_s: float = 60.0,
        max_context_tokens: int | None = None,
        options: RequestOptions | None = None,
        message_mapper: MessageMapper | None = None,
        stream: bool = True,
        retries: Retries | None = None,
        client: Any = None,
        **more: Any,
    ) -> None:
        if max_context_tokens is not None and max_context_tokens < 1:
            raise ConfigError(f"A context of {max_context_tokens} tokens cannot be used: give 1 or more.")
        named = ""
        if isinstance(base_url, Provider):
            self.provider = base_url
        else:
            address, _, named = base_url.partition("#")
            self.provider = Provider(
                address, api_name=api_name, api_key_env=api_key_env, api_key=api_key, timeout_s=timeout_s, client=client
            )
        self.options = RequestOptions(**more) if options is None else options.updated(more)
        self.tally = Tally()
        """What it has taken since it was made."""
        self._model = model or named or None
        self._max_context_tokens = max_context_tokens
        self._mapper = message_mapper
        self._stream = stream
        self._retries = retries or Retries()

    @property
    def model_name(self) -> str:
        """What the provider calls the model; the host until that is known."""
        return self._model or self.provider.host

    @property
    def name(self) -> str:
        """The same, as models on this machine have it."""
        return self.model_name

    @property
    def api_name(self) -> str:
        """What the provider is called."""
        return self.provider.api_name

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that fit; `None` when nobody knows."""
        return self._max_context_tokens

    @property
    def context_size(self) -> int | None:
        """The same, as models on this machine have it."""
        return self._max_context_tokens

    @property
    def id(self) -> str:
        """What tells this model from others: `model:PROVIDER:MODEL`."""
        return f"model:{self.api_name}:{self.model_name}"

    @property
    def metadata(self) -> dict[str, str]:
        """What may be shown about it; never a key or a whole address."""
        return {"provider": self.api_name, "model": self.model_name, "host": self.provider.host}

    def __repr__(self) -> str:
        """Name model and host, never the key."""
        return f"LLMEndpoint({self.model_name!r} at {self.provider.host})"

    def external_dependencies(self) -> "tuple[LLMEndpoint, ...]":
        """What has to be there for it to work: itself, which can be checked."""
        return (self,)

    def with_request_options(self, **options: Any) -> "LLMEndpoint":
        """Return an endpoint of the same model and identity with other options (the fields of `RequestOptions`).

        Raises:
            ValueError: an option cannot be used, or `extra_body` holds a key that the endpoint sets itself.
        """
        made = copy.copy(self)
        made.options = self.options.updated(options)
        return made

    def materialize(self) -> None:
        """Load the library, look the key up and make a connection ready. Sends nothing; twice is fine.

        Raises:
            LibraryMissing: the `openai` library is not installed.
            SecretsError: the key is missing or cannot be decrypted.
        """
        self.provider.materialize()

    def warm(
        self, messages: Sequence[Mapping[str, Any]] = (), tools: Sequence[Mapping[str, Any]] | None = None
    ) -> threading.Event:
        """Make ready in the background, so that the first question is answered sooner. Sends nothing.

        Returns:
            An event that is set when it is over, however it ended.
        """
        del messages, tools  # a provider keeps no prompt of ours
        done = threading.Event()

        def ready() -> None:
            try:
                self.materialize()
            except EdgeVoxError:
                pass  # said when it is needed
            finally:
                done.set()

        threading.Thread(target=ready, name="endpoint-warm", daemon=True).start()
        return done

    def check(self, timeout_s: float = CHECK_S) -> CheckFailure | None:
        """Ask the provider for its models, and return what keeps it from being used; `None` when nothing does.

        Args:
            timeout_s: how long it may take to answer, seconds.
        """
        try:
            self.listed_models(timeout_s)
        except EdgeVoxError as error:
            return CheckFailure(reason=error.code, message=str(error))
        return None

    def listed_models(self, timeout_s: float = CHECK_S) -> list[str]:
        """Ask the provider which models it has.

        Raises:
            EdgeVoxError: it cannot be asked; one sentence.
        """
        line = self.provider.take()
        whole = False
        try:
            listed = [str(each.id) for each in line.client.with_options(timeout=timeout_s).models.list().data or ()]
            whole = True
        except Exception as error:  # every fault of a network is one sentence for a person
            raise fault_of(error, self.provider.where(self.model_name)).error from None
        finally:
            self.provider.give_back(line, whole=whole)
        return listed

    def close(self) -> None:
        """Let idle connections go; a question afterwards makes another."""
        self.provider.forget_lines()

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

        A provider that is busy, down or breaks off is asked again, as long as nothing has been handed on.

        Args:
            messages: the conversation in the OpenAI shape.
            tools: tool schemas in the OpenAI shape.
            tool_choice: `auto`, `none`, `required`, or one tool by name.
            stop_event: hangs up when it is set; the answer then ends with `cancelled`.
            stream: return an iterator of chunks.
            options: the fields of `RequestOptions`; `facts`, which stand beside the person's last words; `on_replaced`,
                called without arguments before another stream takes the place of one that broke off: without it,
                nothing is asked again once words have come. Others are for other models and left out.

        Raises:
            LibraryMissing: the `openai` library is not installed.
            SecretsError: the key is missing or cannot be decrypted.
            ContextOverflow: the provider says that the conversation is too long.
            EndpointRefused, EndpointUnavailable, LanguageModelError: it refuses or cannot be reached; one sentence.
        """
        shown = with_facts(messages, str(options["facts"])) if options.get("facts") else messages
        body: dict[str, Any] = {"messages": conversation(shown, self._mapper)}
        if tools:
            body["tools"] = [dict(tool) for tool in tools]
            if tool_choice is not None:
                body["tool_choice"] = forced_tool(tool_choice)
        on_replaced = options.get("on_replaced")
        question = Question(
            self.provider,
            body | self.options.body(options),
            self._named,
            streamed=self._stream,
            retries=self._retries,
            tally=self.tally,
            replaceable=not stream or on_replaced is not None,
        )
        if stream:
            return self._chunks(question, stop_event, on_replaced)
        return self._whole(question, stop_event)

    def _whole(self, question: Question, stop: threading.Event | None) -> dict[str, Any]:
        pieces: list[Mapping[str, Any]] = []
        for piece in self._chunks(question, stop, pieces.clear):
            pieces.append(piece)  # noqa: PERF402 - the list is cleared while it grows
        answer = collect(pieces)
        envelope = Envelope(model=answer.model or self.model_name)
        return envelope.answer(answer.text, answer.calls, answer.finish or "stop", answer.usage)

    def _chunks(
        self, question: Question, stop: threading.Event | None, on_replaced: Any
    ) -> Iterator[Mapping[str, Any]]:
        try:
            pieces = relayed(question.read, over=lambda: stop is not None and stop.is_set(), name="endpoint")
            while True:
                try:
                    piece: Any = next(pieces)
                except StopIteration as end:
                    if not end.value:
                        yield Envelope(model=self.model_name).closing("cancelled", Usage())
                    return
                if piece is not REPLACED:
                    yield piece
                elif on_replaced is not None:
                    on_replaced()
        finally:
            question.hang_up()

    def _named(self, client: Any) -> str:
        if self._model is None:
            listed = client.models.list().data
            if not listed:
                raise LanguageModelError(f"The server at {self.provider.host} has no model: load one there.")
            self._model = str(listed[0].id)
        return self._model


def with_request_options(endpoint: LLMEndpoint, **options: Any) -> LLMEndpoint:
    """Return a copy of an endpoint with the same identity and other options (see `LLMEndpoint.with_request_options`).

    Raises:
        TypeError: `endpoint` is no `LLMEndpoint`.
    """
    if not isinstance(cast("object", endpoint), LLMEndpoint):
        raise TypeError(f"Request options belong to an LLMEndpoint, not to {type(endpoint).__name__}.")
    return endpoint.with_request_options(**options)
