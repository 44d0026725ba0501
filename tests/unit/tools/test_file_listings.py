"""What the options write that random sequences leave out, line by line as the programs of that name do."""

import os
import random
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.core.session import AgentContext
from edgevox.testing import file_tokens
from edgevox.tools.files.edit_script import changes
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.permissions import ActionVerdict, PermissionEngine

LONG_AGO = 1_000_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    base = tmp_path.resolve() / "base"
    (base / "d" / "deep").mkdir(parents=True)
    for number, name in enumerate(("a", "big", ".hidden", "d/x", "d/deep/y", "sp ace", "run.sh")):
        (base / name).write_bytes(b"x" * 10 ** (number % 6))
    (base / "run.sh").chmod(0o755)
    (base / "link").symlink_to("a")
    os.mkfifo(base / "pipe")
    for number, path in enumerate(sorted(base.rglob("*"))):
        when = LONG_AGO + number * 1000
        os.utime(path, (when, when), follow_symlinks=False)
    yesterday = time.time() - 86_400
    os.utime(base / "big", (yesterday, yesterday))
    return base


def run(root: Path, line: str) -> FileRun:
    engine = PermissionEngine(base=root, default_verdict=ActionVerdict.allow)
    return FileRun(read_sequence(file_tokens(line)), engine, str(root), AgentContext()).run()


def shell(root: Path, line: str) -> tuple[bytes, int]:
    environment = {"LC_ALL": "C.UTF-8"} | {name: os.environ[name] for name in ("PATH", "TZ") if name in os.environ}
    done = subprocess.run(["/bin/sh", "-c", line], cwd=root, capture_output=True, env=environment, check=False)
    return done.stdout, done.returncode


@pytest.mark.parametrize(
    "line",
    [
        "ls -l",
        "ls -l -a",
        "ls -la d",
        "ls -l -h",
        "ls -l -n",
        "ls -s",
        "ls -s -h",
        "ls -i",
        "ls -l -i -s",
        "ls -F",
        "ls -p -1",
        "ls -l -F d",
        "ls -t",
        "ls -tr",
        "ls -S",
        "ls -lR d",
        "ls -R -a",
        "ls -d d a",
        "ls -ld d",
        "ls -lt --reverse",
        "ls a d big",
        "ls -A --recursive d",
        "ls d/ d/deep",
    ],
)
def test_ls_writes_the_columns_that_ls_writes(root: Path, line: str) -> None:
    done = run(root, line)
    assert (done.frames[0].stdout, done.status) == shell(root, line)


@pytest.mark.parametrize(
    ("line", "theirs"),
    [
        ("touch -d =2020-02-03 a", "touch -d 2020-02-03 a"),
        ("touch -d '=2020-02-03 04:05:06' a", "touch -d '2020-02-03 04:05:06' a"),
        ("touch -d =2020-02-03T04:05:06+02:00 -m a", "touch -d 2020-02-03T04:05:06+02:00 -m a"),
        ("touch -d =@1234567890 -a a", "touch -d @1234567890 -a a"),
        ("touch -t =202002030405.06 a", "touch -t 202002030405.06 a"),
        ("touch -t =7002030405 a", "touch -t 7002030405 a"),
        ("touch -t =02030405 a", "touch -t 02030405 a"),
        ("touch -r d/x a", "touch -r d/x a"),
        ("touch -c -d =@1 missing", "touch -c -d @1 missing"),
    ],
)
def test_touch_sets_the_times_that_touch_sets(root: Path, line: str, theirs: str) -> None:
    assert run(root, line).status == 0
    ours = (root / "a").stat()
    (root / "a").unlink()
    (root / "a").write_bytes(b"x")
    when = LONG_AGO + sorted(root.rglob("*")).index(root / "a") * 1000
    os.utime(root / "a", (when, when))
    assert shell(root, theirs)[1] == 0
    expected = (root / "a").stat()
    assert (ours.st_atime_ns, ours.st_mtime_ns) == (expected.st_atime_ns, expected.st_mtime_ns)
    assert not (root / "missing").exists()


@pytest.mark.parametrize("value", ["tomorrow", "2020-13-01", "@x", "", "99999999999999999999", "20-01-01"])
def test_times_that_are_none_are_refused_in_one_sentence(root: Path, value: str) -> None:
    for flag in ("-d", "-t"):
        done = FileRun(
            read_sequence([["touch", "CMD"], [flag, "FLG"], [value, "ARG"], ["a", "PTH"]]),
            PermissionEngine(base=root, default_verdict=ActionVerdict.allow),
            str(root),
            AgentContext(),
        ).run()
        assert done.status == 1
        assert b"is no time" in done.frames[0].stderr


