"""Hostile paths and tokens: what lies outside the allowed folder is not touched, not read and cannot be told apart."""

import os
import random
import shutil
import socket
from pathlib import Path

import pytest

from edgevox.core.session import AgentContext
from edgevox.tools.files.report import report
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import COMMANDS, read_sequence
from edgevox.tools.permissions import Operation, PermissionEngine, PermissionRule

LONG_AGO = 1_000_000_000
SECRET = "canary-words"
PATHS = [
    "notes/a.txt",
    "notes/b.txt",
    "notes",
    "notes/d",
    "notes/d/c.txt",
    "notes/new",
    "notes/d/new",
    "top.txt",
    "hidden",
    "hidden/x",
    "hidden/deep/y",
    "../outside/secret",
    "../outside",
    "ROOT/outside/secret",
    "ROOT/base/hidden/x",
    ".",
    "..",
    "/",
    "/etc/passwd",
    "/etc/shadow",
    "/proc/self/environ",
    "/dev/zero",
    "notes/link",
    "notes/linkdir",
    "notes/linkdir/secret",
    "notes/linkdir/..",
    "notes/linkdir/../hidden/x",
    "notes/link/../a.txt",
    "notes/../hidden/x",
    "notes/d/../../hidden/x",
    "notes/./../top.txt",
    "notes//a.txt",
    "notes/a.txt/",
    "notes/a.txt/..",
    "notes/pipe",
    "notes/sock",
    "notes/twin",
    "~",
    "$HOME",
    "`id`",
    "$(id)",
    "-rf",
    "--",
    "",
    " ",
    "notes/\n",
    "notes/\x1b[2J",
    "a\0b",
    "x" * 300,
    "y/" * 3000,
    "notes/\udc80",
    "notes/\ud800",
    "notes/\u202e",
    "..\\..",
    "notes/..;/",
    "%2e%2e/hidden/x",
    "hidden/../notes/a.txt",
    "hidden/x/../../notes",
    "nothing/../notes/a.txt",
    "notes/loop",
    "notes/loop/loop",
]
GOOD = [
    "notes/a.txt",
    "notes/b.txt",
    "notes/d",
    "notes/d/c.txt",
    "notes/new",
    "notes/d/../b.txt",
    "notes/d/*",
    "notes/b*",
]
PATTERNS = [
    "*",
    "**/",
    "**/*",
    "notes/*",
    "notes/**/",
    "notes/**/*.txt",
    "../*",
    "../outside/*",
    "hidden/*",
    "hidden/**/y",
    "/*",
    "/etc/*.conf",
    "notes/*/../*",
    "notes/l*",
    "*/x",
    "notes/linkdir/*",
    "***/",
    "notes/[ab]",
    "?",
]
FLAGS = [
    "-n",
    "-r",
    "-R",
    "-f",
    "-p",
    "-a",
    "-v",
    "-c",
    "-q",
    "-u",
    "-o",
    "-w",
    "-t",
    "-T",
    "-d",
    "-H",
    "-uu",
    "--hidden",
    "--no-ignore",
    "-delete",
    "-exec",
    "-type",
    "-name",
    "-size",
    "-print",
    "-prune",
    "!",
    "(",
    ")",
    "-E",
    "-F",
    "--help",
    "-",
]
ARGUMENTS = [
    "x",
    "-",
    "trash",
    ".*",
    "(((",
    "\\1",
    "[[:alpha:]]",
    "a{1000}{1000}",
    "(a*)*b",
    "1",
    "999999999999999",
    "f",
    "@0",
    "",
    "*.txt",
    "canary",
    "-e",
    "/etc/passwd",
]


