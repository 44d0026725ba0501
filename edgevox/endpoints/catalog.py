"""One provider's models as attributes: `openrouter.z_ai__glm_5_3` is an endpoint, and always the same one.

Making a catalogue and looking at it needs no key, no library and no network.
"""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from edgevox.core.errors import ConfigError
from edgevox.endpoints.endpoint import LLMEndpoint
from edgevox.endpoints.local import LocalEndpoint
from edgevox.endpoints.models_file import ChatEntry, ProviderEntry, TranscriptionEntry
from edgevox.endpoints.provider import Provider
from edgevox.endpoints.transcription import TranscriptionEndpoint

Endpoint = LLMEndpoint | LocalEndpoint | TranscriptionEndpoint
"""What a name of a catalogue stands for."""


class Catalog:
    """The endpoints of one provider, each made when it is first asked for. Safe from any thread.

    Args:
        api_name: what the provider is called.
        entry: its part of a `models.json`, checked already.
        api_key: goes before the variable that the entry names.
        timeout_s: longest silence, seconds; `None` is the entry's.
        stream: whether it is asked for streams; `None` is the entry's.
    """

    def __init__(
        self,
        api_name: str,
        entry: Mapping[str, Any] | ProviderEntry,
        *,
        api_key: str | None = None,
        timeout_s: float | None = None,
        stream: bool | None = None,
    ) -> None:
        self._entry = entry if isinstance(entry, ProviderEntry) else ProviderEntry.model_validate(entry)
        self._api_name = api_name
        self._stream = self._entry.stream if stream is None else stream
        self._provider = self._make_provider(api_key, timeout_s)
        self._made: dict[str, Endpoint] = {}
        self._lock = threading.Lock()

    @property
    def api_name(self) -> str:
        """What the provider is called."""
        return self._api_name

    @property
    def base_url(self) -> str | None:
        """Where it is; `None` for models that edgevox runs itself."""
        return self._entry.base_url

    @property
    def models(self) -> tuple[Endpoint, ...]:
        """Every endpoint, in the order of the file."""
        return tuple(self.models_by_attribute.values())

    @property
    def models_by_attribute(self) -> dict[str, Endpoint]:
        """Every endpoint by the name of its attribute."""
        return {name: self._named(name) for name in self._entry.models}

    def configured(
        self, *, api_key: str | None = None, timeout_s: float | None = None, stream: bool | None = None
    ) -> Self:
        """Return the same models with other settings and endpoints of their own; what is left out is the file's."""
        return type(self)(self._api_name, self._entry, api_key=api_key, timeout_s=timeout_s, stream=stream)

    def with_model_id(self, model_id: str) -> LLMEndpoint:
        """Return an endpoint for a chat model that the file does not list.

        Args:
            model_id: what the provider calls it.

        Raises:
            ConfigError: the provider is edgevox itself.
        """
        if self._provider is None:
            raise ConfigError(f"{self._api_name} runs on this machine: name one of its models, such as --model NAME.")
        return LLMEndpoint(self._provider, model_id, stream=self._stream)

    def __dir__(self) -> list[str]:
        """List the models beside the members."""
        return sorted({*super().__dir__(), *self._entry.models})

    def __repr__(self) -> str:
        """Name the provider and how many models it has."""
        return f"Catalog({self._api_name!r}, {len(self._entry.models)} models)"

    if not TYPE_CHECKING:  # a type checker knows the models of a generated module, and refuses every other name

        def __getattr__(self, name: str) -> Endpoint:
            """Return the endpoint of a model."""
            entry = self.__dict__.get("_entry")
            if entry is None or name not in entry.models:
                raise AttributeError(f"the catalogue {self.__dict__.get('_api_name', '')} has no model {name}")
            return self._named(name)

    def _named(self, name: str) -> Endpoint:
        with self._lock:
            if name not in self._made:
                self._made[name] = self._build(self._entry.models[name])
            return self._made[name]

    def _build(self, entry: ChatEntry | TranscriptionEntry) -> Endpoint:
        if isinstance(entry, TranscriptionEntry):
            assert self._provider is not None, "the file was checked: edgevox has no transcription of its own here"
            return TranscriptionEndpoint(
                self._provider,
                entry.model_id,
                language=entry.language,
                prompt=entry.prompt,
                temperature=entry.temperature or 0.0,
            )
        options: dict[str, Any] = {"temperature": entry.temperature, **entry.request.model_dump(exclude_none=True)}
        if self._provider is None:
            return LocalEndpoint(
                entry.model_id, api_name=self._api_name, max_context_tokens=entry.max_context_tokens, **options
            )
        return LLMEndpoint(
            self._provider, entry.model_id, max_context_tokens=entry.max_context_tokens, stream=self._stream, **options
        )

    def _make_provider(self, api_key: str | None, timeout_s: float | None) -> Provider | None:
        entry = self._entry
        if entry.base_url is None:
            return None
        return Provider(
            entry.base_url,
            api_name=self._api_name,
            api_key_env=entry.api_key_env,
            api_key=api_key,
            timeout_s=entry.timeout_s if timeout_s is None else timeout_s,
        )
