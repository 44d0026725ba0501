"""What goes wrong with a connection to a mail server, as one sentence. Repeats nothing that a server said."""

import contextlib
import imaplib
import socket
import ssl
from collections.abc import Callable, Generator
from typing import Any

from edgevox.agents.email.service import CertificateRefused, EmailError, EmailUnreachable
from edgevox.agents.email.settings import MailServer
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ControlFlow, EdgeVoxError


@contextlib.contextmanager
def told(server: MailServer, scope: CancelScope) -> Generator[None]:
    """Turn what a library raises within the block into one sentence; a stop stays a stop.

    Raises:
        Cancelled: the scope has ended.
        EmailError: what went wrong.
    """
    scope.check()
    try:
        yield
    except (ControlFlow, EdgeVoxError):
        raise
    except Exception as error:  # libraries raise their own kinds, and sockets theirs
        scope.check()
        raise _sentence(server, error) from None


@contextlib.contextmanager
def hanging_up(scope: CancelScope, connection: Callable[[], Any]) -> Generator[None]:
    """Hang up when the scope ends, so that nobody waits for the server.

    Args:
        scope: of the call.
        connection: returns the socket of the moment.
    """

    def hang_up(_: str) -> None:
        with contextlib.suppress(Exception):  # it may be closed already
            connection().shutdown(socket.SHUT_RDWR)

    forget = scope.on_cancel(hang_up)
    try:
        yield
    finally:
        forget()


def _sentence(server: MailServer, error: Exception) -> EmailError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return CertificateRefused(
            f"Nobody trusted vouches for the certificate of {server.where}, so nothing was sent: set ca_file or "
            "certificate_sha256."
        )
    if isinstance(error, ssl.SSLError):
        return EmailUnreachable(f"{server.where} does not speak TLS as expected: check its port and its security.")
    if isinstance(error, TimeoutError):
        return EmailUnreachable(f"{server.where} does not answer: check that it runs and can be reached.")
    if isinstance(error, ConnectionRefusedError | socket.gaierror):
        return EmailUnreachable(f"{server.where} cannot be reached: start it, or check its host and port.")
    if isinstance(error, OSError | EOFError | imaplib.IMAP4.abort):
        return EmailUnreachable(f"{server.where} hung up: try again later.")
    return EmailError(f"{server.where} did not do what it was asked ({type(error).__name__}): try again later.")
