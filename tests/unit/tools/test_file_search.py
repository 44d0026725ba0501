"""Searching: patterns mean what those of grep mean, rg has an oracle of its own, and time stays linear."""

import fnmatch
import os
import random
import re
import subprocess
import time
from pathlib import Path

import pytest

from edgevox.core.session import AgentContext
from edgevox.tools.files.faults import Trouble
from edgevox.tools.files.matching import Matcher
from edgevox.tools.files.patterns import grep_pattern, literal, name_pattern
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule

ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
LINES = [
    "",
    "a",
    "ab",
    "abc",
    "a+b",
    "a?b",
    "a{2}",
    "aab",
    "(a)",
    "a|b",
    "a.b",
    "a*b",
    "^a",
    "a$",
    "\\a",
    "[ab]",
    "]",
    "-",
    "a-z",
    "A",
    "B C",
    "word",
    "words",
    "two words",
    "under_score",
    "x1y2",
    "\t tab",
    "gr\u00fc\u00df",
    "\u00dc",
    "e\u0301",
    "\u4e2d\u6587",
    "a b a",
    "aaa",
]
PIECES = [
    "a",
    "b",
    "c",
    ".",
    "*",
    "^",
    "$",
    "\\(",
    "\\)",
    "(",
    ")",
    "|",
    "\\|",
    "+",
    "\\+",
    "?",
    "\\?",
    "[ab]",
    "[^a]",
    "[]a]",
    "[a-c]",
    "[[:alpha:]]",
    "[[:digit:]]",
    "[[:space:]]",
    "[[:upper:]]",
    "\\{2\\}",
    "{2}",
    "\\{1,2\\}",
    "{1,}",
    "{,2}",
    "\\w",
    "\\W",
    "\\s",
    "\\.",
    "\\*",
    "\u00fc",
    "]",
    "-",
    "{",
    "}",
    "\\\\",
    "[a-]",
    "[-a]",
    "[a\\]",
]


UNDEFINED = re.compile(r"(^|\\?[(|^$])\\?[*+?{]|\{\}|\}\\?\{")
"""A repetition of nothing, or of a repetition, means what the implementation likes."""


def ours(
    pattern: str, lines: list[str], *, extended: bool, word: bool = False, whole: bool = False
) -> tuple[int, list[str]]:
    try:
        matcher = Matcher(grep_pattern(pattern, extended=extended), whole_word=word, whole_line=whole)
    except Trouble as trouble:
        return trouble.status, []
    found = [line for line in lines if matcher.selects(line.encode())]
    return (0 if found else 1), found


def theirs(pattern: str, lines: list[str], *flags: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        ["grep", *flags, "-e", pattern],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def compare(rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(rounds):
        pattern = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 5)))
        if UNDEFINED.search(pattern):
            continue
        extended, word, whole = chance.random() < 0.5, chance.random() < 0.2, chance.random() < 0.1
        if pattern.count("(") < pattern.count(")"):  # what follows one too many is nobody's promise either
            continue
        if word and "" in ours(pattern, [""], extended=extended)[1]:  # empty words are taken or not as it comes
            continue
        flags = [flag for flag, on in (("-E", extended), ("-w", word), ("-x", whole)) if on]
        expected = theirs(pattern, LINES, *flags)
        got = ours(pattern, LINES, extended=extended, word=word, whole=whole)
        assert got == expected, (pattern, flags, set(got[1]) ^ set(expected[1]))


def test_random_patterns_select_the_lines_that_grep_selects() -> None:
    compare(120, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_thousands_of_random_patterns_select_the_lines_that_grep_selects() -> None:
    compare(8000, seed=2)


@pytest.mark.parametrize(
    "pattern", ["\\1", "\\(a\\)\\1", "[", "[[:none:]]", "\\(", "a\\)", "[z-a]", "a\\{x\\}", "a\\{2000\\}", "a\\"]
)
def test_malformed_patterns_and_back_references_are_refused_in_one_sentence(pattern: str) -> None:
    with pytest.raises(Trouble, match="the pattern cannot be used") as raised:
        Matcher(grep_pattern(pattern, extended=False))
    assert raised.value.status == 2


def test_no_pattern_takes_more_than_linear_time() -> None:
    line = b"a" * 20_000 + b"b"
    began = time.process_time()
    for pattern in ("(a*)*c", "(a|a)*c", "(a|aa)+c", "a*a*a*a*a*a*c", "([a-z]+)*1"):
        assert not Matcher(grep_pattern(pattern, extended=True)).selects(line)
        assert not Matcher(pattern, longest=False).selects(line)
    assert not Matcher(name_pattern("*a*a*a*a*a*a*a*c")).selects(line)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["a.b", "a*b", "(a)", "[ab]", "\\a", "gr\u00fc\u00df", "a\nword"])
def test_a_fixed_text_stands_for_itself(text: str) -> None:
    matcher = Matcher(literal(text))
    assert [line for line in LINES if matcher.selects(line.encode())] == [
        line for line in LINES if any(part in line for part in text.split("\n"))
    ]


@pytest.mark.parametrize(
    "pattern",
    ["*", "a*", "*b", "?", "??", "[ab]*", "[!a]*", "a[*]b", "a\\*b", "[", "[]]", "*.*", "", "[a-c]", "w*s", "\u4e2d?"],
)
def test_patterns_of_names_mean_what_they_mean_in_a_shell(pattern: str) -> None:
    matcher = Matcher(name_pattern(pattern))
    python = pattern.replace("\\*", "[*]")
    expected = [line for line in LINES if fnmatch.fnmatchcase(line, python)]
    assert [line for line in LINES if matcher.selects(line.encode())] == expected


