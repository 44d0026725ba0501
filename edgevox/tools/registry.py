"""The tools of one agent and the one way to run them, whoever asks: a model, a phrase, a chain, a goal."""

import hashlib
import json
import logging
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Self, cast

from edgevox.core.errors import ToolDefinitionError
from edgevox.core.messages import Origin, ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult, ToolSpec, new_use_id
from edgevox.tools.decorator import as_tool
from edgevox.tools.definition import Tool
from edgevox.tools.dispatch import Arguments, Call, run_call
from edgevox.tools.limits import RESULT_LIMIT
from edgevox.tools.wording import nearest
from edgevox.tools.workers import Job

log = logging.getLogger(__name__)


class ToolRegistry:
    """Tools by name, in the order in which they came. Safe from any thread.

    Args:
        tools: whatever `register` takes.
        result_limit: characters of a result that reach the model.
    """

    def __init__(self, *tools: Any, result_limit: int = RESULT_LIMIT) -> None:
        self._tools: dict[str, Tool] = {}
        self._lock = threading.Lock()
        self._abandoned: dict[int, Job] = {}
        self._result_limit = result_limit
        self.register(*tools)

    @property
    def tools(self) -> list[Tool]:
        """The tools, inactive ones included."""
        return list(self._tools.values())

    @property
    def abandoned(self) -> list[str]:
        """Tools whose bodies still run although their calls have ended."""
        with self._lock:
            return [job.name for job in self._abandoned.values()]

    def register(self, *tools: Any) -> Self:
        """Add tools and return the registry.

        Args:
            tools: decorated or plain functions, bound methods, `Tool`s, skills, lists of these, or another registry.

        Raises:
            ToolDefinitionError: two different tools have one name. The same one twice is fine.
        """
        for given in tools:
            if isinstance(given, ToolRegistry | list | tuple):
                self.register(*cast("Iterable[Any]", given))
            else:
                self._add(as_tool(given))
        return self

    def unregister(self, name: str) -> bool:
        """Remove a tool. Returns whether there was one of that name."""
        with self._lock:
            return self._tools.pop(name, None) is not None

    def get(self, name: str) -> Tool | None:
        """The tool of that name, or `None`."""
        return self._tools.get(name)

    def dispatch(
        self,
        name: str,
        arguments: Arguments = None,
        ctx: AgentContext | None = None,
        *,
        origin: Origin = Origin.MODEL,
        tool_use_id: str | None = None,
        parent_use_id: str | None = None,
        agent_name: str = "",
    ) -> ToolCallResult:
        """Run a tool and return what came of it; whatever goes wrong is in the result.

        Publishes nothing but the progress of an action: who runs the loop publishes `tool_call`.

        Args:
            name: of the tool.
            arguments: a dictionary, or the JSON text of one; `None` is none; a value for a typed tool.
            ctx: what the tool may reach; its scope ends the call.
            origin: who caused the call.
            tool_use_id: identifier of the request; made when not given.
            parent_use_id: identifier of the call that caused this one.
            agent_name: for the events of an action.

        Raises:
            ControlFlow: the tool raised it to divert the turn; a cancelled call is a result.
        """
        use_id = tool_use_id or new_use_id()
        tool = self._tools.get(name)
        if tool is None or not tool.active or (tool.is_passive and origin is Origin.MODEL):
            return self._unknown(name, origin, use_id, parent_use_id)
        call = Call(
            tool=tool,
            ctx=ctx,
            agent_name=agent_name,
            origin=origin,
            tool_use_id=use_id,
            parent_use_id=parent_use_id,
            result_limit=self._result_limit,
            on_abandoned=self._note_abandoned,
        )
        return run_call(call, arguments)

    def specs(self) -> list[ToolSpec]:
        """What a model is told about the tools it may call: the active ones that no other tool has to call."""
        return [tool.spec for tool in self.tools if tool.active and not tool.is_passive]

    def openai_schemas(self) -> list[dict[str, Any]]:
        """The active tools in the shape chat-completion requests carry."""
        return [spec.openai() for spec in self.specs()]

    def fingerprint(self) -> str:
        """Return a hash that changes exactly when what a model is told about the tools does."""
        text = json.dumps(self.openai_schemas(), sort_keys=True, ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __len__(self) -> int:
        """Count the tools."""
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        """Whether there is a tool of that name."""
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        """Yield the tools."""
        return iter(self.tools)

    def _add(self, tool: Tool) -> None:
        with self._lock:
            known = self._tools.get(tool.name)
            if known is not None and known.fn != tool.fn:
                raise ToolDefinitionError(
                    f"two tools are called '{tool.name}' ({_where(known)} and {_where(tool)}): rename one, "
                    "or unregister the first."
                )
            if known is None:
                self._tools[tool.name] = tool

    def _unknown(self, name: str, origin: Origin, use_id: str, parent_use_id: str | None) -> ToolCallResult:
        offered = [spec.name for spec in self.specs()]
        listed = f"The tools are: {', '.join(offered)}." if offered else "There are no tools."
        words = f"There is no tool '{name:.80}'{nearest(name[:200], offered)}. {listed}"
        return ToolCallResult(
            name=name,
            tool_use_id=use_id,
            status=ResultStatus.ERROR,
            error=words,
            error_code="unknown_tool",
            origin=origin,
            parent_use_id=parent_use_id,
        )

    def _note_abandoned(self, job: Job) -> None:
        log.warning("%s still runs although its call has ended", job.name)
        with self._lock:
            self._abandoned[id(job)] = job
        job.on_end(self._forget_abandoned)

    def _forget_abandoned(self, job: Job) -> None:
        with self._lock:
            self._abandoned.pop(id(job), None)


def _where(tool: Tool) -> str:
    return f"{getattr(tool.fn, '__module__', '?')}.{getattr(tool.fn, '__qualname__', tool.name)}"
