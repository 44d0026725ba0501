"""A chat model over an engine: queueing, stopping, fitting, taking replies apart."""

import gc
import threading
import time
from typing import Any

import pytest

from edgevox.core.completion import collect
from edgevox.core.errors import ContextOverflow, LanguageModelError, ModelCrashed
from edgevox.llm.engine import EngineInfo, GenerationRequest, GrammarRefused
from edgevox.llm.local import LocalModel
from edgevox.llm.options import AnswerOptions
from edgevox.testing import ScriptedEngine

HELLO = [{"role": "user", "content": "hello"}]
LIGHT = {
    "type": "function",
    "function": {
        "name": "set_light",
        "description": "Turn a light on or off.",
        "parameters": {
            "type": "object",
            "properties": {"room": {"enum": ["kitchen", "bedroom"]}, "on": {"type": "boolean"}},
            "required": ["room", "on"],
        },
    },
}
CALL = '{"tool": "set_light", "args": {"room": "kitchen", "on": true}}'
QWEN3 = EngineInfo(
    name="qwen3-4b",
    architecture="qwen3",
    chat_template="{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}<assistant><think>\n",
)


def model(engine: ScriptedEngine, **more: Any) -> LocalModel:
    return LocalModel(lambda: engine, **more)


def text_of(answer: dict[str, Any]) -> str:
    return answer["choices"][0]["message"]["content"]


def wait_until(condition: Any, timeout: float = 2.0) -> bool:
    deadline = time.monotonic() + timeout
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    return bool(condition())


def test_an_answer_has_the_openai_shape() -> None:
    answer = model(ScriptedEngine("Hello there.")).complete(HELLO)
    assert answer["object"] == "chat.completion"
    assert answer["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": "Hello there."}, "finish_reason": "stop"}
    ]
    assert answer["usage"]["completion_tokens"] == 3
    assert answer["usage"]["total_tokens"] == answer["usage"]["prompt_tokens"] + 3


def test_a_stream_gives_words_as_they_come_and_says_at_the_end_what_it_took() -> None:
    chunks = list(model(ScriptedEngine("Hello there.")).complete(HELLO, stream=True))
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert [d["content"] for d in deltas[1:-1]] == ["Hello", " there", "."]
    assert deltas[-1] == {}
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["usage"]["completion_tokens"] == 3


@pytest.mark.parametrize("stream", [True, False])
def test_a_call_comes_structured_and_none_of_its_markup_is_content(stream: bool) -> None:
    answer = model(ScriptedEngine(CALL)).complete(HELLO, tools=[LIGHT], stream=stream)
    got = collect(answer)
    assert (got.text, got.finish) == ("", "tool_calls")
    assert [(c.name, c.arguments) for c in got.calls] == [("set_light", '{"room": "kitchen", "on": true}')]


def test_thinking_is_not_content_even_when_the_template_opens_it() -> None:
    engine = ScriptedEngine("Let me see. </think> It is on.", info=QWEN3)
    assert text_of(model(engine).complete(HELLO)) == "It is on."
    streamed = [c["choices"][0]["delta"].get("content", "") for c in model(engine).complete(HELLO, stream=True)]
    assert "".join(streamed) == "It is on."


def test_a_model_that_thinks_first_is_not_held_to_a_grammar_while_it_does() -> None:
    engine = ScriptedEngine("I think so. </think> Hello.", info=QWEN3)
    assert text_of(model(engine).complete(HELLO, tools=[LIGHT])) == "Hello."
    assert engine.requests[0].grammar is None


def test_a_required_call_of_a_model_that_thinks_first_skips_the_thought() -> None:
    engine = ScriptedEngine(CALL, info=QWEN3)
    got = collect(model(engine).complete(HELLO, tools=[LIGHT], tool_choice="required"))
    assert [call.name for call in got.calls] == ["set_light"]
    assert engine.requests[0].prompt.endswith("<think>\n</think>\n\n")


