"""Puts an assistant together from what an application declares and what a person asked for."""

from typing import Any, cast

from edgevox.agents.audit import AuditLog
from edgevox.agents.compaction.between_turns import BetweenTurns
from edgevox.agents.definition import AgentDefinition
from edgevox.agents.idle import Idle
from edgevox.assistant.assistant import Assistant
from edgevox.assistant.casting import make_agent, stop_words_of
from edgevox.assistant.options import Mode, Options
from edgevox.assistant.parts import PartsFactory
from edgevox.assistant.permits import make_permissions
from edgevox.assistant.voice import VoiceParts
from edgevox.assistant.worlds import open_world
from edgevox.config.settings import Settings, load_settings_or_defaults
from edgevox.core.errors import EdgeVoxError, LanguageUnsupported
from edgevox.core.events import EventBus
from edgevox.core.ports import ChatModel
from edgevox.speech.languages import language_of


def build_assistant(
    definition: AgentDefinition,
    options: Options | None = None,
    settings: Settings | None = None,
    *,
    voice: VoiceParts | None = None,
    model: ChatModel | None = None,
    bus: EventBus | None = None,
) -> Assistant:
    """Build the assistant for an agent. Only its world is opened; `Assistant.start` opens the rest.

    Args:
        definition: the agent.
        options: what the command line asked for; the full screen with the person's settings when not given.
        settings: the settings in force; read from file and environment when not given.
        voice: devices and engines to use instead of those that the settings name.
        model: the language model to use instead of the one that the settings name.
        bus: where events go.

    Raises:
        EdgeVoxError: what was asked for explicitly (a language, a voice, a model) cannot be had; one sentence says why.
    """
    options = options if options is not None else Options()
    problems: list[str] = []
    if settings is None:
        settings, problems = load_settings_or_defaults(**_overrides(definition, options))
    notices = list(problems)
    settings = _in_a_known_language(settings, notices)
    parts = PartsFactory(settings)
    if model is None:
        model = _model(definition, options, parts, notices)
    agent = make_agent(definition, model, settings)
    open_world(definition.deps)
    if voice is None:
        voice = _voice(options, parts, notices)
    assistant = Assistant(
        agent,
        deps=definition.deps,
        language=settings.language,
        stop_words=stop_words_of(definition, settings),
        greeting=definition.greeting_in(settings.language),
        settings=settings,
        bus=bus,
        voice=voice,
        model=model,
        parts=parts,
        permissions=make_permissions(definition.permissions, settings.permissions, agent.name),
    )
    assistant.notices.extend(notices)
    if settings.log.audit:
        AuditLog().listen(assistant.bus)
    if settings.llm.compact_when_idle:
        _compact_when_idle(assistant)
    return assistant


def _compact_when_idle(assistant: Assistant) -> None:
    """Have the older part of a long conversation summed up between turns."""
    idle = Idle()
    idle.listen(assistant.bus)

    def model() -> ChatModel | None:
        """Who answers now; nobody once it is closed, for a question would load the model again."""
        return None if assistant.closed else assistant.model

    BetweenTurns(assistant.session, model, lambda: assistant.agent, idle).listen(assistant.bus)


def _overrides(definition: AgentDefinition, options: Options) -> dict[str, Any]:
    """What the agent declares, and over it what the command line says."""
    declared: dict[str, Any] = {"language": definition.language}
    if definition.voice:
        declared["tts"] = {"voice": definition.voice}
    if definition.model:
        declared["llm"] = {"model": definition.model}
    if declared["language"] == "en":
        del declared["language"]
    return _merged(declared, options.overrides())


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        inner = merged.get(key)
        if isinstance(value, dict) and isinstance(inner, dict):
            merged[key] = _merged(cast("dict[str, Any]", inner), cast("dict[str, Any]", value))
        else:
            merged[key] = value
    return merged


def _model(definition: AgentDefinition, options: Options, parts: PartsFactory, notices: list[str]) -> ChatModel | None:
    """The language model, or `None` with a notice: without one, phrases are still answered."""
    try:
        return parts.model(options.model or definition.model)
    except EdgeVoxError as error:
        if options.model is not None:
            raise
        named = parts.settings.llm.model if definition.model is None else None
        if named:
            notices.append(f"The settings name llm.model = {named!r}: {error}")
        elif getattr(definition.agent, "needs_model", True):  # one that was made with a model misses nothing
            notices.append(str(error))
        return None


def _voice(options: Options, parts: PartsFactory, notices: list[str]) -> VoiceParts | None:
    """Devices and engines of the mode; in text mode there are none."""
    if options.mode is Mode.TEXT:
        return None
    recording = options.mode is Mode.RECORDING
    explicit = recording or options.language or options.voice or options.tts or options.stt
    return parts.voice_parts(
        devices=not recording,
        speaks=not options.no_tts,
        answer_to=options.answer_to,
        lacking=None if explicit else notices,
    )


def _in_a_known_language(settings: Settings, notices: list[str]) -> Settings:
    """Fall back to English where the settings name a language that nothing here speaks."""
    try:
        language_of(settings.language)
    except LanguageUnsupported as error:
        notices.append(f"{error} English is used.")
        return settings.model_copy(update={"language": "en"})
    return settings
