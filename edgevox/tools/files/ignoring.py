"""Which files of a tree its own ignore files leave out: `.gitignore`, `.ignore` and `.rgignore`, as git reads them.

Reads such a file only where it may; files of the person's account and of the machine are never looked for.
"""

import os
from dataclasses import dataclass, field

from pathspec import GitIgnoreSpec

from edgevox.tools.files import handles
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.places import is_within
from edgevox.tools.permissions import Operation

NAMES = (".rgignore", ".ignore", ".gitignore")
"""The first that speaks of a file decides."""
_MOST = 1_000_000
"""Bytes of an ignore file; a larger one is none."""


@dataclass(slots=True)
class Ignores:
    """The ignore files of one tree, read as the walk comes to their folders."""

    gate: Gate
    root: str
    _specs: dict[str, list[GitIgnoreSpec]] = field(default_factory=dict[str, "list[GitIgnoreSpec]"])

    def leaves_out(self, path: str, *, folder: bool) -> bool:
        """Whether an entry below the root is left out; the nearest folder that speaks of it decides.

        Args:
            path: absolute.
            folder: whether it is a folder.
        """
        above = path.rpartition("/")[0] or "/"
        while True:
            name = path[len(above) :].lstrip("/") + ("/" if folder else "")
            for spec in self._of(above):
                included = spec.check_file(name).include
                if included is not None:
                    return included
            if above == self._top() or above == "/":
                return False
            above = above.rpartition("/")[0] or "/"

    def _top(self) -> str:
        return self.gate.base if is_within(self.root, self.gate.base) else self.root

    def _of(self, folder: str) -> list[GitIgnoreSpec]:
        if folder not in self._specs:
            texts = [self._read(handles.join(folder, name)) for name in NAMES]
            self._specs[folder] = [GitIgnoreSpec.from_lines(text.splitlines()) for text in texts if text]
        return self._specs[folder]

    def _read(self, path: str) -> str:
        if not self.gate.may(Operation.READ, path):
            return ""
        try:
            with handles.reading(path) as descriptor:
                data = b"".join(handles.chunks_of(descriptor)) if _small(descriptor) else b""
        except OSError:
            return ""
        return data.decode("utf-8", "replace")


def _small(descriptor: int) -> bool:
    return os.fstat(descriptor).st_size <= _MOST
