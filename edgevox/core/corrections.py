"""How often one turn may ask a model to do it again.

One budget pays for unknown tools, bad arguments, rejected outputs and unmet goals, so that a turn has one visible upper
bound of model calls.
"""


class CorrectionBudget:
    """Counts the second chances of one turn.

    Args:
        allowed: how many there are.
    """

    def __init__(self, allowed: int = 2) -> None:
        self.allowed = allowed
        self.spent = 0

    @property
    def left(self) -> int:
        """Second chances that remain."""
        return max(self.allowed - self.spent, 0)

    def spend(self) -> bool:
        """Take one second chance; returns whether there was one."""
        if self.left == 0:
            return False
        self.spent += 1
        return True
