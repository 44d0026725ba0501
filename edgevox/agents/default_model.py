"""The language model that agents share which have none of their own: built when the first of them needs it."""

import threading
from typing import Any

from edgevox.core.ports import ChatModel

_lock = threading.Lock()
_shared: list[ChatModel] = []


def default_model() -> ChatModel:
    """Return the model that the person's settings name; the same one for every agent of the process.

    Raises:
        EdgeVoxError: there is none on this machine, or it cannot be used; the sentence says what to do.
    """
    with _lock:
        if not _shared:
            _shared.append(_open())
        return _shared[0]


def release_default_model() -> None:
    """Close the shared model; the next agent that needs it builds another. Calling it twice is fine."""
    with _lock:
        for model in _shared:
            close: Any = getattr(model, "close", None)
            if close is not None:
                close()
        _shared.clear()


def _open() -> ChatModel:
    from edgevox.config.settings import load_settings
    from edgevox.llm.factory import open_model

    return open_model(None, load_settings())
