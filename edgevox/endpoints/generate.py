"""Writes the Python module of a catalogue, so that editors and type checkers know every provider and model.

The same file gives the same bytes. Replaces only what it wrote itself, and writes it whole or not at all.
"""

import json
import keyword
import os
import pprint
import tempfile
from pathlib import Path

from edgevox.core.errors import CatalogueError
from edgevox.endpoints.models_file import CatalogueFile, ProviderEntry, parse_catalogue, read_text

MARKER = "# Written by `edgevox endpoints generate` from models.json; change that and generate again."
DEFAULT_NAME = "providers.py"
_TAKEN = frozenset({"edgevox", "typing", "__init__", "__main__"})
"""Names that a module beside a program may not have: it would stand before what it imports."""
_PACKAGE = Path(__file__).resolve().parents[1]
WIDTH = 118


def generate(path: Path, output: Path | None = None) -> Path:
    """Write the module of the catalogue in `path`.

    Args:
        path: a `models.json`.
        output: the module; `None` is `providers.py` beside the catalogue.

    Returns:
        The module that was written.

    Raises:
        CatalogueError: the catalogue is wrong, or the output may not be written; nothing was changed.
    """
    target = output if output is not None else path.with_name(DEFAULT_NAME)
    try:
        text = module_text(parse_catalogue(read_text(path)))
    except CatalogueError as error:
        raise CatalogueError(f"{path}: {error}") from None
    check_output(target, path)
    _write(target, text)
    return target


def module_text(catalogue: CatalogueFile) -> str:
    """Return the text of a catalogue's module."""
    providers = catalogue.providers
    kinds = "\n\n".join(_declared(name, entry) for name, entry in providers.items())
    names = "\n".join(f"    {name}: _{name}Catalog" for name in providers)
    made = "\n".join(
        f"    {name} = _Catalog({json.dumps(name)}, {_literal(entry)})" for name, entry in providers.items()
    )
    known = ", ".join(json.dumps(name) for name in providers)
    types = sorted({_kind(entry, model) for entry in providers.values() for model in entry.models})
    return (
        f"{MARKER}\n"
        '"""Endpoints by provider and model. Importing this needs no key, no client library and no network."""\n\n'
        "# fmt: off\n"
        "# ruff: noqa\n"
        "import typing as _typing\n\n"
        "from edgevox.endpoints.catalog import Catalog as _Catalog\n\n"
        f"__all__ = [{known}]\n\n"
        "if _typing.TYPE_CHECKING:\n"
        + "".join(f"    from {_HOMES[kind]} import {kind} as _{kind}\n" for kind in types)
        + (f"\n{kinds}\n\n{names}\n" if providers else "    pass\n")
        + (f"else:\n{made}\n" if providers else "")
    )


def check_output(target: Path, source: Path) -> None:
    """Refuse to write where something else would be lost or hidden.

    Raises:
        CatalogueError: one sentence on why not.
    """
    if target.suffix != ".py":
        raise CatalogueError(f"{target} is no Python module: give --output a name that ends in .py.")
    if not target.stem.isidentifier() or keyword.iskeyword(target.stem) or target.stem in _TAKEN:
        raise CatalogueError(f"{target.name} cannot be imported under that name: give --output another one.")
    if target.is_symlink():
        raise CatalogueError(f"{target} is a symbolic link: give --output the file itself.")
    if not target.parent.is_dir():
        raise CatalogueError(f"There is no folder {target.parent}: make the package first.")
    if target.resolve() == source.resolve():
        raise CatalogueError(f"{target} is the catalogue itself: give --output another name.")
    if target.resolve().is_relative_to(_PACKAGE):
        raise CatalogueError(f"{target} lies inside the installed edgevox: give --output a place of your own.")
    if target.exists() and not _is_ours(target):
        raise CatalogueError(
            f"{target} was not written by this command, so it stays: move it, or give --output a name."
        )


def _is_ours(target: Path) -> bool:
    if not target.is_file():
        return False
    try:
        with target.open("rb") as file:
            return file.readline(len(MARKER) + 4).rstrip(b"\r\n") == MARKER.encode()
    except OSError:
        return False


def _write(target: Path, text: str) -> None:
    """Put the module in place in one step, with a time that no compiled copy of the old one has."""
    before = target.stat().st_mtime if target.exists() else 0.0
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.stem}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise CatalogueError(f"{target} cannot be written ({error.strerror or error}).") from None
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
        temporary.chmod(0o644)
        later = max(temporary.stat().st_mtime, before + 1)
        os.utime(temporary, (later, later))
        temporary.replace(target)
    except OSError as error:
        raise CatalogueError(f"{target} cannot be written ({error.strerror or error}).") from None
    finally:
        temporary.unlink(missing_ok=True)


_HOMES = {
    "LLMEndpoint": "edgevox.endpoints.endpoint",
    "LocalEndpoint": "edgevox.endpoints.local",
    "TranscriptionEndpoint": "edgevox.endpoints.transcription",
}


def _kind(entry: ProviderEntry, model: str) -> str:
    if entry.models[model].endpoint_type == "transcription":
        return "TranscriptionEndpoint"
    return "LocalEndpoint" if entry.engine is not None else "LLMEndpoint"


def _declared(name: str, entry: ProviderEntry) -> str:
    rows = "\n".join(f"        {model}: _{_kind(entry, model)}" for model in entry.models) or "        pass"
    return f"    class _{name}Catalog(_Catalog):\n{rows}"


def _literal(entry: ProviderEntry) -> str:
    """The part of the file as Python; what was left out stays left out."""
    data = entry.model_dump(exclude_unset=True)
    return pprint.pformat(data, width=WIDTH - 8, sort_dicts=False).replace("\n", "\n    ")
