"""Random sequences of file commands leave the same files, words and exit statuses as a real shell does."""

import os
import shlex
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from edgevox.core.session import AgentContext
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.permissions import ActionVerdict, PermissionEngine

FILES = {
    "a.txt": b"alpha\nbeta\ngamma\n",
    "b.txt": b"beta\nBETA max\n\n\n\ndelta\tx\nno end",
    "empty": b"",
    "d/c.txt": b"alpha\nbeta two\ngamma\nbeta\n",
    "d/e/f.md": b"# head\nalpha beta\n",
    "d/.hid": b"secret\n",
    "sp ace.txt": b"one two  three\n",
    "\u00fcn\u00ef.txt": "gr\u00fc\u00df dich\nstra\u00dfe\n".encode(),
    "crlf.txt": b"one\r\ntwo\r\n",
    "bin.dat": b"x\x00y\xff\nbeta\n",
    "d/e/new\nline": b"beta\n",
    "d/-dash": b"beta\n",
}
SOURCES = [*FILES, "d", "d/e", "missing", "d/", "./a.txt", "d/../a.txt", "nodir/x", "a.txt/x"]
GLOBS = ["*.txt", "d/*", "*/*.txt", "*", "d/*/*", "zz*", "*a*"]
TARGETS = ["new.txt", "a.txt", "d/new", "d", "d/", "n1", "n2", "nodir/y", "b.txt", "d/e", "empty"]
PATTERNS = [
    "beta",
    "BETA",
    "^a",
    "a$",
    "[[:upper:]]",
    "b.ta",
    "x\\|two",
    "(alpha|two)",
    "e*",
    "\\(l\\)",
    "t\\{1,2\\}",
    "o+",
    "",
]
EXPRESSIONS = [
    "-type =f", "-name =*.txt", "-maxdepth =1", "-mindepth =1 -type =d", "-empty", "-size +0c -o -empty",
    "! -name =*.txt -print", "-name =d -prune -o -print", "( -name =a* -o -name =d ) -print", "-iname =*A*", "-depth",
    "-path =*d/e*", "-name =[ab]*", "-size =1b", "-not -type =f", "-name =?.txt -quit", "-type =f,d -name =*[!t]",
]  # fmt: skip


def quoted(text: str) -> str:
    return "*".join(shlex.quote(part) if part else "" for part in text.split("*"))


def path(text: str) -> tuple[list[str], str]:
    """A path token, and the same for the shell."""
    return [text, "PTH"], quoted(text)


def named(draw: st.DrawFn, *without: str) -> list[str]:
    """Operands: a pattern alone, for a shell takes one that matches nothing for a name, or one or two names."""
    globs = [text for text in GLOBS if text not in without]
    if globs and draw(st.integers(0, 3)) == 0:
        return [draw(st.sampled_from(globs))]
    return draw(st.lists(st.sampled_from([text for text in SOURCES if text not in without]), min_size=1, max_size=2))


@st.composite
def flags(draw: st.DrawFn, plain: str, valued: str = "") -> list[list[str]]:
    tokens = [[flag, "FLG"] for flag in draw(st.lists(st.sampled_from(plain.split()), max_size=2, unique=True))]
    if valued and draw(st.booleans()):
        tokens += [[draw(st.sampled_from(valued.split())), "FLG"], [str(draw(st.integers(0, 4))), "ARG"]]
    return tokens


def words(tokens: list[list[str]]) -> list[str]:
    return [shlex.quote(text) for text, _ in tokens]


