"""The settings tree: every knob of edgevox, its unit, its range and its default.

Knows values and what they mean. Where they come from (file, environment, arguments) is `settings_sources`; what acts on
them is the package whose section it is.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from edgevox.config.settings_sources import load_values, save_values, update_values
from edgevox.core.rule_text import split_rule

__all__ = [
    "AudioSettings",
    "HouseSettings",
    "LlmSettings",
    "LogSettings",
    "PermissionSettings",
    "SafetySettings",
    "Settings",
    "SttSettings",
    "TtsSettings",
    "TurnSettings",
    "UiSettings",
    "VadSettings",
    "load_settings",
    "load_settings_or_defaults",
    "save_settings",
    "update_settings",
]


def _without_region(value: Any) -> Any:
    """Take a locale such as `de_AT` or `pt-BR` for its language."""
    return value.strip().replace("_", "-").partition("-")[0].lower() if isinstance(value, str) else value


Language = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z]{2,3}$"),
    BeforeValidator(_without_region),
]
"""ISO 639 code: `en`, `de`, `vi`."""


def _is_rule(text: str) -> str:
    """Refuse what is no permission rule."""
    split_rule(text)
    return text.strip()


Name = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Rule = Annotated[str, AfterValidator(_is_rule)]
"""`switch device:light/*`, `read,create ~/notes/**`, `motion:base`: operations (every one when left out), a pattern."""
Threads = Annotated[int, Field(ge=1, le=256)]


class Section(BaseModel):
    """One table of the settings file. A name that is not declared here is a mistake, not a comment."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True, use_attribute_docstrings=True)


class AudioSettings(Section):
    """Microphone and loudspeaker."""

    input_device: Name | None = None
    """Name of the microphone, or `host:name` where two hosts show the same one; `None` is the system's default."""
    output_device: Name | None = None
    """Name of the loudspeaker, or `host:name`; `None` is the system's default."""
    input_channel: Annotated[int, Field(ge=0, le=255)] | None = None
    """Which channel of the microphone to listen to, counted from 0; `None` mixes two and takes the first of more."""
    block_ms: Annotated[int, Field(ge=8, le=256)] = 32
    """Length of a block that the microphone hands over, milliseconds."""
    output_latency_ms: Annotated[int, Field(ge=20, le=1000)] = 80
    """Sound that lies ready in front of the loudspeaker, milliseconds; more is safer, less stops sooner."""


class VadSettings(Section):
    """Where an utterance begins and ends."""

    threshold: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.5
    """Probability of speech, 0 to 1, above which a frame counts as voiced."""
    start_frames: Annotated[int, Field(ge=1, le=50)] = 2
    """Voiced frames of 32 ms in a row that begin an utterance."""
    min_speech_ms: Annotated[int, Field(ge=0, le=5000)] = 150
    """Shortest speech that becomes an ordinary turn, milliseconds; stop words have no minimum."""
    pre_roll_ms: Annotated[int, Field(ge=0, le=5000)] = 500
    """Sound kept from before the first voiced frame, milliseconds, so that no first syllable is lost."""
    soft_end_ms: Annotated[int, Field(ge=32, le=5000)] = 200
    """Silence after which recognition begins although the person may go on, milliseconds."""
    end_ms: Annotated[int, Field(ge=64, le=10000)] = 500
    """Silence that ends an utterance, milliseconds."""
    max_utterance_s: Annotated[float, Field(ge=1.0, le=300.0)] = 20.0
    """Longest utterance, seconds; what was said up to then becomes the turn."""


class SttSettings(Section):
    """Speech to text."""

    model: Name = "auto"
    """A name of `edgevox models list`, a folder, a transcription endpoint such as `groq.whisper_large_v3`, or `auto`:
    `whisper-tiny.en` for English, `whisper-base` otherwise."""
    language: Language | Literal["auto"] | None = None
    """Language to listen for; `auto` detects it in every utterance; `None` is the assistant's language."""
    compute_type: Literal["auto", "int8", "int8_float16", "int8_float32", "int16", "float16", "bfloat16", "float32"] = (
        "int8"
    )
    """Number format of the computation; what the processor cannot do falls back to the next best with one warning."""
    beam_size: Annotated[int, Field(ge=1, le=10)] = 1
    """Candidates kept while decoding; more is slower and a little more exact."""
    threads: Threads | None = None
    """Threads of the recogniser; `None` follows the plan for this machine (`edgevox.config.threads`)."""


class TtsSettings(Section):
    """Text to speech."""

    engine: Literal["auto", "piper", "kokoro", "espeak"] = "auto"
    """`auto` is the best voice that this machine can speak without making the person wait."""
    voice: Name | None = None
    """Name of a voice; `None` is the engine's default for the language."""
    speed: Annotated[float, Field(ge=0.5, le=2.0)] = 1.0
    """Rate of speech as a factor: 1 is normal, 2 twice as fast."""
    threads: Threads | None = None
    """Threads of the synthesiser; `None` follows the plan for this machine."""


