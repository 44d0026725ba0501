"""The options of every program that runs an agent: one table, from which parsers and settings are made.

Knows flags, what they mean, where they apply and which setting each one overrides. It opens nothing: whether a model or
a device is there is found out later, by what needs it.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

from edgevox import __version__
from edgevox.assistant.languages import language_code
from edgevox.core.errors import UsageError

TTS_ENGINES = ("auto", "piper", "kokoro", "espeak")
LOG_LEVELS = ("debug", "info", "warning", "error")


class Mode(StrEnum):
    """The four ways to talk to an agent."""

    SCREEN = "screen"
    """Full voice with the Textual app."""
    SIMPLE = "simple"
    """Voice, one status line."""
    TEXT = "text"
    """Keyboard only."""
    RECORDING = "recording"
    """One turn from a file."""


ALL_MODES = frozenset(Mode)
VOICE_MODES = frozenset({Mode.SCREEN, Mode.SIMPLE, Mode.RECORDING})
DEVICE_MODES = frozenset({Mode.SCREEN, Mode.SIMPLE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a person asked for on the command line. `None` leaves the choice to the agent and to the settings."""

    text_mode: bool = False
    simple_ui: bool = False
    model: str | None = None
    language: str | None = None
    voice: str | None = None
    tts: str | None = None
    stt: str | None = None
    say: Path | None = None
    answer_to: Path | None = None
    yes: bool = False
    input_device: str | None = None
    output_device: str | None = None
    mute: bool = False
    no_tts: bool = False
    no_render: bool = False
    log_level: str | None = None

    @property
    def mode(self) -> Mode:
        """Which front end was asked for."""
        if self.say is not None:
            return Mode.RECORDING
        if self.text_mode:
            return Mode.TEXT
        return Mode.SIMPLE if self.simple_ui else Mode.SCREEN

    def overrides(self) -> dict[str, Any]:
        """The settings that these options replace, nested as the settings tree is."""
        tree: dict[str, Any] = {}
        for option in OPTIONS:
            value = getattr(self, option.dest)
            if option.setting is None or value == option.default:
                continue
            *parents, leaf = option.setting.split(".")
            branch = tree
            for parent in parents:
                branch = branch.setdefault(parent, {})
            branch[leaf] = value
        return tree

    def without_effect(self) -> list[str]:
        """The flags that were given and mean nothing in this mode."""
        return [
            option.flag
            for option in OPTIONS
            if getattr(self, option.dest) != option.default and self.mode not in option.modes
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One row of the table."""

    flag: str
    help: str
    metavar: str | None = None
    """Name of the value in the help; `None` makes a switch."""
    default: Any = None
    modes: frozenset[Mode] = ALL_MODES
    """Where it has an effect."""
    setting: str | None = None
    """Dotted path of the setting it overrides."""
    read: Callable[[str], Any] = str
    """Turns the words of the command line into the value; raises `UsageError`."""

    @property
    def dest(self) -> str:
        """The field of `Options` that holds the value."""
        return self.flag.removeprefix("--").replace("-", "_")


def model_spec(text: str) -> str:
    """Check that a text can stand for a language model.

    Raises:
        UsageError: a hub model without its file, a server without a model, a name that nobody knows.
    """
    if text.startswith(("http://", "https://")):
        if not text.partition("#")[2]:
            raise UsageError(f"--model {text} names a server but no model: write {text.rstrip('#')}#MODEL.")
        return text
    from edgevox.config.specs import parse_spec
    from edgevox.endpoints import EndpointDirectory

    if EndpointDirectory().find(text) is None:
        parse_spec(text)
    return text


def existing_recording(text: str) -> Path:
    """Check that a recording is there.

    Raises:
        UsageError: there is no such file.
    """
    path = Path(text).expanduser()
    if not path.is_file():
        raise UsageError(f"There is no recording at {text}: give --say the path of a WAV file.")
    return path


def writable_recording(text: str) -> Path:
    """Check that a recording can be written there.

    Raises:
        UsageError: the folder is not there, or the path is a folder.
    """
    path = Path(text).expanduser()
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"Cannot write {text}: give --answer-to the path of a file in a folder that exists.")
    return path


def log_level(text: str) -> str:
    """Check the name of a log level.

    Raises:
        UsageError: it is none.
    """
    if text.lower() not in LOG_LEVELS:
        raise UsageError(f"--log-level {text} is unknown: choose {', '.join(LOG_LEVELS)}.")
    return text.upper()


def tts_engine(text: str) -> str:
    """Check the name of a speech synthesiser.

    Raises:
        UsageError: it is none.
    """
    if text.lower() not in TTS_ENGINES:
        raise UsageError(f"--tts {text} is unknown: choose {', '.join(TTS_ENGINES)}.")
    return text.lower()


OPTIONS: tuple[Option, ...] = (
    Option(flag="--text-mode", default=False, help="type and read; no microphone, no loudspeaker, no model needed"),
    Option(flag="--simple-ui", default=False, help="voice with one status line instead of the full screen"),
    Option(
        flag="--model",
        metavar="MODEL",
        read=model_spec,
        setting="llm.model",
        help="language model: a catalogue name, a path, hf:owner/name:file.gguf, http://host/v1#model, or an endpoint",
    ),
    Option(
        flag="--language",
        metavar="CODE",
        read=language_code,
        setting="language",
        help="language of hearing, voice and answers, such as en, de, fr, es, vi",
    ),
    Option(flag="--voice", metavar="VOICE", modes=VOICE_MODES, setting="tts.voice", help="voice that speaks"),
    Option(
        flag="--tts",
        metavar="ENGINE",
        modes=VOICE_MODES,
        read=tts_engine,
        setting="tts.engine",
        help=f"speech synthesis: {', '.join(TTS_ENGINES)}",
    ),
    Option(
        flag="--stt",
        metavar="MODEL",
        modes=VOICE_MODES,
        setting="stt.model",
        help="speech recognition model, such as whisper-tiny.en or base, or an endpoint",
    ),
    Option(
        flag="--say",
        metavar="FILE.wav",
        read=existing_recording,
        help="run one turn from a recording, print what happened, and leave",
    ),
    Option(
        flag="--answer-to",
        metavar="FILE.wav",
        read=writable_recording,
        modes=frozenset({Mode.RECORDING}),
        help="with --say: write the spoken reply to this file",
    ),
    Option(flag="--yes", default=False, help="download the models that are missing without asking"),
    Option(
        flag="--input-device",
        metavar="NAME",
        modes=DEVICE_MODES,
        setting="audio.input_device",
        help="microphone, by name or number (edgevox devices lists them)",
    ),
    Option(
        flag="--output-device",
        metavar="NAME",
        modes=DEVICE_MODES,
        setting="audio.output_device",
        help="loudspeaker, by name or number",
    ),
    Option(flag="--mute", default=False, modes=DEVICE_MODES, help="start with the microphone muted"),
    Option(flag="--no-tts", default=False, modes=VOICE_MODES, help="show replies, do not speak them"),
    Option(flag="--no-render", default=False, help="open no simulator window"),
    Option(
        flag="--log-level",
        metavar="LEVEL",
        read=log_level,
        help=f"how much the log file holds: {', '.join(LOG_LEVELS)}",
    ),
)


class OptionParser(argparse.ArgumentParser):
    """A parser whose every complaint is one sentence, raised and not printed."""

    def error(self, message: str) -> NoReturn:
        """Raise the complaint as a `UsageError`."""
        sentence = message[:1].upper() + message[1:]
        raise UsageError(f"{sentence}; {self.prog} --help lists what can be given.")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Give a parser the options of the table, and `--version`."""
    for option in OPTIONS:
        if option.metavar is None:
            parser.add_argument(option.flag, action="store_true", help=option.help)
        else:
            parser.add_argument(option.flag, metavar=option.metavar, default=option.default, help=option.help)
    parser.add_argument("--version", action="version", version=f"edgevox {__version__}")


def parse_options(argv: Sequence[str] | None, *, prog: str | None = None, description: str = "") -> Options:
    """Read a command line.

    Args:
        argv: the arguments; `None` takes the process's own.
        prog: name of the program in help and complaints.
        description: what the program is, for its help.

    Raises:
        UsageError: one sentence on what cannot be understood.
        SystemExit: `--help` or `--version` was asked for and has been printed.
    """
    parser = OptionParser(prog=prog, description=description, allow_abbrev=False)
    add_options(parser)
    return options_from(parser.parse_args(argv))


def options_from(namespace: argparse.Namespace) -> Options:
    """Check what argparse found and make `Options` of it.

    Raises:
        UsageError: a value cannot be used, or two options contradict each other.
    """
    values: dict[str, Any] = {}
    for option in OPTIONS:
        raw = getattr(namespace, option.dest, option.default)
        values[option.dest] = option.read(raw) if option.metavar is not None and isinstance(raw, str) else raw
    options = Options(**values)
    if options.answer_to is not None and options.say is None:
        raise UsageError("--answer-to needs --say FILE.wav: the recording whose answer it writes.")
    if options.text_mode and options.simple_ui:
        raise UsageError("--text-mode and --simple-ui are two front ends: choose one.")
    return options


assert {option.dest for option in OPTIONS} == {field.name for field in fields(Options)}
