"""What goes wrong between this machine and a server, in words.

Knows the causes a person can act on: no network, a proxy, a certificate authority of their own, a stall. Certificates
are always verified; there is no switch for it.
"""

import os
import ssl
from urllib.parse import urlsplit

import httpx

from edgevox.core.errors import DownloadError

CONNECT_TIMEOUT_S = 15.0
READ_TIMEOUT_S = 30.0
TIMEOUT_VARIABLE = "EDGEVOX_DOWNLOAD_TIMEOUT"

PROXY_REMEDY = "behind a proxy set HTTPS_PROXY"
CERTIFICATE_REMEDY = "set SSL_CERT_FILE to the certificate bundle of your network"
STALL_REMEDY = (
    "behind a proxy that inspects traffic set HTTPS_PROXY and SSL_CERT_FILE; on a slow line raise "
    f"{TIMEOUT_VARIABLE} (seconds)"
)


class SourceFault(DownloadError):
    """One source did not give the file.

    Args:
        cause: what happened, without a full stop: `pypi.org could not be reached`.
        remedy: what a person can do about it, or nothing.
    """

    def __init__(self, cause: str, remedy: str = "") -> None:
        super().__init__(f"{cause}; {remedy}." if remedy else f"{cause}.")
        self.cause = cause
        self.remedy = remedy


def open_client(timeout_s: float | None = None) -> httpx.Client:
    """Return a client that honours the proxy and certificate variables of the environment.

    Args:
        timeout_s: longest silence of a server, seconds; `None` is `EDGEVOX_DOWNLOAD_TIMEOUT`, else 30.

    Raises:
        SourceFault: a variable names a proxy or a certificate file that cannot be used.
    """
    read_s = timeout_s if timeout_s is not None else read_timeout_s()
    try:
        return httpx.Client(
            follow_redirects=True,
            timeout=httpx.Timeout(read_s, connect=min(CONNECT_TIMEOUT_S, read_s)),
            headers={"User-Agent": "edgevox", "Accept-Encoding": "identity"},
            limits=httpx.Limits(max_keepalive_connections=0),  # one line per request, so that a stop can hang it up
        )
    except (OSError, ssl.SSLError) as error:
        bundle = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
        cause = f"the certificate bundle {bundle} cannot be read"
        raise SourceFault(cause, "correct SSL_CERT_FILE or SSL_CERT_DIR") from error
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise SourceFault("the proxy that the environment names cannot be used", "correct HTTPS_PROXY") from error


def read_timeout_s() -> float:
    """Return the longest silence of a server that a download bears, seconds."""
    try:
        return max(1.0, float(os.environ[TIMEOUT_VARIABLE]))
    except (KeyError, ValueError):
        return READ_TIMEOUT_S


def host_of(url: str) -> str:
    """Return the host and port of an address, without the name and password that may stand in it."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or url


def connection_fault(error: BaseException, url: str, timeout_s: float) -> SourceFault:
    """Return what a failed connection means for a person.

    Args:
        error: of httpx, or of another library with the same names of errors.
        url: where it was going.
        timeout_s: how long the silence lasted, seconds.
    """
    host = host_of(url)
    if _is_certificate(error):
        return SourceFault(f"the certificate of {host} could not be verified", CERTIFICATE_REMEDY)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    for kind, cause, remedy in _CONNECTION_FAULTS:
        if kind in kinds:
            return SourceFault(cause.format(host=host, timeout=f"{timeout_s:g}"), remedy)
    return SourceFault(f"the connection to {host} broke", "try again: it goes on where it stopped")


_CONNECTION_FAULTS = (
    ("ProxyError", "the proxy refused to connect to {host}", "check HTTPS_PROXY and NO_PROXY"),
    ("ConnectTimeout", "{host} did not answer within {timeout} seconds", f"check the network; {PROXY_REMEDY}"),
    ("TimeoutException", "{host} sent nothing for {timeout} seconds", STALL_REMEDY),
    ("ConnectError", "{host} could not be reached", f"check the network; {PROXY_REMEDY}"),
)


def status_fault(status: int, url: str) -> SourceFault:
    """Return what an answer other than the file means for a person."""
    host = host_of(url)
    if status == 404:
        return SourceFault(f"{host} no longer has the file")
    if status in {401, 403, 407, 451}:
        return SourceFault(f"{host} refused access (HTTP {status})", "check the proxy or the mirror you use")
    return SourceFault(f"{host} answered with HTTP {status}", "try again later")


def _is_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
