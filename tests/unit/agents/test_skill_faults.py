"""Skills that misbehave: block, never end, break their promise, raise, are called twice. The agent always returns."""

import asyncio
import threading
import time
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, AgentResult, GoalHandle, GoalStatus, LLMAgent, skill
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import ToolDefinitionError, ToolFailure
from edgevox.core.tools import ToolCallResult
from edgevox.sims import ToyWorld
from edgevox.testing import ScriptedModel, call, calls
from edgevox.tools import ToolRegistry


def eventually(true: Any, seconds: float = 2.0) -> bool:
    """Wait until something is true, so long at most, and return whether it is."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.005)
    return bool(true())


def stopped_after(one: Any, seconds: float, reason: str = CancelReason.STOP) -> tuple[ToolCallResult, float]:
    """Dispatch a skill, cancel its turn after some seconds, and return its result and how long that took to come."""
    ctx, asked = AgentContext(), list[float]()

    def ask() -> None:
        asked.append(time.monotonic())
        ctx.scope.cancel(reason)

    threading.Timer(seconds, ask).start()
    result = ToolRegistry(one).dispatch(one.name, {}, ctx)
    return result, time.monotonic() - asked[0]


def test_a_body_that_blocks_where_nobody_can_reach_it_is_reported_and_left_behind() -> None:
    ended = threading.Event()

    @skill
    def calibrate() -> str:
        """Calibrate; a library that blocks in C looks like this from outside."""
        time.sleep(1.2)
        ended.set()
        return "calibrated"

    result, took = stopped_after(calibrate, 0.05)
    assert result.error_code == "halt_unconfirmed"
    assert "may still move" in (result.error or "")
    assert took < 0.9
    assert not ended.is_set()


def test_a_body_that_never_ends_ends_at_its_time_limit_for_everybody_else() -> None:
    gone_on = threading.Event()

    @skill(timeout_s=0.1)
    def hum() -> None:
        """Hum for ever, more or less."""
        gone_on.wait(5)

    started = time.monotonic()
    result = ToolRegistry(hum).dispatch("hum", {}, AgentContext())
    assert time.monotonic() - started < 1.5
    assert result.error_code == "halt_unconfirmed"
    assert "timed out after 0.1 seconds" in (result.error or "")
    gone_on.set()


def test_an_async_body_is_cancelled_where_it_waits() -> None:
    seen = threading.Event()

    @skill
    async def brew() -> str:
        """Brew."""
        try:
            await asyncio.sleep(30)
        finally:
            seen.set()
        return "coffee"

    result, took = stopped_after(brew, 0.1)
    assert result.error_code == "cancelled"
    assert took < 0.4
    assert seen.is_set()


def test_an_async_body_may_hand_a_goal_over() -> None:
    @skill
    async def drive(ctx: AgentContext) -> GoalHandle:
        """Drive."""
        await asyncio.sleep(0)
        return ctx.deps.apply_action("navigate_to", room="kitchen")

    world = ToyWorld(navigate_speed=40.0)
    result = ToolRegistry(drive).dispatch("drive", {}, AgentContext(deps=world))
    assert result.result == {"room": "kitchen", "x": 4.0, "y": 0.0}


@pytest.mark.parametrize("returned", [None, {"status": "running"}, "on my way"])
def test_a_body_that_promised_a_goal_and_returned_none_has_not_succeeded(returned: Any) -> None:
    @skill(phrases=["go home"])
    def go_home(ctx: AgentContext) -> GoalHandle:
        """Go home."""
        return returned

    result = LLMAgent("robot", skills=[go_home]).run("go home", AgentContext())
    assert result.tool_calls[0].error_code == "no_goal"
    assert f"returned {type(returned).__name__}" in result.reply
    assert go_home.start(AgentContext()).poll(5.0) is GoalStatus.FAILED


def test_a_goal_made_elsewhere_is_adopted_and_its_end_is_the_skills_end() -> None:
    foreign = GoalHandle()

    @skill
    def follow() -> GoalHandle:
        """Follow."""
        return foreign

    threading.Timer(0.05, lambda: foreign.succeed("caught up")).start()
    assert ToolRegistry(follow).dispatch("follow", {}, AgentContext()).result == "caught up"
    assert ToolRegistry(follow).dispatch("follow", {}, AgentContext()).result == "caught up"  # over already


def test_a_worker_that_hands_over_passes_the_reason_of_its_end_on() -> None:
    inner = GoalHandle()

    @skill
    def wander(ctx: AgentContext):  # type: ignore[no-untyped-def]
        """Wander; the annotation does not say that a goal comes back."""
        return inner

    threading.Thread(target=lambda: inner.wait_cancel(5) and inner.mark_cancelled()).start()
    result, _ = stopped_after(wander, 0.05)
    assert result.error_code == "cancelled"
    assert inner.cancel_reason == "stop"


def test_a_body_that_sees_its_context_end_first_is_cancelled_and_not_a_success() -> None:
    @skill
    def sweep(ctx: AgentContext) -> str:
        """Sweep."""
        while not ctx.should_stop():
            time.sleep(0.001)
        return "swept a little"

    for _ in range(10):
        result, _ = stopped_after(sweep, 0.01)
        assert (result.ok, result.error_code) == (False, "cancelled")


def test_a_body_may_leave_through_a_check_point_of_its_scope() -> None:
    @skill
    def sweep(ctx: AgentContext) -> None:
        """Sweep."""
        while True:
            ctx.scope.check()
            time.sleep(0.001)

    result, took = stopped_after(sweep, 0.02)
    assert result.error_code == "cancelled"
    assert took < 0.4


@pytest.mark.parametrize("error", [OSError("motor 3 is hot"), ToolFailure("motor 3 is hot"), SystemExit("motor 3")])
def test_whatever_a_body_raises_is_one_sentence_in_the_reply(error: BaseException) -> None:
    @skill(phrases=["lift the arm"])
    def lift() -> None:
        """Lift."""
        raise error

    result = LLMAgent("robot", skills=[lift]).run("lift the arm", AgentContext())
    assert "motor 3" in result.reply
    assert result.tool_calls[0].error_code == "failed"


@pytest.mark.parametrize("kind", ["generator", "async generator"])
def test_a_body_that_yields_is_refused_with_what_to_do_instead(kind: str) -> None:
    def steps():  # type: ignore[no-untyped-def]
        """Yield."""
        yield 1

    async def async_steps():  # type: ignore[no-untyped-def]
        """Yield."""
        yield 1

    body: Any = steps if kind == "generator" else async_steps  # pyright: ignore[reportUnknownVariableType]
    with pytest.raises(ToolDefinitionError, match="cannot be a skill: it yields; report progress"):
        skill(body)


def test_the_same_motion_asked_for_twice_in_a_turn_runs_once() -> None:
    world, starts = ToyWorld(navigate_speed=40.0), list[str]()

    @skill
    def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
        """Drive."""
        starts.append(room)
        return ctx.deps.apply_action("navigate_to", room=room)

    twice = calls(("navigate_to", {"room": "kitchen"}), ("navigate_to", {"room": "kitchen"}))
    model = ScriptedModel(twice, call("navigate_to", room="kitchen"), "I am in the kitchen.")
    result = LLMAgent("scout", skills=[navigate_to], llm=model).run("fetch a cup", AgentContext(deps=world))
    assert starts == ["kitchen"]
    assert result.reply == "I am in the kitchen."
    assert model.requests[-1].tool_choice in (None, "none")


def test_two_motions_of_one_message_run_one_after_the_other_and_a_reading_skill_beside_them() -> None:
    order, lock = list[str](), threading.Lock()
    reading = threading.Event()

    def note(what: str) -> None:
        with lock:
            order.append(what)

    @skill
    def move(to: str) -> str:
        """Move."""
        note(f"begin {to}")
        reading.wait(2)
        note(f"end {to}")
        return to

    @skill(effect="read")
    def look() -> str:
        """Look."""
        reading.set()
        return "a cup"

    wanted = calls(("move", {"to": "left"}), ("move", {"to": "right"}), ("look", {}))
    model = ScriptedModel(wanted, "There is a cup.")
    result = LLMAgent("scout", skills=[move, look], llm=model).run("look around", AgentContext())
    assert order == ["begin left", "end left", "begin right", "end right"]
    assert model.requests[-1].tool_results == ["left", "right", "a cup"]
    assert all(one.ok for one in result.tool_calls)


class Hand:
    """A hand whose grip takes until it is released, with a skill of its own."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.deaf = deaf
        self.began = threading.Event()
        self.release = threading.Event()
        self.holding = 0
        self.most = 0

    def hold(self, handle: GoalHandle) -> str:
        """Hold until released."""
        self.holding += 1
        self.most = max(self.most, self.holding)
        self.began.set()
        while not (self.release.is_set() or (handle.should_cancel() and not self.deaf)):
            time.sleep(0.002)
        self.holding -= 1
        return "let go"


