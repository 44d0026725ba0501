"""Chooses a voice by name.

Knows names and languages. An unknown name gives the nearest of the same language and a note, never silence.
"""

from collections.abc import Sequence
from difflib import get_close_matches

from edgevox.core.errors import LanguageUnsupported
from edgevox.core.ports import Voice


def choose_voice(
    voices: Sequence[Voice], asked: str | None, language: str, *, default: str | None = None
) -> tuple[Voice, str | None]:
    """Return the voice to use, and a note when it is not the one that was asked for.

    Args:
        voices: what there is.
        asked: a name, or `None` for the default.
        language: two-letter code that the voice must speak.
        default: name of the voice for `None`; otherwise the first of the language.

    Raises:
        LanguageUnsupported: no voice speaks the language.
    """
    own = {voice.name: voice for voice in voices if voice.language == language[:2]}
    if not own:
        raise LanguageUnsupported(f"None of these voices speaks {language!r}; choose --tts espeak, which speaks most.")
    usual = own.get(default or "", next(iter(own.values())))
    if asked is None:
        return usual, None
    if asked in own:
        return own[asked], None
    near = get_close_matches(asked.lower(), own, n=1, cutoff=0.6)
    chosen = own[near[0]] if near else usual
    if any(voice.name == asked for voice in voices):
        return chosen, f"The voice {asked} does not speak {language!r}; using {chosen.name}."
    return chosen, f"There is no voice called {asked}; using {chosen.name}."
