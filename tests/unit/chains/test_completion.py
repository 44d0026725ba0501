"""How a model is asked once, and once more when its reply cannot be used."""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest
from pydantic import BaseModel

from edgevox.chains.completion import Asking, get_completion
from edgevox.chains.reply_forms import ActionForm
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, EndpointUnavailable, OutputFormatError
from edgevox.core.messages import Message, Role
from edgevox.core.running import running
from edgevox.core.session import AgentContext
from edgevox.core.values import All, Empty, Int, Stop, Str, Strs
from edgevox.endpoints.route import LLMEndpointRoute
from edgevox.endpoints.scripted import MockLLMEndpoint
from edgevox.tools import Tool, tool

ASKED = [Message.text("You count.", Role.SYSTEM), Message.text("Count to three.")]


@tool
def count(input: Int, messages: list[Message]) -> Int:
    """Count."""
    return input


@tool
def say_it(input: Str, messages: list[Message]) -> Str:
    """Say a text."""
    return input


@tool
def finish(input: Empty, messages: list[Message]) -> Stop:
    """End."""
    return Stop()


@tool
def anything(input: All, messages: list[Message]) -> All:
    """Take anything."""
    return input


@tool(chained_to=count)
def double(input: Int, messages: list[Message]) -> Int:
    """Double."""
    return Int(value=input.value * 2)


@tool
def dim(level: int) -> str:
    """Dim the light."""
    return str(level)


TOOLS = [count, say_it, finish, anything, double]


def act(*replies: Any, tools: Sequence[Tool] = TOOLS, **options: Any) -> dict[str, Any]:
    endpoint = MockLLMEndpoint(replies)
    found = get_completion(messages=ASKED, endpoint=endpoint, active_tools=tools, **options)
    assert endpoint.responses_left == 0
    return cast("dict[str, Any]", found)


def corrections_of(*replies: Any, **options: Any) -> list[str]:
    told: list[Message] = []
    act(*replies, on_error=told.append, **options)
    return [message.plain for message in told]


class Verdict(BaseModel):
    fair: bool
    why: str = ""


def test_without_tools_and_class_the_text_comes_back_exactly() -> None:
    for text in ('  {"action": "stop"}\n', "```json\n{}\n```", "<think>x</think> y", ""):
        endpoint = MockLLMEndpoint([text])
        assert get_completion(messages=ASKED, endpoint=endpoint) == text
        assert len(endpoint.requests) == 1


def test_the_request_is_the_conversation_in_the_shape_that_endpoints_take() -> None:
    endpoint = MockLLMEndpoint(["y"])
    prompt = Message(role=Role.SYSTEM, content="Too hot?")  # pyright: ignore[reportArgumentType] words become a block
    get_completion(messages=[prompt], endpoint=endpoint)
    assert list(endpoint.requests[0].messages) == [{"role": "system", "content": "Too hot?"}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": [], "endpoint": MockLLMEndpoint(["x"])},
        {"messages": ASKED},
        {"messages": ASKED, "endpoint": MockLLMEndpoint(["x"]), "call_llm_api": len},
        {"messages": ASKED, "endpoint": MockLLMEndpoint(["x"]), "active_tools": [], "LlmOutputModel": Verdict},
    ],
    ids=["no messages", "nobody to ask", "two to ask", "two forms"],
)
def test_what_cannot_be_asked_is_refused_before_any_call(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="get_completion"):
        get_completion(**wrong)
    endpoint = wrong.get("endpoint")
    assert endpoint is None or endpoint.requests == []


def test_an_action_of_the_active_tools_comes_back_checked_and_counted() -> None:
    found = act({"action": "count", "rationale": "because", "value": 3})
    assert found["action"] == "count"
    assert found["value"] == 3
    assert found["endpoint"] == "mock"
    assert found["model"] == "scripted"
    assert found["token_output"] > 0


def test_a_reason_may_be_left_out() -> None:
    assert corrections_of({"action": "finish"}) == []


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"action": "say_it", "value": "hi"}\n```',
        '´´´\n{"action": "say_it", "value": "hi"}\n´´´',
        '<think>Which one? {"action": "finish"}</think>{"action": "say_it", "value": "hi"}',
        'Sure, here you are:\n{"action": "say_it", "value": "hi"}',
        'With {braces} first: {"action": "say_it", "value": "hi"} and more.',
        '{"action": "say_it", "value": "hi"}{"action": "finish"}',
        '{"note": 1} {"action": "say_it", "value": "hi"}',
        '{"action": "say_it", "arguments": {"value": "hi"}}',
        'Here:\n```\n{"action": "say_it", "value": "hi"}\n```\nDone.',
    ],
)
def test_what_stands_around_the_object_is_ignored(reply: str) -> None:
    assert act(reply)["value"] == "hi"


@pytest.mark.parametrize("text", ["a ```fence``` inside", "```", "</think>", "two\nlines", 'ä “日本” \\ "x"'])
def test_a_text_inside_the_object_survives(text: str) -> None:
    for indent in (None, 2):
        assert act(json.dumps({"action": "say_it", "value": text}, ensure_ascii=False, indent=indent))["value"] == text
    fenced = f"```json\n{json.dumps({'action': 'say_it', 'value': text})}\n```"
    assert act(fenced)["value"] == text


