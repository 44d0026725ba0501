"""Worlds to try a robot in before there is one."""
