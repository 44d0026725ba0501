"""A chat model over a local engine: conversation in, answer in the OpenAI shape out.

Writes the prompt, sees that it fits, generates through the one owner of the engine, and takes the reply apart. Does not
run tools and keeps no conversation.
"""

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from edgevox.context import cost, fit_messages
from edgevox.core.errors import ContextOverflow, ModelCrashed
from edgevox.core.messages import Message, Role
from edgevox.llm.engine import Engine, EngineInfo, Generated, GenerationRequest, GrammarRefused
from edgevox.llm.grammar import chosen_name
from edgevox.llm.options import AnswerOptions, Restraint, request_for, restraint
from edgevox.llm.owner import Owner, Ticket
from edgevox.llm.presets import Preset, ToolStyle, preset_for
from edgevox.llm.prompt import Prompt, PromptWriter
from edgevox.llm.reply import Reply, signatures_of

COUNTS_KEPT = 4096
"""Texts whose token counts are remembered."""
TRIES = 5
MARGIN = 0.95
"""A text cut to a share of its letters may have a little more than that share of its tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """One call of `complete`."""

    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...]
    choice: str | Mapping[str, Any] | None
    options: AnswerOptions


@dataclass(slots=True)
class _Loaded:
    engine: Engine
    info: EngineInfo
    preset: Preset
    writer: PromptWriter
    bad_grammars: set[str] = field(default_factory=set[str])


class LocalModel:
    """A `ChatModel` over an `Engine`.

    Args:
        make_engine: builds the engine when somebody first needs it.
        options: what holds for an answer when the caller does not say.
        n_ctx: tokens of the context, before the engine says what it really is.
        tool_style: how tools are put to the model; `None` as its family is used to.
        language: two-letter code of the language to answer in.
        name: what the model is called before it is loaded.
    """

    def __init__(
        self,
        make_engine: Callable[[], Engine],
        *,
        options: AnswerOptions | None = None,
        n_ctx: int = 4096,
        tool_style: ToolStyle | None = None,
        language: str = "en",
        name: str = "local",
    ) -> None:
        self.language = language
        self._make_engine = make_engine
        self._defaults = options or AnswerOptions()
        self._n_ctx = n_ctx
        self._tool_style: ToolStyle | None = tool_style
        self._name = name
        self._engine: Engine | None = None
        self._loaded: _Loaded | None = None
        self._loading = threading.Lock()
        self._owner = Owner("edgevox-llm")
        self._counts: dict[str, int] = {}

    @property
    def name(self) -> str:
        """What the model is called."""
        return self._loaded.info.name if self._loaded is not None else self._name

    @property
    def model_name(self) -> str:
        """The same, as endpoints have it."""
        return self.name

    @property
    def api_name(self) -> str:
        """Where it runs: on this machine."""
        return "local"

    @property
    def max_context_tokens(self) -> int | None:
        """Tokens that fit, the answer included, as endpoints have it."""
        return self.context_size

    @property
    def context_size(self) -> int:
        """Tokens that fit, the answer included."""
        return self._loaded.info.n_ctx if self._loaded is not None else self._n_ctx

    def load(self) -> EngineInfo:
        """Load the model now instead of at the first question.

        Raises:
            LibraryMissing, ModelMissing, ModelCorrupt, LanguageModelError: one sentence that says what to do.
        """
        return self._open().info

    def close(self) -> None:
        """Let the model go. Closing twice is fine; a question afterwards loads it again."""
        self._owner.close()
        with self._loading:
            engine, self._engine, self._loaded = self._engine, None, None
        if engine is not None:
            engine.close()

    def count_tokens(self, text: str | Sequence[Mapping[str, Any]]) -> int:
        """How many tokens a text, or a conversation with what the template puts around it, has."""
        if not isinstance(text, str):
            return cost([Message.from_openai(m) for m in text], self.count_tokens)
        if text not in self._counts:
            if len(self._counts) >= COUNTS_KEPT:
                self._counts.clear()
            self._counts[text] = self._open().engine.count([text])[0]
        return self._counts[text]

    def warm(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None = None
    ) -> threading.Event:
        """Read a prompt ahead, so that the next one that begins like it is answered sooner.

        Gives way to the first real question; what was read until then is kept.

        Returns:
            An event that is set when it is over, however it ended.
        """
        question = self._question(messages, tools, None, {"max_tokens": 0})
        ticket = Ticket(lambda mine: self._generate(question, mine, lambda _: None), None, patient=True)
        return self._owner.submit(ticket).done

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        stop_event: threading.Event | None = None,
        stream: bool = False,
        **options: Any,
    ) -> Any:
        """Answer in the OpenAI chat-completion shape (see `ChatModel.complete`).

        Calls are queued and answered one after the other. With `stream`, chunks come as they are generated; tool calls
        come whole. Markup and thinking are never part of the content. `finish_reason` is `cancelled` when the stop
        event ended the answer; `usage` says what it took.

        Args:
            messages: the conversation in the OpenAI shape; the oldest turns are left out when it does not fit.
            tools: tool schemas in the OpenAI shape.
            tool_choice: `auto`, `none`, `required`, or one tool by name.
            stop_event: the answer ends when it is set, also while the prompt is read.
            stream: return an iterator of chunks.
            options: the fields of `AnswerOptions`.

        Raises:
            LibraryMissing, ModelMissing, ModelCorrupt: the model cannot be loaded; says what to do.
            ModelCrashed: its process died; the next question starts another.
            ContextOverflow: the last message alone is too long.
        """
        question = self._question(messages, tools, tool_choice, options)
        reply = Reply(
            name=self.name,
            submit=self._owner.submit,
            generate=lambda ticket, begun: self._generate(question, ticket, begun),
            signatures=signatures_of(question.tools),
            words_only=chosen_name(tool_choice) == "none",
            verbatim=not tools and (question.options.grammar or question.options.response_format) is not None,
            stop=stop_event,
        )
        return reply.stream() if stream else reply.whole()

    def _question(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None,
        choice: str | Mapping[str, Any] | None,
        options: Mapping[str, Any],
    ) -> _Question:
        return _Question(
            messages=tuple(messages),
            tools=tuple(tools or ()),
            choice=choice,
            options=self._defaults.updated(options),
        )

    def _open(self) -> _Loaded:
        with self._loading:
            if self._loaded is None:
                if self._engine is None:
                    self._engine = self._make_engine()
                info = self._engine.open()
                preset = preset_for(info)
                writer = PromptWriter(info, preset, tool_style=self._tool_style, language=self.language)
                self._loaded = _Loaded(self._engine, info, preset, writer)
            return self._loaded

    def _generate(self, question: _Question, ticket: Ticket, begun: Callable[[Prompt], object]) -> Generated:
        """Answer one question; runs on the owner's thread."""
        loaded = self._open()
        prompt = self._fitting(loaded, question)
        aloud = prompt.thinking or (question.options.think and loaded.preset.thinks)
        free = loaded.writer.tool_style == "native" or aloud
        restrained = restraint(question.options, question.tools, question.choice, native=free)
        if _digest(restrained) in loaded.bad_grammars:
            restrained = Restraint()
        if restrained.grammar is not None and prompt.thinking:
            prompt = prompt.after_thinking()
        begun(prompt)
        request = request_for(prompt.text, loaded.preset, question.options, restrained)
        return self._safely(loaded, request, restrained, ticket)

    def _safely(self, loaded: _Loaded, request: GenerationRequest, restrained: Restraint, ticket: Ticket) -> Generated:
        """Generate, and do without the grammar if it is refused or kills the model before the first word."""
        said: list[str] = []

        def emit(text: str) -> None:
            said.append(text)
            ticket.put(text)

        try:
            return loaded.engine.generate(request, emit, ticket.stop)
        except (GrammarRefused, ModelCrashed) as error:
            if restrained.grammar is None or said or ticket.stop.is_set():
                raise
            if isinstance(error, GrammarRefused):
                loaded.bad_grammars.add(_digest(restrained))
            return loaded.engine.generate(replace(request, grammar=None, grammar_for=()), emit, ticket.stop)

    def _fitting(self, loaded: _Loaded, question: _Question) -> Prompt:
        """Write the prompt; while it does not fit, shorten what is overlong and leave out the oldest turns."""
        options, size = question.options, loaded.info.n_ctx
        room = size - min(options.max_tokens, size // 4) - 1
        messages: Sequence[Mapping[str, Any]] = question.messages

        def write(shown: Sequence[Mapping[str, Any]]) -> tuple[Prompt, int]:
            prompt = loaded.writer.write(shown, question.tools, facts=options.facts, think=options.think)
            return prompt, loaded.engine.count([prompt.text])[0]

        for _ in range(TRIES):
            prompt, tokens = write(messages)
            if tokens <= room:
                return prompt
            fixed = write([m for m in messages if m["role"] == "system"])[1]
            known = [Message.from_openai(m) for m in messages]
            kept = _less(known, tokens - fixed, room - fixed, self.count_tokens)
            messages = [projected for message in kept for projected in message.openai()]
        raise ContextOverflow("That is too long for the language model: say it in fewer words.")


def _less(messages: Sequence[Message], tokens: int, room: int, count: Callable[[str], int]) -> list[Message]:
    """Return less of a conversation.

    Args:
        messages: the conversation.
        tokens: what it takes beside the system's words, as the template writes it.
        room: what it may take.
        count: how many tokens a text has.
    """
    costs = {index: cost([m], count) for index, m in enumerate(messages) if m.role is not Role.SYSTEM}
    longest = max((index for index in costs if not messages[index].tool_uses), key=costs.__getitem__, default=None)
    if longest is not None and costs[longest] > room // 2:
        made = list(messages)
        made[longest] = _shortened(messages[longest], max(room, 0) // 2 / costs[longest])
        return made
    spent = sum(costs.values())
    budget = cost(messages, count) - spent + int(spent * max(room, 0) / max(tokens, 1) * MARGIN)
    return fit_messages(messages, budget, count)


def _shortened(message: Message, share: float) -> Message:
    """Keep the beginning of what a message says."""
    if not message.tool_results:
        return Message.text(_beginning(message.plain, share), message.role)
    blocks = [block.model_copy(update={"payload": _beginning(block.text, share)}) for block in message.tool_results]
    return message.model_copy(update={"content": tuple(blocks)})


def _beginning(text: str, share: float) -> str:
    return f"{text[: max(int(len(text) * share * MARGIN), 8)]} …"


def _digest(restrained: Restraint) -> str:
    return hashlib.sha256((restrained.grammar or "").encode("utf-8", "replace")).hexdigest()
