"""Asking whether models may be downloaded, and downloading them, for the commands that look after the machine."""

from collections.abc import Callable, Iterable

from edgevox.config.catalogue import ModelEntry
from edgevox.config.files import human_size
from edgevox.config.models import fetch, missing
from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, EdgeVoxError

Ask = Callable[[str], bool | None]
Say = Callable[[str], object]
Show = Callable[[Progress], object]


def ensure_models(
    names: str | Iterable[str],
    *,
    ask: Ask | None = None,
    yes: bool = False,
    progress: Show | None = None,
    say: Say = print,
) -> bool:
    """Have the models of a set, or some models by name, on this machine; download what is missing when told to.

    Args:
        names: a set, a name, or several.
        ask: puts a question to the person; `None`, as an answer or in its place, means that nobody is there.
        yes: download without asking.
        progress: shows how far it is; `None` draws in the terminal.
        say: tells the person one line.

    Returns:
        Whether all of them are here now. What is missing, and the command that gets it, has been said.

    Raises:
        UsageError: a name is neither a set nor a model.
    """
    absent = missing(names)
    if not absent:
        return True
    sentence = missing_sentence(absent)
    if not yes:
        agreed = ask(f"{sentence} Download now?") if ask is not None else None
        if agreed is None:
            say(f"{sentence} Get them with `edgevox models get {' '.join(entry.name for entry in absent)}`.")
        if not agreed:
            return False
    faults = fetch_all([entry.name for entry in absent], progress=progress)
    for fault in faults.values():
        say(fault)
    return not faults


def missing_sentence(absent: Iterable[ModelEntry]) -> str:
    """Return one line that says which models are missing and how much there is to download."""
    entries = list(absent)
    named = ", ".join(entry.name for entry in entries)
    size = human_size(sum(entry.download_size for entry in entries))
    return f"Not on this machine: {named} ({size} to download)."


def fetch_all(names: Iterable[str], *, again: Iterable[str] = (), progress: Show | None = None) -> dict[str, str]:
    """Fetch one model after the other and return a sentence for each that did not come.

    One that fails does not keep the others from coming; an interruption by the person ends them all.

    Args:
        names: what to fetch.
        again: those to download although they are here.
        progress: shows how far it is; `None` draws in the terminal, where Ctrl+C ends the download.

    Raises:
        KeyboardInterrupt: the person ended it; what has come is kept for the next time.
    """
    scope = CancelScope()
    if progress is not None:
        return _fetch_each(names, set(again), progress, scope)
    from edgevox.ui.download import TerminalDesk

    with TerminalDesk().show(scope) as show:
        return _fetch_each(names, set(again), show, scope)


def _fetch_each(names: Iterable[str], again: set[str], show: Show, scope: CancelScope) -> dict[str, str]:
    faults: dict[str, str] = {}
    for name in names:
        try:
            fetch(name, again=name in again, progress=show, scope=scope)
        except EdgeVoxError as error:
            faults[name] = str(error)
        except Cancelled as end:
            raise KeyboardInterrupt from end
    return faults
