"""The order that looks at permissions: which rules hold, what the person has said yes to, and taking one of these back.

Knows how a rule and an answer are shown. What they permit is the engine's.
"""

from collections.abc import Iterable
from dataclasses import replace

from edgevox.assistant.display import HELD, clean
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.rule_text import FILE
from edgevox.tools.permissions import Grant, PermissionEngine, PermissionRule, escaped

REVOKE = "revoke"
USAGE = "Write /permissions, or /permissions revoke NUMBER."


def tell_permissions(assistant: AssistantSurface, argument: str) -> str:
    """List rules and remembered answers, or take back the answer of that number."""
    engine = assistant.permissions
    word, _, number = argument.strip().partition(" ")
    if not word:
        return "\n".join([*rule_rows(engine), *grant_rows(engine.grants.grants())])
    if word.lower() != REVOKE or not number.strip().isdecimal():
        return USAGE
    return revoke(engine, int(number))


def revoke(engine: PermissionEngine, number: int) -> str:
    """Take back the answer of that number, counted from 1, and say so."""
    grants = engine.grants.grants()
    if not 1 <= number <= len(grants):
        return f"There is no answer {number}; /permissions lists them." if grants else "No answer is remembered."
    engine.grants.revoke(grants[number - 1])
    return f"Taken back: {_granted(grants[number - 1])}"


def revocable(assistant: AssistantSurface) -> list[str]:
    """What may stand after `/permissions`."""
    return [f"{REVOKE} {number}" for number, _ in enumerate(assistant.permissions.grants.grants(), 1)]


def rule_rows(engine: PermissionEngine) -> list[str]:
    """Show the rules, one line each: the person's, then the agent's."""
    rows = [
        *_rows("deny", engine.person.deny, "you", engine.base),
        *_rows("ask", engine.person.ask, "you", engine.base),
        *_rows("allow", engine.person.allow, "you", engine.base),
        *_rows("deny", engine.rules.deny, "agent", engine.base),
        *_rows("ask", engine.rules.ask, "agent", engine.base),
        *_rows("allow", engine.rules.allow, "agent", engine.base),
    ]
    if engine.trusts_tools:
        rows.append("allow  what the authors of the tools allow (tools)")
    return [*rows, f"{engine.default_verdict.value:<6} everything else"]


def grant_rows(grants: Iterable[Grant]) -> list[str]:
    """Show the remembered answers, one numbered line each."""
    rows = [f"{number:>2}  {_granted(grant)}" for number, grant in enumerate(grants, 1)]
    return ["You have said yes to:", *rows] if rows else ["No answer is remembered."]


def _rows(verdict: str, rules: Iterable[PermissionRule], by: str, base: str) -> list[str]:
    return [f"{verdict:<6} {clean(str(_whole(rule, base)))} ({by})" for rule in rules]


def _whole(rule: PermissionRule, base: str) -> PermissionRule:
    """Write a rule about files with the folder that it is below: `**` alone reads like the whole disk."""
    if not isinstance(rule.pattern, str) or rule.kind != FILE or rule.absolute:
        return rule
    return replace(rule, pattern=f"{escaped(base)}/{rule.pattern.removeprefix(f'{FILE}:')}")


def _granted(grant: Grant) -> str:
    until = f" until {grant.expires:%Y-%m-%d}" if grant.expires is not None else ""
    who = f" by {clean(grant.principal)}" if grant.principal else ""
    return f"{grant.operation.value} {clean(grant.resource)}{who}, {HELD.get(grant.scope.value, 'once')}{until}"
