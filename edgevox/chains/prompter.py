"""The prompter of a chain agent: asks a model for the next action, one JSON object a reply, and runs the tool it names.

A reply that does not have the form is sent back once, in a copy of the conversation that nobody else sees. Words
without an action are a reply: they end the run. What the form is, and how it is read, is `completion`'s.
"""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.chains.ahead import SayAhead, WordsAhead
from edgevox.chains.completion import Asking, Completion
from edgevox.chains.graph import ChainGraph
from edgevox.chains.outcome import Outcome, Step
from edgevox.chains.reply_forms import Action, ActionForm
from edgevox.chains.scheduler import Interrupted, Runner
from edgevox.chains.state import RunState
from edgevox.chains.telling import say
from edgevox.context.assembly import RequestAssembler
from edgevox.context.visible import held_by
from edgevox.core.completion import Answer, LlmCall
from edgevox.core.errors import Cancelled, ContextOverflow
from edgevox.core.messages import Message, Origin, Role, TextBlock, ToolUseBlock
from edgevox.core.ports import ChatModel
from edgevox.core.tools import new_use_id
from edgevox.core.values import Stop, Str, Value

SHARES = (1.0, 0.6, 0.3)
"""Shares of the room that are tried, one after the other, when a model says that its context is full."""
GUESSED_ROOM = 3500
"""Tokens of a conversation, for a model that is full and has not said how many it holds."""
ANSWER = 512
"""Tokens kept for the answer where nobody says how long it may be."""


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
    _offered: ChainGraph | None = None
    _asking: Asking = field(default_factory=Asking)
    _assembler: RequestAssembler = field(default_factory=RequestAssembler)
    _began: float = 0.0
    _words: WordsAhead | None = None
    """Passes plain words on while they are being written; `None` where nobody waits for them."""
    _ahead: SayAhead | None = None
    """Tells what `say` says while it is being written; `None` where the model has no such tool."""

    def __post_init__(self) -> None:
        """Find out whether somebody waits for the words."""
        if self.state.on_words is not None:
            self._words = WordsAhead(self.state.on_words)

    def turn(self, _: Outcome, /) -> Generator[str, None, Sequence[Outcome]]:
        """Ask the model and run what it names (`scheduler.Root.turn`)."""
        completion = self._asked()
        action = completion.reply.action
        if action is None:
            words = (completion.reply.words or "").strip()
            self.state.keep(Message.of_blocks(Role.ASSISTANT, TextBlock(text=words), usage=completion.usage))
            left = self._words.rest(words) if self._words is not None else words
            if left:
                yield left
            return [Outcome(Stop(value=words))]
        return [self.runner.run(self._step(action, completion))]

    def _step(self, action: Action, completion: Completion) -> Step:
        """Keep what the model wants done, and return it as a step."""
        shown = action.tool.shown(action.arguments)
        given = {"rationale": action.rationale, **shown} if action.rationale else shown
        use = ToolUseBlock.of(action.tool.name, new_use_id(), given)
        self.state.keep(Message.of_blocks(Role.ASSISTANT, use, usage=completion.usage))
        self.state.emit("tool_use", use)
        return Step(
            tool=action.tool,
            value=self._untold(action),
            arguments=action.arguments,
            origin=Origin.MODEL,
            use_id=use.tool_use_id,
        )

    def _asked(self) -> Completion:
        state = self.state
        if state.take_interrupt():
            raise Interrupted
        asking = self._asking_now()
        try:
            completion = self._completed(asking)
        except Cancelled:
            if state.take_interrupt():
                raise Interrupted from None
            raise
        except Exception as error:
            state.emit("llm_call", LlmCall(took_s=time.monotonic() - self._began, error=str(error)))
            raise
        if state.take_interrupt():
            raise Interrupted
        return completion

    def _completed(self, asking: Asking) -> Completion:
        """Ask with as much of the conversation as fits, and with less where the model says that it does not."""
        room = _room(asking.endpoint, self.options)
        for share in SHARES:
            self._assembler.budget = room if share == 1.0 else int((room or GUESSED_ROOM) * share)
            try:
                return asking.complete(self._assembler.request(self.state.messages))
            except ContextOverflow:
                self._assembler.not_shown()
                if share == SHARES[-1]:
                    raise
            except BaseException:
                self._assembler.not_shown()
                raise
        raise AssertionError("the last share returns or raises")

    def _asking_now(self) -> Asking:
        """How the model is asked, with the tools as they are now."""
        graph = self.graph()
        if graph is not self._offered:
            self._offered = graph
            self._ahead = self._telling() if graph.active.get(say.name) is say else None
            form = ActionForm(tuple(graph.active.values()), words=True)
            self._asking = Asking(
                form=form,
                on_attempt=self._attempt,
                on_answer=self._answered,
                on_error=lambda correction: self.state.emit("output_rejected", correction),
                on_text=self._piece if self._ahead is not None or self._words is not None else None,
                options={**form.restraint(), **self.options},
            )
        self._asking.endpoint, self._asking.scope = self.model(), self.state.asking_scope()
        return self._asking

    def _telling(self) -> SayAhead:
        ctx = self.state.ctx
        return SayAhead(say.name, ctx.channel.notify, ctx.language)

    def _untold(self, action: Action) -> Value | None:
        """What the tool is given: of what is to be said, that which nobody has been told yet."""
        if self._ahead is None or action.tool is not say:
            return action.value
        return Str(value=self._ahead.rest(str(action.arguments.get("value", ""))))

    def _piece(self, piece: str) -> None:
        for ahead in (self._words, self._ahead):
            if ahead is not None:
                ahead.feed(piece)

    def _attempt(self, _: int) -> None:
        for ahead in (self._words, self._ahead):
            if ahead is not None:
                ahead.begin()
        self.state.budget.take_llm_call()
        self._began = time.monotonic()

    def _answered(self, answer: Answer) -> None:
        self.state.budget.tokens += answer.usage.prompt_tokens + answer.usage.completion_tokens
        if self.state.heeds("llm_call"):
            self.state.emit("llm_call", LlmCall.of(answer, took_s=time.monotonic() - self._began))


def _room(model: ChatModel | None, options: Mapping[str, Any]) -> int | None:
    """Tokens that a conversation may take beside its answer; `None` where the model does not say what it holds."""
    size = held_by(model)
    if size is None:
        return None
    return size - min(int(options.get("max_tokens") or ANSWER), size // 2)
