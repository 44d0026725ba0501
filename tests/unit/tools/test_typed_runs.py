"""What happens when a typed tool runs: on a value that another returned, or on a model's arguments."""

import asyncio
import threading
import time
from typing import Any, cast

import pytest
from pydantic import BaseModel, Field, SerializeAsAny

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, StopAgent, ToolDefinitionError, ToolFailure
from edgevox.core.messages import Message, Origin, Severity, Truncation
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.core.session import AgentContext, Session
from edgevox.core.values import All, Empty, Int, Stop, Str, Strs, Value
from edgevox.tools import ToolRegistry, run_typed, tool
from edgevox.tools.coercion import Refused

RULE = Truncation(threshold=1, severity=Severity.REMOVE)


class Animal(BaseModel):
    name: str


class Dog(Animal):
    tricks: list[str] = []


class Kennel(Empty):
    animal: SerializeAsAny[Animal]
    note: str = Field(default="", exclude=True)


class KennelAndMore(Kennel):
    more: int = 0


class Renamed(Empty):
    size: int = Field(alias="Size")


@tool
def add_one(input: Int, messages: list[Message]) -> Int:
    """Add one."""
    return Int(value=input.value + 1)


@tool
def same(input: Int, messages: list[Message]) -> Int:
    """Hand the input on."""
    return input


@tool
def visit(input: Kennel, messages: list[Message]) -> Kennel:
    """Teach the dog something."""
    if isinstance(input.animal, Dog):
        input.animal.tricks.append("roll")
    return input


@tool
def take_all(input: All, messages: list[Message]) -> All:
    """Take everything."""
    return input


@tool
async def wait_a_little(input: Int, messages: list[Message]) -> Int:
    """Wait, then double."""
    await asyncio.sleep(0.01)
    return Int(value=input.value * 2)


@tool
async def wait_long(input: Empty, messages: list[Message]) -> Empty:
    """Wait for ever."""
    await asyncio.sleep(60)
    return input


def test_a_value_is_projected_to_what_the_tool_takes() -> None:
    assert run_typed(add_one, Int(value=1), []) == Int(value=2)
    assert run_typed(add_one, Str(value="41"), []) == Int(value=42)


@pytest.mark.parametrize("value", [Str(value="abc"), Empty(), Strs(items=["1"])])
def test_a_value_that_does_not_fit_is_refused_with_both_tools_named(value: Value) -> None:
    with pytest.raises(Refused, match=r"add_one cannot take what ask returned: value"):
        run_typed(add_one, value, [], source="ask")
    with pytest.raises(Refused, match=f"add_one cannot take a {type(value).__name__}"):
        run_typed(add_one, value, [])


def test_what_a_tool_does_to_its_input_never_reaches_the_parent() -> None:
    parent = KennelAndMore(animal=Dog(name="Rex", tricks=["sit"]), note="private", more=3)
    child = run_typed(visit, parent, [])
    assert type(child) is Kennel
    assert isinstance(child.animal, Dog)
    assert child.animal.tricks == ["sit", "roll"]
    assert child.note == ""
    assert isinstance(parent.animal, Dog)
    assert parent.animal.tricks == ["sit"]


def test_everything_goes_along_to_a_tool_that_takes_everything() -> None:
    assert run_typed(take_all, Int(value=3), []).model_dump() == {"value": 3}
    assert run_typed(take_all, All(**cast("Any", {"a": [1]})), []).model_dump() == {"a": [1]}
    assert run_typed(take_all, Empty(), []) == All()


def test_how_long_a_value_is_shown_goes_along_with_it() -> None:
    handed = run_typed(same, Int(value=1, truncation=RULE, message_kind="note"), [])
    assert (handed.truncation, handed.message_kind) == ((RULE,), "note")
    assert run_typed(add_one, Int(value=1, truncation=RULE), []).truncation == ()


def test_a_field_that_is_read_under_another_name_is_filled() -> None:
    @tool
    def measure(input: Renamed, messages: list[Message]) -> Int:
        return Int(value=input.size)

    assert run_typed(measure, Renamed(Size=3), []) == Int(value=3)
    assert list(measure.parameters["properties"]) == ["Size"]


def test_the_messages_are_the_list_itself_and_the_thread_is_the_callers() -> None:
    seen: list[Any] = []

    @tool
    def note(input: Empty, messages: list[Message]) -> Empty:
        seen.append((messages, threading.get_ident()))
        return input

    conversation = [Message.text("hello")]
    run_typed(note, Empty(), conversation)
    assert seen[0][0] is conversation
    assert seen[0][1] == threading.get_ident()


def test_an_async_tool_is_awaited() -> None:
    assert run_typed(wait_a_little, Int(value=4), []) == Int(value=8)


def test_an_async_tool_that_awaits_another_does_not_wait_for_itself() -> None:
    @tool
    async def outer(input: Int, messages: list[Message]) -> Int:
        inner = run_typed(wait_a_little, input, messages)
        return cast("Int", inner)

    assert run_typed(outer, Int(value=1), []) == Int(value=2)


