"""What a chain agent is made of, on paper: the drawing, the description, the reports."""

import re
from typing import Any

import pytest

from edgevox.agents import LLMAgent
from edgevox.chains import Agent, AgentMode, Skill, factory, tool
from edgevox.chains.condition_text import condition_text
from edgevox.chains.drawing import draw_agent
from edgevox.chains.models import Empty, Int, Invoke, Message, Stop, Str
from edgevox.chains.models.truncation import NO_MESSAGE
from edgevox.chains.reports import NO_COMPLAINT, report
from edgevox.chains.tools import stop
from edgevox.core.errors import UsageError
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import tool as function_tool
from edgevox.tools.edges import Condition


def is_big(output: Int) -> bool:
    """More than a few."""
    return output.value > 3


@tool
def look(input: Empty, messages: list[Message]) -> Empty:
    """Look around."""
    return Empty()


@tool
def count(input: Empty, messages: list[Message]) -> Int:
    """Count the sheep."""
    return Int(value=4)


@factory(chained_to=count, chain_condition=lambda x: x.value % 2 == 0)
def pair(input: Int, messages: list[Message], ctx: Any) -> Stop | Str:
    """Put them in pairs."""
    return Str(value="paired", truncation=NO_MESSAGE)


@tool(chained_to=[(count, is_big), look])
def report_it(input: Empty, messages: list[Message]) -> Str:
    """Report "what" there is."""
    return Str(value="reported")


@tool(chained_to=report_it)
def again(input: Str, messages: list[Message]) -> Invoke:
    """Count again."""
    return Invoke(action="count")


class Service:
    """What a tool needs outside."""

    def external_dependencies(self) -> list[Any]:
        return [self]

    dependency_id = "model:groq:whisper"
    kind = "model_endpoint"


FLOCK = Skill("flock", "About the flock.", "Count them first.", tools=[count, pair(Service())])


def shepherd(**options: Any) -> Agent:
    given: dict[str, Any] = {
        "name": "shepherd", "description": "Counts sheep.", "system_prompt": "You count.",
        "tools": [count, pair(Service()), report_it, stop], "default_tools": [look],
        "agent_endpoint": MockLLMEndpoint(responses=[{"action": "count"}], max_context_tokens=4096),
    }  # fmt: skip
    return Agent(**given | options)


def test_a_tree_shows_the_cycle_and_below_each_root_what_may_follow_it() -> None:
    assert shepherd().draw().splitlines() == [
        "shepherd (steerable)",
        "├─ default look: Empty → Empty",
        "│  └─ report_it: Empty → Str",
        "└─ the model chooses",
        "   ├─ count: Empty → Int",
        "   │  ├─ if x.value % 2 == 0: pair: Int → Stop | Str",
        "   │  └─ if is_big: report_it: Empty → Str",
        "   ├─ stop: Str → Stop",
        "   └─ prompt_user: Question → Str",
    ]


def test_what_was_drawn_already_is_not_drawn_again() -> None:
    drawn = shepherd(tools=[count, report_it, again, stop]).draw()
    assert drawn.count("again: Str → Invoke") == 1
    assert "if is_big: report_it: Empty → Str … as above" in drawn


def test_a_circle_of_chained_tools_is_drawn_once_round() -> None:
    @tool
    def ping(input: Empty, messages: list[Message]) -> Str:
        """Ping."""
        return Str(value="ping")

    @tool(chained_to=ping)
    def pong(input: Str, messages: list[Message]) -> Str:
        """Pong."""
        return input

    @tool(chained_to=pong)
    def back(input: Str, messages: list[Message]) -> Str:
        """Return it."""
        return input

    pong.chain(back)
    drawn = shepherd(tools=[ping, pong, back]).draw()
    assert drawn.count("pong: Str → Str … as above") == 1


def test_an_agent_without_a_model_is_drawn_without_one() -> None:
    told = report_it.copy(chained_to=look)
    drawn = Agent(name="quiet", mode=AgentMode.DETERMINISTIC, default_tools=[look], tools=[told]).draw()
    assert drawn == "quiet (deterministic)\n└─ default look: Empty → Empty\n   └─ report_it: Empty → Str"


def test_the_tools_of_a_skill_are_marked() -> None:
    assert "count: Empty → Int (skill flock)" in shepherd(tools=[stop], skills=[FLOCK], default_tools=[]).draw()


def test_a_flowchart_has_every_tool_and_every_edge_with_its_condition() -> None:
    lines = shepherd().draw("mermaid").splitlines()
    assert lines[0] == "flowchart TD"
    numbers = dict(re.findall(r"^  (t\d+)[^\w ]+&?\"?(\w+):", "\n".join(lines), re.MULTILINE))
    named = {name: number for number, name in numbers.items()}
    assert set(named) == {"look", "count", "pair", "report_it", "stop", "prompt_user"}
    assert f'  {named["count"]} -->|"x.value % 2 == 0"| {named["pair"]}' in lines
    assert f"  {named['look']} --> {named['report_it']}" in lines
    assert f"  {named['look']} ==> model" in lines
    assert f"  model -.-> {named['count']}" in lines
    assert not any(f"model -.-> {named['pair']}" in line for line in lines)


def test_what_stands_in_a_label_cannot_break_the_flowchart() -> None:
    odd = report_it.copy(chained_to=[(count, lambda x: x.value < 3 and "a" in "abc")])
    (edge,) = [line for line in shepherd(tools=[count, odd]).draw("mermaid").splitlines() if '-->|"' in line]
    assert re.fullmatch(r'  t\d+ -->\|"[^"<>]*"\| t\d+', edge)


