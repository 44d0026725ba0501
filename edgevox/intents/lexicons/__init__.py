"""What each language needs to be understood: its small words, its switches, its numbers and units.

Tables only. A language that has none is matched by its templates alone: `for_language` returns a bare one.
"""

import importlib

from edgevox.intents.lexicons.lexicon import Lexicon

LANGUAGES = ("de", "en", "es", "fr", "vi")

_loaded: dict[str, Lexicon] = {}


def for_language(language: str) -> Lexicon:
    """Return the tables of a language, of its base language, or bare ones.

    Args:
        language: `de`, `de-AT`, `pt_BR`, …
    """
    base = base_language(language)
    if base not in _loaded:
        known = base in LANGUAGES
        _loaded[base] = importlib.import_module(f"{__name__}.{base}").LEXICON if known else Lexicon(code=base)
    return _loaded[base]


def base_language(language: str) -> str:
    """Return the two-letter part of a language tag."""
    return language.replace("_", "-").split("-", maxsplit=1)[0].lower()
