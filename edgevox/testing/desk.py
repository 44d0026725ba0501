"""A person who answers questions about downloads as a script says, and a source of models that fails as it says."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelReason, CancelScope


@dataclass(slots=True)
class ScriptedDesk:
    """A `Desk` without a terminal."""

    answer: bool | None = None
    """What every question is answered with; `None` when nobody is there."""
    interrupts: bool = False
    """Whether the person ends a download as soon as something of it has come."""
    asked: list[str] = field(default_factory=list[str])
    shown: list[Progress] = field(default_factory=list[Progress])

    def ask(self, question: str) -> bool | None:
        """Remember the question and answer it."""
        self.asked.append(question)
        return self.answer

    @contextmanager
    def show(self, scope: CancelScope) -> Generator[Callable[[Progress], object]]:
        """Remember what is shown."""

        def show(progress: Progress) -> None:
            self.shown.append(progress)
            if self.interrupts and progress.done:
                scope.cancel(CancelReason.USER)

        yield show


@dataclass(slots=True)
class ScriptedSource:
    """Fetches every model at once, or raises what it was given for it."""

    failures: dict[str, BaseException] = field(default_factory=dict[str, BaseException])
    fetched: list[str] = field(default_factory=list[str])

    def __call__(self, name: str, show: Callable[[Progress], object], scope: CancelScope) -> object:
        """Fetch one."""
        scope.check()
        self.fetched.append(name)
        show(Progress(model=name, stage="downloading"))
        if name in self.failures:
            raise self.failures[name]
        return name
