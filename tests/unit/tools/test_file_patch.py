"""The patch tool keeps bytes, changes a file as a whole or not at all, and passes the same permission."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgevox.core.errors import ToolFailure
from edgevox.core.values import Str
from edgevox.testing import follow_chain
from edgevox.tools import Tool
from edgevox.tools.files import get_patch_file
from edgevox.tools.files.patch import FilePatch
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionRule

ALL = (Operation.READ, Operation.CREATE, Operation.DELETE)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "base").mkdir()
    return tmp_path / "base"


@pytest.fixture
def tools(base: Path) -> list[Tool]:
    return get_patch_file(base=base, allow_rules=[PermissionRule(pattern="**", operations=ALL)])


def patch(tools: list[Tool], path: str, old: str, new: str, *, everywhere: bool = False) -> str:
    done = follow_chain(tools, FilePatch(path=path, old_string=old, new_string=new, replace_all=everywhere))
    assert isinstance(done, Str)
    return done.value


def refusal(tools: list[Tool], path: str, old: str, new: str) -> str:
    with pytest.raises(ToolFailure) as raised:
        patch(tools, path, old, new)
    return str(raised.value)


def test_one_place_is_changed_and_counted(tools: list[Tool], base: Path) -> None:
    (base / "f").write_text("one two three")
    assert patch(tools, "f", "two", "2") == "Changed 1 place in 'f'."
    assert (base / "f").read_text() == "one 2 three"


def test_several_places_need_replace_all(tools: list[Tool], base: Path) -> None:
    (base / "f").write_text("a b a")
    assert "stands 2 times" in refusal(tools, "f", "a", "c")
    assert (base / "f").read_text() == "a b a"
    assert patch(tools, "f", "a", "c", everywhere=True) == "Changed 2 places in 'f'."
    assert (base / "f").read_text() == "c b c"


def test_text_that_is_not_there_is_an_error(tools: list[Tool], base: Path) -> None:
    (base / "f").write_text("words")
    assert "does not stand in 'f'" in refusal(tools, "f", "other", "x")
    assert "is not there" in refusal(tools, "g", "other", "x")


def test_an_empty_old_string_writes_the_whole_file_and_makes_its_folders(tools: list[Tool], base: Path) -> None:
    assert patch(tools, "d/e/f", "", "fresh\n") == "Made 'd/e/f', 6 bytes."
    assert patch(tools, "d/e/f", "", "again") == "Wrote 'd/e/f', 5 bytes."
    assert (base / "d" / "e" / "f").read_text() == "again"


@pytest.mark.parametrize("path", ["*", "f?", "[f]", "f/", "link", "way/f", "twin", "way/../f", ".", "a\0b", ""])
def test_patterns_links_folders_and_twins_are_refused(tools: list[Tool], base: Path, path: str) -> None:
    (base / "f").write_text("words")
    (base / "d").mkdir()
    (base / "link").symlink_to("f")
    (base / "way").symlink_to("d")
    (base / "t").write_text("words")
    os.link(base / "t", base / "twin")
    assert refusal(tools, path, "words", "x").startswith("Nothing was changed: ")
    assert (base / "f").read_text() == "words"
    assert (base / "t").read_text() == "words"


@pytest.mark.parametrize(
    "data", [b"one\r\ntwo\r\n", b"\xef\xbb\xbfone\ntwo", b"one\rtwo", b"one\n\n\ntwo \t\n", b"one\x0b\x0c\x00two\r\n\n"]
)
def test_everything_around_a_change_stays_byte_for_byte(tools: list[Tool], base: Path, data: bytes) -> None:
    (base / "f").write_bytes(data)
    patch(tools, "f", "one", "ONE")
    assert (base / "f").read_bytes() == data.replace(b"one", b"ONE")


def test_a_change_over_several_lines_takes_the_line_ends_of_the_file(tools: list[Tool], base: Path) -> None:
    (base / "f").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    patch(tools, "f", "one\ntwo\n", "1\n2\n2b\n")
    assert (base / "f").read_bytes() == b"1\r\n2\r\n2b\r\nthree\r\n"


def test_what_is_no_utf8_is_left_alone_in_one_sentence(tools: list[Tool], base: Path) -> None:
    (base / "f").write_bytes(b"one\xfftwo")
    assert (
        refusal(tools, "f", "one", "x") == "Nothing was changed: 'f' is not UTF-8 text (byte 3), so it is left alone."
    )
    assert (base / "f").read_bytes() == b"one\xfftwo"


def test_the_mode_of_a_file_stays(tools: list[Tool], base: Path) -> None:
    (base / "f").write_text("#!/bin/sh")
    (base / "f").chmod(0o750)
    patch(tools, "f", "sh", "bash")
    assert (base / "f").stat().st_mode & 0o777 == 0o750


def test_a_change_needs_leave_to_read_create_and_delete(base: Path) -> None:
    (base / "f").write_text("words")
    tools = get_patch_file(
        base=base, allow_rules=[PermissionRule(pattern="**", operations={Operation.READ, Operation.CREATE})]
    )
    with pytest.raises(ToolFailure) as raised:
        patch(tools, "f", "words", "x")
    assert raised.value.error_code == "denied"
    assert str(raised.value) == "Nothing was changed: no permission to delete 'f'."
    assert patch(tools, "new", "", "x").startswith("Made")


@pytest.mark.parametrize("old", ["", "words"])
def test_a_denied_change_is_the_same_whether_or_not_the_file_exists(base: Path, old: str) -> None:
    tools = get_patch_file(base=base)
    absent = refusal(tools, "f", old, "x")
    (base / "f").write_text("words")
    assert refusal(tools, "f", old, "x") == absent


def test_a_default_of_allow_still_leaves_the_views_of_the_system_shut(base: Path) -> None:
    tools = get_patch_file(base=base, default_verdict=ActionVerdict.allow)
    assert "no permission" in refusal(tools, "/proc/self/comm", "", "x")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.text(st.sampled_from("ab\r\n\u00e9"), max_size=30),
    old=st.text("ab\n", min_size=1, max_size=3),
    new=st.text("xy\n", max_size=4),
)
def test_a_change_is_what_replacing_bytes_would_be(
    tools: list[Tool], base: Path, before: str, old: str, new: str
) -> None:
    data = before.encode()
    (base / "f").write_bytes(data)
    crlf = b"\r\n" in data and data.count(b"\n") == data.count(b"\r\n")
    one, other = (text.encode().replace(b"\n", b"\r\n") if crlf else text.encode() for text in (old, new))
    if one in data:
        patch(tools, "f", old, new, everywhere=True)
    else:
        refusal(tools, "f", old, new)
    assert (base / "f").read_bytes() == data.replace(one, other)
