"""What a workflow leaves in the person's conversation, and what its agents find there."""

import pytest

from edgevox.agents import (
    AgentContext,
    Fallback,
    LLMAgent,
    Loop,
    Orchestrator,
    Parallel,
    Retry,
    Router,
    Sequence,
    Session,
    Timeout,
    Workflow,
)
from edgevox.core.errors import ModelMissing
from edgevox.core.messages import MessageStatus, Role
from edgevox.core.ports import ChatModel
from edgevox.testing import ScriptedAgent, ScriptedModel, call
from edgevox.tools import tool

BOOM = RuntimeError("boom")


@tool
def measure() -> str:
    """Measure it."""
    return "12 cm"


def roles(ctx: AgentContext) -> list[str]:
    return [str(message.role) for message in ctx.session.messages]


def words(ctx: AgentContext, role: Role) -> list[str]:
    return [message.plain for message in ctx.session.messages if message.role is role]


def all_kinds(agent: LLMAgent) -> list[Workflow]:
    return [
        Sequence("s", [agent]),
        Fallback("f", [ScriptedAgent("bad", BOOM), agent]),
        Retry(agent, 2, 0.0),
        Timeout(agent, 30.0),
        Loop("l", agent, until=lambda state: True),
        Parallel("p", [agent]),
        Sequence("deep", [Fallback("f", [Timeout(Retry(Parallel("p", [Loop("l", agent, max_iterations=1)])), 30.0)])]),
    ]


@pytest.mark.parametrize("place", range(7))
def test_a_second_turn_sees_the_first(place: int) -> None:
    model = ScriptedModel("Hello Sam.", "Your name is Sam.")
    workflow, ctx = all_kinds(LLMAgent("casa", llm=model))[place], AgentContext()
    assert workflow.run("my name is Sam", ctx).reply == "Hello Sam."
    assert workflow.run("what is my name?", ctx).reply == "Your name is Sam."
    shown = [message["content"] for message in model.requests[-1].messages[1:]]
    assert shown == ["my name is Sam", "Hello Sam.", "what is my name?"]
    assert [m["content"] for m in ctx.session.openai()] == [*shown, "Your name is Sam."]


def test_failed_attempts_leave_their_finished_tools_and_nothing_else() -> None:
    model = ScriptedModel(call("measure"), BOOM, "It is 12 cm.")
    ctx = AgentContext()
    Retry(LLMAgent("ruler", tools=[measure], llm=model), 2, 0.0).run("how long is it?", ctx)
    assert roles(ctx) == ["user", "assistant", "tool", "assistant"]
    assert words(ctx, Role.USER) == ["how long is it?"]
    assert words(ctx, Role.ASSISTANT) == ["", "It is 12 cm."]


def test_the_next_attempt_is_shown_what_the_last_one_has_done() -> None:
    model = ScriptedModel(call("measure"), BOOM, "It is 12 cm.")
    Retry(LLMAgent("ruler", tools=[measure], llm=model), 2, 0.0).run("how long is it?")
    assert model.requests[-1].tool_results == ["12 cm"]
    assert model.requests[-1].last_user_text == "how long is it?"


def test_a_later_agent_of_a_sequence_is_shown_what_the_person_asked() -> None:
    second = ScriptedAgent("second", "done")
    ctx = AgentContext()
    Sequence("s", [ScriptedAgent("first", "a plan"), second]).run("tidy up", ctx)
    assert [message["content"] for message in second.histories[0]] == ["tidy up", "a plan"]
    assert [m["content"] for m in ctx.session.openai()] == ["tidy up", "done"]


def test_a_later_round_of_a_loop_is_shown_the_earlier_ones() -> None:
    agent, ctx = ScriptedAgent("a", "first try", "second try"), AgentContext()
    Loop("l", agent, max_iterations=2).run("try", ctx)
    assert [message["content"] for message in agent.histories[1]] == ["try", "first try"]
    assert [m["content"] for m in ctx.session.openai()] == ["try", "second try"]


def test_the_tools_of_parallel_agents_are_kept_in_the_order_of_the_agents() -> None:
    late = ScriptedAgent("late", "a", tools=["first"], delay_s=0.1)
    soon = ScriptedAgent("soon", "b", tools=["second"])
    ctx = AgentContext()
    Parallel("p", [late, soon]).run("x", ctx)
    used = [use.tool_name for message in ctx.session.messages for use in message.tool_uses]
    assert used == ["first", "second"]


def test_an_agent_that_was_given_up_writes_nothing_into_the_conversation() -> None:
    ctx = AgentContext()
    blocked = ScriptedAgent("blocked", "too late", delay_s=0.6, heeds_stop=False)
    Fallback("f", [Timeout(blocked, 0.05), ScriptedAgent("quick", "here")]).run("x", ctx)
    before = ctx.session.openai()
    assert [m["content"] for m in before] == ["x", "here"]
    while not blocked.finished:
        ctx.scope.wait(0.05)
    assert ctx.session.openai() == before


def test_a_reply_that_failed_is_marked() -> None:
    ctx = AgentContext()
    Sequence("s", [ScriptedAgent("bad", BOOM)]).run("x", ctx)
    assert ctx.session.messages[-1].status is MessageStatus.FAILED


