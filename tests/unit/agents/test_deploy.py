"""Definitions of agents: checked as a whole in one error, built anew, with agents below and beside."""

import threading
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from edgevox.agents import AgentContext, AgentEvent
from edgevox.agents.capabilities import Bound, Capability, Site, ToolLabel
from edgevox.agents.deploy import DeployableAgent
from edgevox.chains import AgentMode, Empty, Stop, Str, tool
from edgevox.chains.models import Message, filter_messages
from edgevox.chains.tools import stop
from edgevox.core.errors import WorkflowInvalid
from edgevox.core.running import current_run
from edgevox.endpoints import MockLLMEndpoint


class Greets(Capability):
    """Gives a tool that greets as an attribute says."""

    required_attributes: ClassVar[tuple[str, ...]] = ("greeting",)

    def __init__(self, name: str = "greets", *, selectable: bool = True, default: bool = True) -> None:
        self.label = ToolLabel(name=name, selectable=selectable, default=default)

    def bind(self, site: Site) -> Bound:
        words = site.need("greeting", str)

        @tool
        def greet(input: Empty, messages: list[Message]) -> Str:
            """Greet."""
            return Str(value=f"{words} from {site.agent_name}")

        return Bound(tools=(greet,))


def says(*actions: str | dict[str, Any]) -> MockLLMEndpoint:
    return MockLLMEndpoint(responses=actions)


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, "rationale": "", **arguments}


def lead(endpoint: MockLLMEndpoint, **more: Any) -> DeployableAgent:
    return DeployableAgent(name="lead", system_prompt="You lead.", endpoint=endpoint, **more)


def test_a_capability_gives_its_tools_to_the_agent_that_is_built() -> None:
    definition = lead(says(action("greet"), action("stop", value="done")), capabilities=[Greets()], tools=[stop])
    definition.set_attributes(greeting="hello")
    deployed = definition.build()
    end, messages = deployed.agent.invoke()
    assert end.value == "done"
    assert filter_messages(messages, caller="greet")[0].tool_results[0].payload == {"value": "hello from lead"}


def test_everything_that_is_missing_in_the_graph_is_one_error() -> None:
    child = DeployableAgent(name="child", mode=AgentMode.AUTONOMOUS, capabilities=[Greets(), Greets("again")])
    beside = DeployableAgent(name="beside", mode=AgentMode.DETERMINISTIC, capabilities=[Greets()])
    definition = DeployableAgent(
        name="lead", system_prompt="You lead.", children=[child], background=[beside], selection={"greet": True}
    )
    with pytest.raises(WorkflowInvalid) as caught:
        definition.build()
    told = str(caught.value)
    assert told.count("needs greeting for") == 3
    for part in ("lead asks a model", "child asks a model, which needs a system_prompt", "no capability 'greet'"):
        assert part in told


def test_two_agents_of_one_name_and_circles_are_refused() -> None:
    endpoint = says()
    twins = [DeployableAgent(name=name, system_prompt="x") for name in ("scout", "Scout")]
    with pytest.raises(WorkflowInvalid, match="two agents called Scout"):
        lead(endpoint, children=twins).validate()
    one = twins[0]
    with pytest.raises(WorkflowInvalid, match="two agents called scout"):
        lead(endpoint, children=[one, one]).validate()
    above = lead(endpoint, children=[one])
    one.children = [above]
    with pytest.raises(WorkflowInvalid, match=r"lead is below itself \(lead > scout > lead\)"):
        above.validate()


def test_an_attribute_cannot_hide_a_field_of_the_definition() -> None:
    with pytest.raises(WorkflowInvalid, match=r"assign definition\.children instead"):
        lead(says()).set_attributes(children=[], greeting="hi")


