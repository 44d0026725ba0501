"""The four rooms of the demo worlds and how people call them, so that a house and a robot hear the same names."""

from typing import Annotated, Literal

from edgevox.intents import Spoken

RoomName = Literal["living_room", "kitchen", "bedroom", "office"]

Room = Annotated[
    RoomName,
    Spoken(
        en={
            "living_room": ["living room", "lounge", "sitting room"],
            "bedroom": ["bedroom", "bed room"],
            "office": ["office", "study"],
        },
        de={
            "living_room": ["Wohnzimmer", "Stube"],
            "kitchen": "Küche",
            "bedroom": "Schlafzimmer",
            "office": ["Büro", "Arbeitszimmer"],
        },
        fr={
            "living_room": ["salon", "séjour"],
            "kitchen": "cuisine",
            "bedroom": "chambre",
            "office": "bureau",
        },
        es={
            "living_room": ["salón", "sala", "sala de estar"],
            "kitchen": "cocina",
            "bedroom": ["dormitorio", "habitación"],
            "office": ["oficina", "despacho"],
        },
        vi={
            "living_room": "phòng khách",
            "kitchen": ["nhà bếp", "phòng bếp", "bếp"],
            "bedroom": "phòng ngủ",
            "office": ["phòng làm việc", "văn phòng"],
        },
    ),
]
"""A room as an argument: the English identifier for tools, the language's own name for ears and mouths."""
