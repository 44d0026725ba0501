"""Everything about a chain agent that a person may want to know before it runs: as data, and as plain text.

Builds no client, asks no model, loads no skill and leaves the agent as it is.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

from edgevox.chains.budget import Limits
from edgevox.chains.condition_text import ALWAYS, condition_text
from edgevox.chains.drawing import Drawable
from edgevox.chains.policy import Retry
from edgevox.context.visible import held_by
from edgevox.core.messages import Message, Truncation
from edgevox.tools import Tool

Role = Literal["active", "chained", "default", "skill"]
NOTHING = "-"


class Describable(Drawable, Protocol):
    """A chain agent, as far as it is described."""

    description: str
    llm: Any
    limits: Limits
    policy: Retry

    @property
    def event_sinks(self) -> Sequence[Any]:
        """Who is told the events of its runs."""
        ...

    @property
    def messages(self) -> Sequence[Message]:
        """Of the latest run."""
        ...

    def opening(self) -> list[Message]:
        """What a run begins with."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInfo:
    """One tool of an agent."""

    name: str
    role: Role
    description: str
    takes: str
    returns: tuple[str, ...]
    chained_to: tuple[tuple[str, str], ...] = ()
    """Parent and condition of each edge."""
    skill: str = ""
    """The skill that it comes with; empty for none."""
    needs: tuple[str, ...] = ()
    """Programs, services, models and leave that it depends on."""
    truncation: tuple[str, ...] = ()
    """Rules of what it returned last; a tool decides them anew each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInfo:
    """One agent."""

    name: str
    description: str
    mode: str
    model: str
    temperature: float | None
    """`None` leaves it to the model."""
    max_context_tokens: int | None
    tools: tuple[ToolInfo, ...]
    skills: tuple[tuple[str, str], ...]
    """Name and description of each."""
    limits: tuple[str, ...]
    on_error: str
    sinks: tuple[str, ...]
    """Where its events go, with the place where they are kept if there is one."""
    opening: tuple[tuple[str, str, str], ...]
    """Role, kind and words of each message that a run begins with; the first is the system prompt as it is sent."""

    def text(self) -> str:
        """Return all of it as plain text."""
        return "\n".join(_told(self))


def describe_agent(agent: Describable) -> AgentInfo:
    """Describe an agent without running it."""
    return AgentInfo(
        name=agent.name,
        description=agent.description,
        mode=str(agent.mode),
        model=_model(agent.llm) if agent.mode.asks_model else "none",
        temperature=getattr(agent.llm, "temperature", None),
        max_context_tokens=held_by(agent.llm),
        tools=tuple(_tools(agent)),
        skills=tuple((skill.name, skill.description) for skill in agent.skills),
        limits=tuple(_limits(agent.limits)),
        on_error=_policy(agent.policy),
        sinks=tuple(map(_sink, agent.event_sinks)),
        opening=tuple((str(m.role), m.kind or "", _words(m)) for m in agent.opening()),
    )


def _tools(agent: Describable) -> Iterable[ToolInfo]:
    wrappers = {skill.wrapper.id for skill in agent.skills}
    seen = _truncations(agent.messages)
    for tool in agent.tools:
        role: Role = "skill" if tool.id in wrappers else "chained" if tool.chained_to else "active"
        yield _tool(tool, role, "", seen)
    for skill in agent.skills:
        for tool in Tool.to_tool_list(list(skill.tools)):
            yield _tool(tool, "chained" if tool.chained_to else "active", skill.name, seen)
    for tool in agent.default_tools:
        yield _tool(tool, "default", "", seen)


def _tool(tool: Tool, role: Role, skill: str, seen: dict[str, tuple[Truncation, ...]]) -> ToolInfo:
    return ToolInfo(
        name=tool.name,
        role=role,
        description=" ".join(tool.description.split()),
        takes=tool.input_model.__name__ if tool.input_model is not None else "",
        returns=tuple(model.__name__ for model in tool.output_models),
        chained_to=tuple((edge.parent_name, condition_text(edge.condition)) for edge in tool.chained_to),
        skill=skill,
        needs=(*map(_dependency, tool.external_dependencies()), *sorted(tool.resources)),
        truncation=tuple(f"{rule.severity} after {rule.threshold}" for rule in seen.get(tool.name, ())),
    )


def _truncations(messages: Iterable[Message]) -> dict[str, tuple[Truncation, ...]]:
    return {result.tool_name: result.truncation for message in messages for result in message.tool_results}


def _dependency(dependency: Any) -> str:
    """`model:groq:whisper (model_endpoint)`, as far as the thing says what it is."""
    identifier = getattr(dependency, "dependency_id", None) or getattr(dependency, "id", None)
    kind = getattr(dependency, "kind", None)
    named = str(identifier if isinstance(identifier, str) else dependency)
    return f"{named} ({kind})" if kind is not None else named


def _model(llm: Any) -> str:
    name, provider = getattr(llm, "model_name", None), getattr(llm, "api_name", None)
    if name is None:
        return "made when it is needed" if callable(llm) else type(llm).__name__
    return f"{provider}: {name}" if provider else str(name)


def _limits(limits: Limits) -> Iterable[str]:
    for name in ("max_steps", "max_llm_calls", "deadline_s", "max_tokens"):
        value = getattr(limits, name)
        if value is not None:
            yield f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"


def _policy(policy: Retry) -> str:
    return f"retry {policy.times} times, then {policy.then}" if policy.times else policy.then


def _sink(sink: Any) -> str:
    name = getattr(sink, "__name__", None) or type(sink).__name__
    place = getattr(sink, "location", None)
    return f"{name} ({place})" if place is not None else str(name)


def _words(message: Message) -> str:
    return message.plain or "\n".join(_answer(result.payload) or result.text for result in message.tool_results)


def _answer(payload: Any) -> str:
    """The text of a result that is one, such as the instructions of a skill."""
    return str(cast("dict[str, Any]", payload).get("value", "")) if isinstance(payload, dict) else ""


def _told(info: AgentInfo) -> Iterable[str]:
    about = f": {info.description}" if info.description else ""
    yield f"{info.name} ({info.mode}){about}"
    yield f"model        {info.model}{_model_details(info)}"
    yield f"limits       {', '.join(info.limits) or 'none'}"
    yield f"errors       {info.on_error}"
    yield f"events       {', '.join(info.sinks) or 'no sink; nothing is kept'}"
    for role, title in (("active", "Tools that the model may choose"), ("chained", "Tools that follow by chaining"),
                        ("default", "Default tools, in their order")):  # fmt: skip
        yield from _section(title, [tool for tool in info.tools if tool.role == role], _tool_lines)
    yield from _section("Skills, loaded on demand", info.skills, lambda skill: [f"  {skill[0]}: {skill[1]}"])
    yield from _section("A run begins with", info.opening, _opening_lines)


def _model_details(info: AgentInfo) -> str:
    details = [
        f"temperature {info.temperature:g}" if info.temperature is not None else "",
        f"{info.max_context_tokens} tokens" if info.max_context_tokens is not None else "",
    ]
    told = ", ".join(filter(None, details))
    return f" ({told})" if told else ""


def _section(title: str, rows: Sequence[Any], lines: Callable[[Any], Iterable[str]]) -> Iterable[str]:
    yield ""
    yield title + (":" if rows else ": none")
    for row in rows:
        yield from lines(row)


def _tool_lines(tool: ToolInfo) -> Iterable[str]:
    of = f" [skill {tool.skill}]" if tool.skill else ""
    yield f"  {tool.name}{of}: {tool.takes or NOTHING} → {' | '.join(tool.returns) or NOTHING}"
    if tool.description:
        yield f"    {tool.description}"
    for parent, condition in tool.chained_to:
        yield f"    after {parent}" + ("" if condition == ALWAYS else f" if {condition}")
    if tool.needs:
        yield f"    needs {', '.join(tool.needs)}"
    if tool.truncation:
        yield f"    shown last: {', '.join(tool.truncation)}"


def _opening_lines(message: tuple[str, str, str]) -> Iterable[str]:
    role, kind, words = message
    yield f"  [{role}{f', {kind}' if kind else ''}]"
    yield from (f"    {line}" for line in words.splitlines())
