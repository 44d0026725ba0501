"""Where the files of a speech model are on this machine.

Knows the order: a path that was given, edgevox's model folder, a file that an installed package carries. It never
imports such a package (the one of Silero would pull torch) and never touches the network.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from edgevox.core.errors import ModelMissing


def named_file(model: str, file_name: str) -> Path | None:
    """Return one file of a model, or `None` when the model is not on this machine.

    Args:
        model: a name of the catalogue, or the path of a folder or of the file itself.
        file_name: the file's name inside the model's folder.
    """
    given = Path(model).expanduser()
    if given.is_file():
        return given
    if given.is_dir():
        return _existing(given / file_name)
    from edgevox.config import models

    found = models.find(model)
    return _existing(found.path(file_name)) if found is not None else None


def require_file(model: str, file_name: str) -> Path:
    """Return one file of a model.

    Raises:
        ModelMissing: with the command that gets it.
    """
    path = named_file(model, file_name)
    if path is None:
        raise ModelMissing(f"The model {model} is not on this machine; run: edgevox models get {model}")
    return path


def packaged_file(package: str, candidates: Sequence[str]) -> Path | None:
    """Return the first of `candidates` that an installed package holds, without importing the package."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for candidate in candidates:
            if (path := Path(folder) / candidate).is_file():
                return path
    return None


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None
