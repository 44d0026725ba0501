"""The plan of an orchestrator: how a model is asked for it, how it is read, and which parts may run side by side.

Everything that a model writes is checked here; what comes out names only tools that exist.
"""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, model_validator

from edgevox.agents.prompt import language_name
from edgevox.chains.batch import resources_of
from edgevox.context.visible import visible
from edgevox.core.completion import as_mapping
from edgevox.core.errors import Cancelled
from edgevox.core.ports import ChatModel
from edgevox.core.session import AgentContext
from edgevox.llm.asking import Asked
from edgevox.llm.pump import pumped
from edgevox.tools import ToolRegistry

log = logging.getLogger(__name__)

PLAN_TOKENS = 400
REPAIRS = 1
"""How often a plan that cannot be used is sent back."""

_OPENING = re.compile(r"[{\[]")
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")


class Subtask(BaseModel):
    """One part of the work, for an agent of its own. Models that are held to no schema name things as they like."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task: str = Field(
        pattern=r"\S", validation_alias=AliasChoices("task", "subtask", "description", "instruction", "goal", "prompt")
    )
    tools: tuple[str, ...] | None = None
    """Names of the tools that it may use, and no others; `None`, where the plan does not say, is all of them."""

    @model_validator(mode="before")
    @classmethod
    def _words_alone(cls, given: Any) -> Any:
        return {"task": given} if isinstance(given, str) else given


class Plan(BaseModel):
    """The parts of the work; none means that the question needs no plan."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    subtasks: tuple[Subtask, ...] = Field(validation_alias=AliasChoices("subtasks", "tasks", "plan", "steps"))

    @model_validator(mode="before")
    @classmethod
    def _parts_alone(cls, given: Any) -> Any:
        return {"subtasks": cast("list[Any]", given)} if isinstance(given, list) else given


class PlanUnusable(Exception):
    """What a model wrote is no plan; the text says why, in words for the model."""


