"""The permission engine of one assistant: what its agent may touch, the person's own rules over it, earlier answers.

Knows where each of the three comes from. What they come to is `edgevox.tools.permissions`' business.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from edgevox.config.paths import settings_file
from edgevox.config.settings import PermissionSettings
from edgevox.core.errors import ConfigError
from edgevox.core.rule_text import FILE
from edgevox.tools.permissions import GrantBook, PermissionEngine, PermissionRule, escaped, parse_rule
from edgevox.tools.permissions.grants import grants_file
from edgevox.tools.permissions.judging import RuleSet

Rules = PermissionEngine | Sequence[PermissionRule]
Declared = Rules | Callable[[], Rules] | None
"""What an agent says it may touch; a function is asked when the agent begins."""


def make_permissions(
    declared: Declared, settings: PermissionSettings, agent: str, *, grants: GrantBook | None = None
) -> PermissionEngine:
    """Put the engine of an assistant together.

    Args:
        declared: what the agent says it may touch: an engine, rules that allow, a function that returns one of these,
            or `None` for what the authors of its tools vouch for.
        settings: the person's own rules.
        agent: name of the agent, whose answers are remembered as its own.
        grants: earlier answers; those of the person's file when not given.

    Raises:
        ConfigError: one of the person's rules cannot be used; the sentence names it.
    """
    return engine_of(declared).laid_over(
        rules_of(settings),
        grants=grants if grants is not None else GrantBook(grants_file()),
        principal=agent,
        ask_timeout_s=settings.ask_timeout_s,
        remember_for=timedelta(days=settings.remember_days) if settings.remember_days is not None else None,
    )


def engine_of(declared: Declared) -> PermissionEngine:
    """Return the engine that an agent declares."""
    if callable(declared):
        declared = declared()
    if isinstance(declared, PermissionEngine):
        return declared
    if declared is None:
        return PermissionEngine(trusts_tools=True)
    return PermissionEngine(allow_rules=declared)


def rules_of(settings: PermissionSettings) -> RuleSet:
    """Return the person's own rules.

    Raises:
        ConfigError: one of them cannot be used.
    """
    return RuleSet(
        allow=_parsed(settings.allow, "allow"), ask=_parsed(settings.ask, "ask"), deny=_parsed(settings.deny, "deny")
    )


def _from_here(rule: PermissionRule) -> PermissionRule:
    """Put a relative rule about files below the working folder: the engine's base is the agent's, not the person's."""
    if rule.kind != FILE or rule.absolute or not isinstance(rule.pattern, str):
        return rule
    return replace(rule, pattern=f"{escaped(str(Path.cwd()))}/{rule.pattern.removeprefix('./')}")


def _parsed(texts: Iterable[str], field: str) -> tuple[PermissionRule, ...]:
    try:
        return tuple(_from_here(parse_rule(text)) for text in texts)
    except ValueError as error:
        raise ConfigError(f"permissions.{field}: {error} Correct it in {settings_file()}.") from error