def test_when_calls_are_not_wanted_none_come() -> None:
    got = collect(model(ScriptedEngine(CALL)).complete(HELLO, tools=[LIGHT], tool_choice="none"))
    assert (got.text, got.calls, got.finish) == ("", [], "stop")


def test_tools_bring_a_grammar_that_words_are_free_of() -> None:
    engine = ScriptedEngine("Hello.")
    model(engine).complete(HELLO, tools=[LIGHT])
    assert '\\"set_light\\"' in (engine.requests[0].grammar or "")
    assert engine.requests[0].grammar_for == ("{",)


def test_a_required_call_is_held_to_its_grammar_throughout() -> None:
    engine = ScriptedEngine(CALL)
    model(engine).complete(HELLO, tools=[LIGHT], tool_choice="required")
    assert engine.requests[0].grammar_for == ()
    assert "words" not in (engine.requests[0].grammar or "")


def test_without_tools_there_is_no_grammar() -> None:
    engine = ScriptedEngine("Hello.")
    model(engine).complete(HELLO)
    assert engine.requests[0].grammar is None


def test_a_schema_that_is_asked_for_is_given_back_as_it_is() -> None:
    engine = ScriptedEngine('{"tool": "x", "args": {}}')
    schema = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}
    answer = model(engine).complete(HELLO, response_format=schema)
    assert text_of(answer) == '{"tool": "x", "args": {}}'
    assert engine.requests[0].grammar


def test_a_grammar_that_is_refused_is_done_without_from_then_on() -> None:
    def refusing(request: GenerationRequest) -> Any:
        return GrammarRefused("no") if request.grammar else "Hello."

    engine = ScriptedEngine(refusing)
    local = model(engine)
    assert text_of(local.complete(HELLO, tools=[LIGHT])) == "Hello."
    assert text_of(local.complete(HELLO, tools=[LIGHT])) == "Hello."
    assert [request.grammar is not None for request in engine.requests] == [True, False, False]


def test_a_crash_under_a_grammar_before_the_first_word_costs_nothing() -> None:
    engine = ScriptedEngine(ModelCrashed("died"), "Hello.")
    assert text_of(model(engine).complete(HELLO, tools=[LIGHT])) == "Hello."


def test_a_crash_is_reported_and_the_next_question_is_answered() -> None:
    local = model(ScriptedEngine(ModelCrashed("It died; please ask me again."), "Hello."))
    with pytest.raises(ModelCrashed, match="ask me again"):
        local.complete(HELLO)
    assert text_of(local.complete(HELLO)) == "Hello."


def test_questions_from_many_threads_are_answered_one_after_the_other() -> None:
    local = model(ScriptedEngine("one two three", token_delay_s=0.005))
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(text_of(local.complete(HELLO)))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert answers == ["one two three"] * 6


def test_questions_are_answered_in_the_order_they_came() -> None:
    engine = ScriptedEngine("one two three four", token_delay_s=0.01)
    local = model(engine)
    first = local.complete(HELLO, stream=True)
    next(first)
    threads: list[threading.Thread] = []
    for n in range(4):
        threads.append(threading.Thread(target=local.complete, args=([{"role": "user", "content": f"q{n}"}],)))
        threads[-1].start()
        time.sleep(0.02)
    list(first)
    for thread in threads:
        thread.join(5)
    asked = [request.prompt.split("user\n")[1].split("<|")[0] for request in engine.requests]
    assert asked == ["hello", "q0", "q1", "q2", "q3"]


def test_a_half_read_stream_that_is_dropped_frees_the_model() -> None:
    local = model(ScriptedEngine("a " * 400, "Hello.", token_delay_s=0.01))
    stream = local.complete(HELLO, stream=True)
    next(stream)
    next(stream)
    del stream
    gc.collect()
    began = time.monotonic()
    assert text_of(local.complete(HELLO)) == "Hello."
    assert time.monotonic() - began < 1.0


