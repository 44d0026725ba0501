"""What can go wrong with a provider, as one sentence for a person, and whether asking again may help.

Tells faults apart by status codes, by the codes in a provider's own error body and by classes of exceptions; the words
of an error decide nothing but that a conversation was too long. Never repeats a key, an address or a provider's text.
"""

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from edgevox.core.errors import (
    ContextOverflow,
    EdgeVoxError,
    EndpointRefused,
    EndpointUnavailable,
    LanguageModelError,
)

_OVERFLOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_OVERFLOW_WORDS = re.compile(
    r"maximum context length|exceeds? the (?:available )?context (?:size|window|length)|context_length_exceeded",
    re.IGNORECASE,
)
"""How servers without codes of their own begin it: vLLM, llama.cpp, LM Studio, Ollama."""
_MONEY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "insufficient_credits"})
_PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
TOO_LONG = "That is too long for the language model: say it in fewer words."


class NotAnApi(Exception):
    """A server answered with a page for people."""


class TooMuch(Exception):
    """A server sends more than any answer has."""


class BrokenOff(Exception):
    """An answer ended before it was over."""


class EmptyStream(Exception):
    """A stream ended before it began: some servers do so in place of an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Whom a person is told about."""

    host: str
    model: str = ""
    key_name: str = ""
    """The variable that holds the key; empty where there is none."""
    far: bool = False
    """Whether it is on another machine, with a network in between."""

    @property
    def proxy(self) -> str:
        """What else to check where a network is in between."""
        return ", and behind a proxy set HTTPS_PROXY" if self.far else ""

    @property
    def key(self) -> str:
        """What to check where a key is refused."""
        return f"check the API key {self.key_name}" if self.key_name else "check the API key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that went wrong."""

    error: EdgeVoxError
    """What a person reads."""
    passing: bool = False
    """Whether asking again in a moment may help."""
    after_s: float | None = None
    """Seconds that the provider asks to be left alone."""
    refused: str = ""
    """The option of the request that the provider does not know; empty for another fault."""


def fault_of(error: Exception, where: Where) -> Fault:
    """Return what an exception of a client library means.

    Args:
        error: what was raised.
        where: the server and the model that was asked for.
    """
    if isinstance(error, EdgeVoxError):
        return Fault(error=error)
    status = _status(error)
    found = _by_status(error, status, where) if status is not None else _by_class(error, where)
    found.error.__cause__ = None  # its text may hold an address and a key
    return found


def _status(error: Exception) -> int | None:
    """The status of an answer; for an error that was sent in the middle of a stream, the one that its body names."""
    for candidate in (getattr(error, "status_code", None), _body(error).get("status"), _body(error).get("code")):
        if isinstance(candidate, int) and not isinstance(candidate, bool) and 300 <= candidate <= 599:
            return candidate
    return None


def _body(error: Exception) -> Mapping[str, Any]:
    body: Any = getattr(error, "body", None)
    if isinstance(body, Mapping):
        inner: Any = cast("Mapping[str, Any]", body).get("error")
        return cast("Mapping[str, Any]", inner if isinstance(inner, Mapping) else body)
    return {}


def _codes(error: Exception) -> set[str]:
    body = _body(error)
    return {str(body[name]) for name in ("code", "type") if isinstance(body.get(name), str)}


def _by_status(error: Exception, status: int, where: Where) -> Fault:
    if status in (400, 413) and _is_overflow(error):
        return Fault(error=ContextOverflow(TOO_LONG))
    if status in (400, 422) and (option := _refused_option(error)):
        return Fault(error=_refusal(status, where), refused=option)
    if status == 402 or (status in (403, 429) and _codes(error) & _MONEY_CODES):
        sentence = f"The account at {where.host} has no money or quota left: top it up, or use another endpoint."
        return Fault(error=EndpointRefused(sentence))
    if status == 429:
        return _busy(error, where)
    if status in _PASSING_STATUSES or status >= 500:
        sentence = f"The server at {where.host} has a problem of its own (status {status}): try again later."
        return Fault(error=EndpointUnavailable(sentence), passing=status in _PASSING_STATUSES, after_s=_after(error))
    return Fault(error=_refusal(status, where))


