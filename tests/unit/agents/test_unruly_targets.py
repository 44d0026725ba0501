"""Agents that take a turn and do not behave: they exit, block, go on speaking, or hand over nothing."""

import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent, AgentResult, GoalHandle, LLMAgent, Router, skill
from edgevox.core.cancel import CancelReason
from edgevox.core.messages import MessageStatus, Role
from edgevox.testing import ScriptedModel, call

PROMPTLY_S = 1.5
"""A blocked target has 0.3 s to end; the rest is a machine with other things to do."""


class Odd:
    """An agent whose stream is what a test makes it."""

    def __init__(self, name: str, stream: Callable[[AgentContext], Generator[str, None, Any]]) -> None:
        self.name = name
        self.description = "Does what it likes."
        self._stream = stream

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        raise AssertionError("it has a stream")

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, Any]:
        assert ctx is not None
        return self._stream(ctx)


def before(target: Any) -> LLMAgent:
    return LLMAgent("casa", handoffs=[target], llm=ScriptedModel(call(f"hand_off_to_{target.name}")))


def stopped_soon(ctx: AgentContext, begun: threading.Event) -> None:
    def stop() -> None:
        begun.wait(5)
        ctx.scope.cancel(CancelReason.STOP)

    threading.Thread(target=stop, daemon=True).start()


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), RuntimeError("broken"), StopIteration()])
def test_a_target_that_leaves_in_its_own_way_costs_a_sentence(ctx: AgentContext, error: BaseException) -> None:
    def stream(_: AgentContext) -> Generator[str, None, AgentResult]:
        yield "I will"
        raise error

    result = before(Odd("odd", stream)).run("do it", ctx)
    assert result.reply.startswith("I will… ")
    assert result.error
    assert result.handed_off_to == "odd"
    assert ctx.session.messages[-1].status is MessageStatus.FAILED


def test_a_target_that_leaves_at_a_check_point_of_its_scope_has_been_stopped(ctx: AgentContext) -> None:
    def stream(nested: AgentContext) -> Generator[str, None, AgentResult]:
        ctx.scope.cancel(CancelReason.STOP)
        nested.scope.check()
        yield "never said"
        return AgentResult("never said", "odd")

    result = before(Odd("odd", stream)).run("do it", ctx)
    assert (result.reply, result.preempted, result.error) == ("", True, None)
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_empty_pieces_are_no_answer(ctx: AgentContext) -> None:
    def stream(_: AgentContext) -> Generator[str, None, AgentResult]:
        yield ""
        return AgentResult("It is done.", "odd")

    assert list(before(Odd("odd", stream)).run_stream("do it", ctx)) == ["It is done."]
    assert ctx.session.messages[-1].plain == "It is done."


def test_nothing_but_empty_pieces_is_a_sentence_all_the_same(ctx: AgentContext) -> None:
    def stream(_: AgentContext) -> Generator[str, None, AgentResult]:
        yield ""
        return AgentResult("", "odd")

    assert before(Odd("odd", stream)).run("do it", ctx).reply


@pytest.mark.parametrize(("returned", "fails"), [(None, False), ("Done.", False), (42, True), ({"reply": "x"}, True)])
def test_what_is_no_result_is_taken_for_words_or_said_to_be_none(ctx: AgentContext, returned: Any, fails: bool) -> None:
    def stream(_: AgentContext) -> Generator[str, None, Any]:
        yield "Done."
        return returned

    result = before(Odd("odd", stream)).run("do it", ctx)
    assert result.reply.startswith("Done.")
    assert bool(result.error) is fails
    assert ctx.session.messages[-1].role is Role.ASSISTANT


@pytest.mark.parametrize("routers", [0, 2])
def test_a_target_that_blocks_does_not_keep_a_stop_waiting(
    ctx: AgentContext, events: list[AgentEvent], routers: int
) -> None:
    begun, released = threading.Event(), threading.Event()

    def stream(_: AgentContext) -> Generator[str, None, AgentResult]:
        begun.set()
        released.wait(30)
        yield "too late"
        return AgentResult("too late", "odd")

    agent = before(Odd("odd", stream))
    for level in range(routers):
        model = ScriptedModel(call(f"hand_off_to_{agent.name}"))
        agent = Router.build(f"level{level}", "Route.", {agent.name: agent}, llm=model)
        agent.children[0].bind_llm(agent.children[0].llm)
    stopped_soon(ctx, begun)
    began = time.monotonic()
    result = agent.run("do it", ctx)
    assert time.monotonic() - began < PROMPTLY_S + 0.3 * routers
    released.set()
    assert result.preempted
    assert "odd" in (result.error or "")
    assert "may still be at work" in (result.error or "")
    assert [event.agent_name for event in events if event.kind == "degraded"] == ["odd"]
    last = ctx.session.messages[-1]
    assert (last.role, last.status) == (Role.ASSISTANT, MessageStatus.CANCELLED)


def test_a_target_that_speaks_on_after_a_stop_is_not_heard_and_closed(ctx: AgentContext) -> None:
    begun, closed = threading.Event(), threading.Event()
    pieces = list[int]()

    def stream(_: AgentContext) -> Generator[str, None, AgentResult]:
        try:
            while True:
                pieces.append(1)
                yield "la "
                if len(pieces) == 3:
                    begun.set()
                time.sleep(0.005)
        finally:
            closed.set()

    stopped_soon(ctx, begun)
    heard = list[str]()
    for piece in before(Odd("odd", stream)).run_stream("sing", ctx):
        assert not ctx.scope.cancelled
        heard.append(piece)
    assert closed.wait(5)
    assert 3 <= len(heard) <= len(pieces) <= len(heard) + 10


def test_a_target_says_no_more_than_somebody_listens_to(ctx: AgentContext) -> None:
    said = list[int]()

    def stream(_: AgentContext) -> Generator[str, None, AgentResult]:
        for index in range(100):
            said.append(index)
            yield f"{index} "
        return AgentResult("all", "odd")

    listener = before(Odd("odd", stream)).run_stream("count", ctx)
    assert [next(listener).strip(), next(listener).strip()] == ["0", "1"]
    listener.close()
    assert said == [0, 1]


def test_a_target_with_an_action_that_ignores_its_end_still_says_so_itself(ctx: AgentContext) -> None:
    @skill(latency_class="slow", timeout_s=30)
    def push(ctx: AgentContext) -> GoalHandle:
        """Push a door that nobody can stop."""
        return GoalHandle()

    leaf = LLMAgent("robot", skills=[push], llm=ScriptedModel(call("push")))
    ctx.bus.subscribe("skill_goal", lambda _: ctx.scope.cancel(CancelReason.STOP))
    began = time.monotonic()
    result = before(leaf).run("push the door", ctx)
    assert time.monotonic() - began < PROMPTLY_S
    assert result.preempted
    assert [each.name for each in result.tool_calls] == ["push"]
    assert "not confirmed" in str(result.tool_calls[0].error)
