"""A workflow as XML of BehaviorTree.CPP 4, for planners that robots already run.

Knows what each kind of workflow means in control nodes, decorators and ports. Agents are leaves: `EdgevoxAgent` actions
with the ports `agent`, `task`, `reply` and `error`, which the planner's own code has to provide. Knows nothing of
running a tree.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from edgevox.agents.workflows.tree import kind_of, limits_of

AGENT, ROUTE, REDUCE, UNTIL = "EdgevoxAgent", "EdgevoxRoute", "EdgevoxReduce", "EdgevoxUntil"
"""The leaves that a planner has to provide."""

_PORTS: Mapping[str, tuple[str, Mapping[str, str], Mapping[str, str]]] = {
    AGENT: (
        "Action",
        {"agent": "who answers", "task": "what it is asked", "kind": "agent, orchestrator, …"},
        {"reply": "what it said", "error": "what went wrong; the action fails then"},
    ),
    ROUTE: (
        "Action",
        {"agent": "who decides", "task": "what was asked", "routes": "what it may choose, in the order of the targets"},
        {"route": "who should answer; empty when it answered itself", "reply": "its own answer"},
    ),
    REDUCE: (
        "Action",
        {"agent": "whose replies", "replies": "the replies, by the keys that hold them", "function": "how"},
        {"reply": "one reply made of them"},
    ),
    UNTIL: ("Condition", {"agent": "which loop", "function": "whether it is done", "reply": "the last reply"}, {}),
}

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_behaviortree_xml(agent: Any) -> str:
    """Return an agent, and everything it asks, as BehaviorTree.CPP 4 XML.

    Args:
        agent: an agent or a workflow.
    """
    tree = _key_of(agent.name)
    root = Element("root", BTCPP_format="4", main_tree_to_execute=tree)
    _Writer().write(agent, SubElement(root, "BehaviorTree", ID=tree), "task", "reply")
    _add_model(root)
    indent(root, "  ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


class _Writer:
    """Writes nodes and gives every value between them a key of its own on the blackboard."""

    def __init__(self) -> None:
        self._count = 0
        self._above: list[int] = []
        self._kinds: dict[str, Callable[[Any, Element, str, str], None]] = {
            "sequence": self._sequence,
            "fallback": self._fallback,
            "parallel": self._parallel,
            "retry": self._retry,
            "timeout": self._timeout,
            "loop": self._loop,
        }

    def write(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        """Add an agent below a node.

        Args:
            agent: the agent.
            parent: the node.
            task: key that holds what it is asked.
            reply: key that is to hold what it says.
        """
        write = self._kinds.get(kind_of(agent))
        children = getattr(agent, "children", ())
        if id(agent) in self._above or not children or kind_of(agent) == "orchestrator":
            self._leaf(agent, parent, task, reply)
            return
        self._above.append(id(agent))
        (write or self._router)(agent, parent, task, reply)
        self._above.pop()

    def _leaf(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        name = _text(agent.name)
        ports = {"agent": name, "task": _ref(task), "reply": _ref(reply), "error": _ref(f"{reply}_error")}
        SubElement(parent, "Action", {"ID": AGENT, "name": name, "kind": kind_of(agent), **ports})

    def _sequence(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        """The reply of one child is the task of the next."""
        node = SubElement(parent, "Sequence", name=_text(agent.name))
        for child in agent.children[:-1]:
            between = self._key(child)
            self.write(child, node, task, between)
            task = between
        self.write(agent.children[-1], node, task, reply)

    def _fallback(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        node = SubElement(parent, "Fallback", name=_text(agent.name))
        for child in agent.children:
            self.write(child, node, task, reply)

    def _parallel(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        """All children run to their ends; it fails when all of them did. One more leaf makes one reply of theirs."""
        name = _text(agent.name)
        both = SubElement(parent, "Sequence", name=name)
        node = SubElement(both, "ParallelAll", name=f"{name} children", max_failures=str(len(agent.children)))
        keys = [self._key(child) for child in agent.children]
        for child, key in zip(agent.children, keys, strict=True):
            self.write(child, node, task, key)
        function = _text(limits_of(agent).get("reduce", "join"))
        ports = {"agent": name, "replies": ";".join(keys), "function": function, "reply": _ref(reply)}
        SubElement(both, "Action", {"ID": REDUCE, "name": f"{name} reduce", **ports})

    def _retry(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        """A failed attempt is followed by the first pause, which is not doubled here."""
        limits, name = limits_of(agent), _text(agent.name)
        attempts = str(limits["max_attempts"])
        node = SubElement(parent, "RetryUntilSuccessful", name=name, num_attempts=attempts)
        pause = round(1000 * limits["backoff_s"])
        if pause:
            node = SubElement(node, "Fallback", name=f"{name} attempt")
        self.write(agent.children[0], node, task, reply)
        if pause:
            failing = SubElement(node, "ForceFailure", name=f"{name} pause")
            SubElement(failing, "Sleep", msec=str(pause))

    def _timeout(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        msec = str(max(1, round(1000 * limits_of(agent)["seconds"])))
        self.write(agent.children[0], SubElement(parent, "Timeout", name=_text(agent.name), msec=msec), task, reply)

    def _loop(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        """Rounds are repeated; those after the one that was enough are skipped, and none being enough is a failure."""
        limits, name = limits_of(agent), _text(agent.name)
        cycles = str(limits["max_iterations"])
        if "until" not in limits:
            self.write(agent.children[0], SubElement(parent, "Repeat", name=name, num_cycles=cycles), task, reply)
            return
        done = self._key(agent, "done")
        whole = SubElement(parent, "Sequence", name=name)
        SubElement(whole, "Script", code=f"{done} := 0")
        repeat = SubElement(whole, "Repeat", name=f"{name} rounds", num_cycles=cycles)
        turn = SubElement(repeat, "Sequence", {"name": f"{name} round", "_skipIf": f"{done} == 1"})
        self.write(agent.children[0], turn, task, reply)
        look = SubElement(turn, "ForceSuccess", name=f"{name} look")
        enough = SubElement(look, "Sequence", name=f"{name} enough")
        ports = {"agent": name, "function": _text(limits["until"]), "reply": _ref(reply)}
        SubElement(enough, "Condition", {"ID": UNTIL, "name": f"{name} until", **ports})
        SubElement(enough, "Script", code=f"{done} := 1")
        SubElement(whole, "ScriptCondition", code=f"{done} == 1")

    def _router(self, agent: Any, parent: Element, task: str, reply: str) -> None:
        """An agent that hands over: it decides first, then the one it chose answers, or it has answered itself."""
        name, route = _text(agent.name), self._key(agent, "route")
        whole = SubElement(parent, "Sequence", name=name)
        choices = [f"{_key_of(child.name)}_{place}" for place, child in enumerate(agent.children, 1)]
        routes = {"routes": ";".join(choices), "route": _ref(route)}
        ports = {"agent": name, "task": _ref(task), **routes, "reply": _ref(reply)}
        SubElement(whole, "Action", {"ID": ROUTE, "name": f"{name} route", **ports})
        choice = SubElement(whole, "Fallback", name=f"{name} targets")
        for child, chosen in zip(agent.children, choices, strict=True):
            taken = SubElement(choice, "Sequence", name=f"{name} to {_text(child.name)}")
            SubElement(taken, "ScriptCondition", code=f"{route} == '{chosen}'")
            self.write(child, taken, task, reply)
        if kind_of(agent) != "supervisor":  # which never answers itself
            SubElement(choice, "ScriptCondition", code=f"{route} == ''")

    def _key(self, agent: Any, what: str = "reply") -> str:
        self._count += 1
        return f"{_key_of(agent.name)}_{self._count}_{what}"


def _add_model(root: Element) -> None:
    """Declare the leaves, so that an editor knows their ports."""
    model = SubElement(root, "TreeNodesModel")
    for name, (kind, inputs, outputs) in _PORTS.items():
        node = SubElement(model, kind, ID=name)
        for tag, ports in (("input_port", inputs), ("output_port", outputs)):
            for port, about in ports.items():
                SubElement(node, tag, name=port, type="std::string").text = about


def _ref(key: str) -> str:
    return f"{{{key}}}"


def _key_of(name: object) -> str:
    """Return a name as keys and scripts may hold it."""
    plain = re.sub(r"\W", "_", str(name), flags=re.ASCII)
    return plain if plain[:1].isalpha() else f"a_{plain}"


def _text(value: object) -> str:
    """Return a text without the signs that XML cannot hold; the others are escaped when it is written."""
    return _NOT_XML.sub("", str(value)).replace("<lambda>", "lambda")
