"""`edgevox secrets`: keys are typed unseen, kept encrypted, and never printed."""

import io
import os
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.cli.main import main
from edgevox.core.errors import SecretsError
from edgevox.endpoints import load_secrets, resolve_secret
from edgevox.endpoints.env_files import read_env
from edgevox.endpoints.secret_store import set_secret
from edgevox.testing.keyring import MemoryKeyring, memory_keyring

KEY = "sk-canary-0123456789abcdef"
FILE = ".env.encrypt"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in list(os.environ):
        if name.endswith(("_SECRET", "ENV_PASSWORD")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    before = set(os.environ)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    yield work
    for name in set(os.environ) - before:
        del os.environ[name]


@pytest.fixture
def keyring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as mine:
        yield mine


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_key_is_set_listed_checked_and_removed_and_never_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, KEY, "pw", "pw")
    assert main(["secrets", "set", "MY_KEY_SECRET"]) == 0
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    typed(monkeypatch, "another-key-value", "pw")
    assert main(["secrets", "set", "OTHER_SECRET"]) == 0
    salts = {(text or "").split(":")[2] for text in read_env(folder / FILE).values()}
    assert len(salts) == 1, "the file keeps to one derivation"
    assert main(["secrets", "list"]) == 0
    typed(monkeypatch, "pw")
    assert main(["secrets", "check"]) == 0
    assert main(["secrets", "remove", "OTHER_SECRET"]) == 0
    assert main(["secrets", "remove", "OTHER_SECRET"]) == 1
    shown = capsys.readouterr()
    assert f"MY_KEY_SECRET  {FILE}, encrypted" in shown.out
    assert f"MY_KEY_SECRET: readable in {FILE}, encrypted" in shown.out
    assert "OTHER_SECRET is not in .env.encrypt" in shown.err
    assert KEY not in shown.out + shown.err + (folder / FILE).read_text()
    assert load_secrets(password="pw") == ("MY_KEY_SECRET",)
    assert resolve_secret("MY_KEY_SECRET") == KEY


@pytest.mark.parametrize("words", [["secrets"], ["secrets", "set"], ["secrets", "frobnicate"]])
def test_a_command_line_that_says_nothing_useful_is_exit_code_two(words: list[str]) -> None:
    assert main(words) == 2