def test_a_half_read_stream_that_is_kept_does_not_lock_anybody_out() -> None:
    local = model(ScriptedEngine("one two three", "Hello."))
    kept = local.complete(HELLO, stream=True)
    next(kept)
    assert text_of(local.complete(HELLO)) == "Hello."
    assert collect(kept).text == "one two three"


def test_a_stream_nobody_reads_never_reaches_the_engine() -> None:
    engine = ScriptedEngine("Hello.")
    local = model(engine)
    local.complete(HELLO, stream=True)
    local.complete(HELLO)
    assert len(engine.requests) == 1


@pytest.mark.parametrize("stream", [True, False])
def test_a_stop_ends_an_answer_at_once_and_what_was_said_is_kept(stream: bool) -> None:
    local = model(ScriptedEngine("a " * 400, token_delay_s=0.01))
    stop = threading.Event()
    threading.Timer(0.08, stop.set).start()
    began = time.monotonic()
    got = collect(local.complete(HELLO, stop_event=stop, stream=stream))
    assert time.monotonic() - began < 0.4
    assert got.finish == "cancelled"
    assert got.text.startswith("a")


def test_a_stop_while_the_prompt_is_read_frees_the_model() -> None:
    engine = ScriptedEngine("Hello.", read_s=30)
    local = model(engine)
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    assert collect(local.complete(HELLO, stop_event=stop)).finish == "cancelled"
    engine.read_s = 0
    began = time.monotonic()
    assert text_of(local.complete(HELLO)) == "Hello."
    assert time.monotonic() - began < 0.3


def test_a_stop_in_the_queue_ends_the_wait_and_the_question_is_never_asked() -> None:
    engine = ScriptedEngine("a " * 400, token_delay_s=0.01)
    local = model(engine)
    first = local.complete(HELLO, stream=True)
    next(first)
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    assert collect(local.complete(HELLO, stop_event=stop)).finish == "cancelled"
    assert time.monotonic() - began < 0.3
    first.close()
    local.complete(HELLO, max_tokens=1)
    assert len(engine.requests) == 2


def test_a_stop_does_not_wait_for_an_engine_that_does_not_hear_it() -> None:
    local = model(ScriptedEngine("Hello.", read_s=0.6, deaf=True))
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    assert collect(local.complete(HELLO, stop_event=stop)).finish == "cancelled"
    assert time.monotonic() - began < 0.3


def test_reading_ahead_gives_way_to_a_question() -> None:
    engine = ScriptedEngine("Hello.", read_s=30)
    local = model(engine)
    done = local.warm(HELLO, [LIGHT])
    assert wait_until(lambda: engine.requests)
    engine.read_s = 0
    assert text_of(local.complete(HELLO)) == "Hello."
    assert done.wait(1)
    assert engine.requests[0].max_tokens == 0


def test_options_of_the_answer_override_those_of_the_model_and_of_the_family() -> None:
    engine = ScriptedEngine("Hello.")
    local = model(engine, options=AnswerOptions(max_tokens=99, temperature=0.5))
    local.complete(HELLO, temperature=0.0, top_k=3, stop="END", seed=7, unknown_to_us=1, top_p=None)
    request = engine.requests[0]
    assert (request.max_tokens, request.temperature, request.top_k, request.seed) == (99, 0.0, 3, 7)
    assert request.stop[-1] == "END"
    assert "<|im_end|>" in request.stop


def test_a_cut_answer_says_that_it_was_too_long() -> None:
    assert collect(model(ScriptedEngine("one two three")).complete(HELLO, max_tokens=2)).finish == "length"


def long_conversation(turns: int) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"role": "system", "content": "You are terse."}]
    for n in range(turns):
        use = {"id": f"id{n}", "type": "function", "function": {"name": "look", "arguments": '{"at": "it"}'}}
        made += [
            {"role": "user", "content": f"question number {n}"},
            {"role": "assistant", "content": "", "tool_calls": [use]},
            {"role": "tool", "tool_call_id": f"id{n}", "name": "look", "content": f"result {n} is a lamp"},
            {"role": "assistant", "content": f"answer {n}"},
        ]
    return [*made, {"role": "user", "content": "the last question"}]


