"""What a declaration may say about a tool beside its function, checked once for every decorator."""

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict, Unpack, cast

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.tools import Effect, LatencyClass
from edgevox.tools.leave import CallResources, holes_of
from edgevox.tools.wording import nearest

Phrases = Iterable[str] | Mapping[str, Iterable[str]]
"""Templates in English, or templates by language."""
Says = str | Mapping[str, str]
"""A reply in English, or replies by language."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class ToolOptions(TypedDict, total=False):
    """The options that every kind of tool has."""

    phrases: Phrases | None
    """How people ask for it, in hassil's template syntax; English, or by language."""
    says: Says | None
    """What is said when it worked, with `{argument}` and `{result}`; English, or by language."""
    final: bool
    """That reply says all there is to say: a model that called it is not asked again."""
    confirm: bool | str | Mapping[str, str]
    """Ask a person first; a text is the question, in English, or by language."""
    confirm_model_only: bool
    """Ask only where a model made the call: what a person said in so many words is not asked again."""
    effect: Effect | str
    """What running it twice would do."""
    timeout_s: float | None
    """Seconds after which it counts as failed."""
    latency_class: LatencyClass | str
    """`fast` for what answers within 100 ms."""
    secret_fields: Iterable[str]
    """Arguments that are never shown, logged or stored."""
    resources: Iterable[str] | CallResources
    """What it needs for itself; calls that share one run one after the other. One with a kind in front needs leave too
    (`motion:base`, `device:light/{room}` with the argument `room`). A function says them of a call, from its arguments
    and its context."""
    allowed: bool
    """Give leave for the resources where a run brings no permissions of its own."""


def checked_options(name: str, fields: Mapping[str, str], **options: Unpack[ToolOptions]) -> dict[str, Any]:
    """Return the options as a `Tool` holds them; the secret fields among them belong to its spec.

    Args:
        name: of the tool, for messages.
        fields: its arguments.
        options: as declared.

    Raises:
        ToolDefinitionError: one of them cannot be; the sentence says what to change.
    """
    timeout_s = options.get("timeout_s")
    _refuse_timeout(timeout_s, name)
    _refuse_strangers(options.get("secret_fields", ()), fields, name)
    return {
        "effect": _choice(Effect, options.get("effect", Effect.ONCE), name, "effect"),
        "latency_class": _choice(LatencyClass, options.get("latency_class", LatencyClass.FAST), name, "latency_class"),
        "timeout_s": timeout_s,
        "phrases": _by_language(options.get("phrases"), name),
        "says": _replies(options.get("says"), fields, name),
        "final": options.get("final", False),
        "confirm": options.get("confirm", False),
        "confirm_model_only": options.get("confirm_model_only", False),
        "allowed": options.get("allowed", False),
        **_resources(options.get("resources", ()), fields, name),
    }


def refuse_generators(fn: Callable[..., Any], name: str) -> None:
    """Refuse what cannot be called once for one result.

    Raises:
        ToolDefinitionError: it is a class, or a function that yields.
    """
    if inspect.isclass(fn) or not callable(fn):
        raise ToolDefinitionError(f"{name} cannot be a tool: decorate a function or a method.")
    if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        raise ToolDefinitionError(f"{name} cannot be a tool: it yields; return a list, or one text, instead.")


def _refuse_timeout(timeout_s: Any, name: str) -> None:
    number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if timeout_s is not None and not (number and 0 < timeout_s < math.inf):
        raise ToolDefinitionError(f"{name}: timeout_s must be more than 0 seconds, not {timeout_s!r}.")


def _resources(given: Iterable[str] | CallResources, fields: Mapping[str, str], name: str) -> dict[str, Any]:
    if callable(given):
        return {"call_resources": given}
    resources = frozenset(given)
    for hole in (hole for resource in resources for hole in holes_of(resource)):
        if hole not in fields:
            raise ToolDefinitionError(f"{name}: a resource names {{{hole}}}, which is not one of its parameters.")
    return {"resources": resources}


def _refuse_strangers(secrets: Iterable[str], fields: Mapping[str, str], name: str) -> None:
    for secret in secrets:
        if secret not in fields:
            raise ToolDefinitionError(f"{name}: secret field '{secret}' is not one of its parameters.")


def _choice(kind: Any, value: Any, name: str, option: str) -> Any:
    try:
        return kind(value)
    except ValueError as error:
        choices = ", ".join(str(member) for member in kind)
        raise ToolDefinitionError(f"{name}: {option} must be one of {choices}, not {value!r}.") from error


def _replies(says: Says | None, fields: Mapping[str, str], name: str) -> dict[str, str]:
    replies = {"en": says} if isinstance(says, str) else dict(says or {})
    for reply in replies.values():
        for found in _PLACEHOLDER.findall(reply):
            root = found.split(".")[0].split("[")[0].strip()
            if root not in fields and root != "result":
                raise ToolDefinitionError(
                    f"{name}: the reply \"{reply}\" names '{{{found}}}', which is neither a parameter nor the result"
                    f"{nearest(root, [*fields, 'result'])}."
                )
    return replies


def _by_language(phrases: Phrases | None, name: str) -> dict[str, tuple[str, ...]]:
    if phrases is None:
        return {}
    given = cast("Mapping[str, Iterable[str]]", phrases) if isinstance(phrases, Mapping) else {"en": phrases}
    by_language: dict[str, tuple[str, ...]] = {}
    for language, templates in given.items():
        if not isinstance(templates, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ToolDefinitionError(f"{name}: phrases must be a list of texts, or a list for each language.")
        listed: tuple[Any, ...] = (templates,) if isinstance(templates, str) else tuple(templates)
        if not all(isinstance(template, str) and template.strip() for template in listed):
            raise ToolDefinitionError(f"{name}: each phrase must be a text that says something.")
        by_language[language] = listed
    return by_language
