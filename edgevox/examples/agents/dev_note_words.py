"""How people ask for notes and what they are told, in five languages. Words only."""

from collections.abc import Mapping

from edgevox.examples.agents.home_phrases import Phrases
from edgevox.examples.agents.sayings import Sayings

ADD_PHRASES: Phrases = {
    "en": [
        "(add|make|take|write) [a|an|another] note [that|to] {text}",
        "note [down] [that] {text}",
        "(remember|write down) (that|to) {text}",
        "write down {text}",
        "(make|take|add|write|create|leave|save|keep|start) [me] [a|an|another|the|this|new] (note|memo)"
        " [that|to|saying|about|of|which says|that says] {text}",
        "note to self {text}",
        "(jot|write|put|take) down [that|to] {text}",
        "(do not forget|remember|keep in mind|do not let me forget) (that|to) {text}",
        "(put|add|write) {text} (in|to|on|into) (my|the) (notes|notebook|list)",
        "remind me (to|that) {text}",
        "save [the|this] note {text}",
        "(new|quick) note {text}",
        "make [a] note of {text}",
        "note {text}",
    ],
    "de": [
        "(notiere|notier|notiere dir|notier dir|schreib auf|schreibe auf|merke dir|merk dir) [dass] {text}",
        "[neue] Notiz {text}",
        "(mach|mache|schreib) [dir] eine Notiz {text}",
    ],
    "fr": ["(note|notez|retiens) [que] {text}", "(ajoute|prends|fais|écris) une note {text}", "nouvelle note {text}"],
    "es": ["(anota|apunta|recuerda) [que] {text}", "(añade|toma|haz|escribe) una nota {text}", "nueva nota {text}"],
    "vi": ["(ghi chú|ghi lại|ghi nhớ|nhớ) [rằng|là] {text}", "(thêm|viết|tạo) ghi chú {text}"],
}
LIST_PHRASES: Phrases = {
    "en": ["(list|show|read|what are) [me] [all] [my|the] notes", "what did I note [down]",
           "(what|which) notes (do I have|are there)",
        "(list|show|read|what are|tell|give|display|open|see|view) [me] [all] [of] [my|the] notes [out|to"
        " me|aloud|out loud|back|back to me]",
        "(what is|what have I got|what do I have|what stands) in my (notes|notebook)",
        "what did I (note|write|jot) [down]",
        "what have I (noted|written) [down]",
        "do I have [any] notes",
        "[all] my notes",
        "(what|which) notes (do I have|are there|have I got|did I take|have I taken|did I make|have I made)",
        "read [me] back my notes",
        "read me what I noted [down]",
        "how many notes (do I have|are there)",
    ],
    "de": ["(zeig|zeige|lies|nenne) [mir] [alle] [meine|die] Notizen [vor]", "welche Notizen (habe ich|gibt es)",
           "was habe ich notiert"],
    "fr": ["(lis|liste|montre|donne) [moi] [toutes] (mes|les) notes", "quelles sont mes notes", "quelles notes ai-je",
           "qu'est-ce que j'ai noté"],
    "es": ["(lee|lista|muestra|enseña|dime) [todas] (mis|las) notas", "qué notas (tengo|hay)", "qué he anotado"],
    "vi": ["(đọc|liệt kê|xem|cho xem) [tất cả] [các] ghi chú [của tôi]", "[tôi] có những ghi chú nào"],
}  # fmt: skip
SEARCH_PHRASES: Phrases = {
    "en": ["(search|find) [in] [my] notes (for|about|with) {query}", "find [the|a] note[s] (about|with) {query}",
           "(which|what) notes (mention|are about) {query}",
        "(search|look|find|check|scan|go) [in|through|into] [my|the|all] notes (for|about|with|on|containing) {query}",
        "(look up|find|search|search for|look for) {query} in [my|the] notes",
        "(do I have|is there|are there|have I got) [a|any] (note|notes)"
        " (about|on|with|mentioning|for|containing|that mention|that mentions) {query}",
        "(which|what) [of my] (note|notes) (mention|mentions|contain|contains|talk about|talks about|is"
        " about|are about|have|has|say something about) {query}",
        "what did I (write|note) [down] about {query}",
        "(notes|show me notes|show me the notes|list notes|any notes) (about|on|with|for) {query}",
        "(find|search|get|show me|look for) [me] [the|a|my|all] (note|notes) (about|with|on|containing|that"
        " mentions|that mention|mentioning) {query}",
    ],
    "de": ["(such|suche|finde) [in] [meinen|den|meine|die] Notizen (nach|über|zu) {query}",
           "(such|suche|finde) [die|eine] Notiz (über|zu) {query}", "welche Notizen handeln von {query}"],
    "fr": ["(cherche|trouve) [dans] (mes|les) notes {query}", "(cherche|trouve) {query} dans (mes|les) notes",
           "quelles notes parlent de {query}"],
    "es": ["busca {query} en (mis|las) notas", "busca [en] (mis|las) notas [sobre|de] {query}",
           "qué notas hablan de {query}"],
    "vi": ["tìm [trong] [các] ghi chú [về|có] {query}", "tìm {query} trong ghi chú"],
}  # fmt: skip
DELETE_PHRASES: Phrases = {
    "en": [
        "(delete|remove|erase) note [number] {number}",
        "(delete|remove|erase) the note number {number}",
        "(delete|remove|erase) [the] {number} note",
        "(delete|remove|erase|drop|clear|throw away|get rid of|trash|scrap|cancel|discard|forget) [my|the] note"
        " [number] {number}",
        "(delete|remove|erase|drop|clear|throw away|get rid of|trash|scrap|cancel|discard|forget) [the|my]"
        " {number} note",
        "(delete|remove|erase) [the|my] note (with|which has) [the] number {number}",
        "(throw|take) [the] note [number] {number} away",
        "(throw|take) [the] {number} note away",
    ],
    "de": [
        "(lösche|lösch|entferne) Notiz [Nummer] {number}",
        "(lösche|lösch|entferne) die Notiz Nummer {number}",
        "(lösche|lösch|entferne) die {number} Notiz",
    ],
    "fr": ["(supprime|efface|enlève) la note [numéro] {number}", "(supprime|efface|enlève) la {number} note"],
    "es": ["(borra|elimina|quita) la nota [número] {number}", "(borra|elimina|quita) la {number} nota"],
    "vi": ["(xóa|bỏ) ghi chú [số|thứ] {number}"],
}
DELETE_QUESTIONS: Mapping[str, str] = {
    "en": "Delete note {number}?",
    "de": "Notiz {number} löschen?",
    "fr": "Supprimer la note {number} ?",
    "es": "¿Borro la nota {number}?",
    "vi": "Xóa ghi chú {number} nhé?",
}

