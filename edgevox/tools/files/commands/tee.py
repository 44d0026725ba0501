"""`tee`: writes what it is given into files, and hands it on."""

from collections.abc import Iterator, Sequence

from edgevox.tools.files import handles
from edgevox.tools.files.commands.command import Io, Run, ticking
from edgevox.tools.files.faults import Trouble
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.options import Grammar
from edgevox.tools.files.outputs import as_bytes
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.writing import put
from edgevox.tools.permissions import Operation

_GRAMMAR = Grammar(plain=("-a",))


def prepare_tee(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to write."""
    given = _GRAMMAR.read(tokens)
    operands = list(given.operands)
    content = operands.pop(0).text if operands and operands[0].tag is Tag.ARG else None
    if content is None and not gate.piped:
        raise Trouble(
            "there is nothing to write: pipe something into it, or give the content as an ARG before the paths"
        )
    places = [gate.literal(token) for token in operands]
    gate.demand(*((Operation.CREATE, place) for place in places))
    for place in places:
        gate.plain(place)
    there = [place for place in places if handles.look_if_any(place.path) is not None]
    gate.demand(*((operation, place) for place in there for operation in (Operation.READ, Operation.DELETE)))

    def run(io: Io) -> int:
        data = io.take() if gate.piped else as_bytes(content or "")
        io.out.write(data)
        status = 0
        for place in places:
            try:
                handles.require_folders(place.passed)
                _write(io, place, data, append=given.has("-a"))
            except OSError as error:
                io.failed(place, error)
                status = 1
        return status

    return run


def _write(io: Io, place: Place, data: bytes, *, append: bool) -> None:
    io.gate.tick()
    if place.folder_only:
        raise IsADirectoryError(21, "Is a directory")
    there = handles.look_if_any(place.path) is not None
    if there:
        io.gate.demand((Operation.READ, place), (Operation.DELETE, place))
    if not append or not there:
        put(place.path, [data], replace=there)
        return
    with handles.reading(place.path) as descriptor:
        before = ticking(io.gate, handles.chunks_of(descriptor))
        put(place.path, _then(before, data), replace=True)


def _then(before: Iterator[bytes], data: bytes) -> Iterator[bytes]:
    yield from before
    yield data
