"""What people ask the robots, and what they answer: where they are, how much charge is left, and how to drive."""

from collections.abc import Mapping, Sequence

from edgevox.examples.agents.sayings import Sayings
from edgevox.intents.lexicons import for_language
from edgevox.intents.replies import said

POSE_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "where are you [now|right now]",
        "(what is|tell me) your [current] (position|pose|location)",
        "tell me where you are",
        "where is the robot",
        "which (room|way) are you (in|facing)",
    ],
    "de": ["wo bist du [gerade|jetzt]", "(was|wie) ist deine Position", "sag mir wo du bist", "wo ist der Roboter",
           "wo stehst du [gerade]"],
    "fr": ["où es-tu [maintenant]", "tu es où", "quelle est ta position", "dis-moi où tu es", "où est le robot"],
    "es": ["dónde estás [ahora]", "cuál es tu posición", "dime dónde estás", "dónde está el robot"],
    "vi": ["bạn [đang] ở đâu", "vị trí của bạn [là gì|ở đâu]", "robot [đang] ở đâu"],
}  # fmt: skip
POSE_SAYS: Mapping[str, str] = {
    "en": "I am at x {result.x}, y {result.y}, heading {result.heading_deg} degrees.",
    "de": "Ich bin bei x {result.x}, y {result.y}, Richtung {result.heading_deg} Grad.",
    "fr": "Je suis à x {result.x}, y {result.y}, cap {result.heading_deg} degrés.",
    "es": "Estoy en x {result.x}, y {result.y}, rumbo {result.heading_deg} grados.",
    "vi": "Tôi ở x {result.x}, y {result.y}, hướng {result.heading_deg} độ.",
}
BATTERY_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(what is|how is|check) [your|the] battery [level|charge|status]",
        "battery (level|status|charge)",
        "how much (battery|charge|power) [do you have|is] [left]",
        "how is your charge",
        "(are you|is your battery|is the battery) low [on battery]",
        "do you (have enough battery|need to charge|need charging)",
        "how (full|charged) (is your battery|are you)",
    ],
    "de": [
        "wie voll ist (der|dein) Akku [noch]",
        "wie ist dein (Akkustand|Ladestand)",
        "wie viel Akku hast du [noch]",
        "(Akkustand|Ladestand|Batteriestand)",
        "(reicht|ist) (der|dein) Akku [noch|leer]",
    ],
    "fr": [
        "quel est le niveau de [ta|la] batterie",
        "combien de batterie (te reste-t-il|as-tu|reste-t-il)",
        "il te reste combien de batterie",
        "niveau de batterie",
        "ta batterie est à combien",
    ],
    "es": [
        "cuánta batería (tienes|queda|te queda)",
        "(cómo está|cuál es) [el nivel de] [la|tu] batería",
        "nivel de batería",
    ],
    "vi": ["[bạn] còn bao nhiêu pin", "pin còn (bao nhiêu|nhiều không)", "[kiểm tra] (mức pin|pin)"],
}
BATTERY_SAYS: Mapping[str, str] = {
    "en": "The battery is at {result.battery_pct} percent.",
    "de": "Der Akku ist bei {result.battery_pct} Prozent.",
    "fr": "La batterie est à {result.battery_pct} pour cent.",
    "es": "La batería está al {result.battery_pct} por ciento.",
    "vi": "Pin còn {result.battery_pct} phần trăm.",
}

