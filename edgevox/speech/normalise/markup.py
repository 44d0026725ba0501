"""Takes out of a text what is drawn and not read: markdown, tags, code, links, emoji.

Knows notations, no language but for the words that stand for what is left out.
"""

import html
import re
import unicodedata

from edgevox.speech.normalise.vocabulary import Vocabulary

_FENCE = re.compile(r"(?:```|~~~)[^\n]*(?:\n.*?(?:(?:```|~~~)|\Z)|\Z)|(?:```|~~~).*?(?:```|~~~)", re.DOTALL)
_IMAGE_OR_LINK = re.compile(r"!?\[([^\]\n]*)\]\(\s*[^)\s]*[^)\n]*\)")
_REFERENCE = re.compile(r"\[\^?\d+\]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)
_AUTO_LINK = re.compile(r"<((?:https?://|mailto:)[^>\s]+)>")
_URL = re.compile(r"\b(?:https?://|www\.)[^\s<>()\"']*[^\s<>()\"'.,;:!?]", re.IGNORECASE)
_EMAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_INLINE_CODE = re.compile(r"`+([^`\n]+)`+")
_LINE_START = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>+[ \t]?|[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?)", re.MULTILINE)
_LIST_NUMBER = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)
_LINE_END = re.compile(r"(?<=[\w)\"'%°*_`])[ \t]*\n\s*(?=\S)")
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$|^[ \t]*\|?[ \t]*:?-{2,}[-|: \t]*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_SNAKE = re.compile(r"(?<=\w)_(?=\w)")

_PLAIN = str.maketrans({
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "−": "-", "‐": "-", "‑": "-",
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u200b": None, "\ufeff": None, "\u00ad": None, "…": "...",
    "º": "°", "˚": "°", "㎡": "m²", "℃": "°C", "℉": "°F",
})  # fmt: skip


def strip_markup(text: str, words: Vocabulary) -> str:
    """Return what a person would read aloud of `text`, still with its numbers and symbols."""
    text = _FENCE.sub(f" {words.code_block} ", text)
    text = _AUTO_LINK.sub(r"\1", text)
    text = html.unescape(_TAG.sub(" ", text)).translate(_PLAIN)
    text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = _REFERENCE.sub("", text)
    text = _INLINE_CODE.sub(lambda match: _code(match[1]), text)
    text = _RULE.sub(" ", text)
    text = _TABLE_ROW.sub(lambda match: ", ".join(cell.strip() for cell in match[1].split("|") if cell.strip()), text)
    text = _LIST_NUMBER.sub(r"\1, ", _LINE_START.sub("", text))
    text = _LINE_END.sub(", ", text)
    for _ in range(2):  # bold within italics
        text = _EMPHASIS.sub(r"\2", text)
    text = _EMAIL.sub(lambda match: match[0].replace("@", f" {words.at} ").replace(".", f" {words.dot} "), text)
    text = _URL.sub(lambda match: _address(match[0], words), text)
    return _SNAKE.sub(" ", strip_pictures(text))


def strip_pictures(text: str) -> str:
    """Return `text` without emoji, dingbats and the marks that combine them."""
    return "".join(" " if _is_picture(each) else each for each in text)


def _is_picture(char: str) -> bool:
    code = ord(char)
    if code in (0x200D, 0x20E3) or 0xFE00 <= code <= 0xFE0F or 0xE0020 <= code <= 0xE007F:
        return True
    if 0x1F000 <= code <= 0x1FAFF or 0x2600 <= code <= 0x27BF or 0x2B00 <= code <= 0x2BFF:
        return True
    return unicodedata.category(char) in ("Co", "Cs", "Cn") or 0x2500 <= code <= 0x25FF


def _code(code: str) -> str:
    """Return a piece of code as words: `set_light(room)` is *set light room*."""
    return re.sub(r"[(){}\[\];]+", " ", code.replace("_", " ")).strip()


def _address(url: str, words: Vocabulary) -> str:
    """Return the site of an address as words; what comes after it nobody wants to hear."""
    host = re.sub(r"^(?:https?://)?(?:www\.)?", "", url, flags=re.IGNORECASE)
    host = re.split(r"[/?#:]", host, maxsplit=1)[0]
    return host.replace(".", f" {words.dot} ") if host else words.link
