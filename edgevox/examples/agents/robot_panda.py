"""The panda agent: an arm at a table that picks things up and puts them somewhere, and can be stopped on the way.

The names of things and places are those of the world, asked anew with every sentence. A stop leaves a held thing in the
gripper.
"""

from typing import Annotated, Any

from edgevox.agents.skills import skill
from edgevox.core.errors import EdgeVoxError, ToolFailure
from edgevox.core.goals import GoalHandle, GoalStatus
from edgevox.core.session import AgentContext
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.table_phrases import (
    CLOSE_PHRASES,
    HELD_PHRASES,
    HOME_PHRASES,
    LIST_PHRASES,
    MOVE_PHRASES,
    OPEN_PHRASES,
    PICK_PHRASES,
    PUT_DOWN_PHRASES,
    PUT_PHRASES,
    WHERE_PHRASES,
)
from edgevox.examples.agents.table_words import PLACES, THINGS, seen_name, thing_name, where_words
from edgevox.intents import Spoken
from edgevox.sims.mujoco.arm import MujocoArmEnvironment
from edgevox.tools.permissions import Operation, PermissionRule

WORLD = MujocoArmEnvironment(render=True)

RELAY_S = 0.05
"""How often the progress of a motion is passed on, seconds."""


def _things() -> list[str]:
    """The things of the world; none where it cannot be opened, which the first action then says."""
    try:
        return WORLD.object_names()
    except EdgeVoxError:
        return []


def _places() -> list[str]:
    try:
        return WORLD.place_names()
    except EdgeVoxError:
        return []


Thing = Annotated[
    str, Spoken(_things, en=THINGS["en"], de=THINGS["de"], fr=THINGS["fr"], es=THINGS["es"], vi=THINGS["vi"])
]
Place = Annotated[
    str, Spoken(_places, en=PLACES["en"], de=PLACES["de"], fr=PLACES["fr"], es=PLACES["es"], vi=PLACES["vi"])
]


@skill(
    timeout_s=60.0,
    phrases=PICK_PHRASES,
    says={
        "en": "I have the {object}.",
        "de": "Der {object} ist im Greifer.",
        "fr": "Je tiens le {object}.",
        "es": "Tengo el {object}.",
        "vi": "Tôi đã cầm {object}.",
    },
    effect="idempotent",
    resources=("motion:arm",),
    allowed=True,
)
def pick_up(object: Thing, ctx: AgentContext) -> GoalHandle:
    """Grip a thing on the table and lift it.

    Args:
        object: the thing, e.g. "red_cube"
        ctx: of the run
    """
    return ctx.deps.apply_action("pick", object=object)


@skill(
    timeout_s=60.0,
    phrases=PUT_DOWN_PHRASES,
    says={
        "en": "The {result.name} is {result.where} now.",
        "de": "Der {result.name} liegt jetzt {result.where}.",
        "fr": "Le {result.name} est maintenant {result.where}.",
        "es": "El {result.name} está ahora {result.where}.",
        "vi": "Bây giờ {result.name} {result.where}.",
    },
    resources=("motion:arm",),
    allowed=True,
)
def put_down(place: Place, ctx: AgentContext, handle: GoalHandle) -> dict[str, Any]:
    """Put down what the gripper holds.

    Args:
        place: where, e.g. "bin"
        ctx: of the run
        handle: of the action
    """
    return _told(_through(ctx, handle, "place", place=place), ctx)


@skill(
    timeout_s=90.0,
    phrases=PUT_PHRASES,
    says={
        "en": "The {result.name} is {result.where} now.",
        "de": "Der {result.name} liegt jetzt {result.where}.",
        "fr": "Le {result.name} est maintenant {result.where}.",
        "es": "El {result.name} está ahora {result.where}.",
        "vi": "Bây giờ {result.name} {result.where}.",
    },
    resources=("motion:arm",),
    allowed=True,
)
def put_object(object: Thing, place: Place, ctx: AgentContext, handle: GoalHandle) -> dict[str, Any]:
    """Pick a thing up and put it down somewhere else.

    Args:
        object: the thing, e.g. "red_cube"
        place: where, e.g. "bin"
        ctx: of the run
        handle: of the action
    """
    _through(ctx, handle, "pick", object=object)
    return _told(_through(ctx, handle, "place", place=place), ctx)


@skill(
    timeout_s=30.0,
    phrases=MOVE_PHRASES,
    says={
        "en": "I am over it.",
        "de": "Ich bin darüber.",
        "fr": "Je suis au-dessus.",
        "es": "Estoy encima.",
        "vi": "Tôi đã tới nơi.",
    },
    effect="idempotent",
    resources=("motion:arm",),
    allowed=True,
)
def move_arm(place: Place, ctx: AgentContext) -> GoalHandle:
    """Bring the gripper over a place.

    Args:
        place: where, e.g. "tray"
        ctx: of the run
    """
    return ctx.deps.apply_action("move_to", place=place)


@skill(
    timeout_s=30.0,
    phrases=HOME_PHRASES,
    says={
        "en": "I am home.",
        "de": "Ich bin in der Grundstellung.",
        "fr": "Je suis au repos.",
        "es": "Estoy en la posición inicial.",
        "vi": "Tôi đã về vị trí ban đầu.",
    },
    effect="idempotent",
    resources=("motion:arm",),
    allowed=True,
)
def go_home(ctx: AgentContext) -> GoalHandle:
    """Bring the arm back to its resting pose; what it holds it keeps."""
    return ctx.deps.apply_action("home")


