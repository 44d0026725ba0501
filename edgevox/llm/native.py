"""llama.cpp through its C interface: a model, one context, one sequence, a sampler.

Knows pointers and batches. Does not know prompts, conversations or caches. Not thread-safe but for `abort`, `resume`
and `tokenize`.
"""

# llama_cpp's ctypes bindings carry no types that a checker can follow.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportAttributeAccessIssue=false, reportArgumentType=false, reportCallIssue=false, reportIndexIssue=false

import ctypes
import logging
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from edgevox.core.errors import LibraryMissing, ModelCorrupt
from edgevox.llm.engine import GrammarRefused

try:
    import llama_cpp as lib
except Exception as error:  # a wheel built for another processor, or a broken build, fails in many ways
    raise LibraryMissing(
        "the local language model needs llama-cpp-python, which is missing or does not load "
        f"({type(error).__name__}): pip install 'edgevox[llm]'"
    ) from error

SEQUENCE = 0
PENALTY_WINDOW = 64
"""Tokens back that count as just said."""
_GO, _ABORT = b"\0", b"\1"


class Decoded(Enum):
    """How reading a batch of tokens ended."""

    DONE = "done"
    ABORTED = "aborted"
    FULL = "full"


class NativeModel:
    """A loaded model and its one context.

    Args:
        path: a GGUF file.
        n_ctx: tokens of the context; never more than the model was trained on.
        n_threads: threads that generate.
        n_threads_batch: threads that read a prompt.
        chunk: tokens of the longest batch.

    Raises:
        ModelCorrupt: llama.cpp cannot load the file.
    """

    def __init__(self, path: Path, *, n_ctx: int, n_threads: int, n_threads_batch: int, chunk: int) -> None:
        _quiet()
        lib.llama_backend_init()
        params = lib.llama_model_default_params()
        self._model = lib.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise ModelCorrupt(f"{path.name} cannot be loaded: the file is damaged or no GGUF model that is known.")
        self._vocab = lib.llama_model_get_vocab(self._model)
        trained = lib.llama_model_n_ctx_train(self._model)
        self.n_ctx = min(n_ctx, trained) if trained > 0 else n_ctx
        self._context = self._new_context(n_threads, n_threads_batch, chunk)
        if not self._context:
            lib.llama_model_free(self._model)
            raise ModelCorrupt(f"{path.name} cannot be run with a context of {n_ctx} tokens: try a smaller one.")
        self._memory = lib.llama_get_memory(self._context)
        self._batch = lib.llama_batch_init(chunk, 0, 1)
        self._flag = ctypes.create_string_buffer(_GO + b"\0")
        self._on_node = _abort_callback(self._flag)
        lib.llama_set_abort_callback(self._context, self._on_node, ctypes.cast(self._flag, ctypes.c_void_p))
        self._pieces: dict[int, bytes] = {}

    def _new_context(self, n_threads: int, n_threads_batch: int, chunk: int) -> Any:
        params = lib.llama_context_default_params()
        params.n_ctx = self.n_ctx
        params.n_batch = params.n_ubatch = chunk
        params.n_seq_max = 1
        params.n_threads, params.n_threads_batch = n_threads, n_threads_batch
        params.swa_full = True
        params.no_perf = True
        return lib.llama_init_from_model(self._model, params)

    @property
    def parameters(self) -> int:
        """How many weights the model has."""
        return int(lib.llama_model_n_params(self._model))

    @property
    def chat_template(self) -> str:
        """The template in the file; empty when there is none."""
        template = lib.llama_model_chat_template(self._model, None)
        return template.decode("utf-8", "replace") if template else ""

    def metadata(self, key: str) -> str:
        """A value of the file's header; empty when it is not there."""
        buffer = ctypes.create_string_buffer(4096)
        length = lib.llama_model_meta_val_str(self._model, key.encode(), buffer, len(buffer))
        return buffer.value.decode("utf-8", "replace") if length >= 0 else ""

    @property
    def bos(self) -> int | None:
        """The token that begins a text, if the model wants one there."""
        return int(lib.llama_vocab_bos(self._vocab)) if lib.llama_vocab_get_add_bos(self._vocab) else None

    def token_text(self, which: str) -> str:
        """The text of the `bos` or `eos` token; empty when there is none."""
        token = lib.llama_vocab_bos(self._vocab) if which == "bos" else lib.llama_vocab_eos(self._vocab)
        text = lib.llama_vocab_get_text(self._vocab, token) if int(token) >= 0 else None
        return text.decode("utf-8", "replace") if text else ""

    def tokenize(self, text: str) -> list[int]:
        """Return the tokens of a text whose special tokens are written out."""
        data = text.encode("utf-8", "replace")
        size = len(data) + 8
        tokens = (lib.llama_token * size)()
        count = lib.llama_tokenize(self._vocab, data, len(data), tokens, size, False, True)
        return list(tokens[: max(count, 0)])

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token; special ones are written out."""
        known = self._pieces.get(token)
        if known is None:
            buffer = ctypes.create_string_buffer(256)
            length = lib.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, True)
            known = self._pieces[token] = buffer.raw[: max(length, 0)]
        return known

    def is_end(self, token: int) -> bool:
        """Whether the model means with this token that it has finished."""
        return bool(lib.llama_vocab_is_eog(self._vocab, token))

    def decode(self, tokens: Sequence[int], position: int, *, wants_next: bool) -> Decoded:
        """Read tokens into the context.

        Args:
            tokens: at most `chunk`.
            position: where the first of them stands.
            wants_next: whether a token is going to be sampled after the last.
        """
        batch = self._batch
        batch.n_tokens = len(tokens)
        for index, token in enumerate(tokens):
            batch.token[index] = token
            batch.pos[index] = position + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = SEQUENCE
            batch.logits[index] = 0
        batch.logits[len(tokens) - 1] = wants_next
        outcome = lib.llama_decode(self._context, batch)
        if outcome == 0:
            return Decoded.DONE
        return Decoded.ABORTED if outcome == 2 else Decoded.FULL

    def forget_from(self, position: int) -> bool:
        """Take everything from `position` on out of the context; returns whether the model's kind can do that."""
        if position <= 0:
            lib.llama_memory_clear(self._memory, True)
            return True
        return bool(lib.llama_memory_seq_rm(self._memory, SEQUENCE, position, -1))

    def save_state(self) -> bytes:
        """Return what the context holds."""
        size = lib.llama_state_seq_get_size(self._context, SEQUENCE)
        buffer = (ctypes.c_uint8 * size)()
        return bytes(memoryview(buffer)[: lib.llama_state_seq_get_data(self._context, buffer, size, SEQUENCE)])

    def load_state(self, state: bytes) -> bool:
        """Put a saved state into the context in place of what it holds."""
        lib.llama_memory_clear(self._memory, True)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return lib.llama_state_seq_set_data(self._context, buffer, len(state), SEQUENCE) > 0

    def abort(self) -> None:
        """Have `decode` return at its next node; from any thread, at any time."""
        self._flag[0] = _ABORT

    def resume(self) -> None:
        """Let `decode` run again."""
        self._flag[0] = _GO

    def close(self) -> None:
        """Free everything. Closing twice is fine."""
        if self._model:
            lib.llama_batch_free(self._batch)
            lib.llama_free(self._context)
            lib.llama_model_free(self._model)
            self._model = None

    def sampler(self, **settings: Any) -> "NativeSampler":
        """Return a sampler for one answer (see `NativeSampler`)."""
        return NativeSampler(self._context, self._vocab, **settings)


