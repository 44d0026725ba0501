# ruff: noqa: ARG001 - the form of a typed tool is fixed
"""The scenes of the home agent: *good night*, *movie time*, *I'm leaving* set lights, heating and alarm.

A scene is a chain of typed tools, so it costs no model call: lights, heating, a look at the doors, the alarm. With a
door open the chain ends there, and says so.

Add your own with `SCENES.add(Scene(...))` before `APP.run()`.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from edgevox.core.messages import Message
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext
from edgevox.core.values import Empty, Str
from edgevox.examples.agents.home_security import alarm_state, doors_said
from edgevox.examples.agents.house import ROOMS, house_of
from edgevox.examples.agents.sayings import RESULT, VALUE, Sayings, capital, language_of, listed
from edgevox.examples.agents.scenes import Scene, SceneBook
from edgevox.intents import Spoken
from edgevox.intents.lexicons import base_language
from edgevox.tools import tool

_DARK = dict.fromkeys(ROOMS, False)

SCENES = SceneBook(
    [
        Scene(
            names={
                "en": ["good night", "bedtime", "I'm going to bed", "I am going to sleep"],
                "de": ["gute Nacht", "ich gehe ins Bett", "ich geh ins Bett", "ich gehe schlafen", "Schlafenszeit"],
                "fr": ["bonne nuit", "je vais me coucher", "je vais dormir", "au lit"],
                "es": ["buenas noches", "me voy a dormir", "me voy a la cama", "hora de dormir"],
                "vi": ["chúc ngủ ngon", "ngủ ngon", "tôi đi ngủ", "tôi đi ngủ đây"],
            },
            lights=_DARK,
            celsius=17,
            alarm=True,
            replies={
                "en": "Good night. All the lights are off and the heating is at 17 degrees.",
                "de": "Gute Nacht. Alle Lichter sind aus, die Heizung steht auf 17 Grad.",
                "fr": "Bonne nuit. Toutes les lumières sont éteintes et le chauffage est à 17 degrés.",
                "es": "Buenas noches. Todas las luces están apagadas y la calefacción está a 17 grados.",
                "vi": "Chúc ngủ ngon. Đã tắt tất cả đèn và đặt nhiệt độ 17 độ.",
            },
        ),
        Scene(
            names={
                "en": ["good morning", "I'm awake", "I am up"],
                "de": ["guten Morgen", "ich bin wach", "ich bin aufgestanden"],
                "fr": ["bonjour la maison", "je suis réveillé", "je suis réveillée", "je suis levé", "c'est le matin"],
                "es": ["buenos días", "ya estoy despierto", "ya estoy despierta", "ya me he levantado"],
                "vi": ["chào buổi sáng", "tôi dậy rồi", "tôi thức dậy rồi"],
            },
            lights={"bedroom": True, "kitchen": True},
            celsius=21,
            alarm=False,
            replies={
                "en": "Good morning. The bedroom and the kitchen are lit and the heating is at 21 degrees.",
                "de": "Guten Morgen. In Schlafzimmer und Küche brennt Licht, die Heizung steht auf 21 Grad.",
                "fr": "Bonjour. La chambre et la cuisine sont éclairées et le chauffage est à 21 degrés.",
                "es": "Buenos días. Hay luz en el dormitorio y en la cocina, y la calefacción está a 21 grados.",
                "vi": "Chào buổi sáng. Đã bật đèn phòng ngủ và nhà bếp, và đặt nhiệt độ 21 độ.",
            },
        ),
        Scene(
            names={
                "en": ["movie time", "film time", "movie night", "let us watch a movie", "movie mode",
                       "movie scene", "film night", "I want to watch a movie", "we are watching a movie"],
                "de": ["Filmabend", "Kinoabend", "Filmzeit", "wir schauen einen Film"],
                "fr": ["soirée cinéma", "soirée film", "mode cinéma", "on regarde un film"],
                "es": ["noche de cine", "hora de la película", "modo cine", "vamos a ver una película"],
                "vi": ["giờ xem phim", "xem phim thôi", "xem phim"],
            },
            lights=_DARK | {"kitchen": True},
            celsius=21,
            replies={
                "en": "Movie time. Only the kitchen is lit now, and the heating is at 21 degrees.",
                "de": "Film ab. Nur in der Küche brennt noch Licht, die Heizung steht auf 21 Grad.",
                "fr": "Place au film. Seule la cuisine reste éclairée et le chauffage est à 21 degrés.",
                "es": "Empieza la película. Solo queda luz en la cocina y la calefacción está a 21 grados.",
                "vi": "Mời xem phim. Chỉ còn đèn nhà bếp sáng, nhiệt độ đặt 21 độ.",
            },
        ),
        Scene(
            names={
                "en": ["I'm leaving", "I'm going out", "I'm off", "we are leaving", "goodbye house"],
                "de": ["ich gehe", "ich gehe jetzt", "ich gehe weg", "ich bin weg", "ich gehe aus dem Haus",
                       "wir gehen", "ich verlasse das Haus"],
                "fr": ["je pars", "je m'en vais", "je sors", "on s'en va", "on y va"],
                "es": ["me voy", "ya me voy", "salgo de casa", "nos vamos"],
                "vi": ["tôi đi đây", "tôi ra ngoài", "tôi ra ngoài đây", "chúng tôi đi đây"],
            },
            lights=_DARK,
            celsius=16,
            alarm=True,
            replies={
                "en": "Goodbye. All the lights are off and the heating is at 16 degrees.",
                "de": "Bis später. Alle Lichter sind aus, die Heizung steht auf 16 Grad.",
                "fr": "À plus tard. Toutes les lumières sont éteintes et le chauffage est à 16 degrés.",
                "es": "Hasta luego. Todas las luces están apagadas y la calefacción está a 16 grados.",
                "vi": "Hẹn gặp lại. Đã tắt tất cả đèn và đặt nhiệt độ 16 độ.",
            },
        ),
        Scene(
            names={
                "en": ["I'm home", "I'm back", "I am back home", "we are home"],
                "de": ["ich bin zu Hause", "ich bin wieder da", "ich bin da", "wir sind zu Hause"],
                "fr": ["je suis rentré", "je suis rentrée", "je suis de retour", "je suis à la maison"],
                "es": ["ya estoy en casa", "estoy en casa", "he vuelto", "ya hemos llegado"],
                "vi": ["tôi về rồi", "tôi về nhà rồi", "tôi đã về"],
            },
            lights={"living_room": True, "kitchen": True},
            celsius=21,
            alarm=False,
            replies={
                "en": "Welcome home. The living room and the kitchen are lit and the heating is at 21 degrees.",
                "de": "Willkommen zu Hause. In Wohnzimmer und Küche brennt Licht, die Heizung steht auf 21 Grad.",
                "fr": "Bon retour. Le salon et la cuisine sont éclairés et le chauffage est à 21 degrés.",
                "es": "Hola de nuevo. Hay luz en el salón y en la cocina, y la calefacción está a 21 grados.",
                "vi": "Mừng bạn về nhà. Đã bật đèn phòng khách và nhà bếp, và đặt nhiệt độ 21 độ.",
            },
        ),
    ]
)  # fmt: skip
"""The scenes of the house."""

_SAYINGS = Sayings(
    en={"done": "{scene} is set.",
        "no_alarm": "But the alarm stays off while a door is open: {doors}.",
        "scenes": "The scenes are {scenes}.",
        "unknown": "there is no scene called {scene}; there are {scenes}"},
    de={"done": "{scene} ist eingestellt.",
        "no_alarm": "Nur die Alarmanlage ist aus; noch offen: {doors}.",
        "scenes": "Es gibt die Szenen {scenes}.",
        "unknown": "es gibt keine Szene {scene}; es gibt {scenes}"},
    fr={"done": "C'est réglé : {scene}.",
        "no_alarm": "Mais l'alarme est désactivée ; encore ouverte : {doors}.",
        "scenes": "Les ambiances sont {scenes}.",
        "unknown": "il n'y a pas d'ambiance {scene} ; il y a {scenes}"},
    es={"done": "Listo: {scene}.",
        "no_alarm": "Pero la alarma está desactivada; sigue abierta: {doors}.",
        "scenes": "Las escenas son {scenes}.",
        "unknown": "no hay ninguna escena {scene}; hay {scenes}"},
    vi={"done": "Đã đặt: {scene}.",
        "no_alarm": "Nhưng báo động đang tắt; còn mở: {doors}.",
        "scenes": "Có các cảnh {scenes}.",
        "unknown": "không có cảnh {scene}; có {scenes}"},
)  # fmt: skip

SceneName = Annotated[
    str,
    Spoken(
        en=lambda: SCENES.names("en"),
        de=lambda: SCENES.names("de"),
        fr=lambda: SCENES.names("fr"),
        es=lambda: SCENES.names("es"),
        vi=lambda: SCENES.names("vi"),
    ),
]


def _lamps(arguments: Mapping[str, Any], ctx: AgentContext | None) -> list[str]:
    """The lights that a scene sets."""
    found = SCENES.find(arguments["title"])
    return [f"device:light/{room}" for room in found.lights] if found is not None else []


def _thermostat(arguments: Mapping[str, Any], ctx: AgentContext | None) -> list[str]:
    """The thermostat, where a scene sets it."""
    found = SCENES.find(arguments["title"])
    return ["device:thermostat"] if found is not None and found.celsius is not None else []


class SceneWanted(Empty):
    """Which scene is to begin."""

    scene: SceneName = Field(
        description='"good night", "good morning", "movie time", "I\'m leaving", "I\'m home", or the person\'s own'
    )


class SceneUnderWay(Empty):
    """A scene, and what its chain has found out so far."""

    title: str
    """What the scene is called in English."""
    alarm: bool | None = None
    """What becomes of the alarm; `None` leaves it."""
    open_doors: tuple[str, ...] = ()
    """What stands between the house and its alarm."""
    alarm_changed: bool = False

    def arms(self) -> bool:
        """Whether the alarm is to go on."""
        return self.alarm is True

    def disarms(self) -> bool:
        """Whether the alarm is to go off."""
        return self.alarm is False

    def leaves_the_alarm(self) -> bool:
        """Whether the scene is not about the alarm."""
        return self.alarm is None

    def has_an_open_door(self) -> bool:
        """Whether something keeps the alarm off."""
        return bool(self.open_doors)

    def may_arm(self) -> bool:
        """Whether nothing keeps the alarm off."""
        return not self.open_doors


@tool(
    phrases={
        "en": [
            "{scene}",
            "(time for|start|activate|switch to [the]) {scene}",
            "(start|set|activate|run|switch to) [the] {scene} (scene|mode)",
        ],
        "de": ["{scene}", "(starte|aktiviere) [die] Szene {scene}"],
        "fr": ["{scene}", "(lance|active|mets) (l'ambiance|le mode) {scene}"],
        "es": ["{scene}", "(inicia|activa|pon) la escena {scene}"],
        "vi": ["{scene}", "(bật|chạy|bắt đầu) cảnh {scene}"],
    },
    effect="idempotent",
)
def start_scene(input: SceneWanted, messages: list[Message]) -> SceneUnderWay:
    """Set lights, heating and alarm at once."""
    found = SCENES.find(input.scene)
    if found is None:
        language = language_of(_ctx())
        raise ValueError(
            _SAYINGS.say("unknown", language, scene=input.scene, scenes=listed(SCENES.titles(language), language))
        )
    return SceneUnderWay(title=found.called("en"), alarm=found.alarm)


@tool(chained_to=start_scene, effect="idempotent", resources=_lamps, allowed=True)
def scene_lights(input: SceneUnderWay, messages: list[Message]) -> SceneUnderWay:
    """Set the lights of the scene."""
    house_of(_ctx()).lights.update(_scene(input).lights)
    return input


@tool(chained_to=scene_lights, effect="idempotent", resources=_thermostat, allowed=True)
def scene_heating(input: SceneUnderWay, messages: list[Message]) -> SceneUnderWay:
    """Set the heating of the scene."""
    celsius = _scene(input).celsius
    if celsius is not None:
        house_of(_ctx()).thermostat_c = celsius
    return input


@tool(chained_to=scene_heating, chain_condition=SceneUnderWay.arms, effect="read")
def scene_doors(input: SceneUnderWay, messages: list[Message]) -> SceneUnderWay:
    """See which doors are open before the alarm goes on."""
    return SceneUnderWay(title=input.title, alarm=input.alarm, open_doors=tuple(house_of(_ctx()).open_doors()))


@tool(
    chained_to=[(scene_doors, SceneUnderWay.may_arm), (scene_heating, SceneUnderWay.disarms)],
    effect="idempotent",
    resources=("device:alarm",),
    allowed=True,
)
def scene_alarm(input: SceneUnderWay, messages: list[Message]) -> SceneUnderWay:
    """Turn the alarm on or off."""
    house, on = house_of(_ctx()), bool(input.alarm)
    changed, house.alarm_on = house.alarm_on != on, on
    return SceneUnderWay(title=input.title, alarm=input.alarm, alarm_changed=changed)


@tool(chained_to=[scene_alarm, (scene_heating, SceneUnderWay.leaves_the_alarm)], says=VALUE, final=True, effect="read")
def scene_set(input: SceneUnderWay, messages: list[Message]) -> Str:
    """Say that the scene is set."""
    language = language_of(_ctx())
    return Str(value=_told(input, language) + (f" {alarm_state(bool(input.alarm), language)}" * input.alarm_changed))


@tool(chained_to=[(scene_doors, SceneUnderWay.has_an_open_door)], says=VALUE, final=True, effect="read")
def scene_without_alarm(input: SceneUnderWay, messages: list[Message]) -> Str:
    """Say which door keeps the alarm off."""
    language = language_of(_ctx())
    doors = doors_said(list(input.open_doors), language)
    return Str(value=f"{_told(input, language)} {_SAYINGS.say('no_alarm', language, doors=doors)}")


SCENE_CHAIN = [start_scene, scene_lights, scene_heating, scene_doors, scene_alarm, scene_set, scene_without_alarm]
"""What one sentence sets in motion, link after link, without a model."""


def _ctx() -> AgentContext | None:
    run = current_run()
    return run.ctx if run is not None else None


def _scene(under_way: SceneUnderWay) -> Scene:
    found = SCENES.find(under_way.title)
    if found is None:  # taken out of the book while its chain ran
        raise ValueError(f"the scene {under_way.title} is gone")
    return found


def _told(under_way: SceneUnderWay, language: str) -> str:
    """Say what lights and heating are like now."""
    scene = _scene(under_way)
    own = scene.replies.get(base_language(language))
    return own or capital(_SAYINGS.say("done", language, scene=scene.called(language)))


@tool(
    phrases={
        "en": ["(which|what) scenes (are there|do you (know|have))", "(list|show) [me] [all] [the|my] scenes"],
        "de": ["welche Szenen (gibt es|kennst du|hast du)", "(zeig|zeige|nenne) [mir] die Szenen"],
        "fr": ["quelles (ambiances|scènes) (y a-t-il|connais-tu)", "(liste|montre) [moi] les (ambiances|scènes)"],
        "es": ["qué escenas (hay|conoces|tienes)", "(lista|dime|enséñame) las escenas"],
        "vi": ["[đang] có những cảnh nào", "liệt kê [các] cảnh"],
    },
    says=RESULT,
    effect="read",
)
def list_scenes(ctx: AgentContext | None = None) -> str:
    """Say which scenes there are."""
    language = language_of(ctx)
    return _SAYINGS.say("scenes", language, scenes=listed(SCENES.titles(language), language))
