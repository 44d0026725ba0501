"""The robot agent: a small rover that is told how far to drive and how far to turn.

The rover is a few numbers that change at once; a robot that takes its time and can be stopped on the way is
`robot_scout`.
"""

import math
import threading
from typing import Annotated, Any, Literal

from pydantic import Field

from edgevox.core.session import AgentContext
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.robot_words import (
    BATTERY_PHRASES,
    BATTERY_SAYS,
    FORWARD_PHRASES,
    HOME_PHRASES,
    POSE_PHRASES,
    POSE_SAYS,
    TURN_PHRASES,
    about_rover,
    distance_said,
)
from edgevox.examples.agents.sayings import RESULT, language_of
from edgevox.intents import Spoken
from edgevox.tools import tool
from edgevox.tools.permissions import Operation, PermissionRule

FARTHEST_M = 100.0
"""How far one command may send it, metres."""

DRAIN_PCT_PER_M = 0.5
"""Battery charge that a metre costs, percent."""

Side = Annotated[
    Literal["left", "right"],
    Spoken(
        de={"left": ["nach links", "links"], "right": ["nach rechts", "rechts"]},
        fr={"left": ["à gauche", "gauche"], "right": ["à droite", "droite"]},
        es={"left": ["a la izquierda", "izquierda"], "right": ["a la derecha", "derecha"]},
        vi={"left": ["trái", "sang trái"], "right": ["phải", "sang phải"]},
    ),
]


class Rover:
    """Where the rover is and how it is. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        """Put it back to its dock, fully charged."""
        self.x, self.y = 0.0, 0.0
        """Metres."""
        self.heading_deg = 0.0
        """Counter-clockwise from the x axis, 0 to 360."""
        self.battery_pct = 100.0

    def drive(self, meters: float) -> bool:
        """Move straight ahead; returns whether it did: the battery may not last that far."""
        with self._lock:
            cost = meters * DRAIN_PCT_PER_M
            if cost > self.battery_pct:
                return False
            angle = math.radians(self.heading_deg)
            self.x = round(self.x + meters * math.cos(angle), 3)
            self.y = round(self.y + meters * math.sin(angle), 3)
            self.battery_pct = round(self.battery_pct - cost, 2)
            return True

    def turn(self, degrees: float) -> None:
        """Turn on the spot, counter-clockwise."""
        with self._lock:
            self.heading_deg = round((self.heading_deg + degrees) % 360, 2) % 360

    def pose(self) -> dict[str, float]:
        """Return `x`, `y` in metres and `heading_deg`."""
        with self._lock:
            return {"x": self.x, "y": self.y, "heading_deg": self.heading_deg}


ROBOT = Rover()
"""The rover that the tools drive."""


@tool(
    phrases=FORWARD_PHRASES,
    says=RESULT,
    resources=("motion:base",),
    allowed=True,
)
def move_forward(meters: float, ctx: AgentContext | None = None) -> str:
    """Drive straight ahead.

    Args:
        meters: distance in meters, above 0 and at most 100
        ctx: of the run
    """
    language = language_of(ctx)
    if not 0 < meters <= FARTHEST_M:
        raise ValueError(about_rover("range", language, farthest=int(FARTHEST_M), meters=meters))
    if not ROBOT.drive(meters):
        cost = meters * DRAIN_PCT_PER_M
        raise ValueError(about_rover("battery", language, left=ROBOT.battery_pct, meters=meters, cost=cost))
    return about_rover("moved", language, distance=distance_said(meters, language))


@tool(
    phrases=TURN_PHRASES,
    says={
        "en": "Turned {degrees} degrees to the {direction}.",
        "de": "{degrees} Grad {direction} gedreht.",
        "fr": "J'ai tourné de {degrees} degrés {direction}.",
        "es": "He girado {degrees} grados {direction}.",
        "vi": "Đã quay {direction} {degrees} độ.",
    },
    resources=("motion:base",),
    allowed=True,
)
def turn(degrees: Annotated[float, Field(ge=-3600, le=3600)] = 90.0, direction: Side = "left") -> str:
    """Turn on the spot.

    Args:
        degrees: how far; 90 is a quarter turn
        direction: left is counter-clockwise
    """
    ROBOT.turn(degrees if direction == "left" else -degrees)
    return f"turned {degrees:g} degrees {direction}, now heading {ROBOT.heading_deg:g} degrees"


@tool(
    phrases=POSE_PHRASES,
    says=POSE_SAYS,
    effect="read",
)
def get_pose() -> dict[str, float]:
    """Say where the robot is and where it looks."""
    return ROBOT.pose()


@tool(
    phrases=BATTERY_PHRASES,
    says=BATTERY_SAYS,
    effect="read",
)
def battery_level() -> dict[str, Any]:
    """Say how much charge is left."""
    return {"battery_pct": ROBOT.battery_pct}


@tool(
    phrases=HOME_PHRASES,
    says={
        "en": "I am back home.",
        "de": "Ich bin wieder zu Hause.",
        "fr": "Je suis rentré.",
        "es": "Ya estoy en casa.",
        "vi": "Tôi đã về nhà.",
    },
    resources=("motion:base",),
    allowed=True,
)
def go_home() -> str:
    """Drive back to the dock and charge."""
    ROBOT.reset()
    return "back at the dock, fully charged"


ROBOT_TOOLS = [move_forward, turn, get_pose, battery_level, go_home]

APP = AgentApp(
    name="Rover",
    description="A small rover that drives and turns on command.",
    instructions="You are Rover, a small robot. You are terse and precise, and you drive only when you are asked to.",
    tools=ROBOT_TOOLS,
    permissions=[PermissionRule(pattern="motion:base", operations={Operation.MOVE})],
    greeting={
        "en": "Rover is ready. Try: move forward two meters.",
        "de": "Der Rover ist bereit. Versuch: Fahre zwei Meter vorwärts.",
        "fr": "Le rover est prêt. Essayez : avance de deux mètres.",
        "es": "El rover está listo. Prueba: avanza dos metros.",
        "vi": "Rover đã sẵn sàng. Hãy thử: đi tới hai mét.",
    },
)

if __name__ == "__main__":
    APP.run()
