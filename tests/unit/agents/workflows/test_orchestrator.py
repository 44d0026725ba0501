"""An orchestrator: its plan, its workers with the tools they were given, its one answer, what it costs."""

import json
import threading
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, Fallback, Orchestrator
from edgevox.agents.workflows.plan import Planner, PlanUnusable, Subtask, waves
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import ModelMissing
from edgevox.core.ports import ChatModel
from edgevox.testing import ModelRequest, ScriptedAgent, ScriptedModel, call
from edgevox.tools import ToolRegistry, tool

BOOM = RuntimeError("boom")


@tool(effect="read")
def search_notes(query: str) -> str:
    """Search the notes.

    Args:
        query: what for
    """
    return f"notes about {query}"


@tool(effect="read", phrases=["what is the weather in {city}"])
def get_weather(city: str) -> str:
    """Say what the weather is like.

    Args:
        city: where
    """
    return f"sunny in {city}"


@tool(resources=["arm"])
def lift(thing: str) -> str:
    """Lift something.

    Args:
        thing: what
    """
    return f"lifted {thing}"


def plan(*parts: tuple[str, list[str]]) -> str:
    return json.dumps({"subtasks": [{"task": task, "tools": tools} for task, tools in parts]})


def by_request(**answers: Any) -> ScriptedModel:
    """A model that answers by whom it is: a lead that plans, a worker by its task, or the one that sums up."""

    def reply(request: ModelRequest) -> Any:
        system, task = str(request.messages[0]["content"]), request.last_user_text
        if "Answer with JSON only" in system:
            return answers["plan"]
        if "one part of a larger task" in system:
            if request.tool_results:
                return request.tool_results[-1]
            return answers["parts"][task]
        return answers["answer"]

    return ScriptedModel(otherwise=reply)


BRIEFING = plan(("find the notes", ["search_notes"]), ("look at the sky", ["get_weather"]))
NOTHING: tuple[str, list[str]] = ("x", [])
PARTS = {"find the notes": call("search_notes", query="tea"), "look at the sky": call("get_weather", city="Bonn")}


def chief(model: ChatModel, **options: Any) -> Orchestrator:
    tools = [search_notes, get_weather, lift]
    return Orchestrator("chief", "You plan a morning.", "You sum up.", tools=tools, llm=model, **options)


