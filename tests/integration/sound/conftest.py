"""The virtual sound card as a fixture: started once per worker, skipped with a reason where it cannot be."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from virtual_sound_card import VirtualSoundCard, running_card, why_not


@pytest.fixture(scope="session")
def sound_server() -> Iterator[VirtualSoundCard]:
    """The card of this session, with the environment of this process pointed at it."""
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    with running_card() as card:
        before = {name: os.environ.get(name) for name in card.env}
        os.environ.update(card.env)
        _look_for_devices_again()
        yield card
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@pytest.fixture
def virtual_card(sound_server: VirtualSoundCard) -> VirtualSoundCard:
    """A microphone to speak into and a loudspeaker to listen to; programs of the test find them as the default."""
    return sound_server


def _look_for_devices_again() -> None:
    """Make PortAudio see the card: it looks for devices when it is loaded, and never again by itself."""
    loaded = "sounddevice" in sys.modules
    try:
        sounddevice = importlib.import_module("sounddevice")
    except OSError as error:
        pytest.skip(f"{error}: apt-get install libportaudio2")
    except ModuleNotFoundError:
        pytest.skip("sounddevice is not installed: pip install 'edgevox[voice]'")
    if loaded:
        sounddevice._terminate()
        sounddevice._initialize()
