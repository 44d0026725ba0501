"""From a conversation to the text a model continues.

What never changes stands first (system, tools), what was said follows, the facts of the moment stand last. The model's
own chat template is used where it works. Knows templates and roles; does not count tokens and does not generate.
"""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from edgevox.context import with_facts
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import LibraryMissing
from edgevox.llm.dialects import fold_system, write_dialect
from edgevox.llm.engine import EngineInfo
from edgevox.llm.presets import Preset, ToolStyle
from edgevox.llm.tool_words import call_text, result_text, tools_section

log = logging.getLogger(__name__)

Turn = dict[str, Any]

_MARKERS = re.compile(
    r"<\|[^<>\s|]{1,40}\|?>|<[^<>\s|]{1,40}\|>|</?s>|<(?:start|end)_of_turn>|</?tool_\w{4,8}>|\[/?INST\]"
)
_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish", "fi": "Finnish",
    "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A text to continue."""

    text: str
    thinking: bool = False
    """Whether the text ends inside a block of thought, which the answer then begins in."""

    def after_thinking(self) -> "Prompt":
        """The same prompt with the thought ended: for an answer that a grammar holds to its form from the start."""
        closer = "</thinking>" if self.text.rstrip().endswith("<thinking>") else "</think>"
        return Prompt(text=f"{self.text.rstrip()}\n{closer}\n\n")


class PromptWriter:
    """Writes the prompts of one model.

    Args:
        info: what the model's file says of itself.
        preset: its family.
        tool_style: how tools are put to it; `None` as its family is used to.
        language: two-letter code of the language to answer in.
        clock: for templates that say what day it is.
    """

    def __init__(
        self,
        info: EngineInfo,
        preset: Preset,
        *,
        tool_style: ToolStyle | None = None,
        language: str = "en",
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._info = info
        self._preset = preset
        self._language = _LANGUAGES.get(language)
        self._clock = clock
        self._template = _compiled(info.chat_template)
        wanted = tool_style or preset.tool_style
        knows_tools = self._template is not None and "tools" in info.chat_template
        self.tool_style: ToolStyle = wanted if knows_tools else "json"
        """How tools are put to the model; a template that does not speak of tools cannot do it its own way."""

    def write(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] = (),
        *,
        facts: str = "",
        think: bool = False,
    ) -> Prompt:
        """Return the text whose continuation is the answer.

        Args:
            messages: the conversation in the OpenAI shape.
            tools: schemas in the OpenAI shape.
            facts: what holds now; stands beside the person's last words.
            think: let a model that thinks aloud do so.
        """
        messages = with_facts(messages, facts)
        if self.tool_style == "native" and tools:
            text = self._native(messages, tools, think=think)
            if text is not None:
                return _prompt(text)
        turns = alternating(self._plain(messages, tools))
        return _prompt(self._rendered(turns, think=think))

    def _plain(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> list[Turn]:
        """The conversation with nothing but words in it: tools, calls and results are said."""
        said = [str(m["content"]) for m in messages if m["role"] == "system" and m.get("content")]
        if tools:
            said.append(tools_section(tools))
        if self._language is not None:
            said.append(f"Always answer in {self._language}.")
        turns: list[Turn] = [{"role": "system", "content": "\n\n".join(said)}] if said else []
        return turns + [_said(message) for message in messages if message["role"] != "system"]

    def _native(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], *, think: bool
    ) -> str | None:
        """The conversation in the family's own notation for tools; `None` when its template cannot."""
        turns = [_native_turn(message) for message in messages]
        try:
            return self._apply(turns, tools=list(tools), think=think)
        except Exception as error:  # a template is a program by a stranger: it may fail in any way
            log.warning("the chat template of %s cannot write tools (%s)", self._info.name, error)
            return None

    def _rendered(self, turns: Sequence[Turn], *, think: bool) -> str:
        for attempt in (list(turns), alternating(fold_system(turns))):
            if self._template is None:
                break
            try:
                return self._apply(attempt, tools=None, think=think)
            except Exception as error:  # as above
                log.info("the chat template of %s failed: %s", self._info.name, error)
        return write_dialect(self._preset.dialect, turns)

    def _apply(self, turns: Sequence[Turn], *, tools: list[Mapping[str, Any]] | None, think: bool) -> str:
        assert self._template is not None
        text = self._template.render(
            messages=turns,
            tools=tools,
            add_generation_prompt=True,
            bos_token=self._info.bos,
            eos_token=self._info.eos,
            enable_thinking=think,
            thinking=think,
            raise_exception=_refuse,
            strftime_now=self._today,
        )
        return cast("str", text)

    def _today(self, form: str) -> str:
        now: datetime = self._clock.now()
        return now.strftime(form)


def alternating(turns: Sequence[Mapping[str, str]]) -> list[Turn]:
    """Return the turns so that person and assistant take turns, the person first, as many templates insist."""
    made: list[Turn] = []
    for turn in turns:
        if made and made[-1]["role"] == turn["role"]:
            made[-1] = {**turn, "content": f"{made[-1]['content']}\n\n{turn['content']}".strip()}
            continue
        if turn["role"] == "assistant" and (not made or made[-1]["role"] == "system"):
            made.append({"role": "user", "content": "…"})
        made.append(dict(turn))
    return made


def without_markers(text: str) -> str:
    """Return a text that cannot be taken for the special tokens of a prompt: nobody speaks those."""
    return _MARKERS.sub(" ", text)


def _said(message: Mapping[str, Any]) -> Turn:
    content = str(message.get("content") or "")
    if message["role"] == "tool":
        return {
            "role": "user",
            "content": result_text(str(message.get("name") or "the tool"), without_markers(content)),
        }
    if message["role"] == "user":
        return {"role": "user", "content": without_markers(content)}
    calls = [call_text(c["function"]["name"], _arguments(c)) for c in message.get("tool_calls") or ()]
    return {"role": "assistant", "content": "\n".join([content, *calls] if content else calls)}


def _native_turn(message: Mapping[str, Any]) -> Turn:
    turn = dict(message)
    if message["role"] in ("user", "tool"):
        turn["content"] = without_markers(str(message.get("content") or ""))
    if message.get("tool_calls"):
        turn["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": _arguments(call)}} for call in message["tool_calls"]
        ]
    return turn


def _arguments(call: Mapping[str, Any]) -> Any:
    raw = call["function"].get("arguments") or "{}"
    try:
        return json.loads(raw) if isinstance(raw, str) else raw
    except ValueError:
        return {}


def _prompt(text: str) -> Prompt:
    return Prompt(text=text, thinking=text.rstrip().endswith(("<think>", "<thinking>")))


def _compiled(source: str) -> Any:
    """Return a chat template that cannot reach anything but its arguments, or `None` when there is none to use."""
    if not source.strip():
        return None
    try:
        from jinja2 import TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError as error:
        raise LibraryMissing("chat templates need jinja2: pip install 'edgevox[llm]'") from error
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _to_json
    try:
        return environment.from_string(source)
    except TemplateError as error:
        log.warning("a chat template cannot be read: %s", error)
        return None


def _to_json(value: Any, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(message: str) -> None:
    raise ValueError(message)
