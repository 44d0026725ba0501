"""Endpoints that stand for another one: whichever a program, or a person, has chosen by the time it is asked.

A route resolves once a call, so an answer that has begun stays with the endpoint that began it.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from edgevox.core.errors import ConfigError
from edgevox.core.ports import ChatEndpoint

EndpointLike = ChatEndpoint
"""What an agent, a chain or a tool is given to ask: an endpoint, a scripted one, a route or a local model."""


def checked_endpoint(candidate: object, *, whose: str) -> ChatEndpoint:
    """Return `candidate` when it is an endpoint.

    Args:
        candidate: what was given.
        whose: who needs it, for the sentence of the error.

    Raises:
        TypeError: it is a class, a function or something else that cannot be asked.
    """
    if isinstance(candidate, type):
        raise TypeError(
            f"{whose} needs an endpoint, not the class {candidate.__name__}: make one instance and give it."
        )
    if isinstance(candidate, LLMEndpointRoute):
        return candidate  # looking at its properties would resolve it too early
    if not isinstance(candidate, ChatEndpoint):
        raise TypeError(f"{whose} needs an endpoint, not {type(candidate).__name__}: endpoints are objects to ask.")
    return candidate


class LLMEndpointRoute:
    """A `ChatEndpoint` that asks a function, at every call, which endpoint it stands for.

    Args:
        getter: returns the endpoint of the moment; called once a call, from the thread that asks.

    Raises:
        TypeError: `getter` cannot be called.
    """

    def __init__(self, getter: Callable[[], ChatEndpoint]) -> None:
        if not callable(getter):
            raise TypeError("A route needs a function without arguments that returns an endpoint.")
        self._getter = getter

    @property
    def chosen(self) -> ChatEndpoint:
        """The endpoint of the moment."""
        return checked_endpoint(self._getter(), whose="A route")

    @property
    def model_name(self) -> str:
        """What the provider of the moment calls its model."""
        return self.chosen.model_name

    @property
    def api_name(self) -> str:
        """Which provider it is at the moment."""
        return self.chosen.api_name

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that fit at the moment."""
        return self.chosen.max_context_tokens

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
        """Have the endpoint of the moment answer (see `ChatModel.complete`)."""
        return self.chosen.complete(
            messages, tools=tools, tool_choice=tool_choice, stop_event=stop_event, stream=stream, **options
        )


def dependency_id(endpoint: ChatEndpoint) -> str:
    """Return what tells one endpoint's model from another's: `model:PROVIDER:MODEL`."""
    return f"model:{endpoint.api_name}:{endpoint.model_name}"


class ModelSelector:
    """Several endpoints, of which one is chosen. Safe from any thread.

    Args:
        models: the endpoints, by any names; a sequence names each by its `dependency_id`.
        default: name of the one that is chosen at first; the first when not given.

    Raises:
        ConfigError: there are none, two share a name, or the default is none of them.
    """

    def __init__(
        self, models: Mapping[str, ChatEndpoint] | Iterable[ChatEndpoint], *, default: str | None = None
    ) -> None:
        self._models = _by_name(models)
        if not self._models:
            raise ConfigError("A model selector needs at least one endpoint.")
        self._lock = threading.Lock()
        self._chosen = next(iter(self._models))
        if default is not None:
            self.select(default)
        self.route = LLMEndpointRoute(lambda: self.selected)
        """An endpoint that always stands for the one that is chosen."""

    @property
    def names(self) -> tuple[str, ...]:
        """What may be selected."""
        return tuple(self._models)

    @property
    def selected_name(self) -> str:
        """The name of the one that is chosen."""
        with self._lock:
            return self._chosen

    @property
    def selected(self) -> ChatEndpoint:
        """The one that is chosen."""
        return self._models[self.selected_name]

    def select(self, name: str) -> ChatEndpoint:
        """Choose an endpoint from now on; an answer that has begun is not disturbed.

        Raises:
            ConfigError: there is none of that name.
        """
        if name not in self._models:
            raise ConfigError(f"There is no endpoint {name}: choose one of {', '.join(self._models)}.")
        with self._lock:
            self._chosen = name
        return self._models[name]


def _by_name(models: Mapping[str, ChatEndpoint] | Iterable[ChatEndpoint]) -> dict[str, ChatEndpoint]:
    if isinstance(models, Mapping):
        given = cast("Mapping[str, ChatEndpoint]", models)
        return {name: checked_endpoint(each, whose="A model selector") for name, each in given.items()}
    named: dict[str, ChatEndpoint] = {}
    for each in models:
        name = dependency_id(checked_endpoint(each, whose="A model selector"))
        if name in named:
            raise ConfigError(f"Two endpoints of a model selector are {name}: give it a mapping with a name for each.")
        named[name] = each
    return named
