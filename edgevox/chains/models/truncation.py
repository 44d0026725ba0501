"""How long a message is shown, and how much of it: rules, and the ones that are used most."""

from edgevox.core.messages import Severity, Truncation

__all__ = [
    "DEFAULT",
    "ERROR_RETRY",
    "GRADED",
    "NO_MESSAGE",
    "NO_TRUNCATION",
    "Severity",
    "Truncation",
]

DEFAULT = (Truncation(threshold=0, severity=Severity.LIGHT),)
"""Whole, but for texts that are very long."""
NO_TRUNCATION = (Truncation(threshold=-1, severity=Severity.LIGHT),)
"""Whole, however long."""
NO_MESSAGE = (Truncation(threshold=0, severity=Severity.REMOVE),)
"""Never shown; it is kept and recorded all the same."""
ERROR_RETRY = (*DEFAULT, Truncation(threshold=5, severity=Severity.REMOVE))
"""Shown five times: what a model needs to mend a mistake, and not for the rest of a long run."""
GRADED = (
    *DEFAULT,
    Truncation(threshold=50, severity=Severity.STUB),
    Truncation(threshold=200, severity=Severity.REMOVE),
)
"""Fades: who said it is left after 50 times, nothing after 200."""
