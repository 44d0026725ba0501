"""`gio trash`: files and trees that go to the wastebasket."""

from collections.abc import Sequence

from edgevox.tools.files.commands.command import Io, Run
from edgevox.tools.files.commands.rm import doomed, planned, require_there
from edgevox.tools.files.faults import Trouble, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.options import Grammar
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.trash import throw_away

_GRAMMAR = Grammar()


def prepare_gio(tokens: Sequence[Token], gate: Gate) -> Run:
    """Prepare to throw away."""
    given = _GRAMMAR.read(tokens)
    if not given.operands or given.operands[0] != Token("trash", Tag.ARG):
        raise Trouble('only trash is supported: ["trash","ARG"], then the paths')
    places = doomed(gate, given.operands[1:])
    if not places:
        raise Trouble("name what is to be thrown away")
    plans = [(place, planned(gate, place, deep=True)) for place in places]

    def run(io: Io) -> int:
        status = 0
        for place, nodes in plans:
            io.gate.tick()
            try:
                require_there(place, nodes)
                throw_away(place.path, io.gate.trash)
            except OSError as error:
                io.out.complain(f"cannot throw away '{place.text}': {told(error)}")
                status = 1
        return status

    return run
