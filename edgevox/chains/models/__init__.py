"""The data of typed chains under one roof: values, messages and modes. Rules of truncation are in `.truncation`."""

from edgevox.chains.modes import AgentMode
from edgevox.core.filtering import filter_messages
from edgevox.core.kinds import BOOTSTRAP_KINDS, MessageKind
from edgevox.core.messages import Message, Origin, Role
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

__all__ = [
    "BOOTSTRAP_KINDS",
    "AgentMode",
    "All",
    "Empty",
    "HashMaps",
    "Int",
    "Ints",
    "Invoke",
    "Location",
    "LocationStr",
    "Message",
    "MessageKind",
    "Origin",
    "Role",
    "Stop",
    "StopLocation",
    "Str",
    "Strs",
    "Value",
    "filter_messages",
]
