"""The loop between a model and its tools: ask, run what it asked for, show it the results, ask again.

There is one, for `LLM.chat` and for every agent. It knows when to stop asking: after so many hops, when the model goes
round in circles, when the corrections of the turn are spent, when the scope ends. It does not know what an agent is,
which model answers, or who listens.
"""

import json
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from edgevox.core.completion import ToolCall
from edgevox.core.corrections import CorrectionBudget
from edgevox.core.listeners import told
from edgevox.core.messages import Content, Message, MessageStatus, ResultStatus, Role, TextBlock, ToolUseBlock, Usage
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, ToolCallResult
from edgevox.llm.asking import Asked, LlmCall, ask_model
from edgevox.llm.batch import PlannedCall, run_calls
from edgevox.llm.repeats import RepeatGuard, exact_key
from edgevox.chains.sentences import sentence
from edgevox.tools import ToolRegistry

__all__ = ["LlmCall", "LoopHooks", "LoopResult", "ToolChoicePolicy", "run_tool_loop"]

ToolChoicePolicy = Literal["auto", "required_first_hop", "required_always"]
Ending = Literal["answered", "cancelled", "hops", "repeated", "ended_by_tool", "corrections"]

SETTLE_S = 0.1
"""How long the end of the turn is waited for when an action of it was cancelled, seconds."""

