"""Leave to touch: one engine that allows, asks or denies, for files, devices, motion and whatever leaves the machine.

Knows names of resources, rules, remembered answers and how to ask a person; does not know what the resources are, and
never looks whether they exist.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.tools.permissions.engine import PermissionEngine
    from edgevox.tools.permissions.grants import Grant, GrantBook
    from edgevox.tools.permissions.model import (
        ActionVerdict,
        Asked,
        Decision,
        GrantScope,
        Operation,
        Requirement,
    )
    from edgevox.tools.permissions.parsing import parse_resource, parse_rule
    from edgevox.tools.permissions.patterns import escaped
    from edgevox.tools.permissions.rules import PermissionRule

__all__ = [
    "ActionVerdict",
    "Asked",
    "Decision",
    "Grant",
    "GrantBook",
    "GrantScope",
    "Operation",
    "PermissionEngine",
    "PermissionRule",
    "Requirement",
    "escaped",
    "parse_resource",
    "parse_rule",
]

_HOMES = {
    "ActionVerdict": "edgevox.tools.permissions.model",
    "Asked": "edgevox.tools.permissions.model",
    "Decision": "edgevox.tools.permissions.model",
    "Grant": "edgevox.tools.permissions.grants",
    "GrantBook": "edgevox.tools.permissions.grants",
    "GrantScope": "edgevox.tools.permissions.model",
    "Operation": "edgevox.tools.permissions.model",
    "PermissionEngine": "edgevox.tools.permissions.engine",
    "PermissionRule": "edgevox.tools.permissions.rules",
    "Requirement": "edgevox.tools.permissions.model",
    "escaped": "edgevox.tools.permissions.patterns",
    "parse_resource": "edgevox.tools.permissions.parsing",
    "parse_rule": "edgevox.tools.permissions.parsing",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