class LlmSettings(Section):
    """The local language model."""

    model: Name | None = None
    """A name of `edgevox models list`, a path, `hf:repo/name:file.gguf`, an endpoint such as `ollama.qwen3_4b`, or
    `http://host/v1#model`; `None` is the best one on this machine, and none if there is none."""
    n_ctx: Annotated[int, Field(ge=256, le=1_048_576)] = 4096
    """Length of the context, tokens."""
    threads: Threads | None = None
    """Threads that generate; `None` follows the plan for this machine."""
    max_tokens: Annotated[int, Field(ge=1, le=65_536)] = 512
    """Longest answer, tokens."""
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] | None = None
    """Randomness, 0 to 2; `None` is what the model's preset recommends."""
    max_tool_hops: Annotated[int, Field(ge=0, le=20)] = 3
    """Rounds of tool calls that one turn may take before the model must answer in words."""
    compact_when_idle: bool = True
    """Whether the older part of a long conversation is summed up while nobody speaks; without it, it is left out when
    it no longer fits."""


class SafetySettings(Section):
    """Stopping."""

    stop_words: tuple[Name, ...] | None = None
    """Words that stop everything at once; `None` is the list of the language; an empty list switches stopping by voice
    off, and the status line says so."""
    on_lost_microphone: Literal["stop", "continue"] = "stop"
    """What happens to something that moves when the microphone is lost."""


class TurnSettings(Section):
    """Who speaks when."""

    barge_in: bool = True
    """Whether speaking interrupts the assistant."""


class HouseSettings(Section):
    """The house of the built-in home agent."""

    weather: Literal["demo", "open-meteo"] = "demo"
    """Where weather comes from: a table of made-up values, or open-meteo.com, which needs a network."""
    city: Name | None = None
    """City whose weather is meant when none is named; `None` asks for one."""


class PermissionSettings(Section):
    """What agents may touch: the person's own rules, laid over what each agent is allowed by its author."""

    allow: tuple[Rule, ...] = ()
    """What any agent may do, without being asked for it; what an agent's author denies stays denied."""
    ask: tuple[Rule, ...] = ()
    """What needs a yes every time, or until it is remembered; without an agent's own rule it is asked for too."""
    deny: tuple[Rule, ...] = ()
    """What nobody may do, whatever else allows it."""
    ask_timeout_s: Annotated[float, Field(ge=1.0, le=600.0)] = 20.0
    """Silence after which a question for leave is *no*, seconds."""
    remember_days: Annotated[int, Field(ge=1, le=3650)] | None = None
    """How long an *always* holds, days; `None` is until it is revoked."""


class LogSettings(Section):
    """What is written down for later."""

    audit: bool = True
    """Whether every tool call is noted, secrets covered, in a file of the log folder: `edgevox audit` shows them."""


class UiSettings(Section):
    """The terminal."""

    theme: Name | None = None
    """Name of a Textual theme; `None` is edgevox's own."""


class Settings(Section):
    """All of it. `Settings()` is the defaults alone; `load_settings()` adds file, environment and arguments."""

    language: Language = "en"
    """Language of the conversation: hearing, voice and prompt."""
    audio: AudioSettings = Field(default_factory=AudioSettings)
    vad: VadSettings = Field(default_factory=VadSettings)
    stt: SttSettings = Field(default_factory=SttSettings)
    tts: TtsSettings = Field(default_factory=TtsSettings)
    llm: LlmSettings = Field(default_factory=LlmSettings)
    safety: SafetySettings = Field(default_factory=SafetySettings)
    turn: TurnSettings = Field(default_factory=TurnSettings)
    permissions: PermissionSettings = Field(default_factory=PermissionSettings)
    log: LogSettings = Field(default_factory=LogSettings)
    ui: UiSettings = Field(default_factory=UiSettings)
    house: HouseSettings = Field(default_factory=HouseSettings)


def load_settings(**overrides: Any) -> Settings:
    """Return the settings: defaults, then the settings file, then `EDGEVOX_…` variables, then `overrides`.

    Args:
        overrides: sections as mappings (`stt={"model": "whisper-base"}`), or `stt__model="whisper-base"`. `None`
            means *not given*, so that arguments of a command line can be passed on as they are.

    Raises:
        ConfigError: a value cannot be used; the sentence names the file and line, the variable or the argument, and
            the fix.
    """
    settings, problems = load_values(Settings, overrides)
    if problems:
        raise problems[0]
    return settings


def load_settings_or_defaults(**overrides: Any) -> tuple[Settings, list[str]]:
    """Return the settings with the default in place of every value that cannot be used, and a sentence for each.

    Two are the exception and an error: an argument that was given just now, and a rule of permission, because without
    it more might be permitted than the person wants.

    Raises:
        ConfigError: one of the overrides, or one of the rules, cannot be used.
    """
    settings, problems = load_values(Settings, overrides)
    for problem in problems:
        if problem.source == "argument" or problem.setting.startswith("permissions"):
            raise problem
    return settings, [str(problem) for problem in problems]


def save_settings(settings: Settings) -> None:
    """Write what differs from the defaults to the settings file; comments and order in it survive.

    Raises:
        ConfigError: the file holds something that is not TOML, or it cannot be written.
    """
    save_values(settings, Settings())


def update_settings(changes: dict[str, Any]) -> None:
    """Change single values in the settings file and leave everything else in it alone.

    Args:
        changes: values by dotted name, `{"stt.model": "whisper-base"}`; `None` removes the value.

    Raises:
        ConfigError: a name or value is not one of the tree's, or the file cannot be read or written.
    """
    update_values(Settings, changes)
