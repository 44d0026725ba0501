"""From parameters to the JSON schema a model reads and the pydantic model that checks its answer.

Two schemas come out: the one for the model is short (no titles, no references, no null where leaving out says the
same); the one for `edgevox.tools.coercion` is complete.
"""

import types
import typing
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Union, cast

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError, PydanticUserError
from pydantic.fields import FieldInfo

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.values import Empty
from edgevox.tools.signature import EMPTY, Parameter
from edgevox.tools.wording import NAMES

_CONFIG = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, populate_by_name=False)
_DESCRIPTION_LIMIT = 300
"""Characters of a parameter's description; small models read every one of them on every turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSchema:
    """What a call's arguments must look like."""

    public: dict[str, Any]
    """For the model."""
    complete: dict[str, Any]
    """For coercion: references, nulls and enumeration names included."""
    model: type[BaseModel]
    """Checks strictly. Its fields are `p0`, `p1`, …, so that a parameter may have any name; the names are aliases."""
    fields: Mapping[str, str]
    """From parameter to field."""


def build_input(tool: str, parameters: tuple[Parameter, ...], descriptions: Mapping[str, str]) -> InputSchema:
    """Build the schemas and the checking model of one tool.

    Raises:
        ToolDefinitionError: a parameter's type cannot be written as JSON.
    """
    fields = {parameter.name: f"p{index}" for index, parameter in enumerate(parameters)}
    definitions: dict[str, Any] = {fields[p.name]: _field(tool, p, descriptions.get(p.name, "")) for p in parameters}
    from edgevox.tools.schema_names import SchemaWithNames

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a default that JSON cannot hold is left out of the schema, nothing more
        model = create_model(tool, __config__=_CONFIG, **definitions)
        complete = model.model_json_schema(schema_generator=SchemaWithNames)
    return InputSchema(public=_public(complete), complete=complete, model=model, fields=fields)