def test_a_line_break_within_a_text_is_no_mistake() -> None:
    assert act('{"action": "say_it", "value": "one\ntwo"}')["value"] == "one\ntwo"


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ('[{"x": 1}]', "action"),
        ('"count"', "no JSON object"),
        ("42", "no JSON object"),
        ("", "empty"),
        ("<think>I wonder", "empty"),
        ("Hello!", "no JSON object"),
        ('{"action": "count", "value": 3', "breaks off"),
        ('{"action": "count", "val', "breaks off"),
        ('{"action": "count", value: 3}', "Invalid JSON"),
        ('{"action": "say_it", "value": NaN}', "NaN"),
        ('{"value": 3}', '"action"'),
        ('{"action": 3}', '"action"'),
        ('{"action": "double", "value": 3}', "no tool 'double'"),
        ('{"action": "counts", "value": 3}', "did you mean 'count'"),
        ('{"action": "say_it", "value": 5}', "value"),
        ('{"action": "count", "value": "abc"}', "value"),
        ('{"action": "count"}', "value is missing"),
        ('{"action": "count", "value": 3, "speed": 2}', "speed"),
        ('{"action": "count", "value": 3, "truncation": {"threshold": 0, "severity": "remove"}}', "truncation"),
        ('{"action": "finish", "message_kind": "startup_context"}', "message_kind"),
        ('{"action": "anything", "token_input": 7}', "token_input"),
        ("[" * 100_000, "no JSON object"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_a_reply_without_the_form_is_answered_with_one_correction(reply: str, says: str) -> None:
    told = corrections_of(reply, {"action": "finish"})
    assert len(told) == 1
    assert says in told[0]


def test_unknown_keys_are_taken_where_the_input_takes_them() -> None:
    assert corrections_of({"action": "finish", "mood": "good"}) == []
    assert act({"action": "anything", "mood": "good"})["mood"] == "good"


def test_text_becomes_a_number_where_nothing_is_lost() -> None:
    assert corrections_of({"action": "count", "value": "3"}) == []


def test_a_function_tool_may_be_named_too() -> None:
    plain = ActionForm([cast("Tool", dim.__edgevox_tool__)])  # pyright: ignore[reportFunctionMemberAccess]
    endpoint = MockLLMEndpoint([{"action": "dim", "level": "40"}])
    action = Asking(endpoint=endpoint, form=plain).complete([{"role": "user", "content": "dim"}]).reply.action
    assert action is not None
    assert action.value == {"level": 40}


def test_a_correction_lives_in_a_copy_and_repeats_the_reply() -> None:
    asked = list(ASKED)
    endpoint = MockLLMEndpoint(["nonsense", {"action": "finish"}])
    get_completion(messages=asked, endpoint=endpoint, active_tools=TOOLS)
    assert asked == ASKED
    first, second = (list(request.messages) for request in endpoint.requests)
    assert second[:-1] == first
    assert second[-1]["role"] == "user"
    assert "nonsense" in second[-1]["content"]


def test_a_correction_may_keep_the_reply_to_itself() -> None:
    (told,) = corrections_of("nonsense", {"action": "finish"}, include_raw_response_in_reprompt=False)
    assert "nonsense" not in told


def test_a_long_reply_is_not_repeated_whole() -> None:
    (told,) = corrections_of("x" * 100_000, {"action": "finish"})
    assert len(told) < 3000


def test_the_tokens_of_failed_attempts_are_counted() -> None:
    once = act({"action": "finish"})
    twice = act("n" * 400, {"action": "finish"})
    assert twice["token_output"] == once["token_output"] + 100
    assert twice["token_input"] > once["token_input"] * 2


@pytest.mark.parametrize("tries", [1, 2, 5])
def test_when_the_attempts_are_spent_the_error_says_what_was_wrong(tries: int) -> None:
    endpoint = MockLLMEndpoint(["no"] * 10)
    attempts: list[int] = []
    with pytest.raises(OutputFormatError, match="no JSON object"):
        get_completion(
            messages=ASKED, endpoint=endpoint, active_tools=TOOLS, tries=tries, on_attempt_start=attempts.append
        )
    assert attempts == list(range(1, tries + 1))
    assert len(endpoint.requests) == tries


def test_no_tool_to_name_is_a_form_that_nothing_has() -> None:
    with pytest.raises(OutputFormatError, match="none"):
        get_completion(messages=ASKED, endpoint=MockLLMEndpoint([{"action": "count"}] * 2), active_tools=[])


def test_an_object_of_a_class_is_asked_for_and_checked() -> None:
    endpoint = MockLLMEndpoint(["I think so", {"fair": "perhaps"}, '```\n{"fair": true}\n```'])
    found = get_completion(messages=ASKED, endpoint=endpoint, LlmOutputModel=Verdict, tries=3)
    assert (found["fair"], found["why"], found["model"]) == (True, "", "scripted")
    assert "fair, why" in endpoint.requests[1].messages[-1]["content"]


def test_a_value_class_refuses_what_a_model_may_not_say() -> None:
    endpoint = MockLLMEndpoint([{"items": ["a"], "truncation": []}, {"items": ["a"]}])
    assert get_completion(messages=ASKED, endpoint=endpoint, LlmOutputModel=Strs)["items"] == ["a"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("Good evening.", "Good evening."),
        ("<think>hm</think>Good evening.", "Good evening."),
        ("42", "42"),
        ("Write {name} here.", "Write {name} here."),
    ],
)
def test_words_are_a_reply_where_the_caller_says_so(reply: str, words: str) -> None:
    endpoint = MockLLMEndpoint([reply])
    assert get_completion(messages=ASKED, endpoint=endpoint, active_tools=TOOLS, words=True) == words


