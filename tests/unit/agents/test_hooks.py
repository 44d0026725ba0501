"""The six points at which other code may look in."""

from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentResult, Hooks, LLMAgent
from edgevox.core.messages import Message, ResultStatus
from edgevox.core.tools import ToolCallResult
from edgevox.testing import ScriptedModel, call

Tools = list[Callable[..., Any]]


class Diary(Hooks):
    """Writes down where it was asked."""

    def __init__(self, name: str = "", priority: int = 0) -> None:
        self.name, self.priority = name, priority
        self.lines: list[str] = []

    def on_run_start(self, ctx: AgentContext, task: str) -> None:
        self.lines.append(f"start {task}")

    def before_model(self, ctx: AgentContext, messages: list[dict[str, Any]]) -> None:
        self.lines.append("before model")

    def after_model(self, ctx: AgentContext, message: Message) -> None:
        self.lines.append(f"after model {message.plain or [use.tool_name for use in message.tool_uses]}")

    def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> None:
        self.lines.append(f"before {name} {arguments}")

    def after_tool(self, ctx: AgentContext, result: ToolCallResult) -> None:
        self.lines.append(f"after {result.name} {result.result}")

    def on_run_end(self, ctx: AgentContext, result: AgentResult) -> None:
        self.lines.append(f"end {result.reply}")


def test_a_turn_with_the_model_passes_all_six_points(lamp_tools: Tools, ctx: AgentContext) -> None:
    diary = Diary()
    model = ScriptedModel(call("set_light", room="kitchen", on=True), "Bright.")
    LLMAgent("home", tools=lamp_tools, llm=model, hooks=[diary]).run("make it bright", ctx)
    assert diary.lines == [
        "start make it bright",
        "before model",
        "after model ['set_light']",
        "before set_light {'room': 'kitchen', 'on': True}",
        "after set_light kitchen is on",
        "before model",
        "after model Bright.",
        "end Bright.",
    ]


def test_a_phrase_passes_those_that_have_nothing_to_do_with_a_model(lamp_tools: Tools, ctx: AgentContext) -> None:
    diary = Diary()
    LLMAgent("home", tools=lamp_tools, hooks=[diary]).run("turn on the kitchen light", ctx)
    assert [line.split()[0] for line in diary.lines] == ["start", "before", "after", "end"]


def test_priority_is_first_in_and_last_out(lamp_tools: Tools, ctx: AgentContext) -> None:
    order: list[str] = []

    class Marker(Hooks):
        def __init__(self, name: str, priority: int) -> None:
            self.name, self.priority = name, priority

        def on_run_start(self, ctx: AgentContext, task: str) -> None:
            order.append(f"{self.name} in")

        def on_run_end(self, ctx: AgentContext, result: Any) -> None:
            order.append(f"{self.name} out")

    LLMAgent("home", llm=ScriptedModel("Hi."), hooks=[Marker("low", 1), Marker("high", 9)]).run("hello", ctx)
    assert order == ["high in", "low in", "low out", "high out"]


@pytest.mark.parametrize("text", ["turn on the kitchen light", "make it bright"])
def test_a_hook_can_refuse_a_call_with_a_sentence(
    text: str, lamps: dict[str, bool], lamp_tools: Tools, ctx: AgentContext
) -> None:
    class Curfew(Hooks):
        def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> str:
            return "not after ten"

    model = ScriptedModel(call("set_light", room="kitchen", on=True), "Not allowed.")
    result = LLMAgent("home", tools=lamp_tools, llm=model, hooks=[Curfew()]).run(text, ctx)
    assert not lamps["kitchen"]
    assert [one.status for one in result.tool_calls] in ([ResultStatus.DECLINED], [])
    assert result.reply


def test_a_guard_that_fails_lets_nothing_through(lamps: dict[str, bool], lamp_tools: Tools, ctx: AgentContext) -> None:
    class Broken(Hooks):
        def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> None:
            raise RuntimeError("policy server is gone")

    result = LLMAgent("home", tools=lamp_tools, hooks=[Broken()]).run("turn on the kitchen light", ctx)
    assert not lamps["kitchen"]
    assert "policy server" in (result.tool_calls[0].error or "")


def test_a_hook_can_stand_in_for_a_tool_and_change_a_result(lamp_tools: Tools, ctx: AgentContext) -> None:
    from dataclasses import replace

    class Cache(Hooks):
        def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> ToolCallResult | None:
            return ToolCallResult(name=name, result="cached") if name == "light_status" else None

        def after_tool(self, ctx: AgentContext, result: ToolCallResult) -> ToolCallResult:
            return replace(result, result=f"{result.result}!")

    agent = LLMAgent("home", tools=lamp_tools, hooks=[Cache()])
    assert agent.run("is the kitchen light on", ctx).tool_calls[0].result == "cached"
    assert agent.run("turn on the kitchen light", ctx).tool_calls[0].result == "kitchen is on!"


def test_a_result_that_a_hook_stands_in_with_answers_the_request_of_the_model(
    lamp_tools: Tools, ctx: AgentContext
) -> None:
    class Cache(Hooks):
        def before_tool(self, ctx: AgentContext, name: str, arguments: dict[str, Any]) -> ToolCallResult:
            return ToolCallResult(name=name, result="cached")

    model = ScriptedModel(call("light_status", room="kitchen"), "It is as it was.")
    LLMAgent("home", tools=lamp_tools, llm=model, hooks=[Cache()]).run("how is my stove lit", ctx)
    asked, answered = ctx.session.messages[1].tool_uses[0], ctx.session.messages[2].tool_results[0]
    assert answered.tool_use_id == asked.tool_use_id
    assert model.requests[1].tool_results == ["cached"]


def test_a_hook_can_change_what_the_model_is_asked(ctx: AgentContext) -> None:
    class Whisper(Hooks):
        def before_model(self, ctx: AgentContext, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
            return [*messages[:-1], {"role": "user", "content": "psst"}]

    model = ScriptedModel("Yes?")
    LLMAgent("home", llm=model, hooks=[Whisper()]).run("hello", ctx)
    assert model.requests[0].last_user_text == "psst"


@pytest.mark.parametrize("point", ["on_run_start", "before_model", "after_model", "after_tool", "on_run_end"])
def test_a_hook_that_raises_elsewhere_is_passed_over(point: str, lamp_tools: Tools, ctx: AgentContext) -> None:
    class Broken:
        def __getattr__(self, name: str) -> Any:
            if name != point:
                raise AttributeError(name)

            def raises(*arguments: Any) -> None:
                raise RuntimeError("hook")

            return raises

    model = ScriptedModel(call("set_light", room="kitchen", on=True), "Bright.")
    assert LLMAgent("home", tools=lamp_tools, llm=model, hooks=[Broken()]).run("go", ctx).reply == "Bright."
