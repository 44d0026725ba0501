"""What is always on: guards against a model that goes in circles, bounds of results, words that a model can use."""

import time
from typing import Any, Literal

import pytest

from edgevox.agents import AgentContext, GoalHandle, GoalStatus, LLMAgent, skill
from edgevox.testing import ModelRequest, ScriptedModel, call, calls
from edgevox.tools import tool


@tool(effect="read")
def look(at: str) -> str:
    """Look at something.

    Args:
        at: what
    """
    return f"nothing at {at.strip(' .').lower()}"


@tool(effect="read")
def everything() -> list[str]:
    """Return five megabytes."""
    return ["a line of a long log"] * 250_000


@skill(effect="read")
def survey() -> str:
    """Return five megabytes, slowly."""
    return "x" * 5_000_000


def test_the_same_call_in_other_spellings_is_stopped_at_three_with_an_explanation() -> None:
    spellings = iter(["Door", "door", " DOOR. ", "door", "door"])
    model = ScriptedModel(otherwise=lambda _: call("look", at=next(spellings)))
    began = time.monotonic()
    result = LLMAgent("guard", tools=[look], llm=model, max_tool_hops=20).run("what is at the door", AgentContext())
    assert time.monotonic() - began < 1.0
    assert len(result.tool_calls) == 3
    assert result.reply.startswith("I stopped, because I kept trying the same thing")


@pytest.mark.parametrize("name", ["lok", "Look", "look()", "  look ", "look<|im_end|>", "open_pod_bay_doors"])
def test_a_name_that_is_none_is_answered_with_those_that_are_and_tried_again_once(name: str) -> None:
    model = ScriptedModel(call(name, at="door"), call("look", at="door"), "Nothing is there.")
    result = LLMAgent("guard", tools=[look], llm=model).run("what is at the door", AgentContext())
    assert result.reply == "Nothing is there."
    answered = model.requests[1].tool_results[0]
    assert "look" in answered
    assert len(answered) < 300


def test_invented_names_without_end_cost_one_correction_and_a_sentence() -> None:
    model = ScriptedModel(otherwise=lambda request: call(f"magic_{len(request.messages)}"))
    result = LLMAgent("guard", tools=[look], llm=model, max_tool_hops=20).run("do magic", AgentContext())
    assert result.model_calls <= 3
    assert result.reply


@pytest.mark.parametrize("name", ["everything", "survey"])
def test_five_megabytes_reach_the_model_in_bounded_words(name: str) -> None:
    model = ScriptedModel(call(name), "That is a lot.")
    LLMAgent("guard", tools=[everything], skills=[survey], llm=model).run("show me all", AgentContext())
    shown = model.requests[1].tool_results[0]
    assert len(shown) <= 4000
    assert "more" in shown


def test_a_fault_reaches_the_model_as_words_it_can_use() -> None:
    @tool
    def set_heat(celsius: float) -> str:
        """Set the heating."""
        if not 10 <= celsius <= 30:
            raise ValueError("celsius must be between 10 and 30")
        return f"{celsius:g} degrees"

    def retried(request: ModelRequest) -> Any:
        assert "between 10 and 30" in request.tool_results[-1]
        return call("set_heat", celsius=30)

    model = ScriptedModel(call("set_heat", celsius=80), retried, "Thirty degrees it is.")
    result = LLMAgent("home", tools=[set_heat], llm=model).run("as hot as you can", AgentContext())
    assert [one.ok for one in result.tool_calls] == [False, True]
    assert result.reply == "Thirty degrees it is."


@skill
def grasp(width: int, firmly: bool, fingers: list[int], side: Literal["left", "right"] = "left") -> str:
    """Grasp."""
    return f"{width} {firmly} {fingers} {side}"


GOOD: dict[str, Any] = {"width": 5, "firmly": True, "fingers": [1, 2]}


@pytest.mark.parametrize(
    ("field", "value"),
    [("width", True), ("firmly", 7), ("fingers", ["one"]), ("side", "up"), ("width", "wide"), ("firmly", "maybe")],
)
def test_a_skill_refuses_wrong_types_by_name_like_a_tool_and_does_not_begin(field: str, value: Any) -> None:
    model = ScriptedModel(call("grasp", **GOOD | {field: value}), "I could not.")
    (refused,) = LLMAgent("arm", skills=[grasp], llm=model).run("grasp", AgentContext()).tool_calls
    assert refused.error_code == "bad_arguments"
    assert field in (refused.error or "")
    handle = grasp.start(AgentContext(), **GOOD | {field: value})
    assert handle.status is GoalStatus.FAILED
    assert field in (handle.error or "")


def test_a_skill_takes_what_small_models_write() -> None:
    quoted = calls(("grasp", {"width": "5", "firmly": "yes", "fingers": "[1, 2]", "side": "Right"}))
    result = LLMAgent("arm", skills=[grasp], llm=ScriptedModel(quoted, "Got it.")).run("grasp", AgentContext())
    assert result.tool_calls[0].result == "5 True [1, 2] right"


def test_skills_of_an_objects_methods_have_that_object_and_no_self() -> None:
    class Arm:
        def __init__(self, name: str) -> None:
            self.name = name

        @skill(phrases=["wave"])
        def wave(self, handle: GoalHandle) -> str:
            """Wave."""
            return f"{self.name} waves"

    for name in ("left", "right"):
        arm = Arm(name)
        assert "self" not in str(arm.wave.parameters)
        assert LLMAgent("arm", skills=[arm.wave]).run("wave", AgentContext()).reply == f"{name} waves"
