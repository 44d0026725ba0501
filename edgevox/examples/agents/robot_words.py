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
        "where (are you|do you stand) [now|right now|at the moment|exactly|currently|at]",
        "where (exactly|are you standing) [are you]",
        "what are your [current] coordinates",
        "(what is|tell me|give me|report|say|show me) your [current] (position|pose|location|coordinates|whereabouts)",
        "[your|report] [current] (position|location|pose)",
        "(what|which) direction are you (facing|heading|looking|pointing)",
        "(what is|tell me) your [current] (heading|bearing|orientation)",
        "do you know where you are",
        "which way are you (pointing|looking|heading)",
        "where have you got to",
        "where is it [now]",
        "where (has|did) the robot (gone|go|got to)",
        "which room are you [in] [now|right now]",
    ],
    "de": ["wo bist du [gerade|jetzt]", "(was|wie) ist deine Position", "sag mir wo du bist", "wo ist der Roboter",
           "wo stehst du [gerade]",
        "wo (befindest du dich|bist du gerade|steckst du|bist du)",
        "(nenne|nenn|gib) [mir] deine (Position|Koordinaten)",
    ],
    "fr": ["où es-tu [maintenant]", "tu es où", "quelle est ta position", "dis-moi où tu es", "où est le robot",
        "où (te trouves-tu|es-tu|en es-tu)",
        "(donne-moi|quelles sont) (ta position|tes coordonnées)",
    ],
    "es": ["dónde estás [ahora]", "cuál es tu posición", "dime dónde estás", "dónde está el robot",
        "dónde (te encuentras|estás)",
        "(dame|dime) tu (posición|ubicación)",
    ],
    "vi": ["bạn [đang] ở đâu", "vị trí của bạn [là gì|ở đâu]", "robot [đang] ở đâu",
        "bạn ở chỗ nào",
        "(cho biết|cho tôi biết) vị trí [của bạn]",
    ],
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
        "how much (battery|charge|power|juice|energy) (do you have|is|have you got|is there|do you still"
        " have|have you) [left|remaining]",
        "(what is|tell me|report|how is|check|give me|show me) [your|the] (battery|charge|power)"
        " [level|status|state|percentage|charge]",
        "[your|the] (battery|charge|power) (level|status|charge|check|percentage|report|state)",
        "how is (your|the) (battery|charge|power) [doing|looking]",
        "do you (need|have|want) (to charge|charging|a charge|to recharge|enough power|enough charge)",
        "is (your|the) battery (full|low|empty|okay|ok|charged|dead|flat)",
        "are you (charged|fully charged|running low|low on power|out of power|running out of power|running out"
        " of battery|low on charge)",
        "how long (will|does) (your|the) battery [still] last",
        "how (full|charged|empty|low) (is|are) (your|the) (battery|batteries)",
        "what percentage is (your|the) battery [at]",
        "how many percent [of battery] (do you have|are) left",
    ],
    "de": [
        "wie voll ist (der|dein) Akku [noch]",
        "wie ist dein (Akkustand|Ladestand)",
        "wie viel Akku hast du [noch]",
        "(Akkustand|Ladestand|Batteriestand)",
        "(reicht|ist) (der|dein) Akku [noch|leer]",
        "wie (ist|steht es um) (der|dein) (Akku|Akkustand|Ladestand)",
        "wie viel (Akku|Strom|Batterie|Ladung) (hast du|ist) [noch] [übrig]",
        "(ist|wie ist) (der|dein) Akku (voll|leer|geladen)",
    ],
    "fr": [
        "quel est le niveau de [ta|la] batterie",
        "combien de batterie (te reste-t-il|as-tu|reste-t-il)",
        "il te reste combien de batterie",
        "niveau de batterie",
        "ta batterie est à combien",
        "(combien|quel) [de] (batterie|charge) (il te reste|as-tu|te reste-t-il)",
        "(quel est|donne-moi) (l'état|le niveau) de (la|ta) batterie",
        "ta batterie est (pleine|vide|faible)",
    ],
    "es": [
        "cuánta batería (tienes|queda|te queda)",
        "(cómo está|cuál es) [el nivel de] [la|tu] batería",
        "nivel de batería",
        "(cuánta|qué) (batería|carga) (tienes|te queda|queda) [todavía]",
        "(está|tienes) la batería (baja|llena|cargada)",
        "qué nivel de batería (tienes|hay)",
    ],
    "vi": [
        "[bạn] còn bao nhiêu pin",
        "pin còn (bao nhiêu|nhiều không)",
        "[kiểm tra] (mức pin|pin)",
        "pin (thế nào|ra sao|còn không)",
        "[bạn] còn [được] bao nhiêu phần trăm pin",
        "mức pin [là] bao nhiêu",
    ],
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
        "(move|drive|go|roll|step) [forward|forwards|ahead|straight|straight ahead|straight on|onward|on]"
        " [by|for|about|another] {meters}",
        "(move|drive|go|roll|step) [for|another] {meters} (forward|forwards|ahead|straight|straight"
        " ahead|straight on|to the front|further)",
        "advance [by|for] {meters}",
        "{meters} (straight|straight ahead|straight on|further|to the front)",
        "(keep going|keep driving|continue|carry on) [straight|forward] [for] {meters}",
        "(forward|ahead|straight|straight ahead|onward) [by|for] {meters}",
        "take {meters} (forward|ahead)",
    ],
    "de": [
        "(fahre|fahr|bewege dich|geh) {meters} [nach] (vor|vorwärts|vorne|geradeaus|weiter)",
        "(fahre|fahr|geh) (vorwärts|geradeaus|vor) {meters}",
        "(fahre|fahr) {meters}",
        "{meters} (vor|vorwärts|geradeaus|nach vorne)",
        "(fahre|fahr|geh|gehe|roll|rolle|bewege dich|beweg dich) [noch|um] {meters} [nach]"
        " (vor|vorwärts|vorn|vorne|geradeaus|weiter)",
        "{meters} (vor|vorwärts|geradeaus|nach vorn|nach vorne|weiter)",
        "(vorwärts|geradeaus|vor) {meters}",
    ],
    "fr": [
        "(avance|roule|va) [tout droit] [de] {meters} [en avant|tout droit]",
        "(avance|roule) tout droit [de] {meters}",
        "{meters} (en avant|tout droit)",
        "(avance|roule|va|continue) [tout droit|encore] [de|sur] {meters} [en avant|tout droit]",
        "(en avant|tout droit) [de] {meters}",
    ],
    "es": [
        "(avanza|adelante|muévete|camina|ve) [recto|hacia delante] {meters} [hacia delante|recto]",
        "{meters} (adelante|hacia delante)",
        "(avanza|adelante|muévete|camina|ve|sigue) [recto|hacia delante|hacia adelante|adelante] {meters} [hacia"
        " delante|hacia adelante|recto|adelante]",
        "(adelante|recto) {meters}",
    ],
    "vi": [
        "(tiến|đi|chạy) [tới|thẳng|lên|về phía trước] {meters}",
        "(tiến|đi|chạy) {meters} về phía trước",
        "(tiến|đi|chạy|lăn) [tới|thẳng|lên|về phía trước] [thêm] {meters} [nữa]",
        "(tiến|đi|chạy) [lên] phía trước {meters}",
    ],
}
TURN_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(turn|rotate|spin) [to the] {direction} [by] {degrees}",
        "(turn|rotate|spin) [by] {degrees} [to the] {direction}",
        "(turn|rotate|spin|go) [to the] {direction}",
        "(turn|rotate|spin) [by] {degrees}",
        "(make|take) a {direction} [turn]",
        "{degrees} [to the] {direction}",
        "(turn|rotate|spin|pivot) [yourself] [to the|to your|towards the] {direction} [by|for|about] {degrees}",
        "(turn|rotate|spin|pivot) [by|about] {degrees} [to the|to your|towards the] {direction}",
        "(turn|rotate|spin|pivot|steer|swing|veer|bear|face|look|head) [to the|to your|towards the] {direction}",
        "(make|take|do|hang|pull|perform) [a|another] {direction} [turn|rotation]",
        "(make|do|take) a {degrees} [degree] turn [to the] {direction}",
        "{direction} [by] {degrees}",
        "{direction} turn [please]",
        "a {direction} turn",
        "{direction} turn of {degrees}",
        "(turn|spin|rotate) (by|about|round|around by) {degrees}",
    ],
    "de": [
        "(drehe|dreh) [dich] [um] {degrees} {direction}",
        "(drehe|dreh) [dich] {direction} [um] {degrees}",
        "(drehe|dreh|biege|bieg|fahr) [dich] {direction} [ab]",
        "{degrees} {direction}",
        "(drehe|dreh|wende|schwenke) [dich] {direction} [um] {degrees}",
        "(mach|mache) eine Drehung [um] {degrees} [nach] {direction}",
        "(drehe|dreh|lenke|lenk|steuere|schau|fahr|fahre|geh) [dich|bitte] {direction}",
        "{direction} (abbiegen|drehen)",
    ],
    "fr": [
        "(tourne|pivote) [de] {degrees} [vers la] {direction}",
        "(tourne|pivote) {direction} [de] {degrees}",
        "(tourne|pivote|va) [vers la] {direction}",
        "(tourne|pivote|vire|braque) [à|de] [la] {direction} [de] {degrees}",
        "(va|prends|vire|fais un tour) {direction}",
    ],
    "es": [
        "(gira|rota|dobla) {degrees} {direction}",
        "(gira|rota|dobla) {direction} {degrees}",
        "(gira|rota|dobla|da la vuelta) [hacia la] {direction}",
        "(gira|rota|dobla|voltea|vira) [hacia|a] [la] {direction} [unos] {degrees}",
        "(ve|dobla|tuerce|vira) {direction}",
    ],
    "vi": [
        "(quay|xoay|rẽ) [sang|qua] [bên] {direction} {degrees}",
        "(quay|xoay|rẽ) {degrees} [sang|qua] [bên] {direction}",
        "(quay|xoay|rẽ) [sang|qua] [bên] {direction}",
        "(quay|xoay|rẽ|quẹo) [về|sang|qua] [phía|bên] {direction} [một góc] {degrees}",
        "(quay|xoay|rẽ|quẹo) [về|sang|qua] [phía|bên] {direction}",
    ],
}
HOME_PHRASES: Mapping[str, Sequence[str]] = {
    "en": [
        "(go|drive|come|return|head) [back] (home|to base|to the base|to (the|your) dock)",
        "(go|drive|return) [back] to [the|your] (charger|charging station|station)",
        "go back [to the start]",
        "dock [yourself]",
        "(go and|go) (charge|recharge)",
        "(go|drive|come|return|head|get|move|roll) [back] [to] (home|base|the base|your base|the dock|your"
        " dock|home base|your home)",
        "(go|drive|return|head|get) [back] to [the|your] (charger|charging station|charging dock|station|docking"
        " station|starting point|start|start position|starting position)",
        "(go|get|come|head) back [to where you (started|came from|began)]",
        "back to (base|the base|the dock|home|the charger|the station|your dock|the start)",
        "(recharge|charge) [yourself|your battery|up]",
        "(go|drive) (to|and) (charge|recharge) [yourself]",
        "(go to|find) [the|your] (charger|charging station|dock|docking station|base)",
        "return [home|to home]",
        "head for (home|the dock|the base)",
        "(go|drive) [back] to your place",
        "dock [yourself] [now]",
        "time to (go home|recharge|charge)",
    ],
    "de": [
        "(fahre|fahr|geh|komm) (nach Hause|zurück|heim)",
        "(fahre|fahr|geh) zurück (zur Station|zur Ladestation|zum Start|nach Hause)",
        "(zurück zur|ab zur|zur) (Station|Ladestation|Basis)",
        "(fahre|fahr|geh|gehe|komm|kehr|kehre) [zurück] (zur Basis|zur Ladestation|zum Ladegerät|zur"
        " Station|nach Hause|heim) [zurück]",
        "(lade|lad) dich auf",
        "(ab|zurück) nach Hause",
        "(geh|fahr|fahre) (laden|aufladen|dich aufladen)",
    ],
    "fr": [
        "(rentre|retourne|reviens) [à (la base|la maison|la station|ta base)]",
        "va (te recharger|à la base)",
        "(rentre|retourne|reviens|va) (à la|à ta|vers la) (base|station|maison|station de charge|borne)",
        "(recharge-toi|va te recharger|rentre chez toi|rentre)",
        "retour à la (base|maison|station)",
    ],
    "es": [
        "(vuelve|ve|regresa) a (casa|la base|la estación)",
        "(vuelve|regresa)",
        "ve a cargarte",
        "(vuelve|regresa|ve|vete) (a la|a tu) (base|estación|base de carga|casa|estación de carga)",
        "(recárgate|ve a recargarte|cárgate)",
        "de vuelta a (la base|casa)",
    ],
    "vi": [
        "(về|quay về|trở về|đi về) (nhà|trạm|trạm sạc|đế sạc)",
        "(về|quay về|trở về|đi về|quay lại) [chỗ] (nhà|trạm|trạm sạc|đế sạc|căn cứ|điểm xuất phát)",
        "[đi] sạc pin [đi]",
        "về nhà",
    ],
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
