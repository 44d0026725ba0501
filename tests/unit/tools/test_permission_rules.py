"""Rules: what may be written, and what is refused in one sentence."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePath

import pytest

from edgevox.testing import FakeClock
from edgevox.tools.permissions import (
    ActionVerdict,
    Operation,
    PermissionEngine,
    PermissionRule,
    escaped,
    parse_resource,
    parse_rule,
)

READ, CREATE = Operation.READ, Operation.CREATE


def engine(*allow: PermissionRule, **options: object) -> PermissionEngine:
    return PermissionEngine(base="/base", allow_rules=allow, **options)  # pyright: ignore[reportArgumentType]


def may(built: PermissionEngine, path: str, operation: Operation = READ) -> bool:
    return built.judge(operation, f"file:{path}") is ActionVerdict.allow


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: PermissionRule(pattern="notes/**", operations=set()), "at least one operation"),
        (lambda: PermissionRule(pattern="notes/**", operations={"raed"}), "no operation 'raed'"),
        (lambda: PermissionRule(pattern="", operations={READ}), "needs a pattern"),
        (lambda: PermissionRule(pattern="a\0b", operations={READ}), "needs a pattern"),
        (lambda: PermissionRule(pattern="a/../b", operations={READ}), "'..'"),
        (lambda: PermissionRule(pattern="device:", operations={READ}), "needs a pattern"),
        (lambda: PermissionRule(pattern="device:/", operations={READ}), "write device:** for every device"),
        (lambda: PermissionRule(pattern="a", expires=datetime(2030, 1, 1)), "time zone"),  # noqa: DTZ001
        (lambda: PermissionEngine(takes_precedence=ActionVerdict.ask), "allow or deny"),
    ],
)
def test_a_rule_that_could_never_match_is_refused_when_it_is_made(make: Callable[[], object], told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("*", r"\*").replace(".", r"\.")):
        make()


def test_relative_patterns_hold_below_the_base_and_absolute_ones_anywhere() -> None:
    built = engine(PermissionRule(pattern="notes/**"), PermissionRule(pattern="/etc/host*"))
    assert may(built, "notes/a")
    assert may(built, "/base/notes/a")
    assert may(built, "/etc/hosts")
    assert not may(built, "/notes/a")
    assert not may(built, "etc/hosts")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("notes/a.txt", True),
        ("notes", True),
        ("notes/", True),
        ("notes//a.txt", True),
        ("./notes/./a.txt", True),
        ("notes/sub/../a.txt", True),
        ("x/../notes/a.txt", True),
        ("//base//notes/a", True),
        ("notes/a\nb", True),
        ("notes/\x1b[2J", True),
        ("notes/\udc80", True),
        ("notes/../top.txt", False),
        ("../x", False),
        ("/../base/../top", False),
        (".", False),
        ("", False),
        ("notes/a\0b", False),
        ("notes/\ud800", False),
        ("Notes/a.txt", False),
    ],
)
def test_a_path_is_judged_where_its_letters_lead(path: str, allowed: bool) -> None:
    assert may(engine(PermissionRule(pattern="notes/**", operations={READ})), path) is allowed


def test_the_base_grants_nothing_unless_a_rule_names_it() -> None:
    assert not may(engine(PermissionRule(pattern="*")), ".")
    assert may(engine(PermissionRule(pattern=".")), ".")
    assert may(engine(PermissionRule(pattern="**")), ".")


def test_a_name_with_glob_letters_is_escaped() -> None:
    built = engine(PermissionRule(pattern=escaped("odd[1]*") + "/**"))
    assert may(built, "odd[1]*/a")
    assert not may(built, "odd1x/a")


def test_a_rule_speaks_of_its_operations_and_its_kind_alone() -> None:
    built = engine(PermissionRule(pattern="device:light/*", operations={"switch"}))
    assert built.judge(Operation.SWITCH, "device:light/kitchen") is ActionVerdict.allow
    assert built.judge(Operation.READ, "device:light/kitchen") is ActionVerdict.deny
    assert built.judge(Operation.SWITCH, "device:light/a/b") is ActionVerdict.deny
    assert built.judge(Operation.SWITCH, "file:light/kitchen") is ActionVerdict.deny


@pytest.mark.parametrize(
    "resource", ["light", "device:", "device:../x", "device:a/../b", "device:.", "kitchen light", ""]
)
def test_what_no_rule_can_speak_of_is_denied_even_where_everything_is_allowed(resource: str) -> None:
    built = PermissionEngine(default_verdict=ActionVerdict.allow)
    assert built.judge(Operation.SWITCH, resource) is ActionVerdict.deny
    assert built.explain(Operation.SWITCH, resource).by == "malformed"


def test_a_kind_may_be_said_beside_the_pattern() -> None:
    built = engine(PermissionRule(pattern="odd:name", kind="file"))
    assert may(built, "odd:name")


def test_a_function_is_a_pattern_and_sees_the_normalised_path() -> None:
    seen: list[PurePath] = []

    def is_text(path: PurePath) -> bool:
        seen.append(path)
        return path.suffix == ".txt"

    built = engine(PermissionRule(pattern=is_text, operations={READ}))
    assert may(built, "sub/../a.txt")
    assert not may(built, "a.pdf")
    assert seen == [PurePath("/base/a.txt"), PurePath("/base/a.pdf")]


def test_a_function_that_fails_counts_as_what_is_safe() -> None:
    def broken(path: PurePath) -> bool:
        raise KeyError(path)

    rule = PermissionRule(pattern=broken)
    everything = PermissionRule(pattern="**")
    assert not may(engine(rule), "a")
    assert not may(engine(everything, deny_rules=[rule]), "a")
    assert engine(everything, ask_rules=[rule]).judge(READ, "file:a") is ActionVerdict.ask


def test_a_rule_may_be_for_one_agent_and_end_on_its_day() -> None:
    clock = FakeClock()
    rule = PermissionRule(pattern="**", principal="Dev", expires=clock.now() + timedelta(hours=1))
    built = engine(rule, clock=clock)
    assert built.judge(READ, "file:a", "Dev") is ActionVerdict.allow
    assert built.judge(READ, "file:a", "Home") is ActionVerdict.deny
    clock.advance(3600)
    assert built.judge(READ, "file:a", "Dev") is ActionVerdict.deny


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("read,create notes/**", "create,read file:notes/**"),
        ("READ notes/**", "read file:notes/**"),
        ("motion:base", "motion:base"),
        ("  switch   device:light/*  ", "switch device:light/*"),
        ("./my folder/**", "file:./my folder/**"),
    ],
)
def test_a_rule_is_written_as_text(text: str, written: str) -> None:
    assert str(parse_rule(text)) == written


@pytest.mark.parametrize("text", ["", "read", "raed ~/x", "read ", "deny motion:base", "read ../x", "device:"])
def test_a_text_that_is_no_rule_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is no permission rule: "):
        parse_rule(text)


def test_the_home_folder_is_meant_by_its_letters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "odd[home]"
    monkeypatch.setenv("HOME", str(home))
    built = engine(parse_rule("read ~/notes/**"))
    assert may(built, f"{home}/notes/a")
    assert parse_resource("~/notes/a") == f"file:{home}/notes/a"
    assert parse_resource("motion:base") == "motion:base"
    assert parse_resource("a/b") == "file:a/b"


def test_a_rule_that_ends_says_when_with_a_zone() -> None:
    assert PermissionRule(pattern="a", expires=datetime(2030, 1, 1, tzinfo=UTC)).expires is not None
