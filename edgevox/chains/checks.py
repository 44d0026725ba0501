"""What a chain agent may be made of, checked when it is made: every problem is found before any is told."""

import keyword
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from edgevox.chains.budget import Limits
from edgevox.chains.graph import graph_problems
from edgevox.chains.modes import AgentMode
from edgevox.chains.opening import initial_problems
from edgevox.chains.policy import Retry, as_policy
from edgevox.chains.skills import Skill, skill_of
from edgevox.core.errors import AgentError, ChainGraphError, EdgeVoxError
from edgevox.core.ports import ChatModel
from edgevox.core.skilldocs import SkillDoc
from edgevox.tools import Tool

_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that no file may have on Windows: a run is kept under its agent's name."""


class WrongKind(ChainGraphError, TypeError):
    """Something that an agent was given is of another kind than it must be."""


class Problems:
    """Collects what is wrong, to say it in one error."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._wrong_kind = False

    def add(self, *sentences: str, wrong_kind: bool = False) -> None:
        """Note problems."""
        self._found += sentences
        self._wrong_kind |= wrong_kind and bool(sentences)

    def raise_all(self, name: object) -> None:
        """Raise one error for everything that was found."""
        if not self._found:
            return
        told = self._found[0] if len(self._found) == 1 else "\n" + "\n".join(f"- {each}" for each in self._found)
        kind = WrongKind if self._wrong_kind else ChainGraphError
        raise kind(f"The agent {name!r:.80} cannot be built: {told}")


def check_name(problems: Problems, name: object) -> str:
    """Return the name as it counts."""
    if not isinstance(name, str):
        problems.add(f"its name must be a text, not {name!r:.80}.", wrong_kind=True)
        return ""
    called = name.strip()
    if not called.isidentifier() or keyword.iskeyword(called) or called.casefold() in _DEVICES:
        problems.add(f"{called!r:.80} cannot be its name: use letters, digits and underscores, and no word of Python.")
    return called


def check_mode(problems: Problems, mode: object) -> AgentMode:
    """Return the mode, which may be given as a text."""
    try:
        return AgentMode(mode)  # pyright: ignore[reportArgumentType]
    except ValueError:
        known = ", ".join(AgentMode)
        problems.add(f"there is no mode {mode!r:.80}: use one of {known}.")
        return AgentMode.STEERABLE


def check_policy(problems: Problems, on_error: object) -> Retry:
    """Return what becomes of errors."""
    try:
        return as_policy(on_error)
    except AgentError as error:
        problems.add(str(error))
        return Retry(0)


def check_texts(problems: Problems, **texts: object) -> None:
    """Note what should be a text and is none."""
    for name, text in texts.items():
        if not isinstance(text, str):
            problems.add(f"{name} must be a text, not {text!r:.80}.", wrong_kind=True)


def check_list(problems: Problems, name: str, given: Any) -> list[Any]:
    """Return what was given as a list, in the order of it."""
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping):
        return list(cast("Iterable[Any]", given))
    problems.add(f"{name} takes a list, not {given!r:.80}.", wrong_kind=True)
    return []


def check_tools(problems: Problems, name: str, given: Any) -> list[Tool]:
    """Return the tools in a list, or in lists within it."""
    try:
        listed = [given] if isinstance(given, Tool) else check_list(problems, name, given)
        agents = [each for each in listed if hasattr(each, "run") and not isinstance(each, Tool)]
        problems.add(
            *(f"{name}: {each.name} is an agent, not a tool: give run_nested_agent({each.name})." for each in agents)
        )
        return Tool.to_tool_list([each for each in listed if each not in agents])
    except EdgeVoxError as error:
        problems.add(f"{name}: {error}")
        return []


def check_model(problems: Problems, mode: AgentMode, system_prompt: str, endpoint: Any) -> None:
    """Note what a mode needs and was not given."""
    if endpoint is not None and (isinstance(endpoint, type) or not isinstance(endpoint, ChatModel)):
        problems.add(f"agent_endpoint must be an endpoint such as an LLMEndpoint or an LLM, not {endpoint!r:.80}.",
                     wrong_kind=True)  # fmt: skip
    if not mode.asks_model:
        return
    if isinstance(system_prompt, str) and not system_prompt.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
        problems.add(f"a {mode} agent asks a model, which needs a system_prompt.")
    if endpoint is None:
        problems.add(f"a {mode} agent asks a model: give it an agent_endpoint, or make it AgentMode.DETERMINISTIC.")


def check_rest(
    problems: Problems,
    *,
    mode: AgentMode,
    defaults: Sequence[Tool],
    custom_prompt_user_tool: Any,
    initial_messages: Any,
    event_sinks: Sequence[Any],
    permissions: Any,
    limits: Limits,
) -> None:
    """Note what else does not fit."""
    if mode is AgentMode.DETERMINISTIC and not defaults:
        problems.add("a deterministic agent runs its default tools: give it some in default_tools.")
    if mode is AgentMode.AUTONOMOUS and custom_prompt_user_tool is not None:
        problems.add("an autonomous agent never asks the person, so it has no use for a custom_prompt_user_tool.")
    if custom_prompt_user_tool is not None and not isinstance(custom_prompt_user_tool, Tool):
        problems.add(f"custom_prompt_user_tool must be a tool, not {custom_prompt_user_tool!r:.80}.", wrong_kind=True)
    problems.add(*initial_problems(initial_messages))
    problems.add(*(f"event_sinks takes functions, not {sink!r:.80}." for sink in event_sinks if not callable(sink)),
                 wrong_kind=True)  # fmt: skip
    if permissions is not None and not callable(getattr(permissions, "judge", None)):
        problems.add(f"permissions must be a PermissionEngine, not {permissions!r:.80}.", wrong_kind=True)
    problems.add(*limits.problems())


def check_skills(problems: Problems, name: str, skills: Any) -> list[Skill]:
    """Return the skills in the list, each once; a written procedure becomes one."""
    listed = check_list(problems, name, skills)
    given = [skill_of(each) if isinstance(each, SkillDoc) else each for each in listed]
    problems.add(*(f"{name} takes Skill objects, not {each!r:.80}." for each in given if not isinstance(each, Skill)),
                 wrong_kind=True)  # fmt: skip
    known = [each for each in given if isinstance(each, Skill)]
    names = {skill.name for skill in known}
    for skill in known:
        problems.add(
            *(
                f"the skill {skill.name} builds on {needed}, which is not among the skills."
                for needed in skill.depends_on
                if needed not in names
            )
        )
    return list({id(skill): skill for skill in known}.values())


def check_graph(
    problems: Problems, tools: Sequence[Tool], defaults: Sequence[Tool], skills: Sequence[Skill]
) -> list[Tool]:
    """Note what does not fit between the tools, and what would not once every skill is loaded."""
    found = graph_problems(tools, defaults)
    problems.add(*found)
    more = [tool for skill in skills for tool in Tool.to_tool_list(tuple(skill.tools))]
    if more:  # better now than in the middle of a run
        later = graph_problems((*tools, *more), defaults)
        problems.add(*(each for each in later if each not in found))
    return more
