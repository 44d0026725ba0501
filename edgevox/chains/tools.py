"""The tools that come with chains: ending a run, asking and telling the person, running other agents."""

from edgevox.chains.asking_people import ask, asking, asking_at_start, prompt_user, prompt_user_at_start
from edgevox.chains.background import BackgroundAgent, run_background_agent
from edgevox.chains.nested import run_nested_agent
from edgevox.chains.stopping import stop, stop_after
from edgevox.chains.telling import message_user, say

__all__ = [
    "BackgroundAgent",
    "ask",
    "asking",
    "asking_at_start",
    "message_user",
    "prompt_user",
    "prompt_user_at_start",
    "run_background_agent",
    "run_nested_agent",
    "say",
    "stop",
    "stop_after",
]
