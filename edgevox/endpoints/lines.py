"""Connections over the `openai` library: bounded, never redirected, and cut at once when somebody hangs up.

Imported when an endpoint is first used, because the library takes a while to load.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

import openai

from edgevox.endpoints.faults import NotAnApi, TooMuch
from edgevox.endpoints.sockets import HangUp

CONNECT_S = 10.0
LIMIT_BYTES = 32 * 1024 * 1024
"""Longest answer; what is longer is no answer of a language model."""


class OpenAILine:
    """A client with at most one connection.

    Args:
        base_url: address of the API.
        key: what opens it.
        timeout_s: longest silence, seconds.
    """

    def __init__(self, base_url: str, key: str, timeout_s: float) -> None:
        self._hang_up = HangUp()
        hooks: Any = {"request": [self._hang_up.watch], "response": [_check]}
        transport = cast("Any", openai.DefaultHttpxClient)(
            timeout=openai.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S)),
            event_hooks=hooks,
            follow_redirects=False,  # a key is sent to the address that the person gave, and nowhere else
        )
        self.client: Any = openai.OpenAI(base_url=base_url, api_key=key, http_client=transport, max_retries=0)
        self.client.organization = self.client.project = (
            None  # of OpenAI's own variables, which are not this provider's
        )

    def opened(self, answer: Any) -> None:
        """Nothing to remember: hanging up cuts the socket."""

    def hang_up(self) -> None:
        """Cut the connection."""
        self._hang_up()

    def close(self) -> None:
        """Close the client."""
        self.client.close()


class _Bounded:
    """The bytes of an answer, up to a limit."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes as they come."""
        left = LIMIT_BYTES
        for piece in self._stream:
            left -= len(piece)
            if left < 0:
                raise TooMuch
            yield piece

    def close(self) -> None:
        """Let the connection go."""
        self._stream.close()


@lru_cache(maxsize=1)
def _bounded_kind(stream: type) -> type:
    """The bounded stream as the client library's own kind, which it insists on."""
    own = next((kind for kind in stream.__mro__ if kind.__name__ == "SyncByteStream"), object)
    return type("_BoundedStream", (_Bounded, own), {})


def _check(response: Any) -> None:
    """Look at an answer before it is read."""
    kind = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
    if response.status_code < 400 and kind == "text/html":
        raise NotAnApi
    stream: object = response.stream
    response.stream = _bounded_kind(type(stream))(stream)