def test_workers_get_the_tools_of_their_part_and_one_answer_is_made() -> None:
    model = by_request(plan=BRIEFING, parts=PARTS, answer="Tea, and sun.")
    ctx = AgentContext()
    result = chief(model).run("what should I know?", ctx)
    assert (result.reply, result.agent_name, result.error) == ("Tea, and sun.", "chief", None)
    assert result.model_calls == 6
    assert len(model.requests) == 6
    assert sorted(each.name for each in result.tool_calls) == ["get_weather", "search_notes"]
    offered = {tuple(request.tool_names) for request in model.requests}
    assert offered == {(), ("search_notes",), ("get_weather",)}
    last = model.requests[-1]
    assert "You sum up." in last.messages[0]["content"]
    assert "notes about tea" in last.last_user_text
    assert "sunny in Bonn" in last.last_user_text
    roles = [str(message.role) for message in ctx.session.messages]
    assert roles == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_a_plan_is_asked_for_with_its_schema() -> None:
    model = by_request(plan=BRIEFING, parts=PARTS, answer="ok")
    chief(model, max_subtasks=2).run("x")
    schema = model.requests[0].options["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["subtasks"]["maxItems"] == 2
    assert schema["properties"]["subtasks"]["items"]["properties"]["tools"]["items"]["enum"] == [
        *("search_notes", "get_weather", "lift")
    ]


def test_parts_that_share_nothing_run_at_once() -> None:
    together = threading.Barrier(2, timeout=5.0)

    @tool(effect="read")
    def meet(where: str) -> str:
        """Meet.

        Args:
            where: the place
        """
        together.wait()
        return where

    parts = {name: call("meet", where=name) for name in ("left", "right")}
    model = ScriptedModel(otherwise=by_request(plan=plan(("left", ["meet"]), ("right", ["meet"])), parts=parts,
                                               answer="met").otherwise)  # fmt: skip
    result = Orchestrator("o", "", "", tools=[meet], llm=_Unserialised(model)).run("x")
    assert (result.reply, [each.ok for each in result.tool_calls]) == ("met", [True, True])


class _Unserialised:
    """A model for several callers at once."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    def complete(self, messages: Any, **options: Any) -> Any:
        """Answer with a model of its own."""
        return ScriptedModel(otherwise=self._model.otherwise).complete(messages, **options)


def test_parts_that_share_something_keep_their_order() -> None:
    registry = ToolRegistry(search_notes, get_weather, lift)
    parts = [
        Subtask(task="a", tools=("lift",)),
        Subtask(task="b", tools=("search_notes",)),
        Subtask(task="c", tools=("lift", "get_weather")),
        Subtask(task="d", tools=()),
        Subtask(task="e", tools=("lift",)),
        Subtask(task="f"),
    ]
    assert waves(parts, registry) == [[0, 1, 3], [2], [4], [5]]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I would look at the notes.", "not JSON"),
        ('{"subtasks": [', "not JSON"),
        ('{"parts": []}', "subtasks: Field required"),
        ('{"subtasks": [{"task": "   "}]}', "subtasks.0.task"),
        ('{"subtasks": "none"}', "subtasks"),
        (plan(("x", ["fly"])), "there is no tool fly; the tools are: search_notes"),
        (plan(*[NOTHING] * 5), "5 subtasks, and 4 is the most"),
        ("[" * 100_000 + "{}" + "]" * 100_000, "not JSON"),
        ('[{"tools": []}]', "subtasks.0.task: Field required"),
        ("7", "not JSON"),
    ],
)
def test_a_plan_that_cannot_be_used_says_why(text: str, why: str) -> None:
    planner = Planner("chief", "", ToolRegistry(search_notes), 4)
    with pytest.raises(PlanUnusable, match=why):
        planner.read(text)


@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Sure: {} That is it."])
def test_a_plan_is_read_with_what_models_put_around_it(around: str) -> None:
    planner = Planner("chief", "", ToolRegistry(search_notes), 4)
    read = planner.read(around.replace("{}", plan(("find it", ["search_notes"]))))
    assert [(part.task, part.tools) for part in read.subtasks] == [("find it", ("search_notes",))]


@pytest.mark.parametrize(
    "text",
    [
        '{"subtasks": [{"task": "find it"}]}',
        '{"subtasks": ["find it"]}',
        '[{"description": "find it"}]',
        '{"steps": [{"instruction": "find it", "why": "because"}]}',
    ],
)
def test_a_plan_that_names_no_tools_gives_all(text: str) -> None:
    read = Planner("chief", "", ToolRegistry(search_notes), 4).read(text)
    assert [(part.task, part.tools) for part in read.subtasks] == [("find it", None)]
    model = ScriptedModel(text, call("search_notes", query="it"), "found", "Found it.")
    assert chief(model).run("find it").reply == "Found it."
    assert model.requests[1].tool_names == ["search_notes", "get_weather", "lift"]


def test_a_plan_is_repaired_once() -> None:
    model = ScriptedModel(plan(("x", ["fly"])), plan(("find", [])), "found nothing", "Nothing.")
    result = chief(model).run("x")
    assert (result.reply, result.model_calls) == ("Nothing.", 4)
    assert "there is no tool fly" in model.requests[1].last_user_text


def test_a_plan_that_stays_unreadable_is_answered_directly() -> None:
    model = ScriptedModel("no", "never", call("search_notes", query="tea"), "Notes about tea.")
    ctx = AgentContext()
    result = chief(model).run("find tea", ctx)
    assert (result.reply, result.model_calls, result.error) == ("Notes about tea.", 4, None)
    assert model.requests[2].tool_names == ["search_notes", "get_weather", "lift"]
    assert model.requests[2].last_user_text == "find tea"
    assert [m["content"] for m in ctx.session.openai() if m["role"] == "user"] == ["find tea"]


def test_a_question_that_needs_no_plan_is_answered_by_the_lead() -> None:
    model = ScriptedModel('{"subtasks": []}', "Good morning.")
    result = chief(model).run("good morning")
    assert (result.reply, result.model_calls) == ("Good morning.", 2)
    assert "You plan a morning." in model.requests[1].messages[0]["content"]


def test_a_phrase_needs_no_plan_and_no_model() -> None:
    result = chief(ScriptedModel()).run("what is the weather in Bonn")
    assert (result.model_calls, result.tool_calls[0].result) == (0, "sunny in Bonn")


def test_the_answer_knows_which_part_failed() -> None:
    parts = {**PARTS, "look at the sky": BOOM}
    model = by_request(plan=BRIEFING, parts=parts, answer="Tea; I could not see the sky.")
    result = chief(model).run("x")
    assert (result.reply, result.error) == ("Tea; I could not see the sky.", None)
    assert "failed: RuntimeError: boom" in model.requests[-1].last_user_text


def test_parts_that_all_fail_are_an_error() -> None:
    model = by_request(plan=BRIEFING, parts=dict.fromkeys(PARTS, BOOM), answer="never")
    result = Fallback("f", [chief(model), ScriptedAgent("other", "")]).run("x")
    assert result.error == "chief: chief_1: RuntimeError: boom; chief_2: RuntimeError: boom; other: gave no reply"


def test_what_the_parts_found_is_said_when_nobody_can_sum_it_up() -> None:
    model = by_request(plan=BRIEFING, parts=PARTS, answer=BOOM)
    result = chief(model).run("x")
    assert result.reply.endswith("notes about tea sunny in Bonn")
    assert result.error == "chief_synth: RuntimeError: boom"


def test_without_a_model_the_person_hears_so() -> None:
    def missing() -> ChatModel:
        raise ModelMissing("no model here")

    result = Orchestrator("chief", "", "", tools=[get_weather], llm=missing).run("hello")
    assert result.model_calls == 0
    assert result.error == "chief_lead: no model here"
    assert "edgevox setup" in result.reply


def test_a_stop_ends_planning_and_nothing_begins() -> None:
    ctx, model = AgentContext(), ScriptedModel(otherwise=BRIEFING, token_delay_s=0.5)
    begun: list[str] = []

    def note(event: AgentEvent) -> None:
        begun.append(event.agent_name)

    ctx.bus.subscribe("agent_start", note)
    threading.Timer(0.2, lambda: ctx.scope.cancel(CancelReason.STOP)).start()
    result = chief(model).run("x", ctx)
    assert (result.preempted, result.reply, begun) == (True, "", ["chief"])
    assert result.model_calls == 1


def test_a_stop_ends_the_workers_and_nothing_is_summed_up() -> None:
    ctx = AgentContext()

    def stopping(query: str) -> str:
        ctx.stop.set()
        return query

    tools = [tool(name="stopping", description="Search.")(stopping)]
    model = by_request(plan=plan(("a", ["stopping"])), parts={"a": call("stopping", query="x")}, answer="never")
    result = Orchestrator("o", "", "", tools=tools, llm=model).run("x", ctx)
    assert (result.preempted, result.reply) == (True, "")
    assert len(model.requests) == 2
