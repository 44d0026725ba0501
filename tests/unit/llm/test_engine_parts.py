"""The parts an engine is made of: text from tokens, remembered prompts, the queue, the wire."""

import json
import socket
import threading
import time
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgevox.llm.engine import EngineInfo, EngineOptions, Generated, GenerationRequest, from_plain
from edgevox.llm.owner import Owner, Ticket
from edgevox.llm.prompt_cache import PromptCache, common_prefix
from edgevox.llm.token_text import TokenText
from edgevox.llm.wire import Channel
from edgevox.llm.worker import Worker


def tokens_to_text(pieces: list[bytes], stop: tuple[str, ...] = ()) -> str:
    text = TokenText(stop)
    return "".join([text.feed(piece) for piece in pieces] + [text.finish()])


@given(st.text(max_size=30), st.data())
def test_characters_split_over_tokens_come_whole(text: str, data: st.DataObject) -> None:
    raw = text.encode("utf-8", "replace")
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert tokens_to_text(pieces) == raw.decode()


def test_half_a_character_is_never_given_out() -> None:
    text = TokenText()
    assert [text.feed(b"\xf0\x9f"), text.feed(b"\x99"), text.feed(b"\x82!")] == ["", "", "🙂!"]


def test_a_stop_text_ends_the_answer_wherever_it_is_cut() -> None:
    whole = "Hello.<|im_end|>more"
    for cut in range(len(whole)):
        assert tokens_to_text([whole[:cut].encode(), whole[cut:].encode()], ("<|im_end|>",)) == "Hello."


def test_the_beginning_of_a_stop_text_that_does_not_come_is_said() -> None:
    assert tokens_to_text([b"a <|im", b"_st"], ("<|im_end|>",)) == "a <|im_st"
    assert tokens_to_text([b"a <|im"], ("<|im_end|>",)) == "a <|im"


class Context:
    """Stands in for the model's memory."""

    def __init__(self) -> None:
        self.saved = 0
        self.loaded: list[bytes] = []

    def save(self) -> bytes:
        self.saved += 1
        return f"state {self.saved}".encode()

    def load(self, state: bytes) -> bool:
        self.loaded.append(state)
        return True


def prompt(owner: int, length: int = 100, tail: int = 0) -> list[int]:
    return [owner] * length + list(range(1000, 1000 + tail))


def ask(cache: PromptCache, context: Context, tokens: list[int]) -> int:
    cached = cache.prepare(tokens, context.save, context.load)
    cache.tokens = list(tokens)
    return cached


def test_the_beginning_of_the_last_prompt_is_kept_without_saving_anything() -> None:
    cache, context = PromptCache(4, 10_000), Context()
    assert ask(cache, context, prompt(1)) == 0
    assert ask(cache, context, prompt(1, tail=20)) == 100
    assert context.saved == 0


def test_two_agents_that_take_turns_find_their_prompts_again() -> None:
    cache, context = PromptCache(4, 10_000), Context()
    found = [ask(cache, context, prompt(owner, tail=turn)) for turn in range(3) for owner in (1, 2)]
    assert found[:2] == [0, 0]
    assert all(each >= 100 for each in found[2:])


def test_remembered_prompts_are_bounded_in_number_and_memory() -> None:
    context = Context()
    few = PromptCache(2, 10_000)
    for owner in range(10):
        ask(few, context, prompt(owner))
    assert few.saved == 2
    small = PromptCache(10, 17)
    for owner in range(10):
        ask(small, context, prompt(owner))
    assert small.saved == 2


def test_a_state_that_cannot_be_loaded_is_read_again() -> None:
    cache, context = PromptCache(4, 10_000), Context()
    ask(cache, context, prompt(1))
    ask(cache, context, prompt(2))
    assert cache.prepare(prompt(1), context.save, lambda _: False) == 0
    assert cache.tokens == []


@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 3)))
def test_a_common_prefix_is_common_and_longest(one: list[int], other: list[int]) -> None:
    length = common_prefix(one, tuple(other))
    assert one[:length] == other[:length]
    assert length == min(len(one), len(other)) or one[length] != other[length]


def test_an_owner_closes_after_its_work_and_starts_again_when_needed() -> None:
    owner = Owner("test-owner")
    tickets = [owner.submit(Ticket(lambda _, n=n: n, None)) for n in range(3)]
    owner.close()
    assert [(list(t.pieces()), t.outcome) for t in tickets] == [([], 0), ([], 1), ([], 2)]
    again = owner.submit(Ticket(lambda _: "more", None))
    assert list(again.pieces()) == []
    assert again.outcome == "more"
    owner.close()
    owner.close()


TRAVELLERS: list[tuple[Any, Any]] = [
    (EngineOptions, EngineOptions(path="/a/model.gguf")),
    (EngineInfo, EngineInfo(name="x")),
    (GenerationRequest, GenerationRequest(prompt="p", stop=("a", "b"), grammar_for=("{",))),
    (Generated, Generated(finish="stop", prompt_tokens=3)),
]


