"""What may be wrong with a definition and all that belong to it; found wholly before anything is built."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from edgevox.chains.modes import AgentMode
from edgevox.tools.wording import nearest

if TYPE_CHECKING:
    from edgevox.agents.deploy.deployable import DeployableAgent


def attributes_of(definition: "DeployableAgent", above: Mapping[str, Any]) -> dict[str, Any]:
    """Return what holds for an agent: what those above say, and over it what it says itself.

    Args:
        definition: the agent.
        above: what holds for the agent above it; empty where there is none.
    """
    own = {name: getattr(definition, name) for name in ("endpoint", "permissions")}
    merged = {**above, **definition.attributes, **{name: value for name, value in own.items() if value is not None}}
    return {**merged, "name": definition.name, "mode": AgentMode(definition.mode)}


def problems_of(definition: "DeployableAgent") -> list[str]:
    """Return everything that is wrong, one sentence each."""
    names: dict[str, DeployableAgent] = {}
    return list(_problems(definition, {}, names, ()))


def _problems(
    definition: "DeployableAgent",
    above: Mapping[str, Any],
    names: "dict[str, DeployableAgent]",
    path: "tuple[DeployableAgent, ...]",
) -> Iterator[str]:
    if any(definition is outer for outer in path):
        yield f"{definition.name} is below itself ({' > '.join(each.name for each in (*path, definition))})."
        return
    folded = definition.name.casefold()
    if folded in names:
        yield f"there are two agents called {definition.name}: give one of them another name."
        if names[folded] is definition:
            return
    names[folded] = definition
    if definition.mode not in tuple(AgentMode):
        yield f"there is no mode {definition.mode!r} ({definition.name}): use one of {', '.join(AgentMode)}."
        return
    known = attributes_of(definition, above)
    yield from _of_one(definition, known)
    for other in (*definition.children, *definition.background):
        yield from _problems(other, known, names, (*path, definition))


def _of_one(definition: "DeployableAgent", known: Mapping[str, Any]) -> Iterator[str]:
    mode = AgentMode(definition.mode)
    if mode.asks_model and known.get("endpoint") is None:
        yield f"{definition.name} asks a model: give it, or an agent above it, an endpoint."
    if mode.asks_model and not definition.system_prompt.strip():
        yield f"{definition.name} asks a model, which needs a system_prompt."
    yield from _selection(definition)
    for capability in definition.capabilities:
        if not definition.is_on(capability):
            continue
        missing = [name for name in capability.required_attributes if known.get(name) is None]
        if missing:
            yield (
                f"{definition.name} needs {' and '.join(missing)} for {capability.label.name}: "
                f"set_attributes({missing[0]}=…)."
            )


def _selection(definition: "DeployableAgent") -> Iterator[str]:
    labels = {capability.label.name: capability.label for capability in definition.capabilities}
    twice = len(labels) < len(definition.capabilities)
    if twice:
        yield f"{definition.name} has two capabilities of one name."
    for name, on in definition.selection.items():
        label = labels.get(name)
        if label is None:
            yield f"{definition.name} has no capability {name!r} to switch{nearest(name, list(labels))}."
        elif not label.selectable and on is not label.default:
            yield f"{name} of {definition.name} cannot be switched."
