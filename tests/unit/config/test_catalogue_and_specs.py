"""The models edgevox knows, those a person adds, and what may be written where a model is meant."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.config.catalogue import HubSource, ModelEntry, RegistrySource, UrlSource, catalogue, fixed_sets
from edgevox.config.paths import config_dir
from edgevox.config.specs import HubSpec, PathSpec, parse_spec, spec_text
from edgevox.core.errors import ConfigError, UsageError

Adder = Callable[..., None]

PROMISED = {
    "whisper-tiny.en", "whisper-base", "kokoro-82m-int8", "kokoro-voices", "piper-en-joe", "silero-vad",
    "smollm2-135m-instruct", "qwen2.5-coder-1.5b-instruct", "okay_nabu", "hey_jarvis", "hey_mycroft", "alexa",
}  # fmt: skip


def test_every_promised_model_can_be_had_from_a_package_index() -> None:
    for name in PROMISED:
        entry = catalogue()[name]
        assert any(isinstance(source, RegistrySource) for source in entry.sources), name
        assert entry.download_size > 0


@pytest.mark.parametrize("entry", catalogue().values(), ids=lambda entry: entry.name)
def test_an_entry_is_complete(entry: ModelEntry) -> None:
    assert entry.licence
    assert entry.origin.startswith("https://")
    assert entry.size > 0
    exact = any(isinstance(source, RegistrySource | UrlSource) for source in entry.sources)
    for file in entry.files:
        if exact:
            assert file.size, file.name
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256 or ""), file.name
    for source in entry.sources:
        named = source.parts if isinstance(source, RegistrySource) else source.files
        assert set(named) == {file.name for file in entry.files}
    assert set(entry.needs) <= set(catalogue())
    if entry.licence_text is None and exact:
        terms = [name for source in entry.sources if isinstance(source, RegistrySource) for name in source.licences]
        assert terms, "no terms would lie beside the model"


def test_the_default_of_the_product_is_on_the_hub() -> None:
    source = catalogue()["gemma-4-e2b-it"].sources[0]
    assert isinstance(source, HubSource)
    assert source.files["model.gguf"].endswith(".gguf")


def test_a_person_adds_models_of_their_own(add_models: Adder) -> None:
    assert "mine" not in catalogue()
    add_models(
        '[models.mine]\nuse = "llm"\ntitle = "Mine"\nlicence = "CC0-1.0"\norigin = "https://example.org"',
        'files = [{ name = "model.gguf", kind = "gguf" }]',
        '[[models.mine.sources]]\nkind = "hub"\nrepo = "me/mine"\nfiles = { "model.gguf" = "x.gguf" }',
    )
    assert catalogue()["mine"].main_file == "model.gguf"
    assert set(catalogue()) > PROMISED
    assert "mine" not in {name for names in fixed_sets().values() for name in names}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[models.mine]\nuse = 'llm'", r"models\.toml: ModelEntry .*Field required"),
        ("[models.mine", r"models\.toml cannot be read as a list of models"),
        ("models = 3", r"models\.toml cannot be read as a list of models"),
        ("[models.'../evil']\nuse = 'llm'", r"models\.toml: ModelEntry name"),
    ],
)
def test_a_list_that_cannot_be_used_is_told_with_its_path(text: str, words: str) -> None:
    config_dir().mkdir(parents=True)
    (config_dir() / "models.toml").write_text(text)
    with pytest.raises(ConfigError, match=words):
        catalogue()


def test_a_name_a_path_and_a_hub_file_are_understood(tmp_path: Path) -> None:
    assert parse_spec(" whisper-base ") is catalogue()["whisper-base"]
    assert parse_spec("/models/x.gguf") == PathSpec(path=Path("/models/x.gguf"))
    assert parse_spec("x.gguf") == PathSpec(path=Path.cwd() / "x.gguf")
    assert parse_spec("~/x.gguf") == PathSpec(path=Path.home() / "x.gguf")
    assert parse_spec(str(tmp_path)) == PathSpec(path=tmp_path)
    assert parse_spec("hf:a/b:c.gguf") == HubSpec(repo="a/b", file="c.gguf")
    assert parse_spec("hf:a/b.c@v1:d/e-00001-of-00002.gguf") == HubSpec(
        repo="a/b.c", file="d/e-00001-of-00002.gguf", revision="v1"
    )


@pytest.mark.parametrize("spec", ["whisper-base", "hf:a/b:c.gguf", "hf:a/b@v1:c.gguf", "/models/x.gguf"])
def test_what_was_understood_can_be_written_again(spec: str) -> None:
    assert spec_text(parse_spec(spec)) == spec


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hf:a/b", r"names a repository but no file: write hf:a/b:FILE\.gguf"),
        ("hf:a/b:", "names a repository but no file"),
        ("hf:b:c.gguf", "does not name a repository"),
        ("hf:", "does not name a repository"),
        ("hf:a/b/c:d.gguf", "does not name a repository"),
        ("hf:../b:c.gguf", "does not name a repository"),
        ("hf:a/b:../../etc/passwd", "does not name a file inside the repository"),
        ("hf:a/b:/etc/passwd", "does not name a file inside the repository"),
        ("whisper-bas", "did you mean whisper-base"),
        ("quite-something-else", "`edgevox models list` shows the names"),
        ("http://localhost:8080/v1#m", "is the address of a server"),
        ("", "No model is named"),
        ("   ", "No model is named"),
    ],
)
def test_a_spec_that_means_nothing_is_a_usage_error_of_one_sentence(spec: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        parse_spec(spec)
    assert "\n" not in str(caught.value)