@st.composite
def readers(draw: st.DrawFn, piped: bool) -> tuple[list[list[str]], str]:
    name = draw(st.sampled_from(["cat", "head", "tail", "wc", "grep"]))
    options = {
        "cat": flags("-n -b -s -E -T"),
        "head": flags("-q", "-n -c"),
        "tail": flags("-v", "-n -c"),
        "wc": flags("-l -w -c -m -L"),
        "grep": flags("-n -i -v -w -x -c -l -q -o -H -E", "-m -A -B -C"),
    }[name]
    given = draw(options)
    if name == "tail":  # that of GNU does not even look for files when it has nothing to show of them
        given = [["1" if text == "0" else text, tag] for text, tag in given]
    if name == "grep":
        if {"-o"} & {text for text, _ in given}:
            given = [token for token in given if token[1] == "FLG" and token[0] not in ("-A", "-B", "-C", "-m")]
        meant = PATTERNS if ["-v", "FLG"] not in given else PATTERNS[:-1]  # nothing is left: that of GNU opens no file
        if ["-w", "FLG"] in given:  # versions of GNU's do not agree on words without letters
            meant = [pattern for pattern in meant if pattern not in ("e*", "")]
        given.append([draw(st.sampled_from(meant)), "ARG"])
    odd = ("d/*/*", "d/e/new\nline")  # that of GNU quotes names that have line ends
    if name == "tail" and ["-c", "FLG"] in given:  # that of GNU gives up altogether when it meets a folder
        odd = ("d", "d/", "d/e", *GLOBS)
    operands = [] if piped else named(draw, *(odd if name in ("wc", "tail") else ()))
    spelled = [path(text) for text in operands]
    line = [name, *words(given), *(shell for _, shell in spelled)]
    if name == "grep":
        line = [name, *words(given[:-1]), "-e", shlex.quote(given[-1][0]), "--", *(shell for _, shell in spelled)]
    return [[name, "CMD"], *given, *(token for token, _ in spelled)], " ".join(line)


@st.composite
def changers(draw: st.DrawFn) -> tuple[list[list[str]], str]:
    name = draw(st.sampled_from(["cp", "mv", "rm", "touch", "mkdir", "tee", "diff", "ls", "find"]))
    if name in ("cp", "mv"):
        source = draw(st.sampled_from([text for text in SOURCES if "\n" not in text]))
        target = draw(st.sampled_from([text for text in TARGETS if not overlaps(source, text)]))
        verbose = " -v" if target != "nodir/y" else ""  # cp of GNU tells of copies before it tries them
        given = draw(flags(("-r" if name == "cp" else "-f") + verbose))
        if ["-r", "FLG"] in given:  # the order in which a folder is copied is nobody's promise
            given = [["-r", "FLG"]]
        operands = [source, target]
    elif name == "rm":
        given = draw(flags("-r -f"))
        operands = draw(
            st.lists(st.sampled_from([*SOURCES[:8], "missing", "d/*", "*.txt"]), min_size=1, max_size=2, unique=True)
        )
        if any("*" in text for text in operands):  # a pattern that matches nothing is an error here, whatever -f says
            given = [["-r", "FLG"]]
    elif name == "touch":
        given, operands = draw(flags("-c -a")), [draw(st.sampled_from([*TARGETS, "d/"]))]
    elif name == "mkdir":
        given, operands = draw(flags("-p -v")), [draw(st.sampled_from([*TARGETS, "p/q/r"]))]
    elif name == "diff":
        given = draw(flags("-q -s -i -w"))
        operands = [
            draw(st.sampled_from([text for text in SOURCES if text not in ("d", "d/", "d/e")])) for _ in range(2)
        ]
    elif name == "ls":
        given, operands = draw(flags("-a -A -d -R -1 -r -p -F -S")), named(draw)
    elif name == "find":
        roots = draw(st.sampled_from([".", "d", "a.txt", "missing", "d/"]))
        tokens = [
            [text.removeprefix("="), "ARG" if text.startswith("=") else "FLG"] for text in spelled_expression(draw)
        ]
        return [["find", "CMD"], [roots, "PTH"], *tokens], " ".join(["find", roots, *words(tokens)])
    else:
        given, operands = draw(flags("-a")), [draw(st.sampled_from(TARGETS))]
        content = draw(st.sampled_from(["new\n", "no end", "", "b\u00e4ta\nbeta\n"]))
        token, shell = path(operands[0])
        line = f"printf %s {shlex.quote(content)} | {' '.join(['tee', *words(given), shell])}"
        return [["tee", "CMD"], *given, [content, "ARG"], token], line
    spelled = [path(text) for text in operands]
    line = " ".join([name, *words(given), *(shell for _, shell in spelled)])
    return [[name, "CMD"], *given, *(token for token, _ in spelled)], line


def spelled_expression(draw: st.DrawFn) -> list[str]:
    text = draw(st.sampled_from(EXPRESSIONS))
    return [word if word != "+0c" else "=+0c" for word in text.split()]


