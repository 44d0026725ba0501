"""Makes tools of functions: `@tool`, the builder that `@skill` shares, and `as_tool` for whatever a list may hold.

Everything that can be wrong with a tool is said here, when it is declared.
"""

import functools
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast, overload

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.tools import Effect, LatencyClass, ToolSite, ToolSpec
from edgevox.tools.definition import Tool
from edgevox.tools.docstrings import read_docstring
from edgevox.tools.schema import build_input
from edgevox.tools.signature import read_signature
from edgevox.tools.wording import humane, nearest

ATTRIBUTE = "__edgevox_tool__"
"""Where a decorated function keeps its tool."""

Phrases = Iterable[str] | Mapping[str, Iterable[str]]
"""Templates in English, or templates by language."""
Says = str | Mapping[str, str]
"""A reply in English, or replies by language."""

F = TypeVar("F", bound=Callable[..., Any])

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_DESCRIPTION_LIMIT = 1000
"""Characters; what a chat-completion request takes, and more than a small model should read."""


@overload
def tool(fn: F, /) -> F: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    phrases: Phrases | None = None,
    says: Says | None = None,
    confirm: bool | str | Mapping[str, str] = False,
    effect: Effect | str = Effect.ONCE,
    timeout_s: float | None = None,
    latency_class: LatencyClass | str = LatencyClass.FAST,
    secret_fields: Iterable[str] = (),
    resources: Iterable[str] = (),
) -> Callable[[F], F]: ...
def tool(fn: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a function a tool. It stays the function it was, callable as before.

    Type hints become the schema that a model reads, the first paragraph of the docstring its description, and the
    entries under `Args:` the descriptions of its parameters. A parameter called `ctx`, or annotated `AgentContext`,
    receives the context of the run and is not offered to the model.

    Args:
        fn: the function; a coroutine function is awaited, a bound method comes back wrapped.
        options: as `build_tool` takes them.

    Raises:
        ToolDefinitionError: the function cannot become a tool; the sentence says what to change.
    """
    if fn is None:
        return functools.partial(_declare, options)
    return _attach(fn, build_tool(fn, **options))


def build_tool(
    fn: Callable[..., Any],
    *,
    run: Callable[..., Any] | None = None,
    site: ToolSite = ToolSite.INLINE,
    name: str | None = None,
    description: str | None = None,
    phrases: Phrases | None = None,
    says: Says | None = None,
    confirm: bool | str | Mapping[str, str] = False,
    effect: Effect | str = Effect.ONCE,
    timeout_s: float | None = None,
    latency_class: LatencyClass | str = LatencyClass.FAST,
    secret_fields: Iterable[str] = (),
    resources: Iterable[str] = (),
) -> Tool:
    """Build the tool that a function declares; every decorator uses it.

    Args:
        fn: where name, docstring and parameters are read.
        run: what is called in its place, with the same arguments; `fn` itself when not given.
        site: where the body runs.
        name: what a model calls it; the function's own name when not given.
        description: what it does; the docstring's first paragraph when not given.
        phrases: how people ask for it, in hassil's template syntax; English, or by language.
        says: what is said when it worked, with `{argument}` and `{result}`; English, or by language.
        confirm: ask a person first; a text is the question, in English, or by language.
        effect: what running it twice would do.
        timeout_s: seconds after which it counts as failed.
        latency_class: `fast` for what answers within 100 ms.
        secret_fields: arguments that are never shown, logged or stored.
        resources: what it needs for itself; calls that share one run one after the other.

    Raises:
        ToolDefinitionError: the function cannot become a tool.
    """
    if not callable(fn):
        raise ToolDefinitionError(f"{fn!r:.80} cannot be a tool: put @tool or @skill over a function.")
    name = _checked_name(name or getattr(fn, "__name__", ""))
    _refuse_generators(fn, name)
    _refuse_timeout(timeout_s, name)
    signature = read_signature(fn, name)
    documented = read_docstring(fn.__doc__)
    schema = build_input(name, signature.parameters, documented.parameters)
    secrets = tuple(secret_fields)
    _refuse_strangers(secrets, schema.fields, name)
    spec = ToolSpec(
        name=name,
        description=_described(description or documented.summary or humane(name)),
        input_schema=schema.public,
        secret_fields=secrets,
    )
    return Tool(
        spec=spec,
        fn=run or fn,
        input=schema,
        signature=signature,
        site=site,
        effect=_choice(Effect, effect, name, "effect"),
        latency_class=_choice(LatencyClass, latency_class, name, "latency_class"),
        timeout_s=timeout_s,
        phrases=_by_language(phrases, name),
        says=_replies(says, schema.fields, name),
        confirm=confirm,
        resources=frozenset(resources),
    )


def as_tool(obj: Any) -> Tool:
    """Return the tool that `obj` is or declares.

    Args:
        obj: a `Tool`, a decorated function, a bound method of one, a skill (anything with a `.tool`), or a plain
            function, which is decorated with the defaults.

    Raises:
        ToolDefinitionError: it is none of these.
    """
    if isinstance(obj, Tool):
        return obj
    declared = getattr(obj, ATTRIBUTE, None)
    if isinstance(declared, Tool):
        return declared.bound_to(obj) if inspect.ismethod(obj) and declared.signature.unbound else declared
    carried = getattr(obj, "tool", None)
    if isinstance(carried, Tool):
        return carried
    if not callable(obj) or inspect.isclass(obj):
        raise ToolDefinitionError(f"{obj!r:.80} is not a tool: pass a function decorated with @tool.")
    return build_tool(obj)


def _declare(options: dict[str, Any], fn: Callable[..., Any]) -> Callable[..., Any]:
    return _attach(fn, build_tool(fn, **options))


def _attach(fn: Callable[..., Any], built: Tool) -> Callable[..., Any]:
    if inspect.ismethod(fn):
        method = fn

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            return method(*args, **kwargs)

        fn = call
    try:
        setattr(fn, ATTRIBUTE, built)
    except AttributeError as error:
        raise ToolDefinitionError(f"{built.name} cannot be a tool as it is: wrap it in a function.") from error
    return fn


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ToolDefinitionError(
            f"'{name}' cannot be a tool's name: use letters, digits and underscores, 64 at most (@tool(name=…))."
        )
    return name


def _refuse_generators(fn: Callable[..., Any], name: str) -> None:
    if inspect.isclass(fn) or not callable(fn):
        raise ToolDefinitionError(f"{name} cannot be a tool: decorate a function or a method.")
    if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        raise ToolDefinitionError(f"{name} cannot be a tool: it yields; return a list, or one text, instead.")


def _refuse_timeout(timeout_s: Any, name: str) -> None:
    number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if timeout_s is not None and not (number and 0 < timeout_s < math.inf):
        raise ToolDefinitionError(f"{name}: timeout_s must be more than 0 seconds, not {timeout_s!r}.")


def _refuse_strangers(secrets: tuple[str, ...], fields: Mapping[str, str], name: str) -> None:
    for secret in secrets:
        if secret not in fields:
            raise ToolDefinitionError(f"{name}: secret field '{secret}' is not one of its parameters.")


def _described(description: str) -> str:
    text = " ".join(description.split())
    return text if len(text) <= _DESCRIPTION_LIMIT else text[: _DESCRIPTION_LIMIT - 1] + "…"


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
