"""Where the parts of a memory lie, and how a file gets there: whole, once, and never over another.

Makes no folder before something is put in it.
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from edgevox.config.files import sync_file, sync_folder, write_failed

if TYPE_CHECKING:
    from edgevox.tools.files import Sandbox

FOLDER = ".edgevox"
"""Below a project, unless somebody chooses another."""
_STAMP = "%Y%m%dT%H%M%S%fZ"
_OPENING, _CLOSING = "<!-- edgevox ", " -->"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFolders:
    """Three folders that do not lie within each other."""

    logs: Path
    """Journals, by day."""
    snapshots: Path
    """Snapshots, by conversation."""
    memory: Path

    def __post_init__(self) -> None:
        """Refuse folders that lie within each other.

        Raises:
            ValueError: with the names of both.
        """
        named = {"logs": self.logs, "snapshots": self.snapshots, "memory": self.memory}
        for name, folder in named.items():
            for other, outer in named.items():
                if name != other and folder.absolute().is_relative_to(outer.absolute()):
                    raise ValueError(f"The folder for {name} ({folder}) lies in that for {other} ({outer}).")

    @classmethod
    def below(cls, root: Path) -> Self:
        """Return the folders of a project."""
        home = root / FOLDER
        return cls(logs=home / "logs", snapshots=home / "snapshots", memory=home / "memory")

    @classmethod
    def of(cls, sandbox: "Sandbox") -> Self:
        """Return the folders of the project of a sandbox.

        Raises:
            ValueError: the sandbox has no project, or the folders lie within each other.
        """
        return cls(logs=sandbox.logs, snapshots=sandbox.snapshots, memory=sandbox.memory)


def stamp(moment: datetime) -> str:
    """Return a moment (UTC) as the name of a file; names sort as the moments do."""
    return moment.strftime(_STAMP)


def next_path(folder: Path, now: datetime) -> Path:
    """Return the file that comes after all others of a folder, whatever the clocks of those who made them said."""
    latest, moment = newest(folder), now
    if latest is not None and f"{stamp(now)}.md" <= latest.name:
        with contextlib.suppress(ValueError):  # a name that somebody else gave
            moment = datetime.strptime(latest.stem, _STAMP).replace(tzinfo=now.tzinfo) + timedelta(microseconds=1)
    return folder / f"{stamp(moment)}.md"


def publish(path: Path, text: str) -> bool:
    """Put a text into a file that is not there yet, in one step; says whether it was this call that made it.

    Raises:
        DiskFull, ConfigError: it could not be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _linked(path, text.encode())
    except OSError as error:
        raise write_failed(path, error) from error


def _linked(path: Path, content: bytes) -> bool:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            sync_file(file)
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def with_provenance(text: str, provenance: Mapping[str, Any]) -> str:
    """Return a text with what it was made of at its end, where no reader sees it."""
    data = json.dumps(dict(provenance), ensure_ascii=True, sort_keys=True).replace("--", "-\\u002d")
    return f"{text.rstrip()}\n\n{_OPENING}{data}{_CLOSING}\n"


def parted(text: str) -> tuple[str, dict[str, Any]]:
    """Return a text and what it says it was made of; nothing where it says nothing that can be read."""
    start = text.rfind(_OPENING)
    if start < 0:
        return text.strip(), {}
    inner = text[start + len(_OPENING) :].strip().removesuffix(_CLOSING.strip())
    try:
        data = json.loads(inner)
    except ValueError:  # somebody has edited the file
        data = None
    return text[:start].strip(), cast("dict[str, Any]", data) if isinstance(data, dict) else {}


def newest(folder: Path) -> Path | None:
    """Return the file of a folder whose name says that it is the newest."""
    return max(texts_in(folder), key=lambda path: path.name, default=None)


def texts_in(folder: Path) -> list[Path]:
    """Return the published texts of a folder, oldest first."""
    try:
        found = [path for path in folder.iterdir() if path.suffix == ".md" and not path.name.startswith(".")]
    except OSError:  # not there yet
        return []
    return sorted((path for path in found if path.is_file()), key=lambda path: path.name)
