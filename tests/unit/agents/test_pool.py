"""A pool: its members volunteer, the best answers, and who fails makes room for the next."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, AgentPool, AgentResult, Blackboard, LLMAgent, Volunteer
from edgevox.agents.requests import BoardRequest
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import EdgeVoxError
from edgevox.core.messages import Role
from edgevox.testing import ScriptedModel, call
from edgevox.tools import tool


@tool(phrases=["turn on the light"], says="It is bright.")
def light_on() -> str:
    """Turn the light on."""
    return "on"


class Answers:
    """A member that says one thing, after a while, or raises it."""

    def __init__(self, name: str, reply: Any, *, bid: Any = True, takes_s: float = 0.0) -> None:
        self.name, self.description = name, name
        self.reply, self.bid, self.takes_s = reply, bid, takes_s
        self.asked: list[str] = []

    def volunteers_for(self, request: BoardRequest) -> Any:
        return self.bid(request) if callable(self.bid) else self.bid

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        self.asked.append(task)
        assert ctx is not None
        ctx.scope.wait(self.takes_s)
        if isinstance(self.reply, BaseException):
            raise self.reply
        return AgentResult(self.reply, self.name)


def told(ctx: AgentContext, *kinds: str) -> list[AgentEvent]:
    events: list[AgentEvent] = []
    for kind in kinds:
        ctx.bus.subscribe(kind, events.append)
    return events


def test_a_phrase_bids_more_than_anything_else_and_costs_no_model() -> None:
    lights, chatter = LLMAgent("lights", tools=[light_on]), Answers("chatter", "Nice.", bid=0.99)
    pool = AgentPool("house", [chatter, lights])
    result = pool.run("turn on the light", AgentContext())
    assert (result.reply, result.model_calls, result.handed_off_to) == ("It is bright.", 0, "lights")
    assert chatter.asked == []


def test_the_best_of_several_judgements_wins_whatever_the_order() -> None:
    weak, strong = Answers("weak", "Weak.", bid=0.2), Answers("strong", "Strong.", bid=0.9)
    for members in ([weak, strong], [strong, weak]):
        assert AgentPool("team", members).run("who can", AgentContext()).reply == "Strong."


def test_of_equal_bids_the_first_in_the_list_wins_every_time() -> None:
    pool = AgentPool("team", [Answers("first", "First."), Answers("second", "Second.")])
    assert {pool.run("who can", AgentContext()).reply for _ in range(20)} == {"First."}


def test_topics_bid_and_more_of_them_bid_more() -> None:
    weather = Volunteer(agent=Answers("weather", "Sunny.", bid=False), topics=("weather", "rain"))
    garden = Volunteer(agent=Answers("garden", "Green.", bid=False), topics=("rain", "rose garden", "hose"))
    pool = AgentPool("team", [weather, garden])
    assert pool.run("how is the Weather?", AgentContext()).reply == "Sunny."
    assert pool.run("does the rain reach the rose garden", AgentContext()).reply == "Green."
    assert pool.run("is the train late", AgentContext()).error == "nobody volunteered"


@pytest.mark.parametrize("bid", [False, None, 0, -3, float("nan"), "yes", ValueError("confused")])
def test_who_does_not_bid_or_cannot_is_not_asked(bid: Any) -> None:
    def judge(request: BoardRequest) -> Any:
        if isinstance(bid, Exception):
            raise bid
        return bid

    odd, plain = Answers("odd", "Odd.", bid=judge), Answers("plain", "Plain.", bid=0.1)
    assert AgentPool("team", [odd, plain]).run("who can", AgentContext()).reply == "Plain."
    assert odd.asked == []


def test_a_judgement_that_hangs_keeps_nobody_waiting() -> None:
    release = threading.Event()

    def hangs(request: BoardRequest) -> bool:
        return release.wait(5)

    slow = Answers("slow", "Slow.", bid=hangs)
    began = time.monotonic()
    result = AgentPool("team", [slow, Answers("quick", "Quick.", bid=0.1)]).run("who can", AgentContext())
    assert result.reply == "Quick."
    assert time.monotonic() - began < 2.0
    release.set()


def test_without_a_bid_the_fallback_answers_or_a_sentence_does() -> None:
    silent = Answers("silent", "…", bid=False)
    assert AgentPool("team", [silent]).run("hello", AgentContext()).reply == "Sorry, nobody here can help with that."
    german = AgentPool("team", [silent]).run("hallo", AgentContext(language="de"))
    assert german.reply == "Dabei kann hier leider niemand helfen."
    chatter = LLMAgent("chatter", llm=ScriptedModel("Hello yourself."))
    result = AgentPool("team", [silent], fallback=chatter).run("hello", AgentContext())
    assert (result.reply, result.handed_off_to, result.model_calls) == ("Hello yourself.", "chatter", 1)


def test_a_member_that_fails_makes_room_for_the_next_best() -> None:
    board, ctx = Blackboard(), AgentContext()
    events = told(ctx, "request_posted", "request_claimed", "request_answered")
    broken = Answers("broken", RuntimeError("no fuel"), bid=0.9)
    empty = Answers("empty", "", bid=0.8)
    works = Answers("works", "Done that.", bid=0.5)
    result = AgentPool("team", [works, broken, empty], board=board).run("fetch a cup", ctx)
    assert (result.reply, result.handed_off_to, result.error) == ("Done that.", "works", None)
    assert [event.kind for event in events] == ["request_posted", *["request_claimed"] * 3, "request_answered"]
    assert [event.payload.claimed_by for event in events] == [None, "broken", "empty", "works", "works"]
    (request,) = board.requests.all()
    assert (request.status, request.result, request.tried) == ("answered", "Done that.", ("broken", "empty"))


def test_a_member_that_takes_too_long_loses_its_claim() -> None:
    slow, works = Answers("slow", "At last.", bid=0.9, takes_s=5), Answers("works", "Done.", bid=0.5)
    began = time.monotonic()
    result = AgentPool("team", [slow, works], claim_s=0.1).run("fetch a cup", AgentContext())
    assert result.reply == "Done."
    assert time.monotonic() - began < 2.0


def test_when_everybody_fails_one_sentence_says_so_and_the_error_says_who() -> None:
    pool = AgentPool("team", [Answers("a", RuntimeError("no fuel")), Answers("b", RuntimeError("no arms"), bid=0.2)])
    result = pool.run("fetch a cup", AgentContext())
    assert result.reply
    assert "no fuel" in (result.error or "")
    assert "no arms" in (result.error or "")


def test_a_stop_ends_the_answer_and_nobody_else_is_asked() -> None:
    ctx = AgentContext()
    slow, other = Answers("slow", "At last.", bid=0.9, takes_s=5), Answers("other", "Me.", bid=0.5)
    board = Blackboard()
    threading.Timer(0.1, ctx.stop.set).start()
    began = time.monotonic()
    result = AgentPool("team", [slow, other], board=board).run("fetch a cup", ctx)
    assert time.monotonic() - began < 1.0
    assert result.preempted
    assert other.asked == []
    assert [request.status for request in board.requests.all()] == ["withdrawn"]


def test_a_barge_in_before_the_turn_asks_nobody() -> None:
    ctx, member = AgentContext(), Answers("a", "A.")
    ctx.scope.cancel(CancelReason.BARGE_IN)
    assert AgentPool("team", [member]).run("hello", ctx).preempted
    assert member.asked == []


def test_somebody_outside_the_pool_may_take_the_request_from_the_board() -> None:
    board, member = Blackboard(), Answers("member", "Me.")

    def outside(request: BoardRequest) -> None:
        if request.status == "open" and board.requests.claim(request.request_id, "neighbour"):
            threading.Timer(0.05, board.requests.answer, (request.request_id, "neighbour", "I have it.")).start()

    board.requests.listen(outside)
    result = AgentPool("team", [member], board=board).run("fetch a cup", AgentContext())
    assert (result.reply, result.handed_off_to) == ("I have it.", "neighbour")
    assert member.asked == []


def test_the_conversation_keeps_the_question_what_was_done_and_the_reply_once() -> None:
    @tool
    def fetch() -> str:
        """Fetch."""
        return "a cup"

    model = ScriptedModel(call("fetch"), "Here it is.")
    fetcher = Volunteer(agent=LLMAgent("fetcher", tools=[fetch], llm=model), topics=("cup",))
    broken = Answers("broken", RuntimeError("no"), bid=0.9)
    ctx = AgentContext()
    AgentPool("team", [broken, fetcher]).run("a cup please", ctx)
    assert [message.role for message in ctx.session.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert ctx.session.messages[-1].plain == "Here it is."


def test_a_pool_is_an_agent_like_the_others() -> None:
    lights, chatter = LLMAgent("lights", tools=[light_on]), LLMAgent("chatter")
    pool = AgentPool("house", [lights], fallback=chatter)
    model = ScriptedModel("Hello.", "Hello again.")
    assert pool.bind_llm(model) is pool
    assert pool.kind == "pool"
    assert pool.children == (lights, chatter)
    assert pool.limits == {"claim_s": 30.0}
    assert pool.matches_phrase("turn on the light")
    assert not pool.matches_phrase("hello")
    assert pool.examples() == ["turn on the light"]
    assert AgentPool("outer", [pool], fallback=chatter).run("hello", AgentContext()).reply == "Hello."
    assert AgentPool("outer", [pool]).run("turn on the light", AgentContext()).handed_off_to == "lights"


Build = Callable[[], AgentPool]


@pytest.mark.parametrize(
    "build",
    [
        lambda: AgentPool("team", []),
        lambda: AgentPool("team", "members"),
        lambda: AgentPool("", [Answers("a", "A.")]),
        lambda: AgentPool("team", [Answers("a", "A.")], claim_s=0),
        lambda: AgentPool("team", [object()]),
        lambda: AgentPool("team", [Answers("a", "A.")], fallback="nobody"),
    ],
)
def test_what_makes_no_pool_is_refused_in_one_sentence(build: Build) -> None:
    with pytest.raises(EdgeVoxError) as refused:
        build()
    assert str(refused.value).endswith(".")
