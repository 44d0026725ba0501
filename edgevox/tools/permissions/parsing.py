"""Rules as a person writes them in the settings or on a command line: `read,create ~/notes/**`, `motion:base`.

Knows the form of the text and what it lacks; the rule itself is checked by `PermissionRule`.
"""

from pathlib import Path

from edgevox.tools.permissions.model import Operation
from edgevox.tools.permissions.patterns import escaped
from edgevox.tools.permissions.resources import FILE, split_kind
from edgevox.tools.permissions.rules import ALL_OPERATIONS, PermissionRule

EXAMPLES = "read,create ~/notes/** or switch device:light/*"
_KNOWN = frozenset(operation.value for operation in Operation)


def parse_rule(text: str, principal: str | None = None) -> PermissionRule:
    """Read one rule: operations joined by commas (all when left out), a space, and the pattern.

    Args:
        text: such as `read,create ~/notes/**`; `~` is the person's home folder.
        principal: the agent it is for; `None` is any.

    Raises:
        ValueError: one sentence that says what is wrong with it.
    """
    first, _, rest = text.strip().partition(" ")
    words = [word.strip().lower() for word in first.split(",")]
    if not rest.strip() or not all(word in _KNOWN for word in words):
        if not first or (rest.strip() and _looks_like_operations(words)):
            raise ValueError(f"{text!r} is no permission rule: write it like {EXAMPLES}.")
        return _rule(text.strip(), ALL_OPERATIONS, principal)
    return _rule(rest.strip(), frozenset(Operation(word) for word in words), principal)


def parse_resource(text: str) -> str:
    """Return a resource as a person writes it, with its kind: a text without one is a file."""
    text = text.strip()
    split = split_kind(text)
    if split is not None and split.kind != FILE:
        return text
    path = split.name if split is not None else text
    return f"{FILE}:{Path(path).expanduser() if path.startswith('~') else path}"


def _looks_like_operations(words: list[str]) -> bool:
    """Whether the first word was meant as operations: it is no path and no resource."""
    return any(word in _KNOWN for word in words) or all(word.isalpha() for word in words)


def _rule(pattern: str, operations: frozenset[Operation], principal: str | None) -> PermissionRule:
    split = split_kind(pattern)
    kind, name = split if split is not None else (FILE, pattern)
    return PermissionRule(
        pattern=_at_home(name) if kind == FILE else name, operations=operations, kind=kind, principal=principal
    )


def _at_home(path: str) -> str:
    if path == "~" or path.startswith("~/"):
        return escaped(str(Path.home())) + path[1:]
    return path
