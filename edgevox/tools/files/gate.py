"""What one command may touch: every path passes here before anything touches the disk.

Knows the permission engine, whose run it is and how long the command may take. What commands do with files it leaves
to them.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from edgevox.core.session import AgentContext
from edgevox.tools.files import handles
from edgevox.tools.files.faults import Denied, OutOfTime, Trouble, quoted, told
from edgevox.tools.files.places import Place, is_within, locate
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.permissions import ActionVerdict, Asked, Operation, PermissionEngine, Requirement
from edgevox.tools.permissions.asking import replacing_question

COMMAND_S = 60.0
"""Seconds that one command may take, its questions to a person not counted."""
MAX_ASKED = 20
"""Questions that one command may put; a person who is asked more often stops reading."""
_WINDOWS_INTO_THE_SYSTEM = ("/proc", "/sys")
"""Not files but views of the machine, secrets of other programs among them; no rule opens them."""
_WHY = {
    "declined": ": the person said no",
    "timeout": ": nobody answered in time",
    "nobody": ": nobody was there to ask",
}

Need = tuple[Operation, Place]


@dataclass(slots=True)
class Gate:
    """The leave of one command."""

    engine: PermissionEngine
    base: str
    """Absolute, without links; what relative paths are below."""
    ctx: AgentContext
    command: str
    piped: bool = False
    """Whether another command writes into this one."""
    principal: str | None = None
    history: list[Asked] = field(default_factory=list[Asked])
    """What a person was asked."""
    trash: str | None = None
    """Folder of the wastebasket; `None` is the person's own."""
    _until: float = field(default_factory=lambda: time.monotonic() + COMMAND_S)
    _granted: set[tuple[Operation, str]] = field(default_factory=set[tuple[Operation, str]])

    def tick(self) -> None:
        """Look whether the command has to end; called for every piece of work.

        Raises:
            Cancelled: the run ended.
            OutOfTime: it takes too long.
        """
        self.ctx.scope.check()
        if time.monotonic() > self._until:
            raise OutOfTime(COMMAND_S)

    def place(self, text: str) -> Place:
        """Find where a literal path leads.

        Raises:
            Trouble: it is a pattern, or no file could have that name.
        """
        if any(mark in text for mark in "*?[]"):
            raise Trouble(f"{quoted(text)} must be a literal path: patterns stand for sources alone")
        return locate(text, self.base)

    def here(self) -> Place:
        """Return the base."""
        return Place(".", self.base, folder_only=True)

    def literal(self, token: Token) -> Place:
        """Find where a path token leads that may be no pattern.

        Raises:
            Trouble: it is none, or a pattern.
        """
        if token.tag is not Tag.PTH:
            raise Trouble(f"{quoted(token.text)} has the tag {token.tag}; a path has the tag PTH")
        return self.place(token.text)

    def verdict(self, operation: Operation, path: str) -> ActionVerdict:
        """What the rules say. Pure: the disk is not looked at."""
        if (operation, path) in self._granted:
            return ActionVerdict.allow
        if any(is_within(path, view) and not is_within(self.base, view) for view in _WINDOWS_INTO_THE_SYSTEM):
            return ActionVerdict.deny
        return self.engine.judge(operation, f"file:{path}", self.principal)

    def may(self, operation: Operation, path: str) -> bool:
        """Whether it may be done without asking anybody."""
        return self.verdict(operation, path) is ActionVerdict.allow

    def refuse_denied(self, *needs: Need) -> None:
        """Refuse what is denied, and ask nobody: what every operand needs is judged before the first question.

        Raises:
            Denied: the rules say so.
        """
        for operation, place in needs:
            for wanted, each in ((operation, place), *_on_the_way(place)):
                if self.verdict(wanted, each.path) is ActionVerdict.deny:
                    raise Denied(wanted, place.text)

    def demand(self, *needs: Need) -> None:
        """Require leave; all are judged before a person is asked about any.

        Raises:
            Denied: there is none.
        """
        self._settle([need for operation, place in needs for need in ((operation, place), *_on_the_way(place))])

    def demand_below(self, root: Place, operation: Operation, paths: Iterable[str]) -> None:
        """Require leave for many paths below one operand; a refusal names the operand alone.

        Raises:
            Denied: it is lacking for one of them.
        """
        self._settle([(operation, Place(root.text, path)) for path in paths])

    def plain(self, place: Place) -> None:
        """Refuse links, files with several names and what is neither file nor folder. What is missing passes.

        Raises:
            Trouble: one of them, on the way or at the end.
        """
        try:
            handles.require_folders(place.passed)
            handles.require_plain(handles.look(place.path))
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return
        except OSError as error:
            raise Trouble(f"{quoted(place.text)}: {told(error)}") from error

    def reachable(self, place: Place) -> None:
        """Refuse a place whose text enters what is no folder.

        Raises:
            Trouble: it does.
        """
        try:
            handles.require_folders(place.passed)
        except OSError as error:
            raise Trouble(f"{quoted(place.text)}: {told(error)}") from error

    def _settle(self, needs: Sequence[Need]) -> None:
        ask: dict[Requirement, Place] = {}
        fresh: list[Requirement] = []
        for operation, place in needs:
            wanted = Requirement(operation, f"file:{place.path}")
            match self.verdict(operation, place.path):
                case ActionVerdict.deny:
                    self.engine.note([wanted], False, self.ctx, self.principal)
                    raise Denied(operation, place.text)
                case ActionVerdict.ask:
                    ask[wanted] = place
                case ActionVerdict.allow if (operation, place.path) not in self._granted:
                    self._granted.add((operation, place.path))
                    fresh.append(wanted)
                case ActionVerdict.allow:
                    pass
        if ask:
            self._ask(ask, {place.path for operation, place in needs if operation is Operation.CREATE})
        self.engine.note(fresh, True, self.ctx, self.principal)

    def _ask(self, ask: dict[Requirement, Place], written: set[str]) -> None:
        if len(ask) > MAX_ASKED:
            raise Trouble(f"a person would be asked {len(ask)} times, {MAX_ASKED} is the most: name fewer files")
        began = time.monotonic()

        def question(wanted: Requirement) -> str | None:
            path = ask[wanted].path
            created = path in written or (Operation.CREATE, path) in self._granted
            replaces = created and wanted.operation is Operation.DELETE
            return replacing_question(path, self.ctx.language) if replaces else None

        decision = self.engine.authorise(list(ask), self.ctx, question=question, principal=self.principal)
        self._until += time.monotonic() - began
        self.history.extend(decision.history)
        self.ctx.scope.check()
        if not decision.allowed:
            refused = decision.denied or next(iter(ask))
            place = ask.get(refused, next(iter(ask.values())))
            raise Denied(refused.operation, place.text, _WHY.get(decision.reason or "", ""))
        self._granted.update((wanted.operation, place.path) for wanted, place in ask.items())


def _on_the_way(place: Place) -> list[Need]:
    return [(Operation.READ, Place(place.text, path)) for path in place.passed]


def attempt(gate: Gate, place: Place, work: Callable[[], object], complain: Callable[[str], None]) -> bool:
    """Do one operand's work; what the system refuses becomes a message and the others go on.

    Args:
        gate: of the command.
        place: the operand.
        work: touches it.
        complain: takes the message.

    Returns:
        Whether it was done.
    """
    gate.tick()
    try:
        work()
    except OSError as error:
        complain(f"{place.text}: {told(error)}")
    else:
        return True
    return False
