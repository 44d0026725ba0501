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
from edgevox.tools.permissions import Operation, PermissionRule


@skill(
    latency_class="slow",
    timeout_s=60.0,
    phrases={
        "en": [
            "(go|drive|move|navigate|head|come|walk|roll|run) [over|back] to [the] {room}",
            "(go|drive|move|come|head) into [the] {room}",
            "(meet|wait for) me in [the] {room}",
            "(go|drive) (and check on|check on|and check|and look in) [the] {room}",
            "(take|bring) me to [the] {room}",
            "(send|drive) the robot to [the] {room}",
            "(go|drive|move|navigate|head|come|walk|roll|run|travel|get|return|proceed|ride)"
            " [over|back|straight|right|on|along|down|up|out] (to|into|in|inside|toward|towards|through to) [the]"
            " {room}",
            "(go|come) (see|check|check out|look at|and see|and check out|inspect|have a look at|take a look at)"
            " [the] {room}",
            "(visit|check|check on|inspect|see|enter|explore|check out|look in on) [the] {room}",
            "(take|have) a look (in|at|around|into) [the] {room}",
            "(look|look around|look into|wait|park) (in|into|around) [the] {room}",
            "(make|find) your way [over] to [the] {room}",
            "(take|bring|show|lead|guide|drive|follow|accompany) me [over] (to|into) [the] {room}",
            "(meet|wait for|see|join|come to) me (in|at|inside) [the] {room}",
            "(send|drive|move|take|bring|get) (yourself|the robot|it) [over] (to|into) [the] {room}",
            "I (want|need) you [to be] (in|to go to) [the] {room}",
            "next stop [the] {room}",
            "(go|drive|move) to (the room|room) {room}",
            "let us (go|drive|move|head) [over] to [the] {room}",
            "(off|away|over) to [the] {room}",
            "I (need|want) you [over] in [the] {room}",
            "(go|drive) {room}",
        ],
        "de": [
            "(fahre|fahr|geh|gehe|komm) (ins|in die|in das|in den|zum|zur|in|zu) {room}",
            "(bring|bringe|fahr|fahre) mich (ins|in die|zum|zur) {room}",
            "(ab|los) (ins|in die|zum|zur) {room}",
            "(fahre|fahr|geh|gehe|komm|lauf|roll|rolle|begib dich|mach dich|beweg dich) [mal|bitte|doch|rüber|jetzt]"
            " (ins|in die|in das|in den|zum|zur|zu|nach) {room} [rüber|rein]",
            "(ins|in die|zum|zur) {room} (fahren|gehen)",
            "(schau|sieh) [mal] (im|in der|ins|in die) {room} [nach|vorbei|rein]",
            "(bring|bringe|fahr|fahre|führ|führe) mich (ins|in die|zum|zur) {room}",
            "(warte|triff mich) (im|in der) {room}",
        ],
        "fr": [
            "(va|roule|viens|conduis-moi|emmène-moi|rends-toi) (au|à la|dans le|dans la|à|vers le|vers la) {room}",
            "(direction|file) (le|la|au|à la) {room}",
            "(va|vas|roule|viens|entre|retourne|conduis-moi|emmène-moi|rends-toi|amène-moi|dirige-toi|déplace-toi|"
            "file) (au|à la|dans le|dans la|à|vers le|vers la|jusqu'au|jusqu'à la) {room}",
            "(visite|inspecte|va voir) (le|la) {room}",
            "(attends-moi|rejoins-moi) (au|à la|dans le|dans la) {room}",
        ],
        "es": [
            "(ve|vete|ven|llévame|conduce|muévete) (al|a la|hacia el|hacia la|hasta el|hasta la|a) {room}",
            "(ve|vete|ven|anda|entra|dirígete|llévame|conduce|muévete|acompáñame|vuelve|desplázate) (al|a la|hacia"
            " el|hacia la|hasta el|hasta la|en el|en la|a) {room}",
            "(visita|revisa|mira en) (el|la) {room}",
            "(espérame|nos vemos) (en el|en la) {room}",
        ],
        "vi": [
            "(đi|chạy|lái|đưa tôi|di chuyển) (đến|tới|vào|qua|lại|sang) {room}",
            "(đi|chạy|tới|đến|về) {room}",
            "(đi|chạy|lái|đưa tôi|di chuyển|hãy đi|dẫn tôi|quay) (đến|tới|vào|qua|lại|sang|ra|về|xuống|lên) {room}",
            "(vào|qua|sang|ra|ghé|kiểm tra) {room}",
            "(gặp|đợi) tôi ở {room}",
        ],
    },
    says={
        "en": "I am in the {room}.",
        "de": "Ich bin da: {room}.",
        "fr": "Je suis arrivé : {room}.",
        "es": "Ya he llegado: {room}.",
        "vi": "Tôi đã đến {room}.",
    },
    effect="idempotent",
    resources=("motion:base",),
    allowed=True,
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
        "en": [
            "(which|what) (rooms|places) (are there|do you know|can you (go|drive) to)",
            "where can you (go|drive) [to]",
            "list [the] rooms",
            "(which|what) (rooms|places|locations) (are there|do you know|can you (go|drive|get|travel|move) to|can"
            " you (visit|reach|see)|do you have|have you got|are on your map|does the (house|flat) have) [to|about]",
            "where [all] (can|could) you (go|drive|take me|get|travel|move) [to]",
            "(list|show|name|tell|give) [me] [all] [the|your] (rooms|places|locations)",
            "what is on your map",
            "how many rooms (are there|do you know)",
            "where can I send you",
        ],
        "de": [
            "welche (Räume|Zimmer) (gibt es|kennst du)",
            "wohin kannst du (fahren|gehen)",
            "welche (Räume|Zimmer|Orte) (kennst du|gibt es|hast du|kannst du anfahren)",
            "(nenne|nenn|zeig) [mir] [alle] [die|deine] (Räume|Zimmer)",
            "wo kannst du [überall] hinfahren",
        ],
        "fr": [
            "quelles pièces (y a-t-il|connais-tu)",
            "où peux-tu aller",
            "(liste|montre-moi|dis-moi|donne-moi) les pièces",
            "où (peux-tu|est-ce que tu peux) aller",
        ],
        "es": [
            "qué habitaciones (hay|conoces)",
            "adónde puedes ir",
            "(dime|lista|muestra) las habitaciones",
            "(adónde|a dónde|dónde) puedes ir",
        ],
        "vi": [
            "[bạn biết|có] những phòng nào",
            "bạn có thể đi (đến|tới) đâu",
            "(liệt kê|kể) [các] phòng",
            "bạn (biết|đi được) những phòng nào",
        ],
    },
    says={
        "en": "I know the {result}.",
        "de": "Ich kenne Wohnzimmer, Küche, Schlafzimmer und Büro.",
        "fr": "Je connais le salon, la cuisine, la chambre et le bureau.",
        "es": "Conozco el salón, la cocina, el dormitorio y la oficina.",
        "vi": "Tôi biết phòng khách, nhà bếp, phòng ngủ và phòng làm việc.",
    },
    effect="read",
)
def list_rooms(ctx: AgentContext) -> GoalHandle:
    """List the rooms the robot can drive to."""
    return ctx.deps.apply_action("list_rooms")


