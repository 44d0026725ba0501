"""A server of chat completions on this machine, which says what a script tells it to and can misbehave.

Speaks OpenAI's API over real sockets on 127.0.0.1: `/v1/models`, `/v1/chat/completions`, streamed and whole, and
`/v1/audio/transcriptions`.
"""

import json
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self, cast

from edgevox.testing.model import Reply, ScriptedModel

DEADLINE_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Misbehaviour:
    """How the server answers instead of well."""

    kind: Literal["status", "cut", "garbage", "stall", "html", "huge", "null-usage", "empty"]
    """`status`: an error. `cut`: hang up in the middle of the stream. `garbage`: no JSON. `stall`: take the question
    and say nothing. `html`: a page for people. `huge`: an answer without an end. `null-usage`: a chunk without usage
    after the one that has it. `empty`: a stream without a chunk; asked for one piece, the error."""
    status: int = 500
    message: str = "trouble"
    error: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the error's body."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    after: int = 2
    """Chunks that are sent before the stream is cut or turns to garbage."""


class ChatServer:
    """Serves while it is entered.

    Args:
        replies: what the model behind it says, as `ScriptedModel` takes them.
        token_delay_s: seconds before each token.
        misbehaviour: what it does instead of answering; of several, one each time, and then it answers.
        models: names that it lists.
        heard: what is in the recordings that it is given.
        tls: speaks TLS with this certificate.
    """

    def __init__(
        self,
        *replies: Reply,
        token_delay_s: float = 0.0,
        misbehaviour: Misbehaviour | Sequence[Misbehaviour] | None = None,
        models: tuple[str, ...] = ("scripted",),
        heard: str = "",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.model = ScriptedModel(*replies, otherwise="ok", token_delay_s=token_delay_s)
        self.misbehaviour = misbehaviour
        self.models = models
        self.heard = heard
        self.uploads: list[bytes] = []
        """The bodies of the recordings that it was given, with their form around them."""
        self.bodies: list[dict[str, Any]] = []
        """What it was sent, oldest first."""
        self.headers: list[Mapping[str, str]] = []
        self.hung_up = threading.Event()
        """Set when a client went away before its answer was over."""
        self._server = _Server(self)
        self._scheme = "http" if tls is None else "https"
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)

    @property
    def url(self) -> str:
        """The address of its API."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}/v1"

    def next_misbehaviour(self) -> Misbehaviour | None:
        """Return what to do wrong this time."""
        if not isinstance(self.misbehaviour, Sequence):
            return self.misbehaviour
        first, self.misbehaviour = self.misbehaviour[:1], self.misbehaviour[1:]
        return first[0] if first else None

    def __enter__(self) -> Self:
        """Begin to serve."""
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, chat: ChatServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.chat = chat


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def chat(self) -> ChatServer:
        return cast("_Server", self.server).chat

    def log_message(self, format: str, *args: Any) -> None:
        del format, args

    def do_GET(self) -> None:
        self._json(200, {"object": "list", "data": [_listed(name) for name in self.chat.models]})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.chat.headers.append({name.lower(): value for name, value in self.headers.items()})
        wrong = self.chat.next_misbehaviour()
        recording = self.path.endswith("/audio/transcriptions")
        body: dict[str, Any] = {} if recording else json.loads(data)
        if recording:
            self.chat.uploads.append(data)
        else:
            self.chat.bodies.append(body)
        if wrong is not None and wrong.kind == "empty" and body.get("stream"):
            self._reply(200, b"", "text/event-stream", {})
        elif wrong is not None and wrong.kind in ("status", "stall", "html", "empty"):
            self._refuse(wrong)
        elif recording:
            self._json(200, {"text": self.chat.heard})
        elif body.get("stream"):
            self._stream(body, wrong)
        else:
            self._json(200, self.chat.model.complete(body["messages"], tools=body.get("tools")))

    def _refuse(self, wrong: Misbehaviour) -> None:
        if wrong.kind == "stall":
            self._stall()
        elif wrong.kind == "html":
            self._reply(200, b"<!doctype html><title>Log in</title>", "text/html; charset=utf-8", {})
        else:
            error = {"message": wrong.message, "type": "error", **wrong.error}
            self._json(wrong.status, {"error": error}, wrong.headers)

    def _stream(self, body: dict[str, Any], wrong: Misbehaviour | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        chunks = self.chat.model.complete(
            body["messages"], tools=body.get("tools"), tool_choice=body.get("tool_choice"), stream=True
        )
        try:
            for index, chunk in enumerate(chunks):
                if wrong is not None and index == wrong.after and wrong.kind != "null-usage":
                    self._go_wrong(wrong)
                    return
                self._event(chunk)
            if wrong is not None and wrong.kind == "null-usage":
                self.wfile.write(b'data: {"choices": [], "usage": null}\n\n')
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            self.chat.hung_up.set()
        finally:
            chunks.close()
            self.close_connection = True

    def _go_wrong(self, wrong: Misbehaviour) -> None:
        if wrong.kind == "garbage":
            self.wfile.write(b"data: {not json\n\n")
        while wrong.kind == "huge":  # until the client hangs up
            self.wfile.write(b"x" * 65536)

    def _event(self, chunk: dict[str, Any]) -> None:
        parts: list[dict[str, Any]] = [chunk]
        if "usage" in chunk:
            parts = [{k: v for k, v in chunk.items() if k != "usage"}, {**chunk, "choices": []}]
        for part in parts:
            self.wfile.write(f"data: {json.dumps(part)}\n\n".encode())
            self.wfile.flush()

    def _stall(self) -> None:
        """Keep the question until the client goes away."""
        self.connection.settimeout(0.02)
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            try:
                if self.connection.recv(1) == b"":
                    self.chat.hung_up.set()
                    break
            except TimeoutError:
                continue
            except OSError:
                self.chat.hung_up.set()
                break
        self.close_connection = True

    def _json(self, status: int, data: Any, headers: Mapping[str, str] | None = None) -> None:
        self._reply(status, json.dumps(data).encode(), "application/json", headers or {})

    def _reply(self, status: int, content: bytes, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def _listed(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "test"}
