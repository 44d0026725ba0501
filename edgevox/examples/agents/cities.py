"""The cities of the demo weather, and how other languages call them."""

from typing import Annotated

from edgevox.examples.agents.house import DEMO_WEATHER
from edgevox.intents import Spoken

City = Annotated[
    str,
    Spoken(
        list(DEMO_WEATHER),
        de={
            "Athens": "Athen", "Beijing": "Peking", "Lisbon": "Lissabon", "Mexico City": "Mexiko-Stadt",
            "Moscow": "Moskau",
            "Munich": "München", "Prague": "Prag", "Rome": "Rom", "Singapore": "Singapur", "Vienna": "Wien",
            "Warsaw": "Warschau", "Zurich": "Zürich", "Tokyo": "Tokio", "Cairo": "Kairo",
        },
        fr={
            "Athens": "Athènes", "Barcelona": "Barcelone", "Beijing": "Pékin", "Cairo": "Le Caire",
            "Lisbon": "Lisbonne",
            "London": "Londres", "Mexico City": "Mexico", "Montreal": "Montréal", "Moscow": "Moscou",
            "Prague": "Prague",
            "Rome": "Rome", "Seoul": "Séoul", "Singapore": "Singapour", "Vienna": "Vienne", "Warsaw": "Varsovie",
        },
        es={
            "Athens": "Atenas", "Beijing": "Pekín", "Berlin": "Berlín", "Cairo": "El Cairo", "Dublin": "Dublín",
            "Istanbul": "Estambul", "Lisbon": "Lisboa", "London": "Londres", "Mexico City": "Ciudad de México",
            "Moscow": "Moscú", "New York": "Nueva York", "Paris": "París", "Prague": "Praga", "Rome": "Roma",
            "Stockholm": "Estocolmo", "Vienna": "Viena", "Warsaw": "Varsovia", "Tokyo": "Tokio", "Zurich": "Zúrich",
        },
        vi={
            "Beijing": "Bắc Kinh", "Da Nang": "Đà Nẵng", "Hanoi": "Hà Nội", "Ho Chi Minh City": "thành phố Hồ Chí Minh",
            "London": "Luân Đôn", "Moscow": "Mát-xcơ-va", "Paris": "Pa-ri",
        },
    ),
]  # fmt: skip
"""A city as an argument: any text for a model, the table's names for ears."""
