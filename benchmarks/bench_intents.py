"""What a spoken command costs before and instead of a model: matching it against 40 phrases, and running its tool."""

from collections.abc import Callable
from typing import Any, Literal

from benchmarks.runner import measured, timed
from edgevox.intents import PhraseMatcher
from edgevox.tools import Tool, ToolRegistry, build_tool

ROUNDS = 20
Room = Literal["kitchen", "living_room", "bedroom", "office", "hall", "garage"]

WORD_FOR_WORD = (
    "turn on the kitchen light",
    "Could you please turn off the living room lights?",
    "set the thermostat to twenty one and a half degrees",
    "set a timer for one hour and thirty minutes",
    "drive over to the bedroom",
    "what's the battery level",
)
BY_SOUND = (
    "turned on the kichen like",
    "live over to the living room",
    "get a timer for five minutes",
    "clothes the bedroom blinds",
    "um tern turn off the the office light",
    "play some jas music",
)
NO_COMMAND = (
    "tell me a story about a dragon who lived in the mountains",
    "don't turn on the kitchen light",
    "turn on the kitchen light when I come home tomorrow",
    "how are you today",
    "I said turn on the light in the kitchen and the bedroom",
    "what should I cook tonight if there are only eggs and an onion left in the fridge",
)


def set_light(room: Room, on: bool) -> None: ...
def light_status(room: Room) -> None: ...
def set_thermostat(celsius: float) -> None: ...
def start_timer(minutes: float, label: str = "") -> None: ...
def get_weather(city: str) -> None: ...
def navigate_to(room: Room) -> None: ...
def set_volume(percent: int) -> None: ...
def set_blinds(room: Room, open: bool) -> None: ...
def battery_level() -> str:
    return "80 percent"


def play_music(genre: Literal["jazz", "rock", "classical"]) -> None: ...


PHRASES: dict[Callable[..., Any], list[str]] = {
    set_light: ["turn {on} the {room} light[s]", "turn the {room} light[s] {on}", "lights {on} in the {room}",
                "switch {on} the {room} light[s]"],
    light_status: ["is the {room} light on", "what's the status of the {room} light",
                   "are the lights on in the {room}", "check the {room} light"],
    set_thermostat: ["set [the] thermostat to {celsius}", "set the temperature to {celsius}",
                     "make it {celsius} degrees", "heat the house to {celsius}"],
    start_timer: ["(set|start) a timer for {minutes}", "(set|start) a {minutes} timer",
                  "(set|start) a timer for {minutes} called {label}", "wake me in {minutes}"],
    get_weather: ["what's the weather [like] in {city}", "how is the weather in {city}", "weather in {city}",
                  "weather report for {city}"],
    navigate_to: ["(go|drive|move) [over] to the {room}", "take me to the {room}", "navigate to the {room}",
                  "come to the {room}"],
    set_volume: ["set [the] volume to {percent}", "turn the volume to {percent}", "volume {percent}",
                 "make the volume {percent}"],
    set_blinds: ["{open} the {room} blinds", "{open} the blinds in the {room}", "{open} the {room} curtains",
                 "{open} the curtains in the {room}"],
    battery_level: ["what's the battery level", "how much battery is left", "battery status", "check the battery"],
    play_music: ["play [some] {genre}", "play [some] {genre} music", "put on [some] {genre} music",
                 "I want to hear {genre}"],
}  # fmt: skip


def run() -> dict[str, Any]:
    """Measure compiling, the first match, and every kind of utterance afterwards."""
    tools = [build_tool(fn, phrases=templates) for fn, templates in PHRASES.items()]
    matchers: list[PhraseMatcher] = []
    compiling = [timed(lambda: matchers.append(PhraseMatcher(tools))) * 1000 for _ in range(5)]
    first = [timed(matcher.warm) * 1000 for matcher in matchers]
    matcher = matchers[-1]
    kinds = {"word for word": WORD_FOR_WORD, "by sound": BY_SOUND, "no command": NO_COMMAND}
    rows = {
        "compiling 40 phrases of 10 tools": measured("ms", compiling),
        "first match (warm)": measured("ms", first),
        "matching, all utterances": measured("ms", _matching(matcher, *kinds.values())),
    }
    rows |= {f"matching, {kind}": measured("ms", _matching(matcher, said)) for kind, said in kinds.items()}
    return rows | {"dispatching a trivial tool": measured("µs", _dispatching(tools))}


def _matching(matcher: PhraseMatcher, *groups: tuple[str, ...]) -> list[float]:
    said = [text for group in groups for text in group]
    return [timed(lambda text=text: matcher.match(text)) * 1000 for _ in range(ROUNDS) for text in said]


def _dispatching(tools: list[Tool]) -> list[float]:
    registry = ToolRegistry(*tools)
    return [timed(lambda: registry.dispatch("battery_level")) * 1_000_000 for _ in range(500)]
