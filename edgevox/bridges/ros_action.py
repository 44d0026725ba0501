"""One goal at a ROS 2 action server, as a goal of edgevox; and a skill made of one.

The handle says CANCELLED only after the server has confirmed it, and, where somebody can tell whether the robot moves,
after it stands. Until then it is running, and whoever waits for it reports that the halt is not confirmed.
"""

import inspect
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from edgevox.agents.skills import Skill, skill
from edgevox.bridges.ros_node import ActionEnd, RosGoal, RosMessage, RosNode, RosUnavailable
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalHandle
from edgevox.core.session import AgentContext

log = logging.getLogger(__name__)

SERVER_WITHIN_S = 2.0
"""How long an action server is looked for."""

STANDS_WITHIN_S = 3.0
"""After a confirmed cancel: a robot that moves longer has not been halted by it."""

LOOK_S = 0.02


class ActionRun:
    """Sends one goal and follows it to its end. Nothing here waits.

    Args:
        node: that sends it.
        action: name of the action.
        kind: its type.
        goal: fields of its goal.
        server_within_s: how long to look for the server, seconds.
        moves: whether the robot moves; a confirmed cancel counts when it does not. `None` trusts the server.
        on_cancel: called first of all when somebody cancels: the place to command zero.
        result: makes the handle's result from that of the action.
        feedback: makes a report from the action's feedback.
    """

    def __init__(
        self,
        node: RosNode,
        action: str,
        kind: str,
        goal: RosMessage,
        *,
        server_within_s: float = SERVER_WITHIN_S,
        moves: Callable[[], bool] | None = None,
        on_cancel: Callable[[], object] | None = None,
        result: Callable[[RosMessage], Any] = dict,
        feedback: Callable[[RosMessage], Any] = dict,
    ) -> None:
        self._action = action
        self._moves = moves
        self._on_cancel = on_cancel
        self._result = result
        self._feedback = feedback
        self._lock = threading.Lock()
        self._goal: RosGoal | None = None
        self._cancelling = False
        self.handle = GoalHandle(on_cancel=self._cancel)
        try:
            sent = node.send_goal(action, kind, goal, self, server_within_s=server_within_s)
        except RosUnavailable as error:
            self.handle.fail(str(error))
            return
        with self._lock:
            self._goal = sent
            late = self._cancelling
        if late:  # cancelled before there was anything to cancel
            sent.cancel()

    # Of the port `GoalWatcher`, on the node's thread

    def unavailable(self) -> None:
        """Fail: nobody takes such goals."""
        if self.handle.should_cancel():
            self.handle.mark_cancelled("cancelled before it began")
            return
        self.handle.fail(f"there is no action server {self._action}; start it, or check its name")

    def answered(self, accepted: bool) -> None:
        """Go on, or fail: the server refused."""
        if accepted:
            return
        if self.handle.should_cancel():
            self.handle.mark_cancelled("cancelled before it began")
            return
        self.handle.fail(f"the action server {self._action} rejected the goal")

    def fed_back(self, feedback: RosMessage) -> None:
        """Pass on how far it is."""
        self.handle.set_feedback(self._feedback(feedback))

    def cancel_answered(self, accepted: bool) -> None:
        """Note a refusal; the goal is over only when the server says so."""
        if not accepted:
            log.error("the action server %s refused to cancel", self._action)
            self.handle.set_feedback({"cancel": "refused"})

    def ended(self, end: ActionEnd, result: RosMessage) -> None:
        """End the handle as the server says; a cancel counts when the robot stands."""
        match end:
            case ActionEnd.SUCCEEDED:
                self.handle.succeed(self._result(result))
            case ActionEnd.CANCELLED:
                self._cancelled()
            case ActionEnd.ABORTED if self.handle.should_cancel():
                self._cancelled()  # some servers answer a cancel this way
            case ActionEnd.ABORTED:
                why = _message_of(result)
                self.handle.fail(f"{self._action} was aborted{f': {why}' if why else ''}")

    def _cancel(self) -> None:
        if self._on_cancel is not None:
            self._on_cancel()
        with self._lock:
            self._cancelling = True
            goal = self._goal
        if goal is not None:
            goal.cancel()

    def _cancelled(self) -> None:
        if self.handle.status.is_terminal():
            return
        if self._moves is None or not self._moves():
            self.handle.mark_cancelled("cancelled")
            return
        threading.Thread(target=self._wait_for_standstill, name="ros-standstill", daemon=True).start()

    def _wait_for_standstill(self) -> None:
        assert self._moves is not None
        until = time.monotonic() + STANDS_WITHIN_S
        while self._moves():
            if time.monotonic() >= until:
                self.handle.fail("halt not confirmed: the server cancelled the goal, and the robot still moves")
                return
            if self.handle.poll(LOOK_S).is_terminal():
                return
        self.handle.mark_cancelled("cancelled")


