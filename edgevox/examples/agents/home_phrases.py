"""How people ask the home agent for lights and warmth, in five languages. Words only."""

from collections.abc import Mapping, Sequence

Phrases = Mapping[str, Sequence[str]]

ROOMS_PHRASES: Phrases = {
    "en": ["(which|what) rooms (are there|do you (know|have)|does the house have)", "list [all] [the] rooms"],
    "de": ["welche (Räume|Zimmer) (gibt es|hast du|kennst du)", "nenne [mir] die (Räume|Zimmer)",
           "liste die (Räume|Zimmer) auf"],
    "fr": ["quelles (pièces|chambres) (y a-t-il|connais-tu|as-tu)", "(liste|donne-moi) les pièces",
           "quelles sont les pièces"],
    "es": ["qué habitaciones (hay|conoces|tienes)", "(lista|dime) las habitaciones"],
    "vi": ["[nhà] có [những] phòng nào", "liệt kê các phòng"],
}  # fmt: skip
ROOMS_SAYS: Mapping[str, str] = {
    "en": "There is the {result}.",
    "de": "Es gibt Wohnzimmer, Küche, Schlafzimmer und Büro.",
    "fr": "Il y a le salon, la cuisine, la chambre et le bureau.",
    "es": "Hay salón, cocina, dormitorio y oficina.",
    "vi": "Có phòng khách, nhà bếp, phòng ngủ và phòng làm việc.",
}
LIGHT_PHRASES: Phrases = {
    "en": [
        "(turn|switch|put) {on} [the] {room} (light|lights|lamp)",
        "(turn|switch|put) [the] {room} (light|lights|lamp) {on}",
        "(turn|switch|put) {on} [the] (light|lights|lamp) in [the] {room}",
        "(turn|switch|put) [the] (light|lights|lamp) in [the] {room} {on}",
        "(turn|switch|put) [the] (light|lights|lamp) {on} in [the] {room}",
        "(turning|switching|shut|flip) {on} [the] {room} (light|lights|lamp)",
        "(turning|switching|shut|flip) {on} [the] (light|lights|lamp) in [the] {room}",
        "[the] {room} (light|lights|lamp) {on}",
        "(light|lights) {on} in [the] {room}",
        "(light|lights) in [the] {room} {on}",
    ],
    "de": [
        "(schalte|schalt|mach|mache|dreh) [das] Licht (im|in der|in dem|in) {room} {on}",
        "(schalte|schalt|mach|mache) {on} [das] Licht (im|in der|in) {room}",
        "(schalte|schalt|mach|mache) (im|in der|in) {room} [das] Licht {on}",
        "(schalte|schalt|mach|mache|knips) [das] {room} {on}",
        "[das] Licht (im|in der|in) {room} {on}",
        "(im|in der|in) {room} [das] Licht {on}",
        "[das] {room} {on}",
    ],
    "fr": [
        "{on} [la|les] (lumière|lumières|lampe) (du|de la|de l'|dans le|dans la|dans|de) {room}",
        "{on} [le|la] {room}",
        "[la] lumière (du|de la|dans le|dans la) {room} {on}",
        "(mets|coupe) la lumière (du|de la|dans le|dans la) {room} {on}",
    ],
    "es": [
        "{on} [la|las] (luz|luces|lámpara) (del|de la|de|en el|en la|en) {room}",
        "{on} [el|la] {room}",
        "[la] luz (del|de la|en el|en la) {room} {on}",
    ],
    "vi": ["{on} đèn [ở|trong|của] {room}", "{on} đèn {room} (lên|đi)", "{on} (điện|bóng đèn) [ở|trong] {room}"],
}  # fmt: skip
LIGHT_STATUS_PHRASES: Phrases = {
    "en": [
        "is the {room} (light|lamp) [still] (on|off)",
        "are the {room} lights [still] (on|off)",
        "is the (light|lamp) [still] (on|off) in the {room}",
        "is the (light|lamp) in the {room} [still] (on|off)",
        "did I leave the {room} (lights|light) on",
        "(check|status of|(what is|tell me) the (state|status) of) the {room} light",
        "(which|what) lights are [still] on",
        "are any [of the] lights [still] on",
        "(is any light|is there a light) [still] on",
    ],
    "de": [
        "ist [das] Licht (im|in der|in) {room} [noch] (an|aus)",
        "ist (im|in der) {room} [noch] [das] Licht (an|aus)",
        "brennt (im|in der|in) {room} [noch] [das] Licht",
        "ist [das] {room} [noch] (an|aus)",
        "welche (Lichter|Lampen) sind [noch] an",
        "wo (ist|brennt) [noch] Licht [an]",
        "ist [noch] irgendwo [noch] Licht an",
        "brennt [noch] irgendwo [noch] Licht",
    ],
    "fr": [
        "[est-ce que] la lumière (du|de la|dans le|dans la) {room} est [encore] (allumée|éteinte)",
        "la lumière (du|de la|dans le|dans la) {room} est-elle [encore] (allumée|éteinte)",
        "(vérifie|contrôle) la lumière (du|de la) {room}",
        "quelles lumières sont [encore] allumées",
        "(reste-t-il|y a-t-il|est-ce qu'il reste) des lumières allumées",
    ],
    "es": [
        "está [todavía] (encendida|apagada) la luz (del|de la|de|en el|en la|en) {room}",
        "la luz (del|de la|de) {room} está [todavía] (encendida|apagada)",
        "(comprueba|mira) la luz (del|de la) {room}",
        "qué luces están encendidas",
        "(hay|queda) alguna luz encendida",
    ],
    "vi": [
        "đèn [ở|trong] {room} [đang|có|còn] (bật|tắt|sáng|mở) không",
        "đèn {room} có đang (bật|tắt|sáng|mở) không",
        "(kiểm tra|xem) đèn {room}",
        "(những đèn nào|đèn nào) đang bật",
        "(có|còn) đèn nào [đang] bật không",
    ],
}
ALL_LIGHTS_PHRASES: Phrases = {
    "en": [
        "(turn|switch|put) {on} (all|all of|every) [the] (lights|light)",
        "(turn|switch|put) (all|all of|every) [the] (lights|light) {on}",
        "(turn|switch) {on} all [the] lights (except|but|besides) [in] [the] {spared_room}",
        "(all|all the) lights {on} [everywhere]",
        "lights {on} everywhere",
        "(turn|switch) the lights {on} (everywhere|in every room|in all rooms|in the whole house)",
        "(turn|switch) {on} the lights everywhere",
        "(turn|switch) {on} the lights in (every room|the whole house|all rooms|all the rooms)",
    ],
    "de": [
        "(schalte|schalt|mach|mache) (alle Lichter|alle Lampen|überall das Licht|überall Licht|das ganze Licht) {on}",
        "(schalte|schalt|mach|mache) (alle Lichter|überall das Licht) außer (im|in der|in) {spared_room} {on}",
        "(schalte|schalt|mach|mache) alle Lichter {on} außer (im|in der|in) {spared_room}",
        "(alle Lichter|überall Licht) {on}",
    ],
    "fr": [
        "{on} (toutes les lumières|tout|toutes les lampes|partout)",
        "{on} la lumière (partout|dans toutes les pièces|dans toute la maison)",
        "{on} toutes les lumières sauf (celle du|celle de la|dans le|dans la|le|la) {spared_room}",
    ],
    "es": [
        "{on} (todas las luces|todo|todas las lámparas)",
        "{on} la luz en (toda la casa|todas las habitaciones|todas partes)",
        "{on} todas las luces (menos|excepto) (la del|la de la|el|la|en el|en la) {spared_room}",
    ],
    "vi": [
        "{on} (tất cả|hết|toàn bộ) [các] đèn [trong nhà]",
        "{on} đèn (tất cả các phòng|khắp nhà|cả nhà)",
        "{on} hết đèn đi",
        "{on} (tất cả|hết) [các] đèn trừ [đèn] {spared_room}",
    ],
}
SET_HEAT_PHRASES: Phrases = {
    "en": [
        "(set|turn|put|change|adjust) [the] (thermostat|temperature|heating|heat) (to|at) {celsius}",
        "(turn|put) [the] (thermostat|temperature|heating|heat) (up|down) to {celsius}",
        "(raise|lower|drop|increase|reduce) [the] (thermostat|temperature|heating|heat) to {celsius}",
        "(make|set) it {celsius} [in here|inside]",
        "heat [the house|it] [up] to {celsius}",
        "I want [it to be|it] {celsius} [in here|inside]",
    ],
    "de": [
        "(stelle|stell|dreh|drehe|mach|mache) (das Thermostat|den Thermostat|die Heizung|die Temperatur) [hoch|runter]"
        " auf {celsius}",
        "heize [das Haus] auf {celsius}",
        "(erhöhe|senke) die Temperatur auf {celsius}",
        "Heizung auf {celsius}",
        "[mach] {10..30:celsius} Grad",
    ],
    "fr": [
        "(mets|règle|monte|baisse|passe) (le thermostat|le chauffage|la température) (à|sur) {celsius}",
        "chauffe [la maison] à {celsius}",
        "je veux {celsius} [ici|dans la maison]",
    ],
    "es": [
        "(pon|ajusta|sube|baja|cambia|regula) (el termostato|la calefacción|la temperatura) (a|en) {celsius}",
        "calienta [la casa] a {celsius}",
        "quiero {celsius} [en casa|aquí]",
    ],
    "vi": [
        "(đặt|chỉnh|để) (nhiệt độ|máy sưởi) [ở|thành|là|xuống|lên|đến|tới] {celsius}",
        "(tăng|giảm|hạ) (nhiệt độ|máy sưởi) (lên|xuống|đến|tới|còn) {celsius}",
        "(sưởi|làm ấm) [nhà] [đến|lên|tới] {celsius}",
    ],
}
CHANGE_HEAT_PHRASES: Phrases = {
    "en": [
        "make it [a bit|a little] {direction} [in here|inside]",
        "make it {degrees} {direction} [in here|inside]",
        "(turn|put) {direction} [the] (thermostat|temperature|heating|heat) [a bit|a little]",
        "(turn|put) [the] (thermostat|temperature|heating|heat) {direction} [a bit|a little]",
        "(turn|put) [the] (thermostat|temperature|heating|heat) {direction} [by] {degrees}",
        "(turn|put) {direction} [the] (thermostat|temperature|heating|heat) [by] {degrees}",
        "{direction} the (temperature|heating|heat|thermostat) [by {degrees}]",
        "{direction} [a bit|a little] [in here|inside]",
        "{degrees} {direction}",
    ],
    "de": [
        "mach es [ein bisschen|etwas] {direction} [hier]",
        "mach es [um] {degrees} {direction}",
        "(dreh|drehe|stell|stelle|mach) (die Heizung|die Temperatur|das Thermostat) [ein bisschen|etwas] {direction}",
        "(dreh|drehe|stell|stelle|mach) (die Heizung|die Temperatur) [um] {degrees} {direction}",
        "{direction} [hier|hier drin]",
        "{degrees} {direction}",
    ],
    "fr": [
        "(mets|fais) {direction} [ici]",
        "{direction} [un peu] (le chauffage|la température|le thermostat) [un peu]",
        "{direction} (le chauffage|la température|le thermostat) de {degrees}",
        "{direction} [ici]",
    ],
    "es": [
        "{direction} [un poco] (la calefacción|la temperatura|el termostato) [un poco]",
        "{direction} (la calefacción|la temperatura|el termostato) {degrees}",
        "{direction} [aquí]",
    ],
    "vi": [
        "{direction} nhiệt độ [lên|xuống] [một chút]",
        "{direction} nhiệt độ [thêm|đi] {degrees}",
        "[ở đây|trong nhà] {direction}",
        "[cho|làm] {direction} [một chút]",
    ],
}
GET_HEAT_PHRASES: Phrases = {
    "en": [
        "what is the (thermostat|heating|temperature) [set (to|at)|at]",
        "what is the temperature (in here|inside|in the house)",
        "how (warm|cold) is it [in here|inside|in the house]",
        "what temperature (is it [in here|inside]|did I set)",
    ],
    "de": ["wie (warm|kalt) ist es [hier|drinnen|im Haus]", "auf wie viel Grad (steht|ist) die Heizung",
           "wie (hoch ist|ist) die Temperatur", "auf was steht die Heizung"],
    "fr": ["quelle est la température [du thermostat|ici|dans la maison]", "combien fait-il [ici|dans la maison]",
           "(le thermostat|le chauffage) est [réglé] à combien"],
    "es": ["a cuánto está (el termostato|la calefacción)", "qué temperatura (hay|hace) [aquí|en casa]",
           "cuál es la temperatura [de la casa]"],
    "vi": ["nhiệt độ [trong nhà|trong phòng] [đang] là bao nhiêu", "[trong nhà|trong phòng] [đang] bao nhiêu độ"],
}  # fmt: skip
