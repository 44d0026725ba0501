"""The last step of a program that used native libraries on threads of its own."""

import contextlib
import logging
import os
import sys
import threading
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """End the process with an exit code, at once where a thread is still inside a native library.

    The interpreter unwinds its daemon threads when it ends. One that is inside C++ which must not be unwound would
    abort the process and lose the exit code, so then the process ends without that.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # the reader of our output may have left
            stream.flush()
    if threading.active_count() > 1:
        os._exit(code)
    sys.exit(code)