def overlaps(source: str, target: str) -> bool:
    """Whether a copy would meet itself, where tools differ in how much they do before they give up."""
    one, other = (os.path.normpath(text) for text in (source, target))
    inside = f"{other}/{Path(one).name}" if other in ("d", "d/e") else other
    pairs = [(one, other), (one, inside)]
    return any(a == b or f"{b}/".startswith(f"{a}/") or f"{a}/".startswith(f"{b}/") for a, b in pairs)


@st.composite
def sequences(draw: st.DrawFn) -> tuple[list[list[str]], str]:
    tokens: list[list[str]] = []
    line = ""
    for index in range(draw(st.integers(1, 4))):
        if index:
            operator = draw(st.sampled_from(["&&", "||", ";"]))
            tokens.append([operator, "CTL"])
            line += f"\n{operator} " if operator != ";" else "\n"
            line = line.replace("\n&&", " &&").replace("\n||", " ||")
        made, spelled = draw(st.one_of(readers(False), changers()))
        tokens += made
        line += spelled
        if draw(st.integers(0, 3)) == 0 and made[0][0] in ("cat", "head", "tail", "wc", "grep", "diff"):
            made, spelled = draw(readers(True))
            tokens += [["|", "CTL"], *made]
            line += f" | {spelled}"
    return tokens, line


def lay_out(root: Path) -> None:
    for name, data in FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def tree(root: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for folder, folders, files in os.walk(root):
        for name in folders:
            found[os.path.relpath(Path(folder, name), root)] = "folder"
        for name in files:
            file = Path(folder, name)
            found[os.path.relpath(file, root)] = (file.read_bytes(), stat.S_IMODE(file.stat().st_mode))
    return found


def compare(case: tuple[list[list[str]], str], where: Path) -> None:
    tokens, line = case
    ours, theirs = where / "ours", where / "theirs"
    for root in (ours, theirs):
        subprocess.run(["rm", "-rf", str(root)], check=True)
        lay_out(root)
    engine = PermissionEngine(base=ours, default_verdict=ActionVerdict.allow)
    run = FileRun(read_sequence(tokens), engine, str(ours), AgentContext(), trash=str(where / "trash")).run()
    shell = subprocess.run(
        ["/bin/sh", "-c", line], cwd=theirs, capture_output=True, stdin=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, timeout=60, check=False,
    )  # fmt: skip
    written = b"".join(frame.stdout for frame in run.frames if not frame.piped_on)
    told = f"\n{line}\n{run.frames}\nshell: {shell}"
    assert tree(ours) == tree(theirs), told
    if any(name in line for name in ("find", "grep -r")):
        open_end = any(frame.stdout[-1:] not in (b"", b"\n") for frame in run.frames)
        for data in (written, shell.stdout) if open_end else ():
            assert sorted(data) == sorted(shell.stdout), told
        assert open_end or sorted(written.split(b"\n")) == sorted(shell.stdout.split(b"\n")), told
    else:
        assert written == shell.stdout, told
    assert statuses(run) == (shell.returncode if not prepared_badly(run) else min(shell.returncode, 1)), told


def statuses(run: FileRun) -> int:
    return run.status


def prepared_badly(run: FileRun) -> bool:
    """Whether the last command did not get as far as running: that is 1 here, and each command's own number there."""
    return run.status == 1 and not run.frames[-1].ran


AFTER_WHAT_IS_NO_TEXT = (
    [["grep", "CMD"], ["-A", "FLG"], ["0", "ARG"], ["beta", "ARG"], ["bin.dat", "PTH"], ["a.txt", "PTH"]],
    "grep -A 0 -e beta -- bin.dat a.txt",
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(case=sequences())
@example(case=AFTER_WHAT_IS_NO_TEXT)
def test_random_sequences_do_what_a_shell_does(case: tuple[list[list[str]], str], tmp_path: Path) -> None:
    compare(case, tmp_path.resolve())


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(
    max_examples=2500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(case=sequences())
def test_thousands_of_random_sequences_do_what_a_shell_does(case: tuple[list[list[str]], str], tmp_path: Path) -> None:
    compare(case, tmp_path.resolve())