class RosActionSkill(Skill):
    """A skill that is a goal at a ROS 2 action server: goal, feedback, result, cancel.

    Args:
        name: what a model calls it.
        action_type: for example `opennav_docking_msgs/action/DockRobot`.
        action_name: for example `/dock_robot`.
        goal: the fields of the goal; a function makes them from its arguments, which become the skill's, with
            annotations and docstring read as those of any skill.
        description: what it does; the function's docstring when not given.
        node: where the goal is sent; when not given, `ctx.deps`, or its attribute `node`.
        moves: whether the robot moves; when not given, `ctx.deps.is_moving` is not asked, and the server is trusted.
        server_within_s: how long to look for the action server, seconds.
        result: makes the skill's result from that of the action.
        feedback: makes a report of progress from the action's feedback.
        options: as `edgevox.agents.skill` takes them: `phrases`, `says`, `timeout_s`, `effect`, `resources`, …

    Raises:
        ToolDefinitionError: the goal is neither fields nor a function, or the skill cannot be made.
    """

    def __init__(
        self,
        name: str,
        action_type: str,
        action_name: str,
        goal: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
        *,
        description: str | None = None,
        node: RosNode | None = None,
        moves: Callable[[], bool] | None = None,
        server_within_s: float = SERVER_WITHIN_S,
        result: Callable[[RosMessage], Any] = dict,
        feedback: Callable[[RosMessage], Any] = dict,
        **options: Any,
    ) -> None:
        fields = goal if callable(goal) else _constant(name, goal)

        def send(ctx: AgentContext, **arguments: Any) -> GoalHandle:
            return ActionRun(
                node if node is not None else _node_of(ctx.deps, name),
                action_name,
                action_type,
                fields(**arguments),
                server_within_s=server_within_s,
                moves=moves,
                result=result,
                feedback=feedback,
            ).handle

        built = skill(name=name, description=description or _described(fields, action_name), **options)(
            _with_arguments_of(fields, send)
        )
        super().__init__(built.fn, built.tool)


def _constant(name: str, goal: Any) -> Callable[..., Mapping[str, Any]]:
    if goal is not None and not isinstance(goal, Mapping):
        raise ToolDefinitionError(f"{name}: goal has to be the fields of a goal, or a function that returns them.")
    kept: Mapping[str, Any] = dict(goal or {})  # pyright: ignore[reportUnknownArgumentType] a Mapping of anything

    def fields() -> Mapping[str, Any]:
        return kept

    return fields


def _described(fields: Callable[..., Any], action_name: str) -> str:
    documented = inspect.getdoc(fields)
    return documented.split("\n\n")[0] if documented else f"Run the action {action_name} of the robot."


def _with_arguments_of(fields: Callable[..., Any], send: Callable[..., GoalHandle]) -> Callable[..., GoalHandle]:
    """Give `send` the parameters, annotations and docstring of `fields`, beside its own context."""
    signature = inspect.signature(fields)
    ctx = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=AgentContext)
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in signature.parameters.values()]

    def begin(**arguments: Any) -> GoalHandle:
        return send(**arguments)

    begin.__doc__ = fields.__doc__
    begin.__signature__ = signature.replace(  # pyright: ignore[reportFunctionMemberAccess] how inspect reads it
        parameters=[*parameters, ctx], return_annotation=GoalHandle
    )
    hints = inspect.get_annotations(fields, eval_str=True)
    begin.__annotations__ = {**hints, "ctx": AgentContext, "return": GoalHandle}
    return begin


def _node_of(deps: Any, name: str) -> RosNode:
    for candidate in (deps, getattr(deps, "node", None)):
        if isinstance(candidate, RosNode):
            return candidate
    raise RosUnavailable(f"{name} has no ROS 2 node: pass node=, or a world with one as deps.")


def _message_of(result: RosMessage) -> str:
    """What an aborted action says about itself."""
    for field in ("error_msg", "message", "error"):
        if result.get(field):
            return str(result[field])
    code = result.get("error_code")
    return f"error {code}" if code else ""
