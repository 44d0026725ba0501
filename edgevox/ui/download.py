"""The desk of the first start, in a terminal: asks whether to download and draws how far it is."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from edgevox.config.files import human_size
from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelReason, CancelScope

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

YES = frozenset({"", "y", "yes", "j", "ja", "o", "oui", "s", "si", "sí", "có"})
"""What agrees; the empty line does, because the question says so."""


class TerminalDesk:
    """Asks and shows on the terminal that the program was started in; without one, nobody is asked."""

    def ask(self, question: str) -> bool | None:
        """Put a question that return alone answers with yes; `None` when nobody sits at the terminal."""
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return None
        try:
            return input(f"{question} [Y/n] ").strip().lower() in YES
        except EOFError:
            return False
        except KeyboardInterrupt:
            print(file=sys.stderr)
            return False

    def show(self, scope: CancelScope) -> AbstractContextManager[Callable[[Progress], object]]:
        """Draw bars on a terminal and lines elsewhere; Ctrl+C cancels the scope while they are drawn."""
        return _bars(scope) if sys.stderr.isatty() else _lines(scope)


@contextmanager
def _bars(scope: CancelScope) -> Generator[Callable[[Progress], object]]:
    with _cancelled_by_interrupt(scope), _new_bars() as bars:
        tasks: dict[str, Any] = {}

        def show(progress: Progress) -> None:
            if progress.note:
                bars.console.print(f"{progress.model}: {progress.note}", markup=False, highlight=False)
                return
            if progress.model not in tasks:
                tasks[progress.model] = bars.add_task(progress.model, total=progress.total, stage="")
            task = tasks[progress.model]
            if progress.stage == "done":
                bars.update(task, stage="done")
                return
            bars.update(task, completed=progress.done, total=progress.total, stage=progress.stage)

        yield show


@contextmanager
def _lines(scope: CancelScope) -> Generator[Callable[[Progress], object]]:
    last: list[tuple[str, str, int]] = []

    def show(progress: Progress) -> None:
        tenth = 10 * progress.done // progress.total if progress.total else 0
        moment = (progress.model, progress.note or progress.stage, tenth)
        if moment not in last:
            last[:] = [moment]
            amount = f" {human_size(progress.done)} of {human_size(progress.total)}" if progress.total else ""
            print(f"{progress.model}: {progress.note or progress.stage + amount}", file=sys.stderr, flush=True)

    with _cancelled_by_interrupt(scope):
        yield show


@contextmanager
def _cancelled_by_interrupt(scope: CancelScope) -> Generator[None]:
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        yield
        return

    def cancel(_: int, __: FrameType | None) -> None:
        """Cancel from another thread: this one may be holding the very lock that cancelling takes."""
        threading.Thread(target=scope.cancel, args=(CancelReason.USER,), daemon=True).start()

    previous = signal.signal(signal.SIGINT, cancel)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _new_bars() -> "Bars":
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[stage]}", markup=False),
    )
    return RichProgress(*columns, console=Console(file=sys.stderr))
