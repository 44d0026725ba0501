"""`LLM`: a turn with tools over a conversation of its own."""

import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from edgevox.config.settings import Settings
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ModelCrashed, ModelMissing, UsageError
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.session import AgentContext
from edgevox.llm import LLM, ToolCallResult, ToolRegistry, tool
from edgevox.llm.factory import open_model
from edgevox.llm.finding import make_engine
from edgevox.testing import ScriptedEngine, gguf_file

ON = '{"tool": "set_light", "args": {"room": "kitchen", "on": true}}'


@tool
def set_light(room: str, on: bool) -> str:
    """Turn a room's light on or off.

    Args:
        room: the room name, e.g. "kitchen"
        on: true to turn on, false to turn off
    """
    if room == "garage":
        raise ValueError("there is no garage")
    return f"The {room} light is {'on' if on else 'off'}."


@tool
def get_time() -> str:
    """Tell the time."""
    return "10:32"


def llm(*continuations: Any, **more: Any) -> tuple[LLM, ScriptedEngine]:
    engine = ScriptedEngine(*continuations)
    return LLM(engine=engine, **more), engine


def test_a_turn_calls_a_tool_and_answers() -> None:
    told: list[ToolCallResult] = []
    model, _ = llm(ON, "The kitchen light is on.", tools=[set_light], on_tool_call=told.append)
    assert model.chat("turn on the kitchen light") == "The kitchen light is on."
    assert [(r.name, r.arguments, r.result, r.ok) for r in told] == [
        ("set_light", {"room": "kitchen", "on": True}, "The kitchen light is on.", True)
    ]


def test_a_tools_error_reaches_the_model_and_the_observer() -> None:
    told: list[ToolCallResult] = []
    wrong = ON.replace("kitchen", "garage")
    model, engine = llm(wrong, "There is no garage.", tools=[set_light], on_tool_call=told.append)
    assert model.chat("garage light on") == "There is no garage."
    assert told[0].error == "there is no garage"
    assert "[set_light answered: there is no garage]" in engine.requests[1].prompt


def test_a_streamed_turn_gives_the_words_as_they_come() -> None:
    model, _ = llm("One two three.")
    assert list(model.chat_stream("count")) == ["One", " two", " three", "."]


def test_the_history_shows_every_turn_with_calls_and_results() -> None:
    model, _ = llm(ON, "It is on.", "Hello.", tools=[set_light])
    model.chat("light on")
    model.chat("hello")
    history = model._history  # pyright: ignore[reportPrivateUsage]
    assert [m["role"] for m in history] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert history[1]["tool_calls"][0]["function"] == {
        "name": "set_light",
        "arguments": '{"room": "kitchen", "on": true}',
    }
    assert history[2]["content"] == "The kitchen light is on."


def test_the_next_turn_knows_the_one_before_until_it_is_reset() -> None:
    model, engine = llm("Hello Sam.", tools=[set_light])
    model.chat("my name is Sam")
    model.chat("what is my name")
    assert "my name is Sam" in engine.requests[1].prompt
    model.reset()
    model.chat("what is my name")
    assert "Sam" not in engine.requests[2].prompt.split("# Examples")[1]


def test_a_tool_registered_later_is_offered_in_the_next_turn() -> None:
    model, engine = llm("ok", tools=[set_light])
    model.chat("one")
    model.tools.register(get_time)
    model.chat("two")
    assert ["- get_time()" in request.prompt for request in engine.requests] == [False, True]


def test_sixty_turns_with_tools_do_not_send_sixty_turns() -> None:
    model, engine = llm("ok", tools=[set_light])
    for n in range(60):
        model.chat(f"line {n}")
    assert engine.requests[-1].prompt.count("<|im_start|>user") <= 26
    assert "line 59" in engine.requests[-1].prompt


def test_the_prompt_moves_its_window_seldom_so_that_the_cache_lasts() -> None:
    model, engine = llm("ok")
    for n in range(60):
        model.chat(f"line {n}")
    prompts = [request.prompt for request in engine.requests]
    kept = sum(after.startswith(before.rsplit("<|im_start|>user", 1)[0]) for before, after in pairwise(prompts))
    assert kept >= 54


