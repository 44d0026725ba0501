"""Chains on the real models: what the form costs in tokens, and that it holds a model to actions that fit."""

import os
from collections.abc import Iterator

import pytest

from edgevox.chains.completion import Asking
from edgevox.chains.prompt import technical_prompt
from edgevox.chains.reply_forms import ActionForm
from edgevox.config.models import find
from edgevox.config.paths import models_dir
from edgevox.core.messages import Message
from edgevox.core.values import Empty, Int, Stop, Str
from edgevox.llm import LLM
from edgevox.tools import tool

pytestmark = [pytest.mark.models, pytest.mark.timeout(600)]


@tool
def set_volume(input: Int, messages: list[Message]) -> Int:
    """Set the volume in percent."""
    return input


@tool
def take_note(input: Str, messages: list[Message]) -> Str:
    """Write a note down."""
    return input


@tool
def finish(input: Empty, messages: list[Message]) -> Stop:
    """End when everything is done."""
    return Stop()


TOOLS = [set_volume, take_note, finish]


def loaded(name: str) -> LLM:
    files = find(name)
    if files is None:
        pytest.skip(f"the model {name} is not on this machine (edgevox models get {name})")
    model = LLM(files.path("model.gguf"), temperature=0.0, max_tokens=96)
    model.load()
    return model


@pytest.fixture(scope="module", autouse=True)
def own_logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    models = os.environ.get("EDGEVOX_MODELS") or str(models_dir())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EDGEVOX_MODELS", models)
        patch.setenv("EDGEVOX_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module")
def qwen(own_logs: None) -> Iterator[LLM]:
    model = loaded("qwen2.5-coder-1.5b-instruct")
    yield model
    model.close()


@pytest.fixture(scope="module")
def smollm(own_logs: None) -> Iterator[LLM]:
    model = loaded("smollm2-135m-instruct")
    yield model
    model.close()


@pytest.mark.parametrize("name", ["qwen", "smollm"])
def test_the_frameworks_words_for_three_tools_take_less_than_300_tokens(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LLM = request.getfixturevalue(name)
    assert 50 < model.count_tokens(technical_prompt(TOOLS)) < 300
    assert model.count_tokens(technical_prompt(TOOLS, rationale=True)) < 300


def test_even_a_tiny_model_under_the_grammar_never_breaks_the_form(smollm: LLM) -> None:
    form = ActionForm(TOOLS)
    asking = Asking(endpoint=smollm, form=form, tries=1, options={**form.restraint(), "max_tokens": 60})
    for task in ("Set the volume to 30.", "Write down: milk.", "Tell me a story."):
        system = {"role": "system", "content": technical_prompt(TOOLS, words=False)}
        action = asking.complete([system, {"role": "user", "content": task}]).reply.action
        assert action is not None
        assert action.tool in TOOLS


def test_the_local_model_names_the_tool_that_fits_or_speaks(qwen: LLM) -> None:
    form = ActionForm(TOOLS, words=True)
    asking = Asking(endpoint=qwen, form=form, options={**form.restraint(), "max_tokens": 80, "temperature": 0.0})
    system = {"role": "system", "content": f"You are a voice assistant.\n\n{technical_prompt(TOOLS)}"}
    action = asking.complete([system, {"role": "user", "content": "Please set the volume to 30 percent."}]).reply.action
    assert action is not None
    assert (action.tool, action.value) == (set_volume, Int(value=30))
    spoken = asking.complete([system, {"role": "user", "content": "Hello, how are you today?"}])
    assert spoken.reply.words is not None or spoken.reply.action is not None
    assert spoken.attempts == 1
