"""How a command ends: its exit code, and one sentence for whatever ended it early."""

import errno
import os
import sys
from collections.abc import Callable

from edgevox.core.errors import EdgeVoxError, UsageError
from edgevox.core.redaction import redacted

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def carried_out(command: Callable[[], int], *, name: str = "", stopped: str = "") -> int:
    """Run a command and return its exit code.

    Args:
        command: does the work and returns 0 when all is well.
        name: what stands before a complaint, such as `edgevox models`.
        stopped: said when the person ended it with Ctrl+C.
    """
    try:
        return command()
    except EdgeVoxError as error:
        print(redacted(f"{name}: {error}" if name else str(error)), file=sys.stderr)
        return USAGE if isinstance(error, UsageError) else FAILED
    except KeyboardInterrupt:
        if stopped:
            print(f"\n{stopped}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has left
        _drop_output()
        return FAILED
    except OSError as error:
        if error.errno not in FULL:
            raise
        _drop_output()
        print(f"The output could not be written: {error.strerror}. Make room, and try again.", file=sys.stderr)
        return FAILED


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that ending does not fail at it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
