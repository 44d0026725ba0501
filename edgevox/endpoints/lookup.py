"""Every endpoint that can be named: those that edgevox ships and those of the person's own catalogue.

A name is `PROVIDER.MODEL`, such as `openrouter.z_ai__glm_5_3`; `PROVIDER#MODEL-ID` reaches a chat model that the
catalogue does not list, such as `ollama#qwen3:8b`.
"""

import threading
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from edgevox.config.paths import config_dir
from edgevox.config.specs import MODEL_SUFFIXES
from edgevox.core.errors import CatalogueError, ConfigError, UsageError
from edgevox.endpoints.catalog import Catalog, Endpoint
from edgevox.endpoints.models_file import read_catalogue

NAME = "endpoints.json"


def own_catalogue() -> Path:
    """Return where the person's own catalogue lies. It may not exist."""
    return config_dir() / NAME


class EndpointDirectory(Mapping[str, Endpoint]):
    """Endpoints by name; a provider of the person's own stands before a shipped one of the same name.

    Reads the person's catalogue when it is first asked. Safe from any thread.

    Args:
        own: the person's own catalogue; `None` is the one in the folder of the settings, where it need not exist.
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own
        self._lock = threading.Lock()
        self._catalogs: dict[str, Catalog] | None = None
        self.problem = ""
        """Why the person's own catalogue is not used; empty when it is, or is not there."""

    @property
    def catalogs(self) -> Mapping[str, Catalog]:
        """The catalogues by the name of their provider, the person's own first."""
        with self._lock:
            if self._catalogs is None:
                own = self._read_own()
                self._catalogs = own | {name: each for name, each in _shipped().items() if name not in own}
            return self._catalogs

    def __getitem__(self, name: str) -> Endpoint:
        """Return the endpoint of a name; raises `KeyError`."""
        provider, _, model = name.partition(".")
        return self.catalogs[provider].models_by_attribute[model]

    def __iter__(self) -> Iterator[str]:
        """Yield the names, provider by provider."""
        for provider, catalog in self.catalogs.items():
            yield from (f"{provider}.{model}" for model in catalog.models_by_attribute)

    def __len__(self) -> int:
        """How many names there are."""
        return sum(len(catalog.models_by_attribute) for catalog in self.catalogs.values())

    def find(self, spec: str) -> Endpoint | None:
        """Return the endpoint that a text names, or `None` when it names no provider that is known.

        Raises:
            UsageError: the provider is known and has no such model; names the nearest.
        """
        provider, separator, model = _split(spec)
        catalog = self.catalogs.get(provider) if separator else None
        if catalog is None:
            return None
        if separator == "#":
            try:
                return catalog.with_model_id(model)
            except ConfigError as error:
                raise UsageError(str(error)) from None
        known = catalog.models_by_attribute
        if model not in known:
            near = get_close_matches(model, known, n=1, cutoff=0.3)
            hint = f"did you mean {provider}.{near[0]}?" if near else "`edgevox endpoints list` shows them."
            raise UsageError(f"The provider {provider} has no model {model}: {hint}")
        return known[model]

    def _read_own(self) -> dict[str, Catalog]:
        path = self._own if self._own is not None else own_catalogue()
        if self._own is None and not path.exists():
            return {}
        try:
            return {name: Catalog(name, entry) for name, entry in read_catalogue(path).providers.items()}
        except CatalogueError as error:
            self.problem = str(error)
            return {}


def _split(spec: str) -> tuple[str, str, str]:
    """Return provider, separator and model of a text; without a separator it names something else: a file, a model."""
    text = spec.strip()
    if Path(text).suffix.lower() in MODEL_SUFFIXES:
        return text, "", ""
    for separator in "#", ".":
        provider, found, model = text.partition(separator)
        if found and provider.isidentifier() and model:
            return provider, separator, model
    return text, "", ""


def _shipped() -> dict[str, Catalog]:
    from edgevox.endpoints import inventory

    return {name: getattr(inventory, name) for name in inventory.__all__}
