"""What came of looking at scripts or running one, as a tool returns it and as the service of the host sends it."""

from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, Field

from edgevox.core.cancel import CancelScope
from edgevox.core.values import Empty


class ScriptStatus(StrEnum):
    """How it ended."""

    LISTED = "listed"
    SUCCESS = "success"
    REFUSED = "refused"
    """Nothing ran: no such script, or one that may not run."""
    BUSY = "busy"
    """Nothing ran: another script does."""
    FAILED = "failed"
    """It ended with another code than 0, or could not be started."""
    TIMEOUT = "timeout"
    OUTPUT_LIMIT = "output_limit"
    CANCELLED = "cancelled"


class ScriptEntry(BaseModel):
    """One script of the list."""

    script: str
    """Its path below the folder, which is what it is run by."""
    description: str = ""
    """Its first comment."""


class ScriptReport(Empty):
    """What came of it."""

    status: ScriptStatus
    message: str = ""
    """One sentence, empty for a success."""
    script: str | None = None
    exit_code: int | None = None
    output: str = ""
    """What it printed, errors included, as far as the limit."""
    scripts: list[ScriptEntry] = Field(default_factory=list[ScriptEntry])


class Scripts(Protocol):
    """Where scripts are: a folder of this process, or the service of the host."""

    def list(self) -> ScriptReport:
        """Say which scripts there are."""
        ...

    def run(self, script: str, scope: CancelScope | None = None) -> ScriptReport:
        """Run one by its path below the folder; the end of the scope ends it."""
        ...
