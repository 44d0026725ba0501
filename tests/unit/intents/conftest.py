"""A house and a robot whose tools people talk to in the tables of `tests/data`."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from edgevox.intents import PhraseMatcher
from edgevox.tools import Tool, as_tool, tool

DATA = Path(__file__).parents[2] / "data"

Room = Literal["kitchen", "living_room", "bedroom", "office"]


@tool(
    phrases=[
        "(turn|switch) {on} the {room} light[s]",
        "(turn|switch) the {room} light[s] {on}",
        "[turn the] lights {on} in the {room}",
        "turn {on} the light[s] in the {room}",
    ],
    says="The {room} light is {on}.",
)
def set_light(room: Room, on: bool) -> str:
    """Turn a room's light on or off."""
    return f"{room} {on}"


@tool(phrases=["is the {room} light on", "what's the status of the {room} light", "are the lights on in the {room}"])
def get_light_status(room: Room) -> str:
    """Say whether a room's light is on."""
    return f"the {room} light is off"


@tool(
    phrases=[
        "set [the] (thermostat|temperature) to {celsius}",
        "make it {celsius} degrees",
        "(heat|cool) the house to {celsius}",
        "turn the thermostat to {celsius}",
    ]
)
def set_thermostat(celsius: float) -> str:
    """Set the thermostat."""
    return f"{celsius} degrees"


@tool(
    phrases=[
        "(set|start) a timer for {minutes}",
        "(set|start) a {minutes} timer",
        "(set|start) a timer for {minutes} (called|named) {label}",
        "wake me in {minutes}",
    ]
)
def start_timer(minutes: float, label: str = "timer") -> str:
    """Start a timer."""
    return f"{label} {minutes}"


@tool(phrases=["what's the weather [like] in {city}", "how is the weather in {city}", "weather [report] for {city}"])
def get_weather(city: str) -> dict[str, Any]:
    """Return the weather."""
    return {"city": city, "temp_c": 21}


@tool(
    phrases=["(go|drive|move|navigate) [over] to the {room}", "take me to the {room}", "drive over to the {room} now"]
)
def navigate_to(room: Room) -> str:
    """Drive to a room."""
    return room


@tool(phrases=["(move|go|drive) forward {meters}", "(move|go|drive) {meters} forward[s]"])
def move_forward(meters: float) -> str:
    """Drive forward."""
    return f"{meters} m"


@tool(
    phrases=["turn {direction} {degrees}", "rotate {degrees} to the {direction}", "turn {degrees} to the {direction}"]
)
def turn(degrees: float, direction: Literal["left", "right"]) -> str:
    """Turn on the spot."""
    return f"{direction} {degrees}"


@tool(phrases=["set [the] volume to {percent}", "volume [at] {percent}", "turn the volume to {percent}"])
def set_volume(percent: int) -> str:
    """Set the volume."""
    return f"{percent} %"


@tool(phrases=["{open} the {room} (blinds|curtains)", "{open} the (blinds|curtains) in the {room}"])
def set_blinds(room: Room, open: bool) -> str:
    """Open or close the blinds."""
    return f"{room} {open}"


@tool(phrases=["what's the battery level", "how much battery [is left]", "battery (status|level)", "check the battery"])
def battery_level() -> str:
    """Return how full the battery is."""
    return "80 %"


@tool(phrases=["(add|put) {item} (to|on) (my|the) shopping list", "buy {item}"])
def add_to_list(item: str) -> str:
    """Put something on the shopping list."""
    return f"added {item}"


@tool(phrases=["play [some] {genre} [music]", "put on [some] {genre} music"])
def play_music(genre: Literal["jazz", "classical", "rock", "ambient"]) -> str:
    """Play music."""
    return genre


HOUSE: list[Tool] = [
    as_tool(one)
    for one in (
        set_light, get_light_status, set_thermostat, start_timer, get_weather, navigate_to, move_forward, turn,
        set_volume, set_blinds, battery_level, add_to_list, play_music,
    )
]  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One row of a table: an utterance and the call it asks for."""

    part: str
    expected: tuple[str, dict[str, Any]] | None
    text: str


def _lines(text: str) -> Iterator[Line]:
    for row in text.splitlines():
        if row.strip() and not row.startswith("#"):
            part, name, arguments, said = row.split("\t")
            yield Line(part, None if name == "-" else (name, json.loads(arguments or "{}")), said)


@dataclass(frozen=True)
class Judged:
    """How a matcher did on the lines of a table."""

    right: int
    unanswered: list[str]
    """Commands that went to the model: a matter of cost."""
    wrong: list[str]
    """Calls that nobody asked for: a matter of trust."""


def judge(matcher: PhraseMatcher, lines: list[Line]) -> Judged:
    """Compare what a matcher makes of lines with what they ask for."""
    judged = Judged(0, [], [])
    right = 0
    for line in lines:
        match = matcher.match(line.text)
        got = (match.tool_name, match.arguments) if match else None
        if got == line.expected:
            right += 1
        elif got is None:
            judged.unanswered.append(line.text)
        else:
            judged.wrong.append(f"{line.text!r}: {got} instead of {line.expected}")
    return Judged(right, judged.unanswered, judged.wrong)


@pytest.fixture(scope="session")
def house() -> PhraseMatcher:
    """The matcher of the house."""
    return PhraseMatcher(HOUSE)


@pytest.fixture(scope="session")
def house_tools() -> list[Tool]:
    """The tools of the house."""
    return HOUSE


@pytest.fixture
def judged(house: PhraseMatcher) -> Callable[[str, str, bool], Judged]:
    """Judge one part of a table: its commands, or its lines that are none."""

    def judged_part(table: str, part: str, commands: bool) -> Judged:
        lines = list(_lines((DATA / table).read_text(encoding="utf-8")))
        return judge(house, [x for x in lines if x.part == part and (x.expected is not None) is commands])

    return judged_part
