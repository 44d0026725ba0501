"""Asking and telling the person of a run: by terminal, through a host program, and where nobody is."""

import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from io import StringIO
from typing import TextIO

import pytest

from edgevox.chains.channels import CliChannel, HostChannel, NobodyChannel
from edgevox.chains.io import NOBODY, TERMINAL, channel_for, interact_with_user
from edgevox.chains.modes import AgentMode
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, UserInputUnavailable
from edgevox.core.running import current_run, running
from edgevox.core.session import AgentContext
from edgevox.testing import ScriptedPerson

AT_ONCE_S = 2.0
"""Much less than any of the waits that must not be sat out."""


@contextmanager
def pipe() -> Generator[tuple[TextIO, TextIO]]:
    """Both ends of a pipe: to read and to write."""
    read, write = os.pipe()
    with os.fdopen(read, "r") as reader, os.fdopen(write, "w") as writer:
        yield reader, writer


def cancelled_soon(scope: CancelScope) -> None:
    threading.Timer(0.05, scope.cancel).start()


# The terminal


def test_the_terminal_prints_the_question_and_takes_the_next_line() -> None:
    shown = StringIO()
    with pipe() as (reader, writer):
        writer.write("forty-two\r\nmore\n")
        writer.flush()
        channel = CliChannel(reader, shown)
        assert channel.request_input("How many?", 5, CancelScope()) == "forty-two"
        assert channel.request_input("And?", 5, CancelScope()) == "more"
    assert shown.getvalue() == "How many?\nAnd?\n"


def test_a_line_that_python_read_ahead_is_not_lost() -> None:
    with pipe() as (reader, writer):
        writer.write("first\nsecond\nthird\n")
        writer.flush()
        assert reader.readline() == "first\n"
        channel = CliChannel(reader, StringIO())
        assert channel.request_input("?", 5, CancelScope()) == "second"
        assert reader.readline() == "third\n"


def test_a_question_that_nobody_answers_is_over_when_its_time_is() -> None:
    with pipe() as (reader, writer):
        channel, began = CliChannel(reader, StringIO()), time.monotonic()
        assert channel.request_input("?", 0.1, CancelScope()) is None
        assert 0.1 <= time.monotonic() - began < AT_ONCE_S
        writer.write("late\n")
        writer.flush()
        assert channel.request_input("?", 5, CancelScope()) == "late"


def test_the_end_of_the_scope_ends_the_question() -> None:
    with pipe() as (reader, _):
        scope, began = CancelScope(), time.monotonic()
        cancelled_soon(scope)
        assert CliChannel(reader, StringIO()).request_input("?", 60, scope) is None
        assert time.monotonic() - began < AT_ONCE_S


def test_a_half_line_holds_up_neither_the_time_nor_the_stop() -> None:
    with pipe() as (reader, writer):
        channel, scope = CliChannel(reader, StringIO()), CancelScope()
        writer.write("half")
        writer.flush()
        assert channel.request_input("?", 0.1, scope) is None
        cancelled_soon(scope)
        assert channel.request_input("?", 60, scope) is None
        writer.write(" and whole\n")
        writer.flush()
        assert channel.request_input("?", 5, CancelScope()) == "half and whole"


def test_an_input_that_has_ended_says_that_nobody_can_answer() -> None:
    with pytest.raises(UserInputUnavailable, match="standard input has ended"):
        CliChannel(StringIO(""), StringIO()).request_input("?", 5, CancelScope())


def test_an_input_that_cannot_be_read_says_so_in_a_sentence() -> None:
    source = StringIO("x")
    source.close()
    with pytest.raises(UserInputUnavailable, match="cannot be read"):
        CliChannel(source, StringIO()).request_input("?", 5, CancelScope())


# A host program


class Host:
    """A program that shows questions in a window of its own."""

    def __init__(self, answer: str | Exception | None = "blue", *, takes_s: float = 0.0) -> None:
        self.shown: list[str] = []
        self._answer = answer
        self._takes_s = takes_s
        self.over = threading.Event()

    def request_input(self, message: str, timeout: float | None) -> str | None:
        self.shown.append(f"{message} ({timeout})")
        self.over.wait(self._takes_s)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def notify(self, message: str) -> None:
        self.shown.append(message)


