"""Chains where a model calls tools natively and where a phrase does, and chain agents where other agents stand."""

from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentDefinition, Handoff, LLMAgent, Sequence
from edgevox.agents.protocol import Agent as AgentProtocol
from edgevox.chains import Agent, Empty, Int, Stop, Str, stop, tool
from edgevox.chains.models import Message, Origin
from edgevox.chains.state import RunStatus
from edgevox.core.errors import ChainGraphError, EndpointUnavailable, ToolDefinitionError
from edgevox.core.events import AgentEvent
from edgevox.core.messages import MessageStatus, Role
from edgevox.core.tools import ToolCallResult
from edgevox.endpoints import MockLLMEndpoint
from edgevox.llm import LLM
from edgevox.testing import Conversation, ScriptedModel, call, calls
from edgevox.tools import Tool


class House:
    """A night routine: lights, then heating, then the doors, which end it when one is open."""

    def __init__(self, *, door_open: bool = False) -> None:
        self.done: list[str] = []
        self.door_open = door_open
        self.tools = self._tools()

    def _tools(self) -> list[Tool]:
        done = self.done

        @tool(phrases=["good night", "lights out in the {value}"])
        def good_night(input: Empty, messages: list[Message]) -> Str:
            """Turn everything off for the night."""
            done.append("lights")
            return Str(value="Lights are off.")

        @tool(chained_to=good_night, phrases=["turn the heating down"])
        def heating_down(input: Str, messages: list[Message]) -> Int:
            """Turn the heating down."""
            done.append("heating")
            return Int(value=16)

        @tool(chained_to=heating_down, says="Good night. The heating is at {result.value} degrees.")
        def check_doors(input: Int, messages: list[Message]) -> Stop | Int:
            """See whether a door is open."""
            done.append("doors")
            return Stop(value="The back door is open!") if self.door_open else Int(value=input.value)

        good_night.phrases = {"en": ("good night",)}
        return [good_night, heating_down, check_doors]


ALL = ["lights", "heating", "doors"]


def origins(results: Any) -> list[tuple[str, Origin]]:
    return [(result.name, result.origin) for result in results]


def test_what_is_chained_to_a_spoken_command_runs_without_a_model() -> None:
    house, model = House(), ScriptedModel()
    result = LLMAgent("home", tools=house.tools, llm=model).run("good night")
    assert (house.done, result.model_calls, model.requests) == (ALL, 0, [])
    assert result.reply == "Good night. The heating is at 16 degrees."
    assert origins(result.tool_calls) == [
        ("good_night", Origin.PHRASE), ("heating_down", Origin.CHAIN), ("check_doors", Origin.CHAIN)
    ]  # fmt: skip


def test_a_chain_that_stops_says_why() -> None:
    house = House(door_open=True)
    assert LLMAgent("home", tools=house.tools, llm=ScriptedModel()).run("good night").reply == "The back door is open!"


def test_a_chained_tool_answers_to_no_phrase_of_its_own() -> None:
    agent = LLMAgent("home", tools=House().tools, llm=ScriptedModel("I cannot."))
    assert not agent.matches_phrase("turn the heating down")


def test_what_is_chained_to_a_call_of_the_model_follows_it_without_another_question() -> None:
    house, model = House(), ScriptedModel(call("good_night"), "Sleep well.")
    result = LLMAgent("home", tools=house.tools, llm=model).run("off to bed")
    assert (house.done, result.reply, result.model_calls) == (ALL, "Sleep well.", 2)
    assert model.requests[0].tool_names == ["good_night"]
    shown = model.requests[1].tool_results
    assert len(shown) == 1
    assert "heating_down" in shown[0]
    assert '"value": 16' in shown[0]


def test_a_stop_in_a_chain_is_the_answer_and_the_model_is_not_asked_again() -> None:
    house, model = House(door_open=True), ScriptedModel(call("good_night"))
    result = LLMAgent("home", tools=house.tools, llm=model).run("off to bed")
    assert (result.reply, result.model_calls) == ("The back door is open!", 1)


def test_the_next_turn_still_knows_what_a_chain_did() -> None:
    house, ctx = House(), AgentContext()
    model = ScriptedModel(call("good_night"), "Sleep well.", "At 16 degrees.")
    agent = LLMAgent("home", tools=house.tools, llm=model)
    agent.run("off to bed", ctx)
    agent.run("how warm is it", ctx)
    assert any("heating_down" in shown for shown in model.requests[2].tool_results)


def test_a_chain_of_a_plain_model_runs_too() -> None:
    house = House()
    told: list[ToolCallResult] = []
    model = ScriptedModel(call("good_night"), "Sleep well.")

    class Scripted(LLM):
        @property
        def context_size(self) -> int:
            return 4096

        def complete(self, *args: Any, **options: Any) -> Any:
            return model.complete(*args, **options)

        def count_tokens(self, text: Any) -> int:
            return len(text)

    llm = Scripted(tools=house.tools, on_tool_call=told.append)
    assert llm.chat("off to bed") == "Sleep well."
    assert house.done == ALL
    assert [result.name for result in told] == ["good_night", "heating_down", "check_doors"]


