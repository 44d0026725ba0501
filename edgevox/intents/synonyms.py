"""Words that stand for each other in a command, language by language. Tables only.

A phrase is written with the verb its author thought of; people have others. Words of one class are taken for each
other at a small cost, and only where everything else of a phrase is said, so that *flip on the kitchen lamp* is
*turn on the kitchen light*.
"""

from collections.abc import Mapping

from edgevox.intents.lexicons import base_language

_CLASSES: Mapping[str, tuple[str, ...]] = {
    "en": (
        "turn switch flip put", "turn rotate spin pivot swivel turning", "turn turning", "switch switching",
        "go drive move head navigate travel walk run roll ride proceed come cruise going driving moving",
        "light lights lamp lamps lighting bulb", "thermostat heating heater heat radiator",
        "cancel delete remove clear scrap dismiss abort erase cancelling canceling", "list show read name",
        "set start create begin make put setting starting", "start launch activate run begin trigger",
        "change adjust set", "room rooms", "place places", "battery charge", "position location pose whereabouts",
        "dock charger base", "find search", "calculate compute", "note memo", "grab take grip grasp get fetch",
        "gripper hand claw fingers", "put place drop lay leave set", "cube block", "timer countdown",
        "tell give show", "check see", "scene mode", "meter meters metre metres", "convert turn change",
    ),
    "de": (
        "schalte schalt mach mache knips stell stelle schalten", "fahr fahre geh gehe lauf laufe komm komme roll rolle",
        "stelle stell setze setz starte start mach mache leg lege", "licht lampe lichter lampen beleuchtung",
        "lösche lösch stoppe stopp beende storniere entferne", "zeig zeige nenne sag sage lies liste",
        "timer wecker countdown kurzzeitwecker", "heizung thermostat", "dreh drehe biege bieg wende wend",
        "nimm greif greife schnapp hol hole heb hebe", "leg lege stell stelle setz setze pack packe", "kiste box",
        "akku batterie", "dreh drehe stell stelle mach mache", "zimmer räume", "würfel klotz",
    ),
    "fr": (
        "mets mettez règle fixe place mettre", "va vas allez roule conduis file aller", "annule arrête supprime efface",
        "lumière lumières lampe lampes éclairage", "minuteur timer minuterie", "montre liste donne dis lis",
        "tourne pivote vire", "prends attrape saisis ramasse prendre", "pose mets place dépose",
        "mets lance démarre règle", "batterie charge", "chauffage thermostat", "avance roule",
    ),
    "es": (
        "pon ajusta fija coloca establece ponme poner ponga", "ve vete anda conduce ir vaya",
        "luz luces lámpara lámparas",
        "temporizador timer cronómetro", "cancela quita borra elimina anula",
        "muestra lista dime enséñame lee muéstrame",
        "gira rota voltea girar", "coge toma agarra recoge", "pon deja coloca suelta mete", "batería carga",
        "pon inicia programa activa empieza", "calefacción termostato", "avanza muévete anda",
    ),
    "vi": (
        "đặt hẹn cài bấm", "đi chạy lái di", "đèn điện", "hủy xóa bỏ", "quay rẽ xoay", "nhặt lấy cầm gắp",
        "để đặt thả", "liệt xem kể", "pin ắc",
    ),
}  # fmt: skip


def synonyms(language: str) -> Mapping[str, frozenset[str]]:
    """Return for each word those that it may stand for."""
    found: dict[str, set[str]] = {}
    for line in _CLASSES.get(base_language(language), ()):
        words = line.split()
        for word in words:
            found.setdefault(word, set()).update(other for other in words if other != word)
    return {word: frozenset(others) for word, others in found.items()}
