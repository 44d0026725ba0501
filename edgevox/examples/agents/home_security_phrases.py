"""How people ask the home agent for doors and the alarm, in five languages. Words only."""

from collections.abc import Mapping, Sequence
from typing import Any

Phrases = Mapping[str, Sequence[str]]

Names = Mapping[str, Any]

DOOR_NAMES: Names = {
    "en": {"front_door": ["front door", "main door", "entrance"], "back_door": ["back door", "garden door"]},
    "de": {"front_door": ["Haustür", "Eingangstür"], "back_door": ["Hintertür", "Gartentür"]},
    "fr": {"front_door": ["porte d'entrée"], "back_door": ["porte de derrière", "porte du jardin"]},
    "es": {"front_door": ["puerta principal", "puerta de entrada"],
           "back_door": ["puerta trasera", "puerta del jardín"]},
    "vi": {"front_door": ["cửa trước", "cửa chính"], "back_door": ["cửa sau"]},
}  # fmt: skip
"""Language to door to names."""

_ALARM_NAMES: Mapping[str, list[str]] = {
    "en": ["alarm", "burglar alarm", "house alarm", "alarm system"],
    "de": ["Alarmanlage"],
    "fr": ["alarme", "l'alarme"],
    "es": ["alarma"],
    "vi": ["báo động"],
}
SECURED_NAMES: Names = {language: {**names, "alarm": _ALARM_NAMES[language]} for language, names in DOOR_NAMES.items()}
"""Language to what can be asked about to names."""

THE_DOOR: Mapping[str, Mapping[str, str]] = {
    "en": {"front_door": "the front door", "back_door": "the back door"},
    "de": {"front_door": "die Haustür", "back_door": "die Hintertür"},
    "fr": {"front_door": "la porte d'entrée", "back_door": "la porte de derrière"},
    "es": {"front_door": "la puerta principal", "back_door": "la puerta trasera"},
    "vi": {"front_door": "cửa trước", "back_door": "cửa sau"},
}
"""Language to door as it stands in a sentence."""

WHICH_DOOR = {
    "en": "Which door?", "de": "Welche Tür?", "fr": "Quelle porte ?", "es": "¿Qué puerta?", "vi": "Cửa nào?",
}  # fmt: skip

OPENING: Names = {
    "en": {True: ["open", "unlock"], False: ["close", "shut", "lock"]},
    "de": {True: ["öffne", "auf", "auf machen"], False: ["schließe", "schließ", "zu", "zu machen"]},
    "fr": {True: ["ouvre"], False: ["ferme"]},
    "es": {True: ["abre"], False: ["cierra"]},
    "vi": {True: ["mở"], False: ["đóng"]},
}

ARMING: Names = {
    "en": {True: ["arm", "set", "activate"], False: ["disarm", "deactivate"]},
    "de": {True: ["scharf"]},
}

DOOR_PHRASES: Phrases = {
    "en": ["{opened} [the] {door}"],
    "de": ["{opened} [die] {door}", "(mach|mache) [die] {door} {opened}"],
    "fr": ["{opened} [la] {door}"],
    "es": ["{opened} [la] {door}"],
    "vi": ["{opened} {door}"],
}
ALARM_QUESTIONS: Mapping[str, str] = {
    "en": "Shall I turn the alarm {on}?",
    "de": "Soll ich die Alarmanlage schalten: {on}?",
    "fr": "Dois-je régler l'alarme : {on} ?",
    "es": "¿Pongo la alarma: {on}?",
    "vi": "Đặt báo động: {on}, đúng không?",
}
"""Asked where a model wants it: one may have taken a sentence for its opposite."""

STATUS_PHRASES: Phrases = {
    "en": [
        "is the {thing} [still] (open|closed|shut|locked|on|off|set|armed)",
        "(check|check on|how is) the {thing}",
        "(are|which|what) [of] [the] doors [are] [still] open",
        "(are|is) (any|all) [of] [the] (door|doors) [still] (open|closed|shut|locked)",
    ],
    "de": [
        "ist [die] {thing} [noch] (offen|auf|zu|geschlossen|abgeschlossen|an|aus|scharf)",
        "welche (Tür|Türen) (ist|sind) [noch] (offen|auf)",
        "sind [alle] [die] Türen [noch] (offen|auf|zu|geschlossen)",
    ],
    "fr": [
        "[est-ce que] [la] {thing} est [encore] (ouverte|fermée|activée|désactivée|allumée)",
        "quelles portes sont [encore] ouvertes",
        "[est-ce que] [toutes] les portes sont (ouvertes|fermées)",
    ],
    "es": [
        "está [todavía] (abierta|cerrada|activada|encendida|desactivada) la {thing}",
        "qué puertas están [todavía] abiertas",
        "están [todas] (abiertas|cerradas) las puertas",
    ],
    "vi": ["{thing} (đang mở|đang đóng|có mở|đã đóng|đang bật|đang tắt|có bật) [không|chưa]", "cửa nào đang mở"],
}
ALARM_PHRASES: Phrases = {
    "en": [
        "(turn|switch) {on} [the] [burglar|house] alarm [system]",
        "(turn|switch) [the] [burglar|house] alarm [system] {on}",
        "[the] (burglar alarm|house alarm|alarm system) {on}",
        "{on} [the] (burglar alarm|house alarm|alarm system|alarm|house)",
    ],
    "de": ["(schalte|schalt|mach|mache) [die|den] (Alarmanlage|Alarm) {on}", "(Alarmanlage|Alarm) {on}"],
    "fr": ["{on} (l'alarme|alarme)"],
    "es": ["{on} [la] alarma"],
    "vi": ["{on} (báo động|còi báo động|hệ thống báo động)"],
}
