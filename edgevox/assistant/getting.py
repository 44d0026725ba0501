"""Getting models that are not here: say which and how large, ask, download one after the other.

Knows what is said and in which order. How a question is put and how progress is drawn is the front end's: it brings a
`Desk`. Nothing is ever downloaded that nobody said yes to.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from edgevox.config.catalogue import ModelEntry
from edgevox.config.files import human_size
from edgevox.config.models import fetch, is_damaged
from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, EdgeVoxError

Show = Callable[[Progress], object]
Fetch = Callable[[str, Show, CancelScope], object]


class Desk(Protocol):
    """Where a person is asked and shown."""

    def ask(self, question: str) -> bool | None:
        """Put a yes-or-no question; `None` when there is nobody to ask."""
        ...

    def show(self, scope: CancelScope) -> AbstractContextManager[Show]:
        """Show progress while the context lasts; an interruption by the person cancels the scope."""
        ...


@dataclass(slots=True, kw_only=True)
class Fetched:
    """How downloads went that were done one after the other."""

    faults: dict[str, EdgeVoxError] = field(default_factory=dict[str, EdgeVoxError])
    """By name, what kept a model from coming; the others came all the same."""
    cancelled: str | None = None
    """During which the person ended it, the ones after it included."""

    @property
    def sentences(self) -> list[str]:
        """One for everything that is still not here."""
        said = [str(fault) for fault in self.faults.values()]
        if self.cancelled is not None:
            said.append(f"The download of {self.cancelled} was cancelled; what has come is kept for the next time.")
        return said


def missing_sentence(absent: Sequence[ModelEntry]) -> str:
    """Return one line that says which models are missing or damaged and how much there is to download."""
    size = human_size(sum(entry.download_size for entry in absent))
    damaged = [entry.name for entry in absent if is_damaged(entry.name)]
    gone = [entry.name for entry in absent if entry.name not in damaged]
    said = [f"not on this machine yet: {', '.join(gone)}"] if gone else []
    said += [f"damaged: {', '.join(damaged)}"] if damaged else []
    words = "; ".join(said)
    return f"{words[:1].upper()}{words[1:]} ({size} to download)."


def refused(absent: Sequence[ModelEntry], desk: Desk, *, yes: bool = False) -> str | None:
    """Ask whether models that are missing may be downloaded.

    Args:
        absent: the models; none is fine.
        desk: where the person is asked.
        yes: whether they have agreed already.

    Returns:
        `None` when they may; otherwise one line with the command that gets them.
    """
    if not absent or yes:
        return None
    sentence = missing_sentence(absent)
    if desk.ask(f"{sentence} Download now?"):
        return None
    names = " ".join(entry.name for entry in absent)
    return f"{sentence} Get them with `edgevox models get {names}`, or start with --yes."


def fetch_all(names: Sequence[str], desk: Desk, *, get: Fetch | None = None) -> Fetched:
    """Fetch one model after the other; one that fails does not keep the others from coming.

    Args:
        names: catalogue names or `hf:` specs.
        desk: where progress is shown.
        get: fetches one model; the product's own download when not given.
    """
    done, scope = Fetched(), CancelScope()
    if not names:
        return done
    with desk.show(scope) as show:
        for name in names:
            try:
                (get or _download)(name, show, scope)
            except Cancelled:
                done.cancelled = name
                break
            except EdgeVoxError as error:
                done.faults[name] = error
    return done


def _download(name: str, show: Show, scope: CancelScope) -> object:
    return fetch(name, progress=show, scope=scope)
