"""Two agents on paper to start from: an orchestrator, who talks to the person, and a librarian, who keeps a memory."""

from collections.abc import Sequence

from edgevox.agents.capabilities.capability import Capability
from edgevox.agents.capabilities.compaction import Compaction
from edgevox.agents.capabilities.upkeep import Cadence, MemoryConsolidation, Retention, Snapshots
from edgevox.agents.deploy.deployable import DeployableAgent
from edgevox.chains.modes import AgentMode

ORCHESTRATOR, LIBRARIAN = "orchestrator", "librarian"
LONG = 1_000_000
"""Steps of an agent that runs as long as the program does."""

INSTRUCTIONS = (
    "You are {name}, an assistant who works with one person on one project. Find out what they want, do it with your "
    "tools one step after the other, and look at what each step came to before the next. Ask when something essential "
    "is missing; otherwise go on. What was agreed earlier is in your notes: keep to it. When you are done, say in one "
    "or two sentences what you did, in plain words."
)


def orchestrator(
    name: str = ORCHESTRATOR, *, instructions: str = "", capabilities: Sequence[Capability] | None = None
) -> DeployableAgent:
    """Return the definition of an agent that talks to the person and has others work for it.

    It needs an endpoint, and what its capabilities need.

    Args:
        name: what it is called.
        instructions: what it is told beside how it works.
        capabilities: what it can do; with `None` it keeps its run within the model's window.
    """
    told = f"{INSTRUCTIONS.format(name=name)}\n\n{instructions}".strip()
    return DeployableAgent(
        name=name,
        description="Works on a project with a person.",
        system_prompt=told,
        mode=AgentMode.STEERABLE,
        capabilities=(Compaction(),) if capabilities is None else tuple(capabilities),
    )


def librarian(name: str = LIBRARIAN, *, capabilities: Sequence[Capability] | None = None) -> DeployableAgent:
    """Return the definition of an agent that sums up conversations, makes a memory of them and removes what is old.

    It runs in the background and ends when no conversation goes on. It needs `folders`, an endpoint, and `watched`,
    the names of the agents whose conversations count.

    Args:
        name: what it is called.
        capabilities: its looks in their order, the wait between them last.
    """
    looks = (Snapshots(), MemoryConsolidation(), Retention(), Cadence())
    return DeployableAgent(
        name=name,
        description="Keeps the memory of earlier conversations.",
        mode=AgentMode.DETERMINISTIC,
        capabilities=looks if capabilities is None else tuple(capabilities),
        limits={"max_steps": LONG, "max_llm_calls": LONG},
    )
