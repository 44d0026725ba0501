"""Models behind an address that write down what was said.

Takes a recording as the bytes of a file and returns its words. A stop hangs up at once. Knows no microphone.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol, cast, runtime_checkable

from edgevox.core.errors import Cancelled, EndpointUnavailable, UsageError
from edgevox.core.relay import relayed
from edgevox.endpoints.attempts import Retries
from edgevox.endpoints.endpoint import CheckFailure, LLMEndpoint
from edgevox.endpoints.faults import Fault, fault_of
from edgevox.endpoints.provider import CHECK_S, Line, Provider

FILENAME = "speech.wav"
CONTENT_TYPE = "audio/wav"


@runtime_checkable
class Transcriber(Protocol):
    """What writes down a recording."""

    @property
    def model_name(self) -> str:
        """What the provider calls the model."""
        ...

    def transcribe(
        self,
        audio: bytes,
        *,
        stop_event: threading.Event | None = None,
        filename: str = FILENAME,
        content_type: str = CONTENT_TYPE,
        language: str | None = None,
        temperature: float | None = None,
        prompt: str | None = None,
        timeout_s: float | None = None,
    ) -> str:
        """Return the words of a recording (see `TranscriptionEndpoint.transcribe`)."""
        ...


class TranscriptionEndpoint:
    """A transcription model of a provider. Making one touches nothing. Safe from any thread.

    Args:
        base_url: address of the API, such as `http://localhost:8000/v1`, after which the model may follow behind `#`;
            or a `Provider`, whose connections are then shared.
        model: what the provider calls the model.
        api_key: the key; local servers need none.
        api_name: what the provider is called; its host when not given.
        api_key_env: the variable that holds the key.
        timeout_s: seconds without any sign of life after which the provider counts as gone.
        language: code of the language to listen for; `None` finds it out.
        temperature: 0 is the likeliest words.
        prompt: words that are likely to be said.
        retries: when it is asked again.
        client: a client in the shape of `openai.OpenAI`, in place of the library's.

    Raises:
        UsageError: `base_url` is no web address, or no model is named.
    """

    kind = "model_endpoint"

    def __init__(
        self,
        base_url: str | Provider,
        model: str | None = None,
        api_key: str | None = None,
        *,
        api_name: str = "",
        api_key_env: str | None = None,
        timeout_s: float = 60.0,
        language: str | None = None,
        temperature: float = 0.0,
        prompt: str | None = None,
        retries: Retries | None = None,
        client: Any = None,
    ) -> None:
        named = ""
        if isinstance(base_url, Provider):
            self.provider = base_url
        else:
            address, _, named = base_url.partition("#")
            self.provider = Provider(
                address, api_name=api_name, api_key_env=api_key_env, api_key=api_key, timeout_s=timeout_s, client=client
            )
        if not (model or named):
            raise UsageError(f"The server at {self.provider.host} needs the name of a transcription model.")
        self._model = model or named
        self.language = language
        self.temperature = temperature
        self.prompt = prompt
        self._retries = retries or Retries()

    @property
    def model_name(self) -> str:
        """What the provider calls the model."""
        return self._model

    @property
    def api_name(self) -> str:
        """What the provider is called."""
        return self.provider.api_name

    @property
    def id(self) -> str:
        """What tells this model from others: `model:PROVIDER:MODEL`."""
        return f"model:{self.api_name}:{self.model_name}"

    @property
    def metadata(self) -> dict[str, str]:
        """What may be shown about it; never a key or a whole address."""
        return {"provider": self.api_name, "model": self.model_name, "host": self.provider.host}

    def __repr__(self) -> str:
        """Name model and host, never the key."""
        return f"TranscriptionEndpoint({self._model!r} at {self.provider.host})"

    def external_dependencies(self) -> "tuple[TranscriptionEndpoint, ...]":
        """What has to be there for it to work: itself, which can be checked."""
        return (self,)

    def materialize(self) -> None:
        """Load the library, look the key up and make a connection ready. Sends nothing; twice is fine.

        Raises:
            LibraryMissing, SecretsError: what is missing.
        """
        self.provider.materialize()

    def check(self, timeout_s: float = CHECK_S) -> CheckFailure | None:
        """Ask the provider for its models, and return what keeps it from being used; `None` when nothing does."""
        return LLMEndpoint(self.provider, self._model).check(timeout_s)

    def close(self) -> None:
        """Let idle connections go; a recording afterwards makes another."""
        self.provider.forget_lines()

    def transcribe(
        self,
        audio: bytes,
        *,
        stop_event: threading.Event | None = None,
        filename: str = FILENAME,
        content_type: str = CONTENT_TYPE,
        language: str | None = None,
        temperature: float | None = None,
        prompt: str | None = None,
        timeout_s: float | None = None,
    ) -> str:
        """Return the words of a recording, without the space around them.

        Args:
            audio: the bytes of a file.
            stop_event: hangs up when it is set.
            filename: what the file is called; its ending tells some providers what it holds.
            content_type: what it holds.
            language: code; `None` is the endpoint's.
            temperature: 0 to 1; `None` is the endpoint's.
            prompt: words that are likely to be said; `None` is the endpoint's.
            timeout_s: longest wait for the words, seconds; `None` waits as long as the provider gives signs of life.

        Raises:
            Cancelled: the stop event was set before the words came.
            EndpointUnavailable: they did not come in time.
            EdgeVoxError: one sentence on what is wrong.
        """
        until = time.monotonic() + timeout_s if timeout_s is not None else float("inf")
        request = {
            "model": self._model,
            "file": (filename, audio, content_type),
            "temperature": self.temperature if temperature is None else temperature,
            "response_format": "json",
            "language": language or self.language,
            "prompt": prompt or self.prompt,
        }
        asked = _Asked(
            self.provider, {key: value for key, value in request.items() if value is not None}, self._retries
        )
        stop = stop_event if stop_event is not None else threading.Event()
        words: list[str] = []
        try:
            pieces = relayed(asked.read, over=lambda: stop.is_set() or time.monotonic() > until, name="transcription")
            words.extend(pieces)
        finally:
            asked.hang_up()
        if words:
            return words[0].strip()
        if stop.is_set():
            raise Cancelled("the recording was not wanted any more")
        raise EndpointUnavailable(f"The server at {self.provider.host} did not write it down in time: ask again.")


class _Asked:
    """One recording that is being written down."""

    def __init__(self, provider: Provider, request: dict[str, Any], retries: Retries) -> None:
        self._provider = provider
        self._request = request
        self._retries = retries
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._over = threading.Event()

    def hang_up(self) -> None:
        """End it, from any thread."""
        self._over.set()
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.hang_up()

    def read(self, put: Callable[[str], None]) -> None:
        """Ask, again where that may help, and hand the words on."""
        attempt = 1
        while not self._over.is_set():
            fault = self._attempt(put)
            if fault is None:
                return
            pause = self._retries.delay_s(attempt, fault.after_s) if fault.passing else None
            if pause is None:
                raise fault.error
            self._over.wait(pause)
            attempt += 1

    def _attempt(self, put: Callable[[str], None]) -> Fault | None:
        line: Line | None = None
        whole = False
        try:
            line = self._provider.take()
            with self._lock:
                self._line = line
            if not self._over.is_set():
                put(_words_of(line.client.audio.transcriptions.create(**self._request)))
                whole = True
        except Exception as error:  # every fault of a network is one sentence for a person
            return fault_of(error, self._provider.where(str(self._request["model"])))
        finally:
            with self._lock:
                self._line = None
            if line is not None:
                self._provider.give_back(line, whole=whole and not self._over.is_set())
        return None


def _words_of(answer: Any) -> str:
    text = answer if isinstance(answer, str) else getattr(answer, "text", None)
    return text if isinstance(text, str) else ""


def call_transcription_api(endpoint: Transcriber, audio: bytes, **options: Any) -> str:
    """Return the words of a recording (see `TranscriptionEndpoint.transcribe` for the options).

    Raises:
        TypeError: `endpoint` writes nothing down.
        ValueError: the recording is empty.
    """
    if isinstance(endpoint, type) or not isinstance(cast("object", endpoint), Transcriber):
        raise TypeError(f"A recording needs a transcription endpoint, not {type(endpoint).__name__}.")
    if not audio:
        raise ValueError("The recording is empty: give the bytes of a sound file.")
    return endpoint.transcribe(audio, **options).strip()
