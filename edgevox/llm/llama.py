"""A local model in this process: reads prompts in small chunks, generates token by token, stops when told.

Keeps the beginning of the last prompt in the context and reads only what is new. One thread generates; `abort` and
`count` are safe from any.
"""

import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from edgevox.core.errors import ContextOverflow, ModelMissing
from edgevox.llm.engine import Emit, EngineInfo, EngineOptions, Generated, GenerationRequest
from edgevox.llm.native import Decoded, NativeModel, NativeSampler
from edgevox.llm.prompt_cache import PromptCache, common_prefix
from edgevox.llm.token_text import TokenText

STOP_POLL_S = 0.01


class LlamaEngine:
    """An `Engine` over llama.cpp.

    Args:
        options: which file, and how it is loaded.
    """

    def __init__(self, options: EngineOptions) -> None:
        self._options = options
        self._model: NativeModel | None = None
        self._info: EngineInfo | None = None
        self._cache = PromptCache(options.states, options.state_bytes)
        self._stopped = threading.Event()
        self._opening = threading.Lock()

    def open(self) -> EngineInfo:
        """Load the model (see `Engine.open`)."""
        with self._opening:
            if self._model is not None and self._info is not None:
                return self._info
            path = Path(self._options.path)
            if not path.is_file():
                raise ModelMissing(f"there is no model at {path}: give another path, or get one with edgevox setup.")
            began = time.perf_counter()
            self._model = NativeModel(
                path,
                n_ctx=self._options.n_ctx,
                n_threads=self._options.n_threads,
                n_threads_batch=self._options.n_threads_batch,
                chunk=self._options.chunk,
            )
            self._cache.clear()
            self._info = self._describe(self._model, time.perf_counter() - began)
            return self._info

    def _describe(self, model: NativeModel, load_s: float) -> EngineInfo:
        return EngineInfo(
            name=self._options.name,
            architecture=model.metadata("general.architecture"),
            title=model.metadata("general.name"),
            n_ctx=model.n_ctx,
            parameters=model.parameters,
            chat_template=model.chat_template,
            bos=model.token_text("bos"),
            eos=model.token_text("eos"),
            load_s=load_s,
        )

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        self.open()
        assert self._model is not None
        return [len(self._model.tokenize(text)) for text in texts]

    def abort(self) -> None:
        """End the generation that is running, or the next one, as soon as can be; from any thread."""
        self._stopped.set()
        if self._model is not None:
            self._model.abort()

    def rearm(self) -> None:
        """Forget an `abort`: call it before the generation that it must not end."""
        self._stopped.clear()
        if self._model is not None:
            self._model.resume()

    def generate(self, request: GenerationRequest, emit: Emit, stop: threading.Event) -> Generated:
        """Continue a text until it is over or `stop` is set (see `Engine.generate`)."""
        self.open()
        self.rearm()
        over = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(stop, over), name="llm-stop", daemon=True)
        watcher.start()
        try:
            return self.run(request, emit)
        finally:
            over.set()
            watcher.join()

    def run(self, request: GenerationRequest, emit: Emit) -> Generated:
        """Continue a text until it is over or `abort` is called; the caller has called `open` and `rearm`."""
        model = self._model
        assert model is not None
        began = time.perf_counter()
        prompt = self._prompt_tokens(model, request.prompt)
        room = model.n_ctx - len(prompt)
        if room < min(request.max_tokens, 1):
            raise ContextOverflow(f"the prompt has {len(prompt)} tokens, and the model holds {model.n_ctx}.")
        sampler = self._sampler(model, request)
        try:
            cached = self._bring(model, prompt)
            read = self._read(model, prompt, cached)
            answer = _Answer(request, began, emit)
            finish = self._write(model, sampler, answer, min(request.max_tokens, room)) if read else "cancelled"
            return answer.ended(finish, prompt_tokens=len(prompt), cached_tokens=cached)
        finally:
            sampler.close()

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        with self._opening:
            if self._model is not None:
                self._model.close()
            self._model, self._info = None, None
            self._cache.clear()

    def _watch(self, stop: threading.Event, over: threading.Event) -> None:
        while not over.is_set():
            if stop.is_set():
                self.abort()
                return
            stop.wait(STOP_POLL_S)

    def _prompt_tokens(self, model: NativeModel, text: str) -> list[int]:
        tokens = model.tokenize(text)
        if model.bos is not None and tokens[:1] != [model.bos]:
            tokens.insert(0, model.bos)
        return tokens or [model.tokenize(" ")[0]]

    def _sampler(self, model: NativeModel, request: GenerationRequest) -> NativeSampler:
        return model.sampler(
            temperature=request.temperature,
            top_p=request.top_p,
            top_k=request.top_k,
            min_p=request.min_p,
            repeat_penalty=request.repeat_penalty,
            seed=request.seed if request.seed is not None else secrets.randbits(31),
            grammar=request.grammar,
        )

    def _bring(self, model: NativeModel, prompt: Sequence[int]) -> int:
        """Make the context a beginning of the prompt; returns how long it is."""
        shared = min(self._cache.prepare(prompt, model.save_state, model.load_state), len(prompt) - 1)
        if shared < len(self._cache.tokens) and not model.forget_from(shared):
            model.forget_from(0)
            shared = 0
        self._cache.tokens = list(prompt[:shared])
        return shared

    def _read(self, model: NativeModel, prompt: Sequence[int], position: int) -> bool:
        """Read the rest of the prompt in chunks; returns whether all of it was read."""
        chunk = self._options.chunk
        for start in range(position, len(prompt), chunk):
            tokens = prompt[start : start + chunk]
            if self._stopped.is_set() or not self._decode(model, tokens, last=start + chunk >= len(prompt)):
                return False
        return True

    def _decode(self, model: NativeModel, tokens: Sequence[int], *, last: bool) -> bool:
        position = len(self._cache.tokens)
        outcome = model.decode(tokens, position, wants_next=last)
        if outcome is Decoded.DONE:
            self._cache.tokens.extend(tokens)
            return True
        if not model.forget_from(position):
            model.forget_from(0)
            self._cache.tokens = []
        if outcome is Decoded.FULL:
            raise ContextOverflow(f"the context of {model.n_ctx} tokens is full.")
        return False

    def _write(self, model: NativeModel, sampler: NativeSampler, answer: "_Answer", limit: int) -> str:
        """Generate until the answer is over; returns why it is."""
        for index in range(limit):
            if self._stopped.is_set():
                return "cancelled"
            token = sampler.next()
            if model.is_end(token):
                return "stop"
            answer.add(model.piece(token))
            if answer.is_free:
                sampler.drop_grammar()
            if answer.text.ended:
                return "stop"
            if index + 1 < limit and not self._decode(model, [token], last=True):
                return "cancelled"
        return "length"


