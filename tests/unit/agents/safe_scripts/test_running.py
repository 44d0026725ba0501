"""Scripts run bare, alone, bounded, and end at once when they are told to."""

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.agents.safe_scripts import ScriptReport, ScriptRunner, ScriptStatus
from edgevox.agents.safe_scripts import runner as runner_module
from edgevox.core.cancel import CancelScope
from edgevox.core.redaction import remember_secret

UntilFree = Callable[[Callable[[], ScriptReport]], ScriptReport]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text() if Path("/proc").exists() else True


def gone_soon(pid: int) -> bool:
    deadline = time.monotonic() + 20
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def test_the_list_has_paths_and_first_comments_and_no_links(folder: Path) -> None:
    (folder / "link.sh").symlink_to(folder / "hello.sh")
    (folder / "linked").symlink_to(folder / "deep")
    (folder / ".hidden.sh").write_text("# hidden\n")
    (folder / "note.txt").write_text("# no script\n")
    (folder / "long.sh").write_text(f"# {'x' * 600}\n")
    report = ScriptRunner(folder).list()
    assert report.status is ScriptStatus.LISTED
    listed = {entry.script: entry.description for entry in report.scripts}
    assert sorted(listed) == [
        "bytes.sh", "deep/er/fail.sh", "env.sh", "flood.sh", "hello.sh", "long.sh", "orphan.sh", "sleep.sh",
        "stubborn.sh",
    ]  # fmt: skip
    assert listed["hello.sh"] == "Say hello. Politely."
    assert listed["deep/er/fail.sh"] == ""
    assert len(listed["long.sh"]) == 512


def test_a_script_s_words_and_code_come_back(folder: Path) -> None:
    runner = ScriptRunner(folder)
    report = runner.run("hello.sh")
    assert (report.status, report.exit_code, report.message) == (ScriptStatus.SUCCESS, 0, "")
    assert sorted(report.output.split()) == ["hello", "oops"]
    report = runner.run("deep/er/fail.sh")
    assert (report.status, report.exit_code, report.output) == (ScriptStatus.FAILED, 3, "before\n")
    assert runner.run("bytes.sh").output == "\\xff\\xfe ok"


