"""Guarded files: file commands, patches and small file tools over one permission engine, all within this process.

No shell, no other program, no environment to leak: folders are walked by handles and links are never followed.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.tools.files.chain import FileCommandCall, FileReport, get_run_file_command
    from edgevox.tools.files.patch import get_patch_file
    from edgevox.tools.files.sandbox import PermissionPolicy, Sandbox
    from edgevox.tools.files.skill import cli_skill
    from edgevox.tools.files.small import file_tools

__all__ = [
    "FileCommandCall",
    "FileReport",
    "PermissionPolicy",
    "Sandbox",
    "cli_skill",
    "file_tools",
    "get_patch_file",
    "get_run_file_command",
]

_HOMES = {
    "FileCommandCall": "edgevox.tools.files.chain",
    "FileReport": "edgevox.tools.files.chain",
    "PermissionPolicy": "edgevox.tools.files.sandbox",
    "Sandbox": "edgevox.tools.files.sandbox",
    "cli_skill": "edgevox.tools.files.skill",
    "file_tools": "edgevox.tools.files.small",
    "get_patch_file": "edgevox.tools.files.patch",
    "get_run_file_command": "edgevox.tools.files.chain",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
