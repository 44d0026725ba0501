"""The log file: private to its owner, and never a reason for anything to go wrong."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.assistant.logs import LOG_NAME, log_file, start_logging


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Leave logging as it was."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    for handler in [each for each in root.handlers if each not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    logging.captureWarnings(capture=False)


def test_what_is_logged_is_in_a_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "logs" / LOG_NAME
    assert start_logging("DEBUG", tmp_path / "logs") == log_file() == path
    logging.getLogger("edgevox.somewhere").debug("a lamp went on")
    assert "edgevox.somewhere: a lamp went on" in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_second_start_takes_the_place_of_the_first(tmp_path: Path) -> None:
    start_logging(folder=tmp_path / "one")
    second = start_logging(folder=tmp_path / "two")
    logging.getLogger("edgevox").warning("here")
    assert (tmp_path / "one" / LOG_NAME).read_text() == ""
    assert second is not None
    assert "here" in second.read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_costs_the_log_and_nothing_else(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / LOG_NAME).symlink_to("/dev/full")
    start_logging(folder=tmp_path)
    for number in range(3):
        logging.getLogger("edgevox").warning("record %d", number)
    assert capfd.readouterr().err == ""


def test_a_place_that_cannot_be_written_to_costs_the_log_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be")
    assert start_logging(folder=tmp_path / "logs") is None
    assert log_file() is None
    logging.getLogger("edgevox").warning("nobody reads this")
    assert capfd.readouterr().err == ""
