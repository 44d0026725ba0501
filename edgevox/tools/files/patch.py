"""`get_patch_file`: changes a piece of a text file, or writes a whole one, as a chain of typed tools.

    patch_file -> guard_patch -> apply_patch

Bytes are kept: line ends, marks at the beginning and everything around the change stay as they are. A file changes as a
whole or not at all.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import Field

from edgevox.core.errors import ToolFailure
from edgevox.core.messages import Message, Severity, Truncation
from edgevox.core.values import Empty, Str
from edgevox.tools.decorator import tool
from edgevox.tools.definition import Tool
from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import file_at, ticking
from edgevox.tools.files.faults import Denied, Trouble, quoted, told
from edgevox.tools.files.folders import make_folder, missing_above
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.leave import Rules, engine_for, guarding
from edgevox.tools.files.outputs import as_bytes
from edgevox.tools.files.places import Place
from edgevox.tools.files.under_way import UnderWay, context
from edgevox.tools.files.writing import put
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule

_MOST = 8 * 1024 * 1024
"""Bytes of a file that is changed."""
_STUB = Truncation(threshold=0, severity=Severity.STUB)
_UNSEEN = Truncation(threshold=0, severity=Severity.REMOVE)


class FilePatch(Empty):
    """One change of one file."""

    path: str = Field(description="The file; no patterns.")
    old_string: str = Field(description="Text that stands in the file, exactly; empty writes the whole file anew.")
    new_string: str = Field(description="What stands there instead.")
    replace_all: bool = Field(default=False, description="Change every place, not just one.")


class PatchStep(Empty):
    """A change that was asked for."""

    run: int


T = TypeVar("T")
Apply = Callable[[], str]
"""Makes the change and says what was done."""


def get_patch_file(
    *,
    base: Path | str | None = None,
    default_verdict: ActionVerdict = ActionVerdict.deny,
    allow_rules: Iterable[PermissionRule] = (),
    ask_rules: Iterable[PermissionRule] = (),
    deny_rules: Iterable[PermissionRule] = (),
    takes_precedence: ActionVerdict = ActionVerdict.deny,
    principal: str = "",
    engine: PermissionEngine | None = None,
) -> list[Tool]:
    """Return the patch tool: a chain of three, of which a model sees the first, `patch_file`.

    A new file needs leave to create it; one that is there needs leave to read and delete it too.

    Args:
        base: folder that relative paths and patterns are below; grants nothing by itself. The engine's when not given.
        default_verdict: what holds where no rule speaks.
        allow_rules: what may be done.
        ask_rules: what of that a person has to say yes to.
        deny_rules: what may not be done.
        takes_precedence: for what both lists cover.
        principal: the agent that the rules' principals mean.
        engine: an engine that is there already, in place of rules.

    Raises:
        ConfigError: the base is no folder, or this system has no folder handles.
        ValueError: the rules cannot be used.
    """
    rules = Rules(default_verdict, allow_rules, ask_rules, deny_rules, takes_precedence, principal)
    guard, root = guarding(base, rules, engine)
    asked = UnderWay[tuple[Gate, FilePatch]]("patch_file")
    ready = UnderWay[Apply]("patch_file")

    @tool
    def patch_file(input: FilePatch, messages: list[Message]) -> PatchStep:  # noqa: ARG001 - the form of a link
        """Change a text file: replace old_string by new_string, or write the whole file when old_string is empty."""
        ctx = context()
        gate = Gate(engine_for(guard, ctx), root, ctx, "patch_file", principal=principal or None)
        return PatchStep(run=asked.add((gate, input)), truncation=_STUB)

    @tool(chained_to=patch_file)
    def guard_patch(input: PatchStep, messages: list[Message]) -> PatchStep:  # noqa: ARG001 - the form of a link
        """Decide whether the change may be made."""
        gate, patch = asked.take(input.run)
        return PatchStep(run=ready.add(_in_words(lambda: prepare_patch(gate, patch))), truncation=_UNSEEN)

    @tool(chained_to=guard_patch)
    def apply_patch(input: PatchStep, messages: list[Message]) -> Str:  # noqa: ARG001 - the form of a link
        """Make the change."""
        return Str(value=_in_words(ready.take(input.run)))

    return [patch_file, guard_patch, apply_patch]


def _in_words(work: Callable[[], T]) -> T:
    try:
        return work()
    except Denied as error:
        raise ToolFailure(f"Nothing was changed: {error}.", error_code="denied") from error
    except Trouble as error:
        raise ToolFailure(f"Nothing was changed: {error}.", error_code="failed") from error


def prepare_patch(gate: Gate, patch: FilePatch) -> Apply:
    """Check a change, get leave for it, and return what makes it.

    Args:
        gate: of the call.
        patch: the change.

    Raises:
        Denied: there is no leave.
        Trouble: the path is a pattern or a folder, or a link is in it.
    """
    place = gate.place(patch.path)
    if place.folder_only:
        raise Trouble(f"{quoted(place.text)} names a folder, not a file")
    gate.demand((Operation.CREATE, place))
    gate.reachable(place)
    gate.plain(place)
    there = handles.look_if_any(place.path)
    if there is not None:
        gate.demand((Operation.READ, place), (Operation.DELETE, place))
    elif patch.old_string:
        raise Trouble(f"{quoted(place.text)} is not there; leave old_string empty to make it")
    above = missing_above(gate, place) if there is None else []

    def apply() -> str:
        try:
            for folder in above:
                make_folder(folder.path)
            return _rewritten(place, patch, there) if not patch.old_string else _changed(gate, place, patch)
        except OSError as error:
            raise Trouble(f"{quoted(place.text)}: {told(error)}") from error

    return apply


def _rewritten(place: Place, patch: FilePatch, there: os.stat_result | None) -> str:
    data = as_bytes(patch.new_string)
    put(place.path, [data], replace=there is not None)
    return f"{'Wrote' if there is not None else 'Made'} {quoted(place.text)}, {len(data)} bytes."


def _changed(gate: Gate, place: Place, patch: FilePatch) -> str:
    with file_at(place) as descriptor:
        before = os.fstat(descriptor)
        if before.st_size > _MOST:
            raise Trouble(f"{quoted(place.text)} is larger than {_MOST:,} bytes")
        data = b"".join(ticking(gate, handles.chunks_of(descriptor)))
    _require_text(place, data)
    old, new = _in_its_line_ends(data, as_bytes(patch.old_string), as_bytes(patch.new_string))
    count = data.count(old)
    if not count:
        raise Trouble(f"old_string does not stand in {quoted(place.text)}: copy it from the file exactly")
    if count > 1 and not patch.replace_all:
        raise Trouble(
            f"old_string stands {count} times in {quoted(place.text)}: give more of the text around it, or replace_all"
        )
    now = handles.look(place.path)
    if (now.st_ino, now.st_mtime_ns, now.st_size) != (before.st_ino, before.st_mtime_ns, before.st_size):
        raise Trouble(f"{quoted(place.text)} was changed by somebody else meanwhile: read it again")
    put(place.path, [data.replace(old, new)], replace=True)
    return f"Changed {count} {'place' if count == 1 else 'places'} in {quoted(place.text)}."


def _require_text(place: Place, data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise Trouble(f"{quoted(place.text)} is not UTF-8 text (byte {error.start}), so it is left alone") from error


def _in_its_line_ends(data: bytes, old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """Write a change with the line ends of the file, where all of them are CRLF and the change has none of these."""
    if b"\r\n" not in data or data.count(b"\n") != data.count(b"\r\n") or b"\r" in old + new:
        return old, new
    return old.replace(b"\n", b"\r\n"), new.replace(b"\n", b"\r\n")
