"""Encrypted files of keys: two formats, all or nothing, and a password that is used once."""

import base64
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from edgevox.core.errors import SecretsError
from edgevox.endpoints import (
    DEFAULT_ENCRYPTED_ENV_PATH,
    ENCRYPTED_NAMESPACE,
    SECRET_SUFFIX,
    decrypt_env_values,
    encrypt_env,
    encrypt_env_values,
    load_secrets,
    resolve_secret,
)
from edgevox.endpoints.env import unlock_secrets
from edgevox.endpoints.env_files import read_env, serialize_env

PASSWORD = "correct horse"
VARIABLES = ("EDGEVOX_ENV_PASSWORD", "ROBOZ_ENV_PASSWORD")
SEALED = encrypt_env_values(
    {"ONE_SECRET": "first-key-value", "TWO_SECRET": "second 'quoted' \\ ü key", "NAMED_KEY": "third-key-value"},
    PASSWORD,
    ["NAMED_KEY"],
)
"""Made once: a derivation of a key is meant to be slow."""


def foreign(value: str) -> str:
    """Encrypt in the older format, as its description says."""
    salt = os.urandom(16)
    key = Argon2id(salt=salt, length=32, iterations=3, lanes=4, memory_cost=65536).derive(PASSWORD.encode())
    token = Fernet(base64.urlsafe_b64encode(key)).encrypt(value.encode())
    return f"roboz:v1:{base64.urlsafe_b64encode(salt).decode()}:{token.decode()}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in list(os.environ):
        if name.endswith(SECRET_SUFFIX) or name in VARIABLES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    before = dict(os.environ)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    yield work
    for name in set(os.environ) - set(before):
        del os.environ[name]


def test_the_constants_are_the_format() -> None:
    assert (
        "_SECRET",
        "edgevox:",
        Path(".env.encrypt"),
    ) == (SECRET_SUFFIX, ENCRYPTED_NAMESPACE, DEFAULT_ENCRYPTED_ENV_PATH)


def test_encrypting_writes_a_private_copy_without_a_single_key_in_it(folder: Path) -> None:
    source = '# mine\nexport ONE_SECRET="first-key-value"\nPLAIN=it\'s\nEMPTY_SECRET=\nBARE\nNAMED_KEY=third\n'
    (folder / ".env").write_text(source)
    target = encrypt_env(password=PASSWORD, secret_names=["NAMED_KEY"])
    assert target == Path(".env.encrypt")
    assert target.stat().st_mode & 0o777 == 0o600
    assert (folder / ".env").read_text() == source
    written = read_env(target)
    assert list(written) == ["ONE_SECRET", "PLAIN", "EMPTY_SECRET", "BARE", "NAMED_KEY"]
    assert (written["PLAIN"], written["EMPTY_SECRET"], written["BARE"]) == ("it's", "", None)
    sealed = [written["ONE_SECRET"] or "", written["NAMED_KEY"] or ""]
    assert all(text.startswith("edgevox:v1:") for text in sealed)
    assert len({text.split(":")[2] for text in sealed}) == 1, "one salt, and so one derivation, for the file"
    assert "first-key-value" not in target.read_text()
    assert load_secrets(password=PASSWORD) == ("ONE_SECRET", "NAMED_KEY")
    assert (os.environ["ONE_SECRET"], os.environ["NAMED_KEY"]) == ("first-key-value", "third")
    assert "PLAIN" not in os.environ


def test_values_come_back_as_they_were() -> None:
    assert decrypt_env_values(SEALED, PASSWORD) == {
        "ONE_SECRET": "first-key-value",
        "TWO_SECRET": "second 'quoted' \\ ü key",
        "NAMED_KEY": "third-key-value",
    }


def test_what_is_written_is_what_is_read_back(folder: Path) -> None:
    values = {"A": "it's \\n \\' \"x\" $HOME ${HOME} # no", "B": None, "C": "", "D": "two\nlines", "E": "ü  "}
    (folder / "odd").write_text(serialize_env(values))
    assert read_env(folder / "odd") == values


ONE, TWO = SEALED["ONE_SECRET"] or "", SEALED["TWO_SECRET"] or ""


