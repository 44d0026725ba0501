"""Asking whether models may be downloaded, and downloading them."""

import sys
from collections.abc import Callable, Iterable

from edgevox.cli.progress import Show, download_display
from edgevox.config.catalogue import ModelEntry
from edgevox.config.files import human_size
from edgevox.config.models import fetch, missing
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import EdgeVoxError

Ask = Callable[[str], bool]
Say = Callable[[str], object]


def ensure_models(
    names: str | Iterable[str],
    *,
    ask: Ask | None = None,
    yes: bool = False,
    progress: Show | None = None,
    say: Say = print,
    scope: CancelScope | None = None,
) -> bool:
    """Have the models of a set, or some models by name, on this machine; download what is missing when told to.

    Args:
        names: a set, a name, or several.
        ask: puts a question to the person and returns the answer; `None` when there is nobody to ask.
        yes: download without asking.
        progress: shows how far it is; `None` draws on the standard error stream.
        say: tells the person one line.
        scope: its end ends the download.

    Returns:
        Whether all of them are here now. What is missing, and the command that gets it, has been said.

    Raises:
        UsageError: a name is neither a set nor a model.
        Cancelled: the scope ended.
    """
    absent = missing(names)
    if not absent:
        return True
    sentence = missing_sentence(absent)
    if not yes:
        if ask is None:
            say(f"{sentence} Get them with `edgevox models get {' '.join(entry.name for entry in absent)}`.")
            return False
        if not ask(f"{sentence} Download now?"):
            return False
    if progress is not None:
        return _fetch_all(absent, progress, say, scope)
    with download_display() as show:
        return _fetch_all(absent, show, say, scope)


def missing_sentence(absent: Iterable[ModelEntry]) -> str:
    """Return one line that says which models are missing and how much there is to download."""
    entries = list(absent)
    named = ", ".join(entry.name for entry in entries)
    size = human_size(sum(entry.download_size for entry in entries))
    return f"Not on this machine: {named} ({size} to download)."


def ask_in_terminal(question: str, *, default: bool = True) -> bool:
    """Put a yes-or-no question on the terminal; without one, or at its end, the answer is no."""
    if not sys.stdin.isatty():
        return False
    try:
        answer = input(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().lower()
    except EOFError:
        return False
    return answer in {"y", "yes", "j", "ja", "o", "oui", "s", "si", "sí"} if answer else default


def _fetch_all(entries: Iterable[ModelEntry], show: Show, say: Say, scope: CancelScope | None) -> bool:
    """Fetch one model after the other; one that fails does not keep the others from coming."""
    complete = True
    for entry in entries:
        try:
            fetch(entry.name, progress=show, scope=scope)
        except EdgeVoxError as error:
            say(str(error))
            complete = False
    return complete
