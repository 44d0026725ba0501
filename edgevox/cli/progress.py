"""How far downloads are, on a terminal as bars and elsewhere as lines.

Knows how to draw `edgevox.config.progress`. Rich is loaded only when there is a terminal to draw on.
"""

import contextlib
import sys
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TextIO

from edgevox.config.files import human_size
from edgevox.config.progress import Progress
from edgevox.core.clock import SYSTEM_CLOCK, Clock

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

LINE_EVERY_S = 5.0
WORDS = {
    "waiting": "another process is downloading it",
    "downloading": "downloading",
    "unpacking": "unpacking",
    "checking": "checking",
    "done": "done",
}

Show = Callable[[Progress], object]


@contextlib.contextmanager
def download_display(stream: TextIO | None = None) -> Generator[Show]:
    """Yield what shows the progress of downloads: bars with bytes and time left on a terminal, lines elsewhere.

    Args:
        stream: where to; `None` is the standard error stream, so that output for other programs stays clean.
    """
    target = sys.stderr if stream is None else stream
    if not target.isatty():
        yield ProgressLines(target)
        return
    with _new_bars(target) as bars:
        yield ProgressBars(bars)


class ProgressLines:
    """One line when a stage begins, at its end, and every few seconds between."""

    def __init__(self, stream: TextIO, clock: Clock = SYSTEM_CLOCK) -> None:
        self._stream = stream
        self._clock = clock
        self._stage: tuple[str, str] = ("", "")
        self._said = 0.0

    def __call__(self, progress: Progress) -> None:
        """Show one moment."""
        if progress.note:
            self._say(f"{progress.model}: {progress.note}")
            return
        stage = (progress.model, progress.stage)
        now = self._clock.monotonic()
        if stage != self._stage or now - self._said >= LINE_EVERY_S:
            self._stage, self._said = stage, now
            self._say(f"{progress.model}: {WORDS[progress.stage]}{_amount(progress)}")

    def _say(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class ProgressBars:
    """A bar for each model."""

    def __init__(self, bars: "Bars") -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._stages: dict[str, str] = {}

    def __call__(self, progress: Progress) -> None:
        """Show one moment."""
        if progress.note:
            self._bars.console.print(f"{progress.model}: {progress.note}", markup=False, highlight=False)
            return
        task = self._tasks.get(progress.model)
        if task is None:
            task = self._tasks[progress.model] = self._bars.add_task(progress.model, total=None, stage="")
        changes: dict[str, Any] = {"stage": WORDS[progress.stage]}
        if progress.stage == "done":
            self._bars.update(task, **changes)
            return
        if self._stages.get(progress.model) != progress.stage:
            self._stages[progress.model] = progress.stage
            self._bars.reset(task, total=progress.total)
        self._bars.update(task, completed=progress.done, total=progress.total, **changes)


def _new_bars(stream: TextIO) -> "Bars":
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as RichProgress

    return RichProgress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[stage]}"),
        console=Console(file=stream),
    )


def _amount(progress: Progress) -> str:
    if progress.stage in {"waiting", "done"} or not progress.total:
        return ""
    share = 100 * progress.done // progress.total
    return f", {human_size(progress.done)} of {human_size(progress.total)} ({share} %)"
