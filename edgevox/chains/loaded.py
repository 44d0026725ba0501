"""Which tools a run has at this moment: those of the agent, and those of the skills that its messages say are loaded.

Read from the messages alone, so that taking messages back takes a loading back. Only what is new is read: a long
conversation costs nothing.
"""

from collections.abc import Sequence

from edgevox.chains.graph import ChainGraph
from edgevox.chains.skills import Skill
from edgevox.core.messages import Message
from edgevox.tools import Tool


class LoadedTools:
    """Follows the messages of one run.

    Args:
        graph: without any skill.
        skills: that may be loaded.
        messages: the live list.
    """

    def __init__(self, graph: ChainGraph, skills: Sequence[Skill], messages: Sequence[Message]) -> None:
        self._base = graph
        self._skills = {skill.name: skill for skill in skills}
        self._messages = messages
        self._read = 0
        self._last: Message | None = None
        self._loaded: dict[str, Skill] = {}
        self._graphs: dict[frozenset[str], ChainGraph] = {frozenset(): graph}

    def graph(self) -> ChainGraph:
        """The tools as they are now."""
        if not self._skills:
            return self._base
        self._catch_up()
        names = frozenset(self._loaded)
        if names not in self._graphs:
            tools = [tool for skill in self._loaded.values() for tool in Tool.to_tool_list(tuple(skill.tools))]
            self._graphs[names] = self._base.with_tools(tools)
        return self._graphs[names]

    def _catch_up(self) -> None:
        """Read the messages that are new; all of them where the list is another than it was."""
        messages = self._messages
        if self._read > len(messages) or (self._read and messages[self._read - 1] is not self._last):
            self._read, self._loaded = 0, {}
        for message in messages[self._read :]:
            for result in message.tool_results:
                if result.ok and result.tool_name in self._skills:
                    self._loaded.setdefault(result.tool_name, self._skills[result.tool_name])
        self._read = len(messages)
        self._last = messages[-1] if messages else None
