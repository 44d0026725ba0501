"""One question to a provider: asked, asked again where that may help, and hung up on when nobody wants the answer.

Counts what every attempt took, those that failed included. Knows nothing of conversations.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edgevox.core.completion import Envelope, Usage, as_mapping, collect
from edgevox.core.errors import EndpointRefused
from edgevox.endpoints.faults import BrokenOff, EmptyStream, Fault, fault_of
from edgevox.endpoints.provider import Line, Provider

log = logging.getLogger(__name__)

Put = Callable[[Mapping[str, Any]], None]


class Replaced:
    """Stands among the pieces where everything that came before it is void: another stream begins."""


REPLACED = Replaced()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often and how soon a provider is asked again when it is busy, down or breaks off."""

    attempts: int = 3
    base_delay_s: float = 0.5
    """Before the second attempt; doubles each time."""
    max_delay_s: float = 4.0
    """Longest pause; a provider that asks for a longer one is not asked again."""

    def delay_s(self, attempt: int, asked_s: float | None) -> float | None:
        """Return the pause after an attempt (counted from 1), or `None` when there is no other."""
        if attempt >= self.attempts or (asked_s is not None and asked_s > self.max_delay_s):
            return None
        return max(min(self.base_delay_s * 2 ** (attempt - 1), self.max_delay_s), asked_s or 0.0)


