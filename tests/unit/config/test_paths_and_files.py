"""Where things lie, and that they are written whole or not at all."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from edgevox.config.files import human_size, require_room, write_atomic, writing
from edgevox.config.paths import config_dir, data_dir, log_dir, models_dir, settings_file
from edgevox.core.errors import ConfigError, DiskFull


def test_home_moves_every_folder(home: Path) -> None:
    for folder in (config_dir(), data_dir(), log_dir(), models_dir(), settings_file()):
        assert home in folder.parents


def test_the_model_folder_moves_alone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path / "disk"))
    assert models_dir() == tmp_path / "disk"
    assert data_dir() == home / "data"


def test_without_variables_the_system_decides_and_nothing_lies_in_a_shared_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("EDGEVOX_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for folder in (config_dir(), data_dir(), log_dir()):
        assert tmp_path in folder.parents
        assert "edgevox" in folder.parts


def test_logs_are_private_even_if_the_folder_was_not(home: Path) -> None:
    (home / "logs").mkdir(parents=True, mode=0o755)
    assert stat.S_IMODE(log_dir().stat().st_mode) == 0o700


def test_a_written_file_has_its_content_and_its_mode_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.toml"
    write_atomic(path, "größe = 1\n")
    assert path.read_text("utf-8") == "größe = 1\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    write_atomic(path, b"\x00\x01", mode=0o644)
    assert path.read_bytes() == b"\x00\x01"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [entry.name for entry in path.parent.iterdir()] == ["file.toml"]


def test_a_write_that_fails_leaves_the_old_content_and_says_so_in_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "settings.toml"
    folder.mkdir()
    (folder / "old").write_text("kept")
    with pytest.raises(ConfigError, match=r"settings\.toml could not be written"):
        write_atomic(folder, "new")
    assert (folder / "old").read_text() == "kept"
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.toml"]


def test_a_symbolic_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_readers_never_see_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = {b"a" * 50_000, b"b" * 80_000}
    write_atomic(path, b"a" * 50_000)
    seen: list[bytes] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(20):
        for content in contents:
            write_atomic(path, content)
    done.set()
    reader.join(5)
    assert set(seen) <= contents


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, DiskFull, "disk is full"),
        (errno.EDQUOT, DiskFull, "disk is full"),
        (errno.EACCES, ConfigError, "may not be written by this user"),
        (errno.EROFS, ConfigError, "may not be written by this user"),
        (errno.EIO, ConfigError, "could not be written"),
    ],
)
def test_what_the_system_says_becomes_one_sentence(number: int, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words) as caught, writing(Path("model.bin")):
        raise OSError(number, os.strerror(number))
    assert "model.bin" in str(caught.value)
    assert str(caught.value).count(".") <= 2


def test_a_disk_without_room_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match=r"The model big needs 900000 GB in .* are free"):
        require_room(tmp_path / "not" / "there", 900_000_000_000_000, "The model big")
    assert not (tmp_path / "not").exists()
    require_room(tmp_path, 1, "The model small")


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (75_537_502, "76 MB"), (999_990_000, "1.0 GB"),
     (1_117_320_768, "1.1 GB"), (250_000_000_000, "250 GB")],
)  # fmt: skip
def test_sizes_read_as_a_person_says_them(size: int, text: str) -> None:
    assert human_size(size) == text
