"""Sentences of the built-in agents in several languages, for what a reply template cannot say.

Knows texts and how a language writes numbers. Does not know what any agent does.
"""

from collections.abc import Mapping

from edgevox.core.session import AgentContext
from edgevox.intents.lexicons import base_language, for_language
from edgevox.intents.replies import said

LANGUAGES: tuple[str, ...] = ("en", "de", "fr", "es", "vi")
"""What every built-in agent understands and speaks."""

RESULT: Mapping[str, str] = dict.fromkeys(LANGUAGES, "{result}")
"""Replies of a tool whose result is already the sentence to say, in the language of the run."""

SUMMARY: Mapping[str, str] = dict.fromkeys(LANGUAGES, "{result.summary}")
"""Replies of a tool whose result has the sentence to say beside its data."""


VALUE: Mapping[str, str] = dict.fromkeys(LANGUAGES, "{result.value}")
"""Replies of a link of a chain whose value is the sentence to say."""


class Sayings:
    """A table of sentences.

    Args:
        by_language: two-letter code to the sentences by name, with `{value}` where values go.

    Raises:
        ValueError: a language lacks a sentence that English has, or has one more.
    """

    def __init__(self, **by_language: Mapping[str, str]) -> None:
        self._tables = by_language
        for language, table in by_language.items():
            if odd := set(table) ^ set(by_language["en"]):
                raise ValueError(f"the sentences in '{language}' and in English differ in {', '.join(sorted(odd))}")

    def say(self, name: str, language: str, /, **values: object) -> str:
        """Fill a sentence in, in English where the language has no table; numbers are written as the language does."""
        table = self._tables.get(base_language(language), self._tables["en"])
        lexicon = for_language(language)
        shown = {key: said(v, lexicon) if isinstance(v, int | float) else v for key, v in values.items()}
        return table[name].format(**shown)


def language_of(ctx: AgentContext | None) -> str:
    """The language of a run; English outside one."""
    return ctx.language if ctx is not None else "en"


def listed(names: list[str], language: str) -> str:
    """Say a list: `bread, butter and jam`."""
    and_word = for_language(language).and_word
    return f" {and_word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def capital(sentence: str) -> str:
    """Begin a sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]