def read_model(tool: str, model: type[Empty], *, offered: bool) -> InputSchema:
    """Build the schemas of a tool whose input is a value class.

    Args:
        tool: its name, for messages.
        model: the class.
        offered: whether a model may call the tool; one that it never sees may take what JSON cannot hold.

    Raises:
        ToolDefinitionError: a field's type cannot be written as JSON.
    """
    from edgevox.tools.schema_names import SchemaWithNames

    fields = {_key_of(name, field): name for name, field in model.model_fields.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            complete = model.model_json_schema(schema_generator=SchemaWithNames)
    except (PydanticInvalidForJsonSchema, PydanticUserError) as error:
        if offered:
            raise ToolDefinitionError(
                f"{tool} cannot be called by a model, for JSON cannot hold a field of {model.__name__}; chain it to "
                "the tool that makes the value, or use str, int, float, bool, list, dict, Literal, Enum or a model."
            ) from error
        anything: dict[str, Any] = {}
        complete = {"type": "object", "properties": dict.fromkeys(fields, anything)}
    public = _public(complete)
    if model.model_config.get("extra") == "allow":
        public["additionalProperties"] = True
    return InputSchema(public=public, complete=complete, model=model, fields=fields)


def fields_of(model: type[Empty]) -> tuple[Parameter, ...]:
    """Return the fields of a value class as the parameters of a call."""
    return tuple(
        Parameter(
            name=_key_of(name, field),
            annotation=_annotation_of(field),
            default=EMPTY if field.is_required() else field.get_default(call_default_factory=True, validated_data={}),
        )
        for name, field in model.model_fields.items()
    )


def _annotation_of(field: FieldInfo) -> Any:
    """Return what a field was annotated with, and what was said beside the type: how its values are spoken."""
    annotation: Any = field.annotation
    for said in field.metadata:
        annotation = Annotated[annotation, said]
    return annotation


def _key_of(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    return alias if isinstance(alias, str) else field.alias or name


def _field(tool: str, parameter: Parameter, description: str) -> Any:
    annotation = _portable(parameter.annotation)
    extra: dict[str, Any] = {"alias": parameter.name}
    if description and not _describes_itself(annotation):
        extra["description"] = _cut(description)
    field: Any = (Annotated[annotation, Field(**extra)], ... if parameter.required else parameter.default)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            create_model("Probe", __config__=_CONFIG, probe=field).model_json_schema()
    except (PydanticSchemaGenerationError, PydanticInvalidForJsonSchema, PydanticUserError, TypeError) as error:
        shown = getattr(parameter.annotation, "__name__", None) or str(parameter.annotation)
        raise ToolDefinitionError(
            f"{tool} cannot be a tool: a model cannot write a {shown} for '{parameter.name}'; use str, int, float, "
            "bool, list, dict, Literal, Enum, a dataclass or a pydantic model."
        ) from error
    return field


def _describes_itself(annotation: Any) -> bool:
    metadata = typing.get_args(annotation)[1:] if typing.get_origin(annotation) is Annotated else ()
    return any(isinstance(part, FieldInfo) and part.description for part in metadata)


def _cut(description: str) -> str:
    return description if len(description) <= _DESCRIPTION_LIMIT else description[: _DESCRIPTION_LIMIT - 1] + "…"


def _portable(annotation: Any) -> Any:
    """Rebuild what pydantic refuses on older Pythons: `typing.TypedDict`, and `object` as *anything*."""
    if annotation is object:
        return Any
    if typing.is_typeddict(annotation):
        return _typed_dict(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is None or origin is typing.Literal or not arguments:
        return annotation
    if origin is Annotated:
        return Annotated[(_portable(arguments[0]), *arguments[1:])]  # type: ignore[return-value]
    rebuilt = tuple(_portable(argument) for argument in arguments)
    if rebuilt == arguments:
        return annotation
    return Union[rebuilt] if origin in (Union, types.UnionType) else origin[rebuilt]  # noqa: UP007


def _typed_dict(annotation: Any) -> Any:
    import typing_extensions

    hints = typing.get_type_hints(annotation, include_extras=True)
    required: frozenset[str] = annotation.__required_keys__
    marked = {
        key: _portable(hint) if key in required else typing_extensions.NotRequired[_portable(hint)]
        for key, hint in hints.items()
    }
    return cast("Any", typing_extensions).TypedDict(annotation.__name__, marked)


def _public(complete: dict[str, Any]) -> dict[str, Any]:
    definitions: dict[str, Any] = complete.get("$defs", {})
    shortener = _Shortener(definitions)
    properties = {name: shortener.parameter(schema) for name, schema in complete.get("properties", {}).items()}
    public: dict[str, Any] = {"type": "object", "properties": properties}
    if complete.get("required"):
        public["required"] = complete["required"]
    if shortener.kept:
        public["$defs"] = {name: shortener.shorten(definitions[name], (name,)) for name in sorted(shortener.kept)}
    return public


class _Shortener:
    """Makes a schema small: no titles, references written out unless they go round in circles."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self.kept: set[str] = set()
        """Definitions that refer to themselves and have to stay."""

    def parameter(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Shorten one parameter; one that may be left out needs no null."""
        short = self.shorten(schema, ())
        if "default" in short and short["default"] is None:
            del short["default"]
            short = _without_null(short)
        return short

    def shorten(self, schema: Any, above: tuple[str, ...]) -> Any:
        """Shorten a schema that stands inside the definitions `above`."""
        if isinstance(schema, list):
            return [self.shorten(part, above) for part in cast("list[Any]", schema)]
        if not isinstance(schema, dict):
            return schema
        schema = cast("dict[str, Any]", schema)
        if "$ref" in schema:
            return self._written_out(schema, above)
        short: dict[str, Any] = {}
        for key, value in schema.items():
            if key == "properties":
                short[key] = {name: self.shorten(part, above) for name, part in value.items()}
            elif key in ("enum", "default", "const", "examples"):
                short[key] = value
            elif key not in ("title", NAMES):
                short[key] = self.shorten(value, above)
        return _explained(short, schema)

    def _written_out(self, schema: dict[str, Any], above: tuple[str, ...]) -> dict[str, Any]:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        rest = {key: value for key, value in schema.items() if key not in ("$ref", "title")}
        if name in above:
            self.kept.add(name)
            return {"$ref": schema["$ref"], **rest}
        return {**self.shorten(self._definitions[name], (*above, name)), **rest}


def _explained(short: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Say what the members of an enumeration mean when their values do not."""
    if NAMES in schema:
        meanings = ", ".join(f"{value} = {name}" for value, name in zip(schema["enum"], schema[NAMES], strict=True))
        short["description"] = f"{short.get('description', '')} ({meanings})".strip()
    return short


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    branches: list[Any] = [branch for branch in schema.get("anyOf", []) if branch != {"type": "null"}]
    if not branches or len(branches) == len(schema["anyOf"]):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**branches[0], **rest} if len(branches) == 1 else {"anyOf": branches, **rest}
