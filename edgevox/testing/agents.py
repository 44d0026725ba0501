"""An agent that says what a script tells it to, for tests of workflows and of front ends."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from typing import Any

from edgevox.agents.history import asked_already
from edgevox.agents.protocol import AgentResult
from edgevox.core.cancel import CancelScope
from edgevox.core.messages import Message, Role, ToolUseBlock
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult

Line = str | BaseException | AgentResult | Callable[[str, AgentContext], Any]
"""Words, an exception to raise, a result to return, or a function of task and context that returns one of these."""


class ScriptedAgent:
    """Answers from a script, one line a run; the last line is said again and again. Real events, a real conversation.

    Args:
        name: who answers.
        lines: what it says, run after run; its own name and the task when not given.
        delay_s: seconds before it says anything.
        heeds_stop: whether it ends when its context does; if not, it works on, as code that blocks would.
        tools: names of tools that it runs before it says anything.
    """

    def __init__(
        self,
        name: str,
        *lines: Line,
        delay_s: float = 0.0,
        heeds_stop: bool = True,
        tools: Sequence[str] = (),
        description: str = "",
    ) -> None:
        self.name = name
        self.description = description
        self.tasks: list[str] = []
        """What it was asked, oldest first."""
        self.histories: list[list[dict[str, Any]]] = []
        """What it found in its conversation before each task, in the OpenAI shape."""
        self.states: list[dict[str, Any]] = []
        """The scratchpad that it was given, run after run."""
        self.finished = 0
        """How often it came to the end of a run by itself."""
        self._lines = list(lines)
        self._delay_s = delay_s
        self._heeds_stop = heeds_stop
        self._tools = tuple(tools)
        self._lock = threading.Lock()

    def run(self, task: str, ctx: AgentContext | None = None) -> AgentResult:
        """Answer one turn."""
        pieces = self.run_stream(task, ctx)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return end.value

    def run_stream(self, task: str, ctx: AgentContext | None = None) -> Generator[str, None, AgentResult]:
        """Answer one turn, word by word."""
        context = ctx if ctx is not None else AgentContext()
        line = self._begin(task, context)
        context.emit("agent_start", self.name, task)
        result = AgentResult("", self.name, preempted=True)
        try:
            result = yield from self._answer(line, task, context)
        finally:
            context.emit("agent_end", self.name, result)
        return result

    def _begin(self, task: str, ctx: AgentContext) -> Line:
        with self._lock:
            self.tasks.append(task)
            self.histories.append(ctx.session.openai())
            self.states.append(ctx.session.state)
            if not asked_already(ctx, task):
                ctx.session.add(Message.text(task))
            if not self._lines:
                return f"{self.name}: {task}"
            return self._lines.pop(0) if len(self._lines) > 1 else self._lines[0]

    def _answer(self, line: Line, task: str, ctx: AgentContext) -> Generator[str, None, AgentResult]:
        calls = list[ToolCallResult]()
        if not self._wait(ctx.scope):
            return AgentResult("", self.name, preempted=True)
        for tool in self._tools:
            if ctx.scope.cancelled:
                return AgentResult("", self.name, preempted=True, tool_calls=tuple(calls))
            calls.append(self._call(tool, ctx))
        said = line(task, ctx) if callable(line) and not isinstance(line, BaseException) else line
        if isinstance(said, BaseException):
            raise said
        words = said.reply if isinstance(said, AgentResult) else str(said)
        for index, word in enumerate(words.split(" ")):
            if self._heeds_stop and ctx.scope.cancelled:
                return AgentResult("", self.name, preempted=True, tool_calls=tuple(calls))
            yield word if index == 0 else f" {word}"
        ctx.session.add(Message.text(words, Role.ASSISTANT))
        self.finished += 1
        return said if isinstance(said, AgentResult) else AgentResult(words, self.name, tool_calls=tuple(calls))

    def _wait(self, scope: CancelScope) -> bool:
        """Wait before speaking; returns whether to go on."""
        if not self._heeds_stop:
            time.sleep(self._delay_s)
            return True
        return not scope.wait(self._delay_s) if self._delay_s else not scope.cancelled

    def _call(self, tool: str, ctx: AgentContext) -> ToolCallResult:
        result = ToolCallResult(name=tool, result="done")
        use = ToolUseBlock(tool_name=tool, tool_use_id=result.tool_use_id)
        ctx.session.add(Message(role=Role.ASSISTANT, content=(use,)))
        ctx.session.add(Message(role=Role.TOOL, content=(result.to_block(),)))
        ctx.emit("tool_call", self.name, result)
        return result
