"""`get_run_file_command`: file commands as a chain of typed tools, with the permission as a link of its own.

    run_file_command -> guard_file_command -> execute_file_command -> continue_file_command -> guard_file_command …

Knows the links. What a command does, and what may be touched, is decided below them.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from edgevox.core.messages import Message, Severity, Truncation
from edgevox.core.values import Empty
from edgevox.tools.decorator import tool
from edgevox.tools.definition import Tool
from edgevox.tools.files.leave import Rules, engine_for, guarding
from edgevox.tools.files.report import report
from edgevox.tools.files.running import FileRun
from edgevox.tools.files.tokens import read_sequence
from edgevox.tools.files.under_way import UnderWay, context
from edgevox.tools.permissions import ActionVerdict, PermissionEngine, PermissionRule

_UNSEEN = Truncation(threshold=0, severity=Severity.REMOVE)
"""Steps between the first and the last are nobody's reading."""
_STUB = Truncation(threshold=0, severity=Severity.STUB)
_LATER = Truncation(threshold=2, severity=Severity.LIGHT)
"""A long report is read, and read again; then its beginning is enough."""

Tagged = tuple[str, Literal["CMD", "FLG", "ARG", "PTH", "CTL"]]


class FileCommandCall(Empty):
    """File commands as [text, tag] pairs."""

    value: list[Tagged] = Field(
        description='Tokens in order, such as [["cat","CMD"],["-n","FLG"],["a.txt","PTH"],["&&","CTL"],["pwd","CMD"]].'
    )

    @model_validator(mode="after")
    def _check(self) -> "FileCommandCall":
        """Refuse what no part of could run."""
        read_sequence(self.value)
        return self


class FileStep(Empty):
    """One command of a call was reached."""

    run: int = 0
    """Which call."""


class GuardedStep(FileStep):
    """The guard has decided on the command."""

    allowed: bool


class FileReport(FileStep):
    """The call is over; this is what its model reads."""

    value: str

    @model_serializer(mode="wrap")
    def _without_run(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        held: dict[str, Any] = handler(self)
        held.pop("run", None)
        return held


def get_run_file_command(
    *,
    base: Path | str | None = None,
    default_verdict: ActionVerdict = ActionVerdict.deny,
    allow_rules: Iterable[PermissionRule] = (),
    ask_rules: Iterable[PermissionRule] = (),
    deny_rules: Iterable[PermissionRule] = (),
    takes_precedence: ActionVerdict = ActionVerdict.deny,
    principal: str = "",
    engine: PermissionEngine | None = None,
    trash: Path | str | None = None,
) -> list[Tool]:
    """Return the file command tool: a chain of four, of which a model sees the first, `run_file_command`.

    Pass the list among an agent's tools, and `edgevox.tools.files.cli_skill` among its skills.

    Args:
        base: folder that relative paths and patterns are below; grants nothing by itself. The engine's when not given.
        default_verdict: what holds where no rule speaks.
        allow_rules: what may be done.
        ask_rules: what of that a person has to say yes to.
        deny_rules: what may not be done.
        takes_precedence: for what both lists cover.
        principal: the agent that the rules' principals mean.
        engine: an engine that is there already, in place of rules.
        trash: folder of the wastebasket; the person's own when not given.

    Raises:
        ConfigError: the base is no folder, or this system has no folder handles.
        ValueError: the rules cannot be used.
    """
    rules = Rules(default_verdict, allow_rules, ask_rules, deny_rules, takes_precedence, principal)
    guard, root = guarding(base, rules, engine)
    return _chained(guard, root, principal or None, None if trash is None else os.fspath(trash))


def _chained(engine: PermissionEngine, base: str, principal: str | None, trash: str | None) -> list[Tool]:
    runs = UnderWay[FileRun]("run_file_command")

    @tool
    def run_file_command(input: FileCommandCall, messages: list[Message]) -> FileStep:  # noqa: ARG001 - the form of a link
        """Work on files with commands such as ls, cat, grep, find, cp, mv, tee: one list of [text, tag] tokens.

        Tags: CMD command, FLG one option, ARG value or pattern, PTH path, CTL one of | && || ;
        """
        ctx = context()
        sequence = read_sequence(input.value)
        started = FileRun(sequence, engine_for(engine, ctx), base, ctx, principal=principal, trash=trash)
        return FileStep(run=runs.add(started), truncation=_STUB)

    @tool(chained_to=run_file_command)
    def guard_file_command(input: FileStep, messages: list[Message]) -> GuardedStep:  # noqa: ARG001 - the form of a link
        """Decide whether the command that is reached may run."""
        return GuardedStep(run=input.run, allowed=runs.get(input.run).guard(), truncation=_UNSEEN)

    @tool(chained_to=guard_file_command, chain_condition=_is_allowed)
    def execute_file_command(input: GuardedStep, messages: list[Message]) -> FileStep:  # noqa: ARG001 - the form of a link
        """Run the command that has leave."""
        runs.get(input.run).execute()
        return FileStep(run=input.run, truncation=_UNSEEN)

    @tool(chained_to=[execute_file_command, (guard_file_command, _is_refused)])
    def continue_file_command(input: FileStep, messages: list[Message]) -> FileStep | FileReport:  # noqa: ARG001 - the form of a link
        """Go on to the next command that the operators let be reached, or end."""
        run = runs.get(input.run)
        if run.advance():
            return FileStep(run=input.run, truncation=_UNSEEN)
        runs.take(input.run)
        return FileReport(value=report(run), truncation=_LATER)

    guard_file_command.chain([(continue_file_command, _goes_on)])
    return [run_file_command, guard_file_command, execute_file_command, continue_file_command]


def _is_allowed(step: GuardedStep) -> bool:
    return step.allowed


def _is_refused(step: GuardedStep) -> bool:
    return not step.allowed


def _goes_on(step: FileStep) -> bool:
    return not isinstance(step, FileReport)
