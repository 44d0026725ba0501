"""What is asked of a provider beside the conversation, and how a conversation is put to it.

Knows the options and who owns which key of a request. Sends nothing.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

MessageMapper = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Turns a message of the OpenAI shape into what one provider takes."""

OWNED = frozenset({
    "model", "messages", "tools", "tool_choice", "stream", "stream_options", "temperature", "max_tokens", "top_p",
    "seed", "stop", "response_format",
})  # fmt: skip
"""Keys of a request that an endpoint sets itself."""

_KEYS = {
    "system": ("role", "content"),
    "user": ("role", "content", "name"),
    "assistant": ("role", "content", "tool_calls"),
    "tool": ("role", "content", "tool_call_id"),
}
_PER_CALL = ("presence_penalty", "frequency_penalty")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOptions:
    """What holds for every request of an endpoint unless a call says otherwise. `None` is the provider's own.

    Raises:
        ValueError: a value that no provider takes; names the option.
    """

    temperature: float | None = None
    """Randomness, 0 to 2."""
    max_tokens: int | None = None
    """Longest answer, tokens."""
    top_p: float | None = None
    seed: int | None = None
    stop: str | Sequence[str] | None = None
    """Texts that end an answer."""
    response_format: Mapping[str, Any] | None = None
    """The form of the answers: `{"type": "json_object"}`, or a JSON schema as OpenAI's clients pass it."""
    extra_body: Mapping[str, Any] | None = None
    """Further keys, for what only this provider knows."""

    def __post_init__(self) -> None:
        """Refuse what cannot be sent, and keep a copy of what can."""
        if self.temperature is not None and not (math.isfinite(self.temperature) and 0 <= self.temperature <= 2):
            raise ValueError(f"The temperature {self.temperature} cannot be used: give a number between 0 and 2.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ValueError(f"The longest answer of {self.max_tokens} tokens cannot be used: give 1 or more.")
        for name in ("response_format", "extra_body"):
            given: Mapping[str, Any] | None = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _json_copy(name, given))
        if owned := sorted(OWNED & set(self.extra_body or ())):
            raise ValueError(f"extra_body may not hold {', '.join(owned)}: the endpoint sets that itself.")

    def updated(self, given: Mapping[str, Any]) -> "RequestOptions":
        """Return these options with what is given over them; an `extra_body` is laid over the one here, key by key."""
        known = {name: given[name] for name in _NAMES if given.get(name) is not None}
        if self.extra_body and "extra_body" in known:
            known["extra_body"] = {**self.extra_body, **known["extra_body"]}
        return replace(self, **known) if known else self

    def body(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keys of a request.

        Args:
            given: options of one call; what no provider knows is for other models and left out.
        """
        chosen = self.updated(given)
        body = {name: value for name in _NAMES if (value := getattr(chosen, name)) is not None}
        return body | {name: given[name] for name in _PER_CALL if given.get(name) is not None}


_NAMES = tuple(each.name for each in fields(RequestOptions))


def conversation(messages: Sequence[Mapping[str, Any]], mapper: MessageMapper | None) -> list[dict[str, Any]]:
    """Return the messages as they are sent.

    Args:
        messages: in the OpenAI shape.
        mapper: makes of each what the provider takes; `None` keeps the keys that strict servers accept and no others,
            and lets the person say what has a role that no provider knows.
    """
    return [dict(mapper(each)) if mapper is not None else _strict(each) for each in messages]


def forced_tool(choice: str | Mapping[str, Any]) -> Any:
    """Return which tool must be called, as it is sent; a name alone stands for that tool."""
    if isinstance(choice, str) and choice not in ("auto", "none", "required"):
        return {"type": "function", "function": {"name": choice}}
    return choice


def _strict(message: Mapping[str, Any]) -> dict[str, Any]:
    role = message["role"] if message["role"] in _KEYS else "user"
    return {key: message[key] for key in _KEYS[role] if key in message} | {"role": role}


def _json_copy(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return json.loads(json.dumps(dict(given), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds what cannot be sent as JSON ({error}).") from None