class NativeSampler:
    """Chooses the tokens of one answer.

    A grammar is asked about the chosen token alone, and about the whole vocabulary only when it refuses that one: the
    model mostly writes what the grammar wants anyway, and the whole vocabulary costs tens of milliseconds a token.

    Raises:
        GrammarRefused: llama.cpp cannot read the grammar.
    """

    def __init__(
        self,
        context: Any,
        vocab: Any,
        *,
        temperature: float,
        top_p: float,
        top_k: int,
        min_p: float,
        repeat_penalty: float,
        seed: int,
        grammar: str | None,
    ) -> None:
        self._context, self._vocab = context, vocab
        self._size = int(lib.llama_vocab_n_tokens(vocab))
        self._grammar = _grammar(vocab, grammar) if grammar is not None else None
        params = lib.llama_sampler_chain_default_params()
        params.no_perf = True
        self._chain = lib.llama_sampler_chain_init(params)
        steps = [_penalties(self._size, repeat_penalty)] if repeat_penalty != 1.0 else []
        if temperature <= 0:
            steps.append(lib.llama_sampler_init_greedy())
        else:
            steps += [
                lib.llama_sampler_init_top_k(top_k),
                lib.llama_sampler_init_top_p(top_p, 1),
                lib.llama_sampler_init_min_p(min_p, 1),
                lib.llama_sampler_init_temp(temperature),
                lib.llama_sampler_init_dist(seed),
            ]
        for step in steps:
            lib.llama_sampler_chain_add(self._chain, step)

    def next(self) -> int:
        """Choose the token after the last one that was read with `wants_next`."""
        if self._grammar is None:
            return int(lib.llama_sampler_sample(self._chain, self._context, -1))
        token = self._choose(constrained=False)
        if not self._allows(token):
            token = self._choose(constrained=True)
        lib.llama_sampler_accept(self._grammar, token)
        lib.llama_sampler_accept(self._chain, token)
        return token

    def drop_grammar(self) -> None:
        """Let the rest of the answer be free."""
        if self._grammar is not None:
            lib.llama_sampler_free(self._grammar)
            self._grammar = None

    def close(self) -> None:
        """Free everything. Closing twice is fine."""
        self.drop_grammar()
        if self._chain is not None:
            lib.llama_sampler_free(self._chain)
            self._chain = None

    def _allows(self, token: int) -> bool:
        one = (lib.llama_token_data * 1)(lib.llama_token_data(token, 1.0, 0.0))
        array = lib.llama_token_data_array(one, 1, -1, False)
        lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return bool(np.isfinite(one[0].logit))

    def _choose(self, *, constrained: bool) -> int:
        logits = np.ctypeslib.as_array(lib.llama_get_logits_ith(self._context, -1), shape=(self._size,))
        candidates = np.zeros(self._size, dtype=[("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
        candidates["id"] = np.arange(self._size, dtype=np.int32)
        candidates["logit"] = logits
        data = candidates.ctypes.data_as(ctypes.POINTER(lib.llama_token_data))
        array = lib.llama_token_data_array(data, self._size, -1, False)
        if constrained:
            lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        lib.llama_sampler_apply(self._chain, ctypes.byref(array))
        return int(array.data[array.selected].id)


def _grammar(vocab: Any, text: str) -> Any:
    sampler = lib.llama_sampler_init_grammar(vocab, text.encode(), b"root")
    if not sampler:
        raise GrammarRefused("the grammar for the tools could not be read")
    return sampler


def _penalties(vocabulary: int, repeat_penalty: float) -> Any:
    """Return what makes a word that was just said less likely; newer versions ask for the size of the vocabulary."""
    make = lib.llama_sampler_init_penalties
    asked = (vocabulary,) if len(getattr(make, "argtypes", ())) == 5 else ()
    return make(*asked, PENALTY_WINDOW, repeat_penalty, 0.0, 0.0)


def _abort_callback(flag: Any) -> Any:
    """Return a C function that llama.cpp asks, between the nodes of its graph, whether to give up.

    It is the C library's `strlen`: 0 while the flag is an empty string, 1 when it is not. A Python function would have
    to take the interpreter's lock a thousand times a token.
    """
    try:
        address = ctypes.cast(ctypes.CDLL(None).strlen, ctypes.c_void_p).value
    except (OSError, AttributeError, TypeError):
        return lib.ggml_abort_callback(lambda _data: flag.raw[:1] != _GO)
    return lib.ggml_abort_callback(address)


def _quiet() -> None:
    """Keep llama.cpp's own chatter out of the terminal; its errors go to this package's log."""
    logging.getLogger("llama-cpp-python").setLevel(logging.CRITICAL)
