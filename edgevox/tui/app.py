"""The Textual app: status, chat, tools, input. Draws what the assistant publishes, passes on what a person orders."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Print
from textual.screen import Screen
from textual.widgets import Static

from edgevox.assistant.commands import COMMANDS, Leave, complete, is_command, press, run_command
from edgevox.assistant.engines import engine_names
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.answers import Answer
from edgevox.core.errors import EdgeVoxError
from edgevox.core.events import AgentEvent
from edgevox.core.redaction import redacted
from edgevox.tui.bridge import RATE_HZ, Answered, Bridge, Happened, Leaving
from edgevox.tui.chat import ChatPane
from edgevox.tui.endpoints import EndpointsScreen
from edgevox.tui.foot import Foot
from edgevox.tui.modals import HelpScreen, QuestionScreen
from edgevox.tui.palette import CommandProvider
from edgevox.tui.prompt import Prompt
from edgevox.tui.status import StatusLine
from edgevox.tui.teller import Teller
from edgevox.tui.tools import ToolsPane

if TYPE_CHECKING:
    from edgevox.agents.definition import AgentDefinition

log = logging.getLogger(__name__)

CLOSE_S = 1.6
"""How long the assistant may take to let go before the app leaves without it, seconds."""

TWICE_S = 1.0
"""A second Ctrl+C this soon after the first leaves, seconds."""

KEYS = {command.name: command.key for command in COMMANDS.values() if command.key}


class EdgeVoxApp(App[int]):
    """The full screen.

    Args:
        tools: functions for an agent made on the spot, where no definition is given.
        definition: the agent as an application declares it.
        assistant: a headless application that is built already; it is started and closed here.
        muted: whether the microphone starts deaf.
    """

    TITLE = "edgevox"
    CSS_PATH = [  # noqa: RUF012 # Textual declares these itself
        "app.tcss", "status.tcss", "chat.tcss", "tools.tcss", "prompt.tcss", "foot.tcss", "modals.tcss",
        "endpoints.tcss",
    ]  # fmt: skip
    COMMANDS = {CommandProvider}  # noqa: RUF012
    COMMAND_PALETTE_BINDING = "ctrl+p"
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (40, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (10, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(KEYS["stop"], "stop", "STOP", priority=True),
        Binding("ctrl+c", "interrupt", "copy, or STOP", priority=True),
        Binding(KEYS["quit"], "leave", "quit", priority=True),
        Binding(KEYS["help"], "help", "help"),
        Binding("f5", "tools", "tools"),
        Binding("f6", "endpoints", "endpoints"),
        Binding("pageup", "read_back(-1)", "read back", show=False),
        Binding("pagedown", "read_back(1)", "read on", show=False),
        *[
            Binding(key, f"press('{key}')", COMMANDS[name].help)
            for name, key in KEYS.items()
            if name not in ("stop", "quit", "help")
        ],
    ]

    def __init__(
        self,
        tools: Sequence[Any] = (),
        *,
        definition: "AgentDefinition | None" = None,
        assistant: AssistantSurface | None = None,
        muted: bool = False,
    ) -> None:
        super().__init__()
        self._assistant = assistant if assistant is not None else _built(tools, definition)
        self._start_muted = muted
        self._leaving = False
        self._last_interrupt = float("-inf")
        self.bridge = Bridge(self, self._assistant)
        agent = str(self._assistant.agent.name)
        self.status = StatusLine()
        self.chat = ChatPane(agent)
        self.tools = ToolsPane()
        self.prompt = Prompt(partial(complete, self._assistant))
        self.foot = Foot()
        self._teller = Teller(self)

    @property
    def assistant(self) -> AssistantSurface:
        """Who answers."""
        return self._assistant

    def run_program(self) -> int:
        """Show the app until the person leaves, so that the terminal survives whatever happens.

        Returns:
            The exit code.
        """
        from edgevox.assistant.logs import log_file
        from edgevox.assistant.supervisor import supervise
        from edgevox.assistant.terminal import guarded_terminal

        def front_end() -> int:
            with guarded_terminal(log_file()):
                code = super(EdgeVoxApp, self).run()
            return self.return_code or code or 0

        return supervise(front_end, log=log_file())

    def run(self, *args: Any, **kwargs: Any) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Show the app until the person leaves; returns the exit code."""
        if args or kwargs or not sys.stdout.isatty():
            return super().run(*args, **kwargs) or 0
        return self.run_program()

    def compose(self) -> ComposeResult:
        """Lay the panes out."""
        yield self.status
        with Horizontal(id="panes"):
            yield self.chat
            yield self.tools
        with Horizontal(id="ask"):
            yield Static("›")
            yield self.prompt
        yield self.foot

    def on_mount(self) -> None:
        """Begin to show events, and start the assistant."""
        self.theme = self._theme()
        self.status.agent = str(self._assistant.agent.name)
        self._teller.begin()
        self.prompt.focus()
        self.set_interval(1 / RATE_HZ, self.bridge.pump)
        self._handle_signals()
        self.begin_capture_print(self)
        self.bridge.start()
        self.bridge.order(self._start)

    # -- what came ---------------------------------------------------------------------------------------------------

    def on_happened(self, message: Happened) -> None:
        """Show a batch of events, in one redraw."""
        with self.batch_update():
            for event in message.events:
                self._tell(event)
        self.status.engines = engine_names(self._assistant)

    def on_answered(self, message: Answered) -> None:
        """Show what a command came to."""
        if message.line:
            self.chat.add("you", message.line, "you")
        if message.text:
            self.chat.add("", message.text, "quiet")
        self.status.engines = engine_names(self._assistant)

    def on_print(self, event: Print) -> None:
        """Keep what a tool printed in the log: on the screen it would be lost, or lie over something."""
        if event.text.strip():
            logging.getLogger("edgevox.print").info("%s", event.text.rstrip())

    async def on_leaving(self) -> None:
        """Leave because somebody ordered it."""
        await self.action_leave()

    def on_prompt_entered(self, message: Prompt.Entered) -> None:
        """Do what was typed."""
        self.enter(message.line)

    def open_question(self, screen: QuestionScreen) -> None:
        """Put a question over the screen and pass the answer on."""

        def answered(answer: Answer | None) -> None:
            chosen = answer or Answer(False)
            self.bridge.now(lambda: self._assistant.answer(chosen.approved, chosen.remember))

        self.push_screen(screen, answered)

    def close_question(self) -> None:
        """Take the question away: it has been answered elsewhere."""
        if isinstance(self.screen, QuestionScreen):
            self.pop_screen()

    # -- what is ordered ---------------------------------------------------------------------------------------------

    def enter(self, line: str) -> None:
        """Pass a line on: to the assistant, or to the table of commands."""
        if is_command(line):
            self._command(lambda: run_command(self._assistant, line), line)
        elif self._assistant.is_stop(line):
            self.bridge.now(lambda: self._assistant.submit(line))
        else:
            self.bridge.order(lambda: self._assistant.submit(line))

    def begin_line(self, line: str) -> None:
        """Begin a line for the person to finish."""
        self.prompt.begin(line)

    def action_stop(self) -> None:
        """Stop everything, and take away what lies over the screen."""
        self.bridge.now(lambda: self._assistant.stop("key"))
        if len(self.screen_stack) > 1:
            self.pop_screen()

    async def action_interrupt(self) -> None:
        """Copy what is marked, once; with nothing marked stop everything, and leave when that comes twice."""
        marked = self.screen.get_selected_text() or self.prompt.selected_text
        if marked:
            self.copy_to_clipboard(marked)
            self.screen.clear_selection()
            self.prompt.cursor_position = len(self.prompt.value)
            return
        now = time.monotonic()
        if now - self._last_interrupt < TWICE_S:
            await self.action_leave()
            return
        self._last_interrupt = now
        self.action_stop()
        self.chat.add("", "Ctrl+C once more leaves.", "quiet")

    def action_press(self, key: str) -> None:
        """Run the command of a key."""
        self._command(lambda: press(self._assistant, key) or "")

    def action_help(self) -> None:
        """Show every command and key."""
        self.push_screen(HelpScreen())

    def action_endpoints(self) -> None:
        """Show which endpoints could answer, and let the one that is chosen answer."""

        def choose(name: str | None) -> None:
            if name:
                self.enter(f"/endpoint {name}")

        self.push_screen(EndpointsScreen(self._assistant, self.bridge.now), choose)

    def action_tools(self) -> None:
        """Show or hide the tools; where there is no room for both, instead of the chat."""
        self.screen.toggle_class("-no-tools" if self.screen.has_class("-wide") else "-tools")

    def action_read_back(self, pages: int) -> None:
        """Scroll the conversation while the person types."""
        if pages < 0:
            self.chat.scroll_page_up()
        else:
            self.chat.scroll_page_down()

    async def action_leave(self) -> None:
        """Close the assistant, but not longer than a moment, and leave."""
        if self._leaving:
            return
        self._leaving = True
        self.bridge.close()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._let_go(), CLOSE_S)
        self.exit(0)

    async def action_quit(self) -> None:
        """Leave as by the key."""
        await self.action_leave()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Of Textual's own commands, offer the theme."""
        for known in super().get_system_commands(screen):  # pyright: ignore[reportUnknownMemberType]
            if known.title == "Theme":
                yield known

    def _fatal_error(self) -> None:
        """End the app after a fault of ours; what is printed then holds no locals, for those may hold keys."""
        fault = redacted(traceback.format_exc())
        log.error("the screen failed\n%s", fault)
        self._exit_renderables.append(Text(fault))
        self._close_messages_no_wait()  # pyright: ignore[reportUnknownMemberType]

    # -- inside ------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._assistant.start()
        if self._start_muted:
            self._assistant.set_muted(True)

    def _tell(self, event: AgentEvent) -> None:
        try:
            self._teller.tell(event)
        except Exception:  # one event that cannot be shown must not take the screen down
            log.exception("%s could not be shown", event.kind)

    def _command(self, action: Callable[[], str], line: str = "") -> None:
        def run() -> None:
            try:
                self.bridge.post(Answered(action(), line))
            except Leave:
                self.bridge.post(Leaving())

        self.bridge.now(run)

    async def _let_go(self) -> None:
        over = asyncio.Event()
        loop = asyncio.get_running_loop()

        def close() -> None:
            try:
                self._assistant.close()
            finally:
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(over.set)

        self.bridge.now(close)
        await over.wait()

    def _handle_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP") if os.name == "posix" else ():
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), lambda: self.bridge.post(Leaving()))

    def _theme(self) -> str:
        wanted = getattr(getattr(self._assistant.settings, "ui", None), "theme", None)
        return wanted if wanted in self.available_themes else "textual-dark"


def _built(tools: Sequence[Any], definition: "AgentDefinition | None") -> AssistantSurface:
    from edgevox.agents.definition import AgentDefinition
    from edgevox.assistant.build import build_assistant

    try:
        return build_assistant(definition or AgentDefinition(name="edgevox", tools=tuple(tools)))
    except EdgeVoxError as error:
        raise SystemExit(str(error)) from error
