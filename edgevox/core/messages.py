"""The one message: a role and a list of content blocks.

Knows what was said, asked and answered. Dictionaries in the OpenAI shape exist only as a projection that is read, or
parsed once at the door.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from edgevox.core.characters import encodable
from edgevox.core.clock import utc_now


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Origin(StrEnum):
    """Who caused a tool to run."""

    MODEL = "model"
    PHRASE = "phrase"
    CHAIN = "chain"
    DEFAULT = "default"
    AUTO = "auto"
    SKILL = "skill"
    GOAL = "goal"
    HANDOFF = "handoff"


class ResultStatus(StrEnum):
    """How a tool call ended."""

    SUCCESS = "success"
    ERROR = "error"
    DECLINED = "declined"
    """The person said no, or nobody answered in time."""
    CANCELLED = "cancelled"


class MessageStatus(StrEnum):
    """How far a message is."""

    NOT_STARTED = "not_started"
    GENERATING = "generating"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    def is_terminal(self) -> bool:
        """Whether the message will not change any more."""
        return self in (MessageStatus.COMPLETED, MessageStatus.FAILED, MessageStatus.CANCELLED)


class Severity(StrEnum):
    """How hard a truncation rule cuts."""

    LIGHT = "light"
    """Long strings are capped."""
    STUB = "stub"
    """Name and status stay."""
    REMOVE = "remove"
    """The request and its result go together."""


class Truncation(BaseModel):
    """After a message was shown `threshold` times, cut it with `severity`; -1 is never."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: int = Field(ge=-1)
    severity: Severity = Severity.LIGHT


class Usage(BaseModel):
    """What one model call took."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    endpoint: str = ""
    model: str = ""
    token_input: int = 0
    token_output: int = 0


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TextBlock(_Block):
    """Words, by a person or a model."""

    content_type: Literal["text"] = "text"
    text: Annotated[str, AfterValidator(encodable)]


class ToolUseBlock(_Block):
    """A tool was asked for."""

    content_type: Literal["tool_use"] = "tool_use"
    tool_name: str
    tool_use_id: str
    input: dict[str, Any] = Field(default_factory=dict)
    origin: Origin = Origin.MODEL
    parent_use_id: str | None = None
    raw_request: str | None = None
    """The model's own characters, when they could not be read as arguments."""
    answered_by_runtime: bool = False
    """The runtime answered without running a tool (unknown name, bad arguments)."""

    @classmethod
    def of(cls, tool_name: str, tool_use_id: str, arguments: dict[str, Any], origin: Origin = Origin.MODEL) -> Self:
        """Make a request of parts that fit; nothing is checked."""
        return unchecked(
            cls,
            content_type="tool_use",
            tool_name=tool_name,
            tool_use_id=tool_use_id,
            input=arguments,
            origin=origin,
            parent_use_id=None,
            raw_request=None,
            answered_by_runtime=False,
        )


class ToolResultBlock(_Block):
    """What a tool answered."""

    content_type: Literal["tool_result"] = "tool_result"
    tool_name: str
    tool_use_id: str
    status: ResultStatus
    runtime_ms: int = 0
    payload: Any = None
    """JSON-compatible: the result, or the words of the error."""
    output_type: str | None = None
    """Name of the value type, for typed tools."""
    error_code: str | None = None
    origin: Origin = Origin.MODEL
    parent_use_id: str | None = None
    truncation: tuple[Truncation, ...] = ()
    raw_response: dict[str, Any] | None = None

    @property
    def ok(self) -> bool:
        """Whether the tool did what it was asked."""
        return self.status is ResultStatus.SUCCESS

    @property
    def text(self) -> str:
        """The payload as the model reads it."""
        return self.payload if isinstance(self.payload, str) else json.dumps(self.payload, ensure_ascii=False)


class ErrorBlock(_Block):
    """Something failed that no tool's result can hold."""

    content_type: Literal["error"] = "error"
    message: str
    error_code: str | None = None


