"""Looking after models that are here: reading every byte of one, and removing one."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from edgevox.config.catalogue import ModelFile
from edgevox.config.files import writing
from edgevox.config.hub_cache import stated_sha256
from edgevox.config.models import ModelFiles
from edgevox.config.paths import models_dir, work_folder
from edgevox.config.verify import full_fault, kind_of
from edgevox.core.errors import ModelMissing


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A file that is not what it should be."""

    path: Path
    cause: str
    """Goes on after the path: `is truncated…`."""


def check_model(model: ModelFiles, on_bytes: Callable[[int], object] | None = None) -> list[Fault]:
    """Read every byte of a model and return what is wrong with its files.

    Args:
        model: where it is.
        on_bytes: called with the number of bytes read, again and again.
    """
    faults: list[Fault] = []
    for name, path in model.files.items():
        expected = _expected(model, name, path)
        if expected is not None and (cause := full_fault(path, expected, on_bytes)):
            faults.append(Fault(path=path, cause=cause))
    return faults


def remove_model(name: str) -> int:
    """Delete a model, and what an unfinished download of it left, and return the bytes that are free again.

    Args:
        name: a name of the catalogue.

    Raises:
        ModelMissing: nothing of it is in edgevox's model folder; what lies elsewhere belongs to others.
    """
    places = [folder for folder in (models_dir() / name, work_folder(name)) if folder.is_dir()]
    if not places:
        raise ModelMissing(f"{name} is not in {models_dir()}, and edgevox removes nothing from elsewhere.")
    size = 0
    for folder in places:
        size += sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        with writing(folder):
            shutil.rmtree(folder)
    return size


def _expected(model: ModelFiles, name: str, path: Path) -> ModelFile | None:
    """Return what a file should be: by the catalogue, or by the digest under which the hub's cache keeps it."""
    stated = stated_sha256(path)
    if model.entry is not None:
        file = next(file for file in model.entry.files if file.name == name)
        return file if stated is None else file.model_copy(update={"size": None, "sha256": stated})
    kind = kind_of(name)
    return ModelFile(name=name, kind=kind, sha256=stated) if kind is not None else None
