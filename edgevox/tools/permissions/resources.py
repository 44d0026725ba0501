"""Names of resources: `kind:name`, read without touching the disk.

A file's name is its path as it is written, made absolute and normalised: `..`, `.` and double slashes are resolved by
their letters alone. What a link on the disk would make of it is for those who open files to refuse.
"""

from dataclasses import dataclass
from urllib.parse import quote

from edgevox.core.rule_text import FILE, Operation, split_kind, split_parts

_OPERATIONS = {
    "motion": Operation.MOVE,
    "device": Operation.SWITCH,
    "email": Operation.SEND,
    "script": Operation.RUN,
    FILE: Operation.READ,
}
_SHOWN = 200
"""Characters of a name that a sentence repeats."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource as rules look at it."""

    kind: str
    name: str
    """Normalised: an absolute path for files, parts joined by single slashes for others."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The components of the name."""
        return split_parts(self.name)

    def __str__(self) -> str:
        """Write it as `kind:name`."""
        return f"{self.kind}:{self.name}"


def operation_on(kind: str) -> Operation:
    """Return what a tool does to a resource that it declares, by the resource's kind."""
    return _OPERATIONS.get(kind, Operation.USE)


def read_resource(text: str, base: str) -> Resource | None:
    """Read `kind:name`; `None` when no rule could speak of it: no kind, no name, or characters that no name has.

    Args:
        text: the resource.
        base: absolute path that relative paths of files are below.
    """
    split = split_kind(text)
    if split is None or not split.name or not _nameable(split.name):
        return None
    if split.kind == FILE:
        return Resource(FILE, normal_path(split.name, base))
    parts = split_parts(split.name)
    return Resource(split.kind, "/".join(parts)) if parts and not {".", ".."} & set(parts) else None


def normal_path(path: str, base: str) -> str:
    """Return the absolute path that the letters of `path` name; the disk is not looked at."""
    kept: list[str] = [] if path.startswith("/") else list(split_parts(base))
    for part in split_parts(path):
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
    return "/" + "/".join(kept)


def as_part(value: object) -> str:
    """Write a value so that it is one component of a name, whatever characters it has."""
    text = str(value).strip().casefold()
    if text in {"", ".", ".."}:
        return text.replace(".", "%2E") or "_"
    return "".join(quote(c, safe="", errors="replace") if c in "/%" or not c.isprintable() else c for c in text)


def shown_name(name: str) -> str:
    """Repeat a name in a sentence: on one line, without characters that cannot be seen, cut to a readable length."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in name)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _nameable(name: str) -> bool:
    """Whether a file system could hold the name: no NUL, and no half character but those that stand for raw bytes."""
    return not any(c == "\0" or "\ud800" <= c <= "\udc7f" or "\udd00" <= c <= "\udfff" for c in name)
