"""What an agent is on paper: everything an application says about it before anything is built."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from edgevox.agents.given import check_name
from edgevox.core.errors import AgentError
from edgevox.core.tools import ToolCallResult

if TYPE_CHECKING:
    from edgevox.core.ports import ChatModel
    from edgevox.tools.permissions import PermissionEngine, PermissionRule


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDefinition:
    """One agent, as an application declares it. What it says holds in every mode."""

    name: str
    description: str = ""
    instructions: str = ""
    """The persona; the framework adds how to answer by voice and in which language."""
    tools: Sequence[Any] = ()
    skills: Sequence[Any] = ()
    agent: Any = None
    """A ready-made agent; `None` builds an `LLMAgent` from the fields above."""
    deps: Any = None
    """Your world; if it can be halted, a stop reaches it first."""
    stop_words: Sequence[str] | None = None
    """`None` takes the language's own list, `()` disables stop words."""
    greeting: str | Mapping[str, str] = ""
    """What it says first; per language where it is a mapping, with the English words for the others."""
    phrases: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """More spoken phrases per tool name, beside those the tools bring."""
    model: str | None = None
    """A catalogue name, a path, `hf:owner/name:file.gguf` or `http://host/v1#model`; `None` is the person's setting."""
    language: str = "en"
    voice: str | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    max_tool_hops: int = 3
    on_tool_call: Callable[[ToolCallResult], object] | None = None
    permissions: "PermissionEngine | Sequence[PermissionRule] | Callable[[], Any] | None" = None
    """What it may touch: rules that allow, a whole engine, or a function that returns one of these when the agent
    begins; `None` leaves it to what the authors of its tools vouch for. The person's own rules are laid over it."""

    def __post_init__(self) -> None:
        """Refuse what no front end could show or ask.

        Raises:
            AgentError: the name, the greeting, the ready-made agent or the permissions are none.
        """
        check_name(self.name)
        if not isinstance(self.greeting, str | Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AgentError(f"The greeting of {self.name} must be a text, or one for each language.")
        if self.agent is not None and not (hasattr(self.agent, "name") and callable(getattr(self.agent, "run", None))):
            raise AgentError(
                f"{self.agent!r:.80} cannot answer for {self.name}: give an LLMAgent or a workflow as agent."
            )
        _check_permissions(self.name, self.permissions)
        unused = [what for what in ("tools", "skills", "phrases", "instructions") if getattr(self, what)]
        if self.agent is not None and unused:
            raise AgentError(f"{self.name} has a ready-made agent: give {' and '.join(unused)} to that agent itself.")

    def greeting_in(self, language: str) -> str:
        """What it says first in a language."""
        if isinstance(self.greeting, str):
            return self.greeting
        return self.greeting.get(language) or self.greeting.get("en", "")

    def build(
        self,
        llm: "ChatModel | None" = None,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
        hooks: Sequence[Any] = (),
    ) -> Any:
        """Return the agent: the ready-made one, bound to the model, or one made from the fields.

        Args:
            llm: who answers what no phrase matches; `None` leaves the agent's own.
            max_tokens: of an answer, where the definition says nothing.
            temperature: of the model, where the definition says nothing.
            hooks: that look in beside the agent's own; a ready-made agent keeps those it has.
        """
        if self.agent is not None:
            bind = getattr(self.agent, "bind_llm", None)
            if bind is not None and llm is not None and not getattr(self.agent, "keeps_llm", False):
                bind(llm)
            return self.agent
        from edgevox.agents.agent import LLMAgent

        return LLMAgent(
            self.name,
            self.description,
            self.instructions,
            tools=self.tools,
            skills=self.skills,
            llm=llm,
            hooks=hooks,
            max_tool_hops=self.max_tool_hops,
            max_tokens=self.max_tokens or max_tokens,
            temperature=self.temperature if self.temperature is not None else temperature,
            phrases=self.phrases,
            on_tool_call=self.on_tool_call,
        )


def _check_permissions(name: str, given: Any) -> None:
    if given is None or callable(given):
        return
    from edgevox.tools.permissions import PermissionEngine, PermissionRule

    rules: Sequence[Any] = () if isinstance(given, PermissionEngine) else given
    if isinstance(rules, str) or not all(isinstance(rule, PermissionRule) for rule in rules):
        raise AgentError(
            f"The permissions of {name} must be a list of PermissionRule or a PermissionEngine: "
            'permissions=[PermissionRule(pattern="device:light/*", operations={"switch"})].'
        )
