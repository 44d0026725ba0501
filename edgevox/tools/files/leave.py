"""Whose rules hold for file tools: those they were made with, and the person's own over them."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from edgevox.core.errors import ConfigError
from edgevox.core.session import AgentContext
from edgevox.tools.files.handles import require_handles
from edgevox.tools.permissions import ActionVerdict, PermissionEngine, PermissionRule


class Rules(NamedTuple):
    """What an engine is made of, in words of `PermissionEngine`."""

    default_verdict: ActionVerdict
    allow: Iterable[PermissionRule]
    ask: Iterable[PermissionRule]
    deny: Iterable[PermissionRule]
    takes_precedence: ActionVerdict
    principal: str


NO_RULES = Rules(ActionVerdict.deny, (), (), (), ActionVerdict.deny, "")


def guarding(base: Path | str | None, rules: Rules, engine: PermissionEngine | None) -> tuple[PermissionEngine, str]:
    """Return the engine of file tools and their real base.

    Args:
        base: the engine's when not given.
        rules: what the engine is made of, unless there is one.
        engine: one that is there already.

    Raises:
        ConfigError: there is neither base nor engine, both rules and an engine, or the base is no folder.
    """
    require_handles()
    if engine is None:
        if base is None:
            raise ConfigError("File tools need a base: the folder that relative paths are below.")
        root = real_base(base)
        made = PermissionEngine(
            default_verdict=rules.default_verdict,
            allow_rules=rules.allow,
            ask_rules=rules.ask,
            deny_rules=rules.deny,
            takes_precedence=rules.takes_precedence,
            base=root,
            principal=rules.principal,
        )
        return made, root
    if any((rules.allow, rules.ask, rules.deny)):
        raise ConfigError("Give file tools rules or an engine, not both: the engine has rules of its own.")
    require_real(engine)
    return engine, real_base(engine.base if base is None else base)


def real_base(base: Path | str) -> str:
    """Return a base as file tools walk to it: absolute, without links.

    Raises:
        ConfigError: it is there and is no folder.
    """
    path = os.path.realpath(base)
    if os.path.lexists(path) and not Path(path).is_dir():
        raise ConfigError(f"The base of file tools must be a folder, and {path} is none.")
    return path


def require_real(engine: PermissionEngine) -> None:
    """Refuse an engine whose relative rules are below a link, for no walked path would ever lie below it.

    Raises:
        ConfigError: they are.
    """
    if os.path.realpath(engine.base) != engine.base:
        raise ConfigError(
            f"The base {engine.base} of the permission engine leads through a link: "
            f"make it with base={os.path.realpath(engine.base)!r}."
        )


def engine_for(own: PermissionEngine, ctx: AgentContext) -> PermissionEngine:
    """Return the rules of a tool with those of the run's person laid over them.

    Args:
        own: what the tool was made with.
        ctx: of the run; its person's rules and remembered answers hold here too.
    """
    runs = ctx.permissions
    if not isinstance(runs, PermissionEngine) or runs is own:
        return own
    return own.for_the_person_of(runs)
