"""Paths as they are written and where they lead by their letters alone. Never looks at the disk."""

from dataclasses import dataclass

from edgevox.tools.files.faults import Trouble, quoted

MAX_PATH = 4096
"""Bytes of a path."""


@dataclass(frozen=True, slots=True)
class Place:
    """One path of a command."""

    text: str
    """As it was written; what messages and listings repeat."""
    path: str
    """Absolute and normalised."""
    passed: tuple[str, ...] = ()
    """Folders that the text enters and leaves again by `..`; absolute. They have to be real folders, not links."""
    folder_only: bool = False
    """Whether the text can only mean a folder: it ends in a slash, `.` or `..`."""

    @property
    def name(self) -> str:
        """The last component; empty for the root."""
        return self.path.rpartition("/")[2]

    def below(self, name: str) -> "Place":
        """Return a place in this folder."""
        text = f"{self.text}{name}" if self.text.endswith("/") else f"{self.text}/{name}"
        return Place(text, f"{'' if self.path == '/' else self.path}/{name}")


def locate(text: str, base: str) -> Place:
    """Find where a text leads.

    Args:
        text: relative or absolute.
        base: absolute and normalised; what relative paths are below.

    Raises:
        Trouble: no file could have that name.
    """
    _refuse_unnameable(text)
    kept: list[str] = [] if text.startswith("/") else [part for part in base.split("/") if part]
    passed: list[str] = []
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            kept.append(part)
            continue
        left = "/" + "/".join(kept)
        if kept and not is_within(base, left):
            passed.append(left)
        del kept[-1:]
    last = text.rpartition("/")[2]
    return Place(text, "/" + "/".join(kept), tuple(passed), last in ("", ".", ".."))


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it, by its letters."""
    return folder in (path, "/") or path.startswith(folder + "/")


def _refuse_unnameable(text: str) -> None:
    if not text:
        raise Trouble("a path is empty")
    if "\0" in text or any("\ud800" <= c <= "\udc7f" or "\udd00" <= c <= "\udfff" for c in text):
        raise Trouble(f"no file can have the name {quoted(text)}")
    parts = text.split("/")
    if len(text) > MAX_PATH or any(len(part) > 255 for part in parts):
        raise Trouble(f"the path {quoted(text[:60])} is too long")
