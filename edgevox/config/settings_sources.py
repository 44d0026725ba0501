"""Where settings come from, and how a mistake in them is told to a person.

Knows the settings file (TOML), the environment and the arguments of a call, in rising order. Does not know any setting.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel, ValidationError, create_model

from edgevox.config.files import write_atomic
from edgevox.config.paths import settings_file
from edgevox.core.errors import ConfigError

Tree = dict[str, Any]
Source = Literal["file", "environment", "argument"]
ModelT = TypeVar("ModelT", bound=BaseModel)

PREFIX = "EDGEVOX_"
DELIMITER = "__"
_RULES = "permissions"
"""Section whose values are never replaced by defaults."""


class SettingsProblem(ConfigError):
    """One value of the settings cannot be used."""

    def __init__(self, sentence: str, source: Source, setting: str = "") -> None:
        super().__init__(sentence)
        self.source: Source = source
        """Where the value came from."""
        self.setting = setting
        """Its dotted name, or the section that may be concerned; empty when a whole source cannot be read."""


def load_values(tree: type[ModelT], overrides: Mapping[str, Any]) -> tuple[ModelT, list[SettingsProblem]]:
    """Merge all sources over the defaults; what cannot be used is left out and told.

    Args:
        tree: the settings class.
        overrides: the caller's own values, nested or with `section__field`; `None` is left out.
    """
    problems: list[SettingsProblem] = []
    layers: list[tuple[Source, Tree]] = [
        ("file", _file_values(problems)),
        ("environment", _environment_values(tree, problems)),
        ("argument", _nested(overrides)),
    ]
    while True:
        merged: Tree = {}
        for _, values in layers:
            _merge(merged, values)
        try:
            return tree.model_validate(merged), problems
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=False)
            problems.extend(_drop(tree, layers, cast("Tree", detail)) for detail in details)


def save_values(settings: BaseModel, defaults: BaseModel) -> None:
    """Write every value that differs from its default, and every value the file already names."""
    document = _document()
    _write_table(document, settings, defaults)
    write_atomic(settings_file(), _dump(document))


def update_values(tree: type[BaseModel], changes: Mapping[str, Any]) -> None:
    """Set single values by dotted name after checking them; `None` removes one."""
    given = _nested({name.replace(".", DELIMITER): value for name, value in changes.items()})
    try:
        tree.model_validate(given)
    except ValidationError as error:
        detail = cast("Tree", error.errors(include_url=False, include_context=False)[0])
        raise _problem(tree, "argument", detail) from error
    document = _document()
    for name, value in changes.items():
        *sections, field = name.split(".")
        table: Any = document
        for section in sections:
            table = table.setdefault(section, {})
        if value is None:
            table.pop(field, None)
        else:
            table[field] = _plain(value)
    write_atomic(settings_file(), _dump(document))


def _file_values(problems: list[SettingsProblem]) -> Tree:
    path = settings_file()
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        reason = "is not UTF-8 text"
    except tomllib.TOMLDecodeError as error:
        reason = f"is not valid TOML: {_lower_first(str(error))}"
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
    told = f"{path} {reason}; correct it, or delete it to start from the defaults."
    problems.append(SettingsProblem(told, "file", _RULES if _mentions_rules(path) else ""))
    return {}


def _mentions_rules(path: Path) -> bool:
    """Whether a file that cannot be understood may hold rules of permission, which must not be left out."""
    try:
        return _RULES.encode() in path.read_bytes()
    except OSError:
        return False


def _environment_values(tree: type[BaseModel], problems: list[SettingsProblem]) -> Tree:
    """Read `EDGEVOX_SECTION__FIELD`; the library for it is loaded only when there is such a variable."""
    heads = tuple(f"{PREFIX}{name.upper()}" for name in tree.model_fields)
    if not any(key.upper().startswith(heads) for key in os.environ):
        return {}
    from pydantic_settings import BaseSettings, EnvSettingsSource
    from pydantic_settings.exceptions import SettingsError

    fields: Tree = {name: (field.annotation, field) for name, field in tree.model_fields.items()}
    reader = create_model("EnvironmentSettings", __base__=BaseSettings, **fields)
    source = EnvSettingsSource(reader, env_prefix=PREFIX, env_nested_delimiter=DELIMITER, case_sensitive=False)
    try:
        return dict(source())
    except SettingsError as error:
        problems.append(SettingsProblem(f"An {PREFIX}… variable cannot be read: {error}; use JSON.", "environment"))
        return {}


def _nested(flat: Mapping[str, Any]) -> Tree:
    """Turn `section__field` into tables and leave out what is `None`."""
    tree: Tree = {}
    for name, value in flat.items():
        if value is None:
            continue
        *sections, field = name.split(DELIMITER)
        table = tree
        for section in sections:
            table = table.setdefault(section, {})
        if isinstance(value, BaseModel):
            table[field] = value.model_dump(exclude_unset=True)
        else:
            table[field] = _nested(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value
    return tree


def _merge(into: Tree, values: Tree) -> None:
    for name, value in values.items():
        known = into.get(name)
        if isinstance(known, dict) and isinstance(value, dict):
            _merge(cast("Tree", known), cast("Tree", value))
        else:
            into[name] = _copy(value)


def _copy(value: Any) -> Any:
    return {k: _copy(v) for k, v in cast("Tree", value).items()} if isinstance(value, dict) else value


def _drop(tree: type[BaseModel], layers: list[tuple[Source, Tree]], detail: Tree) -> SettingsProblem:
    """Take the value that an error is about out of the highest layer that has it."""
    where = tuple(str(part) for part in detail["loc"])
    for source, values in reversed(layers):
        table: Any = values
        for depth, name in enumerate(where):
            if not isinstance(table, dict) or name not in table:
                break
            if depth + 1 == len(where) or not isinstance(table[name], dict):
                del table[name]
                return _problem(tree, source, detail)
            table = cast("Tree", table[name])
    raise AssertionError(f"no source has {'.'.join(where)}")


def _problem(tree: type[BaseModel], source: Source, detail: Tree) -> SettingsProblem:
    where = _setting_path(tree, tuple(str(part) for part in detail["loc"]))
    setting = ".".join(where)
    place = {"file": _file_place, "environment": _variable_place, "argument": ".".join}[source](where)
    if detail["type"] == "extra_forbidden":
        return SettingsProblem(f"{place} is not a setting of edgevox; {_suggestion(tree, where)}.", source, setting)
    return SettingsProblem(f"{place} is {detail['input']!r}, {_reason(detail)}.", source, setting)


def _setting_path(tree: type[BaseModel], where: tuple[str, ...]) -> tuple[str, ...]:
    """Cut what the checker adds below a setting: the branches of a union, the index in a list."""
    known: list[str] = []
    table: Any = tree
    for name in where:
        known.append(name)
        field = table.model_fields.get(name) if isinstance(table, type) and issubclass(table, BaseModel) else None
        table = field.annotation if field is not None else None
        if not (isinstance(table, type) and issubclass(table, BaseModel)):
            break
    return tuple(known)


def _file_place(where: tuple[str, ...]) -> str:
    path = settings_file()
    line = _line_of(path, where)
    return f"{path}, line {line}: {'.'.join(where)}" if line else f"{path}: {'.'.join(where)}"


def _variable_place(where: tuple[str, ...]) -> str:
    return f"The variable {PREFIX}{DELIMITER.join(where).upper()}"


def _line_of(path: Path, where: tuple[str, ...]) -> int | None:
    """Find the line that sets a value; `None` where the file writes it another way than table and key."""
    *sections, field = where
    table = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if header := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            table = header[1].replace('"', "")
            if table == ".".join(where):
                return number
        elif (key := re.match(r"\s*\"?([\w.-]+)\"?\s*=", line)) and ".".join(filter(None, (table, key[1]))) in {
            ".".join(where),
            ".".join(sections) if sections else field,
        }:
            return number
    return None


def _suggestion(tree: type[BaseModel], where: tuple[str, ...]) -> str:
    written = ".".join(where)
    names = [name for name in _names(tree) if not written.startswith(f"{name}.")]
    near = get_close_matches(written, names, n=1, cutoff=0.5)
    return f"write {near[0]}, or remove it" if near else "remove it"


def _names(tree: type[BaseModel], prefix: str = "") -> list[str]:
    names: list[str] = []
    for name, field in tree.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            names += [f"{prefix}{name}", *_names(field.annotation, f"{prefix}{name}.")]
        else:
            names.append(prefix + name)
    return names


def _reason(detail: Tree) -> str:
    message = _lower_first(str(detail["msg"]).removeprefix("Value error, "))
    message = re.sub(r"^input should be", "but it should be", message)
    message = message.replace("a valid tuple", 'a list, such as ["this"]')
    message = re.sub(r"^string should", "but it should", message)
    return message if message.startswith("but ") else f"but {message}"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _document() -> Any:
    """Open the settings file so that what a person wrote in it survives."""
    import tomlkit
    from tomlkit.exceptions import ParseError

    path = settings_file()
    try:
        return tomlkit.parse(path.read_text("utf-8"))
    except FileNotFoundError:
        return tomlkit.document()
    except (ParseError, UnicodeDecodeError) as error:
        raise SettingsProblem(
            f"{path} is not valid TOML ({_lower_first(str(error))}), so nothing was saved: correct it, or delete it.",
            "file",
        ) from error


def _dump(document: Any) -> str:
    import tomlkit

    return tomlkit.dumps(document)


def _write_table(table: Any, values: BaseModel, defaults: BaseModel) -> None:
    for name in type(values).model_fields:
        value, default = getattr(values, name), getattr(defaults, name)
        if isinstance(value, BaseModel):
            if name in table or value != default:
                _write_table(table.setdefault(name, {}), value, default)
        elif value is None:
            table.pop(name, None)
        elif value != default or name in table:
            table[name] = _plain(value)


def _plain(value: Any) -> Any:
    return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
