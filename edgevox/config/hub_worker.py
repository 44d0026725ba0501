# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownParameterType=false, reportConstantRedefinition=false
# (the progress bar that huggingface_hub passes through is an untyped library's)
"""The process that downloads one file of the Hugging Face hub: `python -m edgevox.config.hub_worker`.

Knows huggingface_hub and nothing of models. It runs apart, because a download inside the library can neither be stopped
nor watched from outside: the parent ends this process, and this process ends when its parent does (its standard input
closes). It reports in lines of JSON: `{"ready": true}`, `{"done": …, "total": …}`, and at the end `{"path": …}` or
`{"cause": …, "remedy": …}`, with `{"full": true}` for a full disk.
"""

import errno
import json
import os
import sys
import threading
from typing import Any

from huggingface_hub import constants, hf_hub_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import tqdm

from edgevox.config.hub_cache import hub_address
from edgevox.config.network import SourceFault, connection_fault, host_of, read_timeout_s, status_fault

REPORT_BYTES = 1 << 18
"""Bytes between two reports; the library's own ten megabytes take a slow line longer than silence is borne."""
ACCOUNT_REMEDY = "accept its terms on the hub and set HF_TOKEN to a token of your account"


class ReportingBar(tqdm):
    """The library's progress bar, which tells the parent and draws nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._here = int(kwargs.get("initial") or 0)
        self._whole = kwargs.get("total")
        super().__init__(*args, **kwargs)

    def update(self, n: float | None = 1) -> bool | None:
        """Tell how much is here."""
        self._here += int(n or 0)
        report(done=self._here, total=self._whole)
        return super().update(n)


def main(request: dict[str, Any]) -> int:
    """Download the file that `request` names (`repo`, `file`, `revision`, `cache`, `force`) and report."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    report(ready=True)
    endpoint = hub_address()
    constants.DOWNLOAD_CHUNK_SIZE = REPORT_BYTES
    try:
        path = hf_hub_download(
            request["repo"],
            request["file"],
            revision=request["revision"],
            cache_dir=request["cache"],
            force_download=request["force"],
            library_name="edgevox",
            etag_timeout=read_timeout_s(),
            tqdm_class=ReportingBar,
        )
    except Exception as error:  # whatever the library says becomes one sentence in the parent
        if _errno(error) in {errno.ENOSPC, errno.EDQUOT}:
            report(full=True)
        else:
            fault = _fault(error, request, endpoint)
            report(cause=fault.cause, remedy=fault.remedy)
        return 1
    report(path=str(path))
    return 0


def report(**line: Any) -> None:
    """Send one line to the parent."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def _errno(error: BaseException | None) -> int | None:
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        error = error.__cause__
    return None


FAULTS: tuple[tuple[type[Exception], str, str], ...] = (
    (GatedRepoError, "{repo} on {host} is open to accounts only", ACCOUNT_REMEDY),
    (RepositoryNotFoundError, "{host} has no repository {repo}", "check the name; for a private one set HF_TOKEN"),
    (RevisionNotFoundError, "{repo} on {host} has no revision {revision}", "check the name"),
    (OfflineModeIsEnabled, "the hub is switched off by HF_HUB_OFFLINE", "unset HF_HUB_OFFLINE"),
    (RemoteEntryNotFoundError, "{repo} on {host} has no file {file}", "check the name"),
    (HFValidationError, "{repo} is not the name of a repository", "write owner/name"),
)
"""What the library's errors mean for a person, the narrower kinds first."""


def _fault(error: Exception, request: dict[str, Any], endpoint: str) -> SourceFault:
    host = host_of(endpoint)
    for kind, cause, remedy in FAULTS:
        if isinstance(error, kind):
            return SourceFault(cause.format(host=host, **request), remedy)
    return _fault_of_cause(error, endpoint)


def _fault_of_cause(error: Exception, endpoint: str) -> SourceFault:
    """Return what lies under the library's own error: a silent server, a certificate, no network."""
    cause: BaseException = error
    while (
        cause.__cause__ is not None
        and not isinstance(cause, HfHubHTTPError)
        and not any(kind.__name__ == "TransportError" for kind in type(cause).__mro__)
    ):
        cause = cause.__cause__
    if isinstance(cause, HfHubHTTPError):
        return status_fault(cause.response.status_code, endpoint)
    return connection_fault(cause, endpoint, read_timeout_s())


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