def test_the_end_of_the_scope_ends_the_wait_for_an_async_tool() -> None:
    scope = CancelScope()
    threading.Timer(0.05, scope.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        run_typed(wait_long, Empty(), [], AgentContext(scope=scope))
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("error", [ValueError("no"), ToolFailure("no"), StopAgent(), KeyboardInterrupt()])
def test_what_the_body_raises_passes(error: BaseException) -> None:
    @tool
    def fail(input: Empty, messages: list[Message]) -> Empty:
        raise error

    @tool
    async def fail_later(input: Empty, messages: list[Message]) -> Empty:
        raise error

    for each in (fail, fail_later):
        with pytest.raises(type(error)):
            run_typed(each, Empty(), [])


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        (Str(value="x"), r"returned Str, which it does not declare: write -> Int \| Stop \| Str"),
        ("text", r"returned str where it declares Int \| Stop"),
        ({"value": 1}, "returned dict"),
        (None, "returned NoneType"),
    ],
)
def test_what_a_tool_returns_has_to_be_what_it_declares(returned: Any, says: str) -> None:
    @tool
    def wrong(input: Empty, messages: list[Message]) -> Int | Stop:
        return returned

    with pytest.raises(ToolDefinitionError, match=f"wrong {says}"):
        run_typed(wrong, Empty(), [])
    outcome = ToolRegistry(wrong).dispatch("wrong", {})
    assert not outcome.ok
    assert outcome.error is not None
    assert outcome.error.startswith("wrong returned")


def test_a_subclass_of_a_declared_class_is_declared_too() -> None:
    @tool
    def breed(input: Empty, messages: list[Message]) -> Kennel:
        return KennelAndMore(animal=Dog(name="Rex"), more=2)

    assert type(run_typed(breed, Empty(), [])) is KennelAndMore


def test_a_function_tool_is_not_run_on_a_value() -> None:
    def dim(level: int) -> str:
        return str(level)

    registry = ToolRegistry(dim)
    plain = registry.tools[0]
    with pytest.raises(ToolDefinitionError, match="not a tool of the form"):
        run_typed(plain, Int(value=1), [])
    assert registry.dispatch(plain.name, Int(value=1)).error_code == "bad_arguments"


def test_dispatch_runs_a_typed_tool_on_a_models_arguments() -> None:
    outcome = ToolRegistry(add_one).dispatch("add_one", '{"value": "4"}', origin=Origin.PHRASE)
    assert outcome.ok
    assert (outcome.arguments, outcome.result, outcome.value) == ({"value": 4}, {"value": 5}, Int(value=5))
    block = outcome.to_block()
    assert (block.output_type, block.payload, block.origin) == ("Int", {"value": 5}, Origin.PHRASE)


def test_dispatch_takes_a_value_too_and_hands_its_rules_on() -> None:
    outcome = ToolRegistry(same).dispatch("same", Int(value=4, truncation=RULE))
    assert (outcome.result, outcome.truncation) == ({"value": 4}, (RULE,))
    refused = ToolRegistry(same).dispatch("same", Str(value="x"))
    assert refused.error_code == "bad_arguments"


def test_dispatch_gives_the_body_the_conversation() -> None:
    @tool
    def count(input: Empty, messages: list[Message]) -> Int:
        return Int(value=len(messages))

    ctx = AgentContext(session=Session([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]))
    assert ToolRegistry(count).dispatch("count", None, ctx).result == {"value": 2}
    assert ToolRegistry(count).dispatch("count").result == {"value": 0}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"value": "abc"}, "value: input should be a valid integer"),
        ({}, "value is missing"),
        ({"value": 1, "speed": 2}, "there is no 'speed'"),
        ({"valu": 1}, "did you mean 'value'"),
        ({"value": 1, "truncation": []}, "no argument 'truncation'; it takes value"),
        ("[1]", "must be a JSON object"),
    ],
)
def test_arguments_that_do_not_fit_are_answered_in_a_sentence(arguments: Any, says: str) -> None:
    outcome = ToolRegistry(add_one).dispatch("add_one", arguments)
    assert outcome.error_code == "bad_arguments"
    assert says in str(outcome.error)


def test_an_async_typed_tool_is_dispatched_and_can_be_timed_out() -> None:
    assert ToolRegistry(wait_a_little).dispatch("wait_a_little", {"value": 2}).result == {"value": 4}

    @tool(timeout_s=0.05)
    async def slow(input: Empty, messages: list[Message]) -> Empty:
        await asyncio.sleep(30)
        return input

    assert ToolRegistry(slow).dispatch("slow").error_code == "timeout"


class Asked:
    def __init__(self, *, yes: bool) -> None:
        self.yes = yes
        self.questions: list[str] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.questions.append(request.question)
        return Approval(approved=self.yes)


@pytest.mark.parametrize("yes", [True, False])
def test_a_typed_tool_asks_first_like_any_other(yes: bool) -> None:
    @tool(confirm="Really add to {value}?")
    def add(input: Int, messages: list[Message]) -> Int:
        return Int(value=input.value + 1)

    asked = Asked(yes=yes)
    outcome = ToolRegistry(add).dispatch("add", {"value": 1}, AgentContext(approver=asked))
    assert asked.questions == ["Really add to 1?"]
    assert outcome.ok is yes


def test_a_passive_tool_is_offered_to_no_model_but_a_chain_may_run_it() -> None:
    @tool(chained_to=add_one)
    def follow(input: Int, messages: list[Message]) -> Int:
        return input

    registry = ToolRegistry(add_one, follow)
    assert [spec.name for spec in registry.specs()] == ["add_one"]
    assert registry.dispatch("follow", {"value": 1}).error_code == "unknown_tool"
    assert registry.dispatch("follow", Int(value=1), origin=Origin.CHAIN).result == {"value": 1}


def test_a_long_result_reaches_a_model_bounded_and_the_caller_whole() -> None:
    @tool
    def talk(input: Empty, messages: list[Message]) -> Str:
        return Str(value="x" * 50_000)

    outcome = ToolRegistry(talk).dispatch("talk")
    assert len(str(outcome.result)) < 5_000
    assert len(outcome.value.value) == 50_000


def test_an_argument_may_have_any_name() -> None:
    for name in ("self", "data", "cls", "model_config"):
        outcome = ToolRegistry(take_all).dispatch("take_all", {name: 1})
        assert outcome.result == {name: 1}, outcome.error
