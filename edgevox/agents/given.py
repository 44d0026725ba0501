"""What an agent may be made of and asked, checked when it is given, so that a slip is one sentence where it was made.

Knows the kinds of the arguments of `LLMAgent`. What a tool, a phrase or a hand-off may be is
checked by those who read it.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from edgevox.chains.graph import chain_problems
from edgevox.core.errors import AgentError, ChainGraphError
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.tools import Tool
from edgevox.tools.wording import nearest

POINTS = ("on_run_start", "before_model", "after_model", "before_tool", "after_tool", "on_run_end")
"""Where a hook may look in."""


def check_name(name: object) -> None:
    """Raise unless it is a text that says something."""
    if not isinstance(name, str) or not name.strip():
        raise AgentError(f"An agent needs a name, but got {name!r:.80}: give it one or two words.")


def check_lists(name: str, **given: Any) -> None:
    """Raise unless what is given can be gone through, one after the other."""
    for argument, value in given.items():
        if not hasattr(value, "__iter__"):
            raise AgentError(f"{argument} of {name} must be a list, not {value!r:.80}: write {argument}=[…].")


def check_hooks(name: str, hooks: Any) -> None:
    """Raise unless each of them looks in somewhere."""
    check_lists(name, hooks=hooks)
    for hook in hooks:
        if not any(callable(getattr(hook, point, None)) for point in POINTS):
            raise AgentError(
                f"{hook!r:.80} is no hook of {name}: give an object with {', '.join(POINTS[:-1])} or {POINTS[-1]}."
            )


def check_phrases(name: str, phrases: Any) -> None:
    """Raise unless phrases are given by the names of tools."""
    if phrases is not None and not isinstance(phrases, Mapping):
        raise AgentError(f'phrases of {name} must name the tool of each: write phrases={{"tool_name": ["…"]}}.')


def check_phrase_names(name: str, phrases: Mapping[str, Any] | None, tools: Sequence[str]) -> None:
    """Raise unless the tools that phrases are given for are there."""
    for named in phrases or ():
        if named not in tools:
            raise AgentError(
                f"phrases of {name} are for a tool {named!r} that it does not have{nearest(named, tools)}."
            )


def check_chains(name: str, tools: Sequence[Tool]) -> None:
    """Raise unless every tool that follows another finds it among them, and can take what it returns."""
    problems = chain_problems(tools)
    if problems:
        raise ChainGraphError(f"{name} cannot be built: " + " ".join(problems))


def check_model(name: str, llm: Any) -> None:
    """Raise unless it can be asked, or makes what can be asked."""
    if llm is not None and not isinstance(llm, ChatModel) and not callable(llm):
        raise AgentError(
            f"llm of {name} must be a language model or a function that makes one, not {llm!r:.80}; "
            "a model is chosen by its name in AgentApp(model=…), in the settings, or with --model."
        )


def check_limits(name: str, *, max_tool_hops: Any, max_tokens: Any, temperature: Any) -> None:
    """Raise unless the limits are numbers that mean something."""
    if not _is_whole(max_tool_hops) or max_tool_hops < 0:
        raise AgentError(f"max_tool_hops of {name} must be a whole number, 0 or more, not {max_tool_hops!r:.80}.")
    if max_tokens is not None and (not _is_whole(max_tokens) or max_tokens < 1):
        raise AgentError(f"max_tokens of {name} must be a whole number of at least 1, not {max_tokens!r:.80}.")
    if temperature is not None and not _is_measure(temperature):
        raise AgentError(f"temperature of {name} must be a number, 0 or more, not {temperature!r:.80}.")


def check_run(name: str, task: object, ctx: object) -> None:
    """Raise unless an agent is asked with words, in a context or in none."""
    if not isinstance(task, str):
        raise AgentError(f'{name} is asked in words: run("…"), not run({task!r:.80}).')
    if ctx is not None and not isinstance(ctx, AgentContext):
        raise AgentError(f"{name} runs in an AgentContext, not in {ctx!r:.80}: write run(task, AgentContext(deps=…)).")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_measure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
