"""Tells listeners of the application what happened; their fault is never the fault of what they listen to."""

import logging
from collections.abc import Callable
from typing import Any

from edgevox.core.errors import FAULTS

log = logging.getLogger(__name__)


def told(listener: Callable[..., object], *news: Any) -> None:
    """Call a listener; what it raises goes to the log."""
    try:
        listener(*news)
    except FAULTS:
        log.exception("%s failed; what it was told goes on", getattr(listener, "__name__", "a listener"))
