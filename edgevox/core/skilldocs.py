"""Skill documents: written procedures that an agent loads on demand. Skills, which are actions, are something else."""

from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field


class SkillDoc(BaseModel):
    """One version of a written procedure."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str = Field(max_length=500)
    """When to load it; this is all a model sees before it does."""
    body: str
    version: int = 1
    tools: tuple[str, ...] = ()
    """Names of tools that become active with it."""
    tags: tuple[str, ...] = ()


class SkillLibrary(Protocol):
    """Where skill documents are kept."""

    def list(self) -> "list[SkillDoc]":
        """The newest version of every document."""
        ...

    def get(self, name: str, version: int | None = None) -> SkillDoc:
        """One document. Raises `KeyError` when there is none of that name and version."""
        ...
