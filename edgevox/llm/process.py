"""A local model in a child process: a crash of llama.cpp costs one answer, and its output never reaches the terminal.

Starts the child, speaks with it, tells it to stop, and replaces it when it does not.
"""

import itertools
import logging
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import edgevox
from edgevox.config.child_env import scrubbed_environment
from edgevox.config.paths import log_dir
from edgevox.core.errors import (
    ContextOverflow,
    EdgeVoxError,
    LanguageModelError,
    LibraryMissing,
    ModelCorrupt,
    ModelCrashed,
    ModelMissing,
)
from edgevox.llm.engine import Emit, EngineInfo, EngineOptions, Generated, GenerationRequest, GrammarRefused, from_plain
from edgevox.llm.wire import Channel

log = logging.getLogger(__name__)

POLL_S = 0.01
FREE_S = 0.3
"""How long a stop may take before the child is replaced."""
LOG_BYTES = 1024 * 1024
CRASHED = "The language model stopped unexpectedly; please ask me again."
COMMAND = (sys.executable, "-P", "-m", "edgevox.llm.worker")

_ERRORS: dict[str, type[EdgeVoxError]] = {
    kind.code: kind
    for kind in (LibraryMissing, ModelMissing, ModelCorrupt, ContextOverflow, GrammarRefused, LanguageModelError)
}

Reply = dict[str, Any]
_GONE: Reply = {"gone": True}


class ChildEngine:
    """An `Engine` whose model lives in a process of its own.

    Args:
        options: which file, and how it is loaded.
        command: what to start, the number of the socket appended.
        free_s: seconds that a stop may take.
    """

    def __init__(self, options: EngineOptions, *, command: Sequence[str] = COMMAND, free_s: float = FREE_S) -> None:
        self._options = options
        self._command = tuple(command)
        self._free_s = free_s
        self._child: _Child | None = None
        self._starting = threading.Lock()
        self.starts = 0
        """How many children there have been."""

    def open(self) -> EngineInfo:
        """Start the child and wait until it has loaded the model (see `Engine.open`)."""
        info = self._ready(threading.Event())[1]
        assert info is not None
        return info

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has; answered also while the child generates."""
        child = self._ready(threading.Event())[0]
        with child.asking({"op": "count", "texts": list(texts)}) as replies:
            reply = child.wait(replies, lambda: False)
        return cast("list[int]", _checked(child, reply)["counts"])

    def generate(self, request: GenerationRequest, emit: Emit, stop: threading.Event) -> Generated:
        """Continue a text (see `Engine.generate`)."""
        child, info = self._ready(stop)
        if info is None:
            return Generated(finish="cancelled")
        with child.asking({"op": "generate", "request": asdict(request)}) as replies:
            while (reply := child.wait(replies, stop.is_set)) is not None:
                if "text" not in _checked(child, reply):
                    return from_plain(Generated, reply["done"])
                emit(reply["text"])
            return self._stopped(child, replies)

    def kill(self) -> None:
        """End the child at once; the next request starts another."""
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the child and wait for it. Closing twice is fine."""
        with self._starting:
            child, self._child = self._child, None
        if child is not None:
            child.close()

    def _stopped(self, child: "_Child", replies: "queue.SimpleQueue[Reply]") -> Generated:
        """Tell the child to stop and wait for it, but not for long."""
        began = time.monotonic()
        child.send_stop(replies)
        while time.monotonic() - began < self._free_s:
            reply = child.next(replies)
            if reply is not None and "text" not in reply:
                return from_plain(Generated, {**reply.get("done", {}), "finish": "cancelled"})
        log.warning("the language model did not stop within %.1f s; replacing its process", self._free_s)
        child.kill()
        self._start()
        return Generated(finish="cancelled", took_s=time.monotonic() - began)

    def _ready(self, stop: threading.Event) -> "tuple[_Child, EngineInfo | None]":
        """Return a child that has loaded its model; without its description when the stop came first."""
        child = self._start()
        reply = child.wait_open(stop.is_set)
        if reply is None:
            return child, None
        if reply is _GONE:
            self._forget(child)
            raise _failed_to_load(child.exit_code())
        try:
            return child, from_plain(EngineInfo, _checked(child, reply)["info"])
        except EdgeVoxError:
            self._forget(child)
            raise

    def _start(self) -> "_Child":
        with self._starting:
            if self._child is None or not self._child.alive:
                if self._child is not None:
                    self._child.close()
                self._child = _Child(self._command, self._options)
                self.starts += 1
            return self._child

    def _forget(self, child: "_Child") -> None:
        with self._starting:
            if self._child is child:
                self._child = None
        child.close()