def world(root: Path, chance: random.Random) -> dict[str, str]:
    """Lay out a tree with ignore files and return its plain files."""
    files: dict[str, str] = {}
    for folder in ("", "src/", "src/deep/", "build/", ".hidden/", "docs/"):
        for name in ("a.py", "b.log", ".dot", "keep.log", "c.txt"):
            files[folder + name] = "".join(chance.choice(["milk\n", "Milk tea\n", "bread\n", "\n"]) for _ in range(4))
    files[".gitignore"] = "*.log\n/build/\n"
    files["src/.gitignore"] = "!keep.log\ndeep/*.txt\n"
    files["docs/.ignore"] = "a.py\n"
    files["docs/.rgignore"] = "!a.py\nc.txt\n"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "raw").write_bytes(b"milk\0milk\n")
    (root / "link").symlink_to("a.py")
    return files


IGNORED = {
    "b.log",
    "keep.log",
    "src/b.log",
    "src/deep/b.log",
    "src/deep/c.txt",
    "docs/b.log",
    "docs/keep.log",
    "docs/c.txt",
    ".hidden/b.log",
    ".hidden/keep.log",
}


def visible(name: str, flags: list[str]) -> bool:
    """Whether rg looks into a file: written out by hand for this tree."""
    hidden = any(part.startswith(".") for part in name.split("/"))
    if "-uu" in flags:
        return True
    if hidden and "--hidden" not in flags:
        return False
    return "--no-ignore" in flags or not (name in IGNORED or name.startswith("build/"))


def expected(files: dict[str, str], pattern: str, flags: list[str]) -> str:
    compiled = re.compile(re.escape(pattern) if "-F" in flags else pattern, re.IGNORECASE if "-i" in flags else 0)
    lines: list[str] = []
    for name in sorted(files, key=lambda path: [os.fsencode(part) for part in path.split("/")]):
        if not visible(name, flags):
            continue
        hits = [
            (number, line)
            for number, line in enumerate(files[name].splitlines(), 1)
            if (compiled.search(line) is None) is ("-v" in flags)
        ]
        if "-l" in flags:
            lines += [name] if hits else []
        elif "-c" in flags:
            lines += [f"{name}:{len(hits)}"] if hits else []
        else:
            lines += [f"{name}:{f'{number}:' if '-n' in flags else ''}{line}" for number, line in hits]
    return "".join(f"{line}\n" for line in lines)


def rg(root: Path, *tokens: list[str], engine: PermissionEngine | None = None) -> FileRun:
    allow = PermissionEngine(base=root, default_verdict=ActionVerdict.allow)
    return FileRun(read_sequence([["rg", "CMD"], *tokens]), engine or allow, str(root), AgentContext()).run()


@pytest.mark.slow
def test_rg_finds_what_its_oracle_finds(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    chance = random.Random(3)
    files = world(root, chance)
    for _ in range(150):
        flags = sorted(
            {chance.choice(["-n", "-i", "-v", "-F", "-l", "-c", "--hidden", "--no-ignore", "-uu"]) for _ in range(3)}
        )
        pattern = chance.choice(["milk", "M", "mi.k", "^bread$", "tea|bread", "none"])
        run = rg(root, *([flag, "FLG"] for flag in flags), [pattern, "ARG"])
        text = expected(files, pattern, flags)
        assert run.frames[0].stdout.decode() == text, (flags, pattern)
        assert run.status == (0 if text else 1)


def test_rg_looks_into_named_files_whatever_ignores_them(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    files = world(root, random.Random(4))
    (root / "build" / "b.log").write_text("milk\n")
    assert rg(root, ["milk", "ARG"], ["build/b.log", "PTH"]).frames[0].stdout == b"milk\n"
    assert rg(root, ["milk", "ARG"], ["raw", "PTH"]).frames[0].stdout.startswith(b"raw: it is no text")
    assert (
        rg(root, ["-o", "FLG"], ["-H", "FLG"], ["il", "ARG"], ["build/b.log", "PTH"]).frames[0].stdout
        == b"build/b.log:il\n"
    )
    assert rg(root, ["(", "ARG"]).status == 2
    assert files


def test_rg_reads_no_ignore_file_that_it_may_not_read(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / ".gitignore").write_text("*.txt\n")
    (root / "a.txt").write_text("milk\n")
    engine = PermissionEngine(
        base=root,
        default_verdict=ActionVerdict.allow,
        deny_rules=[PermissionRule(pattern=".gitignore", operations={Operation.READ})],
    )
    assert rg(root, ["milk", "ARG"]).status == 1
    assert rg(root, ["milk", "ARG"], engine=engine).frames[0].stdout == b"a.txt:milk\n"


@pytest.mark.parametrize("command", ["rg", "grep"])
def test_a_search_passes_over_what_may_not_be_read(tmp_path: Path, command: str) -> None:
    root = tmp_path.resolve()
    for name in ("open/a", "shut/a", "open/shut"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("milk\n")
    engine = PermissionEngine(
        base=root,
        allow_rules=[PermissionRule(pattern="**", operations={Operation.READ})],
        deny_rules=[PermissionRule(pattern=p, operations={Operation.READ}) for p in ("shut/**", "open/shut")],
    )
    recursive = [["-r", "FLG"]] if command == "grep" else []
    tokens = [[command, "CMD"], *recursive, ["milk", "ARG"], [".", "PTH"]]
    run = FileRun(read_sequence(tokens), engine, str(root), AgentContext()).run()
    assert run.frames[0].stdout == b"./open/a:milk\n"
    assert run.frames[0].stderr == b""
