"""What hears and speaks each language, offline.

Data, and the one sentence for a language that is not covered.
"""

from dataclasses import dataclass

from edgevox.core.errors import LanguageUnsupported

ENGLISH_EARS = "whisper-tiny.en"
MANY_EARS = "whisper-base"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language that edgevox hears and speaks."""

    code: str
    name: str
    kokoro: bool = False
    """Whether Kokoro has voices for it."""

    @property
    def ears(self) -> str:
        """The model that hears it, by its name in the catalogue."""
        return ENGLISH_EARS if self.code == "en" else MANY_EARS


LANGUAGES: dict[str, Language] = {
    each.code: each
    for each in (
        Language(code="en", name="English", kokoro=True),
        Language(code="de", name="German"),
        Language(code="fr", name="French", kokoro=True),
        Language(code="es", name="Spanish", kokoro=True),
        Language(code="vi", name="Vietnamese"),
        Language(code="it", name="Italian", kokoro=True),
        Language(code="pt", name="Portuguese", kokoro=True),
        Language(code="hi", name="Hindi", kokoro=True),
        Language(code="nl", name="Dutch"),
        Language(code="pl", name="Polish"),
        Language(code="sv", name="Swedish"),
        Language(code="da", name="Danish"),
        Language(code="no", name="Norwegian"),
        Language(code="fi", name="Finnish"),
        Language(code="cs", name="Czech"),
        Language(code="ro", name="Romanian"),
        Language(code="hu", name="Hungarian"),
        Language(code="el", name="Greek"),
        Language(code="tr", name="Turkish"),
        Language(code="ru", name="Russian"),
        Language(code="uk", name="Ukrainian"),
        Language(code="id", name="Indonesian"),
        Language(code="ko", name="Korean"),
        Language(code="zh", name="Chinese"),
        Language(code="ar", name="Arabic"),
    )
}
"""By two-letter code. All but English are heard by Whisper's multilingual models and spoken at least by espeak-ng."""


def language_of(code: str) -> Language:
    """Return a language by its code; a region as in `en-GB` is left out.

    Raises:
        LanguageUnsupported: nothing hears and speaks it.
    """
    found = LANGUAGES.get(code.strip().lower().replace("_", "-").split("-", maxsplit=1)[0])
    if found is None:
        raise LanguageUnsupported(f"edgevox does not speak {code!r}; it speaks: {', '.join(LANGUAGES)}.")
    return found