def test_each_of_several_calls_is_followed_by_its_chain() -> None:
    @tool
    def source(input: Int, messages: list[Message]) -> Int:
        """Return a number."""
        return input

    @tool(chained_to=source, chain_condition=lambda x: x.value > 1)
    def large(input: Int, messages: list[Message]) -> Str:
        """Say that it is large."""
        return Str(value=f"{input.value} is large")

    both = calls(("source", {"value": 1}), ("source", {"value": 5}))
    result = LLMAgent("numbers", tools=[source, large], llm=ScriptedModel(both, "Done.")).run("count")
    assert [each.name for each in result.tool_calls] == ["source", "source", "large"]
    five = next(each for each in result.tool_calls if each.arguments == {"value": 5})
    assert result.tool_calls[2].parent_use_id == five.tool_use_id


def test_a_chain_that_runs_in_circles_ends_and_the_person_hears_of_it() -> None:
    @tool(phrases=["spin"])
    def spin(input: Empty, messages: list[Message]) -> Int:
        """Spin."""
        return Int(value=1)

    @tool(chained_to=spin)
    def again(input: Int, messages: list[Message]) -> Int:
        """Spin again."""
        return input

    again.chain(again)
    spoken = LLMAgent("top", tools=[spin, again], llm=ScriptedModel()).run("spin")
    assert "64 steps" in (spoken.error or "")
    asked = LLMAgent("top", tools=[spin, again], llm=ScriptedModel(call("spin"))).run("please turn round")
    assert "64 steps" in (asked.error or "")
    assert asked.reply


def test_a_hook_may_keep_a_chained_tool_from_running() -> None:
    class Guard:
        def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> str | None:
            return "Not tonight." if name == "heating_down" else None

    house = House()
    result = LLMAgent("home", tools=house.tools, llm=ScriptedModel(), hooks=[Guard()]).run("good night")
    assert house.done == ["lights"]
    assert not result.tool_calls[-1].ok


def test_an_agent_whose_tools_cannot_be_chained_is_refused_when_it_is_made() -> None:
    lights, heating, doors = House().tools
    with pytest.raises(ChainGraphError, match=r"check_doors is chained to heating_down, which is not among the tools"):
        LLMAgent("home", tools=[lights, doors])
    assert LLMAgent("home", tools=[lights, heating, doors])


def test_a_tool_named_stop_is_for_chain_agents_alone() -> None:
    with pytest.raises(ToolDefinitionError, match="'stop' cannot be a tool"):
        LLMAgent("home", tools=[stop])


# Chain agents where other agents stand


def night(house: House, *responses: Any, **options: Any) -> Agent:
    model = MockLLMEndpoint(responses)
    return Agent(
        name="night",
        description="Nights.",
        system_prompt="x",
        tools=[*house.tools, stop],
        agent_endpoint=model,
        **options,
    )


def test_a_chain_agent_is_an_agent() -> None:
    assert isinstance(night(House()), AgentProtocol)


def test_a_phrase_of_a_chain_agent_runs_its_chain_without_a_model() -> None:
    house, ctx = House(), AgentContext()
    agent = night(house)
    assert agent.matches_phrase("good night")
    assert agent.examples() == ["good night"]
    result = agent.run("good night", ctx)
    assert (house.done, result.reply, result.model_calls) == (ALL, "Good night. The heating is at 16 degrees.", 0)
    roles = [message.role for message in ctx.session.messages]
    assert roles == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.TOOL, Role.ASSISTANT]
    assert ctx.session.messages[-1].plain == result.reply


def test_a_phrase_whose_chain_fails_says_so() -> None:
    @tool(phrases=["open the gate"])
    def open_gate(input: Empty, messages: list[Message]) -> Str:
        return Str(value="The gate is open.")

    @tool(chained_to=open_gate)
    def greet(input: Str, messages: list[Message]) -> Str:
        raise ValueError("the bell is broken")

    agent = Agent(name="gate", system_prompt="x", tools=[open_gate, greet], agent_endpoint=MockLLMEndpoint())
    assert "bell is broken" in agent.run("open the gate").reply
    assert "bell is broken" in LLMAgent("gate", tools=[open_gate, greet]).run("open the gate").reply


def test_a_chain_agent_answers_a_turn_with_its_model() -> None:
    house, ctx = House(), AgentContext()
    agent = night(house, {"action": "good_night"}, "Sleep well.")
    assert "".join(agent.run_stream("off to bed", ctx)) == "Sleep well."
    assert house.done == ALL
    assert ctx.session.messages[0].plain == "off to bed"
    assert ctx.session.messages[-1].plain == "Sleep well."
    assert not any(message.role is Role.SYSTEM for message in ctx.session.messages)


