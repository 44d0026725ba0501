"""What a caller may say about one answer, and what holds when it says nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from edgevox.llm.engine import GenerationRequest
from edgevox.llm.grammar import CALL_STARTS, chosen_name, schema_grammar, tools_grammar
from edgevox.llm.presets import Preset


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOptions:
    """Options of `complete`; what is `None` is the family's own."""

    max_tokens: int = 512
    """Longest answer, tokens."""
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    repeat_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    """Texts that end the answer, beside the family's."""
    grammar: str | None = None
    """GBNF that the answer must follow, in place of the one made from the tools."""
    response_format: Mapping[str, Any] | None = None
    """`{"type": "json_object"}`, or a JSON schema as OpenAI's clients pass it."""
    facts: str = ""
    """What holds now: the time, the state of the house. Stands beside the person's last words."""
    think: bool = False
    """Let a model that can think aloud do so; nobody hears it."""

    def updated(self, given: Mapping[str, Any]) -> "AnswerOptions":
        """Return these options with what a caller said; what is not known here is for other models and ignored."""
        known = {name: value for name, value in given.items() if name in _FIELDS and value is not None}
        if "stop" in known:
            stop: str | Sequence[str] = known["stop"]
            known["stop"] = (stop,) if isinstance(stop, str) else tuple(stop)
        return replace(self, **known)


_FIELDS = frozenset(AnswerOptions.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restraint:
    """A grammar and when it holds."""

    grammar: str | None = None
    starts: tuple[str, ...] = field(default=())
    """It is dropped when the answer begins otherwise; empty holds it throughout."""


def restraint(
    options: AnswerOptions,
    tools: Sequence[Mapping[str, Any]],
    tool_choice: str | Mapping[str, Any] | None,
    *,
    native: bool,
) -> Restraint:
    """Return what an answer must look like.

    Args:
        options: the caller's.
        tools: schemas in the OpenAI shape.
        tool_choice: `auto`, `required`, `none`, or one tool.
        native: the model calls tools in its own notation, which only a call that is required overrides.
    """
    if options.grammar is not None:
        return Restraint(grammar=options.grammar)
    if options.response_format is not None:
        return Restraint(grammar=schema_grammar(_schema(options.response_format)))
    choice = chosen_name(tool_choice)
    if native and choice in ("auto", "none"):
        return Restraint()
    grammar = tools_grammar(tools, tool_choice)
    if choice == "auto":
        return Restraint(grammar=grammar, starts=CALL_STARTS)
    return Restraint(grammar=grammar, starts=("\0",) if choice == "none" else ())


def request_for(prompt: str, preset: Preset, options: AnswerOptions, restrained: Restraint) -> GenerationRequest:
    """Return what the engine is asked."""
    sampling = preset.sampling
    return GenerationRequest(
        prompt=prompt,
        max_tokens=options.max_tokens,
        temperature=_or(options.temperature, sampling.temperature),
        top_p=_or(options.top_p, sampling.top_p),
        top_k=options.top_k if options.top_k is not None else sampling.top_k,
        min_p=_or(options.min_p, sampling.min_p),
        repeat_penalty=_or(options.repeat_penalty, sampling.repeat_penalty),
        seed=options.seed,
        stop=(*preset.stop, *options.stop),
        grammar=restrained.grammar,
        grammar_for=restrained.starts,
    )


def _or(given: float | None, otherwise: float) -> float:
    return otherwise if given is None else given


def _schema(response_format: Mapping[str, Any]) -> Mapping[str, Any]:
    wrapped = cast("Mapping[str, Any]", response_format.get("json_schema") or {})
    return cast("Mapping[str, Any]", wrapped.get("schema") or response_format.get("schema") or {"type": "object"})
