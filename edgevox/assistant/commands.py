"""The commands that begin with a slash: one table, read by the prompt, the screen, its palette, its keys and its help.

Knows what a person can order and how the answer reads. What an order does is the assistant's.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any

from edgevox.assistant.actions import action_names, cancel_actions, list_actions
from edgevox.assistant.chain_orders import REPORT_NAMES, tell_chains
from edgevox.assistant.display import HELD, calls_text, clean, one_line, stage_rows
from edgevox.assistant.endpoint_orders import PROBE, choose_endpoint, endpoint_names, list_endpoints
from edgevox.assistant.engines import model_name, sound_losses, tools_of, voice_name, voices_of
from edgevox.assistant.health import show_health
from edgevox.assistant.languages import language_code, language_name
from edgevox.assistant.leave_orders import revocable, tell_permissions
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.errors import ControlFlow, EdgeVoxError
from edgevox.core.ports import Remembered
from edgevox.speech.languages import LANGUAGES

log = logging.getLogger(__name__)

Run = Callable[[AssistantSurface, str], str]


class Leave(ControlFlow):
    """The person wants to leave; the front end that ran the command ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One row of the table."""

    name: str
    help: str
    run: Run
    """Does it and returns what to show: one or more lines, or nothing."""
    argument: str = ""
    """Name of what may follow; in square brackets when it may be left out."""
    key: str | None = None
    """The key that runs it without an argument, as Textual spells it."""
    on_key: Run | None = None
    """What the key does where it is not the same as the command without an argument."""
    urgent: bool = False
    """Whether it makes sense while a turn runs: a script does not let it wait for the turn before it."""
    suggestions: Callable[[AssistantSurface], Iterable[str]] = lambda _: ()
    """What may stand for the argument."""

    @property
    def usage(self) -> str:
        """The command as it is typed."""
        return f"/{self.name} {self.argument}".rstrip()


def is_command(text: str) -> bool:
    """Whether a line is an order and not words for the agent."""
    return text.lstrip().startswith("/")


def is_urgent(line: str) -> bool:
    """Whether a line is an order that must not wait for the turn that runs."""
    command = COMMANDS.get(line.strip().removeprefix("/").partition(" ")[0].lower())
    return is_command(line) and command is not None and command.urgent


def run_command(assistant: AssistantSurface, line: str) -> str:
    """Run a line that begins with a slash and return what to show.

    An unknown command, a missing argument and a failure are answered in words.

    Raises:
        Leave: the line was `/quit`.
    """
    name, _, argument = line.strip().removeprefix("/").partition(" ")
    command = COMMANDS.get(name.lower())
    if command is None:
        return _unknown(name)
    return _run(assistant, command, command.run, argument.strip())


def press(assistant: AssistantSurface, key: str) -> str | None:
    """Run the command of a key and return what to show; `None` when no command has that key.

    Raises:
        Leave: it was the key of `/quit`.
    """
    command = next((known for known in COMMANDS.values() if known.key == key), None)
    if command is None:
        return None
    return _run(assistant, command, command.on_key or command.run, "")


def _run(assistant: AssistantSurface, command: Command, run: Run, argument: str) -> str:
    try:
        return run(assistant, argument)
    except EdgeVoxError as error:
        return str(error)
    except Exception as error:  # a command's fault must not end the conversation
        log.exception("/%s failed", command.name)
        return f"/{command.name} failed: {one_line(str(error))}."


def complete(assistant: AssistantSurface, line: str) -> list[str]:
    """Return the whole lines that `line` may become, best first."""
    name, space, argument = line.lstrip().removeprefix("/").partition(" ")
    if not is_command(line):
        return []
    if not space:
        return [f"/{known}" + (" " if COMMANDS[known].argument else "") for known in COMMANDS if known.startswith(name)]
    command = COMMANDS.get(name)
    if command is None:
        return []
    wanted = argument.strip().lower()
    return [f"/{name} {choice}" for choice in command.suggestions(assistant) if choice.lower().startswith(wanted)]


def help_rows() -> list[tuple[str, str, str]]:
    """Return usage, key and help of every command."""
    return [(command.usage, key_label(command.key), command.help) for command in COMMANDS.values()]


def key_label(key: str | None) -> str:
    """Return a key as a footer shows it: `^Q`, `F1`, `Esc`."""
    if key is None:
        return ""
    if key.startswith("ctrl+"):
        return f"^{key.removeprefix('ctrl+').upper()}"
    return {"escape": "Esc"}.get(key, key.upper())


def _unknown(name: str) -> str:
    from rapidfuzz import process

    near = process.extractOne(name.lower(), list(COMMANDS), score_cutoff=55)
    hint = f"did you mean /{near[0]}?" if near else "/help lists them."
    return f"There is no command /{clean(name)}; {hint}"


def _help(_: AssistantSurface, argument: str) -> str:
    if argument:
        command = COMMANDS.get(argument.removeprefix("/"))
        return f"{command.usage}: {command.help}" if command else _unknown(argument)
    width = max(len(usage) for usage, _, _ in help_rows())
    return "\n".join(f"{usage:<{width}}  {text}" + (f" ({key})" if key else "") for usage, key, text in help_rows())


def _stop(assistant: AssistantSurface, _: str) -> str:
    assistant.stop("command")
    return ""


def _mute(assistant: AssistantSurface, _: str) -> str:
    assistant.set_muted(True)
    if not assistant.muted:
        return "There is no open microphone."
    return "The microphone is muted; /unmute opens it again."


def _unmute(assistant: AssistantSurface, _: str) -> str:
    was_muted = assistant.muted
    assistant.set_muted(False)
    return "The microphone hears again." if was_muted else "The microphone is not muted."


def _toggle_mute(assistant: AssistantSurface, argument: str) -> str:
    return _unmute(assistant, argument) if assistant.muted else _mute(assistant, argument)


def _say(assistant: AssistantSurface, argument: str) -> str:
    if not argument:
        return "" if assistant.repeat() else "Nothing has been said yet."
    assistant.say(argument)
    return ""


def _voice(assistant: AssistantSurface, argument: str) -> str:
    if not argument:
        return f"The voice is {voice_name(assistant)}; /voices lists the others."
    assistant.set_voice(argument)
    return f"The voice is {clean(argument)} now."


def _voices(assistant: AssistantSurface, _: str) -> str:
    found = voices_of(assistant)
    if not found:
        return "No voice on this machine speaks the language; edgevox models get piper-en-joe brings an English one."
    return "\n".join(f"{voice.name:<16} {voice.language}  {voice.description}".rstrip() for voice in found)


def _lang(assistant: AssistantSurface, argument: str) -> str:
    if not argument:
        known = language_name(assistant.language)
        return f"The language is {known} ({assistant.language}); /langs lists the others."
    code = language_code(argument)
    assistant.set_language(code)
    return f"The language is {language_name(code)} now."


def _langs(_: AssistantSurface, __: str) -> str:
    return "\n".join(f"{code}  {language.name}" for code, language in LANGUAGES.items())


def _model(assistant: AssistantSurface, argument: str) -> str:
    if not argument:
        return f"The language model is {model_name(assistant)}; /models lists what can be used."
    assistant.set_model(argument)
    return f"The language model is {clean(argument)} now."


def _models(_: AssistantSurface, __: str) -> str:
    from edgevox.config.models import catalogue, find

    rows = [(entry.name, "here" if find(entry.name) else "not here") for entry in _language_models(catalogue())]
    if not rows:
        return "The catalogue lists no language model."
    return "\n".join(f"{name:<32} {where}" for name, where in rows) + "\nedgevox models get NAME brings one."


def _tools(assistant: AssistantSurface, _: str) -> str:
    tools = tools_of(assistant)
    if not tools:
        return "This agent has no tools."
    width = max(len(tool.name) for tool in tools)
    rows = (f"{tool.name:<{width}}  {one_line(getattr(tool, 'description', ''))}" for tool in tools)
    return "\n".join(row.rstrip() for row in rows)


def _agent(assistant: AssistantSurface, argument: str) -> str:
    if argument:
        assistant.switch_agent(argument)
        return ""
    agent = assistant.agent
    names = ", ".join(tool.name for tool in tools_of(assistant)) or "none"
    return f"{clean(agent.name)}: {clean(agent.description) or 'no description'}\nTools: {names}"


def _agents(_: AssistantSurface, __: str) -> str:
    from edgevox.agents.registry import AgentRegistry

    registry = AgentRegistry.discover()
    cards = registry.cards()
    width = max((len(card.name) for card in cards), default=0)
    rows = [f"{card.name:<{width}}  {one_line(card.description)}" for card in cards]
    return "\n".join([*rows, *registry.problems, "/agent NAME lets another one answer."])


def _agent_names(_: AssistantSurface) -> list[str]:
    from edgevox.agents.registry import AgentRegistry

    return AgentRegistry.discover().names()


def _map(assistant: AssistantSurface, _: str) -> str:
    from edgevox.assistant.map import ABOVE, BESIDE, COLUMNS, ROWS, draw_scene
    from edgevox.sims import SimEnvironment

    if not isinstance(assistant.deps, SimEnvironment):
        return f"{clean(assistant.agent.name)} has no world to draw; robot-scout has one: /agent robot-scout."
    columns, rows = get_terminal_size(fallback=(80, 30))
    return "\n".join(draw_scene(assistant.deps.scene(), min(COLUMNS, columns - BESIDE), min(ROWS, rows - ABOVE)))


def _devices(_: AssistantSurface, __: str) -> str:
    from edgevox.audio.devices import describe_devices

    return describe_devices()


def _reset(assistant: AssistantSurface, _: str) -> str:
    assistant.reset()
    return "The conversation is forgotten."


def _trace(assistant: AssistantSurface, _: str) -> str:
    outcome = assistant.last
    if outcome is None:
        return "Nothing has been said yet."
    rows = [*stage_rows(outcome.times), ("language model", calls_text(outcome.model_calls)), *sound_losses(assistant)]
    return "\n".join(f"{name:<22} {took}" for name, took in rows)


def _yes(assistant: AssistantSurface, argument: str) -> str:
    question = assistant.question
    if question is None:
        return "There is no open question."
    wanted = argument.strip().lower()
    offered: dict[str, Remembered] = {scope: scope for scope in question.scopes}
    remember: Remembered = offered.get(wanted, "once")
    if wanted not in ("", remember):
        takes = f", {' or '.join(question.scopes)}" if question.scopes else " alone"
        return f"This question takes /yes{takes}; it is still open."
    assistant.answer(True, remember)
    return f"Yes, {HELD[remember]}." if remember in HELD else "Yes."


def _no(assistant: AssistantSurface, _: str) -> str:
    if assistant.question is None:
        return "There is no open question."
    assistant.answer(False)
    return "No."


def _scopes(assistant: AssistantSurface) -> Iterable[str]:
    return assistant.question.scopes if assistant.question is not None else ()


def _quit(_: AssistantSurface, __: str) -> str:
    raise Leave


def _language_models(entries: Mapping[str, Any]) -> list[Any]:
    return [entry for entry in entries.values() if entry.use == "llm"]


def _voice_names(assistant: AssistantSurface) -> list[str]:
    return [voice.name for voice in voices_of(assistant)]


_TABLE = (
    Command(name="help", argument="[COMMAND]", key="f1", run=_help, help="list the commands and keys"),
    Command(name="stop", key="escape", urgent=True, run=_stop, help="stop everything: robot, speech, model"),
    Command(name="goals", urgent=True, run=list_actions, help="list the actions under way"),
    Command(
        name="cancel",
        argument="[NAME]",
        urgent=True,
        run=cancel_actions,
        suggestions=action_names,
        help="end one action, or all of them, and nothing else",
    ),
    Command(name="mute", key="f2", run=_mute, on_key=_toggle_mute, help="mute the microphone"),
    Command(name="unmute", run=_unmute, help="let the microphone hear again"),
    Command(name="say", argument="[TEXT]", key="f3", run=_say, help="speak TEXT, or the last reply again"),
    Command(name="voice", argument="[NAME]", run=_voice, suggestions=_voice_names, help="show or change the voice"),
    Command(name="voices", run=_voices, help="list the voices"),
    Command(
        name="lang", argument="[CODE]", run=_lang, suggestions=lambda _: LANGUAGES, help="show or change the language"
    ),
    Command(name="langs", run=_langs, help="list the languages"),
    Command(name="model", argument="[NAME]", run=_model, help="show or change the language model"),
    Command(name="models", run=_models, help="list the language models of the catalogue"),
    Command(
        name="endpoint",
        argument="[NAME]",
        run=choose_endpoint,
        suggestions=endpoint_names,
        help="show or change the endpoint that answers",
    ),
    Command(
        name="endpoints",
        argument="[probe]",
        run=list_endpoints,
        suggestions=lambda _: (PROBE,),
        help="list the endpoints, or ask which of them answer",
    ),
    Command(name="tools", run=_tools, help="list what the agent can do"),
    Command(
        name="chain",
        argument="[WHAT]",
        run=tell_chains,
        suggestions=lambda _: REPORT_NAMES,
        help="draw what may follow what; show, lint, mermaid",
    ),
    Command(
        name="agent", argument="[NAME]", run=_agent, suggestions=_agent_names, help="say who answers, or change that"
    ),
    Command(name="agents", run=_agents, help="list the agents"),
    Command(name="map", run=_map, help="draw the robot's world"),
    Command(name="health", run=show_health, help="look whether what the agent depends on is there"),
    Command(name="devices", run=_devices, help="list microphones and loudspeakers"),
    Command(name="reset", run=_reset, help="forget the conversation"),
    Command(name="trace", key="f4", run=_trace, help="say how long each stage of the last turn took"),
    Command(
        name="permissions",
        argument="[revoke N]",
        run=tell_permissions,
        suggestions=revocable,
        help="list what may be touched, or take an answer back",
    ),
    Command(
        name="yes",
        argument="[HOW LONG]",
        urgent=True,
        run=_yes,
        suggestions=_scopes,
        help="answer the open question with yes, or with always",
    ),
    Command(name="no", urgent=True, run=_no, help="answer the open question with no"),
    Command(name="quit", key="ctrl+q", run=_quit, help="leave"),
)

COMMANDS: Mapping[str, Command] = {command.name: command for command in _TABLE}
"""Every command by its name, in the order of the help."""