@pytest.mark.parametrize(("kind", "value"), TRAVELLERS)
def test_what_travels_between_processes_arrives_as_it_was(kind: Any, value: Any) -> None:
    assert from_plain(kind, json.loads(json.dumps({**asdict(value), "from_the_future": 1}))) == value


def test_a_model_is_called_by_its_folder_or_its_file() -> None:
    assert EngineOptions(path="/m/qwen2.5/model.gguf").name == "qwen2.5"
    assert EngineOptions(path="/m/Qwen3-4B.gguf").name == "Qwen3-4B"


def channels() -> tuple[Channel, Channel]:
    one, other = socket.socketpair()
    return Channel(one), Channel(other)


def test_messages_arrive_whole_whatever_is_in_them() -> None:
    one, other = channels()
    message = {"text": "ünï🙂\n\x00 \ud800", "big": "x" * 300_000}
    threading.Thread(target=one.send, args=(message,)).start()
    assert other.receive() == message
    one.close()
    assert other.receive() is None
    assert other.send({}) is False
    other.close()
    other.close()


@pytest.mark.parametrize("noise", [b"\x00\x00\x00\x02{]", b"\xff\xff\xff\xff", b"\x00\x00\x00\x02[]", b"\x00\x00"])
def test_nonsense_on_the_wire_is_an_end_not_a_crash(noise: bytes) -> None:
    raw, end = socket.socketpair()
    raw.sendall(noise)
    raw.close()
    assert Channel(end).receive() is None


class Hosted:
    """An engine inside a worker, for tests of the worker."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.running = threading.Event()

    def open(self) -> EngineInfo:
        return EngineInfo(name="hosted")

    def count(self, texts: list[str]) -> list[int]:
        return [len(text) for text in texts]

    def rearm(self) -> None:
        self.stopped.clear()

    def abort(self) -> None:
        self.stopped.set()

    def run(self, request: GenerationRequest, emit: Any) -> Generated:
        if request.prompt == "raise":
            raise RuntimeError("boom")
        self.running.set()
        emit("piece")
        cut = request.prompt == "long" and self.stopped.wait(5)
        return Generated(finish="cancelled" if cut else "stop")


class Parent:
    """The other end of a worker that runs on threads of this process."""

    def __init__(self) -> None:
        self.channel, theirs = channels()
        self.engine = Hosted()
        self.worker = Worker(theirs, lambda _: self.engine)
        self.threads = [threading.Thread(target=each) for each in (self.worker.listen, self.worker.work)]
        for thread in self.threads:
            thread.start()

    def ask(self, op: str, use_id: int, **more: Any) -> None:
        self.channel.send({"op": op, "id": use_id, **more})

    def generate(self, use_id: int, text: str) -> None:
        self.ask("generate", use_id, request={"prompt": text})

    def close(self) -> None:
        self.channel.close()
        for thread in self.threads:
            thread.join(2)
        assert not any(thread.is_alive() for thread in self.threads)


@pytest.fixture
def parent() -> Any:
    made = Parent()
    made.ask("open", 0, options={"path": "/nowhere"})
    opened = made.channel.receive()
    assert opened is not None
    assert opened["info"]["name"] == "hosted"
    yield made
    made.close()


def test_a_worker_generates_and_counts(parent: Parent) -> None:
    parent.generate(1, "short")
    assert parent.channel.receive() == {"id": 1, "text": "piece"}
    done = parent.channel.receive()
    assert done is not None
    assert done["done"]["finish"] == "stop"
    parent.ask("count", 2, texts=["abc"])
    assert parent.channel.receive() == {"id": 2, "counts": [3]}


def test_a_worker_hears_a_stop_and_counts_while_it_generates(parent: Parent) -> None:
    parent.generate(1, "long")
    assert parent.channel.receive() == {"id": 1, "text": "piece"}
    parent.ask("count", 2, texts=["ab"])
    assert parent.channel.receive() == {"id": 2, "counts": [2]}
    began = time.monotonic()
    parent.ask("stop", 1)
    done = parent.channel.receive()
    assert done is not None
    assert done["done"]["finish"] == "cancelled"
    assert time.monotonic() - began < 0.5


def test_a_stop_that_overtakes_its_request_still_counts_and_no_other_is_hit(parent: Parent) -> None:
    parent.ask("stop", 7)
    parent.generate(7, "long")
    parent.generate(8, "short")
    replies = [parent.channel.receive() for _ in range(4)]
    finishes = {r["id"]: r["done"]["finish"] for r in replies if r is not None and "done" in r}
    assert finishes == {7: "cancelled", 8: "stop"}


def test_a_fault_in_a_worker_is_a_reply_and_the_next_request_is_served(
    parent: Parent, capsys: pytest.CaptureFixture[str]
) -> None:
    parent.generate(1, "raise")
    reply = parent.channel.receive()
    assert reply is not None
    assert (reply["code"], reply["error"]) == ("llm_failed", "RuntimeError: boom")
    assert "boom" in capsys.readouterr().err
    parent.generate(2, "short")
    assert parent.channel.receive() == {"id": 2, "text": "piece"}
