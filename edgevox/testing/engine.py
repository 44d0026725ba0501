"""An engine that continues texts from a script: `LLM(engine=ScriptedEngine("Hello."))` needs no model file."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from edgevox.core.errors import ContextOverflow
from edgevox.llm.engine import Emit, EngineInfo, Generated, GenerationRequest

POLL_S = 0.005
_TOKEN = re.compile(r"\s*\w+|\s*[^\w\s]|\s+$")

Continuation = str | Sequence[str] | BaseException | Callable[[GenerationRequest], Any]
"""Text, text in exact pieces, an exception to raise, or a function of the request that returns one of these."""


class ScriptedEngine:
    """Generates what it is told, one continuation a request, and refuses to be entered twice at once.

    Args:
        continuations: what it generates, request after request; the last one is repeated.
        info: what it says of itself.
        token_delay_s: seconds before each piece.
        read_s: seconds that reading a prompt takes.
        deaf: it does not hear a stop.
    """

    def __init__(
        self,
        *continuations: Continuation,
        info: EngineInfo | None = None,
        token_delay_s: float = 0.0,
        read_s: float = 0.0,
        deaf: bool = False,
    ) -> None:
        self.continuations = list(continuations) or ["ok"]
        self.info = info or EngineInfo(name="scripted", architecture="qwen2", n_ctx=4096)
        self.token_delay_s = token_delay_s
        self.read_s = read_s
        self.deaf = deaf
        self.requests: list[GenerationRequest] = []
        """What it was asked, oldest first."""
        self.opened = 0
        self.closed = 0
        self.counted = 0
        """How many texts it has counted."""
        self._inside = threading.Lock()

    def open(self) -> EngineInfo:
        """Say what it is."""
        self.opened += 1
        return self.info

    def count(self, texts: Sequence[str]) -> list[int]:
        """One token for each word or sign."""
        self.counted += len(texts)
        return [len(_TOKEN.findall(text)) for text in texts]

    def generate(self, request: GenerationRequest, emit: Emit, stop: threading.Event) -> Generated:
        """Give the next continuation, piece by piece."""
        assert self._inside.acquire(blocking=False), "the engine was entered by two at once"
        try:
            return self._generate(request, emit, stop)
        finally:
            self._inside.release()

    def close(self) -> None:
        """Count that it was closed."""
        self.closed += 1

    def _generate(self, request: GenerationRequest, emit: Emit, stop: threading.Event) -> Generated:
        self.requests.append(request)
        prompt_tokens = self.count([request.prompt])[0]
        if prompt_tokens > self.info.n_ctx:
            raise ContextOverflow(f"the prompt has {prompt_tokens} tokens, and the model holds {self.info.n_ctx}.")
        continuation = self._next(request)
        began = time.monotonic()
        finish, said = self._say(request, continuation, emit, stop)
        took = time.monotonic() - began
        return Generated(finish=finish, prompt_tokens=prompt_tokens, completion_tokens=said, took_s=took)

    def _next(self, request: GenerationRequest) -> Any:
        made: Any = self.continuations.pop(0) if len(self.continuations) > 1 else self.continuations[0]
        while callable(made) and not isinstance(made, type):
            made = made(request)
        if isinstance(made, BaseException):
            raise made
        return made

    def _say(
        self, request: GenerationRequest, continuation: Any, emit: Emit, stop: threading.Event
    ) -> tuple[Literal["stop", "length", "cancelled"], int]:
        pieces = _TOKEN.findall(continuation) if isinstance(continuation, str) else list(continuation)
        if not self._pause(self.read_s, stop):
            return "cancelled", 0
        for said, piece in enumerate(pieces):
            if said >= request.max_tokens:
                return "length", said
            if not self._pause(self.token_delay_s, stop):
                return "cancelled", said
            emit(piece)
        return "stop", len(pieces)

    def _pause(self, seconds: float, stop: threading.Event) -> bool:
        until = time.monotonic() + seconds
        while self.deaf or not stop.is_set():
            left = until - time.monotonic()
            if left <= 0:
                return True
            time.sleep(min(left, POLL_S))
        return False
