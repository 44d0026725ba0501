"""Skills of a chain agent: instructions and the tools that go with them, loaded when a model asks for them.

Not to be mixed up with `@skill`, which makes an action of a robot. Which skills are loaded is read from the
conversation alone, so that whatever takes messages back takes a loading back too. Knows what a skill is and how it
reads; making its tools available is the agent's.
"""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from edgevox.core.errors import ToolDefinitionError, ToolFailure
from edgevox.core.messages import Message
from edgevox.core.skilldocs import SkillDoc
from edgevox.core.values import Empty, Str
from edgevox.tools import Tool, tool

SkillTools = Tool | Sequence["SkillTools"]
"""Tools, one by one or in lists, such as the builder of a chain returns."""


@dataclass(frozen=True, slots=True, eq=False)
class Skill:
    """Instructions and tools that become available together.

    Raises:
        ToolDefinitionError: the name is none that a tool may have, or something is missing.
    """

    name: str
    description: str
    """When to load it; all that a model sees before it does."""
    instructions: str
    tools: Sequence[SkillTools] = ()
    depends_on: Sequence[str] = ()
    """Names of skills that have to be loaded before."""
    wrapper: Tool = field(init=False)
    """The tool that loads it."""

    def __post_init__(self) -> None:
        """Check what is given and make the tool that loads the skill."""
        for what in ("name", "description", "instructions"):
            text: object = getattr(self, what)
            if not isinstance(text, str) or not text.strip():
                raise ToolDefinitionError(f"The skill {self.name!r} needs a text as {what}.")
        object.__setattr__(self, "tools", tuple(_flat(self.tools)))
        names: object = self.depends_on
        object.__setattr__(self, "depends_on", (names,) if isinstance(names, str) else tuple(self.depends_on))
        object.__setattr__(self, "wrapper", _wrapper(self))

    @classmethod
    def factory(
        cls,
        *,
        name: str,
        description: str,
        instructions: str,
        build_tools: Callable[[Any], Sequence[SkillTools]],
        depends_on: Sequence[str] = (),
    ) -> "Callable[[Any], Skill]":
        """Return a function that makes the skill for a context of yours.

        Args:
            name: of the skill.
            description: when to load it.
            instructions: what a model reads when it is loaded.
            build_tools: makes the tools from the context; called when the function is, and each time anew.
            depends_on: names of skills that have to be loaded before.
        """

        def make(ctx: Any) -> Skill:
            return cls(name, description, instructions, build_tools(ctx), depends_on)

        return make

    @classmethod
    def from_doc(cls, doc: SkillDoc, tools: Iterable[Tool] = ()) -> "Skill":
        """Make a skill of a written procedure, with those of the tools that the procedure names.

        Raises:
            ToolDefinitionError: a tool that it names is not among them.
        """
        return cls(doc.name, doc.description, doc.body, _named(doc.tools, tools, doc.name))

    @classmethod
    def from_json(cls, path: Path | str, tools: Iterable[Tool] = ()) -> "Skill":
        """Read a skill from a file: an object with `name`, `description`, `instructions`, `tools` and `depends_on`.

        Args:
            path: the file; the instructions may also be a list of lines.
            tools: the tools that it may name.

        Raises:
            ToolDefinitionError: the file cannot be read or is no skill; the sentence names the field.
        """
        data = _read(Path(path))
        names: list[str] = _texts(data, "tools", path)
        return cls(
            _text(data, "name", path),
            _text(data, "description", path),
            _text(data, "instructions", path),
            _named(names, tools, str(path)),
            _texts(data, "depends_on", path),
        )

    @property
    def active_tools(self) -> tuple[Tool, ...]:
        """The tools of the skill that a model may ask for; the others follow in their chains."""
        return tuple(known for known in cast("tuple[Tool, ...]", self.tools) if not known.chained_to)

    def is_loaded(self, messages: Iterable[Message]) -> bool:
        """Whether a conversation says that the skill was loaded."""
        return is_loaded(self.name, messages)

    def text(self) -> str:
        """Return what a model reads when the skill is loaded: the instructions, and how its tools are called."""
        parts = [f"# Skill: {self.name}", self.instructions.strip()]
        if self.active_tools:
            parts.append("Tools that can be used now:\n" + "\n".join(map(_signature, self.active_tools)))
        return "\n\n".join(parts)


def skill_of(doc: SkillDoc) -> Skill:
    """Return a written procedure as a skill without tools of its own: those that it names are the agent's already."""
    return _written_skill(doc.name, doc.description, doc.body)


@lru_cache(maxsize=256)
def _written_skill(name: str, description: str, instructions: str) -> Skill:
    """The same skill for the same words, so that a procedure that is given twice is one."""
    return Skill(name, description, instructions)


def is_loaded(name: str, messages: Iterable[Message]) -> bool:
    """Whether a conversation says that the skill of a name was loaded."""
    return any(result.tool_name == name and result.ok for message in messages for result in message.tool_results)


def loaded_skills(skills: Iterable[Skill], messages: Sequence[Message]) -> list[Skill]:
    """Return the skills that a conversation has loaded, in the order in which they are given."""
    answered = {result.tool_name for message in messages for result in message.tool_results if result.ok}
    return [skill for skill in skills if skill.name in answered]


def _wrapper(skill: Skill) -> Tool:
    def load(input: Empty, messages: list[Message]) -> Str:
        missing = [name for name in skill.depends_on if not is_loaded(name, messages)]
        if missing:
            raise ToolFailure(
                f"{skill.name} builds on {' and '.join(missing)}: load that first.", error_code="not_loaded"
            )
        return Str(value=skill.text())

    load.__doc__ = f"Skill: {skill.description.strip()}"
    load.__name__ = load.__qualname__ = skill.name
    return tool(load)


def _flat(tools: SkillTools | Sequence[SkillTools]) -> Iterable[Tool]:
    if isinstance(tools, Sequence):
        for part in tools:
            yield from _flat(part)
    else:
        yield tools


def _signature(known: Tool) -> str:
    schema = json.dumps(known.parameters, ensure_ascii=False)
    about = " ".join(known.description.split())
    return f"- {known.name}: {about}\n  input: {schema}" if about else f"- {known.name}\n  input: {schema}"


def _named(names: Iterable[str], tools: Iterable[Tool], where: str) -> tuple[Tool, ...]:
    known = {each.name: each for each in tools}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ToolDefinitionError(f"{where} names the tool {unknown[0]!r}, which is not among those that were given.")
    return tuple(known[name] for name in names)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ToolDefinitionError(f"The skill {path} cannot be read: {error}.") from error
    if not isinstance(data, dict):
        raise ToolDefinitionError(f"{path} holds no skill: write an object with name, description and instructions.")
    fields = cast("dict[str, Any]", data)
    strangers = set(fields) - {"name", "description", "instructions", "tools", "depends_on"}
    if strangers:
        raise ToolDefinitionError(f"{path}: there is no field {min(strangers)!r} in a skill.")
    return fields


def _text(data: Mapping[str, Any], name: str, path: Path | str) -> str:
    value = data.get(name)
    if isinstance(value, list):
        value = "\n".join(map(str, cast("list[object]", value)))
    if not isinstance(value, str) or not value.strip():
        raise ToolDefinitionError(f"{path}: {name} must be a text that is not empty.")
    return value


def _texts(data: Mapping[str, Any], name: str, path: Path | str) -> list[str]:
    value = data.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in cast("list[object]", value)):
        raise ToolDefinitionError(f"{path}: {name} must be a list of names.")
    return cast("list[str]", value)
