"""`grep`: lines of files that a pattern selects, in POSIX patterns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Feed, Io, Run, feeds, name_of, opened
from edgevox.tools.files.commands.searching import Search, Wanted
from edgevox.tools.files.faults import NotPlain, Trouble, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.matching import Matcher
from edgevox.tools.files.options import Given, Grammar
from edgevox.tools.files.patterns import TROUBLE, grep_pattern, literal
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.trees import Node, node_at, walk
from edgevox.tools.permissions import ActionVerdict, Operation

SHARED = ("-n", "-i", "-v", "-F", "-w", "-x", "-c", "-l", "-q", "-o", "-H")
NUMBERS = {"-m": Tag.ARG, "-A": Tag.ARG, "-B": Tag.ARG, "-C": Tag.ARG}
_GRAMMAR = Grammar(
    plain=(*SHARED, "-E", "-h", "-r", "-R"), valued=NUMBERS, exclusive=(("-E", "-F"), ("-H", "-h"), ("-r", "-R"))
)
_STDIN = "(standard input)"


def prepare_grep(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to search."""
    given = _GRAMMAR.read(tokens)
    pattern, operands = pattern_of(given)
    wanted = Wanted.of(given)
    matcher = _matcher(given, pattern)
    deep = given.has("-r") or given.has("-R")
    if deep and not operands:
        gate.demand((Operation.READ, gate.here()))
        targets = candidates(gate, gate.here(), strict=given.has("-R"))
        targets = [replace(t, place=bare(t.place)) for t in targets]
    else:
        targets = list(_targets(gate, feeds(gate, operands), deep=deep, strict=given.has("-R")))
    many = len(operands) > 1 or len(targets) > 1 or any(target.deep for target in targets)
    named = given.has("-H") or (not given.has("-h") and many)

    def run(io: Io) -> int:
        return _searched(Search(io, matcher, wanted, named), targets)

    return run


@dataclass(frozen=True, slots=True)
class Target:
    """One file to search."""

    place: Feed
    deep: bool = False
    """Whether it was found in a folder rather than named."""


def pattern_of(given: Given) -> tuple[str, list[Token]]:
    """Return the pattern and the tokens after it.

    Raises:
        Trouble: there is no pattern.
    """
    if not given.operands or given.operands[0].tag is not Tag.ARG:
        raise Trouble("the first operand is the pattern: a token with the tag ARG", TROUBLE)
    return given.operands[0].text, list(given.operands[1:])


def bare(place: Feed) -> Feed:
    """Take the `./` off what was found below a folder that nobody named."""
    return replace(place, text=place.text[2:]) if place is not None else None


def candidates(gate: Gate, root: Place, *, strict: bool = False) -> list[Target]:
    """Return the files below a folder that may be read; what may not be, and what is not plain, is passed over.

    Args:
        gate: of the command.
        root: may be read.
        strict: whether a link among them is refused rather than passed over.

    Raises:
        Trouble: there is too much, or a link where none is passed over.
    """
    found = list(readable_files(gate, root, node_at(root), strict=strict))
    gate.demand_below(root, Operation.READ, [node.place.path for node in found])
    return [Target(node.place, deep=True) for node in found]


def readable_files(gate: Gate, root: Place, start: Node, *, strict: bool = False) -> Iterator[Node]:
    """Return the plain files of a tree for which leave to read is given or may be asked for."""

    def enter(node: Node) -> bool:
        return gate.verdict(Operation.READ, node.place.path) is not ActionVerdict.deny

    for node in walk(gate, start, enter, lambda _place, _error: None):
        if strict and handles.is_link(node.found):
            raise Trouble(f"there is a link below '{root.text}': use -r, which passes links over", TROUBLE)
        if node.is_file and node.found.st_nlink == 1 and enter(node):
            yield node


def _matcher(given: Given, pattern: str) -> Matcher:
    written = literal(pattern) if given.has("-F") else grep_pattern(pattern, extended=given.has("-E"))
    return Matcher(
        written, ignore_case=given.has("-i"), whole_line=given.has("-x"), whole_word=given.has("-w"), longest=True
    )


def _targets(gate: Gate, places: Iterable[Feed], *, deep: bool, strict: bool) -> Iterator[Target]:
    for place in places:
        found = handles.look_if_any(place.path) if deep and place is not None else None
        if place is not None and handles.is_folder(found):
            yield from candidates(gate, place, strict=strict)
        else:
            yield Target(place)


def _searched(search: Search, targets: Sequence[Target]) -> int:
    status = 1
    for target in targets if search.wanted.most != 0 else ():
        if search.over:
            return 0
        place = target.place
        try:
            with opened(search.io, place) as pieces:
                if search.through(pieces, name_of(place, _STDIN)):
                    search.io.out.complain(f"{name_of(place)}: it is no text, and something in it matches")
        except OSError as error:
            assert place is not None
            if isinstance(error, IsADirectoryError) and search.wanted.count:
                search.through((), place.text)
            if not (target.deep and isinstance(error, NotPlain | FileNotFoundError)):
                search.io.out.complain(f"{place.text}: {told(error)}")
                status = TROUBLE
    if search.over:
        return 0
    return 0 if search.found and status == 1 else status
