"""Before the screen is taken, the password of encrypted keys is asked for where a chosen endpoint needs one."""

import getpass
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.assistant.unlocking import unlock_chosen
from edgevox.cli.main import main
from edgevox.endpoints import EndpointDirectory, encrypt_env_values, serialize_env

KEY = "GROQ_API_KEY_SECRET"
SEALED = serialize_env(encrypt_env_values({KEY: "groq-key-value"}, "pw"))
ENDPOINT = next(name for name in EndpointDirectory() if name.startswith("groq."))


class Terminal(io.StringIO):
    """Standard input of a person."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in list(os.environ):
        if name.endswith(("_SECRET", "ENV_PASSWORD")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", Terminal())
    (tmp_path / ".env.encrypt").write_text(SEALED)
    yield tmp_path
    os.environ.pop(KEY, None)


def typing(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    asked: list[str] = []
    waiting = list(answers)

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return waiting.pop(0)

    monkeypatch.setattr(getpass, "getpass", answer)
    return asked


def test_the_password_is_asked_for_again_until_it_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = typing(monkeypatch, "wrong", "pw")
    assert unlock_chosen([None, "auto", ENDPOINT]) == ""
    assert os.environ[KEY] == "groq-key-value"
    assert len(asked) == 2
    assert "Enter goes on without" in asked[0]
    assert unlock_chosen([ENDPOINT]) == ""
    assert len(asked) == 2, "nothing is left to ask for"


def test_a_person_may_go_on_without(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = typing(monkeypatch, "")
    assert unlock_chosen([ENDPOINT]) == ""
    assert len(asked) == 1
    assert KEY not in os.environ


def test_three_wrong_passwords_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "a", "b", "c")
    assert "cannot be decrypted" in unlock_chosen([ENDPOINT])


@pytest.mark.parametrize("spec", [None, "auto", "qwen3-0.6b", "hf:a/b:c.gguf", "http://localhost:1/v1#m", "ollama#x"])
def test_whatever_needs_no_key_asks_nothing(monkeypatch: pytest.MonkeyPatch, spec: str | None) -> None:
    asked = typing(monkeypatch)
    assert unlock_chosen([spec]) == ""
    assert asked == []


def test_a_wrong_password_of_the_environment_is_told_where_nobody_can_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", "wrong")
    assert "the password is wrong" in unlock_chosen([ENDPOINT])


def test_without_a_terminal_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = typing(monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert unlock_chosen([ENDPOINT]) == ""
    assert asked == []


def test_probing_an_endpoint_asks_first(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = typing(monkeypatch, "")
    assert main(["endpoints", "probe", ENDPOINT]) == 1
    assert len(asked) == 1
    assert KEY in capsys.readouterr().out, "it is said which key is missing"
