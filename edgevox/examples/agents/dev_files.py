"""The files of the dev agent: those in its notes folder, and, when the person says yes, those below the current folder.

Names are below the notes folder; one that begins with `./` is meant from the current folder. What is written over or
thrown away is asked about; edgevox's own settings and keys are out of reach.
"""

import functools
import os
import re
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Annotated, Any

from pydantic import Field

from edgevox.agents.skills import skill
from edgevox.config.paths import config_dir, data_dir
from edgevox.core.errors import ToolFailure
from edgevox.core.session import AgentContext
from edgevox.examples.agents.dev_file_words import (
    DOTS,
    HERE,
    LIST_PHRASES,
    READ_PHRASES,
    SEARCH_PHRASES,
    SLASHES,
    TRASH_PHRASES,
    WRITE_PHRASES,
    about_files,
)
from edgevox.examples.agents.sayings import RESULT
from edgevox.intents import Parsed
from edgevox.intents.lexicons import base_language
from edgevox.tools import Tool
from edgevox.tools.files import file_tools
from edgevox.tools.permissions import Operation, PermissionEngine, PermissionRule

FOLDER = "notes"
LONGEST_TEXT = 20_000
"""Characters that one file is written with."""

_EVERY = frozenset({Operation.READ, Operation.CREATE, Operation.DELETE})


def notes_folder() -> Path:
    """Return the folder of the dev agent's files. It may not exist yet."""
    return Path(os.path.realpath(data_dir() / FOLDER))


def dev_permissions() -> PermissionEngine:
    """Return what the dev agent may touch, seen from the current folder."""
    return _permissions(notes_folder(), Path(os.path.realpath(Path.cwd())), Path(os.path.realpath(config_dir())))


def file_name_in(text: str, language: str) -> str | None:
    """Return a file name that was said or typed, *shopping dot txt* as `shopping.txt`; `None` for what is none.

    Args:
        text: the words.
        language: two-letter code.
    """
    code = base_language(language)
    for sign, table in ((".", DOTS), ("/", SLASHES)):
        for word in {table.get(code, ""), table["en"]} - {""}:
            text = re.sub(rf"\s+{re.escape(word)}\s+", sign, text, flags=re.IGNORECASE)
    words = text.strip(" \"'“”").split()
    if any("." in word for word in words) and "." not in words[-1]:
        return None  # what follows an ending, *shopping.txt to me*, is not of the name
    return " ".join(words) or None


def folder_in(text: str, language: str) -> str | None:
    """Return the folder that was said: *this folder* is the current one.

    Args:
        text: the words.
        language: two-letter code.
    """
    words = " ".join(text.casefold().split())
    if words in HERE.get(base_language(language), HERE["en"]):
        return "./"
    return file_name_in(text, language)


Folder = Annotated[str, Parsed(folder_in, longest=8, verbatim=True, example="docs")]
FileName = Annotated[str, Parsed(file_name_in, longest=8, verbatim=True, example="shopping.txt")]


@skill(latency_class="fast", phrases=LIST_PHRASES, says=RESULT, effect="read")
def list_files(ctx: AgentContext, folder: Folder = "") -> str:
    """List the files in the notes folder, or in another one.

    Args:
        ctx: of the run
        folder: empty for the notes folder; "./" is the current folder
    """
    found = _use("list_files", ctx, folder=_meant(folder)).split("\n")
    names = [name for name in found if name]
    if names == ["The folder is empty."]:
        return about_files("none", ctx.language)
    return about_files("files", ctx.language, files=", ".join(names))


@skill(latency_class="fast", phrases=READ_PHRASES, says=RESULT, effect="read")
def read_file(path: FileName, ctx: AgentContext, first_line: int = 1) -> str:
    """Read a text file.

    Args:
        path: below the notes folder, e.g. "shopping.txt"; "./" in front means the current folder
        ctx: of the run
        first_line: where to begin, for long files
    """
    return _use("read_file", ctx, path=_meant(path), first_line=first_line).rstrip("\n")


