"""A conversation in a plain terminal or through a pipe: joins input, assistant and screen.

Three threads: one reads what is typed and acts on it at once, so that a stop is never late; the assistant has its own;
this one tells what happens. Decides nothing about what words mean.
"""

import logging
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from edgevox.assistant.commands import Leave, complete, is_command, is_urgent, press, run_command
from edgevox.assistant.logs import log_file
from edgevox.assistant.surface import AssistantSurface
from edgevox.assistant.terminal import guarded_terminal, typed_input
from edgevox.core.events import AgentEvent
from edgevox.core.ports import ApprovalRequest, InputRequest
from edgevox.pipeline.outcome import TurnHandle
from edgevox.ui.keyboard import Keyboard, Lines
from edgevox.ui.keys import Key
from edgevox.ui.line_editor import LineEditor
from edgevox.ui.narrator import Narrator
from edgevox.ui.screen import LiveScreen, PlainScreen, Prompt, Screen

log = logging.getLogger(__name__)

SIGCONT = getattr(signal, "SIGCONT", None)
TWICE_S = 1.5
"""A second Ctrl+C this soon after the first leaves, seconds."""
BURST_S = 0.3
"""Lines of a script that follow each other this fast were written at once, seconds."""
GREETING_S = 1.0
"""How long a script waits for the greeting, so that it is told first, seconds."""
LOOK_S = 0.05
"""How often the telling thread looks whether it is over, seconds."""


def has_terminal() -> bool:
    """Whether a person sits at both ends: a terminal that can move its cursor, for input and for output."""
    return typed_input().isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def converse(assistant: AssistantSurface, *, status: bool = False, muted: bool = False) -> int:
    """Have a conversation, with the terminal kept whole where there is one, and return the exit code.

    Args:
        assistant: who is talked to; it is started and closed here.
        status: whether a status line shows state and sound level.
        muted: whether the microphone starts deaf.
    """
    if not has_terminal():
        return Conversation(assistant, status=status, muted=muted).run()
    with guarded_terminal(log_file()):
        return Conversation(assistant, status=status, muted=muted).run()


