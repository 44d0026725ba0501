"""The file of a catalogue, `models.json`: which providers there are, where, and which models each has.

Knows the schema and says what is wrong with a file, each mistake with its place. Holds no keys, only the names of the
variables that hold them. Builds nothing.
"""

import json
import keyword
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, cast
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from edgevox.core.errors import CatalogueError
from edgevox.endpoints.request import OWNED

LIMIT_BYTES = 4 * 1024 * 1024
RESERVED = frozenset({"api_name", "base_url", "configured", "models", "models_by_attribute", "with_model_id"})
"""Members of a catalogue that no model may hide."""


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError("must be an address with a port between 1 and 65535") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", text) or port == 0:
        raise ValueError("must be an address such as http://localhost:8080/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a name or a password: give api_key_env")
    if parts.query or parts.fragment or text.endswith(("?", "#")):
        raise ValueError("must not hold anything behind ? or #")
    return text


def _variable(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        raise ValueError("must be the name of an environment variable, such as MY_SERVICE_API_KEY_SECRET, never a key")
    return text


def _first_version(value: Any) -> Any:
    if type(value) is not int or value != 1:  # true and 1.0 are equal to 1, and not meant
        raise ValueError("must be 1")
    return value


def _free(body: dict[str, Any]) -> dict[str, Any]:
    if owned := sorted(OWNED & set(body)):
        raise ValueError(f"must not hold {', '.join(owned)}: the endpoint sets that itself")
    return body


Text = Annotated[str, Field(min_length=1), AfterValidator(_not_blank)]
Temperature = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


class RequestEntry(_Entry):
    """What every request to a chat model says beside the conversation."""

    max_tokens: Annotated[int, Field(gt=0)] | None = None
    """Longest answer, tokens."""
    top_p: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = None
    seed: int | None = None
    stop: list[Text] | None = None
    """Texts that end an answer."""
    response_format: dict[str, Any] | None = None
    extra_body: Annotated[dict[str, Any], AfterValidator(_free)] | None = None
    """Keys that only this provider knows."""


class ChatEntry(_Entry):
    """A chat model."""

    model_id: Text
    """What the provider calls it."""
    endpoint_type: Literal["llm"]
    max_context_tokens: Annotated[int, Field(gt=0)]
    """Tokens that fit, the answer included."""
    temperature: Temperature | None = None
    """Randomness, 0 to 2; the provider's own when left out."""
    request: RequestEntry = Field(default_factory=RequestEntry)


class TranscriptionEntry(_Entry):
    """A model that writes down what was said."""

    model_id: Text
    """What the provider calls it."""
    endpoint_type: Literal["transcription"]
    language: Text | None = None
    """Code of the language to listen for; found out when left out."""
    prompt: Text | None = None
    """Words that are likely to be said."""
    temperature: Temperature | None = None


ModelEntry = Annotated[ChatEntry | TranscriptionEntry, Field(discriminator="endpoint_type")]


class ProviderEntry(_Entry):
    """One provider: an address, or edgevox itself."""

    base_url: Annotated[Text, AfterValidator(_address)] | None = None
    """Address of its API; left out for models that edgevox runs itself."""
    engine: Literal["edgevox"] | None = None
    """`edgevox` for models that edgevox runs itself, in place of an address."""
    api_key_env: Annotated[Text, AfterValidator(_variable)] | None = None
    """The variable that holds the key; left out where none is needed."""
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 60.0
    """Longest silence, seconds."""
    stream: bool = True
    """Whether it can stream its answers."""
    models: dict[str, ModelEntry]

    @model_validator(mode="after")
    def _one_place(self) -> "ProviderEntry":
        if (self.base_url is None) == (self.engine is None):
            raise ValueError('must have a base_url, or "engine": "edgevox", and not both')
        if self.engine is not None and (
            self.api_key_env or any(m.endpoint_type != "llm" for m in self.models.values())
        ):
            raise ValueError("has chat models alone and no key, because edgevox runs it itself")
        return self


class CatalogueFile(_Entry):
    """A whole catalogue."""

    schema_url: str | None = Field(default=None, alias="$schema")
    schema_version: Annotated[Literal[1], BeforeValidator(_first_version)]
    providers: dict[str, ProviderEntry]


def parse_catalogue(text: str) -> CatalogueFile:
    """Read a catalogue.

    Raises:
        CatalogueError: the first thing that is wrong; its sentence names the place.
    """
    made, problems = examine_catalogue(text)
    if made is None:
        raise CatalogueError(problems[0])
    return made


def read_catalogue(path: Path) -> CatalogueFile:
    """Read the catalogue in a file.

    Raises:
        CatalogueError: it cannot be read, or what is wrong in it; the sentence begins with the path.
    """
    try:
        return parse_catalogue(read_text(path))
    except CatalogueError as error:
        raise CatalogueError(f"{path}: {error}") from None


def read_text(path: Path) -> str:
    """Return the text of a catalogue's file.

    Raises:
        CatalogueError: there is none, or it is no text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT_BYTES + 1)
        if len(data) > LIMIT_BYTES:
            raise CatalogueError("It is larger than any catalogue: give a models.json.")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise CatalogueError("There is no such file: make one with `edgevox endpoints init`.") from None
    except UnicodeDecodeError:
        raise CatalogueError("It is not UTF-8 text: save it as UTF-8.") from None
    except OSError as error:
        raise CatalogueError(f"It cannot be read ({error.strerror or error}).") from None


def examine_catalogue(text: str) -> tuple[CatalogueFile | None, list[str]]:
    """Return the catalogue, or `None` and a sentence for each thing that is wrong with it."""
    try:
        data = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return None, [f"It is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."]
    except (ValueError, RecursionError) as error:
        return None, [str(error) if isinstance(error, CatalogueError) else "It is nested too deeply."]
    named = _name_problems(data)
    try:
        made = CatalogueFile.model_validate(data)
    except ValidationError as error:
        return None, [*named, *(_sentence(problem) for problem in error.errors(include_url=False))]
    return (None, named) if named else (made, [])


def schema() -> dict[str, Any]:
    """Return the JSON schema of a catalogue, for editors."""
    made = CatalogueFile.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": "edgevox catalogue of endpoints",
    }


def is_attribute(name: str) -> bool:
    """Return whether a name can be a public attribute of a module: as Python spells it, and the same after reading."""
    return (
        name.isidentifier()
        and not keyword.iskeyword(name)
        and not name.startswith("_")
        and unicodedata.normalize("NFKC", name) == name
    )


def _without_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise CatalogueError(f"“{twice}” stands twice in one object: keep one of them.")
    return made


def _no_constant(name: str) -> NoReturn:
    raise CatalogueError(f"{name} is no number of JSON: give a finite one.")


def _name_problems(data: Any) -> list[str]:
    """What is wrong with the names that become attributes."""
    problems: list[str] = []
    for provider, entry in _items(data, "providers"):
        if not is_attribute(provider):
            problems.append(f"providers.{provider}: {_NAME_RULE}")
        for model, _ in _items(entry, "models"):
            if not is_attribute(model):
                problems.append(f"providers.{provider}.models.{model}: {_NAME_RULE}")
            elif model in RESERVED:
                problems.append(f"providers.{provider}.models.{model}: every catalogue has a member of that name.")
    return problems


_NAME_RULE = "the name must be a Python name that does not begin with an underscore, such as my_chat_model."


def _items(data: Any, key: str) -> list[tuple[str, Any]]:
    inner: Any = cast("Mapping[str, Any]", data).get(key) if isinstance(data, Mapping) else None
    return list(cast("Mapping[str, Any]", inner).items()) if isinstance(inner, Mapping) else []


_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of a catalogue: remove it",
    "string_type": "must be a text",
    "string_too_short": "must not be blank",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "dict_type": "must be an object",
    "list_type": "must be a list",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "union_tag_invalid": "must have an endpoint_type of llm or transcription",
    "union_tag_not_found": "must have an endpoint_type of llm or transcription",
}


def _sentence(problem: Any) -> str:
    place = [str(part) for part in problem["loc"]]
    if len(place) > 4 and place[0] == "providers" and place[2] == "models":
        del place[4]  # which kind of model it was taken for
    context: Mapping[str, Any] = problem.get("ctx") or {}
    words = _WORDS.get(problem["type"])
    said = words.format(**context) if words else str(problem["msg"]).removeprefix("Value error, ")
    return f"{'.'.join(place) or 'The file'}: {said}."