FORWARD_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(move|drive|go|roll) [forward|forwards|ahead|straight|straight ahead] {meters}",
        "(move|drive|go|roll) {meters} (forward|forwards|ahead|straight|to the front)",
        "(forward|ahead|straight) {meters}",
        "{meters} (forward|forwards|ahead)",
    ],
    "de": [
        "(fahre|fahr|bewege dich|geh) {meters} [nach] (vor|vorwärts|vorne|geradeaus|weiter)",
        "(fahre|fahr|geh) (vorwärts|geradeaus|vor) {meters}",
        "(fahre|fahr) {meters}",
        "{meters} (vor|vorwärts|geradeaus|nach vorne)",
    ],
    "fr": [
        "(avance|roule|va) [tout droit] [de] {meters} [en avant|tout droit]",
        "(avance|roule) tout droit [de] {meters}",
        "{meters} (en avant|tout droit)",
    ],
    "es": [
        "(avanza|adelante|muévete|camina|ve) [recto|hacia delante] {meters} [hacia delante|recto]",
        "{meters} (adelante|hacia delante)",
    ],
    "vi": ["(tiến|đi|chạy) [tới|thẳng|lên|về phía trước] {meters}", "(tiến|đi|chạy) {meters} về phía trước"],
}
TURN_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(turn|rotate|spin) [to the] {direction} [by] {degrees}",
        "(turn|rotate|spin) [by] {degrees} [to the] {direction}",
        "(turn|rotate|spin|go) [to the] {direction}",
        "(turn|rotate|spin) [by] {degrees}",
        "(make|take) a {direction} [turn]",
        "{degrees} [to the] {direction}",
    ],
    "de": [
        "(drehe|dreh) [dich] [um] {degrees} {direction}",
        "(drehe|dreh) [dich] {direction} [um] {degrees}",
        "(drehe|dreh|biege|bieg|fahr) [dich] {direction} [ab]",
        "{degrees} {direction}",
    ],
    "fr": [
        "(tourne|pivote) [de] {degrees} [vers la] {direction}",
        "(tourne|pivote) {direction} [de] {degrees}",
        "(tourne|pivote|va) [vers la] {direction}",
    ],
    "es": [
        "(gira|rota|dobla) {degrees} {direction}",
        "(gira|rota|dobla) {direction} {degrees}",
        "(gira|rota|dobla|da la vuelta) [hacia la] {direction}",
    ],
    "vi": [
        "(quay|xoay|rẽ) [sang|qua] [bên] {direction} {degrees}",
        "(quay|xoay|rẽ) {degrees} [sang|qua] [bên] {direction}",
        "(quay|xoay|rẽ) [sang|qua] [bên] {direction}",
    ],
}
HOME_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(go|drive|come|return|head) [back] (home|to base|to the base|to (the|your) dock)",
        "(go|drive|return) [back] to [the|your] (charger|charging station|station)",
        "go back [to the start]",
        "dock [yourself]",
        "(go and|go) (charge|recharge)",
    ],
    "de": [
        "(fahre|fahr|geh|komm) (nach Hause|zurück|heim)",
        "(fahre|fahr|geh) zurück (zur Station|zur Ladestation|zum Start|nach Hause)",
        "(zurück zur|ab zur|zur) (Station|Ladestation|Basis)",
    ],
    "fr": [
        "(rentre|retourne|reviens) [à (la base|la maison|la station|ta base)]",
        "va (te recharger|à la base)",
    ],
    "es": [
        "(vuelve|ve|regresa) a (casa|la base|la estación)",
        "(vuelve|regresa)",
        "ve a cargarte",
    ],
    "vi": ["(về|quay về|trở về|đi về) (nhà|trạm|trạm sạc|đế sạc)"],
}

_SAYINGS = Sayings(
    en={
        "moved": "Moved forward {distance}.",
        "range": "I can drive between 0 and {farthest} meters at a time, not {meters}",
        "battery": "the battery has {left} percent left and {meters} meters need {cost}",
    },
    de={
        "moved": "{distance} vorwärts gefahren.",
        "range": "ich kann auf einmal zwischen 0 und {farthest} Meter fahren, nicht {meters}",
        "battery": "der Akku hat noch {left} Prozent, und {meters} Meter brauchen {cost}",
    },
    fr={
        "moved": "J'ai avancé de {distance}.",
        "range": "je peux avancer de 0 à {farthest} mètres à la fois, pas de {meters}",
        "battery": "il reste {left} pour cent de batterie et {meters} mètres en demandent {cost}",
    },
    es={
        "moved": "He avanzado {distance}.",
        "range": "puedo avanzar entre 0 y {farthest} metros cada vez, no {meters}",
        "battery": "queda un {left} por ciento de batería y {meters} metros necesitan {cost}",
    },
    vi={
        "moved": "Đã tiến {distance}.",
        "range": "mỗi lần tôi chỉ đi được từ 0 đến {farthest} mét, không phải {meters}",
        "battery": "pin còn {left} phần trăm, mà {meters} mét cần {cost}",
    },
)


def about_rover(name: str, language: str, **values: object) -> str:
    """Say what became of an order to drive."""
    return _SAYINGS.say(name, language, **values)


def distance_said(meters: float, language: str) -> str:
    """Say a distance with its unit: `1 meter`, `2,5 Meter`."""
    lexicon = for_language(language)
    one, _, many = lexicon.counted.get("m", "meter|meters").partition("|")
    return f"{said(meters, lexicon)} {one if meters == 1 else many}"
