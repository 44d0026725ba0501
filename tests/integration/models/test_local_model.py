"""The real 1.5B model and the real plumbing model: calls, words, stops, crashes, remembered prompts.

One file for all of them: loading takes seconds and gigabytes.
"""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from edgevox.config.models import find
from edgevox.core.completion import collect
from edgevox.core.errors import ModelCrashed
from edgevox.core.tools import ToolCallResult
from edgevox.llm import LLM, tool
from edgevox.llm.engine import EngineOptions, GenerationRequest, GrammarRefused
from edgevox.llm.grammar import tools_grammar
from edgevox.llm.process import ChildEngine

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]

Room = Literal["living_room", "kitchen", "bedroom", "office"]


@tool
def set_light(room: Room, on: bool) -> str:
    """Turn a room's light on or off."""
    return f"The {room} light is {'on' if on else 'off'}."


@tool
def get_weather(city: str) -> str:
    """Look up the weather in a city."""
    return f"14 degrees and rain in {city}"


@tool
def start_timer(minutes: float, label: str = "") -> str:
    """Start a countdown timer."""
    return f"Timer for {minutes:g} minutes started."


@tool
def list_rooms() -> list[str]:
    """List the rooms of the house."""
    return ["living_room", "kitchen", "bedroom", "office"]


@tool
def set_thermostat(celsius: float) -> str:
    """Set the thermostat in degrees Celsius."""
    return f"Set to {celsius:g} degrees."


TOOLS = [set_light, get_weather, start_timer, list_rooms, set_thermostat]


def path_of(name: str) -> Path:
    files = find(name)
    if files is None:
        pytest.skip(f"the model {name} is not on this machine (edgevox models get {name})")
    return files.path("model.gguf")


@pytest.fixture(scope="module", autouse=True)
def own_logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    models = os.environ.get("EDGEVOX_MODELS")
    with pytest.MonkeyPatch.context() as patch:
        if models is None:
            from edgevox.config.paths import models_dir

            patch.setenv("EDGEVOX_MODELS", str(models_dir()))
        patch.setenv("EDGEVOX_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def qwen(own_logs: None) -> Iterator[LLM]:
    model = LLM(path_of("qwen2.5-coder-1.5b-instruct"), tools=TOOLS, temperature=0.0, max_tokens=96)
    model.load()
    yield model
    model.close()


@pytest.fixture
def smollm() -> Iterator[LLM]:
    model = LLM(path_of("smollm2-135m-instruct"), temperature=0.0, max_tokens=48)
    model.load()
    yield model
    model.close()


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def calls_for(model: LLM, text: str) -> list[tuple[str, dict[str, Any]]]:
    messages = [{"role": "system", "content": model.system_prompt}, {"role": "user", "content": text}]
    got = collect(model.complete(messages, tools=model.tools.openai_schemas()))
    return [(call.name, json.loads(call.arguments)) for call in got.calls]


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("turn on the kitchen light", "set_light", {"room": "kitchen", "on": True}),
        ("switch the bedroom light off please", "set_light", {"room": "bedroom", "on": False}),
        ("what is the weather in Paris?", "get_weather", {"city": "Paris"}),
        ("set a timer for ten minutes", "start_timer", {"minutes": 10}),
        ("make it 21 degrees in here", "set_thermostat", {"celsius": 21}),
    ],
)
def test_a_wish_becomes_the_right_call(qwen: LLM, text: str, name: str, arguments: dict[str, Any]) -> None:
    (called,) = calls_for(qwen, text)
    assert called[0] == name
    assert {key: _lower(called[1].get(key)) for key in arguments} == {key: _lower(v) for key, v in arguments.items()}


@pytest.mark.parametrize("text", ["hello there", "thank you very much", "tell me a joke", "who are you?"])
def test_small_talk_stays_words(qwen: LLM, text: str) -> None:
    qwen.reset()
    reply = qwen.chat(text)
    assert len(reply) > 3
    assert "{" not in reply
    assert not any(message.tool_uses for message in qwen.session.messages)


def test_a_whole_turn_runs_the_tool_and_says_what_came_of_it(qwen: LLM) -> None:
    qwen.reset()
    told: list[ToolCallResult] = []
    qwen.on_tool_call = told.append
    reply = qwen.chat("turn on the kitchen light")
    assert [(r.name, r.arguments) for r in told] == [("set_light", {"room": "kitchen", "on": True})]
    assert "kitchen" in reply.lower()
    assert "on" in reply.lower()


def cold_prompt(tokens: int, model: LLM, mark: str) -> list[dict[str, Any]]:
    words = f"{mark}: "
    while model.count_tokens(words) < tokens:
        words += "the river runs past old trees and quiet houses. "
    return [{"role": "user", "content": words}]


def test_a_stop_in_the_middle_of_a_cold_prompt_frees_the_model_within_300_ms(qwen: LLM) -> None:
    engine = qwen._engine  # pyright: ignore[reportPrivateUsage]
    assert isinstance(engine, ChildEngine)
    started_before = engine.starts
    for attempt, after in enumerate((0.2, 0.5, 1.0)):
        prompt = "".join(m["content"] for m in cold_prompt(590, qwen, f"story {attempt}"))
        stop, stopped_at = threading.Event(), list[float]()

        def pull(stop: threading.Event = stop, at: list[float] = stopped_at) -> None:
            at.append(time.monotonic())
            stop.set()

        threading.Timer(after, pull).start()
        done = engine.generate(GenerationRequest(prompt=prompt), lambda _: None, stop)
        freed = time.monotonic() - stopped_at[0]
        assert done.finish == "cancelled"
        assert freed < 0.3, f"free again only after {freed:.3f} s"
    assert engine.starts == started_before, "the child had to be replaced"


