"""How far a download is."""

from dataclasses import dataclass
from typing import Literal

Stage = Literal["waiting", "downloading", "unpacking", "checking", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A moment of one model's download."""

    model: str
    """What a person writes for the model."""
    stage: Stage
    """`waiting`: another process is downloading the same model."""
    done: int = 0
    """Bytes of this stage that are done, those of an earlier attempt included."""
    total: int | None = None
    """Bytes of this stage; `None` when the source does not say."""
    note: str = ""
    """Something the person should know: a source that failed, a download that starts over."""