@skill(
    latency_class="fast",
    phrases={
        "en": ["(turn|switch) {on} [the] {room} (light|lights)", "(turn|switch) [the] {room} (light|lights) {on}",
               "(turn|switch) {on} the (light|lights) in [the] {room}",
        "(turn|switch) [the] (light|lights|lamp) in [the] {room} {on}",
        "(turn|switch) [the] (light|lights) {on} in [the] {room}",
        "[the] {room} (light|lights|lamp) {on}",
        "(light|lights) {on} in [the] {room}",
        "{on} [the] (light|lights) in [the] {room}",
    ],
        "de": ["(schalte|schalt|mach|mache) [das] Licht (im|in der|in) {room} {on}", "Licht (im|in der) {room} {on}"],
        "fr": ["{on} [la|les] (lumière|lumières) (du|de la|dans le|dans la) {room}"],
        "es": ["{on} [la|las] (luz|luces) (del|de la|en el|en la) {room}"],
        "vi": ["{on} đèn [ở|trong] {room}"],
    },
    says={
        "en": "The {room} light is {on}.",
        "de": "Licht {on}: {room}.",
        "fr": "Lumière {on} : {room}.",
        "es": "Luz {on}: {room}.",
        "vi": "Đã {on} đèn {room}.",
    },
    effect="idempotent",
    resources=("device:light/{room}",),
    allowed=True,
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

SCOUT_PERMISSIONS = [
    PermissionRule(pattern="motion:base", operations={Operation.MOVE}),
    PermissionRule(pattern="device:light/*", operations={Operation.SWITCH}),
]
"""The scout may drive, and switch the lights of its flat."""

SCOUT_GREETING = {
    "en": "Scout is ready. Say stop at any moment. Try: go to the kitchen.",
    "de": "Scout ist bereit. Sag jederzeit Stopp. Versuch: Fahre in die Küche.",
    "fr": "Scout est prêt. Dites stop à tout moment. Essayez : va dans la cuisine.",
    "es": "Scout está listo. Di para en cualquier momento. Prueba: ve a la cocina.",
    "vi": "Scout đã sẵn sàng. Hãy nói dừng lại bất cứ lúc nào. Hãy thử: đi đến nhà bếp.",
}
"""What the scout says first, in whatever world it drives."""

APP = AgentApp(
    name="Scout",
    description="A robot that drives through a simulated flat and can be stopped at any moment.",
    instructions="You are Scout, a terse home robot. You drive only where you are asked to.",
    skills=SCOUT_SKILLS,
    permissions=SCOUT_PERMISSIONS,
    deps=ToyWorld(),
    greeting=SCOUT_GREETING,
)

if __name__ == "__main__":
    APP.run()
