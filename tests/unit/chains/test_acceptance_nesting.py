"""Agents that tools begin: they end with the run around them, and they cannot ask each other for ever."""

import threading
from typing import Any

import pytest

from edgevox.chains import Agent, Empty, Str, stop, tool
from edgevox.chains.background import BackgroundAgent
from edgevox.chains.models import Message
from edgevox.chains.nested import MAX_DEPTH
from edgevox.chains.state import RunStatus
from edgevox.chains.tools import run_nested_agent
from edgevox.core.cancel import CancelScope
from edgevox.core.session import AgentContext
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import Tool

SOON_S = 10.0
DONE = {"action": "stop", "value": "done"}


def agent(name: str, tools: list[Any], *responses: Any) -> Agent:
    return Agent(name=name, system_prompt="x", agent_endpoint=MockLLMEndpoint(responses=list(responses)), tools=tools)


def beginning(child: Agent, how: str) -> Tool:
    """Make a tool that runs an agent, without handing anything of its own run over."""

    @tool
    def begin(input: Empty, messages: list[Message]) -> Str:
        words = child.run("go").reply if how == "run" else child.invoke()[0].value
        return Str(value=words or "")

    return begin


@pytest.mark.parametrize("how", ["run", "invoke"])
def test_an_agent_that_a_tool_begins_ends_with_the_run_around_it(how: str) -> None:
    begun, ended = threading.Event(), threading.Event()

    @tool
    def wait(input: Empty, messages: list[Message]) -> Str:
        from edgevox.core.running import current_run

        run = current_run()
        assert run is not None
        begun.set()
        if run.ctx.scope.wait(SOON_S):
            ended.set()
        return Str(value="late")

    child = agent("child", [wait], {"action": "wait"})
    parent = agent("parent", [beginning(child, how), stop], {"action": "begin"}, DONE)
    threading.Thread(target=lambda: (begun.wait(SOON_S), parent.cancel()), daemon=True).start()
    assert parent.invoke()[0].value is None
    assert ended.wait(SOON_S)
    assert parent.status is RunStatus.CANCELLED


@pytest.mark.parametrize("how", ["run", "invoke"])
def test_an_agent_that_begins_itself_comes_to_an_end(how: str) -> None:
    depths: list[int] = []

    class Model:
        """Calls once, and says what came of it."""

        def complete(self, messages: Any, **options: Any) -> Any:
            from edgevox.core.running import current_run

            run = current_run()
            depths.append(run.depth if run is not None else 0)
            last = str(messages[-1]["content"])
            reply = "told" if last.startswith('{"caller') else '{"action": "begin"}'
            return {"choices": [{"message": {"content": reply}}]}

    @tool
    def begin(input: Empty, messages: list[Message]) -> Str:
        words = tested.run("go").reply if how == "run" else tested.invoke()[0].value
        return Str(value=words or "")

    tested = Agent(name="tested", system_prompt="x", agent_endpoint=Model(), tools=[begin, stop])
    assert tested.invoke()[0].value == "told"
    assert max(depths) == MAX_DEPTH


class Answering:
    """An agent of somebody else's."""

    name = "stranger"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def run(self, task: str, ctx: AgentContext | None = None) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "says"),
    [(None, "stranger returned None, which has no reply."), (KeyError(), "run_nested_agent failed: KeyError")],
)
def test_what_a_strange_agent_does_is_told_to_the_callers_model(answer: Any, says: str) -> None:
    ask = {"action": "run_nested_agent", "value": "well?"}
    _, messages = agent("parent", [run_nested_agent(Answering(answer)), stop], ask, DONE).invoke()
    assert messages[2].tool_results[0].text == says


def test_nested_runs_leave_nothing_behind_in_the_scope_around_them() -> None:
    child = agent("child", [stop], *[DONE] * 20)
    ask = {"action": "run_nested_agent", "value": "well?"}
    scope = CancelScope()
    parent = agent("parent", [run_nested_agent(child), beginning(agent("other", [stop], *[DONE] * 20), "run"), stop])
    parent.bind_llm(MockLLMEndpoint(responses=[*[ask, {"action": "begin"}] * 20, DONE]))
    parent.invoke(ctx=AgentContext(scope=scope))
    assert not scope._callbacks  # pyright: ignore[reportPrivateUsage] what a scope still holds can be seen nowhere else


def test_an_error_without_words_is_told_by_its_kind() -> None:
    @tool
    def broken(input: Empty, messages: list[Message]) -> Empty:
        raise KeyError

    background = BackgroundAgent(Agent(name="watcher", mode="deterministic", default_tools=[broken]))
    background.check()
    for _ in range(200):
        if not background.alive:
            break
        threading.Event().wait(0.02)
    assert background.error == "KeyError"
