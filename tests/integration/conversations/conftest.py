"""Starts conversations for the tests of this folder and ends them afterwards."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import Any

import pytest

from edgevox.testing import Conversation


@pytest.fixture
def start() -> Generator[Callable[..., Conversation]]:
    """Start conversations; they are closed at the end, each within two seconds."""
    with ExitStack() as stack:

        def begin(**options: Any) -> Conversation:
            return stack.enter_context(Conversation(**options))

        yield begin
