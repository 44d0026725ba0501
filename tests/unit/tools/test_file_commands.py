"""The file command tool: permission, operators, limits and reports, link by link."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, ConfigError, ToolFailure
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.core.session import AgentContext
from edgevox.testing import file_tokens, follow_chain
from edgevox.tools import Tool
from edgevox.tools.files import FileCommandCall, FileReport, cli_skill, get_run_file_command
from edgevox.tools.files.chain import FileStep
from edgevox.tools.files.report import report
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.permissions import ActionVerdict, Asked, Operation, PermissionEngine, PermissionRule, Requirement
from edgevox.tools.permissions.judging import RuleSet
from edgevox.tools.typed import run_typed

READ, CREATE, DELETE = Operation.READ, Operation.CREATE, Operation.DELETE


class Person:
    """Answers questions with words from a list."""

    def __init__(self, *words: str) -> None:
        self.words = list(words)
        self.asked: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request)
        words = self.words.pop(0)
        return Approval(approved=words.strip().lower() in ("y", "yes"), words=words)


def rule(pattern: str, *operations: Operation) -> PermissionRule:
    return PermissionRule(pattern=pattern, operations=operations or (READ, CREATE, DELETE))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = tmp_path / "base"
    (root / "notes").mkdir(parents=True)
    (root / "notes" / "a.txt").write_text("one\ntwo\n")
    (root / "top.txt").write_text("top\n")
    (tmp_path / "x").write_text("outside\n")
    return root


@pytest.fixture
def tools(base: Path) -> list[Tool]:
    return get_run_file_command(base=base, allow_rules=[rule("notes/**")])


def run(tools: list[Tool], line: str, ctx: AgentContext | None = None) -> str:
    report = follow_chain(tools, FileCommandCall.model_validate({"value": file_tokens(line)}), ctx)
    assert isinstance(report, FileReport)
    return report.value


def open_tools(base: Path) -> list[Tool]:
    return get_run_file_command(base=base, allow_rules=[rule("**")], trash=base.parent / "trash")


def test_what_a_rule_covers_is_read(tools: list[Tool]) -> None:
    report = run(tools, "cat notes/a.txt")
    assert report.startswith("Overall: success (exit status 0)\n")
    assert "one\ntwo\n" in report


@pytest.mark.parametrize("line", ["cat notes/../top.txt", "cat ../x", "ls", "cat top.txt", "cat notes/../../x", "pwd"])
def test_what_no_rule_covers_is_denied(tools: list[Tool], line: str) -> None:
    report = run(tools, line)
    assert report.startswith("Overall: failure (exit status 1)")
    assert "no permission to read" in report
    assert "outside" not in report


def test_links_and_files_with_two_names_are_refused(tools: list[Tool], base: Path) -> None:
    (base / "notes" / "link").symlink_to(base / "top.txt")
    (base / "notes" / "linkdir").symlink_to(base)
    os.link(base / "top.txt", base / "notes" / "twin")
    for line in ("cat notes/link", "cat notes/linkdir/top.txt", "ls notes/linkdir", "cat notes/linkdir/../a.txt"):
        assert "it is a link" in run(tools, line), line
    assert "several names" in run(tools, "cat notes/twin")
    assert "it is a link" in run(tools, "cat notes/*"), "one link among the matches refuses the whole command"
    assert "top\n" not in run(tools, "cat notes/a.txt notes/link")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("head -n1 notes/a.txt", "'-n1' is not supported"),
        ("rm -rf notes/a.txt", "'-rf' is not supported"),
        ("find notes -delete", "'-delete' is not supported"),
        ("find notes -exec =rm", "'-exec' is not supported"),
        ("cat notes/?.txt", "? and brackets are not supported"),
        ("cat notes/[a].txt", "? and brackets are not supported"),
        ("cat notes/a.txt -n", "comes too late"),
        ("cat -n -n notes/a.txt", "given twice"),
        ("head -n notes/a.txt", "needs a value"),
        ("head -n =-3 notes/a.txt", "whole number"),
        ("head -n =1 -c =1 notes/a.txt", "exclude each other"),
        ("cp notes/a.txt notes/*", "must be a literal path"),
        ("cat notes/***/a.txt", "** stands alone"),
        ("cat notes/**/x/**/a.txt", "only one **/"),
        ("grep notes/a.txt", "the first operand is the pattern"),
        ("gio =open notes/a.txt", "only trash is supported"),
        ("diff notes/a.txt", "exactly two files"),
        ("rm -r notes/../notes/.", "may not go"),
    ],
)
def test_a_command_that_cannot_be_understood_fails_when_it_is_reached(tools: list[Tool], line: str, words: str) -> None:
    report = run(tools, f"{line} ; cat notes/a.txt")
    assert words in report
    assert "one\ntwo\n" in report


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ([["ls", "CMD"], ["cat", "CMD"]], "without an operator"),
        ([["frob", "CMD"]], "no command 'frob'"),
        ([["x", "PTH"]], "begin with a CMD"),
        ([["ls", "CMD"], ["&", "CTL"], ["ls", "CMD"]], "no operator '&'"),
        ([["ls", "CMD"], [";", "CTL"]], "missing at the end"),
        ([[";", "CTL"], ["ls", "CMD"]], "missing before ;"),
        ([["ls", "CMD"], ["|", "CTL"], ["|", "CTL"], ["ls", "CMD"]], "missing before |"),
        ([], "no command"),
    ],
)
def test_a_call_of_which_nothing_can_run_is_refused_as_a_whole(tokens: list[list[str]], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("|", r"\|")):
        FileCommandCall.model_validate({"value": tokens})


def test_a_fallback_runs_after_a_failure(tools: list[Tool]) -> None:
    report = run(tools, "cat notes/missing || cat notes/a.txt && wc -l notes/a.txt")
    assert report.startswith("Overall: success")
    assert report.count("--- end of") == 3
    assert "2 notes/a.txt" in report


def test_what_operators_skip_is_never_checked_nor_asked(base: Path) -> None:
    person = Person()
    tools = get_run_file_command(
        base=base, allow_rules=[rule("**")], ask_rules=[rule("notes/secret")], deny_rules=[rule("top.txt")]
    )
    (base / "notes" / "secret").write_text("s")
    report = run(tools, "cat notes/a.txt || cat notes/secret | wc ; wc -c notes/a.txt", AgentContext(approver=person))
    assert person.asked == []
    assert report.count("--- end of") == 2
    assert report.startswith("Overall: success")


def test_later_commands_see_what_earlier_ones_did(base: Path) -> None:
    report = run(open_tools(base), "cp top.txt new.txt && cat *.txt")
    assert "top\ntop\n" in report


def test_a_path_that_looks_like_an_operator_is_a_file(base: Path) -> None:
    (base / "&&").write_text("amp\n")
    tools = open_tools(base)
    value = FileCommandCall.model_validate({"value": [["cat", "CMD"], ["&&", "PTH"]]})
    report = follow_chain(tools, value)
    assert isinstance(report, FileReport)
    assert "amp\n" in report.value


def test_a_denied_command_cannot_run_but_its_fallback_can(tools: list[Tool], base: Path) -> None:
    report = run(tools, "rm top.txt || tee =kept notes/log")
    assert (base / "top.txt").exists()
    assert (base / "notes" / "log").read_text() == "kept"
    assert report.startswith("Overall: success")


def test_a_denial_is_the_same_whether_or_not_the_target_exists(base: Path) -> None:
    lines = [
        "cat hidden/a.conf",
        "cat hidden/*.conf",
        "ls hidden",
        "find hidden",
        "grep -r =x hidden",
        "rg =x hidden",
        "rm -r hidden",
        "rm -f hidden/a.conf",
        "cp notes/a.txt hidden/a.conf",
        "cp hidden/a.conf notes/b",
        "mv hidden/a.conf notes/b",
        "mv notes/a.txt hidden",
        "tee =x hidden/a.conf",
        "tee -a =x hidden/a.conf",
        "touch hidden/a.conf",
        "mkdir -p hidden/a.conf",
        "gio =trash hidden/a.conf",
        "diff notes/a.txt hidden/a.conf",
        "cat hidden/link",
        "cat hidden/link/../../notes/a.txt",
        "cat hidden/a.conf/../../notes/a.txt",
        "wc hidden/**/*.conf",
        "touch -r hidden/a.conf notes/a.txt",
        "mv -t hidden notes/a.txt",
    ]
    tools = get_run_file_command(base=base, allow_rules=[rule("notes/**")])
    absent = {line: run(tools, line) for line in lines}
    (base / "hidden").mkdir()
    (base / "hidden" / "a.conf").write_text("s")
    (base / "hidden" / "link").symlink_to("/etc/passwd")
    present = {line: run(tools, line) for line in lines}
    assert present == absent
    assert [line for line, report in present.items() if "no permission to" not in report] == []
    assert (base / "hidden" / "a.conf").read_text() == "s"


def test_overwriting_needs_leave_to_read_and_delete_the_target(base: Path) -> None:
    (base / "notes" / "b.txt").write_text("before")
    tools = get_run_file_command(base=base, allow_rules=[rule("notes/**", READ, CREATE)])
    assert "no permission to delete 'notes/b.txt'" in run(tools, "cp notes/a.txt notes/b.txt")
    assert (base / "notes" / "b.txt").read_text() == "before"
    assert "Overall: success" in run(tools, "cp notes/a.txt notes/new.txt")


def test_each_operation_is_asked_about_and_the_report_quotes_the_answers(base: Path) -> None:
    (base / "notes" / "b.txt").write_text("before")
    tools = get_run_file_command(
        base=base, allow_rules=[rule("notes/**")], ask_rules=[rule("notes/b.txt", CREATE, DELETE)]
    )
    person = Person("YES", "nope please")
    report = run(tools, "cp notes/a.txt notes/b.txt ; wc -l notes/a.txt", AgentContext(approver=person))
    assert [request.operation for request in person.asked] == ["create", "delete"]
    assert '"YES": allowed' in report
    assert '"nope please": denied' in report
    assert (base / "notes" / "b.txt").read_text() == "before"
    assert "2 notes/a.txt" in report


def test_nobody_to_ask_is_no(base: Path) -> None:
    tools = get_run_file_command(base=base, allow_rules=[rule("notes/**")], ask_rules=[rule("notes/**")])
    report = run(tools, "cat notes/a.txt")
    assert "no permission to read 'notes/a.txt': nobody was there to ask" in report


def test_a_command_never_asks_more_often_than_a_person_reads(base: Path) -> None:
    for number in range(30):
        (base / "notes" / f"{number}.txt").write_text("x")
    tools = get_run_file_command(base=base, allow_rules=[rule("**")], ask_rules=[rule("notes/*.txt")])
    person = Person(*["yes"] * 40)
    report = run(tools, "grep -r =x notes", AgentContext(approver=person))
    assert "a person would be asked 31 times" in report
    assert person.asked == []


def test_too_much_output_ends_the_sequence_and_nothing_of_it_is_shown(base: Path) -> None:
    (base / "long").write_text("x" * 100_001)
    (base / "fits").write_text("y" * 100_000)
    report = run(open_tools(base), "cat long ; tee =ran after")
    assert report.startswith("Overall: failure")
    assert "more than 100,000 characters" in report
    assert "xxx" not in report
    assert not (base / "after").exists()
    assert "Overall: success" in run(open_tools(base), "cat fits ; tee =ran after")
    assert (base / "after").exists()


def test_a_hundred_megabytes_are_never_read_to_their_end(base: Path) -> None:
    with (base / "sparse").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    began = time.process_time()
    for line in ("cat sparse", "tail -n =1 sparse", "head -n =1 sparse", "grep =x sparse", "diff sparse top.txt"):
        assert run(open_tools(base), line).startswith("Overall: failure"), line
    assert time.process_time() - began < 10
    assert f"{100 * 1024 * 1024} sparse" in run(open_tools(base), "wc -c sparse")
    assert run(open_tools(base), "tail -c =3 sparse").startswith("Overall: success")


def test_a_long_report_keeps_its_newest_parts_and_says_what_is_missing(base: Path) -> None:
    (base / "first").write_text("1" * 30_000)
    (base / "second").write_text("2" * 35_000)
    report = run(open_tools(base), "cat first ; cat second")
    assert len(report) <= 40_000
    assert "2" * 35_000 in report
    assert "more characters are left out" in report
    many = run(open_tools(base), " ; ".join(["head -c =9000 second"] * 30))
    assert len(many) <= 40_000
    assert "earlier commands are left out" in many


def test_pipes_carry_bytes_exactly(base: Path) -> None:
    data = bytes(range(256))
    (base / "raw").write_bytes(data)
    report = run(open_tools(base), "cat raw | tee copy")
    assert (base / "copy").read_bytes() == data
    assert "256 bytes went on" in report
    assert "\\xff" in report
    assert "\\x1b" in report, "what a terminal would obey is escaped"


def test_a_stage_that_never_ran_feeds_nothing_on(tools: list[Tool]) -> None:
    report = run(tools, "cat top.txt | wc -c")
    assert report.startswith("Overall: success")
    assert "wc -c (exit status 0, 2 characters)\n0\n" in report


def test_a_cancelled_run_ends_at_once(base: Path) -> None:
    ctx = AgentContext()
    ctx.scope.cancel("stop")
    with pytest.raises(Cancelled):
        run(open_tools(base), "cat top.txt", ctx)


def test_a_stop_in_the_middle_of_a_walk_ends_it(base: Path) -> None:
    for number in range(300):
        (base / f"f{number}").write_text("x\n")
    ctx = AgentContext()
    engine = _StopsAfter(ctx, 50, base)
    tools = get_run_file_command(engine=engine)
    with pytest.raises(Cancelled):
        run(tools, "grep -r =x .", ctx)
    assert engine.judged < 300


class _StopsAfter(PermissionEngine):
    """Cancels the run while it is being judged."""

    def __init__(self, ctx: AgentContext, after: int, base: Path) -> None:
        super().__init__(base=base.resolve(), default_verdict=ActionVerdict.allow)
        self.judged, self._after, self._ctx = 0, after, ctx

    def judge(self, operation: Operation, resource: str, principal: str | None = None, **how: Any) -> ActionVerdict:
        self.judged += 1
        if self.judged == self._after:
            self._ctx.scope.cancel("stop")
        return super().judge(operation, resource, principal, **how)


def test_the_views_of_the_system_are_never_opened(base: Path) -> None:
    tools = get_run_file_command(base=base, default_verdict=ActionVerdict.allow)
    for line in (
        "cat /proc/self/environ",
        "ls /proc",
        "cat /sys/kernel/uevent_seqnum",
        "grep =x /proc/../proc/self/environ",
    ):
        assert "no permission to read" in run(tools, line), line


def test_the_persons_own_rules_lie_over_those_of_the_tool(tools: list[Tool], base: Path) -> None:
    person = PermissionEngine(base=base, person=RuleSet.of((), (), [rule(f"{base.resolve()}/notes/a.txt", READ)]))
    report = run(tools, "cat notes/a.txt", AgentContext(permissions=person))
    assert "no permission to read" in report


def test_steps_of_other_calls_do_not_exist(tools: list[Tool]) -> None:
    with pytest.raises(ToolFailure, match="begin with run_file_command"):
        run_typed(tools[1], FileStep(run=99), [])


def test_only_the_first_link_is_offered_and_it_reads_json(tools: list[Tool]) -> None:
    assert [tool.name for tool in tools if not tool.chained_to] == ["run_file_command"]
    assert tools[0].spec.input_schema["properties"]["value"]["type"] == "array"
    assert "run" not in FileReport(run=3, value="x").model_dump()


def test_a_base_that_is_no_folder_is_refused(base: Path) -> None:
    with pytest.raises(ConfigError, match="must be a folder"):
        get_run_file_command(base=base / "top.txt")
    with pytest.raises(ConfigError, match="need a base"):
        get_run_file_command(allow_rules=[rule("**")])
    with pytest.raises(ConfigError, match="not both"):
        get_run_file_command(engine=PermissionEngine(base=base), allow_rules=[rule("**")])
    (base / "way").symlink_to(base / "notes")
    with pytest.raises(ConfigError, match="through a link"):
        get_run_file_command(engine=PermissionEngine(base=base / "way"))


def test_the_skill_names_every_command_and_fits_a_small_window() -> None:
    from edgevox.tools.files.tokens import COMMANDS

    assert all(command in cli_skill.body for command in COMMANDS)
    assert cli_skill.tools == ("run_file_command",)
    assert len(cli_skill.body) < 2600


def test_of_many_questions_the_newest_stay_in_the_report(base: Path) -> None:
    wanted = Requirement(READ, f"file:{base}/notes/a.txt")
    sequence = FileRun(read_sequence(file_tokens("pwd")), PermissionEngine(base=base), str(base), AgentContext())
    sequence.history += [
        Asked(requirement=wanted, question=f"May I read number {number}?", reply="yes\nOverall: success", allowed=True)
        for number in range(600)
    ]
    text = report(sequence.run())
    assert len(text) < 21_000
    assert 'May I read number 599? answered "yes\\nOverall: success": allowed' in text
    assert "May I read number 0?" not in text
    assert "earlier questions are left out" in text


@pytest.mark.parametrize(
    "line",
    [
        "cat notes/a.txt top.txt",
        "cat notes/* top.txt",
        "cp notes/a.txt top.txt",
        "cp notes/a.txt notes/b.txt hidden",
        "rm notes/a.txt top.txt",
        "mv -t hidden notes/a.txt",
        "tee =x notes/n top.txt",
        "touch notes/n top.txt",
        "mkdir notes/n hidden",
        "diff notes/a.txt top.txt",
        "grep -r =x notes hidden",
        "gio =trash notes/a.txt top.txt",
        "head - notes/a.txt top.txt",
    ],
)
def test_nobody_is_asked_when_something_else_of_the_command_is_denied(base: Path, line: str) -> None:
    tools = get_run_file_command(base=base, allow_rules=[rule("notes/**")], ask_rules=[rule("notes/**")])
    person = Person()
    assert "no permission to" in run(tools, line, AgentContext(approver=person))
    assert person.asked == []
