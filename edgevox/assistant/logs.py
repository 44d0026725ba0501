"""The log file: where everything goes that a person did not ask to see. Private to its owner."""

import contextlib
import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

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


def start_logging(level: str | None = None, folder: Path | None = None) -> Path | None:
    """Send every log record to the log file and none to the terminal.

    Args:
        level: least severe record that is kept; `None` keeps INFO and above.
        folder: where the file lies; the product's log folder when not given.

    Returns:
        The file, or `None` when it cannot be written: the program goes on without.
    """
    from edgevox.config.paths import log_dir

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
    handler.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(handler)
    root.setLevel(level or logging.INFO)
    logging.captureWarnings(capture=True)
    return path
