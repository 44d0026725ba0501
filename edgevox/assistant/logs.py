"""The log file: where everything goes that a person did not ask to see. Private to its owner."""

import contextlib
import logging
import logging.handlers
import os
import sys
import threading
import traceback
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from edgevox.core.redaction import RedactingFormatter, redacted, remember_environment

LOG_NAME = "edgevox.log"
MAX_BYTES = 2_000_000
KEPT = 3
_FORMAT = "%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s"


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotating file that only its owner may read."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Leave the record out: on a full disk a traceback for every one of them would tear the screen."""

    def close(self) -> None:
        """Close the file; what a full disk did not take is lost."""
        with contextlib.suppress(OSError):
            super().close()


def log_file() -> Path | None:
    """Return the file that the log goes to; `None` before it has been started, or where it cannot be written."""
    handlers = (handler for handler in logging.getLogger().handlers if isinstance(handler, _PrivateFile))
    return next((Path(handler.baseFilename) for handler in handlers), None)


def cover_crashes() -> None:
    """Print what ends the program, or a thread of it, without secrets. A host that has hooks of its own keeps them."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _print_covered
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _print_thread_covered


def start_logging(level: str | None = None, folder: Path | None = None) -> Path | None:
    """Send every log record to the log file, without secrets, and none to the terminal.

    Args:
        level: least severe record that is kept; `None` keeps INFO and above.
        folder: where the file lies; the product's log folder when not given.

    Returns:
        The file, or `None` when it cannot be written: the program goes on without.
    """
    from edgevox.config.paths import log_dir

    remember_environment(os.environ)
    cover_crashes()
    root = logging.getLogger()
    for handler in [known for known in root.handlers if isinstance(known, _PrivateFile)]:
        root.removeHandler(handler)
        handler.close()
    try:
        path = (folder or log_dir()) / LOG_NAME
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = _PrivateFile(path, maxBytes=MAX_BYTES, backupCount=KEPT)
    except OSError:
        root.addHandler(logging.NullHandler())
        return None
    handler.setFormatter(RedactingFormatter(_FORMAT))
    root.addHandler(handler)
    root.setLevel(level or logging.INFO)
    logging.captureWarnings(capture=True)
    return path


def _print_covered(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] - a program without a terminal has none
        print(redacted("".join(traceback.format_exception(kind, error, trace))), end="", file=sys.stderr)


def _print_thread_covered(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_value is None or issubclass(ended.exc_type, SystemExit):
        return
    name = ended.thread.name if ended.thread is not None else "a thread"
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] - see above
        print(f"Exception in thread {name}:", file=sys.stderr)
    _print_covered(ended.exc_type, ended.exc_value, ended.exc_traceback)
