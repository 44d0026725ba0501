"""The first start: which models a front end needs that are not here, and getting them when told to.

Knows which models belong to which mode. How a question is put and how progress is drawn is the front end's: it brings a
`Desk`. Nothing is ever downloaded that nobody said yes to.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from edgevox.assistant.options import Mode, Options
from edgevox.config.files import human_size
from edgevox.config.models import ModelEntry, fetch, find, missing
from edgevox.config.progress import Progress
from edgevox.config.recommend import speech_models
from edgevox.config.settings import Settings
from edgevox.config.specs import HubSpec, PathSpec, parse_spec
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, ModelError, ModelMissing, UsageError

Fetch = Callable[[str, Callable[[Progress], object], CancelScope], object]

EARS = ("whisper-base", "whisper-tiny.en")
VOICES = ("piper-en-joe", "kokoro-82m-int8")
"""Either will do where the person did not choose one."""


class Desk(Protocol):
    """Where a person is asked and shown."""

    def ask(self, question: str) -> bool | None:
        """Put a yes-or-no question; `None` when there is nobody to ask."""
        ...

    def show(self, scope: CancelScope) -> AbstractContextManager[Callable[[Progress], object]]:
        """Show progress while the context lasts; an interruption by the person cancels the scope."""
        ...


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

    @property
    def sentence(self) -> str:
        """What is missing and how large it is, in one line."""
        size = human_size(sum(entry.download_size for entry in self.entries))
        return f"Not on this machine yet: {', '.join(entry.name for entry in self.entries)} ({size} to download)."


def lacking(options: Options, settings: Settings) -> Lack:
    """Say which models the mode needs that are not here.

    Text mode needs none: phrases are answered without a model. Only what the command line names is missing there.
    """
    wanted: list[str] = []
    if options.mode is not Mode.TEXT:
        wanted += _speech(options, settings)
    told_to: list[str] = []
    if options.model is not None and not options.model.startswith(("http://", "https://")):
        spec = parse_spec(options.model)
        if isinstance(spec, HubSpec) and find(options.model) is None:
            told_to.append(options.model)
        elif not isinstance(spec, HubSpec | PathSpec):
            wanted.append(spec.name)
    return Lack(entries=tuple(missing(wanted)), told_to=tuple(told_to))


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
    if not lack.names:
        return options, ()
    left: list[str] = []
    agreed = [*lack.told_to]
    if lack.entries:
        if options.yes or desk.ask(f"{lack.sentence} Download now?"):
            agreed += [entry.name for entry in lack.entries]
        else:
            names = " ".join(entry.name for entry in lack.entries)
            left.append(f"{lack.sentence} Get them with `edgevox models get {names}`, or start with --yes.")
    left += _fetch_all(agreed, lack, desk, get or _download)
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


def _download(name: str, show: Callable[[Progress], object], scope: CancelScope) -> object:
    return fetch(name, progress=show, scope=scope)


def _fetch_all(names: Sequence[str], lack: Lack, desk: Desk, get: Fetch) -> list[str]:
    """Fetch one after the other; returns a sentence for each that did not come."""
    if not names:
        return []
    failures: list[str] = []
    scope = CancelScope()
    with desk.show(scope) as show:
        for name in names:
            try:
                get(name, show, scope)
            except Cancelled:
                failures.append(f"The download of {name} was cancelled; what has come is kept for the next time.")
                break
            except ModelError as error:
                if name in lack.told_to:
                    raise
                failures.append(str(error))
    return failures


def _without_ears(options: Options, settings: Settings, left: Sequence[str]) -> Options:
    if not left or options.mode not in (Mode.SIMPLE, Mode.RECORDING) or _can_hear(options, settings):
        return options
    if options.mode is Mode.RECORDING:
        raise ModelMissing(left[0])
    return replace(options, simple_ui=False, text_mode=True)


def _can_hear(options: Options, settings: Settings) -> bool:
    return not missing([name for name in _speech(options, settings) if name not in VOICES])
