"""One tool: what a model is told, how a call is checked, and the function that runs.

A tool does not run itself; `edgevox.tools.registry` does, on one path for every caller.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_json

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.tools import Effect, LatencyClass, ToolSite, ToolSpec
from edgevox.core.values import Empty, Value
from edgevox.tools.coercion import Refused, coerce, rename
from edgevox.tools.edges import Edge
from edgevox.tools.schema import InputSchema
from edgevox.tools.signature import ToolSignature
from edgevox.tools.wording import allowed, nearest, shown

_PROBLEMS = 4
"""Refusals that one answer names; a model repairs few things at a time."""
_COVERED = "•••"


@dataclass(slots=True, kw_only=True, eq=False)
class Tool:
    """A function that a model, a phrase or a chain may call."""

    spec: ToolSpec
    fn: Callable[..., Any]
    """What runs. May return a `GoalHandle`, which the registry then drives to its end."""
    input: InputSchema
    signature: ToolSignature
    site: ToolSite = ToolSite.INLINE
    effect: Effect = Effect.ONCE
    latency_class: LatencyClass = LatencyClass.FAST
    timeout_s: float | None = None
    """Seconds; `None` is the registry's default for tools and no limit for skills."""
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    """How people ask for it: templates by language."""
    says: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is said when it worked: templates by language."""
    confirm: bool | str | Mapping[str, str] = False
    """Whether a person is asked first; a text is the question, with `{arguments}` in braces."""
    resources: frozenset[str] = frozenset()
    """Calls that share one run one after the other."""
    active: bool = True
    """An inactive tool is known, but nobody is offered it."""
    owner: str | None = None
    """The agent or plugin it belongs to."""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    """What edges know it by; a copy has its own."""
    input_model: type[Empty] | None = None
    """What a typed tool takes (`fn(input, messages)`); `None` for a function tool."""
    output_models: tuple[type[Value], ...] = ()
    """What a typed tool may return."""
    chained_to: tuple[Edge, ...] = ()
    """The tools whose outputs it takes."""

    @property
    def name(self) -> str:
        """What a model calls it."""
        return self.spec.name

    @property
    def description(self) -> str:
        """What a model is told it does."""
        return self.spec.description

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return self.spec.input_schema

    @property
    def is_typed(self) -> bool:
        """Whether it takes and returns values, and so may be a link of a chain."""
        return self.input_model is not None

    @property
    def inject(self) -> frozenset[str]:
        """Parameters that the runtime fills with the `AgentContext`."""
        return self.signature.inject

    def openai_schema(self) -> dict[str, Any]:
        """The schema in the shape chat-completion requests carry."""
        return self.spec.openai()

    def bound_to(self, fn: Callable[..., Any]) -> "Tool":
        """Return this tool with another function of the same parameters: a method taken from an object."""
        return replace(self, fn=fn, signature=replace(self.signature, unbound=False))

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check a call's arguments and return them as the function takes them.

        Raises:
            Refused: sentences that name each field that does not fit and say what is allowed.
            ToolDefinitionError: the function is a method without its object.
        """
        if self.signature.unbound:
            raise ToolDefinitionError(
                f"{self.name} is a method: register it as it hangs on an object (house.{self.name})."
            )
        given = {name: value for name, value in self._named(arguments).items() if not self._left_out(name, value)}
        coerced = self._coerced(given)
        if not self.signature.parameters:
            return {}
        return self._validated(coerced)

    def shown(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as they may be shown, logged and stored: secrets are covered."""
        return {name: _COVERED if name in self.spec.secret_fields else value for name, value in arguments.items()}

    def without_secrets(self, text: str, arguments: Mapping[str, Any]) -> str:
        """Cover the secret values of a call wherever they stand in a text."""
        for name in self.spec.secret_fields:
            secret = str(arguments.get(name, ""))
            text = text.replace(secret, _COVERED) if len(secret) > 2 else text
        return text

    def _named(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        known = self.input.fields
        given = rename(arguments, known)
        strangers = [name for name, value in given.items() if name not in known and value not in (None, "", {}, [])]
        if strangers:
            takes = f"it takes {', '.join(known)}" if known else "it takes no arguments"
            named = " and ".join(f"'{name}'{nearest(name, known)}" for name in strangers[:_PROBLEMS])
            raise Refused(f"{self.name} has no argument {named}; {takes}.")
        return {name: value for name, value in given.items() if name in known}

    def _left_out(self, name: str, value: Any) -> bool:
        """Whether null stands for *not given*: the parameter has a default and no null among its values."""
        if value is not None or name in self.input.complete.get("required", ()):
            return False
        return not _takes_null(self.input.complete["properties"][name])

    def _coerced(self, given: Mapping[str, Any]) -> dict[str, Any]:
        properties: dict[str, Any] = self.input.complete.get("properties", {})
        definitions: dict[str, Any] = self.input.complete.get("$defs", {})
        coerced: dict[str, Any] = {}
        problems: list[str] = []
        for name, value in given.items():
            try:
                coerced[name] = coerce(value, properties[name], name, definitions)
            except Refused as refusal:
                secret = name in self.spec.secret_fields
                problems.append(f"{name} does not have the form that it must have." if secret else str(refusal))
        problems += [
            f"{name} is missing; it must be {allowed(self.parameters['properties'][name])}."
            for name in self.input.complete.get("required", ())
            if name not in given
        ]
        if problems:
            raise Refused(" ".join(problems[:_PROBLEMS]))
        return coerced

    def _validated(self, coerced: Mapping[str, Any]) -> dict[str, Any]:
        try:
            checked = self.input.model.model_validate_json(to_json(coerced), strict=True)
        except PydanticSerializationError as error:
            raise Refused(f"{self.name} takes only values that JSON can hold.") from error
        except ValidationError as error:
            raise Refused(" ".join(self._sentences(error))) from error
        given = checked.model_fields_set
        return {
            parameter.name: getattr(checked, self.input.fields[parameter.name])
            for parameter in self.signature.parameters
            if self.input.fields[parameter.name] in given or _is_field(parameter.default)
        }

    def _sentences(self, error: ValidationError) -> list[str]:
        sentences: list[str] = []
        for problem in error.errors(include_url=False)[:_PROBLEMS]:
            path = ".".join(str(part) for part in problem["loc"])
            secret = str(problem["loc"][0]) in self.spec.secret_fields if problem["loc"] else False
            got = "" if secret else f" (got {shown(problem['input'])})"
            sentences.append(f"{path}: {problem['msg'][0].lower()}{problem['msg'][1:]}{got}.")
        return sentences


def _takes_null(schema: Mapping[str, Any]) -> bool:
    """Whether null is one of the values, or anything is."""
    branches: list[Any] = schema.get("anyOf", [schema])
    return any(
        branch.get("type") == "null" or not {"type", "enum", "const", "$ref"} & set(branch) for branch in branches
    )


def _is_field(default: Any) -> bool:
    """Whether the default is pydantic's description of one, which the function cannot use as it is."""
    return isinstance(default, FieldInfo)
