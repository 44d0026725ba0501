"""How people ask for sums, units, identifiers and hashes, and what they are told, in five languages. Words only."""

from collections.abc import Mapping

from edgevox.examples.agents.home_phrases import Phrases
from edgevox.examples.agents.sayings import Sayings

SUM_PHRASES: Phrases = {
    "en": [
        "(calculate|compute|work out) {expression}",
        "how much is {expression}",
        "(calculate|compute|work out|evaluate|solve|figure out) {expression}",
        "(how much is|how much are|how much makes|what do you get for) {expression}",
        "(what is|tell me|give me|what are|what does) {expression} [make|equal|come to]",
        "{expression} [equals|is|makes] [what|how much]",
        "what do I get (for|when I calculate) {expression}",
    ],
    "de": [
        "(berechne|rechne) {expression} [aus]",
        "(wie viel|was) (ist|sind|ergibt|macht|gibt) {expression}",
        "(was|wie viel) (ist|macht|ergibt|gibt|sind) {expression}",
        "{expression}",
    ],
    "fr": [
        "calcule {expression}",
        "combien (font|fait) {expression}",
        "{expression} (ça fait combien|égale combien)",
        "{expression}",
    ],
    "es": [
        "calcula {expression}",
        "cuánto (es|son) {expression}",
        "(cuánto|qué) (es|son|da) {expression}",
        "{expression}",
    ],
    "vi": [
        "(tính|hãy tính) {expression}",
        "{expression} bằng (mấy|bao nhiêu)",
        "{expression} là (mấy|bao nhiêu)",
        "{expression}",
    ],
}
UNIT_PHRASES: Phrases = {
    "en": [
        "(convert|change) {value} {from_unit} (to|into|in) {to_unit}",
        "how many {to_unit} (are|is|in|are in|are there in) {value} {from_unit}",
        "how much (is|are) {value} {from_unit} in {to_unit}",
        "what (is|are) {value} {from_unit} in {to_unit}",
        "(convert|change|turn|transform|translate) {value} {from_unit} (to|into|in) {to_unit}",
        "how many {to_unit} (make|make up|equal|do I get for|would be|go into|fit in|fit into) {value} {from_unit}",
        "(express|give me|show me|tell me) {value} {from_unit} (in|as) {to_unit}",
        "(what is|what are|how much is|how much are) {value} {from_unit} (to|as|converted to|expressed in) {to_unit}",
        "how many {to_unit} (are|is) (in|there in|equal to) {value} {from_unit}",
    ],
    "de": [
        "(rechne|wandle|konvertiere) {value} {from_unit} in {to_unit} [um]",
        "wie viele {to_unit} (sind|hat|haben|ergeben) {value} {from_unit}",
        "(was|wie viel) (ist|sind) {value} {from_unit} in {to_unit}",
    ],
    "fr": [
        "(convertis|convertir) {value} {from_unit} en {to_unit}",
        "combien de {to_unit} (font|dans|y a-t-il dans) {value} {from_unit}",
        "combien (font|fait) {value} {from_unit} en {to_unit}",
    ],
    "es": [
        "(convierte|pasa) {value} {from_unit} (a|en) {to_unit}",
        "(cuántos|cuántas) {to_unit} (son|hay en) {value} {from_unit}",
        "cuánto (es|son) {value} {from_unit} en {to_unit}",
    ],
    "vi": [
        "(đổi|chuyển) {value} {from_unit} (sang|ra|thành) {to_unit}",
        "{value} {from_unit} (bằng|là) bao nhiêu {to_unit}",
    ],
}
UUID_PHRASES: Phrases = {
    "en": [
        "(make|generate|create|give me) [me] (a|an|a new|a random) (uuid|unique identifier|random identifier)",
        "(make|generate|create|give me|get|get me|I need|I want|produce) [me] (a|an|one|another)"
        " [new|fresh|random] (uuid|guid|unique id|unique identifier|random identifier|random id|identifier)",
        "[a] (new|random|fresh|another) (uuid|guid|unique id|identifier)",
        "uuid",
    ],
    "de": ["(erzeuge|erstelle|mach|gib mir) [mir] eine [neue|zufällige] (UUID|Kennung)"],
    "fr": ["(génère|crée|donne-moi) un [nouvel] (UUID|identifiant [unique|aléatoire])"],
    "es": ["(genera|crea|dame) un [nuevo] (UUID|identificador [único|aleatorio])"],
    "vi": ["(tạo|cho tôi) [một] (uuid|mã định danh) [mới|ngẫu nhiên]"],
}
HASH_PHRASES: Phrases = {
    "en": ["hash {text}", "what is the [{algorithm}] hash of {text}", "{algorithm} of {text}",
           "[the] {algorithm} hash of {text}",
        "[compute|calculate|get|give me|make|create|generate|what is] [me] [the|a] [{algorithm}]"
        " (hash|checksum|digest) (of|for) {text}",
        "hash {text} (with|using) {algorithm}",
        "hash [the] (text|string|word|words) {text}",
        "(run|apply) {algorithm} (on|to) {text}",
        "{algorithm} hash {text}",
    ],
    "de": ["(berechne|bilde) den [{algorithm}] Hash von {text}", "was ist der [{algorithm}] Hash von {text}",
           "[der] {algorithm} Hash von {text}"],
    "fr": ["calcule (le hash|l'empreinte) [{algorithm}] de {text}", "{algorithm} de {text}"],
    "es": ["calcula el hash [{algorithm}] de {text}", "{algorithm} de {text}"],
    "vi": ["tính [mã] (hash|băm) [{algorithm}] của {text}", "{algorithm} của {text}"],
}  # fmt: skip
BASE64_PHRASES: Phrases = {
    "en": [
        "{direction} {text} (as|in|to|from) base64",
        "base64 {direction} {text}",
        "{direction} {text} (with|using|into) base64",
        "{direction} [the] base64 [text|string] {text}",
        "(turn|convert|put|change) {text} (in|into|to) base64",
        "(what is [the]|the|make the|give me the) base64 [encoding|version|form] of {text}",
        "{direction} [the] (text|string|word) {text} (as|in|to|from) base64",
    ],
    "de": ["{direction} {text} (als|in|aus|nach) base64"],
    "fr": ["{direction} {text} (en|depuis) base64"],
    "es": ["{direction} {text} (en|a|de|desde) base64"],
    "vi": ["{direction} {text} (sang|từ) base64"],
}
GREETINGS: Mapping[str, str] = {
    "en": "Dev is ready. Try: how much is 12 times 7.",
    "de": "Dev ist bereit. Versuch: wie viel ist 12 mal 7.",
    "fr": "Dev est prêt. Essayez : combien font 12 fois 7.",
    "es": "Dev está listo. Prueba: cuánto es 12 por 7.",
    "vi": "Dev đã sẵn sàng. Hãy thử: 12 nhân 7 bằng bao nhiêu.",
}

