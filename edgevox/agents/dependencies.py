"""What an agent depends on outside itself: programs, services of the network, models behind an address.

Knows how such things are named, looked at and found among the tools of an agent. Looks only when it is asked to
(`edgevox.agents.health` asks again and again), and starts nothing.
"""

import contextlib
import logging
import shutil
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, cast, runtime_checkable

from edgevox.core.redaction import redacted

log = logging.getLogger(__name__)


class DependencyKind(StrEnum):
    """What sort of thing it is."""

    EXECUTABLE = "executable"
    NETWORK_SERVICE = "network_service"
    MODEL_ENDPOINT = "model_endpoint"


SHOWN: Mapping[str, tuple[str, ...]] = {
    DependencyKind.EXECUTABLE: ("command", "purpose"),
    DependencyKind.NETWORK_SERVICE: ("host", "port", "service", "security"),
    DependencyKind.MODEL_ENDPOINT: ("provider", "model", "host"),
}
"""The fields that may be shown, by kind; whatever else a dependency says about itself stays hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFailure:
    """Why a dependency cannot be used."""

    reason: str
    """A stable word, such as `missing`, `unreachable`, `timeout`."""
    message: str
    """One sentence that says what to do."""


@runtime_checkable
class Dependency(Protocol):
    """Something outside that an agent, a tool or a model needs."""

    @property
    def id(self) -> str:
        """Tells it from others: `executable:rg`, `service:mail.example.org:993`, `model:groq:llama`."""
        ...

    @property
    def kind(self) -> str:
        """One of `DependencyKind`."""
        ...

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What there is to say about it."""
        ...

    def check(self) -> Any:
        """Look whether it can be used: `None`, or something with `reason` and `message`. May raise."""
        ...


@dataclass(frozen=True, slots=True)
class Executable:
    """A program that has to be installed."""

    command: str
    """As it is started: a name that is looked for, or a path."""
    purpose: str = ""
    """What it is needed for."""

    @property
    def id(self) -> str:
        """`executable:NAME`."""
        return f"executable:{self.command}"

    @property
    def kind(self) -> str:
        """`executable`."""
        return DependencyKind.EXECUTABLE

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its name, and what for."""
        return {"command": self.command, "purpose": self.purpose}

    def check(self) -> HealthFailure | None:
        """Look whether it is installed; it is not started."""
        if shutil.which(self.command):
            return None
        return HealthFailure(
            reason="missing", message=f"{self.command} is not installed: install it, or add it to PATH."
        )


@dataclass(frozen=True, slots=True)
class NetworkService:
    """A server that has to answer at its port."""

    host: str
    port: int
    service: str = ""
    """What it speaks, such as `imap`."""
    connect_s: float = 10.0

    @property
    def id(self) -> str:
        """`service:HOST:PORT`."""
        return f"service:{self.host}:{self.port}"

    @property
    def kind(self) -> str:
        """`network_service`."""
        return DependencyKind.NETWORK_SERVICE

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Where it is and what it speaks."""
        return {"host": self.host, "port": self.port, "service": self.service}

    def check(self) -> HealthFailure | None:
        """Look whether somebody takes a connection; nothing is sent."""
        try:
            socket.create_connection((self.host, self.port), timeout=self.connect_s).close()
        except OSError as error:
            what = self.service or "the server"
            said = f"{what} at {self.host}:{self.port} cannot be reached ({error.strerror or type(error).__name__})"
            return HealthFailure(reason="unreachable", message=f"{said}: start it, or check the address.")
        return None


def dependencies_of(*roots: Any) -> list[Dependency]:
    """Return what agents, tools and models need, each thing once: whatever their `external_dependencies()` name.

    Args:
        roots: agents, tools, models, or lists of them; what has no such method is looked through for `tools`, `skills`,
            `default_tools` and further agents.
    """
    found: dict[str, Dependency] = {}
    seen: set[int] = set()
    _collect(roots, found, seen)
    return list(found.values())


def shown_metadata(dependency: Dependency) -> dict[str, str]:
    """Return what may be shown about a dependency: the fields of its kind, without keys."""
    try:
        metadata = dependency.metadata
        allowed = SHOWN.get(str(dependency.kind), ())
        return {name: redacted(str(metadata[name])) for name in allowed if metadata.get(name) not in (None, "")}
    except Exception:  # what a dependency says about itself is a courtesy
        log.exception("%s cannot say what it is", dependency.id)
        return {}


def _collect(things: Any, found: dict[str, Dependency], seen: set[int]) -> None:
    for thing in _listed(things):
        if thing is None or id(thing) in seen:
            continue
        seen.add(id(thing))
        for each in _named_by(thing):
            if isinstance(each, Dependency):
                found.setdefault(each.id, each)
        for member in ("tools", "default_tools", "skills", "agents", "agent"):
            with contextlib.suppress(Exception):  # other people's agents may not like to be looked at
                _collect(getattr(thing, member, ()), found, seen)


def _listed(things: Any) -> Sequence[Any]:
    if isinstance(things, Mapping):
        return list(cast("Mapping[Any, Any]", things).values())
    return list(cast("Iterable[Any]", things)) if isinstance(things, list | tuple | set | frozenset) else (things,)


def _named_by(thing: Any) -> Sequence[Any]:
    named: Callable[[], Iterable[Any]] | None = getattr(thing, "external_dependencies", None)
    if isinstance(thing, type) or not callable(named):
        return ()
    try:
        return list(named())
    except Exception:  # what cannot say what it needs is not looked at
        log.exception("%s cannot say what it needs", type(thing).__name__)
        return ()
