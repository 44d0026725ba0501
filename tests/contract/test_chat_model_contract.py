"""What every chat model promises, over each one that ships."""

import gc
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from edgevox.core.completion import collect
from edgevox.core.ports import ChatEndpoint, ChatModel
from edgevox.endpoints import LLMEndpoint, LLMEndpointRoute, LocalEndpoint, MockLLMEndpoint
from edgevox.llm import LLM
from edgevox.testing import ChatServer, ScriptedEngine, ScriptedModel

HELLO = [{"role": "user", "content": "Say hello."}]
LONG = [{"role": "user", "content": "Count from one to two hundred in words, without leaving any number out."}]
LONG_TO_READ = [
    {"role": "user", "content": "Count the words of this text: " + "many words about trees and rivers " * 300}
]
WORDS = "one two three four five six seven eight nine ten " * 20
LOOK = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Look at something.",
        "parameters": {"type": "object", "properties": {"at": {"enum": ["lamp", "door"]}}, "required": ["at"]},
    },
}
MODELS = Path(os.environ.get("EDGEVOX_MODELS", "~/.local/share/edgevox/models")).expanduser()
SMOLLM = MODELS / "smollm2-135m-instruct" / "model.gguf"
Build = Callable[[ExitStack, str], ChatModel]


def scripted(_: ExitStack, reply: str) -> ChatModel:
    return ScriptedModel(otherwise=reply, token_delay_s=0.005)


def over_engine(stack: ExitStack, reply: str) -> ChatModel:
    model = LLM(engine=ScriptedEngine(reply, token_delay_s=0.005))
    stack.callback(model.close)
    return model


def remote(stack: ExitStack, reply: str) -> ChatModel:
    server = stack.enter_context(ChatServer(*[reply] * 20, token_delay_s=0.005))
    return LLMEndpoint(f"{server.url}#scripted")


def from_a_script(_: ExitStack, reply: str) -> ChatModel:
    return MockLLMEndpoint([reply] * 20, piece_delay_s=0.02)


def routed(_: ExitStack, reply: str) -> ChatModel:
    chosen = MockLLMEndpoint([reply] * 20, piece_delay_s=0.02)
    return LLMEndpointRoute(lambda: chosen)


def local_endpoint(stack: ExitStack, reply: str) -> ChatModel:
    model = LLM(engine=ScriptedEngine(reply, token_delay_s=0.005))
    stack.callback(model.close)
    return LocalEndpoint("scripted", run=lambda *_, **__: model)


def local(stack: ExitStack, *, in_process: bool) -> ChatModel:
    if not SMOLLM.is_file():
        pytest.skip(f"the model smollm2-135m-instruct is not in {MODELS} (edgevox models get smollm2-135m-instruct)")
    model = LLM(SMOLLM, in_process=in_process, max_tokens=256, temperature=0.0)
    stack.callback(model.close)
    model.load()
    return model


def in_process(stack: ExitStack, _: str) -> ChatModel:
    return local(stack, in_process=True)


def in_a_child(stack: ExitStack, _: str) -> ChatModel:
    return local(stack, in_process=False)


BUILDERS: list[Any] = [
    pytest.param(scripted, id="scripted"),
    pytest.param(over_engine, id="llm-over-a-scripted-engine"),
    pytest.param(remote, id="endpoint"),
    pytest.param(from_a_script, id="scripted-endpoint"),
    pytest.param(routed, id="route"),
    pytest.param(local_endpoint, id="local-endpoint"),
    pytest.param(in_process, id="llm-in-process", marks=pytest.mark.models),
    pytest.param(in_a_child, id="llm-in-a-child", marks=pytest.mark.models),
]


@pytest.fixture(params=BUILDERS)
def model(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatModel]:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    with ExitStack() as stack:
        yield cast("Build", request.param)(stack, WORDS)


def test_it_is_a_chat_model(model: ChatModel) -> None:
    assert isinstance(model, ChatModel)


