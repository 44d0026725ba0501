"""The child that holds a model: `python -m edgevox.llm.worker FD`.

Talks over the socket it was given and nothing else; whatever llama.cpp prints goes where the parent has pointed the
standard streams. Lives exactly as long as the other end of the socket. Two threads: one generates, one listens, so that
a stop arrives while a prompt is being read, and tokens can be counted at any time.
"""

import os
import queue
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Protocol

from edgevox.core.errors import EdgeVoxError, described
from edgevox.llm.engine import Emit, EngineInfo, EngineOptions, Generated, GenerationRequest, from_plain
from edgevox.llm.wire import Channel

Message = dict[str, Any]


class Hosted(Protocol):
    """What the worker needs of an engine: `llama.LlamaEngine`, or a test's."""

    def open(self) -> EngineInfo:
        """Load the model."""
        ...

    def count(self, texts: list[str]) -> list[int]:
        """How many tokens each text has; called from the listening thread."""
        ...

    def run(self, request: GenerationRequest, emit: Emit) -> Generated:
        """Continue a text until it is over or `abort` is called."""
        ...

    def abort(self) -> None:
        """End the generation as soon as can be; called from the listening thread."""
        ...

    def rearm(self) -> None:
        """Forget an `abort`."""
        ...


class Worker:
    """Serves one parent.

    Args:
        channel: the way to it.
        make_engine: builds the engine when the parent has said which model.
    """

    def __init__(self, channel: Channel, make_engine: Callable[[EngineOptions], Hosted]) -> None:
        self._channel = channel
        self._make_engine = make_engine
        self._jobs: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._engine: Hosted | None = None
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._current: int | None = None
        self._stopped: set[int] = set()

    def listen(self) -> None:
        """Take messages until the parent hangs up."""
        while (message := self._channel.receive()) is not None:
            match message["op"]:
                case "stop":
                    self._stop(message["id"])
                case "count":
                    self._answer(message, self._count)
                case _:
                    self._jobs.put(message)
        self._jobs.put(None)

    def work(self) -> None:
        """Load and generate until `listen` has ended."""
        while (job := self._jobs.get()) is not None:
            self._answer(job, self._open if job["op"] == "open" else self._generate)

    def _answer(self, message: Message, serve: Callable[[Message], Message]) -> None:
        try:
            reply = serve(message)
        except EdgeVoxError as error:
            reply = {"error": str(error), "code": error.code}
        except Exception as error:  # the parent says it to a person; the trace is in this process's log
            sys.excepthook(type(error), error, error.__traceback__)
            reply = {"error": described(error), "code": "llm_failed"}
        self._channel.send({"id": message["id"], **reply})

    def _open(self, message: Message) -> Message:
        engine = self._make_engine(from_plain(EngineOptions, message["options"]))
        info = engine.open()
        self._engine = engine
        self._ready.set()
        return {"info": {**asdict(info), "process_id": os.getpid()}}

    def _count(self, message: Message) -> Message:
        return {"counts": self._opened().count(message["texts"])}

    def _generate(self, message: Message) -> Message:
        engine, use_id = self._opened(), message["id"]
        with self._lock:
            self._current = use_id
            engine.rearm()
            if use_id in self._stopped:
                engine.abort()
        try:
            request = from_plain(GenerationRequest, message["request"])
            done = engine.run(request, lambda text: self._channel.send({"id": use_id, "text": text}))
            return {"done": asdict(done)}
        finally:
            with self._lock:
                self._current = None
                self._stopped.discard(use_id)

    def _stop(self, use_id: int) -> None:
        with self._lock:
            if self._current == use_id and self._engine is not None:
                self._engine.abort()
            else:
                self._stopped.add(use_id)

    def _opened(self) -> Hosted:
        if self._engine is None:
            raise EdgeVoxError("the model is not loaded yet")
        return self._engine


def serve(channel: Channel, make_engine: Callable[[EngineOptions], Hosted]) -> None:
    """Serve a parent until it hangs up, then end this process at once, whatever is running."""
    worker = Worker(channel, make_engine)

    def listen() -> None:
        worker.listen()
        os._exit(0)

    threading.Thread(target=listen, name="listen", daemon=True).start()
    worker.work()


def main() -> None:
    """Be the child of `process.ChildEngine`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(socket.socket(fileno=int(sys.argv[1])))

    def make_engine(options: EngineOptions) -> Hosted:
        from edgevox.llm.llama import LlamaEngine

        return LlamaEngine(options)

    serve(channel, make_engine)


if __name__ == "__main__":
    main()
