"""Language models behind an address: any server that speaks OpenAI's chat completions."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.endpoints.remote import RemoteModel

__all__ = ["RemoteModel"]


__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(__all__, "edgevox.endpoints.remote"))