@skill(
    timeout_s=10.0,
    phrases=OPEN_PHRASES,
    says={
        "en": "The gripper is open.",
        "de": "Der Greifer ist offen.",
        "fr": "La pince est ouverte.",
        "es": "La pinza está abierta.",
        "vi": "Tay kẹp đã mở.",
    },
    effect="idempotent",
    resources=("motion:arm",),
    allowed=True,
)
def open_gripper(ctx: AgentContext) -> GoalHandle:
    """Open the gripper where it is; what it holds falls."""
    return ctx.deps.apply_action("open_gripper")


@skill(
    timeout_s=10.0,
    phrases=CLOSE_PHRASES,
    says={
        "en": "The gripper is closed.",
        "de": "Der Greifer ist zu.",
        "fr": "La pince est fermée.",
        "es": "La pinza está cerrada.",
        "vi": "Tay kẹp đã đóng.",
    },
    effect="idempotent",
    resources=("motion:arm",),
    allowed=True,
)
def close_gripper(ctx: AgentContext) -> GoalHandle:
    """Close the gripper where it is."""
    return ctx.deps.apply_action("close_gripper")


@skill(
    latency_class="fast",
    phrases=LIST_PHRASES,
    says={
        "en": "I see {result}.",
        "de": "Ich sehe {result}.",
        "fr": "Je vois {result}.",
        "es": "Veo {result}.",
        "vi": "Tôi thấy {result}.",
    },
    effect="read",
)
def list_things(ctx: AgentContext) -> list[str]:
    """List the things that the arm can see."""
    names: list[str] = ctx.deps.apply_action("list_objects").result or []
    return [seen_name(name, ctx.language) for name in names]


@skill(
    latency_class="fast",
    phrases=WHERE_PHRASES,
    says={
        "en": "The {result.name} is {result.where}.",
        "de": "Der {result.name} ist {result.where}.",
        "fr": "Le {result.name} est {result.where}.",
        "es": "El {result.name} está {result.where}.",
        "vi": "{result.name} {result.where}.",
    },
    effect="read",
)
def where_is(object: Thing, ctx: AgentContext) -> dict[str, Any]:
    """Say where a thing is.

    Args:
        object: the thing, e.g. "red_cube"
        ctx: of the run
    """
    goal: GoalHandle = ctx.deps.apply_action("where_is", object=object)
    if goal.status is not GoalStatus.SUCCEEDED:
        raise ToolFailure(goal.error or "it is not known")
    return _told(goal.result, ctx)


@skill(
    latency_class="fast",
    phrases=HELD_PHRASES,
    effect="read",
)
def what_is_held(ctx: AgentContext) -> str:
    """Say what the gripper holds."""
    holding = ctx.deps.get_world_state()["holding"]
    nothing = {"de": "Nichts.", "fr": "Rien.", "es": "Nada.", "vi": "Không có gì."}
    if holding is None:
        return nothing.get(ctx.language, "Nothing.")
    name = thing_name(holding, ctx.language)
    return f"{name[0].upper()}{name[1:]}."


def _through(ctx: AgentContext, handle: GoalHandle, action: str, **arguments: Any) -> Any:
    """Carry one motion through to its end on behalf of an action; cancelling the action cancels the motion.

    Raises:
        ToolFailure: the motion failed, or somebody else ended it; the text says why.
    """
    goal: GoalHandle = ctx.deps.apply_action(action, **arguments)
    forget = handle.on_cancel(goal.cancel)
    try:
        while not goal.poll(RELAY_S).is_terminal():
            for report in goal.feedback():
                handle.set_feedback(report)
    finally:
        forget()
    if goal.status is not GoalStatus.SUCCEEDED:
        raise ToolFailure(goal.error or "it was ended")
    return goal.result


def _told(result: dict[str, Any], ctx: AgentContext) -> dict[str, Any]:
    """Add how the thing and its place are said."""
    return result | {
        "name": thing_name(result["object"], ctx.language),
        "where": where_words(result["place"], ctx.language),
    }


PANDA_SKILLS = [
    pick_up,
    put_down,
    put_object,
    move_arm,
    go_home,
    open_gripper,
    close_gripper,
    list_things,
    where_is,
    what_is_held,
]

APP = AgentApp(
    name="Panda",
    description="An arm at a table that picks things up, puts them somewhere and can be stopped at any moment.",
    instructions="You are Panda, a careful robot arm at a table. You move only what you are asked to move.",
    skills=PANDA_SKILLS,
    permissions=[PermissionRule(pattern="motion:arm", operations={Operation.MOVE})],
    deps=WORLD,
    greeting={
        "en": "Panda is ready. Try: pick up the red cube. Say stop at any moment.",
        "de": "Panda ist bereit. Sag zum Beispiel: nimm den roten Würfel. Mit Stopp hältst du mich jederzeit an.",
        "fr": "Panda est prêt. Dites par exemple : prends le cube rouge. Dites stop à tout moment.",
        "es": "Panda está listo. Prueba: coge el cubo rojo. Di alto en cualquier momento.",
        "vi": "Panda đã sẵn sàng. Hãy thử: nhặt khối đỏ. Nói dừng lại bất cứ lúc nào.",
    },
)

if __name__ == "__main__":
    APP.run()
