"""Worlds with the physics of MuJoCo: a base that drives through a flat, and an arm at a table.

The modules import `mujoco` when a world is opened, never before.
"""
