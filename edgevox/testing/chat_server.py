"""A server of chat completions on this machine, which says what a script tells it to and can misbehave.

Speaks OpenAI's API over real sockets on 127.0.0.1: `/v1/models` and `/v1/chat/completions`, streamed.
"""

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self, cast

from edgevox.testing.model import Reply, ScriptedModel

DEADLINE_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Misbehaviour:
    """How the server answers instead of well."""

    kind: Literal["status", "cut", "garbage", "stall"]
    """`status`: an error. `cut`: hang up in the middle of the stream. `garbage`: no JSON. `stall`: take the question
    and say nothing."""
    status: int = 500
    message: str = "trouble"


class ChatServer:
    """Serves while it is entered.

    Args:
        replies: what the model behind it says, as `ScriptedModel` takes them.
        token_delay_s: seconds before each token.
        misbehaviour: what it does instead of answering.
        models: names that it lists.
    """

    def __init__(
        self,
        *replies: Reply,
        token_delay_s: float = 0.0,
        misbehaviour: Misbehaviour | None = None,
        models: tuple[str, ...] = ("scripted",),
    ) -> None:
        self.model = ScriptedModel(*replies, otherwise="ok", token_delay_s=token_delay_s)
        self.misbehaviour = misbehaviour
        self.models = models
        self.bodies: list[dict[str, Any]] = []
        """What it was sent, oldest first."""
        self.headers: list[Mapping[str, str]] = []
        self.hung_up = threading.Event()
        """Set when a client went away before its answer was over."""
        self._server = _Server(self)

    @property
    def url(self) -> str:
        """The address of its API."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

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
        body = cast("dict[str, Any]", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.chat.bodies.append(body)
        self.chat.headers.append({name.lower(): value for name, value in self.headers.items()})
        wrong = self.chat.misbehaviour
        if wrong is not None and wrong.kind == "status":
            self._json(wrong.status, {"error": {"message": wrong.message, "type": "error"}})
        elif wrong is not None and wrong.kind == "stall":
            self._stall()
        else:
            self._stream(body, wrong)

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
                if wrong is not None and index == 2:
                    self.wfile.write(b"data: {not json\n\n" if wrong.kind == "garbage" else b"")
                    return
                self._event(chunk)
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            self.chat.hung_up.set()
        finally:
            chunks.close()
            self.close_connection = True

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

    def _json(self, status: int, data: Any) -> None:
        text = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def _listed(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "test"}
