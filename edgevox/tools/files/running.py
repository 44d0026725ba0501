"""One sequence of commands, a step at a time: which command is reached, its leave, its work, and what follows.

Knows operators and exit statuses. Who drives the steps (the links of a chain, or one call) it does not know.
"""

from dataclasses import dataclass, field

from edgevox.core.session import AgentContext
from edgevox.tools.files.commands import prepare
from edgevox.tools.files.commands.command import Io, Run
from edgevox.tools.files.faults import Denied, TooMuch, Trouble, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.outputs import Output
from edgevox.tools.files.tokens import Pipeline, Stage
from edgevox.tools.permissions import Asked, PermissionEngine


@dataclass(frozen=True, slots=True)
class Frame:
    """What one command came to."""

    stage: Stage
    status: int
    stdout: bytes = b""
    stderr: bytes = b""
    piped_on: bool = False
    """Whether the next command read what this one wrote."""
    denied: bool = False
    """Whether it lacked leave."""
    ran: bool = True
    """Whether it got as far as running."""


@dataclass(slots=True)
class FileRun:
    """A call under way."""

    pipelines: tuple[Pipeline, ...]
    engine: PermissionEngine
    base: str
    ctx: AgentContext
    principal: str | None = None
    trash: str | None = None
    frames: list[Frame] = field(default_factory=list[Frame])
    history: list[Asked] = field(default_factory=list[Asked])
    """What a person was asked."""
    status: int = 0
    """Of the last command that ran."""
    _at: tuple[int, int] = (0, 0)
    """Pipeline and command that are reached."""
    _fed: bytes | None = None
    """What the command before wrote into the pipe."""
    _gate: Gate | None = None
    _ready: Run | None = None

    @property
    def stage(self) -> Stage:
        """The command that is reached."""
        pipeline, stage = self._at
        return self.pipelines[pipeline].stages[stage]

    def guard(self) -> bool:
        """Check the command that is reached and get leave for it; what stands in its way becomes its result.

        Returns:
            Whether it may run.
        """
        self._gate = Gate(
            self.engine,
            self.base,
            self.ctx,
            self.stage.name,
            piped=self._fed is not None,
            principal=self.principal,
            history=self.history,
            trash=self.trash,
        )
        try:
            self._ready = prepare(self.stage, self._gate)
        except Trouble as trouble:
            self._ended(Output(self.stage.name), trouble, ran=False)
            return False
        except OSError as error:  # something was swapped while it was being looked at
            self._ended(Output(self.stage.name), Trouble(told(error)), ran=False)
            return False
        return True

    def execute(self) -> None:
        """Run the command that has leave."""
        gate, ready = self._gate, self._ready
        assert gate is not None
        assert ready is not None, "guard comes first"
        self._ready = None
        out = Output(self.stage.name)
        io = Io(gate, out, self._fed or b"")
        try:
            status = ready(io)
        except Trouble as trouble:
            self._ended(out, trouble)
        except OSError as error:
            self._ended(out, Trouble(told(error)))
        else:
            self._done(out, status)

    def advance(self) -> bool:
        """Go on to the next command that the operators let be reached; False when there is none."""
        pipeline, stage = self._at
        if stage + 1 < len(self.pipelines[pipeline].stages):
            self._at = (pipeline, stage + 1)
            return True
        self._fed = None
        for later in range(pipeline + 1, len(self.pipelines)):
            join = self.pipelines[later].join
            if join == ";" or (join == "&&") is (self.status == 0):
                self._at = (later, 0)
                return True
        return False

    def run(self) -> "FileRun":
        """Run all of it."""
        while True:
            if self.guard():
                self.execute()
            if not self.advance():
                return self

    def _ended(self, out: Output, trouble: Trouble, *, ran: bool = True) -> None:
        if isinstance(trouble, TooMuch):
            out = Output(out.command)
            self.pipelines = (*self.pipelines[: self._at[0]], Pipeline(";", self._reached()))
        out.stderr += f"{out.command}: {trouble}\n".encode("utf-8", "backslashreplace")
        self._done(out, trouble.status, denied=isinstance(trouble, Denied), ran=ran)

    def _reached(self) -> tuple[Stage, ...]:
        """The stages up to the one that is reached: nothing runs after it."""
        pipeline, stage = self._at
        return self.pipelines[pipeline].stages[: stage + 1]

    def _done(self, out: Output, status: int, *, denied: bool = False, ran: bool = True) -> None:
        pipeline, stage = self._at
        piped_on = stage + 1 < len(self.pipelines[pipeline].stages)
        self.status = status
        self._fed = bytes(out.stdout) if piped_on else None
        self.frames.append(Frame(self.stage, status, bytes(out.stdout), bytes(out.stderr), piped_on, denied, ran))
