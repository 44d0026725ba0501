"""The prompter: asks a model for the next action, one JSON object a reply, and runs the tool that it names.

What a model is told about the form, and what is done when it does not keep to it, is `completion`'s and `prompt`'s.
Words without an action are a reply: they end the run.
"""

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edgevox.chains.graph import ChainGraph
from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.scheduler import Interrupted, Runner
from edgevox.chains.state import RunState
from edgevox.core.completion import Answer, LlmCall, collect
from edgevox.core.messages import Message, Origin, Role, TextBlock, ToolUseBlock, Usage
from edgevox.core.ports import ChatModel
from edgevox.core.tools import new_use_id
from edgevox.core.values import Stop


@dataclass(slots=True, kw_only=True)
class ActionPrompter:
    """Asks for one action at a time.

    Args:
        state: of the run.
        runner: runs what the model names.
        graph: the tools as they are now.
        model: returns who is asked.
        options: passed on to the model.
    """

    state: RunState
    runner: Runner
    graph: Callable[[], ChainGraph]
    model: Callable[[], ChatModel]
    options: Mapping[str, Any]

    def turn(self, _: Outcome) -> Generator[str, None, Sequence[Outcome]]:
        """Ask the model and run what it names (`scheduler.Root.turn`)."""
        answer = self._asked()
        action = _decoded(answer.text)
        if action is None:
            words = answer.text.strip()
            self.state.keep(_said(words, answer))
            yield words
            return [Outcome(Stop(value=words))]
        name, arguments = action
        tool = self.graph().active[name]
        use = ToolUseBlock(tool_name=name, tool_use_id=new_use_id(), input=tool.shown(arguments))
        self.state.keep(Message(role=Role.ASSISTANT, content=(use,), usage=_usage(answer)))
        self.state.emit("tool_use", use)
        step = Step(tool=tool, arguments=arguments, origin=Origin.MODEL, use_id=use.tool_use_id)
        return [self.runner.run(step)]

    def _asked(self) -> Answer:
        state = self.state
        if state.take_interrupt():
            raise Interrupted
        state.ctx.scope.check()
        state.budget.take_llm_call()
        began = time.monotonic()
        answer = Answer()
        with state.ctx.scope.child() as scope:
            state.asking = scope
            try:
                request = [projected for message in state.messages for projected in message.openai()]
                answer = collect(self.model().complete(request, stop_event=scope.event, **self.options))
            finally:
                state.asking = None
                state.emit("llm_call", LlmCall.of(answer, took_s=time.monotonic() - began))
        state.budget.tokens += answer.usage.prompt_tokens + answer.usage.completion_tokens
        state.ctx.scope.check()
        if state.take_interrupt():
            raise Interrupted
        return answer


def _decoded(text: str) -> tuple[str, dict[str, Any]] | None:
    at = text.find("{")
    if at < 0:
        return None
    data = json.JSONDecoder().raw_decode(text[at:])[0]
    return data.pop("action"), {key: value for key, value in data.items() if key != "rationale"}


def _said(words: str, answer: Answer) -> Message:
    return Message(role=Role.ASSISTANT, content=(TextBlock(text=words),), usage=_usage(answer))


def _usage(answer: Answer) -> Usage:
    tokens = answer.usage
    return Usage(model=answer.model, token_input=tokens.prompt_tokens, token_output=tokens.completion_tokens)
