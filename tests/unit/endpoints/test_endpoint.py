"""A model behind an address, over real sockets on this machine."""

import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from edgevox.core.completion import collect
from edgevox.core.errors import ContextOverflow, LanguageModelError, UsageError
from edgevox.endpoints import LLMEndpoint, Retries
from edgevox.testing import ChatServer, Misbehaviour, call

HELLO: list[dict[str, Any]] = [{"role": "user", "content": "hello"}]
LOOK: Any = {"type": "function", "function": {"name": "look", "description": "", "parameters": {"type": "object"}}}
KEY = "sk-CANARY-123"
ONCE = Retries(attempts=1)


class Stop(threading.Event):
    """An event that knows when it was set."""

    at = float("inf")

    def set(self) -> None:
        self.at = time.monotonic()
        super().set()


def stop_when_asked(server: ChatServer) -> Stop:
    """An event that is set a moment after the server was asked."""
    stop = Stop()

    def watch() -> None:
        deadline = time.monotonic() + 10
        while not server.bodies and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(0.05)
        stop.set()

    threading.Thread(target=watch, daemon=True).start()
    return stop


def test_words_come_streamed_and_whole() -> None:
    with ChatServer("Hello there.", "Hello again.") as server:
        model = LLMEndpoint(server.url)
        answer = model.complete(HELLO)
        assert answer["choices"][0]["message"] == {"role": "assistant", "content": "Hello there."}
        assert answer["usage"]["completion_tokens"] == 2
        chunks = list(model.complete(HELLO, stream=True))
    assert [c["choices"][0]["delta"].get("content") for c in chunks if c["choices"]][1:-1] == ["Hello", " again."]
    assert collect(chunks).usage.completion_tokens == 2


def test_a_tool_call_comes_structured() -> None:
    with ChatServer(call("look", at="it")) as server:
        got = collect(LLMEndpoint(server.url).complete(HELLO, tools=[LOOK], tool_choice="look"))
    assert [(c.name, c.arguments) for c in got.calls] == [("look", '{"at": "it"}')]
    assert got.finish == "tool_calls"
    assert server.bodies[0]["tool_choice"] == {"type": "function", "function": {"name": "look"}}


def test_the_model_is_named_in_the_address_or_asked_for() -> None:
    with ChatServer(models=("first", "second")) as server:
        named, asked = LLMEndpoint(f"{server.url}#second"), LLMEndpoint(server.url)
        assert (named.name, asked.name) == ("second", asked.provider.host)
        named.complete(HELLO)
        asked.complete(HELLO)
        assert asked.name == "first"
    assert [body["model"] for body in server.bodies] == ["second", "first"]


def test_a_server_without_models_says_so() -> None:
    with ChatServer(models=()) as server, pytest.raises(LanguageModelError, match="load one there"):
        LLMEndpoint(server.url).complete(HELLO)


def test_only_what_servers_know_is_sent() -> None:
    messages = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function",
                                                              "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "name": "look", "content": "a lamp"},
    ]  # fmt: skip
    with ChatServer() as server:
        LLMEndpoint(server.url).complete(
            messages, tool_choice="auto", temperature=0.1, max_tokens=5, top_k=3, think=True, facts="It is late."
        )
    body = server.bodies[0]
    assert body["messages"][3] == {"role": "tool", "tool_call_id": "1", "content": "a lamp"}
    assert body["messages"][1]["content"] == "(It is late.)\nu"
    assert (body["temperature"], body["max_tokens"]) == (0.1, 5)
    assert not {"top_k", "think", "facts", "tool_choice", "tools"} & set(body)


@pytest.mark.parametrize("stream", [True, False])
def test_a_stop_hangs_up_and_the_server_stops_too(stream: bool) -> None:
    with ChatServer("word " * 500, token_delay_s=0.01) as server:
        stop = stop_when_asked(server)
        got = collect(LLMEndpoint(f"{server.url}#m").complete(HELLO, stop_event=stop, stream=stream))
        assert time.monotonic() - stop.at < 3.0
        assert got.finish == "cancelled"
        assert server.hung_up.wait(2)