def left_running(one: Any, hand: Hand) -> AgentContext:
    """A context in which the skill of an earlier turn goes on after a barge-in."""
    ctx = AgentContext()
    threading.Thread(target=lambda: hand.began.wait(2) and ctx.scope.cancel(CancelReason.BARGE_IN)).start()
    assert ToolRegistry(one).dispatch("hold", {}, ctx).error_code == "left_running"
    hand.began.clear()
    return AgentContext(goals=ctx.goals)


def test_a_second_action_takes_the_place_of_the_one_that_was_left_running() -> None:
    hand = Hand()
    one = skill(hand.hold)
    second = left_running(one, hand)
    threading.Thread(target=lambda: hand.began.wait(2) and hand.release.set()).start()
    assert ToolRegistry(one).dispatch("hold", {}, second).result == "let go"
    assert hand.most == 1


def test_a_second_action_takes_the_place_of_one_with_its_resource_that_was_left_running() -> None:
    hand, other = Hand(), Hand()
    one = skill(resources=["hand-of-test"])(hand.hold)
    second = left_running(one, hand)
    another = skill(resources=["other-hand-of-test"])(other.hold)
    threading.Timer(0.1, other.release.set).start()
    assert ToolRegistry(another).dispatch("hold", {}, second).ok
    assert hand.holding == 1
    threading.Thread(target=lambda: hand.began.wait(5) and hand.release.set()).start()
    assert ToolRegistry(one).dispatch("hold", {}, second).result == "let go"
    assert hand.most == 1


