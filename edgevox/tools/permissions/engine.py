"""`PermissionEngine`: the one place that decides whether an operation on a resource may be done.

Judging is pure: it looks at the letters of names, at rules and at remembered answers, never at the disk, so that an
answer tells nothing about what exists. Only `authorise` asks a person.
"""

import itertools
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import EdgeVoxError
from edgevox.core.session import AgentContext
from edgevox.tools.permissions.asking import ASK_S, Question, ask_person, denial, why_not
from edgevox.tools.permissions.grants import Grant, GrantBook
from edgevox.tools.permissions.judging import Judgement, Query, RuleSet, weigh, with_person
from edgevox.tools.permissions.model import (
    ActionVerdict,
    Asked,
    Decision,
    GrantScope,
    Operation,
    Reason,
    Requirement,
)
from edgevox.tools.permissions.resources import read_resource
from edgevox.tools.permissions.rules import PermissionRule

DECIDED = "permission_decided"
"""Event with a `DecisionRecord`: every decision, whoever made it."""
_TOLD = 20
"""Requirements of one decision that are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """What was decided, for logs."""

    principal: str
    requirements: tuple[Requirement, ...]
    decision: Decision


class PermissionEngine:
    """Allow, ask or deny, over operation, resource and principal.

    Args:
        default_verdict: what holds where neither an allow nor a deny rule speaks.
        allow_rules: what may be done.
        ask_rules: what of that a person has to say yes to first.
        deny_rules: what may not be done.
        takes_precedence: `allow` or `deny`, for what both lists cover.
        base: folder that relative patterns and paths are below; the current one when not given. Grants nothing.
        principal: the agent that asks where a call does not say.
        person: rules of the person's own, laid over the others.
        grants: what the person has said yes to before.
        trusts_tools: whether, where no rule speaks, leave is given for what a tool's author vouches for.
        ask_timeout_s: seconds of silence that are *no*.
        remember_for: how long *always* holds; `None` is until it is revoked.
        clock: tells when rules and answers end.
    """

    def __init__(
        self,
        *,
        default_verdict: ActionVerdict = ActionVerdict.deny,
        allow_rules: Iterable[PermissionRule] = (),
        ask_rules: Iterable[PermissionRule] = (),
        deny_rules: Iterable[PermissionRule] = (),
        takes_precedence: ActionVerdict = ActionVerdict.deny,
        base: Path | str | None = None,
        principal: str = "",
        person: RuleSet | None = None,
        grants: GrantBook | None = None,
        trusts_tools: bool = False,
        ask_timeout_s: float = ASK_S,
        remember_for: timedelta | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        if takes_precedence is ActionVerdict.ask:
            raise ValueError("takes_precedence is allow or deny: it settles what both lists of rules cover.")
        self.rules = RuleSet.of(allow_rules, ask_rules, deny_rules)
        self.person = person if person is not None else RuleSet()
        self.grants = grants if grants is not None else GrantBook(clock=clock)
        self.base = os.path.abspath(base if base is not None else Path.cwd())  # noqa: PTH100 - resolves no link
        self.principal = principal
        self.default_verdict = ActionVerdict(default_verdict)
        self.takes_precedence = ActionVerdict(takes_precedence)
        self.trusts_tools = trusts_tools
        self.ask_timeout_s = ask_timeout_s
        self.remember_for = remember_for
        self._clock = clock

    def laid_over(
        self,
        person: RuleSet,
        *,
        grants: GrantBook | None = None,
        principal: str = "",
        ask_timeout_s: float | None = None,
        remember_for: timedelta | None = None,
    ) -> "PermissionEngine":
        """Return this engine with a person's rules and remembered answers over its own.

        Args:
            person: the rules of the person's settings.
            grants: what the person has said yes to; this engine's own when not given.
            principal: who asks where a call does not say; this engine's own when empty.
            ask_timeout_s: seconds of silence that are *no*; this engine's own when not given.
            remember_for: how long *always* holds; this engine's own when not given.
        """
        return PermissionEngine(
            default_verdict=self.default_verdict,
            allow_rules=self.rules.allow,
            ask_rules=self.rules.ask,
            deny_rules=self.rules.deny,
            takes_precedence=self.takes_precedence,
            base=self.base,
            principal=principal or self.principal,
            person=person,
            grants=grants if grants is not None else self.grants,
            trusts_tools=self.trusts_tools,
            ask_timeout_s=self.ask_timeout_s if ask_timeout_s is None else ask_timeout_s,
            remember_for=self.remember_for if remember_for is None else remember_for,
            clock=self._clock,
        )

    def for_the_person_of(self, other: "PermissionEngine") -> "PermissionEngine":
        """Return this engine with the person's rules and remembered answers of another one over its own.

        Args:
            other: the engine of the run that this one is used in.
        """
        if other is self:
            return self
        return self.laid_over(
            other.person, grants=other.grants, ask_timeout_s=other.ask_timeout_s, remember_for=other.remember_for
        )

    def judge(
        self, operation: Operation, resource: str, principal: str | None = None, *, vouched: bool = False
    ) -> ActionVerdict:
        """Return what holds for an operation on a resource. Never touches the disk and asks nobody.

        Args:
            operation: what is to be done.
            resource: `kind:name`; a path of a file is normalised by its letters, relative ones are below the base.
            principal: who wants it; the engine's own when not given.
            vouched: whether the author of the tool that wants it vouches for it.
        """
        return self.explain(operation, resource, principal, vouched=vouched).verdict

    def explain(
        self,
        operation: Operation,
        resource: str,
        principal: str | None = None,
        *,
        turn: int | None = None,
        vouched: bool = False,
    ) -> Judgement:
        """Return what holds, and whose word it is.

        Args:
            operation: what is to be done.
            resource: `kind:name`.
            principal: who wants it; the engine's own when not given.
            turn: which turn it is, for answers that hold for one turn.
            vouched: whether the author of the tool that wants it vouches for it.
        """
        read = read_resource(resource, self.base)
        if read is None:
            return Judgement(verdict=ActionVerdict.deny, by="malformed")
        who = self.principal if principal is None else principal
        query = Query(operation=operation, resource=read, base=self.base, principal=who, now=self._clock.now())
        judged = weigh(self.rules, query, default=self.default_verdict, takes_precedence=self.takes_precedence)
        if vouched and self.trusts_tools and judged.rule is None:
            judged = Judgement(verdict=ActionVerdict.allow, by="tool")
        if self.person:
            judged = with_person(judged, self.person, query)
        if judged.verdict is not ActionVerdict.ask:
            return judged
        granted = self.grants.covers(Requirement(operation, str(read)), who, turn)
        return Judgement(verdict=ActionVerdict.allow, rule=judged.rule, by="grant") if granted is not None else judged

    def authorise(
        self,
        requirements: Iterable[Requirement],
        ctx: AgentContext | None = None,
        *,
        question: Question = None,
        principal: str | None = None,
        vouched: bool = False,
    ) -> Decision:
        """Decide whether everything that is required may be done, asking the person where a rule says so.

        All are judged first, and the first that is denied ends it before anybody is asked. Each of those left to be
        asked is one question; equal ones are one. The first *no* ends it.

        Args:
            requirements: what is to be done to what.
            ctx: whose person is asked and whose end is *no*; `None` is nobody.
            question: how to ask; `None` takes the standard words.
            principal: who wants it; the engine's own when not given.
            vouched: whether the author of the tool that wants it vouches for it.
        """
        who = self.principal if principal is None else principal
        wanted = tuple(dict.fromkeys(self._normal(requirement) for requirement in requirements))
        around = ctx if ctx is not None else AgentContext()
        refused, to_ask = self._judged(wanted, who, around.scope.generation, vouched)
        decision = refused if refused is not None else self._asked_all(to_ask, around, question, who)
        if ctx is not None:
            _publish(ctx, who, wanted, decision)
        return decision

    def note(
        self, judged: Iterable[Requirement], allowed: bool, ctx: AgentContext, principal: str | None = None
    ) -> None:
        """Publish what was judged and needed no question, where it was not `authorise` that decided.

        Args:
            judged: what was wanted; of many, the first are told.
            allowed: whether the rules allow it.
            ctx: of the run.
            principal: who wanted it; the engine's own when not given.
        """
        told = tuple(itertools.islice(judged, _TOLD))
        if told:
            decision = Decision(allowed=True) if allowed else _refused(told[0], "rule", ())
            _publish(ctx, self.principal if principal is None else principal, told, decision)

    def _judged(
        self, wanted: tuple[Requirement, ...], who: str, turn: int, vouched: bool
    ) -> tuple[Decision | None, list[Requirement]]:
        """Judge all: the denial of the first that may not be done, or those that have to be asked for."""
        self.grants.refresh()
        to_ask: list[Requirement] = []
        for requirement in wanted:
            judged = self.explain(requirement.operation, requirement.resource, who, turn=turn, vouched=vouched)
            if judged.verdict is ActionVerdict.deny:
                return _refused(requirement, "rule", ()), []
            if judged.verdict is ActionVerdict.ask:
                to_ask.append(requirement)
        return None, to_ask

    def _asked_all(self, to_ask: list[Requirement], ctx: AgentContext, question: Question, who: str) -> Decision:
        history: list[Asked] = []
        for requirement in to_ask:
            reason = self._asked(requirement, ctx, question, who, history)
            if reason is not None:
                return _refused(requirement, reason, tuple(history))
        return Decision(allowed=True, history=tuple(history))

    def _asked(
        self, wanted: Requirement, ctx: AgentContext, question: Question, who: str, history: list[Asked]
    ) -> Reason | None:
        """Ask one question; `None` for a yes, which is remembered as long as the person said."""
        resource = read_resource(wanted.resource, self.base)
        assert resource is not None, "what cannot be read was denied before"
        asked, approval = ask_person(wanted, resource, ctx, question, self.ask_timeout_s)
        history.append(asked)
        if not approval.approved:
            return why_not(approval)
        self._remember(wanted, who, approval.remember, ctx)
        return None

    def _remember(self, wanted: Requirement, who: str, scope: Any, ctx: AgentContext) -> None:
        now = self._clock.now()
        grant = Grant(
            operation=wanted.operation,
            resource=wanted.resource,
            principal=who,
            scope=GrantScope(scope),
            granted=now,
            expires=now + self.remember_for if self.remember_for and scope == GrantScope.ALWAYS else None,
            turn=ctx.scope.generation if scope == GrantScope.TURN else None,
        )
        try:
            self.grants.add(grant)
        except EdgeVoxError as error:  # the disk's fault takes nothing back of what the person has just said
            self.grants.add(replace(grant, scope=GrantScope.CONVERSATION))
            ctx.emit("degraded", who, f"Your answer holds for this conversation only: {error}")

    def _normal(self, wanted: Requirement) -> Requirement:
        resource = read_resource(wanted.resource, self.base)
        return wanted if resource is None else Requirement(wanted.operation, str(resource))


def _publish(ctx: AgentContext, who: str, wanted: tuple[Requirement, ...], decision: Decision) -> None:
    ctx.emit(DECIDED, who, DecisionRecord(principal=who, requirements=wanted[:_TOLD], decision=decision))


def _refused(wanted: Requirement, reason: Reason, history: tuple[Asked, ...]) -> Decision:
    return Decision(allowed=False, denied=wanted, history=history, reason=reason, message=denial(wanted, reason))
