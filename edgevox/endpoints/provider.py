"""Where a provider is, what opens its door, and the connections to it.

A connection serves one request at a time, so that hanging up ends that request and no other. Keys are looked up when a
connection is first needed; the `openai` library is loaded then, too.
"""

import contextlib
import threading
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from edgevox.core.errors import ConfigError, LibraryMissing, UsageError
from edgevox.core.redaction import expect_secret
from edgevox.endpoints.faults import Where

if TYPE_CHECKING:
    from pydantic import SecretStr

CHECK_S = 10.0
NO_KEY = "none-needed"
"""What servers without keys are sent; the client insists on something."""
IDLE_LINES = 2
"""Connections that are kept for the next request."""


class Line(Protocol):
    """A connection to a provider, for one request at a time."""

    client: Any
    """A client in the shape of `openai.OpenAI`."""

    def opened(self, answer: Any) -> None:
        """Be told of the answer that is being read."""
        ...

    def hang_up(self) -> None:
        """End what runs on it, at once and from any thread; it is of no use afterwards."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...


class Provider:
    """One account at one address. Safe from any thread.

    Args:
        base_url: address of the API, such as `http://localhost:8080/v1`.
        api_name: what it is called.
        api_key_env: the variable that holds its key; `None` where none is needed.
        api_key: the key itself; goes before the variable.
        timeout_s: seconds without any sign of life after which it counts as gone.
        client: a client to use in place of the `openai` library's; it is hung up on by being closed.

    Raises:
        ConfigError: the address or the time cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_name: str = "",
        api_key_env: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        client: Any = None,
    ) -> None:
        if not timeout_s > 0:
            raise ConfigError(f"A time-out of {timeout_s} seconds cannot be used: give more than 0.")
        self.base_url = base_url
        self.host = host_of(base_url)
        self.api_name = api_name or self.host
        self.api_key_env = api_key_env
        if api_key_env is not None:
            expect_secret(api_key_env)
        self.timeout_s = timeout_s
        self._key = _covered(api_key)
        self._client = client
        self._idle: list[Line] = []
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        """Name the host, never the key."""
        return f"Provider({self.api_name!r} at {self.host})"

    def where(self, model: str = "") -> Where:
        """Return what a person is told about it."""
        return Where(host=self.host, model=model, key_name=self.api_key_env or "", far=not self.is_here)

    @property
    def is_here(self) -> bool:
        """Whether its address is this machine."""
        host = urlsplit(self.base_url).hostname or ""
        if host == "localhost":
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def has_own_key(self) -> bool:
        """Whether it was given a key, beside the variable that may hold one."""
        return self._key is not None

    def materialize(self) -> None:
        """Load the library, look the key up and make a connection ready. Sends nothing; twice is fine.

        Raises:
            LibraryMissing: the `openai` library is not installed.
            SecretsError: the key is missing or cannot be decrypted.
        """
        self.give_back(self.take(), whole=True)

    def take(self) -> Line:
        """Return a connection that is the caller's until it is given back.

        Raises:
            LibraryMissing: the `openai` library is not installed.
            SecretsError: the key is missing or cannot be decrypted.
        """
        with self._lock:
            if self._idle:
                return self._idle.pop()
        if self._client is not None:
            return _GivenLine(self._client)
        try:
            from edgevox.endpoints.lines import OpenAILine
        except ImportError as error:
            raise LibraryMissing("The openai library is missing or broken: pip install --upgrade openai.") from error
        return OpenAILine(self.base_url, self._resolved(), self.timeout_s)

    def give_back(self, line: Line, *, whole: bool) -> None:
        """Return a connection.

        Args:
            line: what was taken.
            whole: whether it may serve another request: it was not hung up on, and its answer was read to the end.
        """
        with self._lock:
            if whole and len(self._idle) < IDLE_LINES:
                self._idle.append(line)
                return
        line.close()

    def forget_lines(self) -> None:
        """Close what is idle: the next request looks the key up again."""
        with self._lock:
            idle, self._idle = self._idle, []
        for line in idle:
            line.close()

    def _resolved(self) -> str:
        given = self._key.get_secret_value() if self._key is not None else None
        if self.api_key_env is None:
            return given or NO_KEY
        from edgevox.endpoints.env import missing_secret, resolve_secret

        found = resolve_secret(self.api_key_env, given)
        if found is None:
            raise missing_secret(self.api_key_env)
        return found


class _GivenLine:
    """A client that somebody else made, and closes."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._answer: Any = None

    def opened(self, answer: Any) -> None:
        """Remember what can be closed when somebody hangs up."""
        self._answer = answer

    def hang_up(self) -> None:
        """Close the answer that is being read."""
        close = getattr(self._answer, "close", None)
        if callable(close):
            with contextlib.suppress(Exception):  # it is being read by another thread; some clients mind
                close()

    def close(self) -> None:
        """Leave the client to whoever made it."""


def host_of(base_url: str) -> str:
    """Return the host, and the port where there is one, of an address.

    Raises:
        UsageError: it is no web address.
    """
    parts = urlsplit(base_url)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError("The address of a language model server looks like http://localhost:8080/v1#model.")
    shown = f"[{host}]" if ":" in host else host
    return shown if port is None else f"{shown}:{port}"


def _covered(api_key: str | None) -> "SecretStr | None":
    """Wrap a key, so that no trace of an error shows it."""
    if api_key is None or not api_key.strip():
        return None
    from pydantic import SecretStr

    from edgevox.core.redaction import remember_secret

    remember_secret("api_key", api_key)
    return SecretStr(api_key)
