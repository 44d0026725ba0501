"""Rules and resources as a person writes them in the settings or on a command line: `read ~/notes/**`, `motion:base`.

Knows where a person's home is; the form of the text is `edgevox.core.rule_text`'s.
"""

from pathlib import Path

from edgevox.core.rule_text import FILE, KindAndName, split_kind, split_rule
from edgevox.tools.permissions.patterns import escaped
from edgevox.tools.permissions.rules import PermissionRule


def parse_rule(text: str, principal: str | None = None) -> PermissionRule:
    """Read one rule: operations joined by commas (every one when left out), a space, and the pattern.

    Args:
        text: such as `read,create ~/notes/**`; `~` is the person's home folder.
        principal: the agent it is for; `None` is any.

    Raises:
        ValueError: one sentence that says what is wrong with it.
    """
    try:
        operations, pattern = split_rule(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no permission rule: {error}.") from error
    kind, name = split_kind(pattern) or KindAndName(FILE, pattern)
    if kind == FILE and (name == "~" or name.startswith("~/")):
        name = escaped(str(Path.home())) + name[1:]
    return PermissionRule(pattern=name, operations=operations, kind=kind, principal=principal)


def parse_resource(text: str) -> str:
    """Return a resource as a person writes it, with its kind: a text without one is a file."""
    text = text.strip()
    kind, name = split_kind(text) or KindAndName(FILE, text)
    if kind != FILE:
        return text
    return f"{FILE}:{Path(name).expanduser() if name.startswith('~') else name}"
