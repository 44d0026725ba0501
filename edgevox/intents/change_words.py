"""How changes of a value are said, language by language. Tables only.

Directions are listed under the units, or the last words of the parameter names, that they belong to; those under the
empty name fit every number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from edgevox.intents.lexicons import base_language
from edgevox.intents.lexicons.lexicon import phrases, words

Phrases = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWords:
    """One language."""

    more: Mapping[str, Phrases] = field(default_factory=dict[str, Phrases])
    less: Mapping[str, Phrases] = field(default_factory=dict[str, Phrases])
    little: Phrases = ()
    """What makes it one step."""
    lots: Phrases = ()
    """What makes it several."""
    by: frozenset[str] = frozenset()
    """What may stand before an amount: *up by five*."""


def _by_kind(table: Mapping[str, str]) -> dict[str, Phrases]:
    return {kind: phrases(said) for kinds, said in table.items() for kind in kinds.split(",")}


_LANGUAGES: Mapping[str, ChangeWords] = {
    "en": ChangeWords(
        more=_by_kind({
            "": "more | up | higher | increase | raise | stronger | greater | bigger | turn up | upwards",
            "c,f,celsius,fahrenheit": "warmer | hotter | cosier | cozier | more heat",
            "volume": "louder", "brightness": "brighter | lighter", "speed": "faster | quicker",
            "min,s,h": "longer",
        }),
        less=_by_kind({
            "": "less | down | lower | decrease | reduce | weaker | smaller | fewer | turn down | downwards",
            "c,f,celsius,fahrenheit": "colder | cooler | chillier | less warm | less hot | less heat",
            "volume": "quieter | softer | less loud", "brightness": "darker | dimmer | dim", "speed": "slower",
            "min,s,h": "shorter",
        }),
        little=phrases("a bit | a little | a little bit | a tiny bit | slightly | a touch | a notch | one notch |"
        " a tad | somewhat | some | a step"),
        lots=phrases("a lot | lots | much | far | way | considerably | a good deal"),
        by=words("by"),
    ),
    "de": ChangeWords(
        more=_by_kind({
            "": "mehr | höher | hoch | rauf | erhöhe | erhöhen | stärker | größer | nach oben",
            "c,f,celsius,fahrenheit": "wärmer | heißer",
            "volume": "lauter", "brightness": "heller", "speed": "schneller", "min,s,h": "länger",
        }),
        less=_by_kind({
            "": "weniger | niedriger | tiefer | runter | herunter | senke | verringere | schwächer | kleiner"
            " | nach unten",
            "c,f,celsius,fahrenheit": "kälter | kühler | weniger warm",
            "volume": "leiser", "brightness": "dunkler", "speed": "langsamer", "min,s,h": "kürzer",
        }),
        little=phrases("ein bisschen | ein wenig | bisschen | etwas | ein klein wenig | eine stufe | leicht"
        " | ein stück"),
        lots=phrases("viel | deutlich | sehr viel | wesentlich"),
        by=words("um"),
    ),
    "fr": ChangeWords(
        more=_by_kind({
            "": "plus | plus haut | plus fort | de plus | monte | augmente | en plus",
            "c,f,celsius,fahrenheit": "plus chaud | plus chaude | plus de chaleur",
            "brightness": "plus clair | plus lumineux", "speed": "plus vite", "min,s,h": "plus longtemps | plus long",
        }),
        less=_by_kind({
            "": "moins | plus bas | moins fort | de moins | baisse | diminue | réduis",
            "c,f,celsius,fahrenheit": "plus froid | plus froide | plus frais | plus fraîche | moins chaud"
            " | moins chaude",
            "brightness": "plus sombre | moins clair", "speed": "moins vite | plus lentement",
            "min,s,h": "moins longtemps",
        }),
        little=phrases("un peu | un petit peu | légèrement | un cran"),
        lots=phrases("beaucoup | bien | nettement"),
        by=words("de d'"),
    ),
    "es": ChangeWords(
        more=_by_kind({
            "": "más | más alto | más alta | más fuerte | sube | aumenta | más arriba",
            "c,f,celsius,fahrenheit": "más caliente | más cálido | más cálida | más calor | más calentito",
            "brightness": "más claro | más brillante", "speed": "más rápido", "min,s,h": "más largo",
        }),
        less=_by_kind({
            "": "menos | más bajo | más baja | más flojo | baja | reduce | disminuye | más abajo",
            "c,f,celsius,fahrenheit": "más frío | más fría | más fresco | más fresca | menos caliente | menos calor",
            "brightness": "más oscuro", "speed": "más lento | más despacio", "min,s,h": "más corto",
        }),
        little=phrases("un poco | un poquito | ligeramente | algo | un punto"),
        lots=phrases("mucho | bastante"),
        by=words("en"),
    ),
    "vi": ChangeWords(
        more=_by_kind({
            "": "tăng | lên | cao hơn | thêm | nhiều hơn | tăng thêm | tăng lên",
            "c,f,celsius,fahrenheit": "ấm hơn | nóng hơn | ấm lên | ấm thêm",
            "volume": "to hơn | lớn hơn", "brightness": "sáng hơn", "speed": "nhanh hơn", "min,s,h": "lâu hơn",
        }),
        less=_by_kind({
            "": "giảm | xuống | thấp hơn | bớt | ít hơn | giảm bớt | giảm xuống",
            "c,f,celsius,fahrenheit": "mát hơn | lạnh hơn | mát xuống | bớt nóng",
            "volume": "nhỏ hơn", "brightness": "tối hơn", "speed": "chậm hơn", "min,s,h": "ngắn hơn",
        }),
        little=phrases("một chút | chút | một ít | tí | một tí | chút xíu | hơi"),
        lots=phrases("nhiều | rất nhiều"),
        by=words("khoảng"),
    ),
}  # fmt: skip


def change_words(language: str) -> ChangeWords:
    """Return the words of a language; none where it has no table."""
    return _LANGUAGES.get(base_language(language), ChangeWords())
