"""Files of variables in dotenv syntax, read and written with the care that keys ask for.

Knows which files may be read and written, and how an assignment is spelled so that it is read back as it was. Knows
nothing of encryption. `python-dotenv` parses.
"""

import io
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from edgevox.core.errors import SecretsError
from edgevox.endpoints.ciphers import check_name

MOST_BYTES = 1_000_000
"""No file of variables is larger; what is, is another file."""


def read_env(path: Path, *, follow: bool = True) -> dict[str, str | None]:
    """Return the variables of a file in its order; the last assignment of a name counts. Nothing is interpolated.

    Args:
        path: the file.
        follow: whether it may be a symbolic link.

    Raises:
        FileNotFoundError: there is no such file.
        SecretsError: it is no file of variables; the sentence names the line, never what stands there.
    """
    from dotenv.parser import parse_stream

    text = _read_text(path, follow=follow)
    found: dict[str, str | None] = {}
    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            raise SecretsError(f"Line {binding.original.line} of {path} is no assignment: write NAME='value'.")
        if binding.key is None:
            continue
        try:
            found[check_name(binding.key)] = binding.value
        except SecretsError as error:
            raise SecretsError(f"Line {binding.original.line} of {path}: {error}") from error
    return found


def serialize_env(values: Mapping[str, str | None]) -> str:
    """Return variables as the text of a file: `NAME='value'`, one a line, `NAME` alone where there is no value.

    Raises:
        SecretsError: a name or a value cannot be written so that it is read back.
    """
    lines: list[str] = []
    for name, value in values.items():
        check_name(name)
        if value is None:
            lines.append(name)
            continue
        if "\0" in value or "\r" in value:
            raise SecretsError(f"{name} holds a character that no file of variables can keep: type the value again.")
        escaped = value.replace("\\", "\\\\").replace("'", "\\'")
        lines.append(f"{name}='{escaped}'")
    return "".join(f"{line}\n" for line in lines)


def write_env(path: Path, values: Mapping[str, str | None]) -> None:
    """Write variables in one step into a file that only its owner may read.

    Raises:
        SecretsError: the file is a symbolic link or no file, or a value cannot be written.
        DiskFull: no room; the old content is untouched.
        ConfigError: the folder cannot be written.
    """
    from edgevox.config.files import write_atomic

    check_target(path)
    write_atomic(path, serialize_env(values), 0o600, follow=False)


def check_target(path: Path) -> None:
    """Refuse a target that is a symbolic link or no regular file.

    Raises:
        SecretsError: it is.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise SecretsError(f"{path} cannot be looked at ({error.strerror}): check its folder.") from error
    if stat.S_ISLNK(mode):
        raise SecretsError(f"{path} is a symbolic link, which is not written through: name the file itself.")
    if not stat.S_ISREG(mode):
        raise SecretsError(f"{path} is not a regular file: choose another path.")


def _read_text(path: Path, *, follow: bool) -> str:
    flags = os.O_RDONLY | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise
    except OSError as error:
        if not follow and path.is_symlink():
            raise SecretsError(f"{path} is a symbolic link: name the file itself.") from error
        raise SecretsError(f"{path} cannot be read ({error.strerror}): check who owns it.") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise SecretsError(f"{path} is not a regular file: name a file of variables.")
        try:
            data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise SecretsError(f"{path} cannot be read ({error.strerror}).") from error
    if len(data) > MOST_BYTES:
        raise SecretsError(f"{path} is larger than any file of variables: name another file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SecretsError(f"{path} is not UTF-8 text: save it as UTF-8.") from error
