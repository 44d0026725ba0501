"""The local language model: loading, reading, generating, first words cold and remembered, stopping, calling."""

import json
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from benchmarks.runner import measured, show, skipped
from edgevox.config.models import find
from edgevox.core.completion import Answer, collect
from edgevox.core.errors import EdgeVoxError
from edgevox.llm import LLM
from edgevox.llm.engine import GenerationRequest
from edgevox.tools import ToolRegistry, build_tool

MODELS = ("smollm2-135m-instruct", "qwen2.5-coder-1.5b-instruct")
ROUTERS = ("qwen2.5-coder-1.5b-instruct",)
"""Models that are asked to choose tools; the smallest cannot."""
PROMPT_TOKENS = 590
STOPS = 5
ANSWER_TOKENS = 64

Room = Literal["living_room", "kitchen", "bedroom", "office"]


def set_light(room: Room, on: bool) -> None:
    """Turn a room's light on or off."""


def get_light_status(room: Room) -> None:
    """Tell whether a room's light is on."""


def set_thermostat(celsius: float) -> None:
    """Set the thermostat in degrees Celsius."""


def start_timer(minutes: float, label: str = "") -> None:
    """Start a countdown timer."""


def get_weather(city: str) -> None:
    """Look up the weather in a city."""


def get_time() -> None:
    """Tell the time of day."""


def list_rooms() -> None:
    """List the rooms of the house."""


TOOLS = (set_light, get_light_status, set_thermostat, start_timer, get_weather, get_time, list_rooms)
WISHES: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    ("turn on the kitchen light", "set_light", {"room": "kitchen", "on": True}),
    ("switch off the lights in the bedroom", "set_light", {"room": "bedroom", "on": False}),
    ("make it dark in the office", "set_light", {"room": "office", "on": False}),
    ("is the office light on", "get_light_status", {"room": "office"}),
    ("did I leave the light on in the bedroom", "get_light_status", {"room": "bedroom"}),
    ("set the heating to 21 degrees", "set_thermostat", {"celsius": 21}),
    ("make it 19 and a half degrees in here", "set_thermostat", {"celsius": 19.5}),
    ("set a timer for ten minutes", "start_timer", {"minutes": 10}),
    ("remind me about the pasta in 8 minutes", "start_timer", {"minutes": 8}),
    ("what's the weather in paris", "get_weather", {"city": "paris"}),
    ("do I need an umbrella in london today", "get_weather", {"city": "london"}),
    ("what time is it", "get_time", {}),
    ("which rooms are there", "list_rooms", {}),
    ("hello there", None, {}),
    ("thank you very much", None, {}),
    ("tell me a joke", None, {}),
    ("who are you", None, {}),
    ("what is the capital of France", None, {}),
)


def run() -> dict[str, Any]:
    """Measure every language model of the catalogue's offline sets that is on this machine."""
    rows: dict[str, Any] = {}
    for name in MODELS:
        try:
            rows |= _model(name)
        except EdgeVoxError as error:
            rows[name] = skipped(str(error))
    return rows


def _model(name: str) -> dict[str, Any]:
    if find(name) is None:
        return {name: skipped(f"not on this machine; get it with `edgevox models get {name}`")}
    model = LLM(name, temperature=0.0)
    began = time.perf_counter()
    model.load()
    rows: dict[str, Any] = {"load, the process included": measured("s", [time.perf_counter() - began])}
    try:
        rows |= _speeds(model)
        rows["free again after a stop in a cold prompt"] = measured("ms", _stops(model))
        if name in ROUTERS:
            rows |= _routing(model)
    finally:
        model.close()
    return {f"{name}, {label}": row for label, row in rows.items()}


def _speeds(model: LLM) -> dict[str, Any]:
    one, other = (_text(model, mark) for mark in ("one", "other"))
    cold = _ask(model, one)
    remembered = [_ask(model, one).usage.first_token_s for _ in range(3)]
    _ask(model, other)
    alternating = [_ask(model, text).usage.first_token_s for text in (one, other, one, other)]
    usage = cold.usage
    generated = (usage.completion_tokens - 1) / max(usage.took_s - usage.first_token_s, 1e-6)
    return {
        "reading a prompt": measured("tokens/s", [usage.prompt_tokens / usage.first_token_s]),
        "generating": measured("tokens/s", [generated]),
        f"first word, {usage.prompt_tokens} tokens, cold": measured("s", [usage.first_token_s]),
        "first word, prompt still in the context": measured("s", remembered),
        "first word, two prompts taking turns": measured("s", alternating),
    }


def _ask(model: LLM, text: str) -> Answer:
    return collect(model.complete([{"role": "user", "content": text}], max_tokens=ANSWER_TOKENS))


def _text(model: LLM, mark: str) -> str:
    text = f"The story of {mark}: "
    while model.count_tokens(text) < PROMPT_TOKENS:
        text += "the river runs past old trees and quiet houses. "
    return text + "What is the story about?"


def _stops(model: LLM) -> list[float]:
    """Milliseconds from a stop to a free model, at different moments of a prompt that was never read before."""
    engine = model._open().engine  # pyright: ignore[reportPrivateUsage]
    waits: list[float] = []
    for attempt in range(STOPS):
        stop, pulled = threading.Event(), list[float]()
        threading.Timer(0.1 + 0.13 * attempt, _puller(stop, pulled)).start()
        engine.generate(GenerationRequest(prompt=_text(model, f"attempt {attempt}")), lambda _: None, stop)
        waits.append((time.perf_counter() - pulled[0]) * 1000)
    return waits


def _puller(stop: threading.Event, pulled: list[float]) -> Callable[[], None]:
    def pull() -> None:
        pulled.append(time.perf_counter())
        stop.set()

    return pull


def _routing(model: LLM) -> dict[str, Any]:
    tools = ToolRegistry(*(build_tool(fn) for fn in TOOLS)).openai_schemas()
    right: list[str] = []
    wrong: list[str] = []
    times: list[float] = []
    for text, name, arguments in WISHES:
        messages = [{"role": "system", "content": model.system_prompt}, {"role": "user", "content": text}]
        answer = collect(model.complete(messages, tools=tools, max_tokens=96))
        times.append(answer.usage.took_s)
        (right if _as_wished(answer, name, arguments) else wrong).append(text)
    share = 100 * len(right) / len(WISHES)
    return {
        f"right of {len(WISHES)} lines, 7 tools": measured("%", [share], wrong=wrong),
        "a call or an answer, tools remembered": measured("s", times[1:], mean=round(statistics.mean(times[1:]), 2)),
    }


def _as_wished(answer: Answer, name: str | None, arguments: dict[str, Any]) -> bool:
    if name is None:
        return not answer.calls and bool(answer.text)
    if [call.name for call in answer.calls] != [name]:
        return False
    given = json.loads(answer.calls[0].arguments)
    return all(_same(given.get(key), value) for key, value in arguments.items())


def _same(given: Any, wanted: Any) -> bool:
    return given.lower() == wanted.lower() if isinstance(given, str) and isinstance(wanted, str) else given == wanted


if __name__ == "__main__":
    report = run()
    for label, row in report.items():
        print(f"{label:<80} {show(row)}")
    print(json.dumps(report, indent=2))