@pytest.mark.parametrize(
    "line",
    ["wc sp\\ ace big", "wc -L -m a", "cp -t d a big", "cp -T a d/new", "mv -t d a", "mkdir -v p q", "cat -s -b a big"],
)
def test_other_options_do_what_they_do_in_a_shell(root: Path, line: str) -> None:
    done = run(root, line)
    names = sorted(path.relative_to(root) for path in root.rglob("*"))
    undo = {
        "cp -t d a big": "rm d/a d/big",
        "cp -T a d/new": "rm d/new",
        "mv -t d a": "mv d/a .",
        "mkdir -v p q": "rmdir p q",
    }
    shell(root, undo.get(line, "true"))
    assert (done.frames[0].stdout, done.status) == shell(root, line)
    assert sorted(path.relative_to(root) for path in root.rglob("*")) == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("ls -d **/", [b"d/", b"d/deep/"]),
        ("ls -d d/**/", [b"d/", b"d/deep/"]),
        ("ls -d **/y", [b"d/deep/y"]),
        ("ls -d d/**/*", [b"d/deep", b"d/deep/y", b"d/x"]),
        ("ls -d d/**", [b"d/deep", b"d/x"]),
        ("ls -d .h*", [b".hidden"]),
        ("ls -d ./*p*ce", [b"./sp ace"]),
        ("ls -d */", [b"d/"]),
        ("ls -d d/../d/d*/y", [b"d/../d/deep/y"]),
    ],
)
def test_patterns_match_what_they_say(root: Path, line: str, names: list[bytes]) -> None:
    (root / "link").unlink()
    (root / "pipe").unlink()
    done = run(root, line)
    assert done.frames[0].stdout.splitlines() == names, done.frames


def lines(chance: random.Random, words: int) -> bytes:
    text = b"".join(
        chance.choice([b"a\n", b"b\n", b"c\n", b"d\n", b"\n", b"e f\n"][:words]) for _ in range(chance.randint(0, 14))
    )
    return text[:-1] if chance.random() < 0.2 else text


@pytest.mark.parametrize("flags", ["", "-u", "-w", "-i -u"])
def test_diff_writes_what_diff_writes(root: Path, flags: str) -> None:
    """Of several shortest ways it may take another one, now and then; its form and its length are the same."""
    chance = random.Random(5)
    same = 0
    for _ in range(40):
        (root / "a").write_bytes(lines(chance, chance.randint(3, 6)))
        (root / "big").write_bytes(lines(chance, chance.randint(3, 6)))
        line = f"diff {flags} a big"
        done = run(root, line)
        expected, status = shell(root, line)
        assert done.status == status
        same += done.frames[0].stdout == expected
        assert marks(done.frames[0].stdout) <= marks(expected)
        assert headings(done.frames[0].stdout) == headings(expected)
    assert same >= 30, same


def marks(written: bytes) -> int:
    return len([line for line in written.splitlines() if line[:1] in (b"<", b">", b"+", b"-") and line != b"---"])


def headings(written: bytes) -> list[bytes]:
    return [line for line in written.splitlines() if line.startswith((b"--- ", b"+++ "))]


@settings(max_examples=150, deadline=None)
@given(first=st.lists(st.integers(0, 4), max_size=14), second=st.lists(st.integers(0, 4), max_size=14))
def test_an_edit_script_turns_one_list_into_the_other_in_as_few_steps_as_possible(
    first: list[int], second: list[int]
) -> None:
    found = changes(first, second, lambda: None)
    made: list[int] = []
    at = 0
    for change in found:
        made += first[at : change.a0] + second[change.b0 : change.b1]
        at = change.a1
    assert made + first[at:] == second
    steps = sum(change.a1 - change.a0 + change.b1 - change.b0 for change in found)
    assert steps == len(first) + len(second) - 2 * longest_common(first, second)


def longest_common(first: list[int], second: list[int]) -> int:
    row = [0] * (len(second) + 1)
    for one in first:
        before = 0
        for index, other in enumerate(second):
            before, row[index + 1] = row[index + 1], before + 1 if one == other else max(row[index], row[index + 1])
    return row[-1]
