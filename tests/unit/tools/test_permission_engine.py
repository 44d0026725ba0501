"""The engine: verdicts, questions to a person, remembered answers."""

import json
import stat
import threading
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.events import AgentEvent
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.core.session import AgentContext
from edgevox.testing import FakeClock
from edgevox.tools.permissions import (
    ActionVerdict,
    Decision,
    GrantBook,
    Operation,
    PermissionEngine,
    PermissionRule,
    Requirement,
)
from edgevox.tools.permissions.judging import RuleSet

READ, CREATE, DELETE = Operation.READ, Operation.CREATE, Operation.DELETE
ALLOW, ASK, DENY = ActionVerdict.allow, ActionVerdict.ask, ActionVerdict.deny
EVERYTHING = PermissionRule(pattern="**")


class Person:
    """Answers questions from a list; silent when it is empty."""

    def __init__(self, *answers: Approval | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request)
        if not self.answers:
            scope.wait(request.timeout_s)
            return Approval(approved=False, by="timeout")
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class TypingPerson:
    """Answers in words, through a channel."""

    def __init__(self, *words: str | None) -> None:
        self.words = list(words)
        self.asked: list[str] = []

    def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
        self.asked.append(message)
        return self.words.pop(0)

    def notify(self, message: str) -> None:
        self.asked.append(message)


YES, NO = Approval(approved=True), Approval(approved=False)
ALWAYS = Approval(approved=True, remember="always", words="always")


def engine(ask: Sequence[PermissionRule] = (), **options: object) -> PermissionEngine:
    return PermissionEngine(base="/base", allow_rules=[EVERYTHING], ask_rules=ask, **options)  # pyright: ignore[reportArgumentType]


def asking(**options: object) -> PermissionEngine:
    return engine([PermissionRule(pattern="**", operations={CREATE, DELETE})], **options)


def wants(*pairs: tuple[Operation, str]) -> list[Requirement]:
    return [Requirement(operation, f"file:{path}") for operation, path in pairs]


@pytest.mark.parametrize("default", [ALLOW, DENY])
@pytest.mark.parametrize("precedence", [ALLOW, DENY])
@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.parametrize("denied", [True, False])
def test_allow_and_deny_are_weighed_without_order(
    default: ActionVerdict, precedence: ActionVerdict, allowed: bool, denied: bool
) -> None:
    built = PermissionEngine(
        default_verdict=default,
        takes_precedence=precedence,
        allow_rules=[EVERYTHING] if allowed else [],
        deny_rules=[PermissionRule(pattern="a")] if denied else [],
        base="/base",
    )
    expected = precedence if allowed and denied else ALLOW if allowed else DENY if denied else default
    assert built.judge(READ, "file:a") is expected


def test_a_question_is_laid_over_an_allow_only() -> None:
    ask = [PermissionRule(pattern="a")]
    assert PermissionEngine(ask_rules=ask, base="/base").judge(READ, "file:a") is DENY
    assert engine(ask, deny_rules=[PermissionRule(pattern="a")]).judge(READ, "file:a") is DENY
    assert engine(ask).judge(READ, "file:a") is ASK
    assert engine(ask).judge(READ, "file:b") is ALLOW
    assert PermissionEngine(default_verdict=ASK, base="/base").judge(READ, "file:b") is ASK


def test_judging_never_looks_at_the_disk_and_says_the_same_of_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "present").write_text("secret")
    built = PermissionEngine(base=tmp_path)
    told = [
        built.authorise(wants((READ, f"{tmp_path}/{name}"))).message.replace(name, "NAME")
        for name in ("present", "absent", "sub/absent")
    ]
    assert told[0] == told[1] == told[2]
    assert "no such" not in " ".join(told).lower()


def test_the_first_denial_ends_it_before_anybody_is_asked() -> None:
    person = Person(YES, YES)
    built = engine([EVERYTHING], deny_rules=[PermissionRule(pattern="c")])
    decision = built.authorise(wants((READ, "a"), (READ, "b"), (READ, "c")), AgentContext(approver=person))
    assert not decision
    assert decision.denied == Requirement(READ, "file:/base/c")
    assert decision.reason == "rule"
    assert person.asked == []


def test_every_matching_requirement_is_one_question_and_equal_ones_are_one() -> None:
    person = Person(YES, YES)
    wanted = wants((CREATE, "a"), (CREATE, "./a"), (READ, "a"), (DELETE, "x/../a"), (CREATE, "a"))
    decision = asking().authorise(wanted, AgentContext(approver=person))
    assert decision
    assert [(asked.operation, asked.resource) for asked in person.asked] == [
        ("create", "file:/base/a"),
        ("delete", "file:/base/a"),
    ]
    assert [asked.question for asked in decision.history] == ["May I write /base/a?", "May I delete /base/a?"]


