"""What this machine has: cores, memory, room for models, and whether the Hugging Face hub answers.

Knows how to ask the operating system. Draws no conclusions; `recommend` does.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from edgevox.config.files import free_bytes
from edgevox.config.hub_cache import hub_address, hub_is_off
from edgevox.config.paths import models_dir
from edgevox.config.threads import available_cores

HUB_TIMEOUT_S = 4.0
MEMORY_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The facts that decide which models suit."""

    cores: int
    memory_bytes: int
    """Memory that this process may use at most: the machine's, or a container's limit if that is less."""
    disk_bytes: int
    """Free room where models go."""
    hub_reachable: bool | None = None
    """Whether the Hugging Face hub answers; `None` when nobody asked."""


def read_machine(*, ask_hub: bool = False) -> Machine:
    """Return what this machine has.

    Args:
        ask_hub: also ask the network whether the hub answers; only when the person said to download.
    """
    return Machine(
        cores=available_cores(),
        memory_bytes=memory_bytes(),
        disk_bytes=free_bytes(models_dir()),
        hub_reachable=hub_reachable() if ask_hub else None,
    )


def memory_bytes(limits: tuple[Path, ...] = MEMORY_LIMITS) -> int:
    """Return how much memory this process may use at most."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for limit in limits:
        try:
            memory = min(memory, int(limit.read_text("ascii")))
        except (OSError, ValueError):
            continue
    return memory


def hub_reachable(timeout_s: float = HUB_TIMEOUT_S) -> bool:
    """Return whether the Hugging Face hub, or the mirror that `HF_ENDPOINT` names, answers within `timeout_s`."""
    if hub_is_off():
        return False
    import httpx

    try:
        httpx.head(hub_address(), timeout=timeout_s, follow_redirects=False)
    except (httpx.HTTPError, httpx.InvalidURL, OSError):
        return False
    return True
