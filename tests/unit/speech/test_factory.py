import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from edgevox.config.settings import VadSettings
from edgevox.core.errors import LanguageUnsupported, LibraryMissing, ModelCorrupt, ModelMissing, UsageError
from edgevox.speech.engine import SpeechEngine
from edgevox.speech.espeak_files import find_espeak, has_data, require_espeak
from edgevox.speech.factory import available_voices, create_stt, create_tts, segmenter_options
from edgevox.speech.kokoro import kokoro_voices
from edgevox.speech.languages import LANGUAGES, language_of
from edgevox.speech.model_files import packaged_file, whisper_folder
from edgevox.speech.onnx import open_session
from edgevox.speech.segmenter import Pause


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point edgevox and the Hugging Face cache to empty folders."""
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


def test_importing_speech_loads_no_engine_and_no_array_library() -> None:
    code = (
        "import sys, json, edgevox.speech; edgevox.speech.language_of('vi');"
        "heavy = ['numpy', 'onnxruntime', 'faster_whisper', 'ctranslate2', 'kokoro_onnx', 'piper', 'torch',"
        " 'silero_vad', 'num2words', 'textual', 'rich', 'sounddevice', 'llama_cpp'];"
        "print(json.dumps([name for name in heavy if name in sys.modules]))"
    )
    assert json.loads(subprocess.check_output([sys.executable, "-c", code])) == []


def test_building_a_recogniser_and_a_voice_imports_no_engine() -> None:
    code = (
        "import sys, json; from edgevox.speech import create_stt, create_tts, create_vad, available_voices;"
        "create_stt('tiny'); create_vad(); create_tts('piper'); create_tts('kokoro'); create_tts('espeak');"
        "available_voices();"
        "heavy = ['onnxruntime', 'faster_whisper', 'ctranslate2', 'kokoro_onnx', 'piper', 'torch', 'silero_vad'];"
        "print(json.dumps([name for name in heavy if name in sys.modules]))"
    )
    assert json.loads(subprocess.check_output([sys.executable, "-c", code])) == []


def test_every_promised_name_is_there() -> None:
    import edgevox.speech

    assert all(getattr(edgevox.speech, name) is not None for name in edgevox.speech.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = edgevox.speech.nonsense


# Hearing


def test_tiny_is_tiny_and_not_the_english_one(no_models: Path) -> None:
    english = no_models / "models" / "whisper-tiny.en"
    english.mkdir(parents=True)
    (english / "model.bin").write_bytes(b"x" * 100)
    with pytest.raises(ModelMissing, match=r"whisper-tiny(?!\.en)"):
        whisper_folder("tiny")


@pytest.mark.parametrize("name", ["medium", "whisper-medium"])
def test_a_size_that_is_in_the_hub_cache_is_used(no_models: Path, name: str) -> None:
    repo = no_models / "hub" / "models--Systran--faster-whisper-medium"
    snapshot = repo / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (repo / "refs").mkdir()
    (repo / "refs" / "main").write_text("a" * 40)
    for file in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (snapshot / file).write_text("{}")
    assert whisper_folder(name) == snapshot


def test_a_model_that_does_not_exist_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="whisper-huge"):
        whisper_folder("whisper-huge")


@pytest.mark.parametrize("language", ["vi", "de", "fr", "es"])
def test_a_language_without_its_model_says_in_one_line_what_is_missing(language: str) -> None:
    with pytest.raises(LanguageUnsupported, match="edgevox models get whisper-base") as caught:
        create_stt("auto", language)
    assert LANGUAGES[language].name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_english_model_for_another_language_is_refused() -> None:
    with pytest.raises(LanguageUnsupported, match="whisper-base"):
        create_stt("tiny.en", "de")


def test_an_unknown_language_lists_those_there_are() -> None:
    with pytest.raises(LanguageUnsupported, match="en, de, fr"):
        language_of("tlh")


def test_a_region_is_left_out() -> None:
    assert language_of("en-GB").code == "en"
    assert language_of(" VI_vn ").code == "vi"


def test_a_missing_model_is_found_out_when_it_is_opened_and_says_how_to_get_it() -> None:
    recognizer = create_stt("whisper-tiny.en", "en")
    with pytest.raises(ModelMissing, match=r"edgevox models get whisper-tiny\.en"):
        recognizer.open()


def test_auto_detects_the_language() -> None:
    assert create_stt("whisper-base", "auto").language is None
    assert create_stt("whisper-base", None).language is None
    assert create_stt("whisper-base", "de-AT").language == "de"


# Speaking


def test_without_any_model_english_is_still_spoken_when_espeak_is_there() -> None:
    if find_espeak() is None:
        with pytest.raises(LanguageUnsupported, match="edgevox models get"):
            create_tts()
    else:
        voice = create_tts()
        assert isinstance(voice, SpeechEngine)
        assert voice.language == "en"


def test_an_unknown_engine_and_an_impossible_speed_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="piper, kokoro or espeak"):
        create_tts("festival")  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match=r"0\.5 to 2"):
        create_tts("espeak", speed=9.0)


def test_a_piper_voice_that_is_not_there_says_how_to_get_it() -> None:
    pytest.importorskip("piper")
    with pytest.raises(ModelMissing, match="edgevox models get piper-en-joe"):
        create_tts("piper").open()


def test_kokoro_without_its_files_says_how_to_get_them() -> None:
    pytest.importorskip("kokoro_onnx")
    with pytest.raises(ModelMissing, match="edgevox models get kokoro"):
        create_tts("kokoro").open()


def test_voices_are_listed_by_language_without_loading_one() -> None:
    voices = available_voices("vi")
    assert all(voice.language == "vi" for voice in voices)
    assert {voice.language for voice in available_voices()} <= set(LANGUAGES)


def test_the_voices_of_a_file_are_those_that_can_be_pronounced(tmp_path: Path) -> None:
    path = tmp_path / "voices.npz"
    style = np.zeros((510, 1, 256), np.float32)
    np.savez(path, af_heart=style, bm_george=style, jf_alpha=style, zf_xiaobei=style, other=style)
    assert [(voice.name, voice.language) for voice in kokoro_voices(path)] == [("af_heart", "en"), ("bm_george", "en")]


def test_a_file_that_is_no_voices_file_is_told_as_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "voices.npz"
    path.write_text("<html>404</html>")
    with pytest.raises(ModelCorrupt, match="edgevox models verify"):
        kokoro_voices(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "no voices")
    assert kokoro_voices(path) == []


# Files and libraries


def test_espeak_data_is_checked_before_the_library_ends_the_process(tmp_path: Path) -> None:
    assert not has_data(tmp_path)
    for name in ("phontab", "phonindex", "phondata"):
        (tmp_path / name).write_bytes(b"")
    assert not has_data(tmp_path)
    for name in ("phontab", "phonindex", "phondata"):
        (tmp_path / name).write_bytes(b"x")
    assert has_data(tmp_path)


def test_a_broken_data_path_in_the_environment_does_not_break_espeak(monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_espeak()
    monkeypatch.setenv("ESPEAK_DATA_PATH", "/home/builder/espeak-ng-data")
    assert find_espeak() == before


def test_espeak_is_found_only_together_with_its_data() -> None:
    found = find_espeak()
    if found is None:
        with pytest.raises(LibraryMissing, match="espeakng-loader"):
            require_espeak()
    else:
        assert has_data(found.data)
        assert require_espeak() == found


def test_a_file_that_is_no_onnx_model_is_told_as_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = tmp_path / "model.onnx"
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(ModelCorrupt, match="edgevox models verify"):
        open_session(path, threads=1)
    with pytest.raises(ModelMissing):
        open_session(tmp_path / "nothing.onnx", threads=1)


def test_a_package_is_looked_into_without_importing_it() -> None:
    assert packaged_file("edgevox", ["nothing.txt", "core/frames.py"]) is not None
    assert packaged_file("no_such_package", ["x"]) is None
    assert "silero_vad" not in sys.modules


# Settings


def test_the_settings_reach_the_segmenter() -> None:
    options = segmenter_options(
        VadSettings(threshold=0.7, start_frames=3, pre_roll_ms=300, end_ms=400, soft_end_ms=160)
    )
    assert (options.threshold, options.release) == (0.7, pytest.approx(0.55))
    assert (options.start_frames, options.pre_roll_s, options.soft_end_s) == (3, 0.3, 0.16)
    assert callable(options.hard_end)
    assert options.hard_end(Pause(speech_s=1.0, longest_pause_s=0.0)) == pytest.approx(0.4)


def test_a_longer_end_than_the_adaptive_one_is_honoured() -> None:
    options = segmenter_options(VadSettings(end_ms=2000))
    assert callable(options.hard_end)
    assert options.hard_end(Pause(speech_s=1.0, longest_pause_s=0.0)) == pytest.approx(2.0)