def test_the_first_no_ends_it() -> None:
    person = Person(YES, NO, YES)
    decision = asking().authorise(wants((CREATE, "a"), (CREATE, "b"), (CREATE, "c")), AgentContext(approver=person))
    assert decision.denied == Requirement(CREATE, "file:/base/b")
    assert [asked.allowed for asked in decision.history] == [True, False]
    assert decision.message == "Not permitted: create file:/base/b. The person said no."


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (NO, "declined"),
        (RuntimeError("the line is dead"), "nobody"),
        (Approval(approved=False, by="nobody"), "nobody"),
    ],
)
def test_a_no_and_a_fault_deny(answer: Approval | Exception, reason: str) -> None:
    decision = asking().authorise(wants((CREATE, "a")), AgentContext(approver=Person(answer)))
    assert (decision.allowed, decision.reason) == (False, reason)


def test_nobody_to_ask_is_no() -> None:
    assert asking().authorise(wants((CREATE, "a"))).reason == "nobody"
    assert asking().authorise(wants((CREATE, "a")), AgentContext()).reason == "nobody"


def test_silence_is_no() -> None:
    decision = asking(ask_timeout_s=0.05).authorise(wants((CREATE, "a")), AgentContext(approver=Person()))
    assert decision.reason == "timeout"


def test_a_stop_ends_the_question_at_once_and_is_no() -> None:
    class Deaf:
        """Somebody who does not notice a stop."""

        opened = threading.Event()

        def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
            self.opened.set()
            time.sleep(0.6)
            return ALWAYS

    scope, built = CancelScope(), asking()
    decisions: list[Decision] = []
    ctx = AgentContext(approver=Deaf(), scope=scope)
    thread = threading.Thread(target=lambda: decisions.append(built.authorise(wants((CREATE, "a")), ctx)))
    thread.start()
    assert Deaf.opened.wait(5)
    began = time.monotonic()
    scope.cancel(CancelReason.STOP)
    thread.join(5)
    assert time.monotonic() - began < 0.5
    assert decisions[0].reason == "stop"
    assert built.grants.grants() == []


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        ("yes", True),
        ("  Y ", True),
        ("YES", True),
        ("always", True),
        ("nope please", False),
        ("hm", False),
        ("", False),
    ],
)
def test_a_channel_of_words_takes_a_plain_yes(words: str, allowed: bool) -> None:
    person = TypingPerson(words)
    decision = asking().authorise(wants((CREATE, "a")), AgentContext(channel=person))
    assert decision.allowed is allowed
    assert decision.history[0].reply == words
    assert person.asked == ["May I write /base/a?"]


def test_a_channel_where_no_answer_comes_is_no() -> None:
    assert asking().authorise(wants((CREATE, "a")), AgentContext(channel=TypingPerson(None))).reason == "timeout"


def test_the_words_of_a_question_are_those_of_the_caller_or_of_the_language() -> None:
    person = Person(YES, YES, YES)
    ctx = AgentContext(approver=person, language="de")
    asking().authorise(wants((CREATE, "a")), ctx)
    asking().authorise(wants((CREATE, "a")), ctx, question="Really?")
    asking().authorise(wants((CREATE, "a")), ctx, question=lambda wanted: f"{wanted.operation}!")
    assert [asked.question for asked in person.asked] == ["Darf ich /base/a schreiben?", "Really?", "create!"]


def test_a_question_shows_control_characters_and_does_nothing_with_them() -> None:
    person = Person(YES)
    asking().authorise(wants((CREATE, "a\x1b[2J\nb\udc80")), AgentContext(approver=person))
    assert person.asked[0].question == "May I write /base/a\\x1b[2J\\nb\\udc80?"


@pytest.mark.parametrize(
    ("remember", "second", "other_turn", "next_conversation"),
    [("once", 2, 3, 4), ("turn", 1, 2, 3), ("conversation", 1, 1, 2), ("always", 1, 1, 1)],
)
def test_an_answer_holds_as_long_as_the_person_said(
    remember: str, second: int, other_turn: int, next_conversation: int
) -> None:
    answer = Approval(approved=True, remember=remember)  # pyright: ignore[reportArgumentType]
    person, built = Person(*[answer] * 4), asking()
    turn, later = (AgentContext(approver=person, scope=CancelScope()) for _ in range(2))
    counts: list[int] = []
    for ctx in (turn, turn.child(), later):
        assert built.authorise(wants((CREATE, "a")), ctx)
        counts.append(len(person.asked))
    built.grants.end_conversation()
    assert built.authorise(wants((CREATE, "a")), later)
    assert [*counts[1:], len(person.asked)] == [second, other_turn, next_conversation]


