"""The scout in an ir-sim flat: the skills of `robot_scout`, word for word, in a world with walls and furniture.

Only the world differs. Write `APP = scout_in(IrSimEnvironment("my_world.yaml", base="acker"))` in a script of your own
to let the same scout drive elsewhere, or on another base.
"""

from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.robot_scout import SCOUT_GREETING, SCOUT_PERMISSIONS, SCOUT_SKILLS, set_light
from edgevox.sims.environment import SimEnvironment
from edgevox.sims.irsim.environment import IrSimEnvironment

APARTMENT_SKILLS = [known for known in SCOUT_SKILLS if known is not set_light]
"""What the scout can do where there are no lights."""


def scout_in(world: SimEnvironment) -> AgentApp:
    """Return the scout in a world.

    Args:
        world: one with the actions of mobile worlds; it is opened when the application starts.
    """
    return AgentApp(
        name="Scout",
        description="A robot that drives around the furniture of a simulated flat and can be stopped at any moment.",
        instructions="You are Scout, a terse home robot. You drive only where you are asked to.",
        skills=APARTMENT_SKILLS,
        permissions=SCOUT_PERMISSIONS,
        deps=world,
        greeting=SCOUT_GREETING,
    )


APP = scout_in(IrSimEnvironment())

if __name__ == "__main__":
    APP.run()
