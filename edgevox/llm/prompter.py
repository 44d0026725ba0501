"""The prompter of models that call tools natively: asks, says the words as they come, runs the calls that come too.

A turn with one is the scheduler with this prompter as its only root, for `LLM.chat` and for every agent with a model:
what is chained to a call follows it without another question. Here lies how patient the turn is: how often it asks,
what it does when the model goes round in circles or calls what is not there, what is said when the model says nothing.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from edgevox.chains.budget import VOICE_TURN, Budget, Limits
from edgevox.chains.calls import CallRunner, LoopHooks, parsed
from edgevox.chains.graph import registry_graph
from edgevox.chains.outcome import Outcome
from edgevox.chains.repeats import RepeatGuard, exact_key
from edgevox.chains.scheduler import Scheduler
from edgevox.chains.sentences import sentence
from edgevox.context.folded import Folded
from edgevox.core.completion import LlmCall, ToolCall
from edgevox.core.corrections import CorrectionBudget
from edgevox.core.errors import Cancelled
from edgevox.core.messages import Content, Message, MessageStatus, ResultStatus, Role, TextBlock, ToolUseBlock, Usage
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, ToolCallResult
from edgevox.core.values import Empty, Stop, Value
from edgevox.llm.asking import Asked, ask_model
from edgevox.tools import ToolRegistry

__all__ = ["LlmCall", "LoopHooks", "LoopResult", "ToolChoicePolicy", "run_tool_loop"]

ToolChoicePolicy = Literal["auto", "required_first_hop", "required_always"]
Ending = Literal["answered", "cancelled", "hops", "repeated", "ended_by_tool", "corrections", "stopped"]

SETTLE_S = 0.1
"""How long the end of the turn is waited for when an action of it was cancelled, seconds."""

_CORRECTABLE = ("unknown_tool", "bad_arguments", "no_handoff")


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
    told: Callable[[Sequence[ToolCallResult]], str | None] | None = None,
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
        told: given what one answer's calls and their chains came to, returns words that say it all, and the turn ends
            with them; `None` shows the results to the model.
        language: of the sentences that are spoken when the model has none.

    Raises:
        LanguageModelError: the model could not answer.
        ControlFlow: a tool raised it to divert the turn.
    """
    prompter = NativePrompter(
        model=model,
        registry=registry,
        ctx=ctx,
        agent_name=agent_name,
        max_tool_hops=max_tool_hops,
        policy=tool_choice_policy,
        options=dict(options or {}),
        on_message=on_message or _ignore,
        hooks=hooks or LoopHooks(),
        corrections=corrections or CorrectionBudget(1),
        ends_turn=ends_turn or _never,
        instead=instead,
        quiet=quiet,
        told=told,
        language=language,
    )
    prompter.conversation.messages.extend(dict(message) for message in messages)
    prompter.calls.on_tool_call = on_tool_call or _ignore
    return prompter.run()


