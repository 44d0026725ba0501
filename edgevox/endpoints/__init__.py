"""Language models behind an address: any server that speaks OpenAI's chat completions."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.endpoints.remote import RemoteModel

__all__ = ["RemoteModel"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'edgevox.endpoints' has no attribute {name!r}")
    return getattr(import_module("edgevox.endpoints.remote"), name)
