"""Language models behind an address: any server that speaks OpenAI's chat completions."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
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
    from edgevox.endpoints.route import EndpointLike, LLMEndpointRoute, ModelSelector
    from edgevox.endpoints.scripted import MockLLMEndpoint

__all__ = [
    "DEFAULT_ENCRYPTED_ENV_PATH",
    "ENCRYPTED_NAMESPACE",
    "SECRET_SUFFIX",
    "CheckFailure",
    "EndpointLike",
    "LLMEndpoint",
    "LLMEndpointRoute",
    "MockLLMEndpoint",
    "ModelSelector",
    "decrypt_env_values",
    "encrypt_env",
    "encrypt_env_values",
    "load_secrets",
    "resolve_secret",
    "serialize_env",
    "with_request_options",
]


__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "DEFAULT_ENCRYPTED_ENV_PATH": "edgevox.endpoints.env",
        "ENCRYPTED_NAMESPACE": "edgevox.endpoints.env",
        "SECRET_SUFFIX": "edgevox.endpoints.env",
        "decrypt_env_values": "edgevox.endpoints.env",
        "encrypt_env": "edgevox.endpoints.env",
        "encrypt_env_values": "edgevox.endpoints.env",
        "load_secrets": "edgevox.endpoints.env",
        "resolve_secret": "edgevox.endpoints.env",
        "serialize_env": "edgevox.endpoints.env",
        "CheckFailure": "edgevox.endpoints.endpoint",
        "LLMEndpoint": "edgevox.endpoints.endpoint",
        "with_request_options": "edgevox.endpoints.endpoint",
        "EndpointLike": "edgevox.endpoints.route",
        "LLMEndpointRoute": "edgevox.endpoints.route",
        "MockLLMEndpoint": "edgevox.endpoints.scripted",
        "ModelSelector": "edgevox.endpoints.route",
    },
)
