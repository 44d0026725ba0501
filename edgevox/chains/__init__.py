"""Typed tools that follow each other without asking a model."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.chains.agent import Agent
    from edgevox.chains.modes import AgentMode
    from edgevox.chains.policy import retry
    from edgevox.chains.skills import Skill
    from edgevox.chains.tools import stop
    from edgevox.core.values import (
        All,
        Empty,
        HashMaps,
        Int,
        Ints,
        Invoke,
        Location,
        LocationStr,
        Stop,
        StopLocation,
        Str,
        Strs,
        Value,
    )
    from edgevox.tools.decorator import tool
    from edgevox.tools.definition import Tool
    from edgevox.tools.factory import Factory, factory

__all__ = [
    "Agent",
    "AgentMode",
    "All",
    "Empty",
    "Factory",
    "HashMaps",
    "Int",
    "Ints",
    "Invoke",
    "Location",
    "LocationStr",
    "Skill",
    "Stop",
    "StopLocation",
    "Str",
    "Strs",
    "Tool",
    "Value",
    "factory",
    "retry",
    "stop",
    "tool",
]

_VALUES = "edgevox.core.values"

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Agent": "edgevox.chains.agent",
        "AgentMode": "edgevox.chains.modes",
        "All": _VALUES,
        "Empty": _VALUES,
        "Factory": "edgevox.tools.factory",
        "HashMaps": _VALUES,
        "Int": _VALUES,
        "Ints": _VALUES,
        "Invoke": _VALUES,
        "Location": _VALUES,
        "LocationStr": _VALUES,
        "Skill": "edgevox.chains.skills",
        "Stop": _VALUES,
        "StopLocation": _VALUES,
        "Str": _VALUES,
        "Strs": _VALUES,
        "Tool": "edgevox.tools.definition",
        "Value": _VALUES,
        "factory": "edgevox.tools.factory",
        "retry": "edgevox.chains.policy",
        "stop": "edgevox.chains.stopping",
        "tool": "edgevox.tools.decorator",
    },
)
