"""Stop: who asked for it, and what has to stand still, in which order.

Decides without models, agents or tools.
"""

from edgevox.safety.chain import EffectReport, StopChain, StopReport
from edgevox.safety.decide import StopDecider, Verdict
from edgevox.safety.languages import stop_words_of
from edgevox.safety.monitor import SafetyMonitor, StopDecision

__all__ = [
    "EffectReport",
    "SafetyMonitor",
    "StopChain",
    "StopDecider",
    "StopDecision",
    "StopReport",
    "Verdict",
    "stop_words_of",
]
