"""Where edgevox keeps things on this machine.

Knows folders and the two environment variables that move them. Reads no settings and no model.

* `EDGEVOX_HOME` moves everything below one folder: `config/`, `data/`, `cache/`, `logs/`, `models/`.
* `EDGEVOX_MODELS` moves the model folder alone, for a disk with more room or one that several people share.
"""

import os
from pathlib import Path

import platformdirs

APP = "edgevox"
HOME_VARIABLE = "EDGEVOX_HOME"
MODELS_VARIABLE = "EDGEVOX_MODELS"


def config_dir() -> Path:
    """Return the folder of the settings file. It may not exist yet."""
    return _below_home("config") or platformdirs.user_config_path(APP, appauthor=False)


def data_dir() -> Path:
    """Return the folder of what must survive: conversations, keys. It may not exist yet."""
    return _below_home("data") or platformdirs.user_data_path(APP, appauthor=False)


def log_dir() -> Path:
    """Return the folder of log files, made here and readable by this person alone.

    Never a shared temporary folder: a log holds what was said.

    Raises:
        OSError: the folder cannot be made.
    """
    folder = _below_home("logs") or platformdirs.user_log_path(APP, appauthor=False)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder


def models_dir() -> Path:
    """Return the folder of downloaded models. It may not exist yet."""
    if chosen := os.environ.get(MODELS_VARIABLE):
        return Path(chosen).expanduser().absolute()
    return _below_home("models") or data_dir() / "models"


def work_folder(model: str) -> Path:
    """Return the folder of a model's unfinished download. It is on the disk of the model folder."""
    return models_dir() / ".downloads" / model.replace("/", "--").replace(":", "--")


def settings_file() -> Path:
    """Return the path of the settings file. It may not exist."""
    return config_dir() / "settings.toml"


def agents_dir() -> Path:
    """Return the folder of the person's own agents, one script each. It may not exist."""
    return config_dir() / "agents"


def _below_home(name: str) -> Path | None:
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser().absolute() / name if home else None
