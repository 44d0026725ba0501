"""The scout in a MuJoCo flat: the skills of `robot_scout`, word for word, in a world with mass, contact and lights.

Only the world differs.
"""

from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.robot_scout import SCOUT_GREETING, SCOUT_PERMISSIONS, SCOUT_SKILLS
from edgevox.sims.mujoco.mobile import MujocoMobileEnvironment

APP = AgentApp(
    name="Scout",
    description="A robot that drives through a flat with real physics and can be stopped at any moment.",
    instructions="You are Scout, a terse home robot. You drive only where you are asked to.",
    skills=SCOUT_SKILLS,
    permissions=SCOUT_PERMISSIONS,
    deps=MujocoMobileEnvironment(render=True),
    greeting=SCOUT_GREETING,
)

if __name__ == "__main__":
    APP.run()