def test_an_endpoint_says_which_model_it_is(model: ChatModel) -> None:
    if isinstance(model, ScriptedModel):
        pytest.skip("the bare chat model of the tests is no endpoint")
    assert isinstance(model, ChatEndpoint)
    assert model.model_name
    assert model.api_name
    assert model.max_context_tokens is None or model.max_context_tokens > 0


def test_a_whole_answer_is_json_in_the_openai_shape(model: ChatModel) -> None:
    answer = model.complete(HELLO, max_tokens=16)
    choice = json.loads(json.dumps(answer))["choices"][0]
    assert answer["object"] == "chat.completion"
    assert choice["message"]["role"] == "assistant"
    assert isinstance(choice["message"]["content"], str)
    assert choice["message"]["content"]
    assert choice["finish_reason"] in ("stop", "length")
    assert answer["usage"]["completion_tokens"] > 0


def test_a_stream_says_the_same_piece_by_piece_and_ends_with_a_reason(model: ChatModel) -> None:
    whole = collect(model.complete(HELLO, max_tokens=16, seed=1))
    chunks = list(model.complete(HELLO, max_tokens=16, seed=1, stream=True))
    assert collect(chunks).text.strip() == whole.text.strip()
    assert len(chunks) > 3
    reasons = [c["choices"][0]["finish_reason"] for c in chunks if c["choices"] and c["choices"][0]["finish_reason"]]
    assert reasons == [whole.finish]


@pytest.mark.parametrize("stream", [True, False])
def test_a_stop_ends_an_answer_soon(model: ChatModel, stream: bool) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    got = collect(model.complete(LONG_TO_READ, stop_event=stop, stream=stream, max_tokens=1000))
    assert got.finish == "cancelled"
    assert time.monotonic() - began < 1.3


def test_a_stop_that_was_set_before_asks_nothing(model: ChatModel) -> None:
    stop = threading.Event()
    stop.set()
    got = collect(model.complete(HELLO, stop_event=stop))
    assert (got.text, got.finish) == ("", "cancelled")


def test_a_half_read_stream_that_is_dropped_lets_the_next_question_in(model: ChatModel) -> None:
    stream = model.complete(LONG, stream=True, max_tokens=4000)
    next(stream)
    next(stream)
    del stream
    gc.collect()
    began = time.monotonic()
    assert collect(model.complete(HELLO, max_tokens=8)).text
    assert time.monotonic() - began < 10


def test_questions_from_several_threads_are_all_answered(model: ChatModel) -> None:
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(collect(model.complete(HELLO, max_tokens=8)).text))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == 3
    assert all(answers)


def test_tools_may_be_offered_and_forbidden(model: ChatModel) -> None:
    got = collect(model.complete(HELLO, tools=[LOOK], tool_choice="none", max_tokens=16))
    assert got.calls == []
    assert got.text
    assert collect(model.complete(HELLO, tools=[LOOK], max_tokens=16)).finish in ("stop", "length", "tool_calls")


def test_a_long_conversation_is_answered(model: ChatModel) -> None:
    turns: list[dict[str, Any]] = [{"role": "system", "content": "You are terse."}]
    for n in range(30):
        turns += [{"role": "user", "content": f"question {n}"}, {"role": "assistant", "content": f"answer {n}"}]
    assert collect(model.complete([*turns, *HELLO], max_tokens=4)).finish in ("stop", "length")


@pytest.mark.models
@pytest.mark.parametrize("build", [in_process, in_a_child])
@pytest.mark.parametrize("choice", ["required", "look", {"type": "function", "function": {"name": "look"}}])
def test_a_local_model_that_must_call_does_so_with_arguments_that_fit(
    build: Build, choice: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    with ExitStack() as stack:
        made = build(stack, "")
        got = collect(made.complete(HELLO, tools=[LOOK], tool_choice=choice, max_tokens=64))
    assert got.finish == "tool_calls"
    assert {call.name for call in got.calls} == {"look"}
    assert all(json.loads(call.arguments)["at"] in ("lamp", "door") for call in got.calls)
