"""`find`: entries of trees that an expression selects."""

from collections.abc import Iterator, Sequence

from edgevox.tools.files.commands.command import Io, Run
from edgevox.tools.files.commands.find_expression import Expression, Visit, name_in, read_expression
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.globs import sources
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.trees import Node, node_at, walk
from edgevox.tools.permissions import ActionVerdict, Operation


def prepare_find(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to look for entries."""
    rest = list(tokens)
    while rest and rest[0].tag is Tag.FLG and rest[0].text in ("-P", "--"):
        del rest[0]
    roots: list[Token] = []
    while rest and rest[0].tag is Tag.PTH:
        roots.append(rest.pop(0))
    if any(token.tag is Tag.PTH for token in rest):
        raise Trouble("paths stand before the expression")
    expression = read_expression(rest)
    if roots:
        places = sources(gate, roots, Operation.READ)
    else:
        places = [gate.here()]
        gate.demand((Operation.READ, places[0]))

    def run(io: Io) -> int:
        return _Find(io, expression).run(places)

    return run


class _Find:
    def __init__(self, io: Io, expression: Expression) -> None:
        self._io, self._expression = io, expression
        self._status = 0

    def run(self, places: Sequence[Place]) -> int:
        for place in places:
            try:
                root = node_at(place)
            except OSError as error:
                self._failed(place, error)
                continue
            if self._tree(root):
                break
        return self._status

    def _tree(self, root: Node) -> bool:
        """Ask about everything in a tree; True when nothing more is wanted."""
        return self._contents_first(root) if self._expression.contents_first else self._folders_first(root)

    def _folders_first(self, root: Node) -> bool:
        pruned = False

        def enter(node: Node) -> bool:
            return not pruned and self._enterable(root, node)

        for node in walk(self._io.gate, root, enter, self._failed):
            visit = self._visited(node)
            pruned = visit.pruned
            if visit.quit:
                return True
        return False

    def _contents_first(self, root: Node) -> bool:
        nodes = walk(self._io.gate, root, lambda node: self._enterable(root, node), self._failed)
        return any(self._visited(node).quit for node in _after_contents(nodes))

    def _visited(self, node: Node) -> Visit:
        self._io.gate.tick()
        visit = Visit(node, name_in(node.place, node.depth), self._io.out, self._io.gate)
        if node.depth >= self._expression.shallowest:
            self._expression.test(visit)
        return visit

    def _enterable(self, root: Node, node: Node) -> bool:
        wanted = self._expression
        if wanted.deepest is not None and node.depth >= wanted.deepest:
            return False
        if wanted.one_disk and node.found.st_dev != root.found.st_dev:
            return False
        return self._io.gate.verdict(Operation.READ, node.place.path) is not ActionVerdict.deny

    def _failed(self, place: Place, error: OSError) -> None:
        self._io.out.complain(f"{quoted(place.text)}: {told(error)}")
        self._status = 1


def _after_contents(nodes: Iterator[Node]) -> Iterator[Node]:
    """Turn folders before their contents into contents before their folders."""
    open_folders: list[Node] = []
    for node in nodes:
        while open_folders and open_folders[-1].depth >= node.depth:
            yield open_folders.pop()
        open_folders.append(node)
    yield from reversed(open_folders)
