"""How people call the things and places of the table-top world, and how an arm says where something is.

As arguments they are the names of the model; ears and mouths use the language's own, the first one for replies.
"""

from collections.abc import Mapping, Sequence

Names = Mapping[str, Sequence[str]]

THINGS: Mapping[str, Names] = {
    "en": {
        "red_cube": ["red cube", "red block", "red one"],
        "green_cube": ["green cube", "green block", "green one"],
        "yellow_cube": ["yellow cube", "yellow block", "yellow one"],
        "blue_cylinder": ["blue cylinder", "cylinder", "blue can", "blue one"],
    },
    "de": {
        "red_cube": ["rote Würfel", "roten Würfel", "roter Würfel", "roten Block"],
        "green_cube": ["grüne Würfel", "grünen Würfel", "grüner Würfel", "grünen Block"],
        "yellow_cube": ["gelbe Würfel", "gelben Würfel", "gelber Würfel", "gelben Block"],
        "blue_cylinder": ["blaue Zylinder", "blauen Zylinder", "blauer Zylinder", "Zylinder"],
    },
    "fr": {
        "red_cube": ["cube rouge", "bloc rouge"],
        "green_cube": ["cube vert", "bloc vert"],
        "yellow_cube": ["cube jaune", "bloc jaune"],
        "blue_cylinder": ["cylindre bleu", "cylindre"],
    },
    "es": {
        "red_cube": ["cubo rojo", "bloque rojo"],
        "green_cube": ["cubo verde", "bloque verde"],
        "yellow_cube": ["cubo amarillo", "bloque amarillo"],
        "blue_cylinder": ["cilindro azul", "cilindro"],
    },
    "vi": {
        "red_cube": ["khối đỏ", "khối vuông đỏ"],
        "green_cube": ["khối xanh lá", "khối vuông xanh lá"],
        "yellow_cube": ["khối vàng", "khối vuông vàng"],
        "blue_cylinder": ["hình trụ xanh", "khối trụ xanh"],
    },
}
"""Language to thing to names; a German name is the one that follows *der*, first."""

PLACES: Mapping[str, Names] = {
    "en": {
        "bin": ["bin", "box", "container", "basket"],
        "tray": ["tray", "plate"],
        "left": ["left", "left side"],
        "right": ["right", "right side"],
        "middle": ["middle", "center", "centre"],
    },
    "de": {
        "bin": ["Kiste", "Behälter", "Korb"],
        "tray": ["Tablett", "Ablage"],
        "left": ["links", "linke Seite"],
        "right": ["rechts", "rechte Seite"],
        "middle": ["Mitte"],
    },
    "fr": {
        "bin": ["bac", "boîte", "caisse"],
        "tray": ["plateau"],
        "left": ["gauche"],
        "right": ["droite"],
        "middle": ["milieu", "centre"],
    },
    "es": {
        "bin": ["caja", "cesta", "contenedor"],
        "tray": ["bandeja"],
        "left": ["izquierda"],
        "right": ["derecha"],
        "middle": ["centro", "medio"],
    },
    "vi": {
        "bin": ["thùng", "hộp"],
        "tray": ["khay"],
        "left": ["bên trái", "trái"],
        "right": ["bên phải", "phải"],
        "middle": ["ở giữa", "giữa"],
    },
}

WHERE: Mapping[str, Mapping[str, str]] = {
    "en": {
        "bin": "in the bin",
        "tray": "on the tray",
        "left": "on the left",
        "right": "on the right",
        "middle": "in the middle",
        "table": "on the table",
        "gripper": "in the gripper",
        "floor": "on the floor",
    },
    "de": {
        "bin": "in der Kiste",
        "tray": "auf dem Tablett",
        "left": "links",
        "right": "rechts",
        "middle": "in der Mitte",
        "table": "auf dem Tisch",
        "gripper": "im Greifer",
        "floor": "auf dem Boden",
    },
    "fr": {
        "bin": "dans le bac",
        "tray": "sur le plateau",
        "left": "à gauche",
        "right": "à droite",
        "middle": "au milieu",
        "table": "sur la table",
        "gripper": "dans la pince",
        "floor": "par terre",
    },
    "es": {
        "bin": "en la caja",
        "tray": "en la bandeja",
        "left": "a la izquierda",
        "right": "a la derecha",
        "middle": "en el centro",
        "table": "sobre la mesa",
        "gripper": "en la pinza",
        "floor": "en el suelo",
    },
    "vi": {
        "bin": "trong thùng",
        "tray": "trên khay",
        "left": "ở bên trái",
        "right": "ở bên phải",
        "middle": "ở giữa",
        "table": "trên bàn",
        "gripper": "trong tay kẹp",
        "floor": "dưới sàn",
    },
}
"""What the world calls where a thing is, as it is said."""


def thing_name(name: str, language: str) -> str:
    """Return what a thing is called in a language; a thing nobody named is called as the model spells it."""
    ways = THINGS.get(language, THINGS["en"]).get(name)
    return ways[0] if ways else name.replace("_", " ")


ARTICLES: Mapping[str, str] = {"en": "the ", "de": "den ", "fr": "le ", "es": "el "}


def seen_name(name: str, language: str) -> str:
    """Return a thing as one says that one sees it: with its article, in German in the accusative."""
    ways = THINGS["de"].get(name, ())
    said = ways[1] if language == "de" and len(ways) > 1 else thing_name(name, language)
    return f"{ARTICLES.get(language, '')}{said}"


def where_words(place: str, language: str) -> str:
    """Return how it is said that something is in a place."""
    return WHERE.get(language, WHERE["en"]).get(place, place.replace("_", " "))
