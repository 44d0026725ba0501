"""What `@tool` and `@factory` make of a function that takes and returns values, and what they refuse."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from pydantic import ConfigDict, Field, create_model

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Message, Truncation
from edgevox.core.values import All, Empty, Int, Invoke, Stop, Str, Strs, Value
from edgevox.tools import Tool, as_tool, tool
from edgevox.tools.factory import Factory, factory


class Trip(Empty):
    where: str = Field(description="a town")
    days: int = 1


class Camera(Empty):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    picture: np.ndarray[Any, Any]


class Bare(Value):
    """No `Empty`, and so no input."""


@tool
def ask_number(input: Empty, messages: list[Message]) -> Int:
    """Ask for a number.

    Ask again until it is one.

        Indented stays.
    """
    return Int(value=4)


@factory
def weigh(input: Int, messages: list[Message], ctx: list[int]) -> Int | Stop:
    """Weigh a number."""
    ctx.append(input.value)
    return Int(value=input.value * 2)


def nothing_odd(input: Empty, messages: list[Message]) -> Empty:
    return input


def test_a_typed_function_becomes_the_tool_and_is_still_called_like_the_function() -> None:
    assert isinstance(ask_number, Tool)
    assert ask_number(Empty(), []) == Int(value=4)
    assert (ask_number.name, ask_number.InputModel, ask_number.OutputModel) == ("ask_number", Empty, Int)
    assert ask_number.is_typed
    assert not ask_number.is_passive


def test_the_whole_docstring_is_the_description_without_its_margin() -> None:
    assert ask_number.description == "Ask for a number.\n\nAsk again until it is one.\n\n    Indented stays."
    assert tool(nothing_odd).description == ""


def test_the_fields_of_the_input_are_the_arguments() -> None:
    @tool
    def travel(input: Trip, messages: list[Message]) -> Str:
        return Str(value=input.where)

    assert travel.parameters == {
        "type": "object",
        "properties": {
            "where": {"description": "a town", "type": "string"},
            "days": {"default": 1, "type": "integer"},
        },
        "required": ["where"],
    }
    assert [(p.name, p.required) for p in travel.signature.parameters] == [("where", True), ("days", False)]


def test_other_signatures_stay_functions() -> None:
    def plain(input: str, messages: list[str]) -> str:
        return input

    def two(a: str, b: int) -> Str:
        return Str(value=a * b)

    def context(messages: list[Message], limit: int) -> str:
        return str(limit)

    for fn in (plain, two, context):
        assert tool(fn) is fn
        assert not as_tool(fn).is_typed


def test_a_plain_typed_function_in_a_list_of_tools_is_one_too() -> None:
    made = as_tool(nothing_odd)
    assert made.is_typed
    assert as_tool(ask_number) is ask_number


def test_classes_defined_beside_the_tool_are_found_though_annotations_are_texts() -> None:
    class Own(Empty):
        size: int

    def make() -> Tool:
        @tool
        def grow(input: Own, messages: list[Message]) -> Own | Stop:
            return Own(size=input.size + 1)

        return grow

    grow = make()
    assert grow.input_model is Own
    assert grow.output_models == (Own, Stop)


class Mistake(NamedTuple):
    declare: Callable[[], Any]
    says: str


def _untyped_input() -> Any:
    def f(input, messages):  # type: ignore[no-untyped-def]  # pyright: ignore
        return Int(value=1)

    return tool(f)  # pyright: ignore


def _untyped_return() -> Any:
    def f(input: Empty, messages: list[Message]):  # type: ignore[no-untyped-def]
        return Int(value=1)

    return tool(f)


def _stop_input() -> Any:
    def f(input: Stop, messages: list[Message]) -> Int:
        return Int(value=1)

    return tool(f)


def _number_input() -> Any:
    def f(input: int, messages: list[Message]) -> Int:
        return Int(value=1)

    return tool(f)


def _union_input() -> Any:
    def f(input: Int | Str, messages: list[Message]) -> Int:
        return Int(value=1)

    return tool(f)


def _none_output() -> Any:
    def f(input: Empty, messages: list[Message]) -> Int | None:
        return None

    return tool(f)


def _text_output() -> Any:
    def f(input: Empty, messages: list[Message]) -> str:
        return ""

    return tool(f)


def _bare_output() -> Any:
    def f(input: Empty, messages: list[Message]) -> Bare:
        return Bare()

    return tool(f)


def _extra_parameter() -> Any:
    def f(input: Empty, messages: list[Message], speed: int) -> Int:
        return Int(value=speed)

    return tool(f)


def _extra_unannotated() -> Any:
    def f(input: Empty, messages: list[Message], speed=1) -> Int:  # type: ignore[no-untyped-def]  # pyright: ignore
        return Int(value=1)

    return tool(f)  # pyright: ignore


def _ctx_without_factory() -> Any:
    def f(input: Empty, messages: list[Message], ctx: object) -> Int:
        return Int(value=1)

    return tool(f)


def _other_first() -> Any:
    def f(given: Empty, messages: list[Message]) -> Int:
        return Int(value=1)

    return tool(f)


def _no_messages() -> Any:
    def f(input: Empty) -> Int:
        return Int(value=1)

    return tool(f)


def _wrong_messages() -> Any:
    def f(input: Empty, messages: int) -> Int:
        return Int(value=1)

    return tool(f)


def _wrong_rows() -> Any:
    def f(input: Empty, messages: list[str]) -> Int:
        return Int(value=1)

    return tool(f)


def _lambda() -> Any:
    nameless = cast("Any", lambda: Int(value=1))
    nameless.__annotations__ = {"input": Empty, "return": Int}
    nameless.__signature__ = inspect.signature(nothing_odd)
    return tool(nameless)


def _unfound() -> Any:
    def f(input: NoSuchClass, messages: list[Message]) -> Int:  # noqa: F821  # pyright: ignore
        return Int(value=1)

    return tool(f)  # pyright: ignore


def _keyword_only() -> Any:
    def f(input: Empty, *, messages: list[Message]) -> Int:
        return Int(value=1)

    return tool(f)  # pyright: ignore


def _yields() -> Any:
    def f(input: Empty, messages: list[Message]) -> Int:  # pyright: ignore
        yield Int(value=1)  # pyright: ignore

    return tool(f)


def _reserved_field() -> Any:
    with pytest.warns(UserWarning, match="shadows"):
        marked = create_model("Marked", __base__=Empty, message_kind=(str, ""))

    def f(input: Any, messages: list[Message]) -> Int:
        return Int(value=1)

    f.__annotations__["input"] = marked
    return tool(f)


def _unspeakable_input() -> Any:
    def f(input: Camera, messages: list[Message]) -> Int:
        return Int(value=1)

    return tool(f)


MISTAKES = {
    "input without annotation": Mistake(_untyped_input, "say what 'input' is"),
    "return without annotation": Mistake(_untyped_return, "say what it returns"),
    "Stop as input": Mistake(_stop_input, "subclass of Empty, not Stop"),
    "a number as input": Mistake(_number_input, "subclass of Empty, not int"),
    "a union as input": Mistake(_union_input, "one class, not"),
    "None as output": Mistake(_none_output, "cannot return None"),
    "a text as output": Mistake(_text_output, "cannot return str"),
    "a bare value as output": Mistake(_bare_output, "cannot return Bare"),
    "one more parameter": Mistake(_extra_parameter, "put 'speed' into the input's class"),
    "one more without annotation": Mistake(_extra_unannotated, "put 'speed' into the input's class"),
    "ctx without @factory": Mistake(_ctx_without_factory, "@factory"),
    "first parameter named otherwise": Mistake(_other_first, "'given' stands where 'input' belongs"),
    "no messages": Mistake(_no_messages, "nothing stands where 'messages' belongs"),
    "messages that are a number": Mistake(_wrong_messages, "list\\[Message\\]"),
    "messages that are texts": Mistake(_wrong_rows, "list\\[Message\\]"),
    "a lambda": Mistake(_lambda, "cannot be a tool's name"),
    "a class that cannot be found": Mistake(_unfound, "NoSuchClass"),
    "messages by keyword": Mistake(_keyword_only, "plain parameter"),
    "a generator": Mistake(_yields, "yields"),
    "a field with a reserved name": Mistake(_reserved_field, "message_kind"),
    "an input that JSON cannot hold": Mistake(_unspeakable_input, "JSON cannot hold"),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_declaration_is_one_error_that_names_the_tool_and_the_fix(mistake: Mistake) -> None:
    with pytest.raises(ToolDefinitionError, match=mistake.says) as caught:
        mistake.declare()
    assert "f" in str(caught.value).split(":")[0] or "lambda" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_factory_is_checked_when_it_is_declared() -> None:
    def wrong_input(input: int, messages: list[Message], ctx: object) -> Int:
        return Int(value=input)

    def wrong_output(input: Empty, messages: list[Message], ctx: object) -> None:
        return None

    def one_more(input: Empty, messages: list[Message], ctx: object, speed: int) -> Int:
        return Int(value=speed)

    for fn, says in ((wrong_input, "not int"), (wrong_output, "None"), (one_more, "speed"), (nothing_odd, "'ctx'")):
        with pytest.raises(ToolDefinitionError, match=says) as caught:
            factory(cast("Any", fn))
        assert str(caught.value).startswith(fn.__name__)


@pytest.mark.parametrize("name", ["BadName", "a-b", "_x", "x_", "café", "a__b", "1a", "", "x" * 65])
def test_a_typed_name_is_lower_case_words_at_declaration_and_ever_after(name: str) -> None:
    copied = ask_number.copy()
    if name:
        with pytest.raises(ToolDefinitionError, match="name"):
            tool(name=name)(nothing_odd)
        with pytest.raises(ToolDefinitionError):
            factory(name=name)(cast("Any", weigh.template.fn))
        with pytest.raises(ToolDefinitionError):
            ask_number.copy(name=name)
    with pytest.raises(ToolDefinitionError):
        copied.rename(name)
    with pytest.raises(ToolDefinitionError):
        copied.name = name
    assert copied.name == "ask_number"


def test_a_name_that_is_no_text_is_refused_too() -> None:
    with pytest.raises(ToolDefinitionError, match="a text"):
        ask_number.copy().rename(cast("Any", 3))


def test_renaming_keeps_the_identity_and_copying_gives_another() -> None:
    copied = ask_number.copy(name="ask_again", description="Again.")
    assert (copied.name, copied.description, copied.input_model) == ("ask_again", "Again.", Empty)
    assert copied.id != ask_number.id
    before = copied.id
    copied.name = "ask_once_more"
    assert (copied.name, copied.id) == ("ask_once_more", before)
    assert ask_number.name == "ask_number"


def even(value: Int) -> bool:
    return value.value % 2 == 0


def large(value: Int) -> bool:
    return value.value > 100


def test_each_parent_is_one_edge_with_its_own_condition_or_the_shared_one() -> None:
    @tool(chained_to=[ask_number, (weigh, large), ask_number], chain_condition=even)
    def follow(input: Int, messages: list[Message]) -> Int:
        return input

    assert [(edge.parent_id, edge.parent_name, edge.condition) for edge in follow.chained_to] == [
        (ask_number.id, "ask_number", even),
        (weigh.id, "weigh", large),
    ]
    assert follow.chain_condition is even
    assert follow.is_passive
    assert follow.chained_to[0].open_for(Int(value=2))
    assert not follow.chained_to[1].open_for(Int(value=2))


def test_one_parent_may_stand_alone_or_with_its_condition() -> None:
    alone = tool(chained_to=ask_number)(nothing_odd)
    pair = tool(chained_to=cast("Any", (ask_number, even)))(nothing_odd)
    two = tool(chained_to=(ask_number, weigh))(nothing_odd)
    assert [edge.condition for edge in alone.chained_to] == [None]
    assert [edge.condition for edge in pair.chained_to] == [even]
    assert len(two.chained_to) == 2


def test_chaining_appends_and_a_condition_replaces_the_shared_one_alone() -> None:
    child = tool(chained_to=[(weigh, large)], chain_condition=even)(nothing_odd)
    assert child.chain(ask_number) is child
    assert [edge.condition for edge in child.chained_to] == [large, even]
    child.chain([], large)
    assert [edge.condition for edge in child.chained_to] == [large, large]
    child.chain(None)
    assert child.chained_to == ()
    assert not child.is_passive


def test_a_copy_replaces_the_parents_it_is_given_and_keeps_them_otherwise() -> None:
    child = tool(chained_to=ask_number, chain_condition=even)(nothing_odd)
    assert child.copy().chained_to == child.chained_to
    other = child.copy(chained_to=weigh)
    assert [edge.parent_id for edge in other.chained_to] == [weigh.id]
    assert other.chained_to[0].condition is even
    assert child.copy(chain_condition=large).chained_to[0].condition is large
    assert child.chained_to[0].condition is even


@pytest.mark.parametrize("parents", ["ask_number", 3, [ask_number, None], [print]])
def test_only_tools_and_factories_can_be_parents(parents: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="nothing_odd: chained_to takes tools"):
        tool(chained_to=parents)(nothing_odd)


def test_a_condition_has_to_be_a_function() -> None:
    with pytest.raises(ToolDefinitionError, match="chain_condition"):
        tool(chained_to=ask_number, chain_condition=cast("Any", "even"))(nothing_odd)


def test_a_function_tool_cannot_be_chained() -> None:
    def plain(level: int) -> str:
        return str(level)

    with pytest.raises(ToolDefinitionError, match="plain"):
        tool(chained_to=ask_number)(plain)
    with pytest.raises(ToolDefinitionError, match="cannot be chained"):
        as_tool(plain).chain(ask_number)


def test_what_json_cannot_hold_may_pass_from_tool_to_tool_but_not_be_asked_of_a_model() -> None:
    @tool(chained_to=ask_number)
    def look(input: Camera, messages: list[Message]) -> Int:
        return Int(value=int(input.picture.sum()))

    assert look(Camera(picture=np.ones(3)), []) == Int(value=3)
    with pytest.raises(ToolDefinitionError, match="JSON"):
        look.chain(None)
    assert look.is_passive


def test_a_factory_gives_tools_that_share_its_identity_and_keep_their_context() -> None:
    assert isinstance(weigh, Factory)
    one, two = weigh([]), weigh([])
    assert one.id == two.id == weigh.id
    assert (one.name, weigh.name) == ("weigh", "weigh")
    seen: list[int] = []
    assert weigh(seen)(Int(value=3), []) == Int(value=6)
    assert seen == [3]
    assert "3" not in repr(weigh([3]))


class Service:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def materialize(self) -> None:
        self.log.append("ready")

    def external_dependencies(self) -> Sequence[str]:
        return ["model:x"]


def test_a_context_is_made_ready_right_before_each_call_and_never_earlier() -> None:
    @factory
    def use(input: Empty, messages: list[Message], ctx: Service) -> Empty:
        ctx.log.append("called")
        return input

    log: list[str] = []
    bound = use(Service(log))
    bound.copy()
    assert bound.external_dependencies() == ("model:x",)
    assert log == []
    bound(Empty(), [])
    bound(Empty(), [])
    assert log == ["ready", "called"] * 2


@pytest.mark.parametrize("member", ["external_dependencies", "materialize"])
def test_a_context_whose_service_methods_cannot_be_called_is_refused(member: str) -> None:
    bad = type("Bad", (), {member: ["x"]})()
    with pytest.raises(ToolDefinitionError, match=f"weigh: the context's '{member}'"):
        weigh(cast("Any", bad))


def test_a_factory_that_was_not_called_is_not_a_tool() -> None:
    with pytest.raises(ToolDefinitionError, match=r"weigh\(ctx\)"):
        as_tool(weigh)
    with pytest.raises(ToolDefinitionError, match=r"weigh\(ctx\)"):
        Tool.to_tool_list([weigh])


def test_lists_of_lists_of_tools_become_one() -> None:
    def plain(level: int) -> str:
        return str(level)

    tool(plain)
    listed = Tool.to_tool_list([ask_number, [weigh([]), (plain,)], []])
    assert [each.name for each in listed] == ["ask_number", "weigh", "plain"]
    with pytest.raises(ToolDefinitionError, match="not a tool"):
        Tool.to_tool_list([3])


def test_every_option_of_a_tool_is_an_option_of_a_typed_one() -> None:
    @tool(
        name="open_door",
        description="Open it.",
        confirm="Really open {where}?",
        timeout_s=2.0,
        phrases=["go to {where}"],
        says="Gone to {where}.",
        resources=["door"],
        secret_fields=["where"],
    )
    def travel(input: Trip, messages: list[Message]) -> Str:
        return Str(value="")

    assert (travel.name, travel.description, travel.timeout_s) == ("open_door", "Open it.", 2.0)
    assert travel.resources == frozenset({"door"})
    assert travel.spec.secret_fields == ("where",)
    with pytest.raises(ToolDefinitionError, match="secret field 'town'"):
        tool(secret_fields=["town"])(nothing_odd)


def test_a_typed_method_is_taken_from_its_object() -> None:
    class House:
        def __init__(self, floors: int) -> None:
            self.floors = floors

        @tool
        def count_floors(self, input: Empty, messages: list[Message]) -> Int:
            return Int(value=self.floors)

    first, second = House(1), House(2)
    assert first.count_floors(Empty(), []) == Int(value=1)
    assert second.count_floors(Empty(), []) == Int(value=2)
    taken, declared = cast("list[Tool]", [first.count_floors, House.count_floors])
    assert taken.id == declared.id
    with pytest.raises(ToolDefinitionError, match="is a method"):
        declared.bind({})


def test_values_may_be_of_any_of_the_declared_classes() -> None:
    @tool
    def choose(input: All, messages: list[Message]) -> Int | Invoke | Stop | Strs:
        return Stop()

    assert choose.output_models == (Int, Invoke, Stop, Strs)
    assert choose.OutputModel == Int | Invoke | Stop | Strs
    assert choose.parameters["additionalProperties"] is True


def test_how_long_a_value_is_shown_is_a_rule_or_several_and_nothing_else() -> None:
    rule = Truncation(threshold=1)
    assert Str(value="", truncation=rule).truncation == (rule,)
    assert Str(value="", truncation=[rule, rule]).truncation == (rule, rule)
    with pytest.raises(ValueError, match="Truncation rule"):
        Str(value="", truncation=cast("Any", [{"threshold": 1}]))
