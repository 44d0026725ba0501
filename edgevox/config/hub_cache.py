"""The Hugging Face hub as this machine is set to use it: its address, and what lies in its cache.

Knows variables and folders. Never opens a socket; the library is imported only when the repository has a folder there.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path


def hub_address() -> str:
    """Return the address of the hub, or of the mirror that `HF_ENDPOINT` names."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def hub_is_off() -> bool:
    """Return whether the person switched the hub off with `HF_HUB_OFFLINE`."""
    return os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}


def cache_folder() -> Path:
    """Return the Hugging Face cache, by the same variables as its own library."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if chosen := os.environ.get(variable):
            return Path(chosen).expanduser()
    if home := os.environ.get("HF_HOME"):
        return Path(home).expanduser() / "hub"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "huggingface" / "hub"


def repo_folder(repo: str, cache: Path | None = None) -> Path:
    """Return the folder of a repository in the cache; it may not exist."""
    return (cache or cache_folder()) / f"models--{repo.replace('/', '--')}"


def cached_files(repo: str, revision: str | None, files: Mapping[str, str]) -> dict[str, Path] | None:
    """Return where the files of a repository lie, or `None` when one of them is not there.

    Args:
        repo: `owner/name`.
        revision: commit, branch or tag; `None` is the branch `main` as it was last seen.
        files: path in the repository by the name wanted.
    """
    if not repo_folder(repo).is_dir():
        return None
    from huggingface_hub import try_to_load_from_cache

    found: dict[str, Path] = {}
    for name, path in files.items():
        location: object = try_to_load_from_cache(repo, path, cache_dir=cache_folder(), revision=revision)
        if not isinstance(location, str):
            return None
        found[name] = Path(location)
    return found


def stated_sha256(path: Path) -> str | None:
    """Return the digest by which the hub keeps a large file; `None` for small files and files outside the cache."""
    blob = Path(os.path.realpath(path)).name
    return blob if re.fullmatch(r"[0-9a-f]{64}", blob) else None
