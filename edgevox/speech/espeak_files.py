"""Where espeak-ng's library and data are.

Both are checked before they are used: the library ends the whole process when its data is missing.
"""

import ctypes.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from edgevox.core.errors import LibraryMissing
from edgevox.speech.model_files import packaged_file

_LIBRARY_NAMES = {"win32": "espeak-ng.dll", "darwin": "libespeak-ng.dylib"}
_DATA_FILES = ("phontab", "phonindex", "phondata")
_SYSTEM_DATA = (
    "/usr/lib/x86_64-linux-gnu/espeak-ng-data",
    "/usr/lib/aarch64-linux-gnu/espeak-ng-data",
    "/usr/share/espeak-ng-data",
    "/opt/homebrew/share/espeak-ng-data",
    "/usr/local/share/espeak-ng-data",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EspeakFiles:
    """A library of espeak-ng and the data that belongs to it."""

    library: str
    """Path, or a name that the loader knows."""
    data: Path
    """The folder that holds `phontab`."""


def find_espeak() -> EspeakFiles | None:
    """Return espeak-ng from the package `espeakng_loader`, else the system's; `None` when there is none with data."""
    name = _LIBRARY_NAMES.get(sys.platform, "libespeak-ng.so")
    library = packaged_file("espeakng_loader", [name])
    if library is not None and has_data(library.parent / "espeak-ng-data"):
        return EspeakFiles(library=str(library), data=library.parent / "espeak-ng-data")
    system = ctypes.util.find_library("espeak-ng")
    data = next((folder for folder in map(Path, _system_data()) if has_data(folder)), None)
    return EspeakFiles(library=system, data=data) if system and data else None


def require_espeak() -> EspeakFiles:
    """Return espeak-ng.

    Raises:
        LibraryMissing: it is not there, or its data is not.
    """
    found = find_espeak()
    if found is None:
        raise LibraryMissing(
            "The pronunciation library espeak-ng or its data is missing; "
            "run: pip install --force-reinstall espeakng-loader"
        )
    return found


def has_data(folder: Path) -> bool:
    """Whether `folder` holds the data without which espeak-ng would end the process."""
    return all((folder / name).is_file() and (folder / name).stat().st_size > 0 for name in _DATA_FILES)


def _system_data() -> list[str]:
    chosen = os.environ.get("ESPEAK_DATA_PATH")
    own = [chosen, f"{chosen}/espeak-ng-data"] if chosen else []
    return [*own, *_SYSTEM_DATA]
