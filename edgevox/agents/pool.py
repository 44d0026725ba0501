"""`AgentPool`: agents that volunteer, instead of being chosen.

What the person said is posted on a board; every member bids, the best takes it, and whoever fails makes room for the
next. Nobody is asked who should answer, so that needs no model. How a bid is made is `edgevox.agents.bids`' business.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, ClassVar, cast

from edgevox.agents.bids import Volunteer, as_volunteer, bids_for
from edgevox.agents.blackboard import Blackboard
from edgevox.agents.requests import BoardRequest, RequestStatus
from edgevox.agents.workflows.checks import checked_agent, checked_seconds
from edgevox.agents.workflows.child import Ended
from edgevox.agents.workflows.turn import WorkflowTurn
from edgevox.agents.workflows.workflow import Workflow

__all__ = ["CLAIM_S", "AgentPool", "Volunteer"]

CLAIM_S = 30.0
"""Seconds that a member has to answer."""
SLACK_S = 5.0
"""What a claim holds beyond that: the member has to be told, and to end."""

_NOBODY: Mapping[str, str] = {
    "en": "Sorry, nobody here can help with that.",
    "de": "Dabei kann hier leider niemand helfen.",
    "fr": "Désolé, personne ici ne peut aider pour cela.",
    "es": "Lo siento, aquí nadie puede ayudar con eso.",
    "vi": "Xin lỗi, ở đây không ai giúp được việc đó.",
}


class AgentPool(Workflow):
    """Lets the member answer that bids best for what the person said.

    A member whose phrase the words are bids 1. Otherwise its `volunteers_for(request)` counts (from 0 to 1; `True` is
    0.7), or its topics (0.4 for one that the words name, 0.6 at most). Of equal bids the first in the list wins. A
    member that fails, or does not answer within `claim_s` seconds, gives the request back, and the next best takes it.
    All but the last are heard only once they have succeeded; the last is heard as it speaks.

    Args:
        name: who answers, on the bus.
        agents: the members: agents, which may carry `topics` and `volunteers_for` themselves, or `Volunteer`s.
        board: where requests and answers stand, for others to watch; one of its own when not given.
        fallback: who answers when nobody bids, or everybody who did failed.
        claim_s: seconds that a member has to answer.
        options: as `Workflow` takes them.

    Raises:
        WorkflowInvalid: something in it does not fit; one sentence says what to give instead.
    """

    kind: ClassVar[str] = "pool"

    def __init__(
        self,
        name: str,
        agents: Sequence[Any],
        *,
        board: Blackboard | None = None,
        fallback: Any = None,
        claim_s: float = CLAIM_S,
        **options: Any,
    ) -> None:
        given: Any = agents
        if isinstance(given, Iterable) and not isinstance(given, str):
            self.members = tuple(map(as_volunteer, cast("Iterable[Any]", given)))
            given = [member.agent for member in self.members]
        super().__init__(name, given, **options)
        self.board = board if board is not None else Blackboard()
        self.claim_s = checked_seconds(claim_s, "claim_s", self._title)
        self._last: tuple[Volunteer, ...] = ()
        if fallback is not None:
            self._last = (Volunteer(agent=checked_agent(fallback, self._title)),)
            self.children = (*self.children, fallback)

    @property
    def limits(self) -> Mapping[str, Any]:
        """How long a member has."""
        return {"claim_s": self.claim_s}

    def _perform(self, turn: WorkflowTurn) -> Generator[str, None, None]:
        requests = self.board.requests
        request = requests.post(turn.task, self.name, language=turn.ctx.language)
        turn.ctx.emit("request_posted", self.name, request)
        try:
            yield from self._answer(turn, request)
        finally:
            requests.withdraw(request.request_id)

    def _answer(self, turn: WorkflowTurn, request: BoardRequest) -> Generator[str, None, None]:
        bids = bids_for(request, self.members, self, turn.ctx)
        asked = [*(bid.member for bid in bids), *self._last]
        faults, apology = list[str](), ""
        for place, member in enumerate(asked, 1):
            if turn.stopped:
                return
            if not self._claimed(turn, request, member):
                yield from self._by_somebody_else(turn, request)
                return
            ended = yield from self._asked(turn, member, last=place == len(asked))
            if not turn.stopped and not ended.fault:
                self._note_answer(turn, request, member, ended)
                return
            self.board.requests.release(request.request_id, member.name)
            faults.append(ended.blame)
            heard = place == len(asked) and bool(ended.apology)
            apology = "" if heard else ended.apology or apology
            if heard:
                turn.error = "; ".join(faults)
                return
        if not turn.stopped:
            words = apology or ("" if faults else _nobody(turn.ctx.language))
            yield from turn.give_up("; ".join(faults) or "nobody volunteered", words)

    def _asked(self, turn: WorkflowTurn, member: Volunteer, *, last: bool) -> Generator[str, None, Ended]:
        if last:
            return (yield from turn.relay(member.agent, seconds=self.claim_s))
        ended = turn.ask(member.agent, seconds=self.claim_s)
        if not ended.fault and not turn.stopped:
            yield from turn.answer(ended)
        return ended

    def _claimed(self, turn: WorkflowTurn, request: BoardRequest, member: Volunteer) -> bool:
        """Take the request for a member; somebody else on the board may have it, and is waited for."""
        requests, name = self.board.requests, request.request_id
        while not requests.claim(name, member.name, seconds=self.claim_s + SLACK_S):
            now = requests.wait(name, turn.ctx.scope, seconds=self.claim_s)
            if turn.stopped or now is None or now.status is not RequestStatus.OPEN:
                return False
        turn.ctx.emit("request_claimed", self.name, requests.get(name))
        return True

    def _by_somebody_else(self, turn: WorkflowTurn, request: BoardRequest) -> Generator[str, None, None]:
        now = self.board.requests.get(request.request_id)
        if turn.stopped:
            return
        if now is None or now.status is not RequestStatus.ANSWERED:
            yield from turn.give_up(f"{now.claimed_by if now else 'somebody'} took the request and did not answer")
            return
        turn.ctx.emit("request_answered", self.name, now)
        turn.handed_off_to = now.claimed_by
        yield turn.say(str(now.result))

    def _note_answer(self, turn: WorkflowTurn, request: BoardRequest, member: Volunteer, ended: Ended) -> None:
        self.board.requests.answer(request.request_id, member.name, ended.result.reply)
        turn.handed_off_to = ended.result.handed_off_to or member.name
        turn.ctx.emit("request_answered", self.name, self.board.requests.get(request.request_id))


def _nobody(language: str) -> str:
    return _NOBODY.get(language.casefold().split("-")[0], _NOBODY["en"])