@pytest.mark.parametrize(
    "damaged",
    [
        {"ONE_SECRET": TWO, "TWO_SECRET": ONE},
        {"ONE_SECRET": ONE[:-6]},
        {"ONE_SECRET": ONE[:-8] + ("A" if ONE[-8] != "A" else "B") + ONE[-7:]},
        {"ONE_SECRET": ONE[:12] + ("A" if ONE[12] != "A" else "B") + ONE[13:]},
        {"ONE_SECRET": "edgevox:v1:!!:??"},
        {"ONE_SECRET": "edgevox:v1::"},
        {"ONE_SECRET": "roboz:v1:AAAAAAAAAAAAAAAAAAAAAA==:gAAAA"},
        {"ONE_SECRET": "edgevox:v9:new"},
    ],
    ids=["swapped", "cut", "changed", "other salt", "no base64", "nothing", "older and damaged", "another version"],
)
def test_a_ciphertext_that_was_touched_loads_nothing_at_all(folder: Path, damaged: dict[str, str]) -> None:
    (folder / "bad.env").write_text(serialize_env({"OPEN_SECRET": "in the clear", **SEALED, **damaged}))
    with pytest.raises(SecretsError, match=r"ONE_SECRET|TWO_SECRET"):
        load_secrets("bad.env", PASSWORD)
    assert not any(name.endswith(SECRET_SUFFIX) for name in os.environ)


