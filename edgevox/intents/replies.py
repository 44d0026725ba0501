"""What is said when a tool was run without a model: its reply template, its own words, or why it failed."""

import logging
import re
from collections.abc import Hashable, Mapping
from typing import Any, cast

from edgevox.core.messages import ResultStatus
from edgevox.core.tools import ToolCallResult
from edgevox.intents.lexicons import base_language, for_language
from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.slots import said_name
from edgevox.tools.definition import Tool
from edgevox.tools.dispatch import DONE
from edgevox.tools.signature import EMPTY, Parameter
from edgevox.tools.wording import humane

log = logging.getLogger(__name__)

_FIELD = re.compile(r"\{([A-Za-z_]\w*(?:\.\w+)*)\}")
_NAME = re.compile(r"[^\W\d_]+(?:[_-](?:[^\W\d_]+|\d{1,3}))*")
"""A name made of words, such as `living_room` or `room-2`: no number and no code."""
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_SPOKEN_LIMIT = 220
"""Characters of a failure that are spoken."""


def render_reply(tool: Tool, arguments: Mapping[str, Any], result: ToolCallResult, language: str) -> str | None:
    """Return the sentence that tells what came of a call.

    Args:
        tool: that ran.
        arguments: as they were matched; defaults fill the rest.
        result: of the call.
        language: `en`, `de-AT`, …

    Returns:
        The filled template; without one the tool's own text, if it returned a text or a number; `None` when the result
        has a shape that only a model can put into words. A failure is always a sentence.
    """
    lexicon = for_language(language)
    if not result.ok:
        return _failure(tool, result, lexicon)
    template = tool.says.get(language) or tool.says.get(base_language(language))
    filled = _filled(template, tool, arguments, result, lexicon) if template else None
    return filled or _own_words(result, lexicon)


def _failure(tool: Tool, result: ToolCallResult, lexicon: Lexicon) -> str:
    match result.status:
        case ResultStatus.DECLINED if result.error_code == "not_permitted":
            return lexicon.not_permitted.format(error=_short(result.error or ""))
        case ResultStatus.DECLINED:
            return lexicon.declined.format(error="").strip()
        case ResultStatus.CANCELLED if result.error_code in (None, "cancelled"):
            return lexicon.stopped.format(error="").strip()
        case _:
            reason = _short((result.error or "it did not work.").replace(tool.name, humane(tool.name)))
            return lexicon.failed.format(error=reason)


def _short(reason: str) -> str:
    """Keep the first sentence or two of a reason, and no line breaks."""
    flat = " ".join(reason.split())
    if len(flat) > _SPOKEN_LIMIT:
        flat = _SENTENCE.split(flat)[0][:_SPOKEN_LIMIT].rstrip()
    return flat if flat.endswith((".", "!", "?")) else f"{flat}."


def _own_words(result: ToolCallResult, lexicon: Lexicon) -> str | None:
    if result.value is None and result.result in (None, DONE):
        return lexicon.done or DONE
    if isinstance(result.result, str):
        return result.result
    if isinstance(result.result, int | float) and not isinstance(result.result, bool):
        return said(result.result, lexicon)
    return None


def _filled(
    template: str, tool: Tool, arguments: Mapping[str, Any], result: ToolCallResult, lexicon: Lexicon
) -> str | None:
    parameters = {parameter.name: parameter for parameter in tool.signature.parameters}

    def fill(found: re.Match[str]) -> str:
        root, *path = found[1].split(".")
        if root == "result" and root not in parameters:
            value = result.result if path or isinstance(result.result, str) else result.value
            return said(_followed(value, path, result.value), lexicon, path[-1] if path else "")
        parameter = parameters[root]
        value = arguments.get(root, parameter.default)
        if value is EMPTY:
            raise KeyError(root)
        if not path:
            return _said_value(parameter, value, lexicon)
        return said(_followed(value, path, value), lexicon, path[-1])

    try:
        return _FIELD.sub(fill, template)
    except LookupError as missing:
        log.warning("the reply of %s has no value for %s", tool.name, missing)
        return None


def _said_value(parameter: Parameter, value: Any, lexicon: Lexicon) -> str:
    """Say an argument by its name in the language, a list by the names in it."""
    if isinstance(value, list | tuple):
        return said([_said_value(parameter, part, lexicon) for part in cast("list[Any]", value)], lexicon)
    name = said_name(parameter, value, lexicon.code) if isinstance(value, Hashable) else None
    return name if name is not None else said(value, lexicon, parameter.name)


def _followed(value: Any, path: list[str], typed: Any) -> Any:
    """Walk into a result by field names; a field that JSON left out may be an attribute of the typed value.

    Raises:
        LookupError: there is no such field.
    """
    for name in path:
        if isinstance(value, Mapping) and name in value:
            value = cast("Mapping[str, Any]", value)[name]
        elif isinstance(value, list | tuple) and name.isdigit():
            value = cast("list[Any]", value)[int(name)]
        elif not name.startswith("_") and hasattr(typed, name):
            value = getattr(typed, name)
        else:
            raise KeyError(name)
        typed = value
    return value


def said(value: Any, lexicon: Lexicon, name: str = "") -> str:
    """Say a value: switches as *on* and *off*, names without underscores, numbers as the language writes them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _switched(value, name, lexicon)
    if isinstance(value, int | float):
        return _number(value, lexicon)
    if isinstance(value, list | tuple):
        parts = [said(part, lexicon) for part in cast("list[Any]", value)]
        return f" {lexicon.and_word} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    text = str(value)
    return humane(text) if _NAME.fullmatch(text) else text


def _switched(value: bool, name: str, lexicon: Lexicon) -> str:
    """Say a switch with the opposites that its name means: *open* and *closed* for `open`, *on* and *off* otherwise."""
    switch = lexicon.switch_of(name) or next(iter(lexicon.switches), None)
    if switch is None:
        return str(value).lower()
    inverted = name.lower().rpartition("_")[2] in switch.negative
    return switch.true[0] if value is not inverted else switch.false[0]


def _number(value: float, lexicon: Lexicon) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text.replace(".", ",") if lexicon.numbers.decimal_comma else text
