"""`PermissionEngine`: the one place that decides whether an operation on a resource may be done.

Judging is pure: it looks at the letters of names, at rules and at remembered answers, never at the disk, so that an
answer tells nothing about what exists. Only `authorise` asks a person.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgevox.core.clock import SYSTEM_CLOCK, Clock
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
        ask_timeout_s: seconds of silence that are *no*.
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
        ask_timeout_s: float = ASK_S,
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
        self.ask_timeout_s = ask_timeout_s
        self._clock = clock

    def laid_over(
        self,
        person: RuleSet,
        *,
        grants: GrantBook | None = None,
        principal: str = "",
        ask_timeout_s: float | None = None,
    ) -> "PermissionEngine":
        """Return this engine with a person's rules and remembered answers over its own.

        Args:
            person: the rules of the person's settings.
            grants: what the person has said yes to; this engine's own when not given.
            principal: who asks where a call does not say; this engine's own when empty.
            ask_timeout_s: seconds of silence that are *no*; this engine's own when not given.
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
            ask_timeout_s=self.ask_timeout_s if ask_timeout_s is None else ask_timeout_s,
            clock=self._clock,
        )

    def judge(self, operation: Operation, resource: str, principal: str | None = None) -> ActionVerdict:
        """Return what holds for an operation on a resource. Never touches the disk and asks nobody.

        Args:
            operation: what is to be done.
            resource: `kind:name`; a path of a file is normalised by its letters, relative ones are below the base.
            principal: who wants it; the engine's own when not given.
        """
        return self.explain(operation, resource, principal).verdict

    def explain(
        self, operation: Operation, resource: str, principal: str | None = None, *, turn: int | None = None
    ) -> Judgement:
        """Return what holds, and whose word it is.

        Args:
            operation: what is to be done.
            resource: `kind:name`.
            principal: who wants it; the engine's own when not given.
            turn: which turn it is, for answers that hold for one turn.
        """
        read = read_resource(resource, self.base)
        if read is None:
            return Judgement(verdict=ActionVerdict.deny, by="malformed")
        who = self.principal if principal is None else principal
        query = Query(operation=operation, resource=read, base=self.base, principal=who, now=self._clock.now())
        judged = weigh(self.rules, query, default=self.default_verdict, takes_precedence=self.takes_precedence)
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
    ) -> Decision:
        """Decide whether everything that is required may be done, asking the person where a rule says so.

        All are judged first, and the first that is denied ends it before anybody is asked. Each of those left to be
        asked is one question; equal ones are one. The first *no* ends it.

        Args:
            requirements: what is to be done to what.
            ctx: whose person is asked and whose end is *no*; `None` is nobody.
            question: how to ask; `None` takes the standard words.
            principal: who wants it; the engine's own when not given.
        """
        who = self.principal if principal is None else principal
        wanted = tuple(dict.fromkeys(self._normal(requirement) for requirement in requirements))
        decision = self._decide(wanted, ctx if ctx is not None else AgentContext(), question, who)
        if ctx is not None:
            ctx.emit(DECIDED, who, DecisionRecord(principal=who, requirements=wanted, decision=decision))
        return decision

    def _decide(self, wanted: tuple[Requirement, ...], ctx: AgentContext, question: Question, who: str) -> Decision:
        self.grants.refresh()
        turn = ctx.scope.generation
        to_ask: list[Requirement] = []
        for requirement in wanted:
            judged = self.explain(requirement.operation, requirement.resource, who, turn=turn)
            if judged.verdict is ActionVerdict.deny:
                return _refused(requirement, "rule", ())
            if judged.verdict is ActionVerdict.ask:
                to_ask.append(requirement)
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
        self.grants.add(
            Grant(
                operation=wanted.operation,
                resource=wanted.resource,
                principal=who,
                scope=GrantScope(scope),
                granted=self._clock.now(),
                turn=ctx.scope.generation if scope == GrantScope.TURN else None,
            )
        )

    def _normal(self, wanted: Requirement) -> Requirement:
        resource = read_resource(wanted.resource, self.base)
        return wanted if resource is None else Requirement(wanted.operation, str(resource))


def _refused(wanted: Requirement, reason: Reason, history: tuple[Asked, ...]) -> Decision:
    return Decision(allowed=False, denied=wanted, history=history, reason=reason, message=denial(wanted, reason))