def test_a_wrong_password_loads_nothing_and_is_gone_and_the_right_one_still_works(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env.encrypt").write_text(serialize_env({"OPEN_SECRET": "in the clear", **SEALED}))
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", "wrong")
    with pytest.raises(ValueError, match="password is wrong or the encrypted text is damaged"):
        load_secrets()
    assert "OPEN_SECRET" not in os.environ
    assert "EDGEVOX_ENV_PASSWORD" not in os.environ
    with pytest.raises(SecretsError, match="EDGEVOX_ENV_PASSWORD"):
        load_secrets()
    assert set(load_secrets(password=PASSWORD)) == {"OPEN_SECRET", *SEALED}


def test_a_person_may_mistype_the_password(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env.encrypt").write_text(serialize_env(SEALED))
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", "an old one")
    typed = iter(["mistyped", PASSWORD])
    asked: list[str] = []

    def ask(text: str) -> str:
        asked.append(text)
        return next(typed)

    assert set(unlock_secrets(ask)) == set(SEALED)
    assert [".env.encrypt" in text for text in asked] == [True, True]
    assert unlock_secrets(ask) == (), "nothing is left to ask for"


def test_after_three_wrong_passwords_it_gives_up(folder: Path) -> None:
    (folder / ".env.encrypt").write_text(serialize_env({"ONE_SECRET": SEALED["ONE_SECRET"]}))
    asked: list[str] = []
    with pytest.raises(SecretsError, match="password is wrong"):
        unlock_secrets(lambda text: asked.append(text) or "wrong")
    assert len(asked) == 3


def test_the_password_of_the_older_programs_is_read_and_so_is_their_format(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env.encrypt").write_text(serialize_env({"OLD_SECRET": foreign("older key")}))
    monkeypatch.setenv("ROBOZ_ENV_PASSWORD", PASSWORD)
    assert load_secrets() == ("OLD_SECRET",)
    assert os.environ["OLD_SECRET"] == "older key"
    assert "ROBOZ_ENV_PASSWORD" not in os.environ


def test_what_the_environment_has_stays_and_then_no_password_is_needed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env.encrypt").write_text(serialize_env({"ONE_SECRET": SEALED["ONE_SECRET"]}))
    monkeypatch.setenv("ONE_SECRET", "mine")
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", "kept")
    assert load_secrets() == ()
    assert os.environ["ONE_SECRET"] == "mine"
    assert os.environ["EDGEVOX_ENV_PASSWORD"] == "kept"


def test_a_ciphertext_in_the_environment_is_decrypted_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONE_SECRET", SEALED["ONE_SECRET"] or "")
    assert load_secrets(password=PASSWORD) == ("ONE_SECRET",)
    assert os.environ["ONE_SECRET"] == "first-key-value"


def test_a_plain_file_needs_no_password_and_a_missing_one_holds_nothing(folder: Path) -> None:
    assert load_secrets() == load_secrets("nowhere/.env") == ()
    (folder / ".env").write_text("\ufeffSOME_SECRET=abc\nOTHER=1\n")
    assert load_secrets() == ("SOME_SECRET",)
    assert "OTHER" not in os.environ


def test_a_value_that_no_environment_can_hold_loads_nothing(folder: Path) -> None:
    (folder / ".env").write_text("GOOD_SECRET=abc\nODD_SECRET='a\0b'\n")
    with pytest.raises(SecretsError, match="ODD_SECRET"):
        load_secrets()
    assert "GOOD_SECRET" not in os.environ


def test_a_key_is_asked_for_at_the_caller_the_environment_and_the_file_in_that_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text("ONE_SECRET=of the file\nSERVICE_API_KEY=of the file\n")
    assert resolve_secret("ONE_SECRET", "given") == "given"
    assert resolve_secret("SERVICE_API_KEY") == "of the file"
    monkeypatch.setenv("ONE_SECRET", "of the environment")
    assert resolve_secret("ONE_SECRET") == "of the environment"
    assert resolve_secret("ABSENT_SECRET") is None
    with pytest.raises(SecretsError, match="still encrypted"):
        resolve_secret("ONE_SECRET", SEALED["ONE_SECRET"])


def test_many_threads_that_need_a_key_at_once_all_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".env.encrypt").write_text(serialize_env(SEALED))
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", PASSWORD)
    found: list[str | None] = []
    threads = [threading.Thread(target=lambda: found.append(resolve_secret("ONE_SECRET"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == ["first-key-value"] * 8


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "There is no file"),
        ("A_SECRET='never closed\nB=1\n", "Line 1 of .env is no assignment"),
        ("9x=1\n", r"Line 1 of .*\.env: '9x' is no name of a variable"),
        ("A_SECRET=edgevox:v1:x:y\n", "A_SECRET is encrypted already"),
        ("A_SECRET=roboz:v7:x\n", "A_SECRET is encrypted already"),
        ("A=1\n", "There is no variable B to encrypt"),
        (b"A_SECRET=\xff\xfe\n", "is not UTF-8 text"),
        (b"A" * 1_000_001, "larger than any file of variables"),
    ],
)
def test_a_source_that_cannot_be_encrypted_is_one_sentence_and_no_file(
    folder: Path, text: str | bytes | None, sentence: str
) -> None:
    if text is not None:
        (folder / ".env").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(SecretsError, match=sentence):
        encrypt_env(password=PASSWORD, secret_names=["B"] if text == "A=1\n" else None)
    assert not (folder / ".env.encrypt").exists()


def test_links_and_special_files_are_refused(folder: Path) -> None:
    (folder / "real").write_text("A_SECRET=x\n")
    (folder / ".env").symlink_to("real")
    with pytest.raises(SecretsError, match="symbolic link"):
        encrypt_env(password=PASSWORD)
    (folder / ".env").unlink()
    (folder / ".env").write_text("A_SECRET=x\n")
    (folder / ".env.encrypt").symlink_to("real")
    with pytest.raises(SecretsError, match="symbolic link"):
        encrypt_env(password=PASSWORD)
    assert (folder / "real").read_text() == "A_SECRET=x\n"
    os.mkfifo(folder / "pipe")
    with pytest.raises(SecretsError, match="not a regular file"):
        load_secrets("pipe", PASSWORD)


@pytest.mark.parametrize("given", [None, ""])
def test_without_a_password_nothing_is_encrypted(folder: Path, given: str | None) -> None:
    (folder / ".env").write_text("A_SECRET=x\n")
    with pytest.raises(SecretsError, match="password"):
        encrypt_env(password=given)
    assert not (folder / ".env.encrypt").exists()


def test_nothing_to_encrypt_needs_no_password(folder: Path) -> None:
    (folder / ".env").write_text("A=x\nB_SECRET=\n")
    assert read_env(encrypt_env(password=lambda: pytest.fail("asked"))) == {"A": "x", "B_SECRET": ""}
