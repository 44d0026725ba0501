"""Agents: who answers, with which tools and skills."""