def test_a_script_gets_a_bare_environment_no_input_and_no_arguments(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY_SECRET", "canary-in-the-environment")
    monkeypatch.setenv("BASH_ENV", "/tmp/evil")
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("WANTED", "yes")
    report = ScriptRunner(folder, environment=["WANTED"]).run("env.sh")
    assert report.status is ScriptStatus.SUCCESS
    lines = report.output.splitlines()
    names = {line.partition("=")[0] for line in lines if "=" in line}
    assert names <= {"HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "PATH", "TERM", "WANTED",
                     "PWD", "SHLVL", "_", "OLDPWD", "args"}  # fmt: skip
    assert "WANTED=yes" in lines
    assert str(folder) in lines
    assert lines[-1] == "args=0"


@pytest.mark.parametrize("name", ["PATH", "BASH_ENV", "LD_PRELOAD", "DYLD_X", "ENV", "PYTHONPATH", "IFS", "A=B", ""])
def test_variables_that_change_what_runs_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cannot be given"):
        ScriptRunner(folder, environment=[name])


@pytest.mark.parametrize(
    "script",
    [
        "/bin/ls.sh", "../scripts/hello.sh", "deep/../hello.sh", "./hello.sh", "deep//er/fail.sh", "hello.sh/", "hello",
        "none.sh", "deep/er", "link.sh", "linked/er/fail.sh", "hello.sh\n", "hel\x00lo.sh", "hello.sh; rm -rf x.sh",
        "dir.sh", "pipe.sh", "twin.sh", "open.sh", " hello.sh",
    ],
)  # fmt: skip
def test_what_is_no_script_of_the_folder_does_not_run(folder: Path, script: str) -> None:
    (folder / "link.sh").symlink_to(folder / "hello.sh")
    (folder / "linked").symlink_to(folder / "deep")
    (folder / "dir.sh").mkdir()
    os.mkfifo(folder / "pipe.sh")
    (folder / "twin.sh").write_text("echo ran\n")
    os.link(folder / "twin.sh", folder / "twin2.sh")
    (folder / "open.sh").write_text("echo ran\n")
    (folder / "open.sh").chmod(0o666)
    report = ScriptRunner(folder).run(script)
    assert report.status is ScriptStatus.REFUSED
    assert report.message
    assert report.output == ""


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    runner = ScriptRunner(tmp_path / "none")
    assert runner.list().status is runner.run("a.sh").status is ScriptStatus.REFUSED


def test_too_much_output_ends_it_and_the_beginning_is_kept(folder: Path, until_free: UntilFree) -> None:
    runner = ScriptRunner(folder, output_bytes=5000)
    report = runner.run("flood.sh")
    assert report.status is ScriptStatus.OUTPUT_LIMIT
    assert len(report.output) == 5000
    assert until_free(lambda: runner.run("hello.sh")).status is ScriptStatus.SUCCESS


def test_a_script_that_takes_too_long_is_ended(folder: Path, until_free: UntilFree) -> None:
    runner = ScriptRunner(folder, timeout_s=1.0)
    report = runner.run("sleep.sh")
    assert (report.status, report.output) == (ScriptStatus.TIMEOUT, "started\n")
    runner.timeout_s = 60
    assert until_free(lambda: runner.run("hello.sh")).status is ScriptStatus.SUCCESS


def test_a_stop_comes_back_at_once_even_from_a_script_that_ignores_it(
    folder: Path, until_free: UntilFree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "GRACE_S", 60.0)
    runner, scope = ScriptRunner(folder), CancelScope()
    threading.Timer(0.5, scope.cancel).start()
    began = time.monotonic()
    report = runner.run("stubborn.sh", scope)
    assert report.status is ScriptStatus.CANCELLED
    assert time.monotonic() - began < 20, "not the minute until it would be killed"
    assert runner.run("hello.sh").status is ScriptStatus.BUSY, "it is still being ended"
    os.killpg(int(report.output), signal.SIGKILL)
    assert until_free(lambda: runner.run("hello.sh")).status is ScriptStatus.SUCCESS


def test_a_script_that_ignores_a_stop_is_killed(
    folder: Path, until_free: UntilFree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "GRACE_S", 0.2)
    runner = ScriptRunner(folder, timeout_s=0.5)
    report = runner.run("stubborn.sh")
    assert report.status is ScriptStatus.TIMEOUT
    runner.timeout_s = 60
    assert until_free(lambda: runner.run("hello.sh")).status is ScriptStatus.SUCCESS
    assert gone_soon(int(report.output))


def test_a_scope_that_has_ended_runs_nothing_to_its_end(folder: Path) -> None:
    scope = CancelScope()
    scope.cancel()
    assert ScriptRunner(folder).run("sleep.sh", scope).status is ScriptStatus.CANCELLED


def test_only_one_script_runs_at_a_time(folder: Path) -> None:
    runner, scope = ScriptRunner(folder), CancelScope()
    reports: list[ScriptReport] = []
    thread = threading.Thread(target=lambda: reports.append(runner.run("sleep.sh", scope)))
    thread.start()
    deadline = time.monotonic() + 20
    while runner.run("none.sh").status is not ScriptStatus.BUSY:
        assert time.monotonic() < deadline
    assert runner.run("hello.sh").status is ScriptStatus.BUSY
    assert runner.list().status is ScriptStatus.LISTED
    scope.cancel()
    thread.join(20)
    assert [report.status for report in reports] == [ScriptStatus.CANCELLED]


def test_what_a_script_leaves_behind_is_ended_and_holds_nobody_up(folder: Path) -> None:
    began = time.monotonic()
    report = ScriptRunner(folder).run("orphan.sh")
    assert report.status is ScriptStatus.SUCCESS
    assert time.monotonic() - began < 20
    assert gone_soon(int(report.output))


def test_a_known_secret_in_the_output_is_covered(folder: Path) -> None:
    remember_secret("SCRIPT_CANARY_SECRET", "canary-printed-by-a-script")
    (folder / "leak.sh").write_text("echo canary-printed-by-a-script\n")
    assert "canary" not in ScriptRunner(folder).run("leak.sh").output
