"""A model that edgevox runs itself, in the shape of an endpoint: catalogues list it beside those of providers.

What runs it is found by name when it is first asked: this package and the one of local models know nothing of each
other.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.ports import ChatEndpoint
from edgevox.endpoints.endpoint import CheckFailure
from edgevox.endpoints.request import RequestOptions

RUNNER = "edgevox.llm:LLM"
"""Makes a local model from its name and the length of its context."""


class LocalEndpoint:
    """A `ChatEndpoint` over a model on this machine. Loaded at the first question. Safe from any thread.

    Args:
        model: a name of `edgevox models list`, a path, or `hf:repo/name:file.gguf`.
        api_name: what the provider is called.
        max_context_tokens: tokens of the context that it is opened with.
        run: makes the model from `model` and `n_ctx`; edgevox's own when not given.
        options: the fields of `RequestOptions`.
    """

    kind = "model_endpoint"

    def __init__(
        self,
        model: str,
        *,
        api_name: str = "local",
        max_context_tokens: int = 4096,
        run: Callable[..., ChatEndpoint] | None = None,
        **options: Any,
    ) -> None:
        self.options = RequestOptions(**options)
        self._model = model
        self._api_name = api_name
        self._max_context_tokens = max_context_tokens
        self._run = run
        self._opened: ChatEndpoint | None = None
        self._lock = threading.Lock()

    @property
    def model_name(self) -> str:
        """What a person calls it."""
        return self._model

    @property
    def api_name(self) -> str:
        """What the provider is called."""
        return self._api_name

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that fit, the answer included."""
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
        """What may be shown about it."""
        return {"provider": self.api_name, "model": self.model_name}

    def __repr__(self) -> str:
        """Name the model."""
        return f"LocalEndpoint({self._model!r})"

    def external_dependencies(self) -> "tuple[LocalEndpoint, ...]":
        """What has to be there for it to work: itself, which can be checked."""
        return (self,)

    def materialize(self) -> None:
        """Get ready to load the model. Reads no model file; twice is fine."""
        self._model_here()

    def check(self) -> CheckFailure | None:
        """Return what keeps the model from being used; `None` when its files are here."""
        from edgevox.config.models import resolve

        try:
            resolve(self._model)
        except EdgeVoxError as error:
            return CheckFailure(reason=error.code, message=str(error))
        return None

    def close(self) -> None:
        """Let the model go; a question afterwards loads it again."""
        with self._lock:
            opened, self._opened = self._opened, None
        close = getattr(opened, "close", None)
        if close is not None:
            close()

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
        """Have the model answer (see `ChatModel.complete` and the options of local models)."""
        return self._model_here().complete(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            stop_event=stop_event,
            stream=stream,
            **{**self.options.body({}), **options},
        )

    def _model_here(self) -> ChatEndpoint:
        with self._lock:
            opened = self._opened
            if opened is None:
                run: Callable[..., ChatEndpoint] = self._run if self._run is not None else resolve_name(RUNNER)
                opened = self._opened = run(self._model, n_ctx=self._max_context_tokens)
            return opened