_CORRECTABLE = ("unknown_tool", "bad_arguments", "no_handoff")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopHooks:
    """Where an agent may look in, or change what happens. Each may be left out."""

    before_model: Callable[[list[dict[str, Any]]], list[dict[str, Any]] | None] | None = None
    """Given the messages the model is about to see; returns others, or `None` to leave them."""
    after_model: Callable[[Message], object] | None = None
    """Given what the model answered."""
    before_tool: Callable[[ToolUseBlock], ToolCallResult | None] | None = None
    """Given a call that is about to run; a result returned here stands in for running it."""
    after_tool: Callable[[ToolCallResult], ToolCallResult | None] | None = None
    """Given a result; returns another, or `None` to leave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopResult:
    """What one turn of the loop came to."""

    reply: str
    """The words of the last answer; empty when the turn was cancelled before any or a tool ended it."""
    tool_calls: tuple[ToolCallResult, ...] = ()
    model_calls: int = 0
    ending: Ending = "answered"
    ended_by: ToolCallResult | None = None
    """The result that ended the turn, when one did (`ends_turn`): a hand-off."""

    @property
    def cancelled(self) -> bool:
        """Whether the scope ended before the turn was over."""
        return self.ending == "cancelled"


def run_tool_loop(
    model: ChatModel,
    messages: Sequence[Mapping[str, Any]],
    registry: ToolRegistry,
    ctx: AgentContext,
    *,
    agent_name: str = "",
    max_tool_hops: int = 3,
    tool_choice_policy: ToolChoicePolicy = "auto",
    options: Mapping[str, Any] | None = None,
    on_message: Callable[[Message], object] | None = None,
    on_tool_call: Callable[[ToolCallResult], object] | None = None,
    hooks: LoopHooks | None = None,
    corrections: CorrectionBudget | None = None,
    ends_turn: Callable[[ToolCallResult], bool] | None = None,
    instead: Callable[[str], ToolCall | None] | None = None,
    quiet: Collection[str] = (),
    language: str = "en",
) -> Generator[str, None, LoopResult]:
    """Answer a conversation, running the tools that the model asks for; yields words as they come.

    Publishes `llm_call`, `tool_use`, `tool_call` (once for each execution) and `tool_result` on the context's bus.

    Args:
        model: who is asked.
        messages: the conversation in the OpenAI shape, the person's words last.
        registry: the tools; its active ones are offered at every hop.
        ctx: what tools may reach; the end of its scope ends the loop at the next token.
        agent_name: who publishes.
        max_tool_hops: rounds of tool calls before the model must answer in words.
        tool_choice_policy: whether the first hop, or every hop, must call a tool.
        options: passed on to the model.
        on_message: told each message when it is final: requests, results, the answer, a cut answer.
        on_tool_call: told each result.
        hooks: looked in on around model and tools.
        corrections: second chances of the turn for unknown tools and bad arguments; its own when not given.
        ends_turn: says whether a result ends the turn, as a hand-off does; of several in one message the first counts,
            and the others are answered so.
        instead: with it every answer must be a call. Given the words of one that is none, when the model has been asked
            again; returns the call to make in their place, or `None` to say the words.
        quiet: tools that only divert the turn: their calls are in the conversation, but neither published nor counted.
        language: of the sentences that are spoken when the model has none.

    Raises:
        LanguageModelError: the model could not answer.
        ControlFlow: a tool raised it to divert the turn.
    """
    loop = _Loop(
        model=model,
        messages=[dict(m) for m in messages],
        registry=registry,
        ctx=ctx,
        agent_name=agent_name,
        max_tool_hops=max_tool_hops,
        policy=tool_choice_policy,
        options=dict(options or {}),
        on_message=on_message or _ignore,
        on_tool_call=on_tool_call or _ignore,
        hooks=hooks or LoopHooks(),
        corrections=corrections or CorrectionBudget(1),
        ends_turn=ends_turn or _never,
        instead=instead,
        quiet=quiet,
        language=language,
    )
    return loop.run()


@dataclass(slots=True, kw_only=True)
class _Loop:
    model: ChatModel
    messages: list[dict[str, Any]]
    registry: ToolRegistry
    ctx: AgentContext
    agent_name: str
    max_tool_hops: int
    policy: ToolChoicePolicy
    options: dict[str, Any]
    on_message: Callable[[Message], object]
    on_tool_call: Callable[[ToolCallResult], object]
    hooks: LoopHooks
    corrections: CorrectionBudget
    ends_turn: Callable[[ToolCallResult], bool]
    instead: Callable[[str], ToolCall | None] | None
    quiet: Collection[str]
    language: str
    guard: RepeatGuard = field(default_factory=RepeatGuard)
    results: list[ToolCallResult] = field(default_factory=list[ToolCallResult])
    model_calls: int = 0
    hops: int = 0
    ended_by: ToolCallResult | None = None
    replayed: set[str] = field(default_factory=set[str])
    """Calls that were answered with what the same call came to before."""
    words_only: bool = False
    """The model has called enough: the next answer must be words."""

    def run(self) -> Generator[str, None, LoopResult]:
        while True:
            choice = self._choice()
            given_up = choice == "required" and self.words_only
            asked = Asked() if given_up else (yield from self._ask(choice))
            if asked.cancelled or self.ctx.scope.cancelled:
                return self._result(asked.text, "cancelled")
            calls = _distinct(asked.calls) if choice != "none" else []
            if choice == "required" and not calls and self._insist(asked):
                continue
            calls = self._in_place_of(asked, calls)
            if not calls:
                return (yield from self._answered(asked, choice))
            self._record_request(asked, calls)
            ending = self._run_tools(calls)
            self.hops += 1
            if ending is not None:
                return (yield from self._stopped(ending))

    def _choice(self) -> str:
        offered = bool(self.registry.specs())
        if offered and self.instead is not None:
            return "required"
        if self.words_only or self.hops >= self.max_tool_hops:
            return "none"
        if not offered:
            return "auto"
        required = self.policy == "required_always" or (self.policy == "required_first_hop" and self.hops == 0)
        return "required" if required else "auto"

    def _ask(self, choice: str) -> Generator[str, None, Asked]:
        if self.hooks.before_model is not None:
            self.messages = self.hooks.before_model(self.messages) or self.messages
        self.model_calls += 1
        asked = Asked()
        try:
            yield from ask_model(self, asked, choice)
        except BaseException:
            self._record_cut(asked)
            raise
        finally:
            self.ctx.emit("llm_call", self.agent_name, asked.note())
        if asked.cancelled or self.ctx.scope.cancelled:
            self._record_cut(asked)
        return asked

    def _insist(self, asked: Asked) -> bool:
        """Ask once more for a tool call that was required and did not come."""
        if not self.corrections.spend():
            return False
        names = ", ".join(spec.name for spec in self.registry.specs())
        self.messages += [
            {"role": "assistant", "content": asked.text},
            {"role": "user", "content": f"Call one of the tools now: {names}."},
        ]
        return True

    def _in_place_of(self, asked: Asked, calls: list[ToolCall]) -> list[ToolCall]:
        """The call to make where the model has not made one that must come; its words are then not said."""
        known = any(call.name in self.registry for call in calls)
        if self.instead is None or (known and not self.words_only) or (calls and self.corrections.left):
            return calls
        call = self.instead(asked.text)
        if call is None:
            return calls
        asked.text = ""
        return [call]

    def _answered(self, asked: Asked, choice: str) -> Generator[str, None, LoopResult]:
        reply = asked.text.strip()
        if choice == "required":
            yield asked.text
        if not reply:
            reply = self._words_for_nothing(wanted_more=bool(asked.calls))
            yield reply
        message = self._say(reply, usage=asked.usage())
        if self.hooks.after_model is not None:
            self.hooks.after_model(message)
        ending: Ending = "hops" if asked.calls and self.hops >= self.max_tool_hops else "answered"
        return self._result(reply, ending)

    def _words_for_nothing(self, *, wanted_more: bool) -> str:
        last = self.results[-1] if self.results else None
        if last is None:
            return sentence("no_answer", self.language)
        if last.error_code in _CORRECTABLE:
            return sentence("unclear", self.language)
        if not last.ok:
            return sentence("failed", self.language, result=last.error or "")
        if wanted_more and self.hops >= self.max_tool_hops:
            return sentence("hops", self.language)
        return last.result if isinstance(last.result, str) else sentence("done", self.language)

    def _stopped(self, ending: Ending) -> Generator[str, None, LoopResult]:
        if ending in ("cancelled", "ended_by_tool"):
            return self._result("", ending)
        last = self.results[-1]
        words = last.to_block().text if isinstance(last.result, str) or not last.ok else ""
        reply = sentence("repeated", self.language, result=words[:200])
        yield reply
        self._say(reply)
        return self._result(reply, ending)

    def _run_tools(self, calls: Sequence[ToolCall]) -> Ending | None:
        """Run the calls of one message; returns how the turn ends, if it does."""
        outcomes: dict[int, ToolCallResult] = {}
        planned: list[PlannedCall] = []
        for index, call in enumerate(calls):
            ready = self._without_running(call)
            if ready is not None:
                outcomes[index] = ready
            else:
                planned.append(PlannedCall(index=index, name=call.name, arguments=_parsed(call), use_id=call.use_id))
        try:
            for done, result in run_calls(planned, self.registry, self.ctx, self.agent_name):
                outcomes[done.index] = self._observed(result)
        finally:
            ordered = self._one_ending([outcomes[index] for index in sorted(outcomes)])
            self._record_results(ordered)
        return self._verdict(calls, ordered)

    def _one_ending(self, results: list[ToolCallResult]) -> list[ToolCallResult]:
        """Let the first result that ends the turn count, and answer the others that would so."""
        first = next((result for result in results if self.ends_turn(result)), None)
        return [
            _declined(result, first) if first is not None and result is not first and self.ends_turn(result) else result
            for result in results
        ]

    def _without_running(self, call: ToolCall) -> ToolCallResult | None:
        """Answer a call that need not run: it has been done in this turn, or a hook answers it."""
        block = ToolUseBlock(tool_name=call.name, tool_use_id=call.use_id, input=_shown(self.registry, call))
        if call.name not in self.quiet:
            self.ctx.emit("tool_use", self.agent_name, block)
        done = self.guard.already(call.name, call.arguments, call.use_id)
        if done is not None:
            self.words_only = True
            self.replayed.add(call.use_id)
            return done
        return self.hooks.before_tool(block) if self.hooks.before_tool is not None else None

    def _observed(self, result: ToolCallResult) -> ToolCallResult:
        if self.hooks.after_tool is not None:
            result = self.hooks.after_tool(result) or result
        if result.name in self.quiet:
            return result
        if result.error_code != "unknown_tool":
            self.ctx.emit("tool_call", self.agent_name, result)
        told(self.on_tool_call, result)
        return result

    def _verdict(self, calls: Sequence[ToolCall], results: Sequence[ToolCallResult]) -> Ending | None:
        self.ended_by = next((result for result in results if self.ends_turn(result)), None)
        if self.ended_by is not None:
            return "ended_by_tool"
        if self._over(results):
            return "cancelled"
        repeated = False
        for call, result in zip(calls, results, strict=False):
            tool = self.registry.get(call.name)
            repeated |= self.guard.note(result, call.arguments, tool.effect if tool is not None else Effect.READ)
        if repeated:
            return "repeated"
        if any(result.error_code in _CORRECTABLE for result in results) and not self.corrections.spend():
            self.words_only = True
        return None

    def _over(self, results: Sequence[ToolCallResult]) -> bool:
        """Whether the turn has ended. A stop ends actions before it ends the turn, so wait a moment where one ended."""
        if any(result.status is ResultStatus.CANCELLED for result in results):
            return self.ctx.scope.wait(SETTLE_S)
        return self.ctx.scope.cancelled

    def _record_request(self, asked: Asked, calls: Sequence[ToolCall]) -> None:
        content: list[Content] = [TextBlock(text=asked.text.strip())] if asked.text.strip() else []
        content += [_use_block(self.registry, call) for call in calls]
        message = self._keep(Message(role=Role.ASSISTANT, content=tuple(content), usage=asked.usage()))
        if self.hooks.after_model is not None:
            self.hooks.after_model(message)

    def _record_results(self, results: Sequence[ToolCallResult]) -> None:
        if not results:
            return
        blocks = tuple(result.to_block() for result in results)
        self._keep(Message(role=Role.TOOL, content=blocks))
        self.results.extend(result for result in results if result.tool_use_id not in self.replayed)
        for block in blocks:
            if block.tool_name not in self.quiet:
                self.ctx.emit("tool_result", self.agent_name, block)

    def _record_cut(self, asked: Asked) -> None:
        """Keep what was said before the turn was cut or the model failed; nothing said is nothing kept."""
        if not asked.recorded and asked.text.strip():
            asked.recorded = True
            block = TextBlock(text=asked.text.strip())
            self._keep(Message(role=Role.ASSISTANT, content=(block,), status=MessageStatus.CANCELLED))

    def _say(self, words: str, usage: Usage | None = None) -> Message:
        return self._keep(Message(role=Role.ASSISTANT, content=(TextBlock(text=words),), usage=usage))

    def _keep(self, message: Message) -> Message:
        self.messages.extend(message.openai())
        self.on_message(message)
        return message

    def _result(self, reply: str, ending: Ending) -> LoopResult:
        return LoopResult(
            reply=reply.strip(),
            tool_calls=tuple(result for result in self.results if result.name not in self.quiet),
            model_calls=self.model_calls,
            ending=ending,
            ended_by=self.ended_by,
        )


def _distinct(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Take out calls of one message that ask for the very same as one before."""
    seen: dict[str, ToolCall] = {}
    for call in calls:
        seen.setdefault(exact_key(call.name, call.arguments), call)
    return list(seen.values())