class Conversation:
    """One conversation, from greeting to goodbye.

    Args:
        assistant: who is talked to; it is started and closed here.
        status: whether a status line shows state and sound level.
        muted: whether the microphone starts deaf.
    """

    def __init__(self, assistant: AssistantSurface, *, status: bool = False, muted: bool = False) -> None:
        self._start_muted = muted
        self._assistant = assistant
        self._live = has_terminal()
        self._screen: Screen = LiveScreen() if self._live else PlainScreen()
        self._narrator = Narrator(assistant, self._screen, echo=self._live or not typed_input().isatty(), status=status)
        self._editor = LineEditor(lambda line: complete(assistant, line))
        self._leaving = False
        self._last_interrupt = float("-inf")
        self._waiting: deque[str] = deque()
        self._handle: TurnHandle | None = None
        self._input_over = threading.Event()
        self._failed = False
        self._resumed = False
        self._last_line = float("-inf")
        self._answered: ApprovalRequest | InputRequest | None = None
        self._greeting_until = time.monotonic() + GREETING_S if assistant.greeting else 0.0

    def run(self) -> int:
        """Talk until the person leaves or the input ends.

        Returns:
            0; or 1 when the input was a script and one of its turns failed.
        """
        events = self._assistant.bus.subscribe_queue(5000)
        try:
            with self._input() as source, _signals(self.on_signal):
                self._narrator.begin()
                self._assistant.start()
                if self._start_muted:
                    self._assistant.set_muted(True)
                while not self._leaving:
                    first = events.get(LOOK_S)
                    for event in [*([first] if first else []), *events.drain()]:
                        self._tell(event)
                    self._next_line()
                    if self._resumed:
                        self._resume(source)
                self._leave_in_peace()
            for event in events.drain():
                self._tell(event)
        finally:
            self._assistant.bus.unsubscribe(events)
            self._screen.close()
        return int(self._failed)

    def _input(self) -> Keyboard | Lines:
        if self._live:
            return Keyboard(self._on_key, self._leave)
        if typed_input().isatty():
            return Lines(self._order, self._leave)
        return Lines(self._on_script_line, self._input_over.set)

    def _tell(self, event: AgentEvent) -> None:
        if event.kind == "agent_message":
            self._greeting_until = 0.0
        try:
            self._narrator.tell(event)
        except Exception:  # one event that cannot be told must not end the conversation
            log.exception("%s could not be told", event.kind)

    # -- keys -------------------------------------------------------------------------------------------------------

    def _on_key(self, key: Key) -> None:
        if key.name == "enter":
            line = self._editor.take()
            self._screen.set_prompt(Prompt())
            self._order(line)
            return
        if key.name == "ctrl+d" and not self._editor.text:
            self._leave()
        elif not self._editor.feed(key):
            self._pressed(key.name)
        self._screen.set_prompt(Prompt(self._editor.text, self._editor.cursor))

    def _pressed(self, key: str) -> None:
        try:
            shown = press(self._assistant, key)
        except Leave:
            self._leave()
            return
        if shown and key != "escape":
            self._screen.line(shown, "dim")

    def _order(self, line: str) -> None:
        """Do what a line says, now."""
        if not line.strip():
            return
        try:
            if is_command(line):
                self._command(line)
            else:
                self._handle = self._assistant.submit(line)
        except Exception as error:  # what fails here must not end the thread that hears the next stop
            log.exception("%r failed", line)
            self._screen.line(f"✗ That failed: {error}.", "red")

    def _command(self, line: str) -> None:
        self._screen.line(f"› {line.strip()}", "bold")
        try:
            shown = run_command(self._assistant, line)
        except Leave:
            self._leave()
            return
        if shown:
            self._screen.line(shown, "dim")

    # -- scripts ----------------------------------------------------------------------------------------------------

    def _on_script_line(self, line: str) -> None:
        """Take a line of a script.

        A stop that comes by itself acts now and takes back what waits. One that comes in a burst with the lines before
        it has its place after them, but does not wait for the end of their turns.
        """
        now = time.monotonic()
        burst = bool(self._waiting) and now - self._last_line < BURST_S
        self._last_line = now
        if self._is_urgent(line) and not burst:
            self._waiting.clear()
            self._order(line)
        elif line.strip():  # an empty line is neither a turn nor an answer
            self._waiting.append(line)

    def _next_line(self) -> None:
        """Go on with the script when the turn before is over, or asks something, or the next line is urgent."""
        handle = self._handle
        if handle is not None and handle.done:
            self._failed = self._failed or (handle.outcome is not None and handle.outcome.error is not None)
            self._handle = handle = None
        if time.monotonic() < self._greeting_until:
            return
        if self._waiting and (handle is None or self._may_come_between(self._waiting[0])):
            self._order(self._waiting.popleft())
            if handle is not None and (self._handle is None or self._handle.done):
                self._handle = handle  # it was an answer or an order: the turn goes on; other words begin a turn
        elif handle is not None and self._open_question() is not None and self._answer_is_over():
            self._assistant.no_answer()
        elif handle is None and self._input_over.is_set() and not self._waiting:
            self._leave()

    def _answer_is_over(self) -> bool:
        """Whether a question will get no answer: the script goes on with an order, or not at all."""
        return is_command(self._waiting[0]) if self._waiting else self._input_over.is_set()

    def _open_question(self) -> ApprovalRequest | InputRequest | None:
        return self._assistant.question or self._assistant.asked

    def _may_come_between(self, line: str) -> bool:
        """Whether a line acts while a turn runs: an order that says so, or the answer to a question, once."""
        question = self._open_question()
        if question is not None and question is not self._answered and not is_command(line):
            self._answered = question
            return True
        return self._is_urgent(line)

    def _is_urgent(self, line: str) -> bool:
        return is_urgent(line) or (not is_command(line) and self._assistant.is_stop(line))

    # -- leaving ----------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        """End the conversation soon. Takes no lock, because a signal may come while this thread holds it."""
        self._leaving = True

    def on_signal(self, number: int, _: FrameType | None = None) -> None:
        """Stop at Ctrl+C, leave when it comes twice or the program has to end; `run` has it called for signals."""
        if number == SIGCONT:
            self._resumed = True
            return
        now = time.monotonic()
        again = now - self._last_interrupt < TWICE_S
        self._last_interrupt = now
        if number != signal.SIGINT or again:
            self._leave()
            return
        threading.Thread(target=self._stop_by_signal, name="stop", daemon=True).start()

    def _resume(self, source: Keyboard | Lines) -> None:
        """Take the terminal back after Ctrl+Z: the shell has put its own modes there."""
        self._resumed = False
        if isinstance(source, Keyboard):
            source.take()
            self._screen.set_prompt(Prompt(self._editor.text, self._editor.cursor))

    def _stop_by_signal(self) -> None:
        self._assistant.stop("Ctrl+C")
        self._screen.line("Ctrl+C once more leaves.", "dim")

    def _leave_in_peace(self) -> None:
        closing = threading.Thread(target=self._assistant.close, name="leave", daemon=True)
        closing.start()
        closing.join(1.8)


@contextmanager
def _signals(handler: "signal.Handlers | object") -> Generator[None]:
    """Have signals of leaving handled; only the main thread can, elsewhere nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGCONT") if hasattr(signal, name)]
    previous = {number: signal.signal(number, handler) for number in numbers}  # pyright: ignore[reportArgumentType]
    try:
        yield
    finally:
        for number, known in previous.items():
            signal.signal(number, known)