def test_a_stop_before_the_first_word_hangs_up() -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server:
        stop = stop_when_asked(server)
        assert collect(LLMEndpoint(f"{server.url}#m").complete(HELLO, stop_event=stop)).finish == "cancelled"
        assert time.monotonic() - stop.at < 3.0
        assert server.hung_up.wait(2)


def test_a_half_read_stream_that_is_dropped_hangs_up() -> None:
    with ChatServer("word " * 500, token_delay_s=0.01) as server:
        stream = LLMEndpoint(f"{server.url}#m").complete(HELLO, stream=True)
        next(stream)
        del stream
        assert server.hung_up.wait(2)


def test_two_questions_at_once_are_both_answered() -> None:
    with ChatServer("a", "b") as server:
        model = LLMEndpoint(f"{server.url}#m")
        answers: list[str] = []
        threads = [
            threading.Thread(target=lambda: answers.append(collect(model.complete(HELLO)).text)) for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
    assert sorted(answers) == ["a", "b"]


@pytest.mark.parametrize(
    ("status", "message", "error", "words"),
    [
        (401, "bad key", LanguageModelError, "check the API key"),
        (403, "no", LanguageModelError, "rights"),
        (404, "no model", LanguageModelError, "has no model m"),
        (429, "slow down", LanguageModelError, "try again later"),
        (500, "boom", LanguageModelError, "status 500"),
        (422, "no", LanguageModelError, "refused"),
        (400, "This model's maximum context length is 4096 tokens", ContextOverflow, "fewer words"),
    ],
)
def test_a_refusal_is_one_sentence_without_secrets(
    status: int, message: str, error: type[Exception], words: str
) -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="status", status=status, message=message)) as server:
        model = LLMEndpoint(f"{server.url}?token={KEY}#m", api_key=KEY, retries=ONCE)
        with pytest.raises(error, match=words) as caught:
            model.complete(HELLO)
    assert KEY not in str(caught.value)
    assert KEY not in repr(model)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["cut", "garbage"])
def test_an_answer_that_breaks_off_is_one_sentence(kind: Any) -> None:
    with (
        ChatServer("one two three four", misbehaviour=Misbehaviour(kind=kind)) as server,
        pytest.raises(LanguageModelError, match="broke off"),
    ):
        LLMEndpoint(f"{server.url}#m", retries=ONCE).complete(HELLO)


def test_a_server_that_is_silent_is_given_up() -> None:
    with (
        ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server,
        pytest.raises(LanguageModelError, match="in time"),
    ):
        LLMEndpoint(f"{server.url}#m", timeout_s=0.2).complete(HELLO)


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with ChatServer() as server:
        url = server.url
    with pytest.raises(LanguageModelError, match=r"127\.0\.0\.1:\d+ cannot be reached"):
        LLMEndpoint(f"{url}#m").complete(HELLO)


@pytest.mark.parametrize("address", ["", "localhost", "ftp://x/v1", "http://", "http:///v1", "model.gguf"])
def test_what_is_no_address_is_a_usage_error(address: str) -> None:
    with pytest.raises(UsageError, match="looks like"):
        LLMEndpoint(address)


def test_a_local_server_needs_no_key_and_a_key_is_sent_where_there_is_one() -> None:
    with ChatServer() as server:
        LLMEndpoint(f"{server.url}#m").complete(HELLO)
        LLMEndpoint(f"{server.url}#m", api_key=KEY).complete(HELLO)
    assert [headers["authorization"] for headers in server.headers] == ["Bearer none-needed", f"Bearer {KEY}"]


def test_importing_the_package_loads_no_client() -> None:
    code = "import sys; from edgevox.endpoints import LLMEndpoint; print({'openai', 'httpx'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"
