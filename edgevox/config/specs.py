"""What a person may write where a model is meant.

Knows three forms: a name of the catalogue, a path, and `hf:repo/name:file.gguf`. Looks at no disk except to tell a path
from a misspelt name.
"""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from edgevox.config.catalogue import ModelEntry, catalogue
from edgevox.core.errors import UsageError

HUB_PREFIX = "hf:"
MODEL_SUFFIXES = {".gguf", ".onnx", ".bin", ".npz", ".tflite"}
_REPO = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathSpec:
    """A file or folder that the person keeps themselves."""

    path: Path

    def __str__(self) -> str:
        """Return the path as it was understood."""
        return str(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class HubSpec:
    """One file of a repository on the Hugging Face hub."""

    repo: str
    file: str
    revision: str | None = None
    """Commit, branch or tag; `None` is the newest."""

    def __str__(self) -> str:
        """Return what a person writes for it."""
        revision = f"@{self.revision}" if self.revision else ""
        return f"{HUB_PREFIX}{self.repo}{revision}:{self.file}"


Spec = ModelEntry | PathSpec | HubSpec


def parse_spec(spec: str) -> Spec:
    """Understand what stands for a model.

    Args:
        spec: a name of `edgevox models list`, a path, or `hf:repo/name:file.gguf` (`hf:repo/name@revision:file.gguf`).

    Raises:
        UsageError: it is none of them.
    """
    text = spec.strip()
    if not text:
        raise UsageError("No model is named: give a name of `edgevox models list`, a path, or hf:repo/name:file.gguf.")
    if text.lower().startswith(HUB_PREFIX):
        return _hub(text[len(HUB_PREFIX) :], text)
    if entry := catalogue().get(text):
        return entry
    if re.match(r"[a-z]+://", text):
        raise UsageError(
            f"{text} is the address of a server; a model here is a name, a path or hf:repo/name:file.gguf."
        )
    path = Path(text).expanduser()
    if path.suffix.lower() in MODEL_SUFFIXES or "/" in text or "\\" in text or path.exists():
        return PathSpec(path=path.absolute())
    raise UsageError(_unknown(text))


def spec_text(spec: Spec) -> str:
    """Return what a person writes for a model."""
    return spec.name if isinstance(spec, ModelEntry) else str(spec)


def _hub(text: str, whole: str) -> HubSpec:
    repo, colon, file = text.partition(":")
    repo, _, revision = repo.partition("@")
    if not _REPO.fullmatch(repo):
        raise UsageError(f"{whole} does not name a repository: write hf:owner/name:file.gguf.")
    if not colon or not file:
        raise UsageError(
            f"{whole} names a repository but no file: write hf:{repo}:FILE.gguf, with the name of one of its files."
        )
    path = PurePosixPath(file)
    if path.is_absolute() or ".." in path.parts:
        raise UsageError(f"{whole} does not name a file inside the repository: write hf:{repo}:FILE.gguf.")
    return HubSpec(repo=repo, file=file, revision=revision or None)


def _unknown(text: str) -> str:
    near = get_close_matches(text, catalogue(), n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    return (
        f"There is no model called {text!r}: {hint}`edgevox models list` shows the names; a path or "
        "hf:repo/name:file.gguf works as well."
    )