def test_there_are_two_forms_of_a_drawing() -> None:
    with pytest.raises(ValueError, match="use text or mermaid"):
        draw_agent(shepherd(), "png")


def test_a_condition_is_told_by_its_name_or_its_text() -> None:
    conditions: list[Condition] = [lambda x: x.value > 1, lambda y: y.value < 0]
    assert condition_text(None) == "always"
    assert condition_text(is_big) == "is_big"
    assert [condition_text(condition) for condition in conditions] == ["x.value > 1", "y.value < 0"]
    assert condition_text(eval("lambda x: x.value")) == "a condition"
    assert condition_text(Odd()) == "Odd"


class Odd:
    """A condition that is an object."""

    def __call__(self, output: Any) -> bool:
        return output.value % 2 == 1


def test_the_description_has_everything_that_may_matter() -> None:
    agent = shepherd(skills=[], max_steps=9, on_error="raise", event_sinks=[print])
    agent.llm.temperature = 0.25
    info = agent.show_agent_info()
    assert (info.name, info.mode, info.model) == ("shepherd", "steerable", "mock: scripted")
    assert (info.temperature, info.max_context_tokens) == (0.25, 4096)
    assert (info.limits, info.on_error, info.sinks) == (("max_steps=9",), "raise", ("print",))
    tools = {tool.name: tool for tool in info.tools}
    assert tools["pair"].chained_to == (("count", "x.value % 2 == 0"),)
    assert tools["pair"].needs == ("model:groq:whisper (model_endpoint)",)
    assert tools["report_it"].chained_to == (("count", "is_big"), ("look", "always"))
    assert (tools["look"].role, tools["count"].role, tools["pair"].role) == ("default", "active", "chained")
    assert info.opening[0][:2] == ("system", "system_message")
    assert "You count." in info.opening[0][2]


def test_the_description_is_printed_as_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    agent = shepherd(skills=[FLOCK], tools=[stop], default_tools=[])
    agent.llm.temperature = 0.25
    info = agent.show_agent_info()
    printed = capsys.readouterr().out
    assert printed == info.text() + "\n"
    assert "Counts sheep." in printed
    assert "temperature 0.25, 4096 tokens" in printed
    assert "    after count if x.value % 2 == 0" in printed
    assert "  flock: About the flock." in printed
    assert "  pair [skill flock]: Int → Stop | Str" in printed
    assert "needs model:groq:whisper (model_endpoint)" in printed
    assert "\x1b" not in printed


def test_how_long_an_answer_is_shown_is_told_of_the_latest_run() -> None:
    endpoint = MockLLMEndpoint(responses=[{"action": "count"}, {"action": "stop", "value": ""}])
    agent = shepherd(tools=[count, pair(Service()), stop], agent_endpoint=endpoint)
    before = {tool.name: tool.truncation for tool in agent.show_agent_info().tools}
    agent.invoke()
    after = {tool.name: tool.truncation for tool in agent.show_agent_info().tools}
    assert (before["pair"], after["pair"]) == ((), ("remove after 0",))


def test_describing_an_agent_runs_loads_and_asks_nothing() -> None:
    endpoint = MockLLMEndpoint(responses=[{"action": "stop", "value": "untouched"}])
    agent = shepherd(agent_endpoint=endpoint, auto_loaded_skills=[FLOCK], tools=[stop])
    events: list[Any] = []
    agent.bus.subscribe_all(events.append)
    info = agent.show_agent_info()
    assert [kind for _, kind, _ in info.opening][1:] == ["auto_load_banner", "auto_loaded_skill"]
    assert "Count them first." in info.opening[2][2]
    assert (events, agent.messages, endpoint.requests) == ([], [], [])
    assert agent.invoke()[0].value == "untouched"


# Reports of any agent


@function_tool
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room} {on}"


def test_an_agent_that_only_asks_its_model_is_drawn_by_its_tools() -> None:
    casa = LLMAgent("casa", tools=[set_light])
    assert report(casa, "draw") == "casa (steerable)\n└─ the model chooses\n   └─ set_light(room, on)"
    assert '("set_light(room, on)")' in report(casa, "mermaid")
    assert report(casa, "lint") == NO_COMPLAINT
    with pytest.raises(UsageError, match="casa is no agent of chains"):
        report(casa, "show")


def test_a_lint_names_conditions_that_overlap() -> None:
    other = report_it.copy(name="shout", chained_to=[(count, lambda x: x.value >= 0)])
    told = report(shepherd(tools=[count, pair(Service()), other, stop], default_tools=[]), "lint")
    assert "after count, pair and shout both follow" in told


def test_what_cannot_be_told_is_said_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="no tools of its own"):
        report(LLMAgent("casa"), "draw")
    with pytest.raises(UsageError, match="use show, lint, draw, mermaid"):
        report(shepherd(), "paint")


def test_a_very_long_chain_is_drawn_as_far_as_a_line_is_wide() -> None:
    @tool
    def link(input: Int, messages: list[Message]) -> Int:
        return input

    links = [count]
    for number in range(600):
        links.append(link.copy(name=f"link{number}", chained_to=links[-1]))
    drawn = Agent(name="long", mode="deterministic", default_tools=[count], tools=links[1:])
    lines = drawn.draw().splitlines()
    assert len(lines) < 60
    assert lines[-1].strip() == "└─ …"
    assert "link599" in drawn.draw("mermaid")
