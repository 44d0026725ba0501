"""One file of the Hugging Face hub, into the Hugging Face cache.

Knows how to start, watch and end the process that downloads it (`hub_worker`), and how to clear what a killed download
of the library left in the cache: the library starts every download over under a new name.
"""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx

import edgevox
from edgevox.config.catalogue import ModelFile
from edgevox.config.child_env import scrubbed_environment
from edgevox.config.files import human_size, require_room
from edgevox.config.hub_cache import cache_folder, cached_files, hub_address, hub_is_off, repo_folder
from edgevox.config.locks import FileLock
from edgevox.config.network import STALL_REMEDY, SourceFault, connection_fault, open_client, read_timeout_s
from edgevox.config.verify import quick_fault
from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import DiskFull

START_S = 30.0
"""Time the process may take to load its library before silence counts."""
HUB_TOKENS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
"""Secrets that the process needs: some models are given to known accounts only."""
POLL_S = 0.1
END_S = 5.0

Tell = Callable[[int, int | None], object]


def fetch_from_hub(
    repo: str,
    file: str,
    revision: str | None,
    *,
    expected: ModelFile | None,
    again: bool = False,
    scope: CancelScope,
    on_bytes: Tell,
    on_note: Callable[[str], object],
) -> Path:
    """Download one file unless a good one is in the cache, and return where it lies.

    Args:
        repo: `owner/name`.
        file: path in the repository.
        revision: commit, branch or tag; `None` is the newest.
        expected: what the file should look like; `None` when its name does not tell.
        again: download it although it is in the cache.
        scope: its end ends the process.
        on_bytes: called with the bytes that are here and the size of the file.
        on_note: called with what the person should know.

    Raises:
        SourceFault: the hub did not give the file, or gave something else.
        DiskFull: no room.
        Cancelled: the scope ended.
    """
    _require_hub()
    leftovers = clear_leftovers(repo)
    if leftovers:
        on_note(f"an unfinished download of {repo} ({human_size(leftovers)}) was removed and starts over")
    cached = cached_files(repo, revision, {file: file})
    damaged = cached is not None and expected is not None and quick_fault(cached[file], expected) is not None
    path = _Download(repo, file, revision, again or damaged, scope, on_bytes).run()
    if expected is not None and (fault := quick_fault(path, expected)):
        raise SourceFault(f"{file} from {repo} {fault}")
    return path


def _require_hub() -> None:
    """Fail at once where the library would try for half a minute."""
    if hub_is_off():
        raise SourceFault("the hub is switched off by HF_HUB_OFFLINE", "unset HF_HUB_OFFLINE")
    with open_client() as client:
        try:
            client.head(hub_address(), follow_redirects=False)
        except (httpx.TransportError, httpx.InvalidURL, OSError) as error:
            raise connection_fault(error, hub_address(), read_timeout_s()) from error


def clear_leftovers(repo: str) -> int:
    """Delete unfinished downloads of a repository that no process is working on; return their bytes."""
    removed = 0
    folder = repo_folder(repo)
    for part in folder.joinpath("blobs").glob("*.incomplete"):
        lock = folder.parent / ".locks" / folder.name / f"{part.name.split('.')[0]}.lock"
        owner = FileLock(lock, CancelScope())
        if owner.try_acquire():
            try:
                removed += part.stat().st_size
                part.unlink()
            except FileNotFoundError:
                pass
            finally:
                owner.release()
    return removed


class _Download:
    """The process that downloads, and what it says."""

    def __init__(
        self, repo: str, file: str, revision: str | None, force: bool, scope: CancelScope, on_bytes: Tell,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:  # fmt: skip
        self._request: dict[str, Any] = {
            "repo": repo, "file": file, "revision": revision, "cache": str(cache_folder()), "force": force,
        }  # fmt: skip
        self._scope = scope
        self._on_bytes = on_bytes
        self._clock = clock
        self._room_asked = False

    def run(self) -> Path:
        """Start it, follow it to its end, and return the file's path."""
        lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        process = subprocess.Popen(
            [sys.executable, "-m", "edgevox.config.hub_worker", json.dumps(self._request)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment(), text=True,
        )  # fmt: skip
        reader = threading.Thread(target=_read_lines, args=(process, lines), name="hub-download", daemon=True)
        reader.start()
        try:
            return self._follow(lines)
        finally:
            process.kill()
            process.wait(END_S)
            reader.join(END_S)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
            if self._scope.cancelled:
                clear_leftovers(self._request["repo"])

    def _follow(self, lines: "queue.Queue[dict[str, Any] | None]") -> Path:
        patience = START_S
        heard = self._clock.monotonic()
        while True:
            self._scope.check()
            try:
                line = lines.get(timeout=POLL_S)
            except queue.Empty:
                if self._clock.monotonic() - heard > patience:
                    raise SourceFault(f"the hub sent nothing for {patience:g} seconds", STALL_REMEDY) from None
                continue
            if line is None:
                raise SourceFault("the process that downloads from the hub died", "try again")
            heard, patience = self._clock.monotonic(), read_timeout_s()
            if "path" in line:
                return Path(line["path"])
            self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        if line.get("full"):
            raise DiskFull(f"The disk of {self._request['cache']} is full: make room, or move it with HF_HOME.")
        if "cause" in line:
            raise SourceFault(line["cause"], line["remedy"])
        if "done" in line:
            done, total = int(line["done"]), line["total"]
            if total is not None and not self._room_asked:
                self._room_asked = True
                require_room(cache_folder(), int(total) - done, f"{self._request['file']} from the hub")
            self._on_bytes(done, total)


def _environment() -> dict[str, str]:
    """Let the process find this package and bear silence as long as every other download."""
    here = str(Path(edgevox.__file__).parents[1])
    path = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    changes = {
        "PYTHONPATH": path,
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DOWNLOAD_TIMEOUT": str(max(1, int(read_timeout_s()))),
    }
    return scrubbed_environment(changes, keep=HUB_TOKENS)


def _read_lines(process: "subprocess.Popen[str]", lines: "queue.Queue[dict[str, Any] | None]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        try:
            value: object = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            lines.put(cast("dict[str, Any]", value))
    lines.put(None)
