"""What a scene is: lights, heating and alarm under one name, and the book that a house keeps of them.

Data and names only; the tools that start scenes are `home_scenes`.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from edgevox.core.errors import ConfigError
from edgevox.examples.agents.house import COLDEST_C, ROOMS, WARMEST_C
from edgevox.intents.lexicons import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What one sentence sets.

    Raises:
        ConfigError: it says nothing, sets nothing, names a room that is not there, or a temperature out of range.
    """

    names: Mapping[str, Sequence[str]]
    """Language to what a person says; the first is what the scene is called."""
    lights: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Room to on or off; rooms that are left out stay as they are."""
    celsius: float | None = None
    """For the thermostat; `None` leaves it as it is."""
    alarm: bool | None = None
    """Whether the burglar alarm goes on, which it does only when every door is shut; `None` leaves it as it is."""
    replies: Mapping[str, str] = field(default_factory=dict[str, str])
    """Language to what is said then; without one, that the scene is set."""

    def __post_init__(self) -> None:
        """Refuse what could not work."""
        named = [name for names in self.names.values() for name in names]
        if not named or not all(_plain(name) for name in named):
            raise ConfigError('A scene needs names, such as names={"en": ["reading time"]}, and none may be empty.')
        if strangers := [room for room in self.lights if room not in ROOMS]:
            raise ConfigError(f"The scene '{named[0]}' names the room '{strangers[0]}'; there are {', '.join(ROOMS)}.")
        if self.celsius is not None and not COLDEST_C <= self.celsius <= WARMEST_C:
            raise ConfigError(
                f"The scene '{named[0]}' sets {self.celsius:g} degrees; it must be between "
                f"{COLDEST_C:g} and {WARMEST_C:g}."
            )
        if not self.lights and self.celsius is None and self.alarm is None:
            raise ConfigError(f"The scene '{named[0]}' sets nothing: give it lights, celsius or alarm.")

    @property
    def spellings(self) -> set[str]:
        """Every name in every language, as names are compared."""
        return {_plain(name) for names in self.names.values() for name in names}

    def called(self, language: str) -> str:
        """What the scene is called in a language, or in another one if it has no name there."""
        own = self.names.get(base_language(language)) or self.names.get("en")
        return (own or next(ways for ways in self.names.values() if ways))[0]


class SceneBook:
    """The scenes there are. Safe from any thread.

    Args:
        scenes: those that are always there.
    """

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self._built_in = tuple(scenes)
        self._lock = threading.Lock()
        self._scenes = list(self._built_in)

    def add(self, scene: Scene) -> None:
        """Add a scene; one that shares a name with it gives way."""
        with self._lock:
            self._scenes = [known for known in self._scenes if not known.spellings & scene.spellings]
            self._scenes.append(scene)

    def reset(self) -> None:
        """Go back to the scenes that are always there."""
        with self._lock:
            self._scenes = list(self._built_in)

    def names(self, language: str) -> dict[str, list[str]]:
        """Everything that starts a scene in a language, by what the scene is called in English."""
        with self._lock:
            return {scene.called("en"): list(scene.names.get(language, ())) for scene in self._scenes}

    def titles(self, language: str) -> list[str]:
        """What the scenes are called."""
        with self._lock:
            return [scene.called(language) for scene in self._scenes]

    def find(self, name: str) -> Scene | None:
        """Return the scene that a name in any language means."""
        with self._lock:
            return next((scene for scene in self._scenes if _plain(name) in scene.spellings), None)


def _plain(name: str) -> str:
    bare = name.casefold().replace("'", "").replace("’", "").replace("_", " ").replace("-", " ")
    return " ".join(bare.split()).strip(".!?")
