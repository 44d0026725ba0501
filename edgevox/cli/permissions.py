"""`edgevox permissions`: which rules hold for an agent, what they say of one operation, what is remembered.

Shows and judges; asks nobody and does nothing. Rules themselves are written in the settings file.
"""

import argparse
from typing import TYPE_CHECKING

from edgevox.assistant.leave_orders import grant_rows, revoke, rule_rows
from edgevox.assistant.permits import make_permissions
from edgevox.cli.exits import FAILED, OK, carried_out
from edgevox.core.errors import UsageError
from edgevox.core.rule_text import Operation, read_operation
from edgevox.tools.permissions import ActionVerdict, PermissionEngine, PermissionRule, parse_resource
from edgevox.tools.permissions.judging import Judgement

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

AGENT = "home"
_BY = {
    "default": "no rule speaks of it",
    "malformed": "no rule can speak of such a name",
    "grant": "you have said yes to it before",
    "person": "a rule of your settings",
    "rules": "a rule of the agent",
    "tool": "the author of the tool",
}


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `permissions`; it sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("permissions", help="show what agents may touch", description=__doc__)
    actions = parser.add_subparsers(title="actions", dest="action", required=True)
    listing = actions.add_parser("list", help="list the rules and the remembered answers")
    _add_agent(listing)
    test = actions.add_parser("test", help="say what holds for one operation; exit code 1 when it is denied")
    test.add_argument("operation", metavar="OPERATION", help=", ".join(each.value for each in Operation))
    test.add_argument("resource", metavar="RESOURCE", help="such as device:light/kitchen, motion:base, ~/notes/a.txt")
    _add_agent(test)
    back = actions.add_parser("revoke", help="take a remembered answer back")
    back.add_argument("number", metavar="N", type=int, help="as list counts them, from 1")
    _add_agent(back)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do what was asked and return the exit code."""
    return carried_out(lambda: _run(args), name="edgevox permissions")


def _run(args: argparse.Namespace) -> int:
    engine = _engine(args.agent)
    match args.action:
        case "test":
            return _test(engine, args.operation, args.resource)
        case "revoke":
            print(revoke(engine, args.number))
        case _:
            print("\n".join([*rule_rows(engine), *grant_rows(engine.grants.grants())]))
    return OK


def _test(engine: PermissionEngine, word: str, text: str) -> int:
    try:
        operation = read_operation(word)
    except ValueError as error:
        raise UsageError(f"{str(error)[0].upper()}{str(error)[1:]}.") from error
    judged = engine.explain(operation, parse_resource(text))
    print(f"{judged.verdict.value}: {_why(judged)}")
    return FAILED if judged.verdict is ActionVerdict.deny else OK


def _why(judged: Judgement) -> str:
    return f"{_BY[judged.by]} ({judged.rule})" if isinstance(judged.rule, PermissionRule) else _BY[judged.by]


def _engine(name: str) -> PermissionEngine:
    from edgevox.agents.registry import AgentRegistry
    from edgevox.config.settings import load_settings

    definition = AgentRegistry.discover().get(name).definition()
    return make_permissions(definition.permissions, load_settings().permissions, definition.name)


def _add_agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default=AGENT, metavar="NAME", help=f"whose permissions (default: {AGENT})")
