"""What a tool is on paper and what a call of one came to. What runs is in `edgevox.tools`."""

import os
import random
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from edgevox.core.messages import Origin, ResultStatus, ToolResultBlock, Truncation, unchecked
from edgevox.core.redaction import KNOWN, without_known


class ToolSite(StrEnum):
    """Where a tool's body runs."""

    INLINE = "inline"
    """On the thread of the turn."""
    WORKER = "worker"
    """On a worker that can be cancelled: a skill."""
    CLIENT = "client"
    """In the host that embeds edgevox."""


class Effect(StrEnum):
    """What running a tool twice would do: the promise that recovery after a crash relies on."""

    READ = "read"
    IDEMPOTENT = "idempotent"
    TRANSACTIONAL = "transactional"
    ONCE = "once"
    """Never run again across a crash. The default."""


class LatencyClass(StrEnum):
    """Whether a call keeps a voice waiting."""

    FAST = "fast"
    SLOW = "slow"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What a model is told about a tool."""

    name: str
    description: str
    input_schema: dict[str, Any]
    """JSON schema of the arguments; always an object."""
    secret_fields: tuple[str, ...] = ()
    """Arguments that are never shown, logged or stored."""

    def openai(self) -> dict[str, Any]:
        """The schema in the shape chat-completion requests carry."""
        function = {"name": self.name, "description": self.description, "parameters": self.input_schema}
        return {"type": "function", "function": function}


_chance = random.Random()  # noqa: S311 - identifiers, not secrets; asking the system for each costs more than a call
os.register_at_fork(after_in_child=_chance.seed)


def new_use_id() -> str:
    """Return an identifier for one tool call, unique across processes."""
    return f"call_{_chance.getrandbits(80):020x}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallResult:
    """The outcome of one tool call, whoever caused it."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    tool_use_id: str = field(default_factory=new_use_id)
    status: ResultStatus = ResultStatus.SUCCESS
    result: Any = None
    """JSON-compatible and bounded: what the model reads. `None` on failure."""
    error: str | None = None
    """Words for the model; `None` on success."""
    error_code: str | None = None
    runtime_ms: int = 0
    origin: Origin = Origin.MODEL
    parent_use_id: str | None = None
    value: Any = field(default=None, repr=False)
    """What the function returned, as it returned it; lives in memory only."""
    truncation: tuple[Truncation, ...] = ()

    def __post_init__(self) -> None:
        """Cover the keys that this process holds in everything that is shown, stored or read by a model."""
        if KNOWN.any:
            for name in ("arguments", "result", "error"):
                object.__setattr__(self, name, without_known(getattr(self, name)))

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked."""
        return self.status is ResultStatus.SUCCESS

    def to_block(self) -> ToolResultBlock:
        """The result as a message carries it."""
        return unchecked(
            ToolResultBlock,
            content_type="tool_result",
            tool_name=self.name,
            tool_use_id=self.tool_use_id,
            status=self.status,
            runtime_ms=self.runtime_ms,
            payload=self.result if self.ok else self.error,
            output_type=type(self.value).__name__ if self.value is not None else None,
            error_code=self.error_code,
            origin=self.origin,
            parent_use_id=self.parent_use_id,
            truncation=self.truncation,
            raw_response=None,
        )

    @classmethod
    def from_block(cls, block: ToolResultBlock, arguments: dict[str, Any] | None = None) -> Self:
        """Read a result back from a message; the request's arguments live in the request's block."""
        return cls(
            name=block.tool_name,
            arguments=arguments or {},
            tool_use_id=block.tool_use_id,
            status=block.status,
            result=block.payload if block.ok else None,
            error=None if block.ok else block.text,
            error_code=block.error_code,
            runtime_ms=block.runtime_ms,
            origin=block.origin,
            parent_use_id=block.parent_use_id,
            truncation=block.truncation,
        )
