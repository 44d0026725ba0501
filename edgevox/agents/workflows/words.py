"""What a workflow says by itself, in the languages it speaks: whole sentences, English where there is no entry."""

from collections.abc import Mapping

from edgevox.agents.words import say

_TOO_LONG: Mapping[str, str] = {
    "en": "Sorry, that took too long.",
    "de": "Das hat leider zu lange gedauert.",
    "fr": "Désolé, cela a pris trop de temps.",
    "es": "Lo siento, ha tardado demasiado.",
    "vi": "Xin lỗi, việc đó mất quá nhiều thời gian.",
}


def took_too_long(language: str) -> str:
    """Say that a time limit has passed."""
    return _TOO_LONG.get(language.casefold().split("-")[0], _TOO_LONG["en"])


def did_not_work(language: str) -> str:
    """Say that nothing came of it."""
    return say("failed", language)
