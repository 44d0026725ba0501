"""What must not be seen: the values of keys and passwords, and the places in a text where such values stand.

Knows the secrets that this process has met and how they are covered. Reads no file and no environment; whoever gets
hold of a secret says so here, and whoever writes something that leaves the process (a log, a trace, a card on the
screen, an error) asks here first.
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote, quote_plus

REDACTED = "[hidden]"
"""What stands in the place of a secret."""
LEAST_CHARACTERS = 6
"""Shorter values are not looked for in texts: they would cover innocent words."""
SECRET_SUFFIX = "_SECRET"  # noqa: S105 - the end of a name
"""Variables with names that end so hold secrets."""

_WORDS = "(?:api|access|auth|private)_?key|secret|token|pass(?:word|wd|phrase)|credential|authorization|signature"
_NAMES = re.compile(rf"(?i)(^|_)({_WORDS})s?($|_(id|secret|value)$)")
_FIELDS = re.compile(r"(?i)^(x[-_])?(?:[a-z0-9]+[-_])*(" + _WORDS + r"|apikey|pwd)$")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_SECRETS = re.compile(r"(?i)(max|min|num|total|prompt|completion|input|output)_tokens?$|^token_(input|output)$")
_URL_LOGIN = re.compile(r"(?i)(\b[a-z][a-z0-9+.-]{1,20}://)[^\s/@\"'<>?#]+@")
_IN_QUERY = re.compile(
    r"(?i)((?:[?&;]|%3F|%26)(?:[a-z0-9]+[-_])*(?:api[-_]?key|key|access[-_]?key|access[-_]?token|auth|token|secret|password|passwd|pwd|"
    r"sig|signature|credential)(?:=|%3D))[^\s&#;\"'<>)\]}]+"
)
_IN_HEADER = re.compile(
    r"(?i)\b((?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?|bearer\s+|x-api-key[\"']?\s*[:=]\s*[\"']?)"
    r"[a-z0-9._~+/=-]{6,}"
)
_KEY_SHAPES = re.compile(r"\b(?:sk|pk|rk|gsk|csk|xai|ghp|gho|hf|AIza)[-_]?[A-Za-z0-9_-]{24,}\b")
_HINTS = re.compile(r"(?i)://|[?&;%]|auth|bearer|api|(?:sk|pk|rk|gsk|csk|xai|ghp|gho|hf)[-_]|AIza")


class Secrets:
    """The secrets that are known, by name. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, set[str]] = {}
        self._pattern: re.Pattern[str] | None = None

    def remember(self, name: str, value: str) -> None:
        """Cover a value from now on, also where it stands percent-encoded or escaped.

        Args:
            name: what it is called, such as `MY_SERVICE_API_KEY_SECRET`; the name itself is no secret.
            value: short ones (below six characters) are not looked for.
        """
        with self._lock:
            known = self._values.setdefault(name, set())
            if value in known:
                return
            known.add(value)
            self._pattern = _pattern(spelled for values in self._values.values() for spelled in values)

    def expect(self, name: str) -> None:
        """Treat a name as that of a secret whose value nobody has met yet."""
        with self._lock:
            self._values.setdefault(name, set())

    def names(self) -> frozenset[str]:
        """Return the names of the secrets that are known of."""
        with self._lock:
            return frozenset(self._values)

    @property
    def any(self) -> bool:
        """Whether a value is looked for at all."""
        return self._pattern is not None

    def cover_known(self, text: str) -> str:
        """Return the text with the known values replaced by `[hidden]`; what only looks like a key stays."""
        pattern = self._pattern
        return text if pattern is None else pattern.sub(REDACTED, text)

    def cover(self, text: str) -> str:
        """Return the text with everything secret replaced by `[hidden]`."""
        text = self.cover_known(text)
        if _HINTS.search(text) is None:
            return text
        text = _URL_LOGIN.sub(rf"\1{REDACTED}@", text)
        text = _IN_QUERY.sub(rf"\1{REDACTED}", text)
        text = _IN_HEADER.sub(rf"\1{REDACTED}", text)
        return _KEY_SHAPES.sub(REDACTED, text)


KNOWN = Secrets()
"""The secrets of this process."""