class ClientContextBlock(_Block):
    """What the person was looking at when they spoke."""

    content_type: Literal["client_context"] = "client_context"
    context: dict[str, Any]


class DeletedBlock(_Block):
    """A block stood here that the context no longer carries."""

    content_type: Literal["deleted"] = "deleted"
    was: str
    tool_use_id: str | None = None


class FillerBlock(_Block):
    """Keeps a message's place when nothing of it is left."""

    content_type: Literal["filler"] = "filler"
    text: str = "…"


Content = Annotated[
    TextBlock | ToolUseBlock | ToolResultBlock | ErrorBlock | ClientContextBlock | DeletedBlock | FillerBlock,
    Field(discriminator="content_type"),
]

_TOMBSTONES = (DeletedBlock, FillerBlock)
_LEGAL: dict[Role, tuple[type[_Block], ...]] = {
    Role.SYSTEM: (TextBlock, *_TOMBSTONES),
    Role.USER: (TextBlock, ClientContextBlock, *_TOMBSTONES),
    Role.ASSISTANT: (TextBlock, ToolUseBlock, ErrorBlock, *_TOMBSTONES),
    Role.TOOL: (ToolResultBlock, ErrorBlock, *_TOMBSTONES),
}


class Message(BaseModel):
    """One contribution to a conversation.

    Reads like the OpenAI dictionary too (`m["role"]`, `m.get("content")`, `dict(m)`), which cannot be written to.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role
    content: tuple[Content, ...]
    status: MessageStatus = MessageStatus.COMPLETED
    kind: str | None = None
    """What the message is for beside its words: `correction`, `summary`, `interrupted`."""
    truncation: tuple[Truncation, ...] = ()
    created: datetime = Field(default_factory=utc_now)
    turn: int | None = None
    usage: Usage | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _words_are_a_block(cls, content: Any) -> Any:
        return (TextBlock(text=content),) if isinstance(content, str) else content

    @model_validator(mode="after")
    def _only_blocks_of_its_role(self) -> Self:
        for block in self.content:
            if not isinstance(block, _LEGAL[self.role]):
                raise ValueError(f"a {self.role} message cannot hold a {block.content_type} block")
        return self

    @classmethod
    def text(cls, text: str, role: Role = Role.USER, *, kind: str | None = None, turn: int | None = None) -> Self:
        """Make a message of words only."""
        return cls(role=role, content=(TextBlock(text=text),), kind=kind, turn=turn)

    @classmethod
    def of_blocks(cls, role: Role, *blocks: Any, kind: str | None = None, usage: Usage | None = None) -> Self:
        """Make a message of blocks that its role may hold; nothing is checked."""
        return unchecked(
            cls,
            role=role,
            content=blocks,
            status=MessageStatus.COMPLETED,
            kind=kind,
            truncation=(),
            created=utc_now(),
            turn=None,
            usage=usage,
        )

    @classmethod
    def from_openai(cls, data: Mapping[str, Any]) -> Self:
        """Read one dictionary in the OpenAI chat shape.

        Raises:
            ValueError: the role is unknown or the shape is not a chat message's.
        """
        role = Role(data.get("role", "user"))
        if role is Role.TOOL:
            return cls(role=role, content=(_result_from_openai(data),))
        blocks: list[Any] = []
        words = _words(data.get("content"))
        if words or not data.get("tool_calls"):
            blocks.append(TextBlock(text=words))
        blocks.extend(_use_from_openai(call) for call in data.get("tool_calls") or ())
        return cls(role=role, content=tuple(blocks))

    @property
    def plain(self) -> str:
        """The words of the message, without requests and results."""
        return "".join(block.text for block in self.content if isinstance(block, TextBlock | FillerBlock))

    @property
    def tool_uses(self) -> tuple[ToolUseBlock, ...]:
        """The tools this message asks for."""
        return tuple(block for block in self.content if isinstance(block, ToolUseBlock))

    @property
    def tool_results(self) -> tuple[ToolResultBlock, ...]:
        """The results this message holds."""
        return tuple(block for block in self.content if isinstance(block, ToolResultBlock))

    def is_complete(self) -> bool:
        """Whether nothing more will be added."""
        return self.status.is_terminal()

    def is_unsuccessful(self) -> bool:
        """Whether the message failed or was cancelled; a person's message never is."""
        return self.role is not Role.USER and self.status in (MessageStatus.FAILED, MessageStatus.CANCELLED)

    def cut(self, heard: str) -> "Message":
        """Return the message as a barge-in left it: only the words that were heard, marked as interrupted."""
        rest = tuple(block for block in self.content if not isinstance(block, TextBlock))
        content = (TextBlock(text=heard), *rest)
        return self.model_copy(update={"content": content, "status": MessageStatus.CANCELLED, "kind": "interrupted"})

    def openai(self) -> list[dict[str, Any]]:
        """Project to the OpenAI chat shape: one dictionary, or one for each tool result."""
        if self.role is Role.TOOL:
            return [_result_to_openai(block) for block in self.content if isinstance(block, ToolResultBlock)]
        projected: dict[str, Any] = {"role": str(self.role), "content": self.plain}
        if self.tool_uses:
            projected["tool_calls"] = [_use_to_openai(block) for block in self.tool_uses]
        return [projected]

    def __getitem__(self, key: str) -> Any:
        """Read a key of the OpenAI projection."""
        return self._first()[key]

    def get(self, key: str, default: Any = None) -> Any:
        """Read a key of the OpenAI projection, or the default."""
        return self._first().get(key, default)

    def keys(self) -> Iterator[str]:
        """Yield the keys of the OpenAI projection, so that `dict(message)` is it."""
        return iter(self._first())

    def _first(self) -> dict[str, Any]:
        projected = self.openai()
        return projected[0] if projected else {"role": str(self.role), "content": ""}


