"""Catalogues of endpoints: what a file may hold, what its attributes are, and how names are found."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from edgevox.config.models import catalogue as known_models
from edgevox.core.errors import CatalogueError, UsageError
from edgevox.endpoints import Catalog, EndpointDirectory, LLMEndpoint, LocalEndpoint, TranscriptionEndpoint, inventory
from edgevox.endpoints.models_file import CatalogueFile, examine_catalogue, parse_catalogue, schema
from edgevox.endpoints.project import BUNDLED

CHAT = {"model_id": "m-1", "endpoint_type": "llm", "max_context_tokens": 1000}
EARS = {"model_id": "w-1", "endpoint_type": "transcription"}


def provider(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"base_url": "http://localhost:8080/v1", "models": {"chat": CHAT}, **changes}
    return {name: value for name, value in made.items() if value is not ...}


def file_with(changes: dict[str, Any] | None = None, name: str = "mine", **more: Any) -> str:
    return json.dumps({"schema_version": 1, "providers": {name: provider(**(changes or {}))}, **more})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (file_with(schema_version=True), "schema_version: must be 1."),
        (file_with(schema_version=1.0), "schema_version: must be 1."),
        (file_with(schema_version=2), "schema_version: must be 1."),
        ('{"providers": {}}', "schema_version: is missing."),
        (file_with(extra=1), "extra: is not a field"),
        (file_with({"colour": "red"}), "providers.mine.colour: is not a field"),
        (file_with({"base_url": ...}), "providers.mine: must have a base_url"),
        (file_with({"engine": "edgevox"}), "providers.mine: must have a base_url"),
        (file_with({"base_url": ..., "engine": "edgevox", "models": {"e": EARS}}), "providers.mine: has chat models"),
        (file_with({"base_url": "ftp://x/v1"}), "providers.mine.base_url: must be an address"),
        (file_with({"base_url": "http:///v1"}), "providers.mine.base_url: must be an address"),
        (file_with({"base_url": "http://h:0/v1"}), "providers.mine.base_url: must be an address"),
        (file_with({"base_url": "http://h:99999/v1"}), "providers.mine.base_url: must be an address with a port"),
        (file_with({"base_url": "http://me:pw@h/v1"}), "providers.mine.base_url: must not hold a name or a password"),
        (file_with({"base_url": "http://h/v1?key=1"}), "providers.mine.base_url: must not hold anything behind"),
        (file_with({"base_url": "http://h/v1#m"}), "providers.mine.base_url: must not hold anything behind"),
        (file_with({"base_url": "  "}), "providers.mine.base_url: must not be blank"),
        (file_with({"api_key_env": "sk-abc123"}), "providers.mine.api_key_env: must be the name of an environment"),
        (file_with({"timeout_s": 0}), "providers.mine.timeout_s: must be more than 0"),
        (file_with({"timeout_s": True}), "providers.mine.timeout_s: must be a number"),
        (file_with({"timeout_s": "60"}), "providers.mine.timeout_s: must be a number"),
        (file_with({"stream": 1}), "providers.mine.stream: must be true or false"),
        (file_with({"models": []}), "providers.mine.models: must be an object"),
        (file_with({"models": {"chat": {**CHAT, "model_id": " "}}}), "models.chat.model_id: must not be blank"),
        (file_with({"models": {"chat": {**CHAT, "max_context_tokens": True}}}), "max_context_tokens: must be a whole"),
        (file_with({"models": {"chat": {**CHAT, "max_context_tokens": 1.5}}}), "max_context_tokens: must be a whole"),
        (file_with({"models": {"chat": {**CHAT, "max_context_tokens": 0}}}), "max_context_tokens: must be more than 0"),
        (file_with({"models": {"chat": {"model_id": "m", "endpoint_type": "llm"}}}), "max_context_tokens: is missing"),
        (
            file_with({"models": {"e": {**EARS, "max_context_tokens": 5}}}),
            "models.e.max_context_tokens: is not a field",
        ),
        (file_with({"models": {"chat": {"model_id": "m"}}}), "models.chat: must have an endpoint_type"),
        (file_with({"models": {"chat": {**CHAT, "temperature": 3}}}), "temperature: must be at most 2"),
        (file_with({"models": {"chat": {**CHAT, "request": {"extra_body": {"model": 1}}}}}), "must not hold model"),
        (file_with({"models": {"class": CHAT}}), "providers.mine.models.class: the name"),
        (file_with({"models": {"configured": CHAT}}), "providers.mine.models.configured: every catalogue"),
        (file_with(name="bad-name"), "providers.bad-name: the name"),
        (file_with(name="_private"), "providers._private: the name"),
        (file_with(name="class"), "providers.class: the name"),
        (file_with(name="\u212a"), "providers.\u212a: the name"),
        ('{"schema_version": 1, "providers": {"a": {}, "a": {}}}', "“a” stands twice"),
        ('{"schema_version": 1, "providers": NaN}', "NaN is no number"),
        ("[]", "must be an object"),
        ("{", "It is not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_mistake_in_a_catalogue_is_said_with_its_place(text: str, words: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        parse_catalogue(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_mistake_of_a_file_is_told() -> None:
    text = file_with({"timeout_s": -1, "stream": "yes", "models": {"x": {**CHAT, "max_context_tokens": 0}}})
    assert len(examine_catalogue(text)[1]) == 3


@pytest.mark.parametrize("name", ["list", "globals", "print", "TYPE_CHECKING", "match", "été"])
def test_a_provider_may_have_the_name_of_a_builtin(name: str) -> None:
    assert name in parse_catalogue(file_with(name=name)).providers


def test_attributes_are_endpoints_made_once() -> None:
    mine = Catalog("mine", provider(models={"chat": CHAT, "ears": EARS}, api_key_env="MINE_KEY_SECRET"))
    got: list[Any] = []
    threads = [threading.Thread(target=lambda: got.append(getattr(mine, "chat"))) for _ in range(8)]  # noqa: B009
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(each) for each in got}) == 1
    assert isinstance(got[0], LLMEndpoint)
    assert (got[0].model_name, got[0].api_name, got[0].max_context_tokens) == ("m-1", "mine", 1000)
    assert isinstance(mine.models_by_attribute["ears"], TranscriptionEndpoint)
    assert mine.models == tuple(mine.models_by_attribute.values())
    assert {"chat", "ears", "configured", "models"} <= set(dir(mine))
    with pytest.raises(AttributeError, match="mine has no model nope"):
        getattr(mine, "nope")  # noqa: B009


def test_a_configured_catalogue_has_endpoints_of_its_own() -> None:
    mine = Catalog("mine", provider(timeout_s=5))
    other = mine.configured(timeout_s=1, stream=False)
    chat, fast = mine.models_by_attribute["chat"], other.models_by_attribute["chat"]
    assert isinstance(chat, LLMEndpoint)
    assert isinstance(fast, LLMEndpoint)
    assert chat is not fast
    assert (chat.provider.timeout_s, fast.provider.timeout_s) == (5, 1)
    again = other.configured().models_by_attribute["chat"]
    assert isinstance(again, LLMEndpoint)
    assert again.provider.timeout_s == 5


def test_what_a_file_says_about_requests_is_sent() -> None:
    entry = {**CHAT, "temperature": 0.3, "request": {"max_tokens": 9, "extra_body": {"top_k": 2}}}
    chat = Catalog("mine", provider(models={"chat": entry})).models_by_attribute["chat"]
    assert isinstance(chat, LLMEndpoint)
    assert chat.options.body({}) == {"temperature": 0.3, "max_tokens": 9, "extra_body": {"top_k": 2}}


def test_the_shipped_catalogue_has_the_promised_examples() -> None:
    assert {"openrouter", "cerebras", "groq", "llama_cpp", "ollama", "vllm", "lm_studio", "local"} == set(
        inventory.__all__
    )
    endpoint = inventory.openrouter.z_ai__glm_5_3
    assert endpoint is inventory.openrouter.z_ai__glm_5_3
    assert (endpoint.model_name, endpoint.max_context_tokens) == ("z-ai/glm-5.3", 200_000)


def test_the_shipped_catalogue_lists_every_language_model_of_edgevox() -> None:
    listed = {each.model_name for each in inventory.local.models}
    assert listed == {name for name, entry in known_models().items() if entry.use == "llm"}


def test_the_shipped_schema_is_the_one_that_is_checked() -> None:
    shipped = json.loads(BUNDLED.with_name("models.schema.json").read_text(encoding="utf-8"))
    assert shipped == schema()


def test_a_name_finds_its_endpoint_and_a_misspelt_model_its_nearest(tmp_path: Path) -> None:
    directory = EndpointDirectory(tmp_path / "none.json")
    assert isinstance(directory.find("ollama.qwen3_4b"), LLMEndpoint)
    assert isinstance(directory.find("local.smollm2_135m_instruct"), LocalEndpoint)
    other = directory.find("ollama#qwen3:8b")
    assert isinstance(other, LLMEndpoint)
    assert (other.model_name, other.max_context_tokens) == ("qwen3:8b", None)
    assert directory.find("qwen2.5-coder-1.5b-instruct") is None
    assert directory.find("whisper-tiny.en") is None
    assert directory.find("smollm2-135m-instruct") is None
    assert directory.find("local.gguf") is None
    assert directory.find("http://localhost:1/v1#m") is None
    with pytest.raises(UsageError, match=r"did you mean ollama\.qwen3_4b"):
        directory.find("ollama.qwen3_4")
    with pytest.raises(UsageError, match="runs on this machine"):
        directory.find("local#x")


def test_a_catalogue_of_ones_own_stands_before_the_shipped_one_and_a_broken_one_is_told(tmp_path: Path) -> None:
    own = tmp_path / "endpoints.json"
    own.write_text(file_with(name="ollama"), encoding="utf-8")
    directory = EndpointDirectory(own)
    assert [name for name in directory if name.startswith("ollama.")] == ["ollama.chat"]
    assert next(iter(directory)) == "ollama.chat"
    assert "groq.llama_3_1_8b_instant" in directory
    assert len(directory) == len(list(directory))
    own.write_text('{"schema_version": 3}', encoding="utf-8")
    broken = EndpointDirectory(own)
    assert "ollama.qwen3_4b" in broken
    assert str(own) in broken.problem


def test_looking_at_a_catalogue_loads_no_client() -> None:
    code = (
        "import sys; sys.modules['openai'] = None\n"
        "from edgevox.endpoints.inventory import openrouter\n"
        "print(openrouter.z_ai__glm_5_3 is openrouter.z_ai__glm_5_3, 'httpx' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "True False"


def test_a_catalogue_file_is_plain_data() -> None:
    made = parse_catalogue(BUNDLED.read_text(encoding="utf-8"))
    assert isinstance(made, CatalogueFile)
    assert "key" not in BUNDLED.read_text(encoding="utf-8").lower().replace("_api_key_", "").replace("api_key_env", "")