_SAYINGS = Sayings(
    en={
        "by_zero": "that divides by zero",
        "too_big": "that is too big to calculate",
        "one_unit": "{value} {unit} is {result} {other}.",
        "units": "{value} {unit} are {result} {other}.",
        "no_unit": "I do not know the unit {unit}",
        "unlike": "{unit} and {other} do not measure the same thing",
        "no_base64": "that is not the Base64 of a text",
        "no_sum": "I cannot calculate that",
    },
    de={
        "by_zero": "durch null kann niemand teilen",
        "too_big": "das ist zu groß zum Ausrechnen",
        "one_unit": "{value} {unit} sind {result} {other}.",
        "units": "{value} {unit} sind {result} {other}.",
        "no_unit": "die Einheit {unit} kenne ich nicht",
        "unlike": "{unit} und {other} messen nicht dasselbe",
        "no_base64": "das ist kein Base64 eines Textes",
        "no_sum": "das kann ich nicht ausrechnen",
    },
    fr={
        "by_zero": "on ne peut pas diviser par zéro",
        "too_big": "c'est trop grand pour être calculé",
        "one_unit": "{value} {unit} fait {result} {other}.",
        "units": "{value} {unit} font {result} {other}.",
        "no_unit": "je ne connais pas l'unité {unit}",
        "unlike": "{unit} et {other} ne mesurent pas la même chose",
        "no_base64": "ce n'est pas le Base64 d'un texte",
        "no_sum": "je ne peux pas calculer cela",
    },
    es={
        "by_zero": "no se puede dividir entre cero",
        "too_big": "es demasiado grande para calcularlo",
        "one_unit": "{value} {unit} son {result} {other}.",
        "units": "{value} {unit} son {result} {other}.",
        "no_unit": "no conozco la unidad {unit}",
        "unlike": "{unit} y {other} no miden lo mismo",
        "no_base64": "eso no es el Base64 de un texto",
        "no_sum": "eso no lo puedo calcular",
    },
    vi={
        "by_zero": "không thể chia cho số không",
        "too_big": "số đó quá lớn để tính",
        "one_unit": "{value} {unit} bằng {result} {other}.",
        "units": "{value} {unit} bằng {result} {other}.",
        "no_unit": "tôi không biết đơn vị {unit}",
        "unlike": "{unit} và {other} không đo cùng một thứ",
        "no_base64": "đó không phải là Base64 của một văn bản",
        "no_sum": "tôi không tính được biểu thức đó",
    },
)


def about_desk(name: str, language: str, **values: object) -> str:
    """Say one of the sentences about sums, units and texts."""
    return _SAYINGS.say(name, language, **values)
