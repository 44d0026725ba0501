"""Language models behind an address: any server that speaks OpenAI's chat completions."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.chains.completion import get_completion
    from edgevox.endpoints.attempts import Retries
    from edgevox.endpoints.catalog import Catalog
    from edgevox.endpoints.endpoint import CheckFailure, LLMEndpoint, with_request_options
    from edgevox.endpoints.env import (
        DEFAULT_ENCRYPTED_ENV_PATH,
        ENCRYPTED_NAMESPACE,
        SECRET_SUFFIX,
        decrypt_env_values,
        encrypt_env,
        encrypt_env_values,
        load_secrets,
        resolve_secret,
        serialize_env,
    )
    from edgevox.endpoints.local import LocalEndpoint
    from edgevox.endpoints.lookup import EndpointDirectory
    from edgevox.endpoints.request import RequestOptions
    from edgevox.endpoints.route import EndpointLike, LLMEndpointRoute, ModelSelector
    from edgevox.endpoints.scripted import MockLLMEndpoint, MockTranscriptionEndpoint
    from edgevox.endpoints.transcription import TranscriptionEndpoint, call_transcription_api

__all__ = [
    "DEFAULT_ENCRYPTED_ENV_PATH",
    "ENCRYPTED_NAMESPACE",
    "SECRET_SUFFIX",
    "Catalog",
    "CheckFailure",
    "EndpointDirectory",
    "EndpointLike",
    "LLMEndpoint",
    "LLMEndpointRoute",
    "LocalEndpoint",
    "MockLLMEndpoint",
    "MockTranscriptionEndpoint",
    "ModelSelector",
    "RequestOptions",
    "Retries",
    "TranscriptionEndpoint",
    "call_transcription_api",
    "decrypt_env_values",
    "encrypt_env",
    "encrypt_env_values",
    "get_completion",
    "load_secrets",
    "resolve_secret",
    "serialize_env",
    "with_request_options",
]


__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "get_completion": "edgevox.chains.completion",
        "Retries": "edgevox.endpoints.attempts",
        "Catalog": "edgevox.endpoints.catalog",
        "CheckFailure": "edgevox.endpoints.endpoint",
        "LLMEndpoint": "edgevox.endpoints.endpoint",
        "with_request_options": "edgevox.endpoints.endpoint",
        "DEFAULT_ENCRYPTED_ENV_PATH": "edgevox.endpoints.env",
        "ENCRYPTED_NAMESPACE": "edgevox.endpoints.env",
        "SECRET_SUFFIX": "edgevox.endpoints.env",
        "decrypt_env_values": "edgevox.endpoints.env",
        "encrypt_env": "edgevox.endpoints.env",
        "encrypt_env_values": "edgevox.endpoints.env",
        "load_secrets": "edgevox.endpoints.env",
        "resolve_secret": "edgevox.endpoints.env",
        "serialize_env": "edgevox.endpoints.env",
        "LocalEndpoint": "edgevox.endpoints.local",
        "EndpointDirectory": "edgevox.endpoints.lookup",
        "RequestOptions": "edgevox.endpoints.request",
        "EndpointLike": "edgevox.endpoints.route",
        "LLMEndpointRoute": "edgevox.endpoints.route",
        "ModelSelector": "edgevox.endpoints.route",
        "MockLLMEndpoint": "edgevox.endpoints.scripted",
        "MockTranscriptionEndpoint": "edgevox.endpoints.scripted",
        "TranscriptionEndpoint": "edgevox.endpoints.transcription",
        "call_transcription_api": "edgevox.endpoints.transcription",
    },
)
