"""Where the files of a speech model are on this machine.

Knows how models of speech are named and which packages carry one. The search itself is `edgevox.config.models`. It
never imports a package to look into it (Silero's would pull torch) and never touches the network.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from edgevox.config import models
from edgevox.config.hub_cache import cached_files
from edgevox.core.errors import ModelMissing

WHISPER_SIZES = (
    "tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en", "large-v1", "large-v2",
    "large-v3", "large-v3-turbo", "turbo", "distil-small.en", "distil-medium.en", "distil-large-v2", "distil-large-v3",
)  # fmt: skip
"""What Whisper's publishers call its models; `tiny` and `whisper-tiny` mean the same."""

WHISPER_FILES = ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt")


def require_file(model: str, file_name: str) -> Path:
    """Return one file of a model.

    Args:
        model: a name of the catalogue, or the path of a folder or of the file itself.
        file_name: the file's name inside the model's folder.

    Raises:
        ModelError, UsageError: with the command that gets it.
    """
    found = models.resolve(model)
    return found.path() if found.entry is None and len(found.files) == 1 else found.path(file_name)


def named_file(model: str, file_name: str) -> Path | None:
    """Return one file of a model, or `None` when it is not on this machine or cannot be used."""
    found = models.find(model)
    if found is None:
        return None
    if found.entry is None and len(found.files) == 1:
        return found.path()
    return found.files.get(file_name)


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


def whisper_folder(model: str) -> Path:
    """Return the folder of a Whisper model for CTranslate2.

    Args:
        model: a name of the catalogue, a folder, or a size as the publishers call it. Exactly this model is meant:
            there is no falling back to another.

    Raises:
        ModelError, UsageError: with the command that gets it.
    """
    size = model.removeprefix("whisper-")
    if size not in WHISPER_SIZES:
        return models.resolve(model).folder
    name = f"whisper-{size}"
    if name in models.catalogue():
        return models.resolve(name).folder
    repo = "Systran/faster-" + (size if size.startswith("distil-") else name)
    files = cached_files(repo, None, {each: each for each in WHISPER_FILES})
    if files is None:
        raise ModelMissing(f"The model {name} is not on this machine: get it with `hf download {repo}`.")
    return files["model.bin"].parent