def test_an_action_with_resources_waits_for_the_one_that_does_not_let_go_at_once() -> None:
    hand = Hand(deaf=True)
    one = skill(resources=["deaf-hand-of-test"])(hand.hold)
    second = left_running(one, hand)
    threading.Timer(0.7, hand.release.set).start()
    assert ToolRegistry(one).dispatch("hold", {}, second).result == "let go"
    assert hand.most == 1


def test_nothing_new_begins_while_an_action_that_ignores_its_end_may_still_move() -> None:
    release = threading.Event()

    @skill
    def swing() -> None:
        """Swing; nobody listens."""
        release.wait(5)

    @skill
    def move() -> str:
        """Move."""
        return "moved"

    ctx = AgentContext()
    threading.Timer(0.05, lambda: ctx.scope.cancel(CancelReason.USER)).start()
    registry = ToolRegistry(swing, move)
    assert registry.dispatch("swing", {}, ctx).error_code == "halt_unconfirmed"
    after = AgentContext(goals=ctx.goals)
    refused = registry.dispatch("move", {}, after)
    assert (refused.error_code, refused.error) == ("busy", "move could not start: swing still runs and does not end.")
    release.set()
    assert eventually(lambda: not ctx.goals.names())
    assert registry.dispatch("move", {}, after).ok


def test_a_skill_made_of_skills_does_not_end_itself() -> None:
    registry = ToolRegistry()

    @skill
    def step() -> str:
        """Step."""
        return "step"

    @skill
    def walk(ctx: AgentContext) -> str:
        """Walk."""
        return " ".join(registry.dispatch("step", {}, ctx).result for _ in range(3))

    registry.register(step, walk)
    assert registry.dispatch("walk", {}, AgentContext()).result == "step step step"


def test_a_skill_of_skills_with_one_resource_does_not_wait_for_itself_whatever_it_takes() -> None:
    registry = ToolRegistry()

    @skill(resources=["arm-of-test"], timeout_s=1.0)
    def close() -> str:
        """Close."""
        return "closed"

    @skill(resources=["arm-of-test"], timeout_s=1.0)
    def grasp(handle: GoalHandle, ctx: AgentContext) -> str:
        """Grasp."""
        return registry.dispatch("close", {}, ctx).result

    registry.register(close, grasp)
    assert registry.dispatch("grasp", {}, AgentContext()).result == "closed"


def test_cancelling_one_action_from_outside_is_watched_like_a_stop() -> None:
    events: list[AgentEvent] = []
    ctx = AgentContext()
    ctx.bus.subscribe_all(events.append)

    @skill(phrases=["swing the arm"])
    def swing() -> GoalHandle:
        """Swing; nobody listens to cancel."""
        return GoalHandle()

    done: list[AgentResult] = []
    agent = LLMAgent("robot", skills=[swing])
    run = threading.Thread(target=lambda: done.append(agent.run("swing the arm", ctx)))
    run.start()
    assert eventually(ctx.goals.running)
    assert ctx.goals.cancel(ctx.goals.running()[0].goal_id)
    run.join(3)
    assert done[0].tool_calls[0].error_code == "halt_unconfirmed"
    news = next(event.payload for event in events if event.kind == "skill_cancelled")
    assert (news.reason, news.confirmed) == ("user", False)


@pytest.mark.parametrize("back_after_s", [0.1, 2.0])
def test_a_body_stopped_while_it_begins_its_goal_is_reported_as_it_is(back_after_s: float) -> None:
    release, inner = threading.Event(), GoalHandle()

    def halt() -> None:
        inner.mark_cancelled("halted")

    inner.on_cancel(halt)

    @skill
    def dock() -> GoalHandle:
        """Dock; asking the base takes its time."""
        release.wait(5)
        return inner

    timer = threading.Timer(0.05 + back_after_s, release.set)
    timer.start()
    result, took = stopped_after(dock, 0.05)
    assert took < 1.2
    assert result.error_code == ("cancelled" if back_after_s < 0.5 else "halt_unconfirmed")
    timer.cancel()
    release.set()
    assert inner.poll(2.0) is GoalStatus.CANCELLED  # whenever it begins, it is ended
