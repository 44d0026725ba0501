"""The scenes of the home agent: *good night*, *movie time*, *I'm leaving* set several lights and the heating at once.

Add your own with `SCENES.add(Scene(...))` before `APP.run()`.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from edgevox.core.session import AgentContext
from edgevox.examples.agents.house import ROOMS, house_of
from edgevox.examples.agents.sayings import RESULT, Sayings, capital, language_of, listed
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
    en={"done": "{scene} is set.", "scenes": "The scenes are {scenes}.",
        "unknown": "there is no scene called {scene}; there are {scenes}"},
    de={"done": "{scene} ist eingestellt.", "scenes": "Es gibt die Szenen {scenes}.",
        "unknown": "es gibt keine Szene {scene}; es gibt {scenes}"},
    fr={"done": "C'est réglé : {scene}.", "scenes": "Les ambiances sont {scenes}.",
        "unknown": "il n'y a pas d'ambiance {scene} ; il y a {scenes}"},
    es={"done": "Listo: {scene}.", "scenes": "Las escenas son {scenes}.",
        "unknown": "no hay ninguna escena {scene}; hay {scenes}"},
    vi={"done": "Đã đặt: {scene}.", "scenes": "Có các cảnh {scenes}.",
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


def _touched(arguments: Mapping[str, Any], ctx: AgentContext | None) -> list[str]:  # noqa: ARG001 - asked with both
    """The devices that a scene sets."""
    found = SCENES.find(arguments["scene"])
    if found is None:
        return []
    others = {"thermostat": found.celsius, "alarm": found.alarm}
    return [
        *(f"device:light/{room}" for room in found.lights),
        *(f"device:{name}" for name, value in others.items() if value is not None),
    ]


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
    says=RESULT,
    effect="idempotent",
    resources=_touched,
    allowed=True,
)
def start_scene(scene: SceneName, ctx: AgentContext | None = None) -> str:
    """Set several lights and the heating at once.

    Args:
        scene: "good night", "good morning", "movie time", "I'm leaving", "I'm home", or one of the person's own
        ctx: of the run
    """
    language = language_of(ctx)
    found = SCENES.find(scene)
    if found is None:
        raise ValueError(
            _SAYINGS.say("unknown", language, scene=scene, scenes=listed(SCENES.titles(language), language))
        )
    house = house_of(ctx)
    house.lights.update(found.lights)
    if found.celsius is not None:
        house.thermostat_c = found.celsius
    own = found.replies.get(base_language(language))
    return own or capital(_SAYINGS.say("done", language, scene=found.called(language)))


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
