"""The one loop under every agent: the roots in turn, and after each whatever is chained to what it came to.

A root is a default tool, or the prompter that asks a model. `LLMAgent` and `LLM` have the prompter alone; an agent that
never asks a model has default tools alone. A run ends with the first `Stop`. What a step does, how a model is asked and
what an error means is decided elsewhere; this page knows only what follows what.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from edgevox.chains.graph import ChainGraph, LinkBroken
from edgevox.chains.outcome import Outcome, Step
from edgevox.core.errors import ControlFlow, EndpointRefused
from edgevox.core.values import Invoke, Value


class Interrupted(ControlFlow):
    """A person broke a model's answer off; the run goes on with what the person says next."""


class Root(Protocol):
    """What runs when no chain is left."""

    def turn(self, last: Outcome, /) -> Generator[str, None, Sequence[Outcome]]:
        """Run once and return what came of it: of a default tool one outcome, of a prompter one for each call.

        Yields the words that are said on the way.
        """
        ...


class Runner(Protocol):
    """Carries steps out."""

    def run(self, step: Step) -> Outcome:
        """Run one tool and keep what came of it.

        Raises:
            ControlFlow: the run ends.
            Exception: the error policy says that the run fails.
        """
        ...

    def fail(self, name: str, error: Exception, after: Outcome) -> Outcome:
        """Keep why a tool could not follow on an outcome; raises it where the error policy says so."""
        ...


Recover = Callable[[BaseException], Outcome]
"""Given what broke a cycle off; returns what the next cycle begins with, or raises it again."""


def give_up(trouble: BaseException) -> Outcome:
    """Recover from nothing."""
    raise trouble


@dataclass(slots=True)
class Scheduler:
    """Runs tools until one returns `Stop`.

    Args:
        roots: the default tools and the prompter, in their order.
        runner: carries out chained steps.
        graph: returns the graph as it is now; skills that are loaded on the way add to it.
        recover: asks the person when a model's answer was broken off or refused.
    """

    roots: Sequence[Root]
    runner: Runner
    graph: Callable[[], ChainGraph]
    recover: Recover = give_up

    def run(self, value: Value) -> Generator[str, None, Outcome]:
        """Run cycle after cycle; yields words, and returns the outcome that ended the run.

        Args:
            value: what the first root is given.
        """
        last = Outcome(value)
        while not last.ends:
            try:
                last = yield from self._cycle(last)
            except (Interrupted, EndpointRefused) as trouble:
                last = self.recover(trouble)
        return last

    def _cycle(self, last: Outcome) -> Generator[str, None, Outcome]:
        """Every root once, each followed by its chains."""
        for root in self.roots:
            outcomes = yield from root.turn(last)
            for outcome in outcomes:
                last = self.follow(outcome, last)
                if last.ends:
                    return last
        return last

    def follow(self, outcome: Outcome, before: Outcome) -> Outcome:
        """Go down the chain that begins with an outcome; returns its end.

        Args:
            outcome: what a root came to.
            before: whose value stands where the outcome is a failure.
        """
        while not outcome.ends:
            if outcome.failed:
                return replace(outcome, value=before.value)
            before = outcome
            try:
                step = self._next(outcome)
            except LinkBroken as broken:
                outcome = self.runner.fail(broken.name, broken, outcome)
                continue
            if step is None:
                return outcome
            outcome = self.runner.run(step)
        return outcome

    def _next(self, outcome: Outcome) -> Step | None:
        """The step that an outcome leads to: the tool it calls by name, or the one chained to it that is ready."""
        parent, value = outcome.tool, outcome.value
        if parent is None:
            return None
        graph = self.graph()
        if isinstance(value, Invoke):
            called = graph.called(value.action, parent)
            return Step(tool=called, arguments=arguments_of(value), parent_use_id=outcome.use_id, source=parent.name)
        child = graph.next_after(parent, value)
        if child is None:
            return None
        return Step(tool=child, value=value, parent_use_id=outcome.use_id, source=parent.name)


def arguments_of(call: Invoke) -> dict[str, Any]:
    """What a call by name says beside the name and its reason."""
    return call.model_dump(exclude={"action", "rationale"})
