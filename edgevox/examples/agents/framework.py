"""Gives an agent its front ends: `AgentApp(...).run()` is a whole program.

Knows what an application says about its agent and how a command line chooses a front end. What each front end does is
its own business; what the agent does is `edgevox.agents`'.
"""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgevox.assistant.options import Mode, Options, parse_options
from edgevox.core.errors import ConfigError, EdgeVoxError, UsageError, described
from edgevox.core.redaction import redacted
from edgevox.core.tools import ToolCallResult

if TYPE_CHECKING:
    from edgevox.agents.definition import AgentDefinition
    from edgevox.assistant.assistant import Assistant
    from edgevox.tools.permissions import PermissionEngine, PermissionRule

log = logging.getLogger(__name__)

EXIT_FAILED, EXIT_USAGE = 1, 2


class AgentApp:
    """An agent with its front ends: full screen, one-line voice loop, keyboard chat, one turn from a recording.

    What it is given holds in every one of them.

    Args:
        name: what the agent is called; it prefixes its lines and answers to it.
        description: one line on what it is for.
        instructions: its persona; how to answer by voice and in which language is added.
        tools: functions decorated with `@tool`, or plain functions.
        skills: functions decorated with `@skill`.
        agent: a ready-made agent instead of one made from the fields above.
        deps: your world, handed to tools and skills as `ctx.deps`; if it can be halted, a stop reaches it first.
        stop_words: words that stop everything; `None` takes the language's own, `()` disables stopping by words.
        greeting: what it says first; a mapping from language to words where it speaks several.
        phrases: more spoken phrases per tool name.
        model: language model; `None` is the person's setting.
        language: two-letter code of hearing, voice and answers.
        voice: name of the voice.
        max_tokens: longest answer of the model, tokens.
        temperature: randomness of the model, 0 to 2.
        max_tool_hops: rounds of tool calls that one turn may take.
        on_tool_call: called with every tool call's result.
        permissions: what the agent may touch: rules that allow, a whole `PermissionEngine`, or a function that returns
            one of these when the agent begins; the person's own rules are laid over them.
    """

    def __init__(
        self,
        name: str,
        description: str = "",
        instructions: str = "",
        tools: Sequence[Any] = (),
        skills: Sequence[Any] = (),
        agent: Any = None,
        deps: Any = None,
        stop_words: Sequence[str] | None = None,
        greeting: str | Mapping[str, str] = "",
        phrases: Mapping[str, Sequence[str]] | None = None,
        model: str | None = None,
        language: str = "en",
        voice: str | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        max_tool_hops: int = 3,
        on_tool_call: Callable[[ToolCallResult], object] | None = None,
        permissions: "PermissionEngine | Sequence[PermissionRule] | Callable[[], Any] | None" = None,
    ) -> None:
        self._fields: dict[str, Any] = {
            "name": name,
            "description": description,
            "instructions": instructions,
            "tools": tools,
            "skills": skills,
            "agent": agent,
            "deps": deps,
            "stop_words": stop_words,
            "greeting": greeting,
            "phrases": dict(phrases or {}),
            "model": model,
            "language": language,
            "voice": voice,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "max_tool_hops": max_tool_hops,
            "on_tool_call": on_tool_call,
            "permissions": permissions,
        }
        self.name = name
        self.description = description

    @classmethod
    def of(cls, definition: "AgentDefinition") -> "AgentApp":
        """Give an agent its front ends that is declared already."""
        return cls(**{field.name: getattr(definition, field.name) for field in fields(definition)})

    def definition(self) -> "AgentDefinition":
        """Return everything the application says about its agent."""
        from edgevox.agents.definition import AgentDefinition

        return AgentDefinition(**self._fields)

    def run(self, argv: Sequence[str] | None = None, *, prog: str | None = None) -> int:
        """Read the command line, choose a front end and talk until the person leaves.

        Args:
            argv: the arguments; `None` takes the process's own.
            prog: name of the program in help and complaints.

        Returns:
            0; 1 when it could not be done, 2 when the command line cannot be understood. The reason has been said in
            one sentence; the whole story is in the log file.

        Raises:
            SystemExit: it ended with another code than 0 and the arguments were the process's own, so that a script
                that just calls `APP.run()` ends with that code.
        """
        code = self._run(argv, prog)
        if argv is None and code != 0:
            raise SystemExit(code)
        return code

    def _run(self, argv: Sequence[str] | None, prog: str | None) -> int:
        try:
            options = parse_options(argv, prog=prog, description=f"{self.name}: {self.description}".rstrip(": "))
        except UsageError as error:
            return _complain(error)
        except SystemExit as printed:
            return int(bool(printed.code))
        return self.run_with(options)

    def run_with(self, options: Options) -> int:
        """Talk with options that have been read already. Returns what `run` does."""
        from edgevox.assistant.logs import start_logging
        from edgevox.assistant.supervisor import supervise

        log_file = start_logging(options.log_level)
        options = _for_this_terminal(options)
        for flag in options.without_effect():
            print(f"{flag} has no effect here.", file=sys.stderr)
        try:
            options, left = self._first_start(options)
        except EdgeVoxError as error:
            return _complain(error)
        if options.mode is Mode.RECORDING:
            return self._talk(options, left, log_file)
        return supervise(lambda: self._talk(options, left, log_file), log=log_file)

    def _first_start(self, options: Options) -> tuple[Options, Sequence[str]]:
        """Get the models that are missing, if the person agrees."""
        from edgevox.assistant.first_start import prepare
        from edgevox.assistant.unlocking import unlock_chosen
        from edgevox.config.settings import load_settings_or_defaults
        from edgevox.ui.download import TerminalDesk

        overrides = options.overrides()
        overrides.setdefault("language", self._fields["language"])
        settings, _ = load_settings_or_defaults(**overrides)
        try:
            options, left = prepare(options, settings, TerminalDesk())
        except ConfigError as error:
            if isinstance(error, UsageError) or options.mode is Mode.RECORDING:
                raise
            return options, [str(error)]
        if options.voice is not None and options.mode is not Mode.TEXT:
            from edgevox.assistant.engines import check_voice

            check_voice(options.voice, settings.language)
        locked = unlock_chosen((self._fields["model"], settings.llm.model, settings.stt.model))
        return options, [*left, *filter(None, [locked])]

    def _talk(self, options: Options, left: Sequence[str], log_file: Path | None) -> int:
        """Build the assistant and hand it to its front end. A failure is one sentence; the rest is in the log."""
        try:
            assistant = self._assistant(options, left)
            return _front_end(assistant, options)
        except EdgeVoxError as error:
            log.info("%s ended", self.name, exc_info=True)
            return _complain(error)
        except KeyboardInterrupt:
            return 130
        except Exception as error:  # a fault of ours: the person gets a sentence, the log the traceback
            log.exception("%s failed", self.name)
            where = f"; the details are in {log_file}" if log_file else ""
            print(redacted(f"{self.name} failed: {described(error)}{where}."), file=sys.stderr)
            return EXIT_FAILED

    def _assistant(self, options: Options, left: Sequence[str]) -> "Assistant":
        from edgevox.assistant.build import build_assistant

        assistant = build_assistant(self._adapted(options), options)
        assistant.notices[:0] = left
        return assistant

    def _adapted(self, options: Options) -> "AgentDefinition":
        """Leave out what the mode has no use for: a window of the world, a greeting for a recording."""
        definition = self.definition()
        if options.no_render and hasattr(definition.deps, "render"):
            definition.deps.render = False
        return replace(definition, greeting="") if options.mode is Mode.RECORDING else definition


def _for_this_terminal(options: Options) -> Options:
    """Chat by keyboard instead of opening a full screen where nobody could see it: in a pipe, a job, a service."""
    if options.mode is not Mode.SCREEN or all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return options
    print("There is no terminal for the full screen here, so this is the chat of --text-mode.", file=sys.stderr)
    return replace(options, text_mode=True)


def _front_end(assistant: "Assistant", options: Options) -> int:
    match options.mode:
        case Mode.RECORDING:
            from edgevox.ui.recording import run_recording

            assert options.say is not None
            return run_recording(assistant, options.say, options.answer_to)
        case Mode.TEXT:
            from edgevox.ui.text_repl import run_text_repl

            return run_text_repl(assistant)
        case Mode.SIMPLE:
            from edgevox.ui.voice_loop import run_voice_loop

            return run_voice_loop(assistant, muted=options.mute)
        case Mode.SCREEN:
            from edgevox.tui import run_screen

            return run_screen(assistant, muted=options.mute)


def _complain(error: EdgeVoxError) -> int:
    print(redacted(str(error)), file=sys.stderr)
    return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