_SAYINGS = Sayings(
    en={
        "noted": "Noted.",
        "none": "There are no notes.",
        "one": "1 note.",
        "many": "{count} notes.",
        "found": "{count} found.",
        "not_found": "No note mentions {query}.",
        "deleted": "Note {number} is deleted.",
        "no_such": "there is no note {number}; there are {count}",
        "full": "there are {most} notes already; delete some first",
        "aside": "The old notes could not be read; their file is kept as {file}.",
    },
    de={
        "noted": "Notiert.",
        "none": "Es gibt keine Notizen.",
        "one": "1 Notiz.",
        "many": "{count} Notizen.",
        "found": "{count} gefunden.",
        "not_found": "Keine Notiz erwähnt {query}.",
        "deleted": "Notiz {number} ist gelöscht.",
        "no_such": "Notiz {number} gibt es nicht; vorhanden: {count}",
        "full": "es gibt schon {most} Notizen; lösche erst welche",
        "aside": "Die alten Notizen sind nicht lesbar; ihre Datei bleibt als {file} erhalten.",
    },
    fr={
        "noted": "C'est noté.",
        "none": "Il n'y a pas de notes.",
        "one": "1 note.",
        "many": "{count} notes.",
        "found": "Trouvé : {count}.",
        "not_found": "Aucune note ne mentionne {query}.",
        "deleted": "La note {number} est supprimée.",
        "no_such": "la note {number} n'existe pas ; il y en a {count}",
        "full": "il y a déjà {most} notes ; supprimez-en d'abord",
        "aside": "Les anciennes notes sont illisibles ; leur fichier est gardé sous {file}.",
    },
    es={
        "noted": "Anotado.",
        "none": "No hay notas.",
        "one": "1 nota.",
        "many": "{count} notas.",
        "found": "Encontradas: {count}.",
        "not_found": "Ninguna nota menciona {query}.",
        "deleted": "La nota {number} está borrada.",
        "no_such": "no hay nota {number}; hay {count}",
        "full": "ya hay {most} notas; borra alguna antes",
        "aside": "Las notas antiguas no se pueden leer; su archivo se guarda como {file}.",
    },
    vi={
        "noted": "Đã ghi.",
        "none": "Không có ghi chú nào.",
        "one": "1 ghi chú.",
        "many": "{count} ghi chú.",
        "found": "Tìm thấy {count}.",
        "not_found": "Không có ghi chú nào nhắc đến {query}.",
        "deleted": "Đã xóa ghi chú {number}.",
        "no_such": "không có ghi chú {number}; có {count} ghi chú",
        "full": "đã có {most} ghi chú; hãy xóa bớt trước",
        "aside": "Không đọc được ghi chú cũ; tệp được giữ lại với tên {file}.",
    },
)


def about_notes(name: str, language: str, **values: object) -> str:
    """Say one of the sentences about notes."""
    return _SAYINGS.say(name, language, **values)