def _refusal(status: int, where: Where) -> EndpointRefused:
    wrong_address = "its address is wrong: it usually ends in /v1."
    sentences = {
        401: f"The server at {where.host} does not accept the key: {where.key}.",
        403: f"The server at {where.host} does not allow this: {where.key} and its rights.",
        404: f"The server at {where.host} has no model {where.model}, or {wrong_address}",
    }
    if 300 <= status < 400:
        return EndpointRefused(f"The server at {where.host} sends us elsewhere (status {status}): {wrong_address}")
    return EndpointRefused(
        sentences.get(status, f"The server at {where.host} refused the request (status {status}): check its settings.")
    )


def _busy(error: Exception, where: Where) -> Fault:
    after_s = _after(error)
    when = f"in {after_s:.0f} seconds" if after_s is not None and after_s >= 1 else "later"
    sentence = f"The server at {where.host} is busy or the quota is used up: try again {when}."
    return Fault(error=EndpointUnavailable(sentence), passing=True, after_s=after_s)


def _after(error: Exception) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    try:
        seconds = float(headers.get("retry-after"))
    except (AttributeError, TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < 1e6 else None


def _is_overflow(error: Exception) -> bool:
    message: Any = _body(error).get("message")
    said = message if isinstance(message, str) else str(error)
    return bool(_codes(error) & _OVERFLOW_CODES) or _OVERFLOW_WORDS.search(said) is not None


DISPENSABLE = ("stream_options", "response_format", "seed")
"""Options that an answer can do without, for servers that do not know them."""


def _refused_option(error: Exception) -> str:
    """Return the dispensable option that a refusal names, as its parameter or as a word of its own."""
    body = _body(error)
    named: Any = body.get("param")
    message = str(body.get("message") or error)
    for option in DISPENSABLE:
        if isinstance(named, str) and named.split(".")[0] == option:
            return option
        if re.search(rf"(?<![A-Za-z0-9_]){option}(?![A-Za-z0-9_])", message):
            return option
    return ""


def _by_class(error: Exception, where: Where) -> Fault:
    """What an exception without a status means: by its class and those below it."""
    if (seen := _seen(error, where.host)) is not None:
        return seen
    kinds = {kind.__name__ for each in _chain(error) for kind in type(each).__mro__}
    host = where.host
    if _is_certificate(error):
        sentence = f"The certificate of {host} could not be verified: set SSL_CERT_FILE to your network's bundle."
        return Fault(error=EndpointRefused(sentence))
    if kinds & {"APITimeoutError", "TimeoutException", "TimeoutError"}:
        sentence = f"The server at {host} did not answer in time: check that it is not overloaded."
        return Fault(error=EndpointUnavailable(sentence))
    if kinds & {"ConnectError", "ConnectionRefusedError", "ProxyError", "gaierror", "UnsupportedProtocol"}:
        sentence = f"The server at {host} cannot be reached: check that it runs and the address is right{where.proxy}."
        return Fault(error=EndpointUnavailable(sentence), passing="ConnectionRefusedError" not in kinds)
    return Fault(error=_broken(host), passing=bool(kinds & _BROKEN))


def _seen(error: Exception, host: str) -> Fault | None:
    """What we have noticed ourselves about an answer."""
    kinds = {type(each) for each in _chain(error)}
    if EmptyStream in kinds:  # asked for one piece, the server says what is wrong
        return Fault(error=_broken(host), passing=True, refused="stream")
    if TooMuch in kinds:
        return Fault(error=LanguageModelError(f"The server at {host} answers without an end: ask another one."))
    if NotAnApi in kinds:
        sentence = f"The server at {host} answered with a web page: its address usually ends in /v1."
        return Fault(error=EndpointRefused(sentence))
    return None


_BROKEN = frozenset({
    "BrokenOff", "APIConnectionError", "NetworkError", "ProtocolError", "OSError", "JSONDecodeError", "APIError",
})  # fmt: skip


def _broken(host: str) -> EndpointUnavailable:
    return EndpointUnavailable(f"The answer of the server at {host} broke off: ask again.")


def _chain(error: BaseException) -> list[BaseException]:
    """An error and what it came from."""
    found: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in found:
        found.append(at)
        at = at.__cause__ or at.__context__
    return found


def _is_certificate(error: BaseException) -> bool:
    return any(isinstance(each, ssl.SSLCertVerificationError) for each in _chain(error)) or any(
        "CERTIFICATE_VERIFY_FAILED" in str(each) for each in _chain(error)
    )
