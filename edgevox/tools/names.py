"""What a tool may be called."""

import re
from typing import Any

from edgevox.core.errors import ToolDefinitionError

_ANY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_TYPED = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def checked_name(name: Any, *, typed: bool = False) -> str:
    """Return the name, if a tool may have it.

    Args:
        name: what it is to be called.
        typed: whether it names a typed tool, a factory or a skill document, whose names are lower-case words.

    Raises:
        ToolDefinitionError: it may not; the sentence says what may stand in a name.
    """
    if not isinstance(name, str):
        raise ToolDefinitionError(f"a tool's name is a text, not {name!r:.80}.")
    if not _ANY.fullmatch(name):
        raise ToolDefinitionError(
            f"'{name:.80}' cannot be a tool's name: use letters, digits and underscores, 64 at most (@tool(name=…))."
        )
    if typed and not _TYPED.fullmatch(name):
        raise ToolDefinitionError(
            f"'{name}' cannot be a typed tool's name: use lower-case words joined by underscores, such as ask_number."
        )
    return name
