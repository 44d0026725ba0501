"""The built-in agents and the frame that gives an agent its front ends."""
