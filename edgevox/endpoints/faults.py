"""What can go wrong with a server, as one sentence for a person.

Tells faults apart by what the client library calls them and by status codes; never repeats a key or an address.
"""

import re

from edgevox.core.errors import ContextOverflow, EdgeVoxError, LanguageModelError

_OVERFLOW = re.compile(
    r"context (?:window|length|size)|context_length|exceed\w* .{0,60}context|too many tokens", re.IGNORECASE
)


def as_error(error: Exception, host: str, model: str) -> EdgeVoxError:
    """Return the error a person reads.

    Args:
        error: what the client library raised.
        host: of the server.
        model: that was asked for.
    """
    if isinstance(error, EdgeVoxError):
        return error
    made = _by_status(error, host, model) or _by_kind(error, host)
    made.__cause__ = error
    return made


def _by_status(error: Exception, host: str, model: str) -> EdgeVoxError | None:
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return None
    if status in (400, 413) and _OVERFLOW.search(str(error)):
        return ContextOverflow("That is too long for the language model: say it in fewer words.")
    sentences = {
        401: f"The server at {host} does not accept the key: check the API key.",
        403: f"The server at {host} does not allow this: check the API key and its rights.",
        404: f"The server at {host} has no model {model}, or its address is wrong: it usually ends in /v1.",
        429: f"The server at {host} is busy or the quota is used up: try again later.",
    }
    trouble = f"The server at {host} has a problem of its own (status {status}): try again later."
    refused = f"The server at {host} refused the request (status {status})."
    return LanguageModelError(sentences.get(status, trouble if status >= 500 else refused))


def _by_kind(error: Exception, host: str) -> EdgeVoxError:
    kind = type(error).__name__
    if "Timeout" in kind:
        return LanguageModelError(f"The server at {host} did not answer in time: check that it is not overloaded.")
    if "Connect" in kind:
        return LanguageModelError(
            f"The server at {host} cannot be reached: check that it runs and the address is right."
        )
    if _OVERFLOW.search(str(error)):
        return ContextOverflow("That is too long for the language model: say it in fewer words.")
    return broken_off(host)


def broken_off(host: str) -> LanguageModelError:
    """Return the error of an answer that ended before it was over."""
    return LanguageModelError(f"The answer of the server at {host} broke off: ask again.")
