"""Models that several agents share: built when the first of them needs one, and once.

There is one for all agents of the process that have none of their own.
"""

import threading
from typing import Any

from edgevox.core.ports import ChatModel, ModelFactory

_lock = threading.Lock()
_shared: list[ChatModel] = []


class SharedModel:
    """A factory that builds its model at the first call; a call that failed is tried again.

    Args:
        build: makes the model.
    """

    def __init__(self, build: ModelFactory) -> None:
        self._build = build
        self._built: ChatModel | None = None
        self._lock = threading.Lock()

    def __call__(self) -> ChatModel:
        """Return the model (`ModelFactory`)."""
        with self._lock:
            if self._built is None:
                self._built = self._build()
            return self._built


def shared(llm: ChatModel | ModelFactory | None) -> ChatModel | ModelFactory | None:
    """Return a model or factory that many agents may be given, so that a factory builds one model for all of them."""
    if llm is None or isinstance(llm, ChatModel | SharedModel):
        return llm
    return SharedModel(llm)


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
