"""Races, links, special files and odd names: what is opened is what was named."""

import os
import shutil
import socket
import stat
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from edgevox.core.errors import Cancelled
from edgevox.core.session import AgentContext
from edgevox.testing import file_tokens
from edgevox.tools.files import handles
from edgevox.tools.files.faults import NotPlain
from edgevox.tools.files.report import report
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.files.writing import put
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule

SECRET = b"canary"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "base"
    root.mkdir()
    return root


def run(base: Path, line: str, *, only: str = "**") -> FileRun:
    engine = PermissionEngine(base=base, allow_rules=[PermissionRule(pattern=only, operations=[*Operation])])
    tokens = read_sequence(file_tokens(line))
    return FileRun(tokens, engine, str(base), AgentContext(), trash=str(base.parent / "trash")).run()


def out(base: Path, line: str) -> bytes:
    return b"".join(frame.stdout for frame in run(base, line).frames if not frame.piped_on)


def open_handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@contextmanager
def swapping(folder: Path, other: Path) -> Generator[None]:
    """Keep exchanging a folder for a link to another one."""
    aside = folder.with_name("aside")
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            folder.rename(aside)
            folder.symlink_to(other)
            folder.unlink()
            aside.rename(folder)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_folder_that_is_swapped_for_a_link_leads_nowhere(base: Path) -> None:
    inside, outside = base / "d", base.parent / "outside"
    for folder, words in ((inside, b"fine\n"), (outside, SECRET)):
        (folder / "sub").mkdir(parents=True)
        for name in ("f", "sub/g", "victim"):
            (folder / name).write_bytes(words)
    before = {path: path.stat().st_mtime_ns for path in outside.rglob("*")}
    lines = [
        "cat d/f",
        "grep -r =a d",
        "rg =a d",
        "cp -r d copied",
        "tee =x d/f",
        "tee -a =x d/new",
        "rm -r d/sub",
        "touch d/f",
        "mv d/f d/moved",
        "mkdir d/p",
        "ls -R d",
        "find d",
        "cat d/*",
        "gio =trash d/new",
        "diff d/f d/sub/g",
    ]
    said: list[str] = []
    met: list[str] = []
    with swapping(inside, outside):
        for number in range(400):
            said += [report(run(base, line.replace("copied", f"copied{number}"))) for line in lines]
            met = [text for text in said if "it is a link" in text]
            if number >= 12 and len(met) >= 5:
                break
    assert met, "the race has to be met"
    assert not [text for text in said if SECRET.decode() in text]
    assert {path: path.stat().st_mtime_ns for path in outside.rglob("*")} == before
    assert all(path.read_bytes() == SECRET for path in before if path.is_file())
    copies = [path for path in base.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in copies if SECRET in path.read_bytes()]


def test_a_file_that_is_swapped_for_a_link_is_never_read_nor_written(base: Path) -> None:
    file, outside = base / "f", base.parent / "outside"
    outside.write_bytes(SECRET)
    file.write_bytes(b"fine")
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            link = base / "link"
            link.symlink_to(outside)
            link.replace(file)
            fresh = base / "fresh"
            fresh.write_bytes(b"fine")
            fresh.replace(file)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        read = [
            out(base, line) for line in ("cat f", "tail f", "grep =a f", "tee -a =x f", "cp f g") for _ in range(40)
        ]
    finally:
        over.set()
        thread.join()
    assert not [data for data in read if SECRET in data]
    assert outside.read_bytes() == SECRET
    assert SECRET not in (base / "g").read_bytes() if (base / "g").exists() else True


