"""The scout agent: a robot in a simulated flat, with skills that take their time and can be stopped on the way.

The world comes as `deps`: put another `SimEnvironment` in its place and nothing else changes.
"""

from typing import Any

from edgevox.agents.skills import skill
from edgevox.core.goals import GoalHandle
from edgevox.core.session import AgentContext
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.robot_words import BATTERY_PHRASES, BATTERY_SAYS, POSE_PHRASES, POSE_SAYS
from edgevox.examples.agents.rooms import Room
from edgevox.sims.toyworld import ToyWorld


@skill(
    latency_class="slow",
    timeout_s=60.0,
    phrases={
        "en": [
            "(go|drive|move|navigate|head|come|walk|roll) [over|back] to [the] {room}",
            "(take|bring) me to [the] {room}",
            "(send|drive) the robot to [the] {room}",
        ],
        "de": [
            "(fahre|fahr|geh|gehe) (in die|ins|in das|in den|zum|zur|in|zu) {room}",
            "bring mich (in die|ins|zum|zur) {room}",
        ],
        "fr": ["(va|roule|conduis-moi|emmène-moi) (à la|au|dans la|dans le|à|vers la|vers le) {room}"],
        "es": ["(ve|vete|llévame|conduce) (a la|al|hacia la|hacia el|a) {room}"],
        "vi": ["(đi|chạy|lái|đưa tôi) (đến|tới|vào|qua|lại) {room}"],
    },
    says={
        "en": "I am in the {room}.",
        "de": "Angekommen: {room}.",
        "fr": "Arrivé : {room}.",
        "es": "He llegado: {room}.",
        "vi": "Đã đến {room}.",
    },
    effect="idempotent",
    resources=("base",),
)
def navigate_to(room: Room, ctx: AgentContext) -> GoalHandle:
    """Drive the robot to a named room.

    Args:
        room: target room, e.g. "kitchen"
        ctx: of the run
    """
    return ctx.deps.apply_action("navigate_to", room=room)


@skill(
    latency_class="fast",
    phrases=POSE_PHRASES,
    says=POSE_SAYS,
    effect="read",
)
def get_pose(ctx: AgentContext) -> dict[str, Any]:
    """Report the robot's current x/y pose."""
    robot = ctx.deps.get_world_state()["robot"]
    return {key: robot[key] for key in ("x", "y", "heading_deg")}


@skill(
    latency_class="fast",
    phrases=BATTERY_PHRASES,
    says=BATTERY_SAYS,
    effect="read",
)
def battery_level(ctx: AgentContext) -> GoalHandle:
    """Report how much charge is left."""
    return ctx.deps.apply_action("battery_level")


@skill(
    latency_class="fast",
    phrases={
        "en": ["(which|what) rooms (are there|do you know)", "where can you (go|drive)", "list [the] rooms"],
        "de": ["welche (Räume|Zimmer) (gibt es|kennst du)"],
        "fr": ["quelles pièces (y a-t-il|connais-tu)"],
        "es": ["qué habitaciones (hay|conoces)"],
        "vi": ["có những phòng nào"],
    },
    says={"en": "I know the {result}."},
    effect="read",
)
def list_rooms(ctx: AgentContext) -> GoalHandle:
    """List the rooms the robot can drive to."""
    return ctx.deps.apply_action("list_rooms")


@skill(
    latency_class="fast",
    phrases={
        "en": ["(turn|switch) {on} [the] {room} (light|lights)", "(turn|switch) [the] {room} (light|lights) {on}",
               "(turn|switch) {on} the (light|lights) in [the] {room}"],
        "de": ["(schalte|mach) das Licht (im|in der|in) {room} {on}"],
        "fr": ["{on} [la] lumière (du|de la|dans le|dans la) {room}"],
        "es": ["{on} [la] luz (del|de la|en el|en la) {room}"],
        "vi": ["{on} đèn [ở|trong] {room}"],
    },
    says={
        "en": "The {room} light is {on}.",
        "de": "{room}: Licht {on}.",
        "fr": "Lumière {on} : {room}.",
        "es": "Luz {on}: {room}.",
        "vi": "Đã {on} đèn {room}.",
    },
    effect="idempotent",
)  # fmt: skip
def set_light(room: Room, on: bool, ctx: AgentContext) -> GoalHandle:
    """Turn a room's light on or off.

    Args:
        room: the room, e.g. "kitchen"
        on: true to turn on, false to turn off
        ctx: of the run
    """
    return ctx.deps.apply_action("set_light", room=room, on=on)


SCOUT_SKILLS = [navigate_to, get_pose, battery_level, list_rooms, set_light]

APP = AgentApp(
    name="Scout",
    description="A robot that drives through a simulated flat and can be stopped at any moment.",
    instructions="You are Scout, a terse home robot. You drive only where you are asked to.",
    skills=SCOUT_SKILLS,
    deps=ToyWorld(),
    greeting="Scout is ready. Try: go to the kitchen. Say stop at any moment.",
)

if __name__ == "__main__":
    APP.run()