def test_a_conversation_that_does_not_fit_beside_many_tools_loses_its_oldest_turns() -> None:
    tools = [
        {"type": "function", "function": {"name": f"tool_{n}", "description": "x", "parameters": {"type": "object"}}}
        for n in range(20)
    ]
    info = EngineInfo(name="qwen2.5", n_ctx=1200)
    engine = ScriptedEngine("ok", info=info)
    model(engine, options=AnswerOptions(max_tokens=64)).complete(long_conversation(40), tools=tools)
    prompt = engine.requests[0].prompt
    assert engine.count([prompt])[0] <= 1200 - 64
    assert "You are terse." in prompt
    assert "the last question" in prompt
    assert "question number 0" not in prompt
    assert "question number 39" in prompt
    for n in range(40):
        assert (f"result {n} is" in prompt) == (f"question number {n}\n" in prompt or f"question number {n}<" in prompt)


def test_a_message_longer_than_the_context_is_shortened() -> None:
    engine = ScriptedEngine("ok", info=EngineInfo(name="qwen2.5", n_ctx=300))
    assert text_of(model(engine).complete([{"role": "user", "content": "word " * 4000}])) == "ok"


def test_a_tool_result_longer_than_the_context_is_shortened() -> None:
    messages = long_conversation(1)[:-2]
    messages[-1]["content"] = "word " * 4000
    engine = ScriptedEngine("ok", info=EngineInfo(name="qwen2.5", n_ctx=400))
    assert text_of(model(engine).complete(messages)) == "ok"
    assert "[look answered: word word" in engine.requests[0].prompt


def test_what_can_never_fit_is_one_sentence() -> None:
    engine = ScriptedEngine("ok", info=EngineInfo(name="qwen2.5", n_ctx=100))
    with pytest.raises(ContextOverflow, match="fewer words"):
        model(engine).complete([{"role": "system", "content": "word " * 500}, *HELLO])


def test_the_prompt_of_the_next_turn_begins_like_this_ones_system_and_tools() -> None:
    engine = ScriptedEngine("ok")
    local = model(engine)
    system = {"role": "system", "content": "You are terse."}
    first = [system, {"role": "user", "content": "one"}]
    second = [*first, {"role": "assistant", "content": "ok"}, {"role": "user", "content": "two"}]
    local.complete(first, tools=[LIGHT], facts="It is 10:32.")
    local.complete(second, tools=[LIGHT], facts="It is 10:33.", tool_choice="none")
    one, two = (request.prompt for request in engine.requests)
    stable = one[: one.index("(It is 10:32.)")]
    assert "set_light" in stable
    assert "You are terse." in stable
    assert two.startswith(stable)


def test_counts_are_asked_for_once() -> None:
    engine = ScriptedEngine("ok")
    local = model(engine)
    assert [local.count_tokens("one two three") for _ in range(3)] == [3, 3, 3]
    assert engine.counted == 1
    assert local.count_tokens(HELLO) > local.count_tokens("hello")


def test_the_context_size_is_the_engines_once_it_is_known() -> None:
    local = model(ScriptedEngine(info=EngineInfo(name="x", n_ctx=777)), n_ctx=2048)
    assert local.context_size == 2048
    assert local.load().n_ctx == 777
    assert (local.context_size, local.name) == (777, "x")


def test_a_closed_model_opens_again_for_the_next_question() -> None:
    engine = ScriptedEngine("ok")
    local = model(engine)
    local.complete(HELLO)
    local.close()
    local.close()
    assert engine.closed == 1
    assert text_of(local.complete(HELLO)) == "ok"
    assert engine.opened == 2


def test_an_engine_that_cannot_be_made_is_the_askers_error_every_time() -> None:
    def broken() -> Any:
        raise LanguageModelError("get a model with `edgevox setup`")

    local = LocalModel(broken)
    for _ in range(2):
        with pytest.raises(LanguageModelError, match="edgevox setup"):
            local.complete(HELLO)
