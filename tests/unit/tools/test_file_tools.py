"""The small file tools: one or two texts in, one sentence or a page out."""

from pathlib import Path

import pytest

from edgevox.core.messages import ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect
from edgevox.tools import ToolRegistry
from edgevox.tools.files import PermissionPolicy, file_tools
from edgevox.tools.permissions import Operation, PermissionEngine, PermissionRule


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "base").mkdir()
    return tmp_path / "base"


@pytest.fixture
def registry(base: Path) -> ToolRegistry:
    return ToolRegistry(file_tools(PermissionPolicy.local(base).engine(), trash=base.parent / "trash"))


def call(registry: ToolRegistry, name: str, **arguments: object) -> str:
    result = registry.dispatch(name, arguments, AgentContext())
    assert result.status is ResultStatus.SUCCESS, result.error
    return str(result.result)


def failure(registry: ToolRegistry, name: str, **arguments: object) -> tuple[str | None, str | None]:
    result = registry.dispatch(name, arguments, AgentContext())
    assert result.status is ResultStatus.ERROR
    return result.error, result.error_code


def test_a_file_is_written_found_read_moved_and_thrown_away(registry: ToolRegistry, base: Path) -> None:
    assert call(registry, "write_file", path="notes/milk.txt", text="Buy milk\n") == "Wrote 'notes/milk.txt'."
    assert (
        call(registry, "write_file", path="notes/milk.txt", text="and tea\n", append=True)
        == "Added to 'notes/milk.txt'."
    )
    assert call(registry, "read_file", path="notes/milk.txt") == "Buy milk\nand tea\n"
    assert call(registry, "list_files") == "notes/\n"
    assert call(registry, "search_files", text="MILK") == "./notes/milk.txt:1:Buy milk\n"
    assert call(registry, "search_files", text="beer") == "No file there contains 'beer'."
    assert (
        call(registry, "move_file", source="notes/milk.txt", destination="done.txt")
        == "Moved 'notes/milk.txt' to 'done.txt'."
    )
    assert call(registry, "list_files", folder="notes") == "The folder is empty."
    assert call(registry, "trash_file", path="done.txt") == "'done.txt' is in the wastebasket."
    assert (base.parent / "trash" / "files" / "done.txt").read_text() == "Buy milk\nand tea\n"


def test_long_files_are_read_in_pages(registry: ToolRegistry, base: Path) -> None:
    (base / "long").write_text("".join(f"line {number}\n" for number in range(1, 2001)))
    first = call(registry, "read_file", path="long")
    assert len(first) < 3_600
    tail = first.splitlines()[-1]
    assert tail.startswith("(the file goes on: first_line=")
    following = call(registry, "read_file", path="long", first_line=int(tail.strip("()").rpartition("=")[2]))
    assert following.splitlines()[0] == f"line {len(first.splitlines())}"
    assert call(registry, "read_file", path="long", first_line=5000) == "The file has fewer lines."
    (base / "wide").write_text("x" * 20_000 + "\nend\n")
    assert call(registry, "read_file", path="wide").endswith("(the file goes on: first_line=2)")
    (base / "empty").touch()
    assert call(registry, "read_file", path="empty") == "The file is empty."


def test_many_hits_and_names_are_cut_with_a_count(registry: ToolRegistry, base: Path) -> None:
    for number in range(600):
        (base / f"a-rather-long-name-{number}.txt").write_text("hit\n")
    for answer in (call(registry, "list_files"), call(registry, "search_files", text="hit")):
        assert len(answer) < 3_600
        assert answer.endswith("more lines are left out)")


def test_what_goes_wrong_is_one_sentence(registry: ToolRegistry, base: Path) -> None:
    (base / "link").symlink_to("/etc/passwd")
    assert failure(registry, "read_file", path="missing") == ("'missing': No such file or directory.", "failed")
    assert failure(registry, "read_file", path="/etc/passwd") == ("no permission to read '/etc/passwd'.", "denied")
    assert failure(registry, "read_file", path="link") == (
        "'link': it is a link, and links are not followed.",
        "failed",
    )
    assert failure(registry, "write_file", path="../x", text="x") == ("no permission to create '../x'.", "denied")
    assert failure(registry, "write_file", path="*", text="x")[1] == "failed"
    assert failure(registry, "move_file", source="missing", destination="x")[1] == "failed"
    assert failure(registry, "trash_file", path=".")[1] == "failed"
    assert failure(registry, "list_files", folder="missing")[1] == "failed"
    assert failure(registry, "search_files", text="x", folder="/etc") == ("no permission to read '/etc'.", "denied")


def test_reading_tools_promise_to_change_nothing_and_schemas_are_small(base: Path) -> None:
    engine = PermissionEngine(base=base, allow_rules=[PermissionRule(pattern="**", operations={Operation.READ})])
    tools = file_tools(engine)
    assert [tool.name for tool in tools] == [
        "list_files", "read_file", "search_files", "write_file", "move_file", "trash_file",
    ]  # fmt: skip
    assert [tool.effect for tool in tools[:3]] == [Effect.READ] * 3
    for tool in tools:
        properties = tool.spec.input_schema["properties"]
        assert len(properties) <= 3
        assert all(field["type"] in ("string", "integer", "boolean") for field in properties.values())
    registry = ToolRegistry(tools)
    assert failure(registry, "write_file", path="a", text="x") == ("no permission to create 'a'.", "denied")