def test_what_is_said_above_holds_below_unless_it_is_said_anew() -> None:
    endpoint = says(
        action("near", value="greet"), action("greet"), "hello", action("far", value="x"), action("greet"), "hi", "done"
    )
    near = DeployableAgent(name="near", system_prompt="x", capabilities=[Greets()], mode=AgentMode.AUTONOMOUS)
    far = DeployableAgent(name="far", system_prompt="x", capabilities=[Greets()], mode=AgentMode.AUTONOMOUS)
    far.set_attributes(greeting="salut")
    seen: list[AgentEvent] = []
    deployed = lead(endpoint, children=[near, far]).set_attributes(greeting="hello").build([seen.append])
    assert deployed.agent.run("greet both").reply == "done"
    results = [event.payload.result for event in seen if event.kind == "tool_call" and event.payload.name == "greet"]
    assert results == [{"value": "hello from near"}, {"value": "salut from far"}]


def test_a_capability_is_switched_by_the_name_of_its_label() -> None:
    parts = [Greets(default=False), Greets("fixed", selectable=False)]
    definition = lead(says(), capabilities=parts[:1])
    assert not definition.is_on(parts[0])
    definition.validate()
    definition.selection = {"greets": True}
    with pytest.raises(WorkflowInvalid, match="needs greeting for greets"):
        definition.validate()
    fixed = lead(says(), capabilities=parts[1:], selection={"fixed": False})
    with pytest.raises(WorkflowInvalid, match="cannot be switched"):
        fixed.validate()


def test_an_agent_below_is_a_tool_with_its_name_and_gets_the_callers_words() -> None:
    heard: list[str] = []

    @tool
    def note_task(input: Empty, messages: list[Message]) -> Stop:
        """Say what the task was."""
        heard.append([message.plain for message in messages if message.role == "user"][-1])
        return Stop(value="noted")

    below = DeployableAgent(
        name="scout", description="Looks around.", mode=AgentMode.DETERMINISTIC, default_tools=[note_task]
    )
    deployed = lead(says(action("scout", value="look left"), "It noted."), children=[below]).build()
    result = deployed.agent.run("go")
    assert (heard, result.reply) == (["look left"], "It noted.")
    known = deployed.agent.graph.active["scout"]
    assert known.description == "Looks around."


def test_every_build_is_new_and_what_was_built_stays_as_it_was() -> None:
    definition = lead(says("one", "two"))
    first = definition.build()
    definition.system_prompt = "You follow."
    second = definition.build()
    assert first.agent is not second.agent
    assert (first.agent.system_prompt, second.agent.system_prompt) == ("You lead.", "You follow.")


def test_an_agent_beside_runs_from_the_first_run_on_and_hears_no_sinks_of_the_callers() -> None:
    began, seen, beside_seen = threading.Event(), list[AgentEvent](), list[AgentEvent]()

    @tool
    def keep_watch(input: Empty, messages: list[Message]) -> Stop:
        """Watch until it is ended."""
        run = current_run()
        assert run is not None
        began.set()
        run.ctx.scope.wait(10)
        return Stop()

    watch = DeployableAgent(name="watch", mode=AgentMode.DETERMINISTIC, default_tools=[keep_watch])

    def sink_for(name: str) -> Callable[[AgentEvent], object]:
        return (beside_seen if name == "watch" else list[AgentEvent]()).append

    definition = lead(says("hello"), background=[watch])
    with definition.build([seen.append], event_sink_factory=sink_for) as deployed:
        assert not deployed.background[0].alive
        assert deployed.agent.run("hi", AgentContext()).reply == "hello"
        assert began.wait(5)
        assert deployed.background[0].alive
    deadline = threading.Event()
    for _ in range(100):
        if not deployed.background[0].alive:
            break
        deadline.wait(0.05)
    assert not deployed.background[0].alive
    assert {event.agent_name for event in seen} == {"lead"}
    assert "watch" in {event.agent_name for event in beside_seen}


def test_closing_goes_on_when_a_part_cannot_be_let_go() -> None:
    deployed = lead(says()).build()
    closed: list[str] = []

    def fails() -> None:
        raise OSError("no")

    deployed.on_close += [lambda: closed.append("first"), fails]
    deployed.close()
    deployed.close()
    assert closed == ["first"]
