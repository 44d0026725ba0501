"""`rg`: lines that a pattern selects in whole trees, hidden and ignored files left out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Feed, Io, Run, feeds, name_of, opened
from edgevox.tools.files.commands.grep import NUMBERS, SHARED, Target, bare, pattern_of
from edgevox.tools.files.commands.searching import Search, Wanted
from edgevox.tools.files.faults import NotPlain, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.ignoring import Ignores
from edgevox.tools.files.matching import Matcher
from edgevox.tools.files.options import Given, Grammar
from edgevox.tools.files.patterns import TROUBLE, literal
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Token
from edgevox.tools.files.trees import Node, node_at, walk
from edgevox.tools.permissions import ActionVerdict, Operation

_GRAMMAR = Grammar(plain=(*SHARED, "-I", "--hidden", "--no-ignore", "-uu"), valued=NUMBERS, exclusive=(("-H", "-I"),))


def prepare_rg(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to search."""
    given = _GRAMMAR.read(tokens)
    pattern, operands = pattern_of(given)
    wanted = Wanted.of(given, zero_counts=False)
    matcher = Matcher(
        literal(pattern) if given.has("-F") else pattern,
        ignore_case=given.has("-i"),
        whole_line=given.has("-x"),
        whole_word=given.has("-w"),
        longest=False,
    )
    targets = _targets(gate, given, operands)
    many = len(operands) > 1 or len(targets) > 1 or any(target.deep for target in targets)
    named = given.has("-H") or (not given.has("-I") and many)

    def run(io: Io) -> int:
        return _searched(Search(io, matcher, wanted, named), targets)

    return run


def _targets(gate: Gate, given: Given, operands: list[Token]) -> list[Target]:
    if not operands and not gate.piped:
        gate.demand((Operation.READ, gate.here()))
        return [replace(target, place=bare(target.place)) for target in _below(gate, given, gate.here())]
    targets: list[Target] = []
    for place in feeds(gate, operands):
        if place is not None and handles.is_folder(handles.look_if_any(place.path)):
            targets.extend(_below(gate, given, place))
        else:
            targets.append(Target(place))
    return targets


def _below(gate: Gate, given: Given, root: Place) -> list[Target]:
    found = list(_files(gate, given, root))
    gate.demand_below(root, Operation.READ, [node.place.path for node in found])
    return [Target(node.place, deep=True) for node in found]


def _files(gate: Gate, given: Given, root: Place) -> Iterator[Node]:
    everything = given.has("-uu")
    hidden = everything or given.has("--hidden")
    ignores = None if everything or given.has("--no-ignore") else Ignores(gate, root.path)

    def enter(node: Node) -> bool:
        if gate.verdict(Operation.READ, node.place.path) is ActionVerdict.deny:
            return False
        if not node.depth:
            return True
        if node.place.name.startswith(".") and not hidden:
            return False
        return ignores is None or not ignores.leaves_out(node.place.path, folder=node.is_folder)

    for node in walk(gate, node_at(root), enter, lambda _place, _error: None):
        if node.is_file and node.found.st_nlink == 1 and enter(node):
            yield node


def _searched(search: Search, targets: Sequence[Target]) -> int:
    status = 1
    for target in targets if search.wanted.most != 0 else ():
        if search.over:
            return 0
        try:
            _search_one(search, target)
        except OSError as error:
            place = target.place
            assert place is not None
            if not (target.deep and isinstance(error, NotPlain | FileNotFoundError)):
                search.io.out.complain(f"{place.text}: {told(error)}")
                status = TROUBLE
    return 0 if search.over or (search.found and status == 1) else status


def _search_one(search: Search, target: Target) -> None:
    with opened(search.io, target.place) as pieces:
        first = next(pieces, b"")
        if target.deep and b"\0" in first:
            return
        if search.through(_again(first, pieces), _label(target.place)) and not target.deep:
            search.io.out.line(f"{_label(target.place)}: it is no text, and something in it matches")


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _label(place: Feed) -> str:
    return name_of(place, "<stdin>")
