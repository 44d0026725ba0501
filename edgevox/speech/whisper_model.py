"""One decoding of one window by Whisper through CTranslate2, and the only place that builds its arguments.

Knows the shortened encoder context, the prompt and the limits of a decoding. Does not judge what came out: that is
`hearing`; nor decide how often to try: that is `whisper`.
"""
# ctranslate2 and faster_whisper are only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import logging
import os
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from edgevox.core.errors import LibraryMissing, ModelCorrupt, SpeechError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples

    Features = NDArray[np.float32]
    """Log-mel spectrogram, shape (mels, frames), 100 frames a second."""

log = logging.getLogger(__name__)

T = TypeVar("T")

FRAMES_PER_S = 100
FULL_CONTEXT = 3000
"""Mel frames of the 30 s that Whisper was trained on."""

SHORT_CONTEXT = 1000
"""10 s: measured to give the same words for short commands at a quarter of the time. With fewer it repeats itself."""

CONTEXT_MARGIN = 150
"""Quiet frames kept after the speech; without them the last word is repeated or lost."""

CONTEXT_STEP = 250

LEAST_PROBABILITY = 1e-9
"""A token that is less likely counts as this likely: its logarithm stays a number."""

SEED = 20_002
"""Retries sample: the same sound gives the same words in every run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What one decoding came to."""

    text: str
    avg_logprob: float
    """Mean natural logarithm of the tokens' probabilities."""
    no_speech_prob: float
    """How likely the model thinks that nobody spoke."""
    cut: bool = False
    """Whether it ran into the limit of tokens: it was repeating itself."""

    @property
    def compression_ratio(self) -> float:
        """How repetitive the text is: bytes over compressed bytes."""
        data = self.text.encode()
        return len(data) / len(zlib.compress(data)) if data else 0.0


class Decoder(Protocol):
    """What `WhisperRecognizer` needs of a Whisper model."""

    multilingual: bool

    def features(self, samples: "Samples") -> "Features":
        """Return the log-mel spectrogram of a window."""
        ...

    def encode(self, features: "Features", frames: int) -> Any:
        """Return the encoder's output for the spectrogram, padded or cut to so many frames."""
        ...

    def decode(self, encoded: Any, language: str, *, beam: int, temperature: float, max_tokens: int) -> Attempt:
        """Return the words of an encoded window."""
        ...

    def detect_language(self, encoded: Any) -> str:
        """Return the two-letter code of the likeliest language."""
        ...

    def score(self, encoded: Any, language: str, texts: Sequence[str]) -> list[float]:
        """Return for each text how likely the decoder is to begin with it, as a natural logarithm."""
        ...


