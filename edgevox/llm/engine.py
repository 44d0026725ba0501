"""What the two homes of a local model have in common: the same questions, the same answers.

`llama.LlamaEngine` holds the model in this process, `process.ChildEngine` in a child. Text in, text out; what the text
means, and who asks next, is the caller's business.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, cast

from edgevox.core.errors import LanguageModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """How a model is loaded."""

    path: str
    n_ctx: int = 4096
    """Tokens of the context; never more than the model was trained on."""
    n_threads: int = 1
    """Threads that generate."""
    n_threads_batch: int = 2
    """Threads that read a prompt."""
    chunk: int = 32
    """Tokens of the prompt between two looks for a stop, for processors that cannot be stopped within."""
    state_bytes: int = 256 * 1024 * 1024
    """Memory for the remembered states of prompts that may come back."""
    states: int = 4
    """How many prompts may be remembered beside the current one."""

    @property
    def name(self) -> str:
        """What people call the model: its folder or its file."""
        path = Path(self.path)
        return path.parent.name if path.stem == "model" else path.stem


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineInfo:
    """What a loaded model says of itself."""

    name: str
    architecture: str = ""
    """`general.architecture` of the file: `qwen2`, `llama`, `gemma3`."""
    title: str = ""
    """`general.name` of the file, free text."""
    n_ctx: int = 4096
    parameters: int = 0
    chat_template: str = ""
    """Jinja2 source; empty when the file has none."""
    bos: str = ""
    eos: str = ""
    load_s: float = 0.0
    process_id: int | None = None
    """Of the child that holds the model; `None` when it is this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """One text to continue."""

    prompt: str
    """With its special tokens written out."""
    max_tokens: int = 512
    """0 reads the prompt and says nothing."""
    temperature: float = 0.2
    """0 always takes the likeliest token."""
    top_p: float = 0.95
    top_k: int = 40
    min_p: float = 0.05
    repeat_penalty: float = 1.0
    seed: int | None = None
    """`None` is another one each time."""
    stop: tuple[str, ...] = ()
    """Texts that end the answer and are not part of it."""
    grammar: str | None = None
    """GBNF that the answer must follow."""
    grammar_for: tuple[str, ...] = ()
    """The grammar is dropped once the answer has begun with anything but these; empty keeps it throughout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """How a generation ended and what it took."""

    finish: Literal["stop", "length", "cancelled"]
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Tokens of the prompt that were still in the context and not read again."""
    completion_tokens: int = 0
    first_token_s: float = 0.0
    took_s: float = 0.0


class GrammarRefused(LanguageModelError):
    """The grammar could not be used; the same request without it can be answered."""

    code = "grammar_refused"


Emit = Callable[[str], object]


class Engine(Protocol):
    """A local model. One thread asks it to generate; counting and aborting are safe from any."""

    def open(self) -> EngineInfo:
        """Load the model. Opening twice is fine.

        Raises:
            LibraryMissing, ModelMissing, ModelCorrupt, LanguageModelError: one sentence that says what to do.
        """
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        ...

    def generate(self, request: GenerationRequest, emit: Emit, stop: threading.Event) -> Generated:
        """Continue a text, handing over pieces of the answer as they come.

        Args:
            request: what to continue and how.
            emit: called with each piece.
            stop: when it is set the model is free again within 300 ms.

        Raises:
            ContextOverflow: the prompt is longer than the context.
            GrammarRefused: the grammar cannot be used.
            ModelCrashed: the process that held the model died.
        """
        ...

    def close(self) -> None:
        """Let the model go. Closing twice is fine, and opening again is, too."""
        ...


Plain = TypeVar("Plain", EngineOptions, EngineInfo, GenerationRequest, Generated)


def from_plain(kind: type[Plain], data: Mapping[str, Any]) -> Plain:
    """Put one of the values above together from plain data; lists become the tuples they were."""
    known = {each.name for each in fields(kind)}
    return kind(**{key: _frozen(value) for key, value in data.items() if key in known})


def _frozen(value: Any) -> Any:
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