class _Answer:
    """What has been generated, and when it began."""

    def __init__(self, request: GenerationRequest, began: float, emit: Emit) -> None:
        self.text = TokenText(request.stop)
        self.is_free = False
        """Whether the answer has begun as one that the grammar is not for."""
        self._grammar_for = request.grammar_for
        self._head = ""
        self._began = began
        self._emit = emit
        self._tokens = 0
        self._first: float | None = None

    def add(self, data: bytes) -> None:
        self._tokens += 1
        if self._first is None:
            self._first = time.perf_counter() - self._began
        self._say(self.text.feed(data))

    def ended(self, finish: str, *, prompt_tokens: int, cached_tokens: int) -> Generated:
        if finish != "cancelled":
            self._say(self.text.finish())
        took = time.perf_counter() - self._began
        return Generated(
            finish="cancelled" if finish == "cancelled" else "length" if finish == "length" else "stop",
            prompt_tokens=prompt_tokens,
            cached_tokens=cached_tokens,
            completion_tokens=self._tokens,
            first_token_s=self._first if self._first is not None else took,
            took_s=took,
        )

    def _say(self, text: str) -> None:
        if not text:
            return
        if self._grammar_for and not self.is_free and not self._head:
            self._head = text.lstrip()
            self.is_free = bool(self._head) and not self._head.startswith(self._grammar_for)
        self._emit(text)


__all__ = ["LlamaEngine", "common_prefix"]