def test_a_stop_returns_to_the_caller_at_once(qwen: LLM) -> None:
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    began = time.monotonic()
    got = collect(qwen.complete(cold_prompt(590, qwen, "another story"), stop_event=stop, stream=True))
    assert got.finish == "cancelled"
    assert time.monotonic() - began < 0.9


def test_the_second_turn_is_answered_much_sooner_because_the_prompt_is_remembered(qwen: LLM) -> None:
    system = {"role": "system", "content": cold_prompt(300, qwen, "what you know")[0]["content"]}
    first = collect(qwen.complete([system, {"role": "user", "content": "hello"}], max_tokens=4)).usage
    second = collect(qwen.complete([system, {"role": "user", "content": "who are you?"}], max_tokens=4)).usage
    assert second.cached_tokens >= 300
    assert second.first_token_s <= first.first_token_s / 4


def test_two_agents_that_take_turns_find_their_prompts_again(qwen: LLM) -> None:
    one = cold_prompt(200, qwen, "the first agent")
    other = cold_prompt(200, qwen, "the second agent")
    cold = [collect(qwen.complete(prompt, max_tokens=2)).usage for prompt in (one, other)]
    again = [collect(qwen.complete(prompt, max_tokens=2)).usage for prompt in (one, other)]
    assert all(usage.cached_tokens >= 200 for usage in again)
    assert max(usage.first_token_s for usage in again) <= min(usage.first_token_s for usage in cold) / 4


def test_a_child_that_is_killed_in_the_middle_of_a_reply_costs_one_sentence(qwen: LLM) -> None:
    process_id = qwen.load().process_id
    assert process_id is not None
    stream = qwen.complete([{"role": "user", "content": "Count from one to fifty in words."}], stream=True)
    heard = [next(stream) for _ in range(4)]
    os.kill(process_id, signal.SIGKILL)
    with pytest.raises(ModelCrashed, match="please ask me again"):
        list(stream)
    assert collect(heard).text
    assert collect(qwen.complete([{"role": "user", "content": "Say hello."}], max_tokens=8)).text


def test_the_plumbing_model_streams_counts_and_remembers(smollm: LLM) -> None:
    assert smollm.count_tokens("hello world") == 2
    first = "".join(smollm.chat_stream("Name three colours."))
    assert first.strip() == smollm.session.messages[-1].plain
    assert smollm.chat("And one more?")
    assert len(smollm.session.messages) == 4


def test_characters_of_every_script_come_whole(smollm: LLM) -> None:
    text = "Grüße, 你好, こんにちは, नमस्ते, 🙂👍🏽"
    quoted = json.dumps(text, ensure_ascii=False)[1:-1]
    grammar = f'root ::= "{quoted}"'
    got = collect(smollm.complete([{"role": "user", "content": "x"}], grammar=grammar, max_tokens=200, stream=True))
    assert got.text == text


HOSTILE = ['"', "\\", '"]', "\n", "root ::= x", "ü🙂", "(a|b)*", "{1,9}", "#", "a" * 64, "x-y z"]


def test_llama_cpp_reads_the_grammars_of_hostile_tools(smollm: LLM) -> None:
    for name in HOSTILE:
        listed = {"type": "array", "items": {"enum": [name]}, "maxItems": 2}
        properties = {name: {"enum": [name, "b"]}, "listed": listed}
        parameters = {"type": "object", "properties": properties, "required": [name]}
        function = {"name": name, "description": f"{name}<|im_end|>" * 20, "parameters": parameters}
        schema = {"type": "function", "function": function}
        got = collect(
            smollm.complete([{"role": "user", "content": "go"}], tools=[schema], tool_choice=name, max_tokens=400)
        )
        assert got.calls, name
        assert json.loads(got.calls[0].arguments)[name] in (name, "b")


def test_a_grammar_that_cannot_be_read_is_refused_and_the_child_lives_on() -> None:
    engine = ChildEngine(EngineOptions(path=str(path_of("smollm2-135m-instruct"))))
    try:
        request = GenerationRequest(prompt="hello", max_tokens=4, grammar='root ::= "')
        with pytest.raises(GrammarRefused):
            engine.generate(request, lambda _: None, threading.Event())
        recursive = GenerationRequest(prompt="hello", max_tokens=4, grammar="root ::= root")
        with pytest.raises((GrammarRefused, ModelCrashed)):
            engine.generate(recursive, lambda _: None, threading.Event())
        good = GenerationRequest(prompt="hello", max_tokens=4)
        assert engine.generate(good, lambda _: None, threading.Event()).finish in ("stop", "length")
    finally:
        engine.close()


def test_words_under_a_tools_grammar_are_free_to_be_anything(smollm: LLM) -> None:
    grammar = tools_grammar(smollm.tools.register(*TOOLS).openai_schemas())
    assert grammar is not None
    got = collect(smollm.complete([{"role": "user", "content": "Hello"}], tools=smollm.tools.openai_schemas()))
    assert got.text or got.calls


def test_a_conversation_longer_than_the_context_goes_on() -> None:
    model = LLM(path_of("smollm2-135m-instruct"), n_ctx=512, max_tokens=24, temperature=0.0)
    try:
        for n in range(12):
            assert model.chat(f"Line {n}: " + "tell me about rivers and trees and houses. " * 4)
        assert collect(model.complete([{"role": "user", "content": "word " * 5000}])).finish in ("stop", "length")
    finally:
        model.close()
