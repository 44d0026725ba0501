"""Language models behind an address: any server that speaks OpenAI's chat completions."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.endpoints.remote import RemoteModel
    from edgevox.endpoints.route import EndpointLike, LLMEndpointRoute, ModelSelector
    from edgevox.endpoints.scripted import MockLLMEndpoint

__all__ = ["EndpointLike", "LLMEndpointRoute", "MockLLMEndpoint", "ModelSelector", "RemoteModel"]


__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "EndpointLike": "edgevox.endpoints.route",
        "LLMEndpointRoute": "edgevox.endpoints.route",
        "MockLLMEndpoint": "edgevox.endpoints.scripted",
        "ModelSelector": "edgevox.endpoints.route",
        "RemoteModel": "edgevox.endpoints.remote",
    },
)
