"""Two lamps with tools, and a context whose events are kept."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

from edgevox.agents import AgentContext, AgentEvent
from edgevox.tools import tool

Room = Literal["kitchen", "bedroom"]


@pytest.fixture
def lamps() -> dict[str, bool]:
    """Room to whether its lamp is on."""
    return {"kitchen": False, "bedroom": False}


@pytest.fixture
def lamp_tools(lamps: dict[str, bool]) -> list[Callable[..., Any]]:
    """Tools over the lamps: `set_light` and `light_status`."""

    @tool(
        phrases={"en": ["turn {on} the {room} light", "turn the {room} light {on}"], "de": ["Licht {room} {on}"]},
        says={"en": "The {room} light is {on}."},
    )
    def set_light(room: Room, on: bool) -> str:
        """Turn a light on or off.

        Args:
            room: which
            on: whether
        """
        lamps[room] = on
        return f"{room} is {'on' if on else 'off'}"

    @tool(phrases=["is the {room} light on"], effect="read")
    def light_status(room: Room) -> dict[str, Any]:
        """Say whether a light is on.

        Args:
            room: which
        """
        return {"room": room, "on": lamps[room]}

    return [set_light, light_status]


@pytest.fixture
def ctx() -> AgentContext:
    """A fresh context."""
    return AgentContext()


@pytest.fixture
def events(ctx: AgentContext) -> list[AgentEvent]:
    """What is published on the context's bus, in order."""
    seen: list[AgentEvent] = []
    ctx.bus.subscribe_all(seen.append)
    return seen