class Tally:
    """What an endpoint has taken since it was made. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.calls = 0
        """Questions."""
        self.failed_attempts = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0

    def add(self, usage: Usage, *, failed: bool) -> None:
        """Count an attempt."""
        with self._lock:
            self.failed_attempts += failed
            self.prompt_tokens += usage.prompt_tokens
            self.completion_tokens += usage.completion_tokens

    def begin(self) -> None:
        """Count a question."""
        with self._lock:
            self.calls += 1


class Question:
    """One question. `read` runs on a thread of its own; `hang_up` may come from any.

    Args:
        provider: whom to ask.
        body: the request, without the name of the model.
        named: tells which model to ask; may have to ask the provider first.
        streamed: whether the provider is asked for a stream.
        retries: when to ask again.
        tally: where tokens are counted.
        replaceable: whether pieces that were handed on may be followed by another stream.
    """

    def __init__(
        self,
        provider: Provider,
        body: dict[str, Any],
        named: Callable[[Any], str],
        *,
        streamed: bool,
        retries: Retries,
        tally: Tally,
        replaceable: bool,
    ) -> None:
        self._provider = provider
        self._body = {**body, "stream": True, "stream_options": {"include_usage": True}} if streamed else dict(body)
        self._named = named
        self._retries = retries
        self._tally = tally
        self._replaceable = replaceable
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._over = threading.Event()
        self._model = ""
        self._lost = Usage()
        """Tokens of the attempts that failed."""

    def hang_up(self) -> None:
        """End the question, from any thread; twice is fine."""
        self._over.set()
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.hang_up()

    def read(self, put: Callable[[Any], None]) -> None:
        """Ask, and hand on what comes: chunks in the OpenAI shape, and `REPLACED` before another stream.

        Raises:
            EdgeVoxError: one sentence.
        """
        self._tally.begin()
        attempt = 1
        while not self._over.is_set():
            said = _Said(put)
            fault = self._attempt(said)
            if fault is None:
                return
            if fault.refused and self._do_without(fault.refused):
                continue
            pause = self._retries.delay_s(attempt, fault.after_s) if fault.passing else None
            if pause is None or (said.pieces and not self._replaceable):
                raise fault.error
            log.info("%s: asking again in %.1f s: %s", self._provider.api_name, pause, fault.error)
            if self._over.wait(pause):
                return
            if said.pieces:
                put(REPLACED)
            attempt += 1

    def _do_without(self, option: str) -> bool:
        """Leave an option out that the provider does not know; returns whether it was there."""
        if option == "stream":
            self._body.pop("stream_options", None)
        return self._body.pop(option, None) is not None

    def _attempt(self, said: "_Said") -> Fault | None:
        """Ask once and return what went wrong."""
        line: Line | None = None
        whole = False
        try:
            line = self._taken()
            for piece in self._pieces(line):
                said(piece, self._lost)
            if not said.finished:
                raise BrokenOff if said.began or not self._body.get("stream") else EmptyStream
            said.settle(self._lost)
            whole = True
        except Exception as error:  # every fault of a network is one sentence for a person
            fault = fault_of(error, self._provider.where(self._model))
            if isinstance(fault.error, EndpointRefused):
                self._provider.forget_lines()
            return fault
        finally:
            usage = said.usage()
            self._tally.add(usage, failed=not whole and not self._over.is_set())
            if not whole:
                self._lost = _sum(self._lost, usage)
            if line is not None:
                self._provider.give_back(line, whole=self._released() and whole)
        return None

    def _taken(self) -> Line:
        line = self._provider.take()
        with self._lock:
            self._line = line
        if self._over.is_set():
            self.hang_up()
        return line

    def _released(self) -> bool:
        """Make hanging up leave the connection alone from now on; returns whether it has not come before."""
        with self._lock:
            line, self._line = self._line, None
        return line is not None

    def _pieces(self, line: Line) -> Iterator[Mapping[str, Any]]:
        self._model = self._named(line.client)
        answer = line.client.chat.completions.create(model=self._model, **self._body)
        if not self._body.get("stream"):
            yield from _chunks_of(answer, self._model)
            return
        line.opened(answer)
        for chunk in answer:
            yield as_mapping(chunk)


class _Said:
    """What one attempt has said."""

    def __init__(self, put: Callable[[Any], None]) -> None:
        self._put = put
        self._usage: Mapping[str, Any] | None = None
        self._model = ""
        self.began = False
        """Whether anything came."""
        self.pieces = 0
        """Chunks with words or calls in them."""
        self.finished = False

    def __call__(self, piece: Mapping[str, Any], lost: Usage) -> None:
        """Hand a chunk on; its usage includes what was lost before."""
        self.began = True
        choices = piece.get("choices") or ()
        self.pieces += any(_says(choice) for choice in choices)
        self.finished |= any(choice.get("finish_reason") for choice in choices)
        self._model = piece.get("model") or self._model
        if piece.get("usage"):
            self._usage = piece["usage"]
            if lost != Usage():
                piece = {**piece, "usage": _sum(Usage.from_openai(self._usage), lost).openai()}
        self._put(piece)

    def settle(self, lost: Usage) -> None:
        """Tell what was lost before, where the provider counts nothing itself."""
        if self._usage is None and lost != Usage():
            closing = Envelope(model=self._model).closing("stop", _sum(self.usage(), lost))
            self._put({**closing, "choices": []})

    def usage(self) -> Usage:
        """What the attempt took; a piece counts as a token where the provider does not say."""
        return Usage.from_openai(self._usage) if self._usage is not None else Usage(completion_tokens=self.pieces)


def _says(choice: Mapping[str, Any]) -> bool:
    delta: Mapping[str, Any] = choice.get("delta") or {}
    return bool(delta.get("content") or delta.get("tool_calls"))


def _chunks_of(answer: Any, model: str) -> Iterator[Mapping[str, Any]]:
    """Yield a whole answer as a stream would have brought it."""
    if isinstance(answer, str) or not as_mapping(answer).get("choices"):
        raise BrokenOff
    known = collect(answer)
    envelope = Envelope(model=known.model or model)
    yield envelope.opening()
    if known.text:
        yield envelope.text(known.text)
    for index, call in enumerate(known.calls):
        yield envelope.call(index, call)
    yield envelope.closing(known.finish or "stop", known.usage)


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        first_token_s=one.first_token_s,
        took_s=one.took_s,
    )