def test_the_scratchpad_is_shared_by_all() -> None:
    def write(task: str, ctx: AgentContext) -> str:
        ctx.session.state["room"] = "kitchen"
        ctx.vars["seen"] = True
        return "noted"

    reader, session = ScriptedAgent("reader"), Session()
    ctx = AgentContext(session=session)
    Sequence("s", [Parallel("p", [ScriptedAgent("writer", write)]), reader]).run("x", ctx)
    assert reader.states[0] is session.state
    assert session.state["room"] == "kitchen"
    assert ctx.vars["seen"]


def test_a_workflow_that_is_handed_the_turn_leaves_the_words_once() -> None:
    model = ScriptedModel(call("hand_off_to_rulers", reason="a length"), "It is 12 cm.")
    rulers = Fallback("rulers", [ScriptedAgent("bad", BOOM), LLMAgent("ruler")])
    router = Router.build("casa", "You route.", {"rulers": rulers}, llm=model)
    ctx = AgentContext()
    result = router.run("how long is it?", ctx)
    assert (result.reply, result.handed_off_to, result.model_calls) == ("It is 12 cm.", "rulers", 2)
    assert words(ctx, Role.USER) == ["how long is it?"]
    assert ctx.session.messages[-1].plain == "It is 12 cm."


def test_a_model_reaches_every_agent_that_has_none_of_its_own() -> None:
    mine, theirs = ScriptedModel("mine", otherwise="mine"), ScriptedModel("theirs", otherwise="theirs")
    keeps, takes = LLMAgent("keeps", llm=mine), LLMAgent("takes")
    lead = Orchestrator("o", "", "", llm=mine)
    workflow = Parallel("p", [Retry(keeps), Timeout(Sequence("s", [takes]), 30.0), lead])
    assert workflow.needs_model
    for _ in range(2):
        assert workflow.bind_llm(theirs) is workflow
    assert not workflow.needs_model
    assert (keeps.llm, takes.llm) == (mine, theirs)
    assert lead.children[0].llm is mine


def test_phrases_and_examples_come_from_those_that_hear_the_person() -> None:
    @tool(phrases=["open the gate"])
    def open_gate() -> str:
        """Open it."""
        return "open"

    @tool(phrases=["close the gate"])
    def close_gate() -> str:
        """Close it."""
        return "closed"

    first, second = LLMAgent("first", tools=[open_gate]), LLMAgent("second", tools=[close_gate])
    fallback, sequence = Retry(Fallback("f", [first, second])), Sequence("s", [first, second])
    assert fallback.matches_phrase("close the gate")
    assert not sequence.matches_phrase("close the gate")
    assert sequence.matches_phrase("open the gate", "en")
    assert not fallback.matches_phrase("paint the gate")
    assert fallback.examples() == ["open the gate", "close the gate"]
    assert fallback.recognises("close the gate", AgentContext())
    result = fallback.run("open the gate")
    assert (result.model_calls, [each.name for each in result.tool_calls]) == (0, ["open_gate"])


def test_warming_reaches_every_agent_and_reports_the_first_fault() -> None:
    warmed: list[str] = []

    class Warm(ScriptedAgent):
        def warm(self, ctx: AgentContext | None = None) -> None:
            warmed.append(self.name)

    Sequence("s", [Warm("a"), Timeout(Warm("b"), 1.0), ScriptedAgent("c")]).warm()
    assert warmed == ["b", "a"]


def test_an_agent_without_a_stream_is_asked_too() -> None:
    class Plain:
        name = "plain"
        description = ""

        def run(self, task: str, ctx: AgentContext | None = None) -> str:
            return f"plain {task}"

    assert Sequence("s", [Plain(), Plain()]).run("words").reply == "plain plain words"


def test_an_agent_that_returns_something_strange_has_failed() -> None:
    class Strange:
        name = "strange"
        description = ""

        def run(self, task: str, ctx: AgentContext | None = None) -> int:
            return 7

    result = Fallback("f", [Strange(), Strange()]).run("x")
    assert result.error == "strange: returned int and not an AgentResult; strange: returned int and not an AgentResult"


def test_an_agent_that_exits_does_not_end_the_program() -> None:
    assert Fallback("f", [ScriptedAgent("quits", SystemExit(3)), ScriptedAgent("b", "here")]).run("x").reply == "here"


def test_a_workflow_without_a_context_speaks_the_language_of_its_first_agent() -> None:
    def spoken(task: str, ctx: AgentContext) -> str:
        return ctx.language

    agent = ScriptedAgent("a", spoken)
    agent.language = "de"  # type: ignore[attr-defined]
    assert Timeout(Sequence("s", [agent]), 5.0).run("x").reply == "de"


def test_a_question_that_the_next_turn_answers_stays_one() -> None:
    @tool(phrases=["switch it on"], says="The lamp is on.")
    def lamp_on() -> str:
        """Switch the lamp on."""
        return "on"

    @tool(phrases=["switch it on"], says="The kettle is on.")
    def kettle_on() -> str:
        """Switch the kettle on."""
        return "on"

    def missing() -> ChatModel:
        raise ModelMissing("no model here")

    routes = {"lamp": LLMAgent("lamp", tools=[lamp_on]), "kettle": LLMAgent("kettle", tools=[kettle_on])}
    router = Router.build("casa", "You route.", routes, llm=missing)
    workflow, ctx = Timeout(Fallback("f", [ScriptedAgent("bad", BOOM), router]), 30.0), AgentContext()
    assert "kettle" in workflow.run("switch it on", ctx).reply
    assert workflow.run("the kettle", ctx).reply.endswith("The kettle is on.")