def test_an_answer_is_for_that_name_that_operation_and_that_agent() -> None:
    person, built = Person(ALWAYS), asking(principal="Dev", ask_timeout_s=0.02)
    ctx = AgentContext(approver=person)
    assert built.authorise(wants((CREATE, "a*")), ctx)
    assert built.judge(CREATE, "file:a*") is ALLOW
    assert built.explain(CREATE, "file:a*").by == "grant"
    for operation, path, who in [(DELETE, "a*", "Dev"), (CREATE, "ab", "Dev"), (CREATE, "a*", "Home")]:
        assert built.judge(operation, f"file:{path}", who) is ASK


def test_always_survives_the_program_in_a_private_file_and_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "config" / "permissions.json"
    built = asking(grants=GrantBook(path))
    assert built.authorise(wants((CREATE, "a")), AgentContext(approver=Person(ALWAYS)))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = asking(grants=GrantBook(path))
    assert again.authorise(wants((CREATE, "a")))
    assert again.grants.revoke(again.grants.grants()[0])
    assert json.loads(path.read_text()) == []
    assert built.authorise(wants((CREATE, "a"))).reason == "nobody"


def test_two_programs_keep_each_others_answers(tmp_path: Path) -> None:
    path = tmp_path / "permissions.json"
    one, other = asking(grants=GrantBook(path)), asking(grants=GrantBook(path))
    assert one.authorise(wants((CREATE, "a")), AgentContext(approver=Person(ALWAYS)))
    assert other.authorise(wants((CREATE, "b")), AgentContext(approver=Person(ALWAYS)))
    assert len(GrantBook(path).grants()) == 2


@pytest.mark.parametrize("content", [b"", b"{", b'[{"operation": "fly"}]', b"\xff\xfe", b'{"a": 1}'])
def test_a_damaged_file_grants_nothing_and_stops_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "permissions.json"
    path.write_bytes(content)
    book = GrantBook(path)
    assert book.grants() == []
    assert asking(grants=book).authorise(wants((CREATE, "a")), AgentContext(approver=Person(ALWAYS)))
    assert len(GrantBook(path).grants()) == 1


def test_always_ends_on_its_day() -> None:
    clock = FakeClock()
    built = asking(clock=clock, grants=GrantBook(clock=clock), remember_for=timedelta(days=30))
    assert built.authorise(wants((CREATE, "a")), AgentContext(approver=Person(ALWAYS)))
    clock.advance(30 * 86400 - 1)
    assert built.judge(CREATE, "file:a") is ALLOW
    clock.advance(1)
    assert built.judge(CREATE, "file:a") is ASK
    assert built.grants.grants() == []


def test_an_answer_that_cannot_be_written_still_holds_for_now(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    book = GrantBook(tmp_path / "file" / "permissions.json")
    built, told = asking(grants=book), list[AgentEvent]()
    ctx = AgentContext(approver=Person(ALWAYS))
    ctx.bus.subscribe("degraded", told.append)
    assert built.authorise(wants((CREATE, "a")), ctx)
    assert built.authorise(wants((CREATE, "a")))
    assert "could not be written" in told[0].payload


def test_a_persons_rules_lie_over_the_agents() -> None:
    def laid(**lists: list[PermissionRule]) -> PermissionEngine:
        own = engine([PermissionRule(pattern="ask")], deny_rules=[PermissionRule(pattern="never")])
        return own.laid_over(RuleSet.of(**lists))

    everything = [EVERYTHING]
    assert laid(deny=everything).judge(READ, "file:a") is DENY
    assert laid(ask=everything).judge(READ, "file:a") is ASK
    assert laid(ask=everything, allow=everything).judge(READ, "file:a") is ASK
    assert laid(allow=everything).judge(READ, "file:ask") is ALLOW
    assert laid(allow=everything).judge(READ, "file:never") is DENY
    assert laid(ask=everything).judge(READ, "file:never") is DENY
    assert laid(ask=[PermissionRule(pattern="/else/**")]).judge(READ, "file:/else/x") is ASK
    assert laid().judge(READ, "file:ask") is ASK


def test_every_decision_is_published() -> None:
    ctx, heard = AgentContext(approver=Person(YES)), list[AgentEvent]()
    ctx.bus.subscribe("permission_decided", heard.append)
    asking(principal="Dev").authorise(wants((CREATE, "a")), ctx)
    engine().authorise(wants((READ, "a")), ctx)
    assert [event.payload.decision.allowed for event in heard] == [True, True]
    assert [event.payload.principal for event in heard] == ["Dev", ""]


def test_an_engine_within_a_run_keeps_to_the_person_of_the_run() -> None:
    own = engine(principal="Inner")
    person = Person(ALWAYS)
    outer = PermissionEngine(
        person=RuleSet.of(deny=[PermissionRule(pattern="/base/no")], ask=[EVERYTHING]), base="/base"
    )
    inner = own.for_the_person_of(outer)
    assert inner.judge(READ, "file:no") is DENY
    assert inner.authorise(wants((READ, "a")), AgentContext(approver=person))
    assert [grant.principal for grant in outer.grants.grants()] == ["Inner"]
    assert own.for_the_person_of(own) is own