class WhisperModel:
    """A Whisper model in memory.

    Args:
        folder: files of the model in CTranslate2's format.
        compute_type: as CTranslate2 names them, or `auto`; what the device cannot do becomes int8, with one warning.
        threads: threads of one decoding.
        device: `cpu`, `cuda`, or `auto`; a `cuda` that does not load falls back to the processor.

    Raises:
        LibraryMissing, ModelCorrupt: one sentence that says what to do.
    """

    def __init__(self, folder: Path, *, compute_type: str = "auto", threads: int = 2, device: str = "cpu") -> None:
        # OpenMP threads that wait by spinning take the cores from the other engines. Read when the library loads.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            from faster_whisper.tokenizer import Tokenizer
            from faster_whisper.transcribe import get_suppressed_tokens
        except ImportError as error:
            raise LibraryMissing(
                "Hearing needs the library faster-whisper, which is missing or does not load; "
                "run: pip install 'edgevox[voice]'"
            ) from error
        self._model = _loaded(folder, compute_type, threads, device)
        self.multilingual = bool(self._model.model.is_multilingual)
        self._tokenizer_class: Any = Tokenizer
        self._suppressed: Any = get_suppressed_tokens
        self._languages: dict[str, tuple[Any, list[int], list[int]]] = {}

    def features(self, samples: "Samples") -> "Features":
        """Return the log-mel spectrogram of a window: mono, 16 kHz, float32, shape (n,), at most 30 s."""
        return self._model.feature_extractor(samples).astype(np.float32)

    def encode(self, features: "Features", frames: int) -> Any:
        """Return the encoder's output for the spectrogram, padded or cut to so many frames."""
        window = np.zeros((features.shape[0], frames), np.float32)
        count = min(frames, features.shape[1])
        window[:, :count] = features[:, :count]
        return self._model.encode(window)

    def decode(self, encoded: Any, language: str, *, beam: int, temperature: float, max_tokens: int) -> Attempt:
        """Return the words of an encoded window.

        The prompt holds the language and nothing else: no earlier text, so no junk is ever seeded with junk.

        Args:
            encoded: from `encode`.
            language: two-letter code.
            beam: hypotheses kept when the temperature is 0.
            temperature: 0 takes the likeliest words; more samples among them.
            max_tokens: where a decoding that repeats itself is cut off.

        Raises:
            SpeechError: the library failed.
        """
        tokenizer, prompt, suppressed = self._language(language)
        sampling = {"beam_size": beam} if temperature <= 0 else {"beam_size": 1, "sampling_temperature": temperature}
        try:
            result = self._model.model.generate(
                encoded,
                [prompt],
                max_length=min(self._model.max_length, len(prompt) + max_tokens),
                sampling_topk=1 if temperature <= 0 else 0,
                return_scores=True,
                return_no_speech_prob=True,
                suppress_blank=True,
                suppress_tokens=suppressed,
                **sampling,
            )[0]
        except RuntimeError as error:
            raise SpeechError("Speech could not be transcribed: the recogniser failed.") from error
        tokens = result.sequences_ids[0]
        return Attempt(
            text=tokenizer.decode(tokens).strip(),
            # The score is the mean over the tokens; the end mark counts as one more.
            avg_logprob=float(result.scores[0]) * len(tokens) / (len(tokens) + 1),
            no_speech_prob=float(result.no_speech_prob),
            cut=len(tokens) >= max_tokens,
        )

    def detect_language(self, encoded: Any) -> str:
        """Return the two-letter code of the likeliest language."""
        if not self.multilingual:
            return "en"
        token, _probability = self._model.model.detect_language(encoded)[0][0]
        return str(token)[2:-2]

    def score(self, encoded: Any, language: str, texts: Sequence[str]) -> list[float]:
        """Return for each text how likely the decoder is to begin with it, as a natural logarithm.

        The decoder is not let go its own way: it is shown each text and asked for the probabilities of its tokens, all
        in one pass. That takes half the time of a decoding and says how near a word was that it did not write.

        Raises:
            SpeechError: the library failed.
        """
        tokenizer, _prompt, _suppressed = self._language(language)
        tokens = [self._model.hf_tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        frames = int(encoded.shape[1])
        try:
            aligned = self._model.model.align(
                _repeated(encoded, len(tokens)), list(tokenizer.sot_sequence), tokens, [frames] * len(tokens)
            )
        except RuntimeError as error:
            raise SpeechError("Speech could not be searched for a word: the recogniser failed.") from error
        return [float(np.log(np.maximum(each.text_token_probs, LEAST_PROBABILITY)).sum()) for each in aligned]

    def _language(self, language: str) -> tuple[Any, list[int], list[int]]:
        if language not in self._languages:
            tokenizer = self._tokenizer_class(
                self._model.hf_tokenizer, self.multilingual, task="transcribe", language=language
            )
            prompt = [*tokenizer.sot_sequence, tokenizer.no_timestamps]
            self._languages[language] = (tokenizer, prompt, list(self._suppressed(tokenizer, [-1])))
        return self._languages[language]


def _repeated(encoded: Any, times: int) -> Any:
    """Return the encoder's output as a batch of so many equal windows."""
    import ctranslate2

    device = encoded.device
    window = np.asarray(encoded.to_device(ctranslate2.Device.cpu) if device != "cpu" else encoded)
    batch = ctranslate2.StorageView.from_array(np.ascontiguousarray(np.repeat(window, times, axis=0)))
    return batch.to_device(ctranslate2.Device.cuda) if device != "cpu" else batch


def context_frames(samples: int) -> int:
    """Return how many mel frames the encoder should see for so many samples at 16 kHz."""
    needed = samples * FRAMES_PER_S // 16_000 + CONTEXT_MARGIN
    return min(FULL_CONTEXT, max(SHORT_CONTEXT, -(-needed // CONTEXT_STEP) * CONTEXT_STEP))


def usable_compute_type(asked: str, supported: set[str]) -> str:
    """Return `asked` if the device can do it, else int8 or float32, with a warning that says so."""
    fallback = "int8" if "int8" in supported else "float32"
    if asked == "auto":
        return fallback
    if asked in supported:
        return asked
    log.warning("This device cannot compute speech recognition in %s; using %s instead.", asked, fallback)
    return fallback


def load_with_fallback(device: str, load: Callable[[str], T]) -> T:
    """Load on the device, or on the processor when the graphics card cannot be used after all.

    Args:
        device: `cpu` or `cuda`.
        load: loads on a device; its failure on `cuda` is a warning, on `cpu` it is the caller's.
    """
    if device == "cuda":
        try:
            return load("cuda")
        except (RuntimeError, ValueError) as error:
            log.warning("The graphics card cannot be used for speech recognition (%s); using the processor.", error)
    return load("cpu")


def _loaded(folder: Path, compute_type: str, threads: int, device: str) -> Any:
    import ctranslate2

    ctranslate2.set_random_seed(SEED)
    if device == "auto":
        device = "cuda" if ctranslate2.get_cuda_device_count() > 0 else "cpu"
    try:
        return load_with_fallback(device, lambda each: _load_on(each, folder, compute_type, threads))
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelCorrupt(
            f"The speech model in {folder} cannot be loaded; check it with: edgevox models verify"
        ) from error


def _load_on(device: str, folder: Path, compute_type: str, threads: int) -> Any:
    import ctranslate2
    from faster_whisper import WhisperModel as Engine

    kind = usable_compute_type(compute_type, set(ctranslate2.get_supported_compute_types(device)))
    engine = Engine(str(folder), device=device, compute_type=kind, cpu_threads=threads, local_files_only=True)
    # A first window makes a broken graphics library fail here, and the first command as fast as the next.
    engine.encode(np.zeros((engine.feature_extractor.mel_filters.shape[0], SHORT_CONTEXT), np.float32))
    return engine
