"""`file_tools`: a handful of plain tools over the same engine, for models too small for tokens and operators.

Each takes one or two texts and says in one sentence what went wrong. What they do is what the commands do.
"""

from collections.abc import Iterator
from pathlib import Path

from edgevox.core.errors import ToolFailure
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect
from edgevox.tools.decorator import build_tool
from edgevox.tools.definition import Tool
from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import file_at, ticking
from edgevox.tools.files.faults import Denied, Trouble, quoted, told
from edgevox.tools.files.folders import make_folder, missing_above
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.leave import NO_RULES, engine_for, guarding
from edgevox.tools.files.lines import lines_of
from edgevox.tools.files.report import shown
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.permissions import Operation, PermissionEngine

MAX_ANSWER = 3_500
"""Characters that one answer may have; what a registry lets through, and enough for a small model's window."""
MAX_HITS = "50"
"""Lines of one file that a search returns."""


def file_tools(
    engine: PermissionEngine, base: Path | str | None = None, *, trash: Path | str | None = None
) -> list[Tool]:
    """Return `list_files`, `read_file`, `search_files`, `write_file`, `move_file` and `trash_file`.

    Args:
        engine: decides what may be touched.
        base: folder that relative paths are below; the engine's when not given.
        trash: folder of the wastebasket; the person's own when not given.

    Raises:
        ConfigError: the base is no folder, or this system has no folder handles.
    """
    guard, root = guarding(base, NO_RULES, engine)
    files = _Files(guard, root, None if trash is None else str(trash))
    reading = (files.list_files, files.read_file, files.search_files)
    changing = (files.write_file, files.move_file, files.trash_file)
    return [build_tool(fn, effect=Effect.READ) for fn in reading] + [build_tool(fn) for fn in changing]


class _Files:
    def __init__(self, engine: PermissionEngine, base: str, trash: str | None) -> None:
        self._engine, self._base, self._trash = engine, base, trash

    def list_files(self, ctx: AgentContext, folder: str = ".") -> str:
        """List the files in a folder.

        Args:
            ctx: of the run.
            folder: the folder; names that end in / are folders.
        """
        listed = self._command(ctx, ["ls", "CMD"], ["-p", "FLG"], [folder, "PTH"])
        return _cut(listed) or "The folder is empty."

    def read_file(self, ctx: AgentContext, path: str, first_line: int = 1) -> str:
        """Read a text file.

        Args:
            ctx: of the run.
            path: the file.
            first_line: where to begin, for long files.
        """
        gate = self._gate(ctx, "read_file")
        try:
            place = gate.place(path)
            gate.demand((Operation.READ, place))
            gate.plain(place)
            with file_at(place) as descriptor:
                return _page(ticking(gate, handles.chunks_of(descriptor)), max(1, first_line))
        except OSError as error:
            raise ToolFailure(f"{quoted(path)}: {told(error)}.") from error
        except Trouble as error:
            raise _failure(error) from error

    def search_files(self, ctx: AgentContext, text: str, folder: str = ".") -> str:
        """Find the lines that contain a text, in all files of a folder.

        Args:
            ctx: of the run.
            text: what to look for; capital letters make no difference.
            folder: where to look.
        """
        flags = [[flag, "FLG"] for flag in ("-r", "-n", "-i", "-F")]
        most = [["-m", "FLG"], [MAX_HITS, "ARG"]]
        found = self._command(ctx, ["grep", "CMD"], *flags, *most, [text, "ARG"], [folder, "PTH"], good=(0, 1))
        return _cut(found) or f"No file there contains {quoted(text)}."

    def write_file(self, ctx: AgentContext, path: str, text: str, append: bool = False) -> str:
        """Write a text file; what was in it before is replaced.

        Args:
            ctx: of the run.
            path: the file; missing folders are made.
            text: the whole new text.
            append: keep what is in the file and add the text at its end.
        """
        gate = self._gate(ctx, "write_file")
        try:
            place = gate.place(path)
            gate.demand((Operation.CREATE, place))
            for folder in missing_above(gate, place):
                make_folder(folder.path)
        except OSError as error:
            raise ToolFailure(f"{quoted(path)}: {told(error)}.") from error
        except Trouble as error:
            raise _failure(error) from error
        flags = [["-a", "FLG"]] if append else []
        self._command(ctx, ["tee", "CMD"], *flags, [text, "ARG"], [path, "PTH"])
        return f"{'Added to' if append else 'Wrote'} {quoted(path)}."

    def move_file(self, ctx: AgentContext, source: str, destination: str) -> str:
        """Move or rename a file or a folder.

        Args:
            ctx: of the run.
            source: what to move.
            destination: its new path, or the folder it goes into.
        """
        self._command(ctx, ["mv", "CMD"], [source, "PTH"], [destination, "PTH"])
        return f"Moved {quoted(source)} to {quoted(destination)}."

    def trash_file(self, ctx: AgentContext, path: str) -> str:
        """Put a file or a folder into the wastebasket.

        Args:
            ctx: of the run.
            path: what to throw away.
        """
        self._command(ctx, ["gio", "CMD"], ["trash", "ARG"], [path, "PTH"])
        return f"{quoted(path)} is in the wastebasket."

    def _gate(self, ctx: AgentContext, command: str) -> Gate:
        return Gate(engine_for(self._engine, ctx), self._base, ctx, command)

    def _command(self, ctx: AgentContext, *tokens: list[str], good: tuple[int, ...] = (0,)) -> str:
        """Run one command and return what it wrote.

        Raises:
            ToolFailure: it failed; its own words say why.
        """
        run = FileRun(read_sequence(tokens), engine_for(self._engine, ctx), self._base, ctx, trash=self._trash).run()
        frame = run.frames[-1]
        if frame.status not in good or not frame.ran:
            words = shown(frame.stderr).strip().removeprefix(f"{frame.stage.name}: ")
            raise ToolFailure(f"{words}.", error_code="denied" if frame.denied else "failed")
        return shown(frame.stdout)


def _failure(error: Trouble) -> ToolFailure:
    return ToolFailure(f"{error}.", error_code="denied" if isinstance(error, Denied) else "failed")


def _cut(text: str) -> str:
    if len(text) <= MAX_ANSWER:
        return text
    kept = text[:MAX_ANSWER].rpartition("\n")[0]
    return f"{kept}\n({text.count(chr(10)) - kept.count(chr(10))} more lines are left out)"


def _page(pieces: Iterator[bytes], first: int) -> str:
    """Return as many lines as an answer holds, and say where to go on."""
    kept: list[str] = []
    room = MAX_ANSWER
    for number, line in enumerate(lines_of(pieces), 1):
        if number < first:
            continue
        text = shown(line)
        if len(text) > room:
            rest = text[:room]
            shown_part = "".join(kept) or f"{rest}\n"
            return f"{shown_part}(the file goes on: first_line={number if kept else number + 1})"
        room -= len(text)
        kept.append(text)
    return "".join(kept) or ("The file is empty." if first == 1 else "The file has fewer lines.")
