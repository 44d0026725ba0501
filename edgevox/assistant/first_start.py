"""The first start: which models a front end needs that are not here, and getting them when told to.

Knows which models belong to which mode; asking and downloading are `edgevox.assistant.getting`'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from edgevox.assistant.getting import Desk, Fetch, fetch_all, refused
from edgevox.assistant.options import Mode, Options
from edgevox.config.models import ModelEntry, find, missing
from edgevox.config.recommend import speech_models
from edgevox.config.settings import Settings
from edgevox.config.specs import HubSpec, PathSpec, parse_spec
from edgevox.core.errors import ModelMissing, UsageError
from edgevox.endpoints import EndpointDirectory, LocalEndpoint

EARS = ("whisper-base", "whisper-tiny.en")
VOICES = ("piper-en-joe", "kokoro-82m-int8")
"""Either will do where the person did not choose one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """What is missing."""

    entries: tuple[ModelEntry, ...] = ()
    """Models of the catalogue, to be asked for."""
    told_to: tuple[str, ...] = ()
    """Models that the command line names by where they come from: naming one is saying yes."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that is missing."""
        return (*self.told_to, *(entry.name for entry in self.entries))


def lacking(options: Options, settings: Settings) -> Lack:
    """Say which models the mode needs that are not here.

    Text mode needs none: phrases are answered without a model. Only what the command line names is missing there.
    """
    wanted: list[str] = []
    if options.mode is not Mode.TEXT:
        wanted += _speech(options, settings)
    told_to: list[str] = []
    named = _model_here(options.model)
    if named is not None:
        spec = parse_spec(named)
        if isinstance(spec, HubSpec) and find(named) is None:
            told_to.append(named)
        elif not isinstance(spec, HubSpec | PathSpec):
            wanted.append(spec.name)
    return Lack(entries=tuple(missing(wanted)), told_to=tuple(told_to))


def _model_here(named: str | None) -> str | None:
    """The model on this machine that the command line names; `None` where it names none, or a server's."""
    if named is None or named.startswith(("http://", "https://")):
        return None
    found = EndpointDirectory().find(named)
    if found is None:
        return named
    return found.model_name if isinstance(found, LocalEndpoint) else None


def prepare(
    options: Options, settings: Settings, desk: Desk, *, get: Fetch | None = None
) -> tuple[Options, Sequence[str]]:
    """Get what is missing if the person agrees.

    Args:
        options: what the command line says; `yes` agrees to everything.
        settings: the settings in force.
        desk: where the person is asked.
        get: fetches one model; the product's own download when not given.

    Returns:
        The options to go on with, and a sentence for everything that stays missing. Without ears, the one-line voice
        loop becomes a chat by keyboard; the full screen takes typed words by itself.

    Raises:
        ModelMissing: a recording is to be heard and nothing can hear.
        ModelError, UsageError: the model that was named cannot be had.
    """
    lack = lacking(options, settings)
    refusal = refused(lack.entries, desk, yes=options.yes)
    named = fetch_all(lack.told_to, desk, get=get)
    for fault in named.faults.values():
        raise fault
    left = named.sentences if refusal is None else [*named.sentences, refusal]
    if refusal is None and named.cancelled is None:
        left += fetch_all([entry.name for entry in lack.entries], desk, get=get).sentences
    return _without_ears(options, settings, left), left


def _speech(options: Options, settings: Settings) -> list[str]:
    """The models that hear and speak, by the settings; none where another engine will do."""
    smallest = speech_models(settings.language)
    names = [name for name in smallest if name not in (*EARS, *VOICES)]
    names += _ears(settings, smallest)
    return names if options.no_tts else names + _voice(settings, smallest)


def _ears(settings: Settings, smallest: Sequence[str]) -> list[str]:
    chosen = settings.stt.model
    if chosen != "auto":
        return [name for name in (chosen, f"whisper-{chosen}") if _in_catalogue(name)][:1]
    if find("whisper-base") is not None:
        return []
    return [name for name in smallest if name in EARS]


def _voice(settings: Settings, smallest: Sequence[str]) -> list[str]:
    match settings.tts.engine:
        case "espeak":
            return []
        case "piper":
            return ["piper-en-joe"] if settings.language == "en" else []
        case "kokoro":
            return ["kokoro-82m-int8"]
        case "auto":
            here = any(find(name) is not None for name in VOICES)
            return [] if here else [name for name in smallest if name in VOICES]


def _in_catalogue(name: str) -> bool:
    if Path(name).expanduser().exists():
        return False
    try:
        return isinstance(parse_spec(name), ModelEntry)
    except UsageError:
        return False


def _without_ears(options: Options, settings: Settings, left: Sequence[str]) -> Options:
    if not left or options.mode not in (Mode.SIMPLE, Mode.RECORDING) or _can_hear(options, settings):
        return options
    if options.mode is Mode.RECORDING:
        raise ModelMissing(left[0])
    return replace(options, simple_ui=False, text_mode=True)


def _can_hear(options: Options, settings: Settings) -> bool:
    return not missing([name for name in _speech(options, settings) if name not in VOICES])
