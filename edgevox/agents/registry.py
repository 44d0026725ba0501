"""One list of agents: those that come with edgevox, those of other packages, those in the person's folder, and scripts.

Front ends, the command line and hand-offs by name read it. A broken entry is named in `problems` and never stops the
others. Knows how an agent is found and what its card says; does not run one.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from edgevox.agents.cards import AgentCard, card_of
from edgevox.agents.definition import AgentDefinition
from edgevox.agents.protocol import Agent
from edgevox.agents.scripts import is_app, load_script
from edgevox.config.paths import agents_dir
from edgevox.core.errors import AgentError, UsageError, described

log = logging.getLogger(__name__)

GROUP = "edgevox.agents"
"""Entry-point group in which a package names its agents."""
BUILT_IN = "built in"
"""Source of the agents that come with edgevox."""
_OWN = "edgevox"


class AgentEntry:
    """One agent of the list; loaded when it is first asked for.

    Args:
        name: what it is opened with.
        source: where it comes from, in words.
        load: returns an application, a definition, an agent, or a function that makes one of these.
    """

    def __init__(self, name: str, source: str, load: Callable[[], Any]) -> None:
        self.name = name
        self.source = source
        self._load = load
        self._target: Any = None

    def target(self) -> Any:
        """Return what was declared: an application, a definition or an agent.

        Raises:
            AgentError, UsageError: it cannot be loaded, or is no agent; one sentence says why.
        """
        if self._target is None:
            self._target = self._made(self._guarded(self._load))
        return self._target

    def definition(self) -> AgentDefinition:
        """Return everything that is said about the agent. Raises as `target` does."""
        target = self.target()
        if isinstance(target, AgentDefinition):
            return target
        if is_app(target):
            return target.definition()
        return AgentDefinition(name=target.name, description=target.description, agent=target)

    def card(self) -> AgentCard:
        """Return its card. Raises as `target` does."""
        return card_of(self.definition(), self.name, self.source)

    def _guarded(self, load: Callable[[], Any]) -> Any:
        try:
            return load()
        except (AgentError, UsageError):
            raise
        except Exception as error:  # an agent is other people's code: anything may be wrong with it
            raise AgentError(f"The agent {self.name} ({self.source}) cannot be loaded: {described(error)}.") from error
        except SystemExit as error:
            raise AgentError(
                f"The agent {self.name} ({self.source}) ends the program when it is loaded; "
                "run it only under if __name__ == '__main__'."
            ) from error

    def _made(self, found: Any) -> Any:
        if callable(found) and not _is_agent(found):
            found = self._guarded(found)
        if not _is_agent(found):
            raise AgentError(
                f"The agent {self.name} ({self.source}) is a {type(found).__name__}; "
                "declare an AgentApp, an AgentDefinition, an agent, or a function that makes one."
            )
        return found


class AgentRegistry:
    """The agents that can be opened here, by name.

    Args:
        entries: the agents; of two with one name, the first stays and the other becomes a problem.
        problems: what is wrong already, one sentence each.
    """

    def __init__(self, entries: Iterable[AgentEntry] = (), problems: Iterable[str] = ()) -> None:
        self.problems: list[str] = list(problems)
        """What was left out and why, one sentence each."""
        self._entries: dict[str, AgentEntry] = {}
        for entry in entries:
            self._add(entry)

    @classmethod
    def discover(cls) -> "AgentRegistry":
        """List what is installed and what lies in the person's own folder. Nothing is loaded."""
        return cls(_installed()).with_folder(agents_dir())

    def with_folder(self, folder: Path) -> "AgentRegistry":
        """Add the scripts of a folder by the names of their files; names that begin with `_` are left out."""
        for path in sorted(folder.glob("*.py")) if folder.is_dir() else ():
            if not path.name.startswith("_"):
                self._add(AgentEntry(path.stem.replace("_", "-"), str(path), lambda path=path: load_script(path)))
        return self

    def names(self) -> list[str]:
        """The names in the order in which they are shown."""
        return list(self._entries)

    def get(self, name: str) -> AgentEntry:
        """Return the agent of a name, or of a script's path.

        Raises:
            UsageError: there is none; the sentence names the nearest.
        """
        entry = self._entries.get(name)
        if entry is not None:
            return entry
        path = Path(name).expanduser()
        if path.suffix == ".py" or path.is_file():
            return AgentEntry(path.stem, str(path), lambda: load_script(path))
        raise UsageError(f"There is no agent called {name!r}; {self._hint(name)}")

    def cards(self) -> list[AgentCard]:
        """The cards of all agents that can be loaded; the others go to `problems`."""
        found: list[AgentCard] = []
        for entry in self:
            try:
                found.append(entry.card())
            except (AgentError, UsageError) as error:
                self._warn(str(error))
        return found

    def __iter__(self) -> Iterator[AgentEntry]:
        """Go through the entries."""
        return iter(list(self._entries.values()))

    def __contains__(self, name: object) -> bool:
        """Whether there is an agent of that name."""
        return name in self._entries

    def _add(self, entry: AgentEntry) -> None:
        known = self._entries.get(entry.name)
        if known is not None:
            self._warn(f"The agent {entry.name} of {entry.source} is left out: there is one of that name already.")
            return
        self._entries[entry.name] = entry

    def _hint(self, name: str) -> str:
        from rapidfuzz import process

        near = process.extractOne(name.lower(), self.names(), score_cutoff=50)
        return f"did you mean {near[0]}?" if near else "edgevox-agent list shows the names."

    def _warn(self, sentence: str) -> None:
        if sentence not in self.problems:
            log.info(sentence)
            self.problems.append(sentence)


def find_agent(name: str) -> Agent:
    """Build the agent of a name, for a hand-off; it acts in its own world.

    Raises:
        UsageError, AgentError: there is none, or it cannot be loaded.
    """
    definition = AgentRegistry.discover().get(name).definition()
    agent: Any = definition.build()
    if definition.deps is not None:
        agent.world = definition.deps
    return agent


def _is_agent(found: Any) -> bool:
    return (
        isinstance(found, AgentDefinition)
        or is_app(found)
        or (not isinstance(found, type) and isinstance(found, Agent))
    )


def _installed() -> list[AgentEntry]:
    """The agents that packages declare, edgevox's own first."""
    points = sorted(entry_points(group=GROUP), key=lambda point: not _is_own(point))
    return [AgentEntry(point.name, BUILT_IN if _is_own(point) else _package(point), point.load) for point in points]


def _is_own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == _OWN


def _package(point: EntryPoint) -> str:
    return f"package {point.dist.name}" if point.dist is not None else point.value
