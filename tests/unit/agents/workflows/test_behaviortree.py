"""BehaviorTree.CPP XML: read back by what its own manual says of each node, and run as a planner would."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from edgevox.agents import (
    Fallback,
    LLMAgent,
    Loop,
    Orchestrator,
    Parallel,
    Retry,
    Router,
    Sequence,
    Supervisor,
    Timeout,
    to_behaviortree_xml,
)
from edgevox.cli.main import main
from edgevox.testing import ScriptedAgent

CONTROL = {"Sequence", "Fallback", "ParallelAll"}
DECORATORS = {
    "RetryUntilSuccessful": {"num_attempts"},
    "Timeout": {"msec"},
    "Repeat": {"num_cycles"},
    "ForceFailure": set[str](),
    "ForceSuccess": set[str](),
}
LEAVES = {"Sleep": {"msec"}, "Script": {"code"}, "ScriptCondition": {"code"}}
KEY = re.compile(r"\{[A-Za-z]\w*\}", re.ASCII)
CODE = re.compile(r"[A-Za-z]\w* (:=|==) (\d+|'\w*')", re.ASCII)


def read_back(text: str) -> Element:
    """Return the one node of the tree, after checking everything that version 4 of the format asks for."""
    root = fromstring(text)
    assert root.tag == "root"
    assert root.get("BTCPP_format") == "4"
    (tree,) = root.findall("BehaviorTree")
    assert tree.get("ID") == root.get("main_tree_to_execute")
    (model,) = root.findall("TreeNodesModel")
    ports = {str(node.get("ID")): {str(port.get("name")) for port in node} for node in model}
    assert len(list(tree)) == 1
    for node in tree.iter():
        if node is not tree:
            check(node, ports)
    return tree[0]


def check(node: Element, ports: Mapping[str, set[str]]) -> None:
    """Check the children and ports of one node."""
    given = set(node.attrib) - {"name", "ID", "_skipIf"}
    if node.tag in CONTROL:
        assert len(node) >= 1
        assert given == ({"max_failures"} if node.tag == "ParallelAll" else set())
    elif node.tag in DECORATORS:
        assert len(node) == 1
        assert given == DECORATORS[node.tag]
        assert all(int(node.attrib[port]) >= 1 for port in given)
    elif node.tag in LEAVES:
        assert len(node) == 0
        assert given == LEAVES[node.tag]
        assert all(CODE.fullmatch(node.attrib[port]) for port in given if port == "code")
    else:
        assert node.tag in ("Action", "Condition")
        assert len(node) == 0
        assert given <= ports[node.attrib["ID"]]
        assert all(KEY.fullmatch(node.attrib[port]) for port in given & {"task", "reply", "error", "route"})


class Planner:
    """Runs a tree that was read back, with agents that succeed or fail as told.

    Args:
        failing: names of agents, and how many times each fails; -1 fails always.
        done_after: how often a loop's condition is false.
        route: what a router chooses, among what it may choose by its place.
    """

    def __init__(self, failing: Mapping[str, int] | None = None, *, done_after: int = 0, route: int | None = None):
        self.failing = dict(failing or {})
        self.done_after = done_after
        self.route = route
        self.board: dict[str, Any] = {"task": "go"}
        self.ran: list[tuple[str, Any]] = []

    def run(self, node: Element) -> bool | None:
        """Tick a node to its end: whether it succeeded, `None` when it was skipped."""
        skip = node.get("_skipIf")
        if skip is not None and self.holds(skip):
            return None
        ticks: dict[str, Callable[[Element], bool | None]] = {
            "Sequence": lambda node: all(self.run(child) is not False for child in node),
            "Fallback": lambda node: any(self.run(child) for child in node),
            "ParallelAll": self.parallel,
            "RetryUntilSuccessful": lambda node: any(
                self.run(node[0]) for _ in range(int(node.attrib["num_attempts"]))
            ),
            "Repeat": self.repeat,
            "Timeout": lambda node: self.run(node[0]),
            "ForceFailure": lambda node: self.run(node[0]) and False,
            "ForceSuccess": lambda node: self.run(node[0]) or True,
            "Sleep": lambda node: True,
            "Script": self.script,
            "ScriptCondition": lambda node: self.holds(node.attrib["code"]),
        }
        return ticks.get(node.tag, self.leaf)(node)

    def parallel(self, node: Element) -> bool:
        failures = [self.run(child) for child in node].count(False)
        return failures < int(node.attrib["max_failures"])

    def script(self, node: Element) -> bool:
        key, value = node.attrib["code"].split(" := ")
        self.board[key] = int(value)
        return True

    def repeat(self, node: Element) -> bool | None:
        for _ in range(int(node.attrib["num_cycles"])):
            ended = self.run(node[0])
            if not ended:
                return ended
        return True

    def holds(self, code: str) -> bool:
        key, value = code.split(" == ")
        return str(self.board.get(key)) == value.strip("'")

    def leaf(self, node: Element) -> bool:
        ports = node.attrib
        match ports["ID"]:
            case "EdgevoxUntil":
                self.done_after -= 1
                return self.done_after < 0
            case "EdgevoxRoute":
                choices = ports["routes"].split(";")
                self.board[ports["route"][1:-1]] = "" if self.route is None else choices[self.route]
                return True
            case "EdgevoxReduce":
                replies = [self.board[key] for key in ports["replies"].split(";") if key in self.board]
                self.board[ports["reply"][1:-1]] = "+".join(replies)
                return True
            case _:
                return self.agent(ports)

    def agent(self, ports: Mapping[str, str]) -> bool:
        name, task = ports["agent"], self.board[ports["task"][1:-1]]
        self.ran.append((name, task))
        left = self.failing.get(name, 0)
        if left:
            self.failing[name] = left - 1
            return False
        self.board[ports["reply"][1:-1]] = f"{name}({task})"
        return True


def never(state: dict[str, Any]) -> bool:
    return False


A, B, C = LLMAgent("a"), LLMAgent("b"), ScriptedAgent("c")


def test_a_sequence_chains_what_its_agents_say() -> None:
    planner = Planner()
    assert planner.run(read_back(to_behaviortree_xml(Sequence("s", [A, B, C]))))
    assert planner.ran == [("a", "go"), ("b", "a(go)"), ("c", "b(a(go))")]
    assert planner.board["reply"] == "c(b(a(go)))"


def test_a_sequence_fails_with_its_agent() -> None:
    planner = Planner({"a": -1})
    assert not planner.run(read_back(to_behaviortree_xml(Sequence("s", [A, B]))))
    assert planner.ran == [("a", "go")]


def test_a_fallback_gives_all_the_same_task() -> None:
    planner = Planner({"a": -1})
    assert planner.run(read_back(to_behaviortree_xml(Fallback("f", [A, B, C]))))
    assert planner.ran == [("a", "go"), ("b", "go")]
    assert planner.board["reply"] == "b(go)"


@pytest.mark.parametrize(("failing", "works", "reply"), [({"a": -1}, True, "b(go)"), ({"a": -1, "b": -1}, False, None)])
def test_parallel_fails_only_when_all_fail(failing: dict[str, int], works: bool, reply: str | None) -> None:
    planner = Planner(failing)
    assert bool(planner.run(read_back(to_behaviortree_xml(Parallel("p", [A, B]))))) is works
    assert planner.board.get("reply") == reply
    assert [name for name, _ in planner.ran] == ["a", "b"]


@pytest.mark.parametrize(("fails", "works", "times"), [(1, True, 2), (2, True, 3), (3, False, 3)])
@pytest.mark.parametrize("backoff", [0.0, 0.5])
def test_retry_tries_so_many_times(fails: int, works: bool, times: int, backoff: float) -> None:
    planner = Planner({"a": fails})
    node = read_back(to_behaviortree_xml(Retry(A, 3, backoff)))
    assert node.tag == "RetryUntilSuccessful"
    assert [sleep.get("msec") for sleep in node.iter("Sleep")] == (["500"] if backoff else [])
    assert planner.run(node) is works
    assert len(planner.ran) == times


@pytest.mark.parametrize(("seconds", "msec"), [(5.0, "5000"), (0.25, "250"), (0.00001, "1")])
def test_a_timeout_is_in_milliseconds(seconds: float, msec: str) -> None:
    node = read_back(to_behaviortree_xml(Timeout(A, seconds)))
    assert (node.tag, node.get("msec")) == ("Timeout", msec)


@pytest.mark.parametrize(("done_after", "works", "rounds"), [(0, True, 1), (2, True, 3), (4, False, 4)])
def test_a_loop_goes_on_until_it_is_enough(done_after: int, works: bool, rounds: int) -> None:
    planner = Planner(done_after=done_after)
    loop = Loop("l", A, until=never, max_iterations=4)
    assert planner.run(read_back(to_behaviortree_xml(loop))) is works
    assert planner.ran == [("a", "go")] * rounds


def test_a_loop_ends_with_its_agent_s_failure() -> None:
    planner = Planner({"a": -1})
    assert not planner.run(read_back(to_behaviortree_xml(Loop("l", A, until=never, max_iterations=4))))
    assert len(planner.ran) == 1


def test_a_loop_without_a_condition_repeats() -> None:
    planner = Planner()
    node = read_back(to_behaviortree_xml(Loop("l", A, max_iterations=3)))
    assert (node.tag, planner.run(node), len(planner.ran)) == ("Repeat", True, 3)


@pytest.mark.parametrize(("route", "ran"), [(0, ["a"]), (1, ["b"]), (None, [])])
def test_a_router_runs_the_one_that_it_chose(route: int | None, ran: list[str]) -> None:
    planner = Planner(route=route)
    router = Router.build("casa", "You route.", {"a": A, "b": B})
    assert planner.run(read_back(to_behaviortree_xml(router)))
    assert [name for name, _ in planner.ran] == ran


def test_a_supervisor_that_chose_nobody_has_failed() -> None:
    supervisor = Supervisor.build("boss", "You supervise.", [A, B])
    assert not Planner().run(read_back(to_behaviortree_xml(supervisor)))


def test_agents_that_point_at_each_other_come_to_an_end() -> None:
    first, second = LLMAgent("first"), LLMAgent("second")
    first.handoffs, second.handoffs = [second], [first]
    node = read_back(to_behaviortree_xml(first))
    assert [leaf.get("agent") for leaf in node.iter("Action")] == ["first", "second", "first"]


def test_an_orchestrator_is_one_leaf() -> None:
    node = read_back(to_behaviortree_xml(Orchestrator("chief", "", "")))
    assert (node.tag, node.get("ID"), node.get("kind")) == ("Action", "EdgevoxAgent", "orchestrator")


def test_nested_workflows_keep_their_values_apart() -> None:
    pair = Parallel("same", [A, A])
    deep = Sequence("same", [pair, Fallback("same", [Retry(B), Timeout(pair, 1.0)]), Loop("same", A)])
    node = read_back(to_behaviortree_xml(deep))
    planner = Planner()
    assert planner.run(node)
    assert planner.board["reply"] == "a(b(a(go)+a(go)))"


@pytest.mark.parametrize(
    "name", ["a<b>&\"c'd", "küche-42", "9 lives", "机器人", "tab\tnew\nline", "nul\x00\x1bbell\x07", "{x}"]
)
def test_any_name_makes_valid_xml(name: str) -> None:
    workflow = Loop(name, Sequence(name, [ScriptedAgent(name), ScriptedAgent(name)]), until=never)
    node = read_back(to_behaviortree_xml(workflow))
    shown = re.sub("[\x00-\x08\x0e-\x1f]", "", name)
    assert node.get("name") == shown
    assert Planner(done_after=0).run(node)


def test_the_command_writes_the_tree_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "trees" / "home.xml"
    assert main(["agents", "export", "home", "--output", str(target)]) == 0
    assert read_back(target.read_text(encoding="utf-8")).get("agent") == "Home"
    assert capsys.readouterr().out == ""


def test_the_command_prints_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "export", "robot-scout"]) == 0
    assert read_back(capsys.readouterr().out.partition("\n")[2]).get("agent") == "Scout"


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["agents", "export", "home", "--output", str(tmp_path / "file" / "x.xml")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
