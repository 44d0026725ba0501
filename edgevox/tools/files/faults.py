"""How a file command fails: one sentence and an exit status. Knows nothing of what failed."""

import errno
import os


class Trouble(Exception):
    """Ends one command; the sequence goes on as its operators say.

    Args:
        words: one sentence, without the command's name.
        status: exit status; 1 unless the command of that name uses another.
    """

    def __init__(self, words: str, status: int = 1) -> None:
        super().__init__(words)
        self.status = status


class Denied(Trouble):
    """There is no leave for it. The words are the same whether or not there is such a file."""

    def __init__(self, operation: str, operand: str, why: str = "") -> None:
        super().__init__(f"no permission to {operation} {quoted(operand)}{why}")


class TooMuch(Trouble):
    """A command wrote more than fits; the whole sequence ends."""


class OutOfTime(Trouble):
    """A command took longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it took longer than {seconds:g} seconds", 124)


class NotPlain(OSError):
    """Something that file commands do not touch: a link, a file with several names, a device, a pipe, a socket."""


def link_refused() -> NotPlain:
    """Return the refusal of a symbolic link."""
    return NotPlain(errno.ELOOP, "it is a link, and links are not followed")


def kind_refused(what: str) -> NotPlain:
    """Return the refusal of what is neither a plain file nor a folder."""
    return NotPlain(errno.EPERM, f"it is {what}, and only plain files and folders are touched")


def twin_refused() -> NotPlain:
    """Return the refusal of a file that has a second name, which may lie where nobody may go."""
    return NotPlain(errno.EMLINK, "it is a file with several names (hard links), and such files are not touched")


def told(error: OSError) -> str:
    """Say why the system, or we, would not do it."""
    return error.strerror or os.strerror(error.errno or errno.EIO)


def quoted(text: str) -> str:
    """Repeat a name in a sentence: on one line, with what cannot be seen escaped, and cut to 200 characters."""
    shown = "".join(c if c.isprintable() else _escaped(c) for c in text)
    return f"'{shown if len(shown) <= 200 else shown[:199] + '…'}'"


def _escaped(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()
