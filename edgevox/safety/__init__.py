"""Stop: who asked for it, and what has to stand still, in which order.

Decides without models, agents or tools.
"""