@skill(latency_class="fast", phrases=SEARCH_PHRASES, says=RESULT, effect="read")
def search_files(text: Annotated[str, Field(min_length=1)], ctx: AgentContext, folder: Folder = "") -> str:
    """Find the lines that contain a text, in the files of the notes folder or of another one.

    Args:
        text: what to look for
        ctx: of the run
        folder: empty for the notes folder; "./" is the current folder
    """
    where = _meant(folder)
    found = _use("search_files", ctx, text=text, folder=where)
    if found.startswith("No file there contains"):
        return about_files("not_found", ctx.language, text=text)
    lines = (line.removeprefix(f"{where}/") for line in found.split("\n"))
    return about_files("found", ctx.language, lines="; ".join(lines).strip("; "))


@skill(latency_class="fast", phrases=WRITE_PHRASES, says=RESULT)
def write_file(
    path: FileName, text: Annotated[str, Field(max_length=LONGEST_TEXT)], ctx: AgentContext, append: bool = False
) -> str:
    """Write a text file; the person is asked before anything is written over.

    Args:
        path: below the notes folder, e.g. "shopping.txt"; "./" in front means the current folder
        text: the whole new text
        ctx: of the run
        append: keep what is in the file and add the text at its end
    """
    _use("write_file", ctx, path=_meant(path), text=text if text.endswith("\n") else f"{text}\n", append=append)
    return about_files("written", ctx.language, path=path)


@skill(latency_class="fast", phrases=TRASH_PHRASES, says=RESULT)
def trash_file(path: FileName, ctx: AgentContext) -> str:
    """Put a file into the wastebasket; the person is asked first.

    Args:
        path: below the notes folder, e.g. "shopping.txt"; "./" in front means the current folder
        ctx: of the run
    """
    _use("trash_file", ctx, path=_meant(path))
    return about_files("trashed", ctx.language, path=path)


DEV_FILES = [list_files, read_file, search_files, write_file, trash_file]
"""What the dev agent does with files."""


def _use(name: str, ctx: AgentContext, **arguments: Any) -> str:
    folder = notes_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ToolFailure(about_files("unmade", ctx.language, folder=folder, why=error.strerror or error)) from error
    tools = _tools(folder, Path(os.path.realpath(Path.cwd())), Path(os.path.realpath(config_dir())))
    return tools[name].fn(ctx=ctx, **arguments)


def _meant(path: str) -> str:
    """Return the path that a name means: below the notes folder, or from the current folder where it begins so."""
    path = path.strip() or "."
    if path.startswith("~"):
        return os.path.expanduser(path)  # noqa: PTH111 - a user that is not there leaves it as it is
    here = path in ("./", "..") or path.startswith(("./", "../"))
    return f"{os.path.realpath(Path.cwd())}/{path}" if here else path


@functools.lru_cache(maxsize=4)
def _tools(notes: Path, here: Path, settings: Path) -> dict[str, Tool]:
    return {tool.name: tool for tool in file_tools(_permissions(notes, here, settings), notes)}


def _permissions(notes: Path, here: Path, settings: Path) -> PermissionEngine:
    elsewhere = _below(here, without=notes)
    return PermissionEngine(
        base=notes,
        principal="Dev",
        allow_rules=[
            PermissionRule(pattern="**", operations=_EVERY),
            PermissionRule(pattern=elsewhere, operations=_EVERY),
        ],
        ask_rules=[
            PermissionRule(pattern="**", operations={Operation.DELETE}),
            PermissionRule(pattern=elsewhere, operations=_EVERY),
        ],
        deny_rules=[PermissionRule(pattern=_below(settings), operations=_EVERY)],
    )


def _below(folder: Path, *, without: Path | None = None) -> Callable[[PurePath], bool]:
    """Return a pattern: everything in a folder, itself included."""

    def covers(path: PurePath) -> bool:
        return path.is_relative_to(folder) and not (without is not None and path.is_relative_to(without))

    covers.__name__ = f"everything in {folder}" + (f" outside {without}" if without is not None else "")
    return covers
