"""Draws what can follow what in a chain agent: a tree in text, or a Mermaid flowchart.

Knows tools and their edges. Colours and widths are a front end's.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, Protocol

from edgevox.chains.condition_text import ALWAYS, condition_text
from edgevox.chains.modes import AgentMode
from edgevox.core.values import Invoke, Stop
from edgevox.tools import Tool
from edgevox.tools.edges import Edge

Form = Literal["text", "mermaid"]
DEEPEST = 40
"""Levels of a tree that are drawn; no line is wide enough for more."""
MODEL = "model"
"""What the model is called in a drawing."""


class Drawable(Protocol):
    """A chain agent, as far as it is drawn."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def mode(self) -> AgentMode:
        """Whether it asks a model and a person."""
        ...

    @property
    def tools(self) -> Sequence[Tool]:
        """Active and chained tools."""
        ...

    @property
    def default_tools(self) -> Sequence[Tool]:
        """What runs when no chain is left."""
        ...

    @property
    def skills(self) -> Sequence[Any]:
        """What a model may load; each has `.name` and `.tools`."""
        ...


def draw_agent(agent: Drawable, form: str = "text") -> str:
    """Draw an agent.

    Args:
        agent: a chain agent.
        form: `text` for a tree, `mermaid` for a flowchart.

    Raises:
        ValueError: there is no such form.
    """
    match form:
        case "text":
            return "\n".join(_Tree(agent).lines())
        case "mermaid":
            return "\n".join(_Flowchart(agent).lines())
        case _:
            raise ValueError(f"There is no drawing {form!r}; use text or mermaid.")


class _Graph:
    """The tools of an agent, those of its skills included, and who follows whom."""

    def __init__(self, agent: Drawable) -> None:
        self.agent = agent
        self.of_skill = {tool.id: skill.name for skill in agent.skills for tool in Tool.to_tool_list(list(skill.tools))}
        loaded = [tool for skill in agent.skills for tool in Tool.to_tool_list(list(skill.tools))]
        self.tools = list({id(tool): tool for tool in (*agent.tools, *loaded)}.values())
        self.active = [tool for tool in self.tools if not tool.chained_to]

    def children(self, parent: Tool) -> list[tuple[Tool, Edge]]:
        return [(tool, edge) for tool in self.tools for edge in tool.chained_to if edge.parent_id == parent.id]

    def everything(self) -> list[Tool]:
        return list({id(tool): tool for tool in (*self.agent.default_tools, *self.tools)}.values())


class _Tree(_Graph):
    def lines(self) -> Iterator[str]:
        """Yield the tree: the roots in the order of a cycle, and below each what may follow it."""
        yield f"{self.agent.name} ({self.agent.mode})"
        asks = self.agent.mode.asks_model
        branches = [*self.agent.default_tools, *([MODEL] if asks else [])]
        drawn: set[int] = set()
        for place, branch in enumerate(branches):
            last = place == len(branches) - 1
            if isinstance(branch, Tool):
                yield from self._tool(branch, f"default {_kind(branch)}", "", last, drawn)
            else:
                yield _branch("", last) + "the model chooses"
                yield from self._below(((tool, None) for tool in self.active), _indent("", last), drawn)

    def _below(self, children: Iterable[tuple[Tool, Edge | None]], indent: str, drawn: set[int]) -> Iterator[str]:
        listed = list(children)
        for place, (tool, edge) in enumerate(listed):
            condition = condition_text(edge.condition) if edge is not None else ALWAYS
            when = "" if condition == ALWAYS else f"if {condition}: "
            skill = f" (skill {self.of_skill[tool.id]})" if edge is None and tool.id in self.of_skill else ""
            yield from self._tool(tool, f"{when}{_kind(tool)}{skill}", indent, place == len(listed) - 1, drawn)

    def _tool(self, tool: Tool, label: str, indent: str, last: bool, drawn: set[int]) -> Iterator[str]:
        children = self.children(tool)
        again = id(tool) in drawn and bool(children)
        yield _branch(indent, last) + label + (" … as above" if again else "")
        drawn.add(id(tool))
        below = _indent(indent, last)
        if len(below) > DEEPEST * len(_indent("", last)) and children:
            yield f"{_branch(below, last=True)}…"
        elif not again:
            yield from self._below(children, below, drawn)


class _Flowchart(_Graph):
    def lines(self) -> Iterator[str]:
        """Yield the flowchart: round corners for a tool that a model may ask for, a stadium for one that may stop."""
        yield "flowchart TD"
        names = {id(tool): f"t{number}" for number, tool in enumerate(self.everything())}
        if self.agent.mode.asks_model:
            yield f'  {MODEL}{{{{"{_quoted(self.agent.name)} asks its model"}}}}'
        for tool in self.everything():
            yield f"  {names[id(tool)]}{_shape(tool)}"
        yield from self._cycle(names)
        for tool in self.active if self.agent.mode.asks_model else ():
            yield f"  {MODEL} -.-> {names[id(tool)]}"
        for parent in self.everything():
            for child, edge in self.children(parent):
                condition = condition_text(edge.condition)
                label = "" if condition == ALWAYS else f'|"{_quoted(condition)}"|'
                yield f"  {names[id(parent)]} -->{label} {names[id(child)]}"

    def _cycle(self, names: dict[int, str]) -> Iterator[str]:
        """The default tools in their order, and the model after them."""
        roots = [names[id(tool)] for tool in self.agent.default_tools]
        roots += [MODEL] if self.agent.mode.asks_model else []
        for before, after in pairwise(roots):
            yield f"  {before} ==> {after}"


def _branch(indent: str, last: bool) -> str:
    return f"{indent}{'└─' if last else '├─'} "


def _indent(indent: str, last: bool) -> str:
    return f"{indent}{'   ' if last else '│  '}"


def _kind(tool: Tool) -> str:
    """A tool with what it takes and returns: `escalate: Int → Stop | Str`; of a function tool, its arguments."""
    if tool.input_model is None:
        return f"{tool.name}({', '.join(tool.parameters.get('properties', {}))})"
    return f"{tool.name}: {tool.input_model.__name__} → {' | '.join(model.__name__ for model in tool.output_models)}"


def _shape(tool: Tool) -> str:
    text = f'"{_quoted(_kind(tool))}"'
    if any(issubclass(model, Stop) for model in tool.output_models):
        return f"([{text}])"
    if any(issubclass(model, Invoke) for model in tool.output_models):
        return f"[/{text}/]"
    return f"[{text}]" if tool.chained_to else f"({text})"


def _quoted(text: str) -> str:
    """Text as it may stand between the quotes of a label."""
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
