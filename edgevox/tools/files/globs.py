"""Patterns in paths: `*` within one component, one `**/` for visible folders below. Expanded under permission.

The literal folder before the first pattern has to be readable before anything is looked at; folders deeper down that
may not be read are not entered. Knows no command.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from edgevox.tools.files import handles
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.gate import Gate, Need
from edgevox.tools.files.options import only_paths
from edgevox.tools.files.places import Place, locate
from edgevox.tools.files.tokens import Token
from edgevox.tools.permissions import ActionVerdict, Operation

MAX_MATCHES = 10_000
MAX_DEPTH = 200
"""Folders within each other."""
_DEEP = "**"


def sources(gate: Gate, tokens: Sequence[Token], *operations: Operation, links: bool = False) -> list[Place]:
    """Return the places that source operands name, patterns expanded, with leave for each.

    Args:
        gate: of the command.
        tokens: all with the tag PTH.
        operations: what the command will do to each.
        links: whether links and what is not plain may be among them.

    Raises:
        Denied: leave is lacking for one.
        Trouble: a pattern matches nothing or is none; a link or what is not plain is among them.
    """
    return [place for places in named(gate, tokens, *operations, links=links) for place in places]


def named(gate: Gate, tokens: Sequence[Token], *operations: Operation, links: bool = False) -> list[list[Place]]:
    """Return for each operand the places that it names; see `sources`."""
    listed = only_paths(tokens)
    gate.refuse_denied(*(need for token in listed for need in _needs_of(gate, token.text, operations)))
    found = [expand(gate, token.text) if is_pattern(token.text) else [gate.place(token.text)] for token in listed]
    pairs = [(token, place) for token, places in zip(listed, found, strict=True) for place in places]
    gate.demand(*((operation, replace(place, text=token.text)) for token, place in pairs for operation in operations))
    for _, place in pairs if not links else ():
        gate.tick()
        gate.plain(place)
    return found


def _needs_of(gate: Gate, text: str, operations: tuple[Operation, ...]) -> list[Need]:
    """What can be judged of an operand before the disk is looked at."""
    if is_pattern(text):
        return [(Operation.READ, replace(_split(gate, text)[0], text=text))]
    return [(operation, gate.place(text)) for operation in operations]


def is_pattern(text: str) -> bool:
    """Whether a path token is a pattern.

    Raises:
        Trouble: it has marks that patterns here do not know.
    """
    if any(mark in text for mark in "?[]"):
        raise Trouble(f"{quoted(text)}: ? and brackets are not supported in paths; use *")
    return "*" in text


def matches(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern in which `*` is any text; hidden names need their dot spelled out."""
    if name.startswith(".") and not pattern.startswith("."):
        return False
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    if not name.startswith(first) or len(name) < len(first) + len(rest[-1]) or not name.endswith(rest[-1]):
        return False
    at, end = len(first), len(name) - len(rest[-1])
    for piece in rest[:-1]:
        at = name.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


@dataclass(frozen=True, slots=True)
class _Search:
    gate: Gate
    folders_only: bool

    def found(self, parts: list[str], here: Place, depth: int = 0) -> Iterator[Place]:
        if not parts:
            yield here
            return
        part, rest = parts[0], parts[1:]
        if part == _DEEP and (rest or self.folders_only):
            yield from self._deep(rest, here, depth)
        elif "*" in part:
            for name, what in self._entries(here):
                if matches(part, name):
                    yield from self._at(here.below(name), what, rest, depth)
        else:
            place = here.below(part)
            what = handles.look_if_any(place.path) if self._readable(here) else None
            if what is not None:
                yield from self._at(place, what, rest, depth)

    def _at(self, place: Place, what: os.stat_result, rest: list[str], depth: int) -> Iterator[Place]:
        if not rest and not self.folders_only:
            yield place
        elif stat.S_ISDIR(what.st_mode):
            place = replace(place, folder_only=self.folders_only)
            yield from self.found(rest, place, depth + 1)

    def _deep(self, rest: list[str], here: Place, depth: int) -> Iterator[Place]:
        if depth > MAX_DEPTH:
            raise Trouble(f"the folders below {quoted(here.text)} lie too deep within each other")
        yield from self.found(rest, here, depth)
        for name, what in self._entries(here):
            if stat.S_ISDIR(what.st_mode) and not name.startswith("."):
                yield from self._deep(rest, here.below(name), depth + 1)

    def _entries(self, here: Place) -> list[tuple[str, os.stat_result]]:
        if not self._readable(here):
            return []
        try:
            return handles.entries_in(here.path)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return []

    def _readable(self, here: Place) -> bool:
        self.gate.tick()
        verdict = self.gate.verdict(Operation.READ, here.path)
        if verdict is ActionVerdict.ask:
            self.gate.demand((Operation.READ, here))
        return verdict is not ActionVerdict.deny


def expand(gate: Gate, text: str) -> list[Place]:
    """Return what a pattern matches, in the order of the names' bytes.

    Args:
        gate: of the command.
        text: has a `*`.

    Raises:
        Denied: the folder before the pattern may not be read.
        Trouble: it matches nothing, or is no pattern.
    """
    start, parts = _split(gate, text)
    gate.demand((Operation.READ, replace(start, text=text)))
    folders_only = text.endswith("/")
    try:
        handles.require_folders(start.passed)
        found: list[Place] = []
        for place in _Search(gate, folders_only).found(parts, start):
            found.append(_as_written(place, text, start, folders_only))
            if len(found) > MAX_MATCHES:
                raise Trouble(f"{quoted(text)} matches more than {MAX_MATCHES:,} names; name fewer")
    except OSError as error:
        raise Trouble(f"{quoted(text)}: {told(error)}") from error
    unique = {place.path: place for place in found if place.text}
    if not unique:
        raise Trouble(f"{quoted(text)} matches nothing")
    return sorted(unique.values(), key=lambda place: os.fsencode(place.text))


def _split(gate: Gate, text: str) -> tuple[Place, list[str]]:
    """Part a pattern into the literal folder before it and the components that follow."""
    components = text.split("/")
    first = next(index for index, part in enumerate(components) if "*" in part)
    parts = [part for part in components[first:] if part not in ("", ".")]
    deep = [index for index, part in enumerate(parts) if part == _DEEP]
    if any("**" in part and part != _DEEP for part in parts) or ".." in parts:
        raise Trouble(f"{quoted(text)}: ** stands alone between slashes, and .. stands before patterns")
    if len([index for index in deep if index < len(parts) - 1 or text.endswith("/")]) > 1:
        raise Trouble(f"{quoted(text)}: only one **/ can stand in a path")
    prefix = "/".join(components[:first])
    if not prefix:
        prefix = "/" if text.startswith("/") else "."
    return locate(prefix, gate.base), parts


def _as_written(place: Place, text: str, start: Place, folders_only: bool) -> Place:
    """Give a match the text that a shell would: with the pattern's own prefix, and none where it has none."""
    written = place.text
    if start.text == "." and not text.startswith("./"):
        written = written[2:]
    if folders_only and written:
        written = written.rstrip("/") + "/"
    return replace(place, text=written)
