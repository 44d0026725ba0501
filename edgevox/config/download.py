"""One file over HTTP, resumed where it stopped, checked and put in place in one step.

Knows ranges, entity tags, retries and digests. Does not know what the file is for. Bytes on their way lie in
`NAME.part`, the tag they belong to in `NAME.part.tag`; whoever asks for NAME again goes on from there.
"""

import contextlib
import hashlib
import os
import re
import socket
from collections.abc import Callable, Generator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO

import httpx

from edgevox.config.files import sync_file, writing
from edgevox.config.network import SourceFault, connection_fault, host_of, status_fault
from edgevox.core.cancel import CancelScope

ATTEMPTS = 4
"""Tries in a row without a single new byte; a silent server gets one."""
BACKOFF_S = 1.0
RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteFile:
    """A file on a server."""

    url: str
    size: int | None = None
    """Bytes; `None` when nobody said."""
    algorithm: str = "sha256"
    digest: bytes | None = None
    """What the bytes must hash to; `None` when the caller checks the content itself."""


class Downloader:
    """Fetches files through one client.

    Args:
        client: carries proxies, certificates and timeouts (`network.open_client`).
        scope: its end ends a download within a moment; what was fetched stays for the next time.
        on_note: called with what the person should know, such as a download that starts over.
        backoff_s: pause before the second try, seconds; doubled for each further one.
    """

    def __init__(
        self,
        client: httpx.Client,
        scope: CancelScope,
        *,
        on_note: Callable[[str], object] = lambda _: None,
        backoff_s: float = BACKOFF_S,
    ) -> None:
        self._client = client
        self._scope = scope
        self._on_note = on_note
        self._backoff_s = backoff_s

    def fetch(self, remote: RemoteFile, target: Path, on_bytes: Callable[[int], object] = lambda _: None) -> None:
        """Put the file at `target`.

        Args:
            remote: the file.
            target: where it goes; its folder is made when it is missing.
            on_bytes: called with how many bytes are here, those of an earlier attempt included.

        Raises:
            SourceFault: the server did not give it, or gave something else.
            DiskFull: no room.
            Cancelled: the scope ended.
        """
        part = _Part(target)
        while True:
            resumed = part.size > 0
            self._tries(lambda: self._receive_rest(remote, part, on_bytes), lambda: part.size)
            if part.matches(remote):
                return part.finish()
            part.discard()
            if not resumed:
                algorithm = remote.algorithm.upper()
                raise SourceFault(
                    f"{host_of(remote.url)} sent another file than it promised (its {algorithm} is wrong)"
                )
            self._on_note(f"{target.name} was damaged on the way and starts over")

    def get(self, url: str, accept: str) -> httpx.Response:
        """Return a small document, such as a package's page in an index.

        Raises:
            SourceFault: it could not be had.
        """
        answers: list[httpx.Response] = []

        def read() -> None:
            with self._open(url, {"Accept": accept}) as answer:
                answer.read()
                answers.append(answer)

        self._tries(read, lambda: 0)
        return answers[-1]

    def _tries(self, action: Callable[[], None], progress: Callable[[], int]) -> None:
        """Repeat what may succeed the next time, until some tries in a row brought nothing new."""
        barren = 0
        while True:
            before = progress()
            try:
                return action()
            except _Retry as retry:
                barren = 0 if progress() > before else barren + 1
                if barren >= (1 if retry.silent else ATTEMPTS):
                    raise retry.fault from retry
            self._scope.wait(self._backoff_s * 2 ** max(0, barren - 1))
            self._scope.check()

    @contextlib.contextmanager
    def _open(self, url: str, headers: dict[str, str]) -> Generator[httpx.Response]:
        """Yield an answer that holds what was asked for; the end of the scope breaks it off, also in a silence."""
        self._scope.check()
        line = _Line()
        forget = self._scope.on_cancel(line.hang_up)
        try:
            with self._client.stream("GET", url, headers=headers, extensions={"trace": line.trace}) as answer:
                _refuse(answer, url)
                yield answer
        except (httpx.TransportError, httpx.InvalidURL, OSError) as error:
            self._scope.check()
            silence_s = self._client.timeout.read or 0.0
            fault = connection_fault(error, url, silence_s)
            if isinstance(error, httpx.ConnectError | httpx.ProxyError | httpx.UnsupportedProtocol | httpx.InvalidURL):
                raise fault from error
            raise _Retry(fault, silent=isinstance(error, httpx.TimeoutException)) from error
        finally:
            forget()

    def _receive_rest(self, remote: RemoteFile, part: "_Part", on_bytes: Callable[[int], object]) -> None:
        if remote.size is not None and part.size >= remote.size:
            return
        with self._open(remote.url, part.range_headers(remote)) as answer:
            if answer.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                part.discard()
                raise _Retry(status_fault(answer.status_code, remote.url))
            if "text/html" in answer.headers.get("Content-Type", ""):
                cause = f"{host_of(remote.url)} answered with a web page in place of the file"
                raise SourceFault(cause, "log in to the network, or check the proxy")
            if part.size and _start_of(answer) is None:
                self._on_note(f"{host_of(remote.url)} cannot go on where it stopped: {part.target.name} starts over")
            with part.open(answer) as file:
                self._copy(answer, remote, file, on_bytes)

    def _copy(
        self, answer: httpx.Response, remote: RemoteFile, file: BinaryIO, on_bytes: Callable[[int], object]
    ) -> None:
        done = file.tell()
        path = Path(file.name)
        for chunk in answer.iter_raw():
            self._scope.check()
            with writing(path):
                file.write(chunk)
            done += len(chunk)
            on_bytes(done)
            if remote.size is not None and done > remote.size:
                break
        with writing(path):
            sync_file(file)