def test_a_host_is_asked_and_told() -> None:
    host = Host()
    channel = HostChannel(host)
    channel.notify("Painting.")
    assert channel.request_input("Which colour?", 5, CancelScope()) == "blue"
    assert host.shown == ["Painting.", "Which colour? (5)"]


def test_a_host_that_hangs_is_left_behind() -> None:
    host, scope, began = Host(takes_s=60), CancelScope(), time.monotonic()
    assert HostChannel(host).request_input("?", 0.05, CancelScope()) is None
    cancelled_soon(scope)
    assert HostChannel(host).request_input("?", None, scope) is None
    assert time.monotonic() - began < AT_ONCE_S
    host.over.set()


def test_what_a_host_raises_reaches_the_tool() -> None:
    with pytest.raises(RuntimeError, match="the window is closed"):
        HostChannel(Host(RuntimeError("the window is closed"))).request_input("?", 5, CancelScope())


# Which person


def test_outside_any_run_it_is_the_terminal() -> None:
    assert current_run() is None
    assert channel_for(AgentMode.STEERABLE, AgentContext()) is TERMINAL


def test_a_run_has_the_channel_of_its_context_or_of_the_run_around_it() -> None:
    own, outer = ScriptedPerson(), ScriptedPerson()
    assert channel_for(AgentMode.DETERMINISTIC, AgentContext(channel=own)) is own
    with running(AgentContext(channel=outer)):
        assert channel_for(AgentMode.STEERABLE, AgentContext()) is outer
        assert channel_for(AgentMode.STEERABLE, AgentContext(channel=own)) is own


def test_an_autonomous_run_has_nobody() -> None:
    channel = channel_for(AgentMode.AUTONOMOUS, AgentContext(channel=ScriptedPerson("yes")))
    assert channel is NOBODY
    with running(AgentContext(channel=channel)):
        for with_reply in (True, False):
            with pytest.raises(UserInputUnavailable, match="may not ask a person"):
                interact_with_user("Anybody?", with_reply)  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_a_run_without_a_channel_says_that_nobody_is_there() -> None:
    with running(AgentContext()), pytest.raises(UserInputUnavailable, match="Nobody is there"):
        interact_with_user("Anybody?")


def test_a_tool_asks_and_tells_the_person_of_its_run() -> None:
    friend = ScriptedPerson("green", None)
    with running(AgentContext(channel=friend)):
        assert interact_with_user("Which colour?", timeout_s=3) == "green"
        assert interact_with_user("Painting.", with_reply=False) is None
        assert interact_with_user("Another?") is None
    assert friend.heard == ["Which colour?", "Painting.", "Another?"]
    assert friend.limits == [3, None]


def test_a_run_that_has_ended_asks_and_tells_nobody() -> None:
    friend, ctx = ScriptedPerson("too late"), AgentContext()
    ctx.channel = friend
    ctx.scope.cancel("stop")
    with running(ctx):
        with pytest.raises(Cancelled):
            interact_with_user("Which colour?")
        with pytest.raises(Cancelled):
            interact_with_user("Painting.", with_reply=False)
    assert friend.heard == []


def test_an_answer_that_comes_with_the_stop_does_not_go_on() -> None:
    class Hasty(ScriptedPerson):
        def request_input(self, message: str, timeout_s: float | None, scope: CancelScope) -> str | None:
            scope.cancel("stop")
            return "now"

    with running(AgentContext(channel=Hasty())), pytest.raises(Cancelled):
        interact_with_user("Which colour?")


def test_runs_within_runs_are_counted_and_the_same_run_once() -> None:
    outer, inner = AgentContext(), AgentContext()
    with running(outer, "a") as first, running(outer) as same, running(inner, "b") as second:
        assert (first.depth, same.depth, second.depth) == (1, 1, 2)
        assert (same.agent_name, second.agent_name) == ("a", "b")
    assert current_run() is None


def test_nobody_refuses_both_ways() -> None:
    with pytest.raises(UserInputUnavailable):
        NobodyChannel().notify("Hello.")