def remember_secret(name: str, value: str) -> None:
    """Cover a value from now on in everything that this process writes (see `Secrets.remember`)."""
    KNOWN.remember(name, value)


def expect_secret(name: str) -> None:
    """Treat a variable as a secret although its name does not say so, such as one that a catalogue names."""
    KNOWN.expect(name)


def remember_environment(environment: Mapping[str, str]) -> None:
    """Cover the values of the variables that hold a secret, by their names or because they are expected to."""
    expected = KNOWN.names()
    for name, value in environment.items():
        if value.strip() and (name in expected or is_secret_name(name)):
            KNOWN.remember(name, value)


def redacted(text: str) -> str:
    """Return a text without secrets: known values, keys in addresses and headers, and what looks like a key."""
    return KNOWN.cover(text)


def redacted_value(value: Any) -> Any:
    """Return a JSON-like value without secrets; a field whose name says that it holds one is covered whole.

    What needs no covering comes back as it is, the same object.
    """
    return _walked(value, KNOWN.cover, is_secret_field)


def without_known(value: Any) -> Any:
    """Return a JSON-like value in which the known secrets are covered; what only looks like one stays."""
    return _walked(value, KNOWN.cover_known, _no_field) if KNOWN.any else value


def is_secret_name(name: str) -> bool:
    """Return whether a variable of that name holds a secret: `..._SECRET`, `..._API_KEY`, `..._TOKEN` and the like."""
    return name.upper().endswith(SECRET_SUFFIX) or (_NAMES.search(name) is not None and not _NOT_SECRETS.search(name))


def is_secret_field(name: str) -> bool:
    """Return whether a field of that name in arguments, settings or headers holds a secret."""
    if name.upper().endswith(SECRET_SUFFIX):
        return True
    parted = _HUMPS.sub("_", name).replace("-", "_")
    return _FIELDS.match(parted) is not None and not _NOT_SECRETS.search(parted)


class RedactingFormatter(logging.Formatter):
    """Writes a record of the log without secrets, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a text in which everything secret is covered."""
        return redacted(super().format(record))


def _no_field(_: str) -> bool:
    return False


def _walked(value: Any, cover: Callable[[str], str], hides: Callable[[str], bool]) -> Any:
    match value:
        case str():
            return cover(value)
        case Mapping():
            return _walked_mapping(cast("Mapping[Any, Any]", value), cover, hides)
        case list() | tuple():
            items = cast("Sequence[Any]", value)
            walked = [_walked(item, cover, hides) for item in items]
            if all(new is old for new, old in zip(walked, items, strict=True)):
                return cast("Any", value)
            return tuple(walked) if isinstance(value, tuple) else walked
        case bytes() | bytearray():
            text = bytes(value).decode("latin-1")
            return value if cover(text) == text else REDACTED
        case _:
            return value


def _walked_mapping(value: Mapping[Any, Any], cover: Callable[[str], str], hides: Callable[[str], bool]) -> Any:
    walked: dict[Any, Any] = {}
    for key, item in value.items():
        if isinstance(key, str) and isinstance(item, str | bytes) and item and hides(key):
            walked[key] = REDACTED
        else:
            walked[cover(key) if isinstance(key, str) else key] = _walked(item, cover, hides)
    same = len(walked) == len(value) and all(walked.get(key, walked) is item for key, item in value.items())
    return value if same else walked


def _pattern(values: Iterable[str]) -> re.Pattern[str] | None:
    spellings = {spelling for value in values for spelling in _spellings(value) if len(spelling) >= LEAST_CHARACTERS}
    if not spellings:
        return None
    return re.compile("|".join(re.escape(spelling) for spelling in sorted(spellings, key=len, reverse=True)))


def _spellings(value: str) -> Iterable[str]:
    """Yield a secret as it may stand in a text: as it is, in an address, in JSON, in a `repr`."""
    bare = value.strip()
    yield bare
    yield quote(bare, safe="")
    yield quote(bare)
    yield quote_plus(bare)
    yield repr(bare)[1:-1]
    yield bare.encode("unicode_escape").decode()
    yield json.dumps(bare)[1:-1]
    yield json.dumps(bare, ensure_ascii=False)[1:-1]
    for line in bare.splitlines():
        if len(line) >= 16:  # a private key is logged line by line
            yield line