@pytest.mark.parametrize(
    ("words", "lines", "sentence"),
    [
        (["set", "bad-name"], [], "is no name of a variable"),
        (["set", "A_SECRET"], [], "Nobody answered"),
        (["set", "A_SECRET"], ["  "], "is empty"),
        (["set", "A_SECRET"], ["edgevox:v1:x:y"], "encrypted already"),
        (["set", "A_SECRET"], [KEY, "pw", "other"], "two passwords differ"),
        (["set", "A_SECRET"], [KEY, ""], "password is empty"),
        (["encrypt"], [], "There is no file .env"),
        (["encrypt", "--path", "x.env", "--secret", "NO"], ["pw", "pw"], "no variable NO to encrypt"),
        (["check", "--path", "gone"], [], "There is no file gone"),
    ],
)
def test_a_mistake_is_one_sentence_and_writes_nothing(
    folder: Path, words: list[str], lines: list[str], sentence: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (folder / "x.env").write_text("A=1\n")
    typed(monkeypatch, *lines)
    assert main(["secrets", *words]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("edgevox secrets: ")
    assert sentence in shown
    assert KEY not in shown
    assert sorted(path.name for path in folder.iterdir()) == ["x.env"]


def test_a_file_keeps_to_one_password(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".env").write_text("A_SECRET=one\n")
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", "pw")
    assert main(["secrets", "encrypt"]) == 0
    assert "EDGEVOX_ENV_PASSWORD" not in os.environ
    before = (folder / FILE).read_text()
    typed(monkeypatch, KEY, "not pw")
    assert main(["secrets", "set", "B_SECRET"]) == 1
    assert "not the password of .env.encrypt" in capsys.readouterr().err
    assert (folder / FILE).read_text() == before


def test_encrypting_names_the_variables_and_the_file_that_may_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "my.env").write_text(f"A_SECRET={KEY}\nSERVICE_KEY=two\nB=3\n")
    typed(monkeypatch, "pw", "pw")
    assert main(["secrets", "encrypt", "--path", "my.env", "--secret", "SERVICE_KEY"]) == 0
    shown = capsys.readouterr().out
    assert "my.env.encrypt: A_SECRET, SERVICE_KEY encrypted." in shown
    assert "my.env is untouched" in shown
    assert KEY not in shown


def test_the_endpoints_module_encrypts_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from edgevox.endpoints.__main__ import main as endpoints

    assert endpoints(["env", "encrypt"]) == 1
    assert "There is no file .env" in capsys.readouterr().err
    (folder / ".env").write_text(f"A_SECRET={KEY}\n")
    typed(monkeypatch, "pw", "other")
    assert endpoints(["env", "encrypt"]) == 1
    assert not (folder / FILE).exists()
    monkeypatch.setenv("ROBOZ_ENV_PASSWORD", "pw")
    assert endpoints(["env", "encrypt"]) == 0
    assert "A_SECRET encrypted" in capsys.readouterr().out
    assert load_secrets(password="pw") == ("A_SECRET",)


def test_a_wrong_password_makes_the_check_fail(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".env").write_text("A_SECRET=one\n")
    typed(monkeypatch, "pw", "pw", "wrong")
    assert main(["secrets", "encrypt"]) == 0
    assert main(["secrets", "check", "--path", FILE]) == 1
    assert "A_SECRET cannot be decrypted" in capsys.readouterr().err


def test_keys_in_the_clear_that_others_may_read_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".env").write_text("A_SECRET=one-two-three\n")
    (folder / ".env").chmod(0o644)
    assert main(["secrets", "check"]) == 1
    shown = capsys.readouterr()
    assert "chmod 600 .env" in shown.err
    assert "one-two-three" not in shown.out + shown.err
    (folder / ".env").chmod(0o600)
    assert main(["secrets", "check"]) == 0


def test_the_keyring_keeps_a_key_that_is_found_without_a_password(
    keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, KEY)
    assert main(["secrets", "set", "MY_KEY_SECRET", "--keyring"]) == 0
    assert keyring.kept == {("edgevox", "MY_KEY_SECRET"): KEY}
    assert resolve_secret("MY_KEY_SECRET") == KEY
    assert "MY_KEY_SECRET" not in os.environ
    assert main(["secrets", "list"]) == 0
    assert main(["secrets", "check"]) == 0
    assert main(["secrets", "remove", "MY_KEY_SECRET", "--keyring"]) == 0
    shown = capsys.readouterr()
    assert "MY_KEY_SECRET  keyring" in shown.out
    assert "readable in the keyring" in shown.out
    assert KEY not in shown.out + shown.err
    assert resolve_secret("MY_KEY_SECRET") is None


def test_a_locked_keyring_is_one_sentence(
    keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keyring.locked = True
    typed(monkeypatch, KEY)
    assert main(["secrets", "set", "MY_KEY_SECRET", "--keyring"]) == 1
    assert "The keyring did not answer (KeyringLocked)" in capsys.readouterr().err


def test_two_programs_that_set_keys_at_once_lose_none(folder: Path) -> None:
    path = folder / FILE
    set_secret(path, "FIRST_SECRET", "first-value", lambda _: "pw")
    faults: list[SecretsError] = []

    def put(name: str) -> None:
        try:
            set_secret(path, name, f"value of {name}", lambda _: "pw")
        except SecretsError as error:
            faults.append(error)

    threads = [threading.Thread(target=put, args=(f"K{number}_SECRET",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert faults == []
    assert len(read_env(path)) == 5