def lay_out(root: Path, *, outside: bool) -> None:
    """Make a world with an allowed folder, and what may not be seen beside it, if that is to be there."""
    notes = root / "base" / "notes"
    (notes / "d").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "d/c.txt"):
        (notes / name).write_text("x alpha\nbeta\n")
    (notes / "link").symlink_to("../top.txt")
    (notes / "linkdir").symlink_to("../../outside")
    (notes / "loop").symlink_to("loop")
    (notes / "t1").write_text("x")
    os.link(notes / "t1", notes / "twin")
    os.mkfifo(notes / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        at = os.open(notes, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{at}/sock")
        os.close(at)
    for path in [root / "base" / "top.txt", *hidden(root)] if outside else []:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SECRET)
    for path in canaries(root) if outside else []:
        os.utime(path, (LONG_AGO, LONG_AGO))


def hidden(root: Path) -> list[Path]:
    return [root / "base" / "hidden" / "x", root / "base" / "hidden" / "deep" / "y", root / "outside" / "secret"]


def canaries(root: Path) -> list[Path]:
    """Files and folders that nobody may read or change; a folder's own access time tells of a listing."""
    files = hidden(root)
    return [root / "base" / "top.txt", *files, *(file.parent for file in files), root / "base" / "hidden"]


def state(root: Path) -> list[tuple[object, ...]]:
    """What reading or touching would change, without reading."""
    found = [path.lstat() for path in canaries(root)]
    return [(s.st_ino, s.st_mode, s.st_size, s.st_nlink, s.st_atime_ns, s.st_mtime_ns, s.st_ctime_ns) for s in found]


def hostile(chance: random.Random) -> list[list[str]]:
    """One call of up to four commands with whatever tokens."""
    tokens: list[list[str]] = []
    for index in range(chance.randint(1, 4)):
        if index:
            tokens.append([chance.choice(["|", "&&", "||", ";"]), "CTL"])
        name = chance.choice(COMMANDS)
        tokens.append([name, "CMD"])
        flags = (
            FLAGS if name != "ls" else ["-a", "-R", "-p", "-f", "--hidden", "-d"]
        )  # no dates, no numbers of the disk
        tokens += [[chance.choice(flags), "FLG"] for _ in range(chance.choice([0, 0, 0, 1, 2]))]
        if name in ("grep", "rg", "gio", "tee") or chance.random() < 0.1:
            tokens.append([("trash" if name == "gio" else chance.choice(ARGUMENTS)), "ARG"])
        known = chance.random() < 0.4
        for _ in range(2 if name in ("cp", "mv", "diff") else chance.choice([0, 1, 1, 2, 3])):
            tokens.append([chance.choice(GOOD if known else PATHS if chance.random() < 0.75 else PATTERNS), "PTH"])
        if chance.random() < 0.1:
            tokens.insert(chance.randrange(len(tokens) + 1), [chance.choice(ARGUMENTS), chance.choice(["ARG", "FLG"])])
    return tokens


def answer(root: Path, tokens: list[list[str]]) -> str:
    """Run a call in a world and return what a model would read, with the world's own name left out."""
    engine = PermissionEngine(
        base=root / "base", allow_rules=[PermissionRule(pattern="notes/**", operations=[*Operation])]
    )
    spelled = [[text.replace("ROOT", str(root)), tag] for text, tag in tokens]
    try:
        sequence = read_sequence(spelled)
    except ValueError as refusal:
        return str(refusal)
    run = FileRun(sequence, engine, str(root / "base"), AgentContext(), trash=str(root / "trash")).run()
    return report(run).replace(str(root), "ROOT")


def fuzz(tmp_path: Path, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    world, empty = tmp_path.resolve() / "w1", tmp_path.resolve() / "w2"
    denied = done = 0
    for number in range(rounds):
        if number % 40 == 0:
            shutil.rmtree(world, ignore_errors=True)
            shutil.rmtree(empty, ignore_errors=True)
            lay_out(world, outside=True)
            lay_out(empty, outside=False)
            before = state(world)
        tokens = hostile(chance)
        said, said_of_nothing = answer(world, tokens), answer(empty, tokens)
        assert said == said_of_nothing, tokens
        assert SECRET not in said, tokens
        assert state(world) == before, tokens  # pyright: ignore[reportPossiblyUnboundVariable]
        assert not (empty / "outside").exists(), tokens
        assert {path.name for path in (empty / "base").iterdir()} <= {"notes"}, tokens
        denied += "no permission" in said
        done += said.startswith("Overall: success")
    assert denied > rounds / 10, "the fuzz has to reach denials"
    assert done > rounds / 15, f"and commands that run, not {done}"
    assert all(path.read_text() == SECRET for path in hidden(world))


def test_hundreds_of_hostile_calls_touch_and_read_nothing_outside(tmp_path: Path) -> None:
    fuzz(tmp_path, 400, seed=20)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ten_thousand_hostile_calls_touch_and_read_nothing_outside(tmp_path: Path) -> None:
    fuzz(tmp_path, 10_000, seed=21)
