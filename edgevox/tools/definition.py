"""One tool: what a model is told, how a call is checked, and the function that runs.

A tool does not run itself; `edgevox.tools.registry` does, on one path for every caller.
"""

import contextlib
import types
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, to_json

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Origin
from edgevox.core.tools import Effect, LatencyClass, ToolSite, ToolSpec
from edgevox.core.values import Empty, Value
from edgevox.tools.coercion import Refused, coerce, rename
from edgevox.tools.edges import Condition, Edge, Parents, edges_to, joined
from edgevox.tools.leave import CallResources
from edgevox.tools.names import checked_name
from edgevox.tools.projection import read_arguments
from edgevox.tools.schema import InputSchema, read_model
from edgevox.tools.signature import ToolSignature
from edgevox.tools.wording import allowed, nearest, shown

_PROBLEMS = 4
"""Refusals that one answer names; a model repairs few things at a time."""
_COVERED = "•••"


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
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
    final: bool = False
    """Whether that says all, so that a model which called it is not asked again."""
    confirm: bool | str | Mapping[str, str] = False
    """Whether a person is asked first; a text is the question, with `{arguments}` in braces."""
    confirm_model_only: bool = False
    """Whether a person is asked only about the calls of a model."""
    resources: frozenset[str] = frozenset()
    """Calls that share one run one after the other; one with a kind in front (`motion:base`) needs leave too."""
    call_resources: CallResources | None = None
    """More resources, by the arguments of a call."""
    allowed: bool = False
    """Whether its author gives leave for its resources where a run brings no permissions of its own."""
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
    chain_condition: Condition | None = None
    """Of the edges that have none of their own; `None` is always."""
    context: Any = None
    """What a factory was called with; `None` for other tools."""

    @property
    def name(self) -> str:
        """What a model calls it. Assigning a name that is not allowed leaves the old one."""
        return self.spec.name

    @name.setter
    def name(self, name: str) -> None:
        self.rename(name)

    @property
    def description(self) -> str:
        """What a model is told it does."""
        return self.spec.description

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return self.spec.input_schema

    def asks_first(self, origin: Origin) -> bool:
        """Whether a person is asked before a call of that origin."""
        return bool(self.confirm) and (origin is Origin.MODEL or not self.confirm_model_only)

    @property
    def is_typed(self) -> bool:
        """Whether it takes and returns values, and so may be a link of a chain."""
        return self.input_model is not None

    @property
    def is_passive(self) -> bool:
        """Whether it only runs on what other tools return: no model is offered it."""
        return bool(self.chained_to)

    @property
    def InputModel(self) -> type[Empty] | None:  # noqa: N802 - a promised name
        """What a typed tool takes."""
        return self.input_model

    @property
    def OutputModel(self) -> Any:  # noqa: N802 - a promised name
        """What a typed tool returns: a class, or the union of several."""
        union: Any = None
        for model in self.output_models:
            union = model if union is None else union | model
        return union

    @property
    def touches(self) -> bool:
        """Whether its calls hold anything, or need leave for it."""
        return bool(self.resources) or self.call_resources is not None

    @property
    def inject(self) -> frozenset[str]:
        """Parameters that the runtime fills with the `AgentContext`."""
        return self.signature.inject

    def openai_schema(self) -> dict[str, Any]:
        """The schema in the shape chat-completion requests carry."""
        return self.spec.openai()

    def __repr__(self) -> str:
        """Say which tool it is; its context is never shown."""
        return f"<tool {self.name}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the body as it is: a typed tool's with the input and the messages."""
        return self.fn(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> "Tool":
        """Take a typed method from an object."""
        if instance is None or not self.signature.unbound:
            return self
        return self.bound_to(types.MethodType(self.fn, instance))

    def rename(self, name: str) -> Self:
        """Give the tool another name, in place.

        Raises:
            ToolDefinitionError: the name is not allowed; the tool keeps the one it has.
        """
        self.spec = replace(self.spec, name=checked_name(name, typed=self.is_typed))
        return self

    def copy(
        self,
        *,
        name: str | None = None,
        chained_to: Parents = None,
        chain_condition: Condition | None = None,
        description: str | None = None,
    ) -> "Tool":
        """Return a copy with an identity of its own: what is chained to this tool is not chained to the copy.

        Args:
            name: of the copy.
            chained_to: its parents, in place of this tool's; none keeps them.
            chain_condition: of its edges that have none of their own.
            description: what a model is told.

        Raises:
            ToolDefinitionError: the name is not allowed, or a parent is no tool.
        """
        spec = replace(self.spec, description=self.spec.description if description is None else description)
        copied = replace(self, spec=spec, id=uuid.uuid4().hex)
        if name:
            copied.rename(name)
        if chained_to:
            copied.chained_to = ()
        return copied.chain(chained_to or (), chain_condition)

    def chain(self, parents: Parents, condition: Condition | None = None) -> Self:
        """Append parents, in place; a tool with parents is passive.

        Args:
            parents: a tool, a factory, or a list of these and of `(parent, condition)` pairs; `None` removes all.
            condition: of all edges that have none of their own, those before included; none keeps it.

        Raises:
            ToolDefinitionError: this is not a typed tool, or a parent is no tool.
        """
        shared = self.chain_condition
        more = edges_to(parents, condition if condition is not None else shared, self.name)
        edges = joined(self.chained_to, more) if parents is not None else ()
        if edges and not self.is_typed:
            raise ToolDefinitionError(
                f"{self.name} cannot be chained: only a tool of the form (input, messages) -> Value takes what another "
                "returned."
            )
        if condition is not None:
            edges = tuple(replace(edge, condition=condition) if edge.condition is shared else edge for edge in edges)
            self.chain_condition = condition
        self._offer(passive=bool(edges))
        self.chained_to = edges
        return self

    def external_dependencies(self) -> tuple[Any, ...]:
        """Return the programs, services and models outside that its context names."""
        named = getattr(self.context, "external_dependencies", None)
        return tuple(cast("Iterable[Any]", named())) if callable(named) else ()

    @staticmethod
    def to_tool_list(nested: Any) -> "list[Tool]":
        """Return the tools in a tool, or in lists of lists of them, in their order.

        Raises:
            ToolDefinitionError: something in it is no tool.
        """
        if isinstance(nested, Tool):
            return [nested]
        if isinstance(nested, list | tuple):
            return [tool for part in cast("Iterable[Any]", nested) for tool in Tool.to_tool_list(part)]
        declared = getattr(nested, "__edgevox_tool__", None) or getattr(nested, "tool", None)
        if isinstance(declared, Tool):
            return [declared]
        unbound = f": call the factory with its context first, {nested.name}(ctx)" if hasattr(nested, "bind") else ""
        raise ToolDefinitionError(f"{nested!r:.80} is not a tool{unbound}.")

    def _offer(self, *, passive: bool) -> None:
        """Make sure that a tool which becomes active can be written as JSON."""
        if self.input_model is not None and not passive and self.chained_to:
            self.input = read_model(self.name, self.input_model, offered=True)
            self.spec = replace(self.spec, input_schema=self.input.public)

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
        if self.input_model is not None:
            return {"input": self._typed_input(arguments, self.input_model)}
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

    def _typed_input(self, arguments: Mapping[str, Any], model: type[Empty]) -> Empty:
        """Repair what can be repaired without loss, then let the class decide."""
        properties: dict[str, Any] = self.input.complete.get("properties", {})
        definitions: dict[str, Any] = self.input.complete.get("$defs", {})
        given = dict(arguments)
        for name, schema in properties.items():
            if name in given:
                with contextlib.suppress(Refused):  # the class has the last word, and its own sentence
                    given[name] = coerce(given[name], schema, name, definitions)
        return read_arguments(given, model, self.name)

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
