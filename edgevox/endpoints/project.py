"""Where the catalogue of a project lies, and how it begins: as a copy of the one that edgevox ships.

Never writes over anything.
"""

import contextlib
import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any, cast

from edgevox.core.errors import CatalogueError

FOLDER = "model_catalogue"
NAME = "models.json"
BUNDLED = Path(__file__).with_name(NAME)
"""The catalogue that edgevox ships."""


def default_path(root: Path) -> Path:
    """Return where the catalogue of a project lies: in its package, or beside where there is none.

    Args:
        root: the folder of the project.
    """
    package = _package_name(root / "pyproject.toml")
    for folder in (root / "src" / package, root / package) if package else ():
        if (folder / "__init__.py").is_file():
            return folder / FOLDER / NAME
    return root / FOLDER / NAME


def init(path: Path | None = None, *, root: Path | None = None) -> Path:
    """Write a catalogue with the shipped examples.

    Args:
        path: the file, in a folder that exists; `None` is the project's own place, whose package is made with it.
        root: the folder of the project; `None` is the working folder.

    Returns:
        The file that was written.

    Raises:
        CatalogueError: it is there already, or cannot be written; nothing was made.
    """
    target = path if path is not None else default_path(root if root is not None else Path())
    if target.is_symlink() or target.exists():
        raise CatalogueError(f"{target} is there already and stays as it is: delete it first to begin anew.")
    if path is None:
        with _package(target.parent):
            _publish(target, BUNDLED.read_bytes())
        return target
    if not target.parent.is_dir():
        raise CatalogueError(f"There is no folder {target.parent}: make it first.")
    _publish(target, BUNDLED.read_bytes())
    return target


def _package_name(pyproject: Path) -> str:
    try:
        data: Any = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise CatalogueError(f"{pyproject} cannot be read ({error}): correct it, or give --path.") from None
    project: Any = cast("dict[str, Any]", data).get("project")
    name: Any = cast("dict[str, Any]", project).get("name") if isinstance(project, dict) else None
    made = re.sub(r"[-_.]+", "_", name) if isinstance(name, str) else ""
    return made if made.isidentifier() else ""


@contextlib.contextmanager
def _package(folder: Path) -> Any:
    """Make a package, and take away what was made when what is to lie in it cannot be written."""
    made: list[Path] = []
    init_file = folder / "__init__.py"
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            made.append(folder)
        if not init_file.exists():
            init_file.touch()
            made.append(init_file)
        yield
    except BaseException as error:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, OSError):
            raise CatalogueError(f"{folder} cannot be made ({error.strerror or error}).") from None
        raise


def _publish(target: Path, data: bytes) -> None:
    """Put a new file in place in one step; one that somebody else made meanwhile stays."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            temporary.chmod(0o644)
            _link(temporary, target, data)
        finally:
            temporary.unlink(missing_ok=True)
    except FileExistsError:
        raise CatalogueError(f"{target} is there already and stays as it is: delete it first to begin anew.") from None
    except OSError as error:
        raise CatalogueError(f"{target} cannot be written ({error.strerror or error}).") from None


def _link(temporary: Path, target: Path, data: bytes) -> None:
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        with target.open("xb") as file:
            file.write(data)
