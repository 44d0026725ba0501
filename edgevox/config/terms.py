"""The terms of a model, written beside it.

Knows the licence texts that edgevox brings along for models whose packages bring none. Grants nothing itself.
"""

from importlib import resources
from pathlib import Path

from edgevox.config.catalogue import ModelEntry
from edgevox.config.files import writing

README = "MODEL.md"
LICENCE = "LICENSE"


def write_terms(entry: ModelEntry, folder: Path) -> None:
    """Write what the model is, where it comes from and its terms into its folder; a publisher's own file stays."""
    with writing(folder):
        (folder / README).write_text(_readme(entry), "utf-8")
        if entry.licence_text is not None and not (folder / LICENCE).exists():
            name = f"{entry.licence_text}.txt"
            text = resources.files("edgevox.config").joinpath("licences").joinpath(name).read_text("utf-8")
            (folder / LICENCE).write_text(text, "utf-8")


def _readme(entry: ModelEntry) -> str:
    lines = [
        f"# {entry.title}",
        "",
        f"- Name in edgevox: `{entry.name}`",
        f"- Publisher: <{entry.origin}>",
        f"- Licence: {entry.licence}",
    ]
    lines += [f"- `{file.name}`: {file.size} bytes, SHA-256 `{file.sha256}`" for file in entry.files if file.sha256]
    return "\n".join(lines) + "\n"