class Planner:
    """Asks a model for a plan.

    Args:
        name: who publishes.
        instructions: what the one who plans is told about itself.
        registry: the tools that may be given out.
        max_subtasks: parts at most.
    """

    def __init__(self, name: str, instructions: str, registry: ToolRegistry, max_subtasks: int) -> None:
        self._name = name
        self._instructions = instructions
        self._registry = registry
        self._max = max_subtasks
        self.model_calls = 0

    def plan(self, model: ChatModel, conversation: Sequence[Mapping[str, Any]], ctx: AgentContext) -> Plan | None:
        """Return a plan, or `None` when the model wrote none that can be used, even when it was told what was wrong.

        Args:
            model: who is asked.
            conversation: in the OpenAI shape; the person's words come last.
            ctx: its end ends the asking.

        Raises:
            Cancelled: the context ended.
            Exception: what the model raised.
        """
        messages = [{"role": "system", "content": self._system(ctx.language)}, *map(dict, conversation)]
        for _ in range(REPAIRS + 1):
            text = self._asked(model, messages, ctx)
            try:
                return self.read(text)
            except PlanUnusable as error:
                log.info("%s wrote a plan that cannot be used: %s", self._name, error)
                messages += [
                    {"role": "assistant", "content": text or "…"},
                    {"role": "user", "content": f"That plan cannot be used: {error} Write it again, as JSON only."},
                ]
        return None

    def read(self, text: str) -> Plan:
        """Read what a model wrote.

        Raises:
            PlanUnusable: it is no plan, has too many parts, or names tools that do not exist.
        """
        try:
            plan = Plan.model_validate(_json_in(text))
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the whole"
            raise PlanUnusable(f"{where}: {error.errors()[0]['msg']}.") from error
        if len(plan.subtasks) > self._max:
            raise PlanUnusable(f"it has {len(plan.subtasks)} subtasks, and {self._max} is the most.")
        known = [tool.name for tool in self._registry.tools if tool.active]
        strange = sorted({name for part in plan.subtasks for name in part.tools or () if name not in known})
        if strange:
            raise PlanUnusable(f"there is no tool {', '.join(strange)}; the tools are: {', '.join(known) or 'none'}.")
        return plan

    def schema(self) -> dict[str, Any]:
        """JSON schema of a plan: names of tools that exist, no more parts than allowed."""
        names = [tool.name for tool in self._registry.tools if tool.active]
        tools: dict[str, Any] = {"type": "array", "items": {"type": "string", **({"enum": names} if names else {})}}
        part = {
            "type": "object",
            "properties": {"task": {"type": "string"}, "tools": tools},
            "required": ["task", "tools"],
        }
        parts = {"type": "array", "items": part, "maxItems": self._max}
        return {"type": "object", "properties": {"subtasks": parts}, "required": ["subtasks"]}

    def _system(self, language: str) -> str:
        offered = [f"- {tool.name}: {tool.description}" for tool in self._registry.tools if tool.active]
        return "\n\n".join([
            *([self._instructions.strip()] if self._instructions.strip() else []),
            f"Split what the person asks into at most {self._max} subtasks that do not need each other's results. "
            'Answer with JSON only: {"subtasks": [{"task": "Find the cheapest flight to Oslo on Monday.", '
            '"tools": ["search_flights"]}]}. Each task is a whole sentence in the person\'s own words, with every name '
            "and number that it needs: whoever does it sees nothing else. Use only tools of the list below. "
            'A question that needs no tools and no splitting gets {"subtasks": []}.',
            "Tools:\n" + ("\n".join(offered) or "none"),
            f"Write the tasks in {language_name(language)}.",
        ])  # fmt: skip

    def _asked(self, model: ChatModel, messages: Sequence[Mapping[str, Any]], ctx: AgentContext) -> str:
        form = {"type": "json_schema", "json_schema": {"name": "plan", "schema": self.schema()}}
        options: dict[str, Any] = {"response_format": form, "temperature": 0.0, "max_tokens": PLAN_TOKENS}
        shown = visible(messages, model, (), options)
        asked, text = Asked(), ""
        self.model_calls += 1
        with ctx.scope.child() as scope:
            try:
                for chunk in pumped(
                    lambda: model.complete(shown, stop_event=scope.event, stream=True, **options), scope
                ):
                    text += asked.assembler.feed(as_mapping(chunk))
                asked.cancelled = scope.cancelled
            except Exception as error:
                asked.error = str(error)
                raise
            finally:
                scope.cancel()
                ctx.emit("llm_call", self._name, asked.note())
        if ctx.scope.cancelled:
            raise Cancelled(ctx.scope.reason)
        return text.strip()


def waves(parts: Sequence[Subtask], registry: ToolRegistry) -> list[list[int]]:
    """Group parts, by their places, into rounds: those of one round share nothing that only one may use at a time.

    Two parts that need the same thing keep their order.
    """
    rounds: list[list[int]] = []
    busy: list[set[str]] = []
    for index, part in enumerate(parts):
        used = part.tools if part.tools is not None else tuple(tool.name for tool in registry.tools)
        needs = set[str]().union(*(resources_of(registry, name) for name in used))
        clashes = [place for place, held in enumerate(busy) if held & needs]
        place = clashes[-1] + 1 if clashes else 0
        if place == len(rounds):
            rounds.append([])
            busy.append(set())
        rounds[place].append(index)
        busy[place] |= needs
    return rounds


def _json_in(text: str) -> Any:
    """Return the JSON object or list in what a model wrote, with or without a fence or words around it."""
    bare = _FENCE.sub("", text.strip())
    found = _OPENING.search(bare)
    if found is None:
        raise PlanUnusable("it is not JSON.")
    end = bare.rfind("}" if found[0] == "{" else "]")
    try:
        return json.loads(bare[found.start() : end + 1])
    except (ValueError, RecursionError) as error:
        raise PlanUnusable("it is not JSON.") from error