Made = TypeVar("Made", bound=BaseModel)


def unchecked(model: type[Made], **fields: Any) -> Made:
    """Make a message or a block of values that are known to fit, without looking at them again.

    For what the runtime writes itself, at every step of a run.

    Args:
        model: the class.
        fields: every one of its fields, in its order.
    """
    made = model.__new__(model)
    put = object.__setattr__
    put(made, "__dict__", fields)
    put(made, "__pydantic_fields_set__", set(fields))
    put(made, "__pydantic_extra__", None)
    put(made, "__pydantic_private__", None)
    return made


def _words(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(str(part.get("text", "")) for part in content if part.get("type") == "text")


def _use_from_openai(call: Mapping[str, Any]) -> ToolUseBlock:
    function = call.get("function", {})
    raw = function.get("arguments") or "{}"
    try:
        arguments = json.loads(raw) if isinstance(raw, str) else raw
    except ValueError:
        arguments = None
    if isinstance(arguments, dict):
        known = cast("dict[str, Any]", arguments)
        return ToolUseBlock(tool_name=function.get("name", ""), tool_use_id=call.get("id", ""), input=known)
    return ToolUseBlock(tool_name=function.get("name", ""), tool_use_id=call.get("id", ""), raw_request=str(raw))


def _use_to_openai(block: ToolUseBlock) -> dict[str, Any]:
    arguments = block.raw_request if block.raw_request is not None else json.dumps(block.input, ensure_ascii=False)
    return {
        "id": block.tool_use_id,
        "type": "function",
        "function": {"name": block.tool_name, "arguments": arguments},
    }


def _result_from_openai(data: Mapping[str, Any]) -> ToolResultBlock:
    return ToolResultBlock(
        tool_name=data.get("name", ""),
        tool_use_id=data.get("tool_call_id", ""),
        status=ResultStatus.SUCCESS,
        payload=data.get("content", ""),
    )


def _result_to_openai(block: ToolResultBlock) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": block.tool_use_id, "name": block.tool_name, "content": block.text}