class _Retry(Exception):
    """The attempt failed in a way that another may not."""

    def __init__(self, fault: SourceFault, *, silent: bool = False) -> None:
        super().__init__(str(fault))
        self.fault = fault
        self.silent = silent


class _Line:
    """The connection of one request, which can be hung up from another thread to wake the one that waits for bytes."""

    def __init__(self) -> None:
        self._connection: socket.socket | None = None
        self._dead = False

    def trace(self, event: str, details: dict[str, Any]) -> None:
        """Note the connection when it is made (the `trace` extension of httpx)."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        connection = details["return_value"].get_extra_info("socket")
        if isinstance(connection, socket.socket):
            self._connection = connection
            if self._dead:
                self.hang_up()

    def hang_up(self, _reason: str = "") -> None:
        """Close the line in both directions."""
        self._dead = True
        if self._connection is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._connection, socket.SHUT_RDWR)


class _Part:
    """The bytes of a file that are here already, and the tag that tells whether the server still has the same file."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self._path = target.with_name(f"{target.name}.part")
        self._tag = target.with_name(f"{target.name}.part.tag")

    @property
    def size(self) -> int:
        """Bytes that are here."""
        try:
            return self._path.stat().st_size
        except FileNotFoundError:
            return 0

    def range_headers(self, remote: RemoteFile) -> dict[str, str]:
        """Ask for the rest, on condition that the file is the same; without a tag the digest must tell afterwards."""
        tag = self._tag.read_text("utf-8") if self._tag.exists() else ""
        if not self.size or not (tag or remote.digest):
            self.discard()
            return {}
        return {"Range": f"bytes={self.size}-", **({"If-Range": tag} if tag else {})}

    def open(self, answer: httpx.Response) -> BinaryIO:
        """Return the file, positioned where the answer's bytes go."""
        start = _start_of(answer) or 0
        with writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._tag.write_text(_validator(answer), "utf-8")
            file = self._path.open("ab")
            file.truncate(min(start, self.size))
            file.seek(0, os.SEEK_END)
        return file

    def matches(self, remote: RemoteFile) -> bool:
        """Return whether the bytes are the promised ones."""
        if remote.size is not None and self.size != remote.size:
            return False
        if remote.digest is None:
            return True
        with self._path.open("rb") as file:
            return hashlib.file_digest(file, remote.algorithm).digest() == remote.digest

    def finish(self) -> None:
        """Give the file its name."""
        with writing(self.target):
            self._path.replace(self.target)
        self._tag.unlink(missing_ok=True)

    def discard(self) -> None:
        """Forget what is here."""
        self._path.unlink(missing_ok=True)
        self._tag.unlink(missing_ok=True)


def _start_of(answer: httpx.Response) -> int | None:
    """Return where in the file the answer begins; `None` when the server sends all of it."""
    if answer.status_code != HTTPStatus.PARTIAL_CONTENT:
        return None
    match = re.match(r"bytes (\d+)-", answer.headers.get("Content-Range", ""))
    return int(match[1]) if match else 0


def _validator(answer: httpx.Response) -> str:
    """Return what names this version of the file; a weak tag does not (RFC 9110, section 13.1.5)."""
    tag = answer.headers.get("ETag", "")
    return answer.headers.get("Last-Modified", "") if tag.startswith("W/") or not tag else tag


def _refuse(answer: httpx.Response, url: str) -> None:
    """Raise unless the answer is the file, a part of it, or the news that no part is left."""
    status = answer.status_code
    if status in RETRIED:
        raise _Retry(status_fault(status, url))
    if status not in {HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE}:
        raise status_fault(status, url)
