"""The sandbox's areas and the rules they come to."""

from pathlib import Path

import pytest

from edgevox.tools.files import PermissionPolicy, Sandbox
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine

READ, CREATE, DELETE = Operation.READ, Operation.CREATE, Operation.DELETE
ALLOW, ASK, DENY = ActionVerdict.allow, ActionVerdict.ask, ActionVerdict.deny


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "root"


def judge(engine: PermissionEngine, operation: Operation, path: Path | str) -> ActionVerdict:
    return engine.judge(operation, f"file:{path}")


def test_a_project_may_be_changed_what_is_shared_is_asked_and_the_rest_is_read(root: Path) -> None:
    engine = Sandbox(root, scope="garden").policy().engine()
    assert judge(engine, READ, root / "readonly" / "a") is ALLOW
    assert judge(engine, CREATE, root / "projects" / "garden" / "a") is ALLOW
    assert judge(engine, DELETE, root / "shared" / "a") is ASK
    for path in ("readonly/a", "projects/other/a", "projects", "elsewhere", "projects/gardens/a"):
        assert judge(engine, CREATE, root / path) is DENY, path
    assert judge(engine, READ, root.parent / "x") is DENY
    assert not root.exists(), "it makes no folders"


@pytest.mark.parametrize("name", ["a/b", "..", ".", "", "/abs", "a\0b"])
def test_a_scope_that_is_no_project_is_refused_and_the_one_before_stays(root: Path, name: str) -> None:
    sandbox = Sandbox(root, scope="garden")
    with pytest.raises(ValueError, match="scope"):
        sandbox.scope = name
    assert sandbox.scope == "garden"


def test_a_link_is_no_project_even_if_it_becomes_one_later(root: Path) -> None:
    (root / "projects").mkdir(parents=True)
    (root / "projects" / "link").symlink_to(root)
    sandbox = Sandbox(root)
    with pytest.raises(ValueError, match="is a link"):
        sandbox.scope = "link"
    sandbox.scope = "later"
    (root / "projects" / "later").symlink_to(root)
    with pytest.raises(ValueError, match="is a link"):
        sandbox.policy()


def test_a_project_called_star_grants_nothing_to_its_siblings(root: Path) -> None:
    engine = Sandbox(root, scope="*").policy().engine()
    assert judge(engine, CREATE, root / "projects" / "*" / "a") is ALLOW
    assert judge(engine, CREATE, root / "projects" / "other" / "a") is DENY


@pytest.mark.parametrize(
    "areas",
    [
        {"shared": "readonly"},
        {"shared": "readonly/inner"},
        {"projects": ".."},
        {"readonly": "/etc"},
        {"readonly": ""},
        {"logs": "../logs"},
        {"logs": "memory"},
        {"snapshots": "logs/inner"},
        {"memory": ""},
        {"logs": "."},
    ],
)
def test_areas_that_overlap_or_leave_the_root_are_refused(root: Path, areas: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"overlap|must"):
        Sandbox(root, **areas)


def test_a_project_has_places_for_what_it_keeps(root: Path, tmp_path: Path) -> None:
    sandbox = Sandbox(root, logs=str(tmp_path / "logs"))
    with pytest.raises(ValueError, match="no project"):
        _ = sandbox.memory
    scoped = sandbox.for_project("garden")
    assert (sandbox.scope, scoped.scope) == (None, "garden")
    assert scoped.logs == tmp_path / "logs"
    assert scoped.memory == root / "projects" / "garden" / "memory"
    assert scoped.snapshots == root / "projects" / "garden" / "snapshots"


def test_the_local_policy_is_one_folder_and_nothing_else(root: Path) -> None:
    engine = PermissionPolicy.local(root).engine("dev")
    assert all(judge(engine, operation, root / "a" / "b") is ALLOW for operation in (READ, CREATE, DELETE))
    assert judge(engine, READ, root.parent) is DENY
    assert judge(engine, Operation.SEND, root / "a") is DENY
    assert engine.principal == "dev"