def test_chats_from_two_threads_never_meet_in_the_engine() -> None:
    model, engine = llm("one two three", tools=[set_light])
    engine.token_delay_s = 0.005
    threads = [threading.Thread(target=model.chat, args=(f"hello {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert len(engine.requests) == 4


def test_a_cancelled_turn_returns_at_once_and_keeps_what_was_said() -> None:
    model, _ = llm("word " * 500)
    model._engine = None  # pyright: ignore[reportPrivateUsage]
    scope = CancelScope()
    heard: list[str] = []
    began = time.monotonic()
    for piece in model.chat_stream("talk", scope=scope):
        heard.append(piece)
        if len(heard) == 3:
            scope.cancel()
    assert time.monotonic() - began < 0.5
    last = model.session.messages[-1]
    assert last.plain == "word word word"
    assert last.status == "cancelled"


def test_a_question_that_was_never_answered_is_not_part_of_the_conversation() -> None:
    model, engine = llm(ModelCrashed("please ask me again"), "Hello.")
    with pytest.raises(ModelCrashed):
        model.chat("first")
    assert model.chat("second") == "Hello."
    assert "first" not in engine.requests[-1].prompt


def test_tools_reach_the_world_they_were_given() -> None:
    @tool
    def where(ctx: AgentContext) -> str:
        """Say where we are."""
        return f"in the {ctx.deps}"

    model, engine = llm('{"tool": "where", "args": {}}', "In the cellar.", tools=[where], deps="cellar")
    model.chat("where are we")
    assert "in the cellar" in engine.requests[1].prompt


def test_events_of_a_turn_are_on_the_bus() -> None:
    bus = EventBus()
    seen: list[AgentEvent] = []
    bus.subscribe_all(seen.append)
    model, _ = llm(ON, "ok", tools=[set_light], bus=bus)
    model.chat("light on")
    assert [event.kind for event in seen] == ["llm_call", "tool_use", "tool_call", "tool_result", "llm_call"]


def test_hops_tokens_temperature_and_context_can_be_set() -> None:
    many = [f'{{"tool": "set_light", "args": {{"room": "room {n}", "on": true}}}}' for n in range(9)]
    model, engine = llm(*many, tools=[set_light], max_tool_hops=1, max_tokens=77, temperature=0.9, n_ctx=2048, top_k=5)
    model.chat("everything on")
    assert len(engine.requests) == 2
    assert {(r.max_tokens, r.temperature, r.top_k) for r in engine.requests} == {(77, 0.9, 5)}
    assert LLM(n_ctx=2048).context_size == 2048


def test_an_option_that_does_not_exist_is_a_mistake_at_once() -> None:
    with pytest.raises(TypeError, match="tempo"):
        LLM(tempo=3)


def test_what_the_model_is_told_about_itself_can_be_set() -> None:
    model, engine = llm("ok", system_prompt="You are Scout.", language="fr")
    model.chat("hello")
    assert "You are Scout.\n\nAlways answer in French." in engine.requests[0].prompt


def test_a_registry_can_be_given_as_tools() -> None:
    model, _ = llm("ok", tools=[ToolRegistry(set_light, get_time)])
    assert len(model.tools) == 2


def test_without_any_model_the_sentence_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelMissing, match="edgevox setup"):
        LLM().chat("hello")


def test_a_catalogue_model_that_is_not_here_names_the_command() -> None:
    with pytest.raises(ModelMissing, match="edgevox models get smollm2-135m-instruct"):
        LLM("smollm2-135m-instruct").chat("hello")


def test_a_path_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"nothing\.gguf"):
        LLM(tmp_path / "nothing.gguf").chat("hello")


@pytest.mark.parametrize("spec", ["hf:repo/name", "http://localhost:1/v1#m"])
def test_a_spec_that_is_no_local_model_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        open_model(spec, Settings())


def test_a_file_is_found_where_the_person_says(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf_file())
    settings = Settings()
    settings.llm.n_ctx = 1024
    model = open_model(str(path), settings)
    assert isinstance(model, LLM)
    assert model.context_size == 1024


def test_making_a_model_starts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf_file())
    assert make_engine(path, Settings().llm) is not None
    assert not (tmp_path / "home" / "logs").exists()


LIGHT_IMPORT = """
import sys
from edgevox.llm import tool, ToolRegistry, ToolCallResult, load_entry_point_tools
heavy = {"llama_cpp", "httpx", "hassil", "openai", "textual", "rich", "onnxruntime", "sounddevice", "numpy", "jinja2"}
print(sorted(heavy & set(sys.modules)))
from edgevox.llm import LLM
import edgevox.llm.prompter
print(sorted(heavy & set(sys.modules)))
"""


def test_importing_the_package_loads_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT_IMPORT], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["[]", "[]"]


def test_the_facade_keeps_its_promises() -> None:
    import edgevox.llm

    assert sorted(edgevox.llm.__all__) == ["LLM", "ToolCallResult", "ToolRegistry", "load_entry_point_tools", "tool"]
    for name in edgevox.llm.__all__:
        assert getattr(edgevox.llm, name) is not None
    with pytest.raises(AttributeError):
        edgevox.llm.nothing  # noqa: B018  # pyright: ignore
