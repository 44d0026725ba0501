"""What people ask every robot, and what it answers: where it is, and how much charge is left."""

from collections.abc import Mapping, Sequence

POSE_PHRASES: Mapping[str, Sequence[str]] = {
    "en": ["where are you", "what is your (position|pose|location)", "where is the robot"],
    "de": ["wo bist du", "was ist deine Position"],
    "fr": ["où es-tu", "quelle est ta position"],
    "es": ["dónde estás", "cuál es tu posición"],
    "vi": ["bạn đang ở đâu", "vị trí của bạn"],
}
POSE_SAYS: Mapping[str, str] = {
    "en": "I am at x {result.x}, y {result.y}, heading {result.heading_deg} degrees.",
    "de": "Ich bin bei x {result.x}, y {result.y}, Richtung {result.heading_deg} Grad.",
    "fr": "Je suis à x {result.x}, y {result.y}, cap {result.heading_deg} degrés.",
    "es": "Estoy en x {result.x}, y {result.y}, rumbo {result.heading_deg} grados.",
    "vi": "Tôi ở x {result.x}, y {result.y}, hướng {result.heading_deg} độ.",
}
BATTERY_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(what is|how is|check) [your|the] battery [level|charge]",
        "battery (level|status|charge)",
        "how much battery [do you have|is left]",
        "what is your battery level",
    ],
    "de": ["wie voll ist (der|dein) Akku", "wie ist dein Akkustand"],
    "fr": ["quel est [le] niveau de [ta|la] batterie"],
    "es": ["cuánta batería (tienes|queda)"],
    "vi": ["[còn] bao nhiêu pin", "pin còn bao nhiêu"],
}
BATTERY_SAYS: Mapping[str, str] = {
    "en": "The battery is at {result.battery_pct} percent.",
    "de": "Der Akku ist bei {result.battery_pct} Prozent.",
    "fr": "La batterie est à {result.battery_pct} pour cent.",
    "es": "La batería está al {result.battery_pct} por ciento.",
    "vi": "Pin còn {result.battery_pct} phần trăm.",
}