@pytest.mark.parametrize("reply", ['{"action": "cou', "", '[{"action"', 'Sure: {"action": "count", "value": '])
def test_a_broken_action_is_never_taken_for_words(reply: str) -> None:
    endpoint = MockLLMEndpoint([reply, {"action": "finish"}])
    found = get_completion(messages=ASKED, endpoint=endpoint, active_tools=TOOLS, words=True)
    assert isinstance(found, dict)
    assert found["action"] == "finish"


def test_somebody_else_may_do_the_asking() -> None:
    requests: list[list[Mapping[str, Any]]] = []

    def call(request: Sequence[Mapping[str, Any]]) -> Any:
        requests.append(list(request))
        return "no" if len(requests) == 1 else {"choices": [{"message": {"content": '{"action": "finish"}'}}]}

    found = get_completion(messages=ASKED, call_llm_api=call, active_tools=TOOLS)
    assert isinstance(found, dict)
    assert found["action"] == "finish"
    assert [len(request) for request in requests] == [2, 3]


def test_pieces_are_told_as_they_come() -> None:
    pieces: list[str] = []
    text = "word " * 40
    assert get_completion(messages=ASKED, endpoint=MockLLMEndpoint([text]), on_text=pieces.append) == text
    assert len(pieces) > 1
    assert "".join(pieces) == text


def test_a_route_is_asked_anew_for_each_attempt() -> None:
    first, second = MockLLMEndpoint(["nonsense"], model_name="small"), MockLLMEndpoint([{"action": "finish"}])
    chosen = first

    def attempt(number: int) -> None:
        nonlocal chosen
        chosen = first if number == 1 else second

    route = LLMEndpointRoute(lambda: chosen)
    found = get_completion(messages=ASKED, endpoint=route, active_tools=TOOLS, on_attempt_start=attempt)
    assert isinstance(found, dict)
    assert (found["action"], found["model"]) == ("finish", "scripted")
    assert (len(first.requests), len(second.requests)) == (1, 1)


def test_what_the_provider_says_passes() -> None:
    with pytest.raises(EndpointUnavailable):
        get_completion(messages=ASKED, endpoint=MockLLMEndpoint([EndpointUnavailable("busy")]), active_tools=TOOLS)


def test_a_scope_that_ends_ends_the_asking() -> None:
    scope = CancelScope()
    endpoint = MockLLMEndpoint(["x" * 2000, {"action": "finish"}], piece_delay_s=0.02)
    threading.Timer(0.1, scope.cancel).start()
    with pytest.raises(Cancelled):
        get_completion(messages=ASKED, endpoint=endpoint, active_tools=TOOLS, scope=scope)
    assert len(endpoint.requests) == 1


def test_what_a_tool_asks_ends_with_the_run_of_the_tool() -> None:
    ctx = AgentContext()
    endpoint = MockLLMEndpoint(["x" * 2000], piece_delay_s=0.02)
    threading.Timer(0.1, ctx.scope.cancel).start()
    with running(ctx), pytest.raises(Cancelled):
        get_completion(messages=ASKED, endpoint=endpoint)