def _parsed(call: ToolCall) -> dict[str, Any] | str:
    try:
        value = json.loads(call.arguments)
    except ValueError:
        return call.arguments
    return cast("dict[str, Any]", value) if isinstance(value, dict) else call.arguments


def _shown(registry: ToolRegistry, call: ToolCall) -> dict[str, Any]:
    """The arguments as they may be published: secrets are covered."""
    arguments = _parsed(call)
    tool = registry.get(call.name)
    if not isinstance(arguments, dict):
        return {}
    return dict(tool.shown(arguments)) if tool is not None else arguments


def _use_block(registry: ToolRegistry, call: ToolCall) -> ToolUseBlock:
    arguments = _parsed(call)
    known = isinstance(arguments, dict)
    return ToolUseBlock(
        tool_name=call.name,
        tool_use_id=call.use_id,
        input=arguments if known else {},
        raw_request=None if known else call.arguments,
        answered_by_runtime=call.name not in registry,
    )


def _declined(result: ToolCallResult, first: ToolCallResult) -> ToolCallResult:
    words = f"{result.name} was not followed: {first.name} came first, and only one can take the turn."
    return replace(result, status=ResultStatus.DECLINED, result=None, value=None, error=words, error_code="declined")


def _ignore(_: object) -> None:
    return None


def _never(_: ToolCallResult) -> bool:
    return False
