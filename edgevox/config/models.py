"""Finding a model on this machine.

The resolver that `edgevox models` and every loader use, in this order: a path the person gave, edgevox's model folder
and what installed packages bring along, the Hugging Face cache. It never opens a socket; `fetch`, which does, is called
only when somebody said to download.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.config.catalogue import HubSource, InstalledSource, ModelEntry, ModelFile, catalogue
from edgevox.config.files import human_size
from edgevox.config.hub_cache import cached_files
from edgevox.config.machine import read_machine
from edgevox.config.paths import models_dir
from edgevox.config.recommend import model_sets
from edgevox.config.specs import HubSpec, PathSpec, Spec, parse_spec, spec_text
from edgevox.config.verify import corrupt, kind_of, quick_fault
from edgevox.core.errors import EdgeVoxError, ModelCorrupt, ModelError, ModelMissing, UsageError

if TYPE_CHECKING:
    from edgevox.config.progress import Progress
    from edgevox.core.cancel import CancelScope

__all__ = [
    "ModelEntry", "ModelFiles", "catalogue", "fetch", "find", "is_damaged", "missing", "names_in", "resolve", "sets",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """A model that is on this machine and passed the quick check."""

    spec: str
    """What a person writes for it."""
    folder: Path
    """Folder of its files."""
    files: Mapping[str, Path]
    """Every file by its catalogue name, the main one first."""
    entry: ModelEntry | None = None
    """What the catalogue knows of it; `None` for a path or a file of the hub."""

    def path(self, file_name: str | None = None) -> Path:
        """Return one file; without a name the main one.

        Raises:
            ModelMissing: the model has no such file.
        """
        if file_name is None:
            return next(iter(self.files.values()))
        if file_name in self.files:
            return self.files[file_name]
        raise ModelMissing(f"{self.spec} has no file {file_name} in {self.folder}; name a model of the right kind.")


def resolve(spec: str) -> ModelFiles:
    """Return the files of a model on this machine. Never touches the network.

    Args:
        spec: a catalogue name, a path, or `hf:repo/name:file.gguf`.

    Raises:
        UsageError: `spec` is none of these.
        ModelMissing: it is not here; the sentence says how large it is and the command that gets it.
        ModelCorrupt: it is here and cannot be what it should be; the sentence says why.
    """
    parsed = parse_spec(spec)
    if isinstance(parsed, PathSpec):
        return _at_path(parsed.path)
    damaged: ModelCorrupt | None = None
    for place in _places(parsed):
        try:
            if (found := place()) is not None:
                return found
        except ModelCorrupt as error:
            damaged = damaged or error
    raise damaged or ModelMissing(_missing_sentence(parsed))


def find(spec: str) -> ModelFiles | None:
    """Return the files of a model, or `None` when it is not here or cannot be used. Never touches the network.

    Raises:
        UsageError: `spec` is no model at all.
    """
    try:
        return resolve(spec)
    except ModelError:
        return None


def is_damaged(name: str) -> bool:
    """Return whether something lies where the model should be that cannot be the model."""
    try:
        resolve(name)
    except ModelCorrupt:
        return True
    except EdgeVoxError:
        return False
    return False


def fetch(
    spec: str,
    *,
    again: bool = False,
    progress: "Callable[[Progress], object] | None" = None,
    scope: "CancelScope | None" = None,
) -> ModelFiles:
    """Download a model unless it is here already, and return its files.

    Args:
        spec: a catalogue name, a path, or `hf:repo/name:file.gguf`.
        again: download it although it is here, because its content proved wrong.
        progress: called with how far it is, often, on the calling thread.
        scope: its end ends the download within a moment; what was fetched is kept for the next time.

    Raises:
        UsageError, DownloadError: one sentence that names each cause and what to do; `code` is `disk_full` for no room.
        Cancelled: the scope ended.
    """
    if not again and (found := find(spec)) is not None:
        return found
    parsed = parse_spec(spec)
    if isinstance(parsed, PathSpec):
        return _at_path(parsed.path)
    from edgevox.config.fetching import fetch_spec

    is_here = (lambda: False) if again else (lambda: find(spec) is not None)
    fetch_spec(parsed, is_here=is_here, again=again, progress=progress, scope=scope)
    return resolve(spec)


def sets() -> Mapping[str, tuple[str, ...]]:
    """Return the sets of models by name; `recommended` is what suits this machine without the hub."""
    return model_sets(read_machine())


def names_in(set_or_names: str | Iterable[str], *, with_needs: bool = True) -> list[str]:
    """Return the models that a set's name, a model's name or several of both stand for, each once, in order.

    Args:
        set_or_names: one, or several.
        with_needs: add the models without which one of them is of no use.
    """
    given = [set_or_names] if isinstance(set_or_names, str) else list(set_or_names)
    known = sets()
    names = [name for item in given for name in known.get(item, (item,))]
    if with_needs:
        entries = catalogue()
        names = [more for name in names for more in (name, *(entries[name].needs if name in entries else ()))]
    return list(dict.fromkeys(names))


def missing(set_or_names: str | Iterable[str]) -> list[ModelEntry]:
    """Return the entries of a set, or of some names, that are not on this machine or cannot be used.

    Raises:
        UsageError: a name is neither a set nor a model of the catalogue.
    """
    absent: list[ModelEntry] = []
    for name in names_in(set_or_names):
        entry = parse_spec(name)
        if not isinstance(entry, ModelEntry):
            raise UsageError(f"{name} is not a name of `edgevox models list`: only those can be asked for together.")
        if find(name) is None:
            absent.append(entry)
    return absent


def _places(spec: ModelEntry | HubSpec) -> "list[Callable[[], ModelFiles | None]]":
    if isinstance(spec, HubSpec):
        return [lambda: _in_hub_cache(spec)]
    return [lambda: _in_folder(spec), lambda: _installed(spec), lambda: _entry_in_hub_cache(spec)]


def _at_path(path: Path) -> ModelFiles:
    if path.is_dir():
        files = {entry.name: entry for entry in sorted(path.iterdir()) if entry.is_file()}
        if not files:
            raise ModelMissing(f"The folder {path} is empty: put the files of a model there, or name another.")
    elif path.is_file():
        files = {path.name: path}
    else:
        raise ModelMissing(f"There is no file {path}: check the path, or choose a name of `edgevox models list`.")
    for name, file in files.items():
        _check(file, name, None)
    return ModelFiles(spec=str(path), folder=path if path.is_dir() else path.parent, files=files)


def _in_folder(entry: ModelEntry) -> ModelFiles | None:
    folder = models_dir() / entry.name
    if not folder.is_dir():
        return None
    return _checked(entry, {file.name: folder / file.name for file in entry.files})


def _installed(entry: ModelEntry) -> ModelFiles | None:
    for source in entry.sources:
        if not isinstance(source, InstalledSource):
            continue
        package = find_spec(source.package)
        if package is None or package.origin is None:
            continue
        files = {name: Path(package.origin).parent / path for name, path in source.files.items()}
        if all(file.is_file() for file in files.values()):
            return _checked(entry, files)
    return None


def _entry_in_hub_cache(entry: ModelEntry) -> ModelFiles | None:
    for source in entry.sources:
        if isinstance(source, HubSource) and (files := cached_files(source.repo, source.revision, source.files)):
            return _checked(entry, files, exact=False)
    return None


def _in_hub_cache(spec: HubSpec) -> ModelFiles | None:
    name = Path(spec.file).name
    files = cached_files(spec.repo, spec.revision, {name: spec.file})
    if files is None:
        return None
    _check(files[name], name, str(spec))
    return ModelFiles(spec=str(spec), folder=files[name].parent, files=files)


def _checked(entry: ModelEntry, files: Mapping[str, Path], *, exact: bool = True) -> ModelFiles:
    for expected in entry.files:
        wanted = expected if exact else expected.model_copy(update={"size": None, "sha256": None})
        fault = quick_fault(files[expected.name], wanted)
        if fault is not None:
            raise corrupt(files[expected.name], fault, entry.name)
    return ModelFiles(spec=entry.name, folder=files[entry.main_file].parent, files=files, entry=entry)


def _check(path: Path, name: str, spec: str | None) -> None:
    kind = kind_of(name)
    if kind is not None and (fault := quick_fault(path, ModelFile(name=name, kind=kind))):
        raise corrupt(path, fault, spec)


def _missing_sentence(spec: Spec) -> str:
    text = spec_text(spec)
    size = f" ({human_size(spec.download_size)})" if isinstance(spec, ModelEntry) else ""
    return f"The model {text} is not on this machine: get it with `edgevox models get {text}`{size}."
