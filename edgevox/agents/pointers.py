"""The words that point back to what was said before, language by language. Tables only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from edgevox.intents.lexicons.lexicon import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointers:
    """One language. Words are written as `edgevox.intents` compares them: small, contractions written out."""

    points_back: tuple[tuple[str, ...], ...] = ()
    """Something else about the same thing: `it`, `too`, `what about`."""
    repeats: tuple[tuple[str, ...], ...] = ()
    """The same once more: `again`."""
    corrects: tuple[tuple[str, ...], ...] = ()
    """At the beginning: the last call was not what was meant: `I meant`."""
    corrects_before_comma: str = ""
    """The same where only a pause makes it so, for *no light* refuses and *no, the light* does not; as a pattern."""
    small: frozenset[str] = frozenset()
    """What else may stand in a follow-up without meaning anything: `make`, `to`."""
    written_out: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words that hold a pointer inside, with the pointer apart: Spanish `apágala`."""


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split("|"))


_LANGUAGES = {
    "en": Pointers(
        points_back=_phrases(
            "it|that|them|this one|that one|the other one|too|also|as well|and|and what about|and how about|what about|"
            "how about|instead|rather|the same for|same for|the same in|same in|actually|back|then"
        ),
        repeats=_phrases("again|once more|one more time|another one|another|the same again|same again|repeat"),
        corrects=_phrases("no i meant|no i mean|i meant|i mean|not that one|no not that one|wrong one|no wait|wait no"),
        corrects_before_comma="no|nope|not that",
        small=words("yes make set put turn switch do please now the a to in for at with of one room light"),
    ),
    "de": Pointers(
        points_back=_phrases(
            "es|das|die|den|ihn|sie|auch|ebenfalls|ebenso|und|und was ist mit|was ist mit|wie ist es mit|stattdessen|"
            "lieber|dasselbe für|das gleiche für|zurück|dann"
        ),
        repeats=_phrases("wieder|nochmal|noch mal|noch einmal|noch einen|noch eine|das gleiche|dasselbe"),
        corrects=_phrases("nein|nein ich meinte|nein ich meine|ich meinte|ich meine|nein doch|nicht das|falsch"),
        small=words("ja mach mache machen stell stelle schalte schalt bitte jetzt der die das dem den im in für"),
    ),
    "fr": Pointers(
        points_back=_phrases(
            "la|le|les|l'|ça|cela|aussi|également|et|et pour|et dans|qu' en est il de|plutôt|à la place|pareil pour|"
            "la même chose pour|alors"
        ),
        repeats=_phrases("encore|à nouveau|de nouveau|encore une fois|une autre|un autre|la même chose|pareil"),
        corrects=_phrases("non|non je voulais dire|je voulais dire|non plutôt|pas celle là|pas celui là"),
        small=words("oui mets mettez fais faites rends maintenant dans pour à de du des d'"),
    ),
    "es": Pointers(
        points_back=_phrases(
            "la|lo|las|los|eso|también|además|y|y qué tal|qué tal|y en|en cambio|mejor|lo mismo en|entonces"
        ),
        repeats=_phrases("otra vez|de nuevo|una vez más|otro|otra|lo mismo|repite"),
        corrects=_phrases("quería decir|quise decir|no quería decir|no quise decir|no espera"),
        corrects_before_comma="no|esa no|ese no",
        small=words("sí pon haz ahora en para a de del el la"),
        written_out={
            written: f"{verb} {pointer}"
            for verb, stem in (("enciende", "enciénde"), ("apaga", "apága"), ("prende", "prénde"), ("abre", "ábre"),
                               ("cierra", "ciérra"), ("pon", "pon"), ("sube", "súbe"), ("baja", "bája"))
            for pointer in ("la", "lo", "las", "los")
            for written in (f"{stem}{pointer}", f"{verb}{pointer}")
        },
    ),
    "vi": Pointers(
        points_back=_phrases("nó|cái đó|đó|cũng|nữa|còn|và|thì sao|thay vào đó|còn ở"),
        repeats=_phrases("lại|lần nữa|một lần nữa|thêm một|như vậy"),
        corrects=_phrases("ý tôi là|không ý tôi là|tôi muốn nói|nhầm rồi|không phải cái đó"),
        corrects_before_comma="không|không phải",
        small=words("đi ở trong cho giờ hãy"),
    ),
}  # fmt: skip


def pointers_of(language: str) -> Pointers:
    """The words of a language; none where it has no table, so that nothing there is taken for a follow-up."""
    return _LANGUAGES.get(language.casefold().replace("_", "-").split("-")[0], Pointers())