def test_the_first_default_of_a_turn_is_given_the_persons_words() -> None:
    @tool
    def echo(input: Str, messages: list[Message]) -> Stop:
        return Stop(value=f"You said: {input.value}")

    agent = Agent(name="echo", mode="deterministic", default_tools=[echo])
    assert agent.run("off to bed").reply == "You said: off to bed"


def test_a_turn_that_fails_is_a_sentence() -> None:
    ctx = AgentContext()
    result = night(House(), EndpointUnavailable("The server is down.")).run("off to bed", ctx)
    assert result.error == "The server is down."
    assert "The server is down." in result.reply
    assert ctx.session.messages[-1].status is MessageStatus.FAILED


def test_a_turn_that_was_cancelled_before_it_began_leaves_no_reply() -> None:
    ctx = AgentContext()
    ctx.scope.cancel()
    result = night(House(), "Hello.").run("off to bed", ctx)
    assert (result.reply, result.preempted) == ("", True)
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_a_listener_that_goes_away_ends_the_turn_and_what_was_said_is_kept() -> None:
    ctx = AgentContext()
    model = MockLLMEndpoint(["Sleep well. " * 200], piece_delay_s=0.01)
    agent = Agent(name="night", system_prompt="x", agent_endpoint=model)
    stream = agent.run_stream("off to bed", ctx)
    first = next(stream)
    stream.close()
    assert first
    assert agent.status is RunStatus.CANCELLED
    last = ctx.session.messages[-1]
    assert (last.role, last.status, last.kind) == (Role.ASSISTANT, MessageStatus.CANCELLED, "interrupted")
    assert last.plain.startswith(first.strip())


def test_a_turn_has_bounds_even_where_the_agent_has_none() -> None:
    agent = night(House(), *[{"action": "good_night"}] * 20)
    result = agent.run("off to bed")
    assert result.model_calls == 8
    assert "8 times" in (result.error or "")
    assert result.reply == "I stopped, because that took too many steps."


def test_a_chain_agent_takes_a_turn_that_is_handed_to_it() -> None:
    house = House()
    host = LLMAgent(
        "host", llm=ScriptedModel(call("hand_off_to_night")), handoffs=[Handoff(night(house, "Sleep well."))]
    )
    result = host.run("off to bed")
    assert (result.reply, result.handed_off_to) == ("Sleep well.", "night")
    spoken = host.run("good night")
    assert (spoken.handed_off_to, spoken.model_calls) == ("night", 0)


def test_a_chain_agent_keeps_its_model_when_the_host_gets_another() -> None:
    agent = night(House(), "Sleep well.")
    host = LLMAgent("host", llm=ScriptedModel(), handoffs=[agent])
    own = agent.llm
    host.bind_llm(ScriptedModel())
    assert agent.llm is own
    other = ScriptedModel()
    assert agent.bind_llm(other).llm is other


def test_a_chain_agent_is_a_step_of_a_workflow() -> None:
    house = House()
    other = LLMAgent("other", llm=ScriptedModel("And so to bed."))
    result = Sequence("evening", [night(house, {"action": "good_night"}, "Sleep well."), other]).run("off to bed")
    assert house.done == ALL
    assert result.reply.endswith("And so to bed.")


def test_a_chain_agent_answers_in_an_application() -> None:
    house = House()
    agent = AgentDefinition(name="night", agent=night(house, "Sleep well.")).build(ScriptedModel())
    with Conversation(agent) as talk:
        spoken = talk.say("good night")
        asked = talk.say("off to bed")
    assert (spoken.reply, spoken.model_calls) == ("Good night. The heating is at 16 degrees.", 0)
    assert (asked.reply, asked.model_calls) == ("Sleep well.", 1)


def test_listeners_of_an_agent_hear_its_runs_within_other_runs() -> None:
    agent, heard, around = night(House(), "Sleep well."), list[AgentEvent](), list[AgentEvent]()
    agent.bus.subscribe_all(heard.append)
    ctx = AgentContext()
    ctx.bus.subscribe_all(around.append)
    agent.run("off to bed", ctx)
    assert [event.kind for event in heard] == [event.kind for event in around]
    assert [event.kind for event in heard] == ["agent_start", "llm_call", "agent_end"]


def test_a_chain_agent_can_be_warmed() -> None:
    read: list[Any] = []

    class Warm(MockLLMEndpoint):
        def warm(self, messages: Any, tools: Any = None) -> None:
            read.extend(messages)

    agent = Agent(name="warm", system_prompt="Be warm.", agent_endpoint=Warm())
    agent.warm()
    assert read[0]["content"].startswith("Be warm.")
