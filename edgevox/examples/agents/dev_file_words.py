"""How people ask for files and what they are told, in five languages. Words only."""

from edgevox.examples.agents.home_phrases import Phrases
from edgevox.examples.agents.sayings import Sayings

LIST_PHRASES: Phrases = {
    "en": [
        "(list|show|name|what are) [me] [all] [of] (my|the) files [in the notes folder]",
        "(what|which) files (do I have|are there|have I got)",
        "(list|show) [me] [all] [the] files (in|of) [the] [folder] {folder}",
        "(what is|which files are) in the folder {folder}",
        "(list|show) (the|this|the current) folder {folder}",
    ],
    "de": ["(zeig|zeige|liste|nenne) [mir] [alle] (meine|die) Dateien [auf]", "welche Dateien (gibt es|habe ich)",
           "(zeig|zeige) [mir] die Dateien (im Ordner|in) {folder}"],
    "fr": ["(liste|montre|donne) [moi] [tous] (mes|les) fichiers", "quels fichiers (y a-t-il|ai-je)",
           "(liste|montre) [moi] les fichiers (du dossier|dans) {folder}"],
    "es": ["(lista|muestra|enseña|dime) [todos] (mis|los) archivos", "qué archivos (hay|tengo)",
           "(lista|muestra) los archivos (de la carpeta|en) {folder}"],
    "vi": ["(liệt kê|xem|cho xem) [tất cả] [các] tệp [của tôi]", "có những tệp nào",
           "(liệt kê|xem) các tệp trong thư mục {folder}"],
}  # fmt: skip
READ_PHRASES: Phrases = {
    "en": [
        "(read|open|show|print|display) [me] [the] file [called|named] {path} [to me|aloud|out]",
        "what (is|stands) in the file [called|named] {path}",
        "what does the file {path} say",
    ],
    "de": ["(lies|zeig|zeige|öffne) [mir] die Datei {path} [vor]", "was steht in der Datei {path}"],
    "fr": ["(lis|montre|ouvre) [moi] le fichier {path}", "qu'y a-t-il dans le fichier {path}"],
    "es": ["(lee|muestra|abre|enseña) [me] el archivo {path}", "qué (hay|pone) en el archivo {path}"],
    "vi": ["(đọc|mở|xem) tệp {path}", "trong tệp {path} có gì"],
}
SEARCH_PHRASES: Phrases = {
    "en": [
        "(search|look) [in|through] (my|the|all) files for {text}",
        "(find|search for|look for) {text} in (my|the|all) files",
        "(which|what) files (contain|mention|have) {text}",
    ],
    "de": ["(such|suche) in (meinen|den) Dateien nach {text}", "welche Dateien enthalten {text}"],
    "fr": ["cherche {text} dans (mes|les) fichiers", "quels fichiers contiennent {text}"],
    "es": ["busca {text} en (mis|los) archivos", "qué archivos contienen {text}"],
    "vi": ["tìm {text} trong [các] tệp", "những tệp nào có {text}"],
}
WRITE_PHRASES: Phrases = {
    "en": [
        "(create|make|write|start|save) [a|an|the] [new] file [called|named] {path} (with|saying|containing) [the text]"
        " {text}",
        "(write|save|put|store) {text} (in|into|to) the file [called|named] {path}",
    ],
    "de": ["(schreib|schreibe|speicher|speichere) {text} in die Datei {path}",
           "(erstelle|mach|mache) eine [neue] Datei {path} mit [dem Text] {text}"],
    "fr": ["(écris|enregistre|mets) {text} dans le fichier {path}", "crée un [nouveau] fichier {path} avec {text}"],
    "es": ["(escribe|guarda|pon) {text} en el archivo {path}", "crea un archivo [nuevo] {path} con {text}"],
    "vi": ["(ghi|viết|lưu) {text} vào tệp {path}", "tạo tệp [mới] {path} với [nội dung] {text}"],
}  # fmt: skip
TRASH_PHRASES: Phrases = {
    "en": [
        "(delete|remove|erase|trash|throw away|throw out|get rid of) [the] file [called|named] {path}",
        "(put|move|throw) [the] file {path} (in|into|to) the (trash|bin|wastebasket)",
    ],
    "de": ["(lösche|lösch|entferne|wirf) die Datei {path} [weg]", "(leg|lege|wirf) die Datei {path} in den Papierkorb"],
    "fr": ["(supprime|efface|jette) le fichier {path}", "mets le fichier {path} à la corbeille"],
    "es": ["(borra|elimina|tira) el archivo {path}", "(mueve|pon|tira) el archivo {path} a la papelera"],
    "vi": ["xóa tệp {path}", "(bỏ|chuyển) tệp {path} vào thùng rác"],
}
_SAYINGS = Sayings(
    en={"files": "The files are: {files}.", "none": "There are no files there.", "written": "I wrote {path}.",
        "trashed": "{path} is in the wastebasket.", "found": "Found: {lines}", "not_found": "No file contains {text}.",
        "unmade": "the folder {folder} cannot be made: {why}"},
    de={"files": "Die Dateien sind: {files}.", "none": "Dort gibt es keine Dateien.",
        "written": "{path} ist geschrieben.",
        "trashed": "{path} liegt im Papierkorb.", "found": "Gefunden: {lines}",
        "not_found": "Keine Datei enthält {text}.", "unmade": "der Ordner {folder} kann nicht angelegt werden: {why}"},
    fr={"files": "Les fichiers sont : {files}.", "none": "Il n'y a pas de fichiers.", "written": "J'ai écrit {path}.",
        "trashed": "{path} est dans la corbeille.", "found": "Trouvé : {lines}",
        "not_found": "Aucun fichier ne contient {text}.", "unmade": "impossible de créer le dossier {folder} : {why}"},
    es={"files": "Los archivos son: {files}.", "none": "No hay archivos ahí.", "written": "He escrito {path}.",
        "trashed": "{path} está en la papelera.", "found": "Encontrado: {lines}",
        "not_found": "Ningún archivo contiene {text}.", "unmade": "no se puede crear la carpeta {folder}: {why}"},
    vi={"files": "Các tệp là: {files}.", "none": "Ở đó không có tệp nào.", "written": "Đã ghi {path}.",
        "trashed": "{path} đã vào thùng rác.", "found": "Tìm thấy: {lines}",
        "not_found": "Không tệp nào có {text}.", "unmade": "không tạo được thư mục {folder}: {why}"},
)  # fmt: skip

HERE = {
    "en": ("this folder", "the current folder", "this directory", "the current directory", "this", "the current"),
    "de": ("diesem ordner", "diesem", "dem aktuellen ordner", "dieser ordner"),
    "fr": ("ce dossier", "courant", "actuel"),
    "es": ("esta carpeta", "actual", "esta"),
    "vi": ("này", "thư mục này", "hiện tại"),
}
"""What a person says for the current folder."""
DOTS = {"en": "dot", "de": "punkt", "fr": "point", "es": "punto", "vi": "chấm"}
"""What a person says for the dot in a name."""
SLASHES = {"en": "slash", "de": "schrägstrich", "fr": "barre oblique", "es": "barra", "vi": "gạch chéo"}


def about_files(name: str, language: str, **values: object) -> str:
    """Say something about files."""
    return _SAYINGS.say(name, language, **values)
