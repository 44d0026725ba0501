"""Where `cp` and `mv` put things: destinations, leave for them, and what would end in a muddle."""

import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace

from edgevox.tools.files import handles
from edgevox.tools.files.faults import Denied, Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import sources
from edgevox.tools.files.options import Given, only_paths
from edgevox.tools.files.places import Place, is_within
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.trees import Node, everything, node_at
from edgevox.tools.permissions import ActionVerdict, Operation

COMMON = ("-T", "-v", "-f", "--strip-trailing-slashes")
VALUED = {"-t": Tag.PTH}
EXCLUSIVE = (("-t", "-T"),)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One source and where it goes."""

    source: Place
    target: Place
    nodes: tuple[Node, ...] = ()
    """The source and what lies below it; empty when there is none."""

    def target_of(self, node: Node) -> str:
        """The path that an entry of the source gets."""
        return self.target.path + node.place.path[len(self.source.path) :]


def transfers(gate: Gate, given: Given, *on_source: Operation) -> list[Transfer]:
    """Return what goes where, with leave for the sources and the destinations themselves.

    Args:
        gate: of the command.
        given: its options and operands.
        on_source: what the command does to each source.

    Raises:
        Denied: leave is lacking.
        Trouble: it cannot end well: the same twice, into itself, several into what is no folder.
    """
    tokens, destination = _parted(gate, given)
    _refuse_hopeless(gate, given, tokens, destination)
    found = sources(gate, tokens, *on_source)
    for place in found:
        if place.text.rstrip("/").rpartition("/")[2] in (".", "..") or place.path == "/":
            raise Trouble(f"{quoted(place.text)}: name the folder itself, not . or ..")
    targets = _targets(gate, given, found, destination)
    pairs = [Transfer(_stripped(given, place), target) for place, target in zip(found, targets, strict=True)]
    _refuse_muddles(pairs)
    return pairs


def with_trees(gate: Gate, transfer: Transfer, *on_source: Operation, deep: bool) -> Transfer:
    """Return the transfer with what lies below its source, all of it plain.

    Args:
        gate: of the command.
        transfer: source and target.
        on_source: what the command does to all of the source.
        deep: whether it goes into folders.

    Raises:
        Denied: leave is lacking for a folder below.
        Trouble: something below is a link, has several names, or is no file.
    """
    try:
        root = node_at(transfer.source)
    except OSError:
        return transfer
    nodes = everything(gate, root, *on_source) if deep else [root]
    for node in nodes:
        try:
            handles.require_plain(node.found)
        except OSError as error:
            raise Trouble(f"{quoted(node.place.text)}: {told(error)}") from error
    return replace(transfer, nodes=tuple(nodes))


def demand_targets(gate: Gate, transfer: Transfer) -> None:
    """Require leave for everything that would be made or replaced.

    Raises:
        Denied: it is lacking.
    """
    paths = [transfer.target_of(node) for node in transfer.nodes]
    gate.demand_below(transfer.target, Operation.CREATE, paths)
    gate.plain(transfer.target)
    replaced: list[str] = []
    for path in paths:
        found = handles.look_if_any(path)
        if found is not None and not stat.S_ISDIR(found.st_mode):
            replaced.append(path)
    for operation in (Operation.READ, Operation.DELETE):
        gate.demand_below(transfer.target, operation, replaced)


def _parted(gate: Gate, given: Given) -> tuple[list[Token], Place]:
    tokens = only_paths(given.operands)
    if given.has("-t"):
        if not tokens:
            raise Trouble("name what is to go there")
        return tokens, gate.place(given.options["-t"])
    if len(tokens) < 2:
        raise Trouble("name one source at least, and the destination last")
    return tokens[:-1], gate.literal(tokens[-1])


def _refuse_hopeless(gate: Gate, given: Given, tokens: Sequence[Token], destination: Place) -> None:
    """Refuse a destination that is denied whatever it turns out to be, before anybody is asked about the sources."""
    inside = (
        [] if given.has("-T") else [destination.below(token.text.rstrip("/").rpartition("/")[2]) for token in tokens]
    )
    for place in inside or [destination]:
        candidates = [place] if given.has("-t") or len(tokens) > 1 else [destination, place]
        pattern = "*" in place.name
        if not pattern and all(gate.verdict(Operation.CREATE, each.path) is ActionVerdict.deny for each in candidates):
            raise Denied(Operation.CREATE, destination.text)


def _targets(gate: Gate, given: Given, found: Sequence[Place], destination: Place) -> list[Place]:
    inside = [destination.below(place.name) for place in found]
    if given.has("-T"):
        if len(found) > 1:
            raise Trouble("-T takes one source")
        gate.demand((Operation.CREATE, destination))
        gate.reachable(destination)
        return [destination]
    if len(found) > 1 or given.has("-t"):
        gate.demand(*((Operation.CREATE, replace(place, text=destination.text)) for place in inside))
        if not _is_folder(gate, destination):
            raise Trouble(f"{quoted(destination.text)} is no folder")
        return inside
    denied = [gate.verdict(Operation.CREATE, place.path) is ActionVerdict.deny for place in (destination, inside[0])]
    if all(denied):
        raise Denied(Operation.CREATE, destination.text)
    target = inside[0] if _is_folder(gate, destination) else destination
    gate.demand((Operation.CREATE, replace(target, text=destination.text, passed=destination.passed)))
    return [target]


def _is_folder(gate: Gate, place: Place) -> bool:
    gate.demand(*((Operation.READ, Place(place.text, path)) for path in place.passed))
    gate.reachable(place)
    gate.plain(place)
    return handles.is_folder(handles.look_if_any(place.path))


def _stripped(given: Given, place: Place) -> Place:
    if not given.has("--strip-trailing-slashes"):
        return place
    return replace(place, text=place.text.rstrip("/") or "/", folder_only=False)


def _refuse_muddles(pairs: Sequence[Transfer]) -> None:
    taken: dict[str, Place] = {}
    for pair in pairs:
        source, target = pair.source, pair.target
        if source.path == target.path:
            raise Trouble(f"{quoted(source.text)} and {quoted(target.text)} are the same file")
        if is_within(target.path, source.path):
            raise Trouble(f"{quoted(source.text)} cannot go into itself, {quoted(target.text)}")
        if is_within(source.path, target.path) and target.path != "/":
            raise Trouble(f"{quoted(source.text)} lies in what it would replace, {quoted(target.text)}")
        if target.path in taken:
            raise Trouble(
                f"{quoted(source.text)} and {quoted(taken[target.path].text)} would both become {quoted(target.text)}"
            )
        taken[target.path] = source
    for pair in pairs:
        for other in pairs:
            if pair is not other and is_within(other.source.path, pair.source.path):
                raise Trouble(f"{quoted(other.source.text)} is named twice, or lies in {quoted(pair.source.text)}")
            if pair is not other and is_within(other.source.path, pair.target.path):
                raise Trouble(f"{quoted(other.source.text)} would be replaced before its turn comes")
