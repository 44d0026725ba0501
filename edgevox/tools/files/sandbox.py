"""Where the agents of a project may work: areas of one root folder, and the permission rules that they come to.

Makes no folder and is no sandbox of the operating system: it says what the guarded tools may touch.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule, escaped

_CHANGES = frozenset({Operation.CREATE, Operation.DELETE})
_ALL = frozenset({Operation.READ, Operation.CREATE, Operation.DELETE})


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionPolicy:
    """Rules that belong together, ready to make an engine of."""

    base: Path
    """Folder that relative paths are below; absolute, without links."""
    allow_rules: tuple[PermissionRule, ...] = ()
    ask_rules: tuple[PermissionRule, ...] = ()
    deny_rules: tuple[PermissionRule, ...] = ()
    default_verdict: ActionVerdict = ActionVerdict.deny
    takes_precedence: ActionVerdict = ActionVerdict.deny

    @classmethod
    def local(cls, root: Path | str) -> Self:
        """Return the policy that reads, creates and deletes everything under one folder and nothing else."""
        base = Path(os.path.realpath(root))
        return cls(base=base, allow_rules=(_rule(base, _ALL),))

    def engine(self, principal: str = "") -> PermissionEngine:
        """Return an engine with these rules, for `get_run_file_command(engine=…)` and its like.

        Args:
            principal: the agent that asks.
        """
        return PermissionEngine(
            base=self.base,
            allow_rules=self.allow_rules,
            ask_rules=self.ask_rules,
            deny_rules=self.deny_rules,
            default_verdict=self.default_verdict,
            takes_precedence=self.takes_precedence,
            principal=principal,
        )


class Sandbox:
    """The areas of a root folder: what is read, what projects share, and each project's own.

    Args:
        root: the folder; links to it are resolved once.
        readonly: what is only read.
        shared: what projects share; changes there are asked about.
        projects: one folder for each project.
        logs: where the logs of a project go: inside the project, or absolute.
        snapshots: where its snapshots go.
        memory: where its memory goes.
        scope: the project that may be changed; `None` is none yet.

    Raises:
        ValueError: areas overlap or leave the root, or the scope is no project's name.
    """

    def __init__(
        self,
        root: Path | str,
        *,
        readonly: str = "readonly",
        shared: str = "shared",
        projects: str = "projects",
        logs: str = "logs",
        snapshots: str = "snapshots",
        memory: str = "memory",
        scope: str | None = None,
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.readonly, self.shared, self.projects = (self._area(name) for name in (readonly, shared, projects))
        _refuse_overlaps((self.readonly, self.shared, self.projects))
        self._kept = {"logs": logs, "snapshots": snapshots, "memory": memory}
        _refuse_overlaps([_kept(Path("/project"), name, given) for name, given in self._kept.items()])
        self._scope: str | None = None
        if scope is not None:
            self.scope = scope

    @property
    def scope(self) -> str | None:
        """The project that may be changed; one name, a folder directly in `projects`."""
        return self._scope

    @scope.setter
    def scope(self, name: str | None) -> None:
        if name is not None:
            self._require_project(name)
        self._scope = name

    @property
    def project(self) -> Path:
        """The folder of the project, looked at again each time.

        Raises:
            ValueError: there is no scope, or its folder has become a link.
        """
        if self._scope is None:
            raise ValueError("The sandbox has no project: set its scope to a name such as 'garden'.")
        return self._require_project(self._scope)

    @property
    def logs(self) -> Path:
        """Where the project's logs go."""
        return _kept(self.project, "logs", self._kept["logs"])

    @property
    def snapshots(self) -> Path:
        """Where the project's snapshots go."""
        return _kept(self.project, "snapshots", self._kept["snapshots"])

    @property
    def memory(self) -> Path:
        """Where the project's memory goes."""
        return _kept(self.project, "memory", self._kept["memory"])

    def for_project(self, name: str) -> "Sandbox":
        """Return the same sandbox for one project.

        Raises:
            ValueError: it is no project's name.
        """
        areas = {
            area: getattr(self, area).relative_to(self.root).as_posix() for area in ("readonly", "shared", "projects")
        }
        return Sandbox(self.root, **areas, **self._kept, scope=name)

    def policy(self) -> PermissionPolicy:
        """Return the rules: read all of the root, change the project, ask before changing what is shared.

        Raises:
            ValueError: the project's folder has become a link.
        """
        allow = [_rule(self.root, {Operation.READ}), _rule(self.shared, _CHANGES)]
        if self._scope is not None:
            allow.append(_rule(self.project, _CHANGES))
        return PermissionPolicy(
            base=self.root,
            allow_rules=tuple(allow),
            ask_rules=(_rule(self.shared, _CHANGES),),
            takes_precedence=ActionVerdict.allow,
        )

    def _area(self, name: str) -> Path:
        path = self.root / name
        if not name or ".." in path.parts or self.root not in path.parents:
            raise ValueError(f"The area {name!r} must be a folder inside {self.root}.")
        return path

    def _require_project(self, name: str) -> Path:
        if not name or name in (".", "..") or "/" in name or "\0" in name:
            raise ValueError(f"The scope {name!r} must be the name of one folder in {self.projects}.")
        path = self.projects / name
        for folder in (self.projects, path):
            if folder.is_symlink():
                raise ValueError(f"The scope {name!r} cannot be used: {folder} is a link.")
        return path


def _kept(project: Path, what: str, given: str) -> Path:
    path = Path(given)
    if ".." in path.parts or not given or path == Path():
        raise ValueError(f"The folder for {what}, {given!r}, must lie inside the project, or be absolute.")
    return path if path.is_absolute() else project / path


def _refuse_overlaps(paths: Iterable[Path]) -> None:
    listed = list(paths)
    for index, path in enumerate(listed):
        for other in listed[index + 1 :]:
            if path == other or path in other.parents or other in path.parents:
                raise ValueError(f"{path} and {other} overlap: give each a folder of its own.")


def _rule(folder: Path, operations: Iterable[Operation]) -> PermissionRule:
    return PermissionRule(pattern=f"{escaped(str(folder)).rstrip('/')}/**", operations=operations)
