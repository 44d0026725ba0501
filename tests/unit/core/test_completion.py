"""The OpenAI shape, in pieces and whole."""

from typing import Any

import pytest

from edgevox.core.completion import Envelope, ToolCall, Usage, collect
from edgevox.testing import ScriptedModel, call

HELLO = [{"role": "user", "content": "hi"}]


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "model": "m"}


def test_a_stream_and_a_whole_answer_read_the_same() -> None:
    usage = Usage(prompt_tokens=3, completion_tokens=2, cached_tokens=1)
    made = Envelope(model="m")
    wish = ToolCall.of("look", {"at": "it"})
    whole = collect(made.answer("Hello.", [wish], "tool_calls", usage))
    parts = [made.opening(), made.text("Hel"), made.text("lo."), made.call(0, wish), made.closing("tool_calls", usage)]
    assert collect(parts) == whole
    assert (whole.text, whole.calls, whole.finish, whole.usage, whole.model) == (
        "Hello.", [wish], "tool_calls", usage, "m",
    )  # fmt: skip


def test_a_call_that_comes_in_fragments_is_put_together() -> None:
    parts = [
        chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "look", "arguments": ""}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"at"'}}]}),
        chunk({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "get", "arguments": "{}"}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ': "it"}'}}]}),
        chunk({}, "tool_calls"),
    ]
    assert [(c.use_id, c.name, c.arguments) for c in collect(parts).calls] == [
        ("a", "look", '{"at": "it"}'),
        ("b", "get", "{}"),
    ]


def test_a_call_without_an_identifier_gets_one() -> None:
    got = collect([chunk({"tool_calls": [{"function": {"name": "look", "arguments": {"at": 1}}}]})])
    assert got.calls[0].use_id.startswith("call_")
    assert got.calls[0].arguments == '{"at": 1}'


@pytest.mark.parametrize("empty", [{"choices": []}, {}, {"choices": [{"delta": None}]}, chunk({"content": None})])
def test_chunks_with_nothing_in_them_are_nothing(empty: dict[str, Any]) -> None:
    got = collect([empty])
    assert (got.text, got.calls) == ("", [])


def test_an_object_of_a_client_library_is_read_through_its_dump() -> None:
    class Chunk:
        def model_dump(self) -> dict[str, Any]:
            return chunk({"content": "Hello."}, "stop")

    assert collect([Chunk()]).text == "Hello."


def test_the_scripted_model_says_its_script_and_remembers_what_it_was_asked() -> None:
    model = ScriptedModel("Hello there.", call("look", at="it"))
    assert collect(model.complete(HELLO, temperature=1)).text == "Hello there."
    got = collect(model.complete(HELLO, stream=True))
    assert (got.finish, got.calls[0].name, model.calls_left) == ("tool_calls", "look", 0)
    assert model.requests[0].options == {"temperature": 1}
    assert model.requests[0].last_user_text == "hi"
    with pytest.raises(AssertionError, match="the script is over"):
        model.complete(HELLO)


def test_the_scripted_model_raises_repeats_and_computes() -> None:
    model = ScriptedModel(ValueError("no"), lambda request: request.last_user_text * 2, otherwise="again")
    with pytest.raises(ValueError, match="no"):
        model.complete(HELLO)
    assert [collect(model.complete(HELLO)).text for _ in range(3)] == ["hihi", "again", "again"]