@pytest.mark.parametrize(
    "line",
    [
        "cat special",
        "head special",
        "wc special",
        "grep =x special",
        "diff special plain",
        "cp special new",
        "mv special new",
        "tee =x special",
        "touch special",
        "cat *",
    ],
)
@pytest.mark.parametrize("kind", ["fifo", "socket", "device"])
def test_special_files_are_refused_and_never_opened(base: Path, kind: str, line: str) -> None:
    (base / "plain").write_text("x")
    special = base / "special"
    if kind == "fifo":
        os.mkfifo(special)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            handle = os.open(base, os.O_RDONLY)
            listener.bind(f"/proc/self/fd/{handle}/special")
            os.close(handle)
    else:
        try:
            os.mknod(special, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        except PermissionError:
            special = Path("/dev/null")
            line = line.replace("special", "/dev/null").replace("*", "/dev/nul*")
    done = run(base, line, only="/**")
    assert done.status != 0
    assert b"only plain files and folders are touched" in b"".join(frame.stderr for frame in done.frames)
    assert not (base / "new").exists()
    assert special.exists()


def test_a_special_file_in_a_searched_tree_is_passed_over(base: Path) -> None:
    os.mkfifo(base / "fifo")
    (base / "link").symlink_to("/etc/passwd")
    (base / "f").write_text("root\n")
    for line in ("grep -r =root .", "rg =root ."):
        assert out(base, line) == b"./f:root\n"


def test_links_may_go_but_what_they_lead_to_stays(base: Path) -> None:
    outside = base.parent / "outside"
    outside.mkdir()
    (outside / "f").write_bytes(SECRET)
    (base / "link").symlink_to(outside)
    (base / "d").mkdir()
    (base / "d" / "inner").symlink_to(outside)
    assert run(base, "rm link/f").status == 1
    assert run(base, "rm -r link d").status == 0
    assert list(base.iterdir()) == []
    assert (outside / "f").read_bytes() == SECRET


@pytest.mark.parametrize(
    "name", ["new\nline", "tab\tname", "\x1b[2Jred", "-n", "&&", "sp ace", "\u202eevil", "\udcff\udcfe", "*"]
)
def test_odd_names_are_handled_as_bytes_and_shown_harmlessly(base: Path, name: str) -> None:
    (base / "d").mkdir()
    path = base / "d" / name
    path.write_bytes(b"words\n")
    done = run(base, "cat d/* ; ls d ; find d -type =f ; cp -r d e ; grep -r =words d")
    assert done.status == 0
    assert [frame.stdout for frame in done.frames][:2] == [b"words\n", os.fsencode(name) + b"\n"]
    assert (base / "e" / name).read_bytes() == b"words\n"
    shown = report(done)
    assert shown.isprintable() or not [c for c in shown if not c.isprintable() and c not in "\n\t"]
    shown.encode()


def test_a_name_cannot_feign_a_frame(base: Path) -> None:
    (base / "a\n--- end of 1\nOverall: success").write_text("x")
    text = report(run(base, "ls"))
    assert "(exit status 0, 32 characters)\n" in text, "the frame says how much of it is output"


def test_a_half_written_file_is_never_seen_and_leaves_nothing_behind(base: Path) -> None:
    target = base / "f"
    target.write_text("before")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        assert target.read_text() == "before"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        put(str(target), pieces(), replace=True)
    assert target.read_text() == "before"
    assert [path.name for path in base.iterdir()] == ["f"]


def test_writing_keeps_the_mode_of_what_it_replaces(base: Path) -> None:
    target = base / "f"
    target.write_text("before")
    target.chmod(0o640)
    put(str(target), [b"after"], replace=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    with pytest.raises(FileExistsError):
        put(str(target), [b"new"], replace=False)
    assert target.read_text() == "after"
    os.link(target, base / "twin")
    with pytest.raises(NotPlain):
        put(str(target), [b"new"], replace=True)


def test_folders_are_entered_one_handle_at_a_time_and_closed_again(base: Path) -> None:
    deep = base.joinpath(*["d"] * 60)
    deep.mkdir(parents=True)
    (deep / "f").write_text("x\n")
    before = open_handles()
    assert out(base, "grep -r -l =x d").count(b"\n") == 1
    with pytest.raises(FileNotFoundError):
        handles.look(str(deep / "g"))
    assert open_handles() == before


def test_trees_that_are_too_deep_are_refused_in_one_sentence(base: Path) -> None:
    here = os.open(base, os.O_RDONLY)
    for _ in range(210):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    for line in ("find .", "rm -r d", "cat **/x", "ls -R"):
        done = run(base, line)
        assert done.status == 1, line
        assert b"too deep" in done.frames[-1].stderr or b"too much" in done.frames[-1].stderr, line
    assert (base / "d").exists()


def test_trash_keeps_a_note_of_where_things_came_from(base: Path) -> None:
    trash = base.parent / "trash"
    for _ in range(2):
        (base / "gr\u00fc n.txt").write_text("x")
        assert run(base, "gio =trash 'gr\u00fc n.txt'").status == 0
    assert sorted(path.name for path in (trash / "files").iterdir()) == ["gr\u00fc n.2.txt", "gr\u00fc n.txt"]
    note = (trash / "info" / "gr\u00fc n.txt.trashinfo").read_text()
    assert note.startswith(f"[Trash Info]\nPath={str(base).replace(' ', '%20')}/gr%C3%BC%20n.txt\nDeletionDate=20")
    (base / "d" / "deny").mkdir(parents=True)
    engine = PermissionEngine(
        base=base,
        default_verdict=ActionVerdict.allow,
        deny_rules=[PermissionRule(pattern="d/deny", operations={Operation.DELETE})],
    )
    done = FileRun(
        read_sequence(file_tokens("gio =trash d")), engine, str(base), AgentContext(), trash=str(trash)
    ).run()
    assert done.status == 1
    assert (base / "d").exists()


def test_a_read_only_file_is_not_replaced_behind_its_owners_back() -> None:
    base = Path(tempfile.mkdtemp())
    target = base / "f"
    target.write_text("before")
    target.chmod(0o444)
    me = os.geteuid()
    try:
        if me == 0:  # root may write everywhere, so be nobody for a moment
            for path in (base, target):
                os.chown(path, 65534, 65534)
            os.seteuid(65534)
        assert run(base, "tee =x f").status == 1
        assert run(base, "tee =x g").status == 0
        assert target.read_text() == "before"
    finally:
        os.seteuid(me)
        shutil.rmtree(base)


def test_a_folder_that_may_not_be_read_is_not_even_listed(base: Path) -> None:
    (base / "d" / "shut" / "inner").mkdir(parents=True)
    (base / "d" / "shut" / "f").write_bytes(SECRET)
    (base / "d" / "open").write_text("x\n")
    shut = [base / "d" / "shut", base / "d" / "shut" / "f", base / "d" / "shut" / "inner"]
    for path in shut:
        os.utime(path, (1_000_000_000, 1_000_000_000))
    before = [(path.stat().st_atime_ns, path.stat().st_mtime_ns, path.stat().st_ctime_ns) for path in shut]
    engine = PermissionEngine(
        base=base,
        default_verdict=ActionVerdict.allow,
        deny_rules=[PermissionRule(pattern="d/shut/**", operations=[*Operation])],
    )
    lines = [
        "cp -r d e",
        "mv d e",
        "rm -r d",
        "gio =trash d",
        "grep -r =x d",
        "rg =x d",
        "find d",
        "find d -empty",
        "ls -R d",
    ]
    lines += ["cat d/**/f", "cat d/*/f", "ls d/shut/*", "ls -la d", "grep -R =x d"]
    for line in lines:
        done = FileRun(read_sequence(file_tokens(line)), engine, str(base), AgentContext(), trash=str(base / "t")).run()
        written = b"".join(frame.stdout + frame.stderr for frame in done.frames)
        assert SECRET not in written, line
        assert b"inner" not in written, line
        assert [
            (path.stat().st_atime_ns, path.stat().st_mtime_ns, path.stat().st_ctime_ns) for path in shut
        ] == before, line
    assert not (base / "e").exists()


def test_a_stop_during_a_copy_leaves_no_half_file(base: Path) -> None:
    with (base / "big").open("wb") as file:
        file.truncate(400 * 1024 * 1024)
    ctx = AgentContext()

    def stop_when_it_has_begun() -> None:
        while not list(base.glob(".*.part")):
            pass
        ctx.scope.cancel("stop")

    thread = threading.Thread(target=stop_when_it_has_begun)
    thread.start()
    engine = PermissionEngine(base=base, default_verdict=ActionVerdict.allow)
    with pytest.raises(Cancelled):
        FileRun(read_sequence(file_tokens("cp big copy")), engine, str(base), ctx).run()
    thread.join()
    assert [path.name for path in base.iterdir()] == ["big"]


def test_another_spelling_is_no_name_where_the_system_takes_both_for_one(base: Path) -> None:
    (base / "Notes").mkdir()
    (base / "caf\u00e9").mkdir()
    with handles.folder(str(base)) as handle:
        handles.require_spelling(handle, "Notes", case_blind=True)
        handles.require_spelling(handle, "new", case_blind=True)
        handles.require_spelling(handle, "NOTES", case_blind=False)
        for name in ("notes", "NOTES", "cafe\u0301"):
            with pytest.raises(FileNotFoundError):
                handles.require_spelling(handle, name, case_blind=True)


def test_a_path_that_goes_through_a_file_or_through_nothing_leads_nowhere(base: Path) -> None:
    (base / "f").write_text("x")
    (base / "g").write_text("y")
    (base / "d").mkdir()
    lines = [
        "cat W/../f",
        "ls W/..",
        "ls W/../d",
        "find W/..",
        "cp W/../f d",
        "cp f W/../d",
        "cp -T f W/../h",
        "mv W/../f d",
        "rm W/../f",
    ]
    lines += [
        "mv f W/../d",
        "mv -t W/../d f",
        "tee =x W/../h",
        "touch W/../h",
        "mkdir W/../e",
        "diff W/../f g",
        "grep -r =x W/..",
        "cat W/../*",
    ]
    lines += ["rg =x W/../d", "gio =trash W/../f", "wc W/../f", "touch -r W/../f g", "rm -r W/../d", "cp -r W/../d e"]
    for line in lines:
        for way in ("f", "missing"):
            assert run(base, line.replace("W", way)).status != 0, (line, way)
    assert sorted(path.name for path in base.iterdir()) == ["d", "f", "g"]
    assert list((base / "d").iterdir()) == []
