"""What an agent says by itself when no tool and no model does, in the languages it speaks.

Whole sentences that can be spoken; a language without an entry is answered in English.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "done": "Done.",
        "failed": "Sorry, that did not work.",
        "cancelled": "Cancelled.",
        "declined": "All right, I will leave it.",
        "model_failed": "Sorry, the language model could not answer.",
        "no_model": "I need a language model for that; get one with: edgevox setup.",
        "examples": "Without it you can say: {examples}.",
        "no_handoff": "nobody here could take that.",
        "which_agent": "Who should do that: {agents}?",
        "or": " or ",
    },
    "de": {
        "done": "Erledigt.",
        "failed": "Das hat leider nicht geklappt.",
        "cancelled": "Abgebrochen.",
        "declined": "Gut, dann lasse ich es.",
        "model_failed": "Das Sprachmodell konnte leider nicht antworten.",
        "no_model": "Dafür brauche ich ein Sprachmodell; du bekommst es mit: edgevox setup.",
        "examples": "Ohne das kannst du sagen: {examples}.",
        "no_handoff": "das konnte hier niemand übernehmen.",
        "which_agent": "Wer soll das tun: {agents}?",
        "or": " oder ",
    },
    "fr": {
        "done": "C'est fait.",
        "failed": "Désolé, cela n'a pas marché.",
        "cancelled": "Annulé.",
        "declined": "D'accord, je ne le fais pas.",
        "model_failed": "Désolé, le modèle de langue n'a pas pu répondre.",
        "no_model": "Il me faut un modèle de langue pour cela ; installez-le avec : edgevox setup.",
        "examples": "Sans lui, vous pouvez dire : {examples}.",
        "no_handoff": "personne ici n'a pu s'en charger.",
        "which_agent": "Qui doit le faire : {agents} ?",
        "or": " ou ",
    },
    "es": {
        "done": "Hecho.",
        "failed": "Lo siento, no ha funcionado.",
        "cancelled": "Cancelado.",
        "declined": "De acuerdo, lo dejo.",
        "model_failed": "Lo siento, el modelo de lenguaje no ha podido responder.",
        "no_model": "Para eso necesito un modelo de lenguaje; instálalo con: edgevox setup.",
        "examples": "Sin él puedes decir: {examples}.",
        "no_handoff": "nadie aquí ha podido encargarse de eso.",
        "which_agent": "¿Quién debe hacerlo: {agents}?",
        "or": " o ",
    },
    "vi": {
        "done": "Xong rồi.",
        "failed": "Xin lỗi, việc đó không thành công.",
        "cancelled": "Đã hủy.",
        "declined": "Được, tôi sẽ không làm.",
        "model_failed": "Xin lỗi, mô hình ngôn ngữ không trả lời được.",
        "no_model": "Tôi cần một mô hình ngôn ngữ cho việc đó; cài bằng lệnh: edgevox setup.",
        "examples": "Khi chưa có nó, bạn có thể nói: {examples}.",
        "no_handoff": "ở đây không ai làm được việc đó.",
        "which_agent": "Ai nên làm việc đó: {agents}?",
        "or": " hoặc ",
    },
}


def say(key: str, language: str) -> str:
    """Return a sentence in the language, in English where there is none."""
    table = _SENTENCES.get(language.casefold().split("-")[0], _SENTENCES["en"])
    return table[key]


def without_model(examples: Sequence[str], language: str) -> str:
    """Say that a language model is missing, which command gets one, and what works without.

    Args:
        examples: sentences that the agent understands by itself.
        language: two-letter code.
    """
    first = say("no_model", language)
    if not examples:
        return first
    listed = either([f"“{example}”" for example in examples], language)
    return f"{first} {say('examples', language).format(examples=listed)}"


def either(choices: Sequence[str], language: str) -> str:
    """List choices as they are spoken: *a, b or c*."""
    return say("or", language).join(filter(None, [", ".join(choices[:-1]), choices[-1]]))


def spoken(value: Any, language: str) -> str:
    """Say a tool's result that brings no sentence of its own.

    Args:
        value: JSON-compatible.
        language: two-letter code.
    """
    match value:
        case None | "" | "done" | True:
            return say("done", language)
        case str():
            return value
        case list():
            return ", ".join(_short(item) for item in cast("list[Any]", value)) or say("done", language)
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            return ", ".join(f"{key.replace('_', ' ')} {_short(item)}" for key, item in pairs) + "."
        case _:
            return _short(value)


def _short(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case str():
            return value.replace("_", " ")
        case dict():
            return " ".join(
                f"{key.replace('_', ' ')} {_short(item)}" for key, item in cast("dict[str, Any]", value).items()
            )
        case list():
            return " ".join(_short(item) for item in cast("list[Any]", value))
        case _:
            return str(value)