class _Child:
    """One child, from its start to its end."""

    def __init__(self, command: Sequence[str], options: EngineOptions) -> None:
        ours, theirs = socket.socketpair()
        with theirs, _log_file() as output:
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(theirs.fileno(),),
                env=_environment(options),
                start_new_session=True,
            )
        self._channel = Channel(ours)
        self._ids = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[Reply]] = {}
        self._lock = threading.Lock()
        self._opened: Reply | None = None
        self._open_event = threading.Event()
        self.alive = True
        threading.Thread(target=self._listen, name="llm-child", daemon=True).start()
        self._channel.send({"op": "open", "id": 0, "options": asdict(options)})

    @contextmanager
    def asking(self, message: dict[str, Any]) -> "Generator[queue.SimpleQueue[Reply], None, None]":
        """Send a message and give the queue of its replies."""
        replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        with self._lock:
            use_id = next(self._ids)
            self._waiting[use_id] = replies
        if not self.alive or not self._channel.send({**message, "id": use_id}):
            replies.put(_GONE)
        try:
            yield replies
        finally:
            with self._lock:
                self._waiting.pop(use_id, None)

    def send_stop(self, replies: "queue.SimpleQueue[Reply]") -> None:
        """Tell the child to end the request that these replies answer."""
        with self._lock:
            use_id = next((key for key, known in self._waiting.items() if known is replies), None)
        if use_id is not None:
            self._channel.send({"op": "stop", "id": use_id})

    def wait(self, replies: "queue.SimpleQueue[Reply]", gave_up: Callable[[], bool]) -> Reply | None:
        """Wait for the next reply; `None` when the asker gave up first."""
        while not gave_up():
            reply = self.next(replies)
            if reply is not None:
                return reply
        return None

    def next(self, replies: "queue.SimpleQueue[Reply]") -> Reply | None:
        """Return the next reply if it comes within one poll."""
        try:
            return replies.get(timeout=POLL_S)
        except queue.Empty:
            return None

    def wait_open(self, gave_up: Callable[[], bool]) -> Reply | None:
        """Wait until the model is loaded or cannot be; `None` when the asker gave up first."""
        while not self._open_event.wait(POLL_S):
            if gave_up():
                return None
        return self._opened

    def exit_code(self) -> int | None:
        """How the process ended; negative for a signal, `None` while it has not."""
        try:
            return self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End the process at once."""
        self.alive = False
        self._process.kill()
        self._process.wait()
        self._channel.close()

    def close(self) -> None:
        """Hang up, which ends the process, and make sure of it."""
        self.alive = False
        self._channel.close()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _listen(self) -> None:
        while (reply := self._channel.receive()) is not None:
            self._deliver(reply)
        self.alive = False
        with self._lock:
            waiting = list(self._waiting.values())
        if not self._open_event.is_set():
            self._opened = _GONE
            self._open_event.set()
        for replies in waiting:
            replies.put(_GONE)

    def _deliver(self, reply: Reply) -> None:
        if reply["id"] == 0:
            self._opened = reply
            self._open_event.set()
            return
        with self._lock:
            replies = self._waiting.get(reply["id"])
        if replies is not None:
            replies.put(reply)


def _checked(child: _Child, reply: Reply | None) -> Reply:
    """Return a reply, or raise what it reports."""
    if reply is None or reply is _GONE:
        log.error("the process of the language model ended with %s", child.exit_code())
        raise ModelCrashed(CRASHED)
    if "error" in reply:
        raise _ERRORS.get(reply["code"], LanguageModelError)(reply["error"])
    return reply


def _failed_to_load(code: int | None) -> EdgeVoxError:
    if code == -signal.SIGILL:
        return LibraryMissing(
            "llama-cpp-python was built for another processor: pip install --force-reinstall --no-binary "
            "llama-cpp-python 'edgevox[llm]'"
        )
    if code == -signal.SIGKILL:
        return LanguageModelError("The language model could not be loaded: probably there is not enough free memory.")
    return LanguageModelError(
        f"The language model's process ended while loading (exit code {code}); see {_log_path()}."
    )


def _environment(options: EngineOptions) -> dict[str, str]:
    """The parent's environment, with this very package importable and threads that sleep while they wait.

    With one generating thread nothing is lost by that, and beside a busy recogniser or voice a prompt was read five
    times faster (16 tokens a second against 3). Several generating threads meet hundreds of times a token and would
    lose a third of their speed.
    """
    home = str(Path(edgevox.__file__).parent.parent)
    known = os.environ.get("PYTHONPATH")
    waiting = {"OMP_WAIT_POLICY": "passive"} if options.n_threads == 1 else {}
    return {**waiting, **scrubbed_environment({"PYTHONPATH": os.pathsep.join([known, home] if known else [home])})}


def _log_path() -> Path | None:
    try:
        return log_dir() / "llm-worker.log"
    except OSError:
        return None


@contextmanager
def _log_file() -> Generator[int, None, None]:
    """Give a descriptor that takes what the child prints: a private log file, or nothing where none can be made."""
    path = _log_path()
    try:
        grown = path is not None and path.exists() and path.stat().st_size > LOG_BYTES
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if grown else os.O_APPEND)
        descriptor = os.open(path if path is not None else os.devnull, flags, 0o600)
    except OSError:
        descriptor = os.open(os.devnull, os.O_WRONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
