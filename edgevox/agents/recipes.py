"""Agents put together from parts: what a person would otherwise assemble by hand.

A recipe makes definitions, permissions, memory and the wires between them. What the parts do is theirs.
"""

import atexit
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from edgevox.agents.capabilities.capability import Capability
from edgevox.agents.capabilities.compaction import Compaction
from edgevox.agents.capabilities.files import FileCommands, FileEditing
from edgevox.agents.deploy.deployable import DeployableAgent
from edgevox.agents.deploy.deployed import Deployed
from edgevox.agents.idle import Idle
from edgevox.agents.memory.folders import FOLDER, MemoryFolders
from edgevox.agents.memory.journal import RunJournal
from edgevox.agents.memory.recall import recall
from edgevox.agents.model_slot import ModelSlot
from edgevox.agents.staff import LIBRARIAN, librarian, orchestrator
from edgevox.core.errors import ConfigError
from edgevox.core.events import AgentEvent
from edgevox.core.ports import ChatModel
from edgevox.core.rule_text import ALL_OPERATIONS, Operation
from edgevox.tools.permissions import ActionVerdict, PermissionEngine, PermissionRule, escaped

PROJECT = "project"
NOTES = "Notes of earlier conversations about this project:"
_SECRETS = ("**/.env", "**/.env.*", "**/*.pem", "**/id_rsa*", "**/id_ed25519*", "**/.ssh/**", "**/.gnupg/**")
"""Files that nobody has to read in order to work on a project."""


def project_agent(
    root: Path | str,
    *,
    endpoint: ChatModel | None = None,
    name: str = PROJECT,
    instructions: str = "",
    permissions: PermissionEngine | None = None,
    folders: MemoryFolders | None = None,
    additional_capabilities: Sequence[Capability] = (),
    selection: Mapping[str, bool] | None = None,
    event_sinks: Sequence[Callable[[AgentEvent], object]] = (),
) -> Deployed:
    """Build an agent that works on a folder and remembers it, and that asks leave for everything else.

    It reads and changes what is below the folder, and asks the person about everything else. It writes a journal of
    each conversation below `.edgevox` in the folder; a librarian, in the background, makes a memory of them while
    nobody speaks. Nothing is written before the first run.

    Args:
        root: the folder of the project.
        endpoint: who is asked; with `None` whoever the agent is bound to, or else the process's default model.
        name: of the agent.
        instructions: what it is told beside how it works.
        permissions: what it may touch; `project_permissions(root)` when not given.
        folders: where its memory lies; below `.edgevox` in the folder when not given.
        additional_capabilities: more that it can do, such as `Email` or `SafeScripts`.
        selection: capabilities that are switched on or off, by name.
        event_sinks: told every event of its runs.

    Raises:
        ConfigError: the folder is not there.
        WorkflowInvalid: a capability lacks something.
    """
    folder = _folder(root)
    engine = permissions if permissions is not None else project_permissions(folder, principal=name)
    folders = folders if folders is not None else MemoryFolders.below(folder)
    idle, model = Idle(agents=[name]), ModelSlot(endpoint)
    definition = orchestrator(
        name,
        instructions=f"The project lies in {folder}. {instructions}".strip(),
        capabilities=(FileCommands(), FileEditing(), Compaction(), *additional_capabilities),
    )
    definition.endpoint, definition.permissions = model, engine
    definition.limits = {"max_steps": 400, "max_llm_calls": 40}
    definition.selection = dict(selection or {})
    definition.initial_messages = _notes(folders, name)
    definition.background = [librarian()]
    definition.set_attributes(root=folder, folders=folders, watched=(name,), idle=idle)
    deployed = _wired(definition, event_sinks, model, idle, folders)
    deployed.agent.keeps_llm = endpoint is not None
    return deployed


def project_permissions(root: Path | str, *, principal: str = PROJECT) -> PermissionEngine:
    """Return what a project agent may touch: everything below the folder but its own memory; it asks about the rest.

    Files that look like keys are denied, in the folder too. Where the folder is a person's home, or holds it, nothing
    is changed without asking either.

    Args:
        root: the folder of the project.
        principal: the agent whose leave it is.
    """
    folder = _folder(root)
    unasked = {Operation.READ} if _is_wide(folder) else ALL_OPERATIONS
    return PermissionEngine(
        default_verdict=ActionVerdict.ask,
        allow_rules=[PermissionRule(pattern=f"{escaped(str(folder))}/**", operations=unasked)],
        deny_rules=[
            PermissionRule(pattern=f"{escaped(str(folder / FOLDER))}/**"),
            *(PermissionRule(pattern=f"/{pattern}") for pattern in _SECRETS),
        ],
        base=folder,
        principal=principal,
    )


def _is_wide(folder: Path) -> bool:
    """Whether more than a project lies below a folder."""
    return folder == Path.home() or folder in Path.home().parents


def _folder(root: Path | str) -> Path:
    folder = Path(root).expanduser().resolve()
    if not folder.is_dir():
        raise ConfigError(f"There is no folder {folder}: make it first, or name the folder of your project.")
    return folder


def _notes(folders: MemoryFolders, name: str) -> list[str]:
    known = recall(folders, [name])
    return [f"{NOTES}\n\n{known}"] if known else []


def _wired(
    definition: DeployableAgent,
    event_sinks: Sequence[Callable[[AgentEvent], object]],
    model: ModelSlot,
    idle: Idle,
    folders: MemoryFolders,
) -> Deployed:
    """Build the agents and let the journal, the clock of rest and the model follow the one that is talked to."""
    deployed = definition.build(event_sinks)
    agent = deployed.agent
    model.follow(agent)
    journal = RunJournal(folders.logs, agent.name, without=[LIBRARIAN])
    deployed.on_close += [journal.listen(agent.bus), idle.listen(agent.bus)]
    atexit.register(deployed.close)
    deployed.on_close.append(lambda: atexit.unregister(deployed.close))
    return deployed
