"""The four rooms of the demo worlds and how people call them, so that a house and a robot hear the same names.

As arguments rooms are English identifiers; ears and mouths use the language's own names, the first one for replies.
"""

from typing import Annotated, Literal

from edgevox.intents import Spoken

RoomName = Literal["living_room", "kitchen", "bedroom", "office"]

Names = dict[str, list[str]]

NAMES: dict[str, Names] = {
    "en": {
        "living_room": ["living room", "lounge", "sitting room"],
        "kitchen": ["kitchen"],
        "bedroom": ["bedroom", "bed room"],
        "office": ["office", "study"],
    },
    "de": {
        "living_room": ["Wohnzimmer", "Stube"],
        "kitchen": ["Küche"],
        "bedroom": ["Schlafzimmer"],
        "office": ["Büro", "Arbeitszimmer"],
    },
    "fr": {
        "living_room": ["salon", "séjour"],
        "kitchen": ["cuisine"],
        "bedroom": ["chambre"],
        "office": ["bureau"],
    },
    "es": {
        "living_room": ["salón", "sala", "sala de estar"],
        "kitchen": ["cocina"],
        "bedroom": ["dormitorio", "habitación"],
        "office": ["oficina", "despacho"],
    },
    "vi": {
        "living_room": ["phòng khách"],
        "kitchen": ["nhà bếp", "phòng bếp", "bếp"],
        "bedroom": ["phòng ngủ"],
        "office": ["phòng làm việc", "văn phòng"],
    },
}
"""Language to room to names."""

GERMAN_LIGHTS = {
    "living_room": "Wohnzimmerlicht",
    "kitchen": "Küchenlicht",
    "bedroom": "Schlafzimmerlicht",
    "office": "Bürolicht",
}
"""German has one word for the light of a room."""

LIT_NAMES = NAMES | {"de": {room: [*names, GERMAN_LIGHTS[room]] for room, names in NAMES["de"].items()}}

IN_ROOM: dict[str, dict[str, str]] = {
    "en": {
        "living_room": "in the living room", "kitchen": "in the kitchen", "bedroom": "in the bedroom",
        "office": "in the office",
    },
    "de": {
        "living_room": "im Wohnzimmer", "kitchen": "in der Küche", "bedroom": "im Schlafzimmer", "office": "im Büro",
    },
    "fr": {
        "living_room": "du salon", "kitchen": "de la cuisine", "bedroom": "de la chambre", "office": "du bureau",
    },
    "es": {
        "living_room": "del salón", "kitchen": "de la cocina", "bedroom": "del dormitorio", "office": "de la oficina",
    },
    "vi": {
        "living_room": "phòng khách", "kitchen": "nhà bếp", "bedroom": "phòng ngủ", "office": "phòng làm việc",
    },
}  # fmt: skip
"""Language to room to what follows *the light*, with its article."""


WHICH_ROOM = {
    "en": "Which room?", "de": "Welcher Raum?", "fr": "Quelle pièce ?", "es": "¿Qué habitación?", "vi": "Phòng nào?",
}  # fmt: skip
"""How a person is asked for a room that was not said."""


def _spoken(names: dict[str, Names]) -> Spoken:
    return Spoken(ask=WHICH_ROOM, en=names["en"], de=names["de"], fr=names["fr"], es=names["es"], vi=names["vi"])


Room = Annotated[RoomName, _spoken(NAMES)]

LitRoom = Annotated[RoomName, _spoken(LIT_NAMES)]
"""A room by its own name or by the name of its light."""
