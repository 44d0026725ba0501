"""What a set of rules says of an operation on a resource. Pure: no clock, no disk, no person.

Allow and deny rules are weighed first, without order and without regard to how exact they are; ask rules only ever
turn a yes into a question.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from edgevox.tools.permissions.model import ActionVerdict, Operation
from edgevox.tools.permissions.resources import Resource
from edgevox.tools.permissions.rules import PermissionRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One thing to be judged."""

    operation: Operation
    resource: Resource
    base: str
    """Absolute path that relative patterns are below."""
    principal: str
    """Who wants it."""
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict, and the rule that it comes from."""

    verdict: ActionVerdict
    rule: PermissionRule | None = None
    """`None` when no rule spoke of it."""
    by: str = "default"
    """Whose word it is: `rules`, `person` (their settings), `grant` (an earlier yes), `default`, `malformed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Three lists of rules."""

    allow: tuple[PermissionRule, ...] = ()
    ask: tuple[PermissionRule, ...] = ()
    deny: tuple[PermissionRule, ...] = ()

    @classmethod
    def of(
        cls,
        allow: Iterable[PermissionRule] = (),
        ask: Iterable[PermissionRule] = (),
        deny: Iterable[PermissionRule] = (),
    ) -> Self:
        """Make one from any iterables."""
        return cls(allow=tuple(allow), ask=tuple(ask), deny=tuple(deny))

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self.allow or self.ask or self.deny)

    def allows(self, query: Query) -> PermissionRule | None:
        """The first allow rule that covers it; one that fails does not."""
        return _first(self.allow, query, faulty=False)

    def asks(self, query: Query) -> PermissionRule | None:
        """The first ask rule that covers it; one that fails does."""
        return _first(self.ask, query, faulty=True)

    def denies(self, query: Query) -> PermissionRule | None:
        """The first deny rule that covers it; one that fails does."""
        return _first(self.deny, query, faulty=True)


def weigh(rules: RuleSet, query: Query, *, default: ActionVerdict, takes_precedence: ActionVerdict) -> Judgement:
    """Judge by one set of rules.

    Args:
        rules: the set.
        query: what is to be judged.
        default: what holds where neither an allow nor a deny rule speaks.
        takes_precedence: what holds where both do.
    """
    denied = rules.denies(query)
    if denied is not None and takes_precedence is ActionVerdict.deny:
        return Judgement(verdict=ActionVerdict.deny, rule=denied, by="rules")
    allowed = rules.allows(query)
    if denied is not None and allowed is None:
        return Judgement(verdict=ActionVerdict.deny, rule=denied, by="rules")
    if allowed is None and default is not ActionVerdict.allow:
        return Judgement(verdict=default)
    asked = rules.asks(query)
    if asked is not None:
        return Judgement(verdict=ActionVerdict.ask, rule=asked, by="rules")
    return Judgement(verdict=ActionVerdict.allow, rule=allowed, by="rules" if allowed is not None else "default")


def with_person(judged: Judgement, person: RuleSet, query: Query) -> Judgement:
    """Lay the person's own rules over a judgement: their deny is final, their ask asks, their allow answers questions.

    Args:
        judged: what the other rules say.
        person: the rules of the person's settings.
        query: what was judged.
    """
    if (denied := person.denies(query)) is not None:
        return Judgement(verdict=ActionVerdict.deny, rule=denied, by="person")
    forbidden = judged.verdict is ActionVerdict.deny and judged.rule is not None
    if forbidden:
        return judged
    if (asked := person.asks(query)) is not None:
        return Judgement(verdict=ActionVerdict.ask, rule=asked, by="person")
    if (allowed := person.allows(query)) is not None:
        return Judgement(verdict=ActionVerdict.allow, rule=allowed, by="person")
    return judged


def _first(rules: tuple[PermissionRule, ...], query: Query, *, faulty: bool) -> PermissionRule | None:
    for rule in rules:
        if rule.covers(
            query.operation, query.resource, base=query.base, principal=query.principal, now=query.now, faulty=faulty
        ):
            return rule
    return None