@dataclass(slots=True, kw_only=True)
class NativePrompter:
    """Asks a model that calls tools natively, for the length of one turn (`run_tool_loop` says what each field is)."""

    model: ChatModel
    registry: ToolRegistry
    ctx: AgentContext
    agent_name: str
    max_tool_hops: int
    policy: ToolChoicePolicy
    options: dict[str, Any]
    on_message: Callable[[Message], object]
    hooks: LoopHooks
    corrections: CorrectionBudget
    ends_turn: Callable[[ToolCallResult], bool]
    instead: Callable[[str], ToolCall | None] | None
    quiet: Collection[str]
    language: str
    told: Callable[[Sequence[ToolCallResult]], str | None] | None = None
    guard: RepeatGuard = field(default_factory=RepeatGuard)
    conversation: Folded = field(default_factory=Folded)
    """What the model is shown."""
    model_calls: int = 0
    hops: int = 0
    ended_by: ToolCallResult | None = None
    words_only: bool = False
    """The model has called enough: the next answer must be words."""
    ending: Ending | None = None
    known: int = 0
    """Results that the model has been shown, or was about to be."""
    calls: CallRunner = field(init=False)

    def __post_init__(self) -> None:
        """Make what runs the calls."""
        self.calls = CallRunner(
            registry=self.registry,
            ctx=self.ctx,
            agent_name=self.agent_name,
            keep=self._keep,
            on_tool_call=_ignore,
            hooks=self.hooks,
            quiet=self.quiet,
            ends_turn=self.ends_turn,
            budget=Budget(Limits(max_steps=VOICE_TURN.max_steps)),
            guard=self.guard,
        )

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What the model is shown, in the OpenAI shape."""
        return self.conversation.messages

    def run(self) -> Generator[str, None, LoopResult]:
        """Answer the conversation."""
        scheduler = Scheduler([self], self.calls, lambda: registry_graph(self.registry.tools))
        try:
            last = yield from scheduler.run(Empty())
        except Cancelled:
            if not self.ctx.scope.cancelled:
                raise
            return self._result("", "cancelled")
        if self.ending is None and self.ctx.scope.cancelled:
            return self._result("", "cancelled")
        words = str(last.value.value or "")
        if self.ending is None:  # a tool ended the turn with words of its own, or with none
            words = words.strip() or sentence("done", self.language)
            yield words
            self._say(words)
            self.ending = "stopped"
        return self._result(words, self.ending)

    def turn(self, _: Outcome) -> Generator[str, None, Sequence[Outcome]]:
        """Ask until the model has answered or called tools, and run what it called (`scheduler.Root.turn`)."""
        told = self._told()
        if told:
            yield told
            self._say(told)
            return [Outcome(self._over_with(told, "answered"))]
        calls = yield from self._wanted()
        if isinstance(calls, Stop):
            return [Outcome(calls)]
        results = self.calls.run_all(calls)
        self.hops += 1
        ending = self._verdict(calls, results)
        if ending is not None:
            return [Outcome((yield from self._stopped(ending)))]
        return self.calls.outcomes(results)

    def _told(self) -> str | None:
        """What the calls of the last answer came to, where they tell it themselves and nothing else is to be done."""
        new, self.known = self.calls.results[self.known :], len(self.calls.results)
        if self.told is None or not new or self.words_only or self.ctx.scope.cancelled:
            return None
        return self.told(new)

    def _wanted(self) -> Generator[str, None, Stop | list[ToolCall]]:
        """Ask for calls; a `Stop` comes back when the turn ends with the answer."""
        while True:
            choice = self._choice()
            given_up = choice == "required" and self.words_only
            asked = Asked() if given_up else (yield from self._ask(choice))
            if asked.cancelled or self.ctx.scope.cancelled:
                return self._over_with(asked.text, "cancelled")
            calls = _distinct(asked.calls) if choice != "none" else []
            if choice == "required" and not calls and self._insist(asked):
                continue
            calls = self._in_place_of(asked, calls)
            if not calls:
                return (yield from self._answered(asked, choice))
            self._record_request(asked, calls)
            return calls

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
            self.conversation.messages = self.hooks.before_model(self.messages) or self.messages
        self.model_calls += 1
        asked = Asked()
        try:
            yield from ask_model(self, asked, choice)
        except BaseException:
            self._record_cut(asked)
            raise
        finally:
            self.ctx.emit("llm_call", self.agent_name, asked.note())
        self.conversation.shown_once()
        if asked.cancelled or self.ctx.scope.cancelled:
            self._record_cut(asked)
        return asked

    def _insist(self, asked: Asked) -> bool:
        """Ask once more for a tool call that was required and did not come."""
        if not self.corrections.spend():
            return False
        names = ", ".join(spec.name for spec in self.registry.specs())
        self.conversation.messages += [
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

    def _answered(self, asked: Asked, choice: str) -> Generator[str, None, Stop]:
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
        return self._over_with(reply, ending)

    def _words_for_nothing(self, *, wanted_more: bool) -> str:
        results = self.calls.results
        last = results[-1] if results else None
        if last is None:
            return sentence("no_answer", self.language)
        if last.error_code in _CORRECTABLE:
            return sentence("unclear", self.language)
        if not last.ok:
            return sentence("failed", self.language, result=last.error or "")
        if wanted_more and self.hops >= self.max_tool_hops:
            return sentence("hops", self.language)
        return last.result if isinstance(last.result, str) else _held(last.value) or sentence("done", self.language)

    def _stopped(self, ending: Ending) -> Generator[str, None, Stop]:
        if ending in ("cancelled", "ended_by_tool"):
            return self._over_with("", ending)
        last = self.calls.results[-1]
        words = last.to_block().text if isinstance(last.result, str) or not last.ok else ""
        reply = sentence("repeated", self.language, result=words[:200])
        yield reply
        self._say(reply)
        return self._over_with(reply, ending)

    def _over_with(self, reply: str, ending: Ending) -> Stop:
        self.ending = ending
        return Stop(value=reply)

    def _verdict(self, calls: Sequence[ToolCall], results: Sequence[ToolCallResult]) -> Ending | None:
        self.ended_by = next((result for result in results if self.ends_turn(result)), None)
        if self.ended_by is not None:
            return "ended_by_tool"
        if self._over(results):
            return "cancelled"
        self.words_only |= any(result.tool_use_id in self.calls.replayed for result in results)
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

    def _record_cut(self, asked: Asked) -> None:
        """Keep what was said before the turn was cut or the model failed; nothing said is nothing kept."""
        if not asked.recorded and asked.text.strip():
            asked.recorded = True
            block = TextBlock(text=asked.text.strip())
            self._keep(Message(role=Role.ASSISTANT, content=(block,), status=MessageStatus.CANCELLED))

    def _say(self, words: str, usage: Usage | None = None) -> Message:
        return self._keep(Message(role=Role.ASSISTANT, content=(TextBlock(text=words),), usage=usage))

    def _keep(self, message: Message) -> Message:
        self.conversation.add(message)
        self.on_message(message)
        return message

    def _result(self, reply: str, ending: Ending) -> LoopResult:
        return LoopResult(
            reply=reply.strip(),
            tool_calls=tuple(result for result in self.calls.results if result.name not in self.quiet),
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


def _use_block(registry: ToolRegistry, call: ToolCall) -> ToolUseBlock:
    arguments = parsed(call)
    known = isinstance(arguments, dict)
    return ToolUseBlock(
        tool_name=call.name,
        tool_use_id=call.use_id,
        input=arguments if known else {},
        raw_request=None if known else call.arguments,
        answered_by_runtime=call.name not in registry,
    )


def _held(value: Any) -> str:
    """The words in what a typed tool returned."""
    held = getattr(value, "value", None) if isinstance(value, Value) else None
    return held if isinstance(held, str) else ""


def _ignore(_: object) -> None:
    return None


def _never(_: ToolCallResult) -> bool:
    return False
