"""`LLM`: a local model with tools and a conversation, for scripts and agents.

`complete` is the `ChatModel` that agents share; `chat` is a whole turn with tools over a conversation of its own.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from edgevox.config.settings import LlmSettings, load_settings_or_defaults
from edgevox.context.folded import folded
from edgevox.core.cancel import CancelScope
from edgevox.core.events import EventBus
from edgevox.core.messages import Message, Role
from edgevox.core.session import AgentContext, Session
from edgevox.core.tools import ToolCallResult
from edgevox.llm.engine import Engine
from edgevox.llm.local import LocalModel
from edgevox.llm.options import AnswerOptions
from edgevox.llm.presets import ToolStyle
from edgevox.llm.prompter import LoopResult, ToolChoicePolicy, run_tool_loop
from edgevox.tools import ToolRegistry

SYSTEM_PROMPT = (
    "You are edgevox, a helpful voice assistant on the person's own machine. What you write is spoken aloud: answer in "
    "one or two short sentences, without lists, markdown or emoji."
)


class LLM(LocalModel):
    """A language model on this machine.

    Nothing is loaded until the first question. Safe from any thread: questions are answered one after the other.

    Args:
        model: a catalogue name, a path, or `hf:repo/name:file.gguf`; `None` is the settings' one, or the best that is
            on this machine.
        tools: functions, skills or registries that `chat` may call; more may be registered later (`llm.tools`).
        on_tool_call: called with the `ToolCallResult` of every call.
        max_tool_hops: rounds of calls in one turn before the model must answer in words.
        system_prompt: what the model is told about itself; `None` is a voice assistant.
        language: two-letter code of the language to answer in.
        n_ctx: tokens of the context; `None` is the settings'.
        n_threads: threads that generate; `None` is the plan for this machine.
        max_tokens: longest answer, tokens.
        temperature: 0 is the likeliest words; `None` is the family's own.
        in_process: hold the model in this process instead of a child.
        bus: where events go; a bus of its own when not given.
        deps: what tools that take a context reach as `ctx.deps`.
        tool_choice_policy: whether a turn must begin with a call.
        tool_style: how tools are put to the model; `None` as its family is used to.
        engine: what generates, in place of llama.cpp.
        options: further fields of `AnswerOptions`: `top_p`, `seed`, `think`, …
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        tools: Iterable[Any] = (),
        on_tool_call: Callable[[ToolCallResult], object] | None = None,
        max_tool_hops: int = 3,
        system_prompt: str | None = None,
        language: str = "en",
        n_ctx: int | None = None,
        n_threads: int | None = None,
        max_tokens: int | None = None,
        temperature: float | None = None,
        in_process: bool = False,
        bus: EventBus | None = None,
        deps: Any = None,
        tool_choice_policy: ToolChoicePolicy = "auto",
        tool_style: ToolStyle | None = None,
        engine: Engine | None = None,
        **options: Any,
    ) -> None:
        unknown = set(options) - {each.name for each in fields(AnswerOptions)}
        if unknown:
            raise TypeError(f"LLM() has no option {', '.join(sorted(unknown))}")
        settings = _settings(n_ctx=n_ctx, threads=n_threads, max_tokens=max_tokens, temperature=temperature)
        super().__init__(
            partial(_engine, model, settings, in_process, engine),
            options=AnswerOptions(max_tokens=settings.max_tokens, temperature=settings.temperature).updated(options),
            n_ctx=settings.n_ctx,
            tool_style=tool_style,
            language=language,
            name=str(model) if model is not None else "local",
        )
        self.tools = ToolRegistry(*tools)
        """What `chat` may call. Tools registered here are offered from the next question on."""
        self.on_tool_call = on_tool_call
        self.max_tool_hops = max_tool_hops
        self.tool_choice_policy: ToolChoicePolicy = tool_choice_policy
        self.system_prompt = system_prompt if system_prompt is not None else SYSTEM_PROMPT
        self.bus = bus if bus is not None else EventBus()
        self.deps = deps
        self.session = Session()
        """The conversation of `chat`."""

    @property
    def _history(self) -> list[dict[str, Any]]:
        """The conversation of `chat` in the OpenAI shape, with every tool call and result."""
        return self.session.openai()

    def chat(self, text: str, *, scope: CancelScope | None = None) -> str:
        """Answer, calling tools as needed, and remember the turn.

        Args:
            text: what the person says.
            scope: its end ends the turn.

        Raises:
            LanguageModelError, ModelError, LibraryMissing: one sentence that can be shown or spoken.
        """
        stream = self._run(text, scope)
        while True:
            try:
                next(stream)
            except StopIteration as over:
                return over.value.reply

    def chat_stream(self, text: str, *, scope: CancelScope | None = None) -> Iterator[str]:
        """Answer like `chat`, yielding words as they come."""
        yield from self._run(text, scope)

    def reset(self) -> None:
        """Forget the conversation."""
        self.session.reset()

    def _run(self, text: str, scope: CancelScope | None) -> Generator[str, None, LoopResult]:
        asked = self.session.add(Message.text(text))
        try:
            return (yield from self._answer(scope))
        except Exception:
            if self.session.messages[-1:] == [asked]:
                self.session.messages.pop()
            raise

    def _answer(self, scope: CancelScope | None) -> Generator[str, None, LoopResult]:
        return run_tool_loop(
            self,
            self._prompt_messages(),
            self.tools,
            AgentContext(session=self.session, deps=self.deps, bus=self.bus, scope=scope),
            agent_name="llm",
            max_tool_hops=self.max_tool_hops,
            tool_choice_policy=self.tool_choice_policy,
            options={"max_tokens": self._defaults.max_tokens},
            on_message=self.session.add,
            on_tool_call=self.on_tool_call,
            language=self.language,
        )

    def _prompt_messages(self) -> list[Mapping[str, Any]]:
        system = Message.text(self.system_prompt, Role.SYSTEM) if self.system_prompt else None
        return [*(system.openai() if system is not None else ()), *folded(self.session.messages)]


def _settings(**given: Any) -> LlmSettings:
    """The settings of this machine with what was given put over them."""
    settings, _ = load_settings_or_defaults()
    return settings.llm.model_copy(update={name: value for name, value in given.items() if value is not None})


def _engine(model: str | Path | None, settings: LlmSettings, in_process: bool, engine: Engine | None) -> Engine:
    if engine is not None:
        return engine
    from edgevox.llm.finding import make_engine

    return make_engine(model, settings, in_process=in_process)
