"""The order that tells of the chains of whoever answers."""

from edgevox.assistant.display import clean
from edgevox.assistant.surface import AssistantSurface

REPORT_NAMES = ("draw", "show", "lint", "mermaid")


def tell_chains(assistant: AssistantSurface, argument: str) -> str:
    """Draw which tool may follow which, or tell what else was asked for.

    Raises:
        UsageError: there is no such report, or nothing can be told of this agent.
    """
    from edgevox.chains.reports import report

    return clean(report(assistant.agent, argument.strip().lower() or REPORT_NAMES[0]))
