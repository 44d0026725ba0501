"""Carries one run out: the whole of it on one worker, while the caller waits for its end, for a stop or for its time.

So a step costs no hand-over between threads, and a stop returns at once, whatever a tool is doing. What a thread that
was given up still does reaches nobody: the run is closed before its caller goes on.
"""

import queue
from collections.abc import Callable, Generator
from typing import Any

from edgevox.chains.outcome import Outcome
from edgevox.chains.scheduler import Interrupted
from edgevox.chains.state import RunState, RunStatus
from edgevox.core.cancel import POLL_S, CancelReason
from edgevox.core.errors import Cancelled, ChainError, ControlFlow, StopAgent
from edgevox.core.running import running
from edgevox.core.values import Stop
from edgevox.tools.workers import POOL, Job, Waited

GRACE_S = 0.1
"""How long a run that was told to end is waited for, seconds: a tool that looks at its scope is over by then."""

_OVER = ""
"""Stands behind the last words of a run."""

Work = Callable[[], Generator[str, None, Outcome]]


class Execution:
    """One run on its worker.

    Args:
        state: of the run.
        work: the run itself; called on the worker.
        on_piece: told the words of the run as they come, on the worker.
    """

    def __init__(self, state: RunState, work: Work, on_piece: Callable[[str], object] | None = None) -> None:
        self._state = state
        self._work = work
        self._on_piece = on_piece
        self._late = False
        self.job: Job | None = None

    def start(self) -> None:
        """Begin."""
        self.job = POOL.submit(self._run, f"agent {self._state.agent_name}")

    def wait(self) -> Stop:
        """Wait for the end and return what the run ended with; a run that was cancelled ends with an empty `Stop`.

        Raises:
            BudgetExceeded: its time was over.
            Exception: what made the run fail.
        """
        job = self._begun()
        try:
            waited = job.wait(self._state.ctx.scope, self._state.budget.seconds_left())
        except BaseException:  # Ctrl+C in the thread that waits ends the run, too
            self._end(CancelReason.USER)
            raise
        if waited is Waited.TIMEOUT:
            self._late = True
        if waited is not Waited.DONE:
            self._end(CancelReason.TIMEOUT)
        return self._outcome(job)

    def pieces(self, inbox: "queue.SimpleQueue[str]") -> Generator[str, None, Stop]:
        """Yield the words of the run as they come and return what it ended with (`wait`)."""
        job = self._begun()
        scope, budget = self._state.ctx.scope, self._state.budget
        job.on_end(lambda _: inbox.put(_OVER))
        try:
            while not (scope.cancelled or budget.seconds_left() == 0.0):
                try:
                    piece = inbox.get(timeout=POLL_S)
                except queue.Empty:
                    continue
                if piece == _OVER:
                    break
                yield piece
        except GeneratorExit:
            self._end(CancelReason.BARGE_IN)
            raise
        return self.wait()

    def _begun(self) -> Job:
        if self.job is None:
            self.start()
        assert self.job is not None
        return self.job

    def _run(self) -> Outcome:
        with running(self._state.ctx, self._state.agent_name, self._state.asking_scope):
            stream = self._work()
            while True:
                try:
                    piece = next(stream)
                except StopIteration as end:
                    return end.value
                if self._on_piece is not None and piece:
                    self._on_piece(piece)

    def _end(self, reason: str) -> None:
        """Tell the run to end, give it a moment, and let nothing more of it reach anybody."""
        state, job = self._state, self._begun()
        state.ctx.scope.cancel(reason)
        job.wait(None, GRACE_S)
        if not job.finished or isinstance(job.error, ControlFlow):
            state.close(RunStatus.FAILED if self._late else RunStatus.CANCELLED)

    def _outcome(self, job: Job) -> Stop:
        state, error = self._state, job.error
        if self._late and (not job.finished or error is not None):
            state.close(RunStatus.FAILED)
            raise state.budget.late()
        if not job.finished or isinstance(error, Cancelled | StopAgent):
            state.close(RunStatus.CANCELLED)
            return Stop()
        if error is not None:
            state.close(RunStatus.FAILED)
            raise _readable(error)
        state.close(RunStatus.COMPLETED)
        ended: Any = job.value
        return ended.value


def _readable(error: BaseException) -> BaseException:
    """A run that was interrupted and could not ask anybody failed."""
    if isinstance(error, Interrupted):
        return ChainError("The run was interrupted, and there is nobody to ask what to do next.")
    return error
