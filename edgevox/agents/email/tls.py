"""How a mail server proves who it is: by a certificate that somebody trusted vouches for, or by the one that is pinned.

Nothing secret is said before the proof.
"""

import hashlib
import hmac
import ssl
from typing import Any

from edgevox.agents.email.service import CertificateRefused, EmailError
from edgevox.agents.email.settings import MailServer


def context_for(server: MailServer) -> ssl.SSLContext:
    """Return the TLS context of a server.

    Raises:
        EmailError: the file of certificates cannot be read.
    """
    if server.certificate_sha256 is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # `require_pinned` looks at the certificate itself
    else:
        try:
            context = ssl.create_default_context(cafile=server.ca_file and str(server.ca_file))
        except (OSError, ssl.SSLError) as error:
            raise EmailError(f"{server.ca_file} holds no certificates that can be read: export them again.") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def require_pinned(server: MailServer, connection: Any) -> None:
    """Refuse a server whose certificate is not the pinned one; does nothing where none is pinned.

    Args:
        server: with the fingerprint.
        connection: the encrypted socket, right after the handshake.

    Raises:
        CertificateRefused: it is another one, or the connection is not encrypted.
    """
    if not isinstance(connection, ssl.SSLSocket):
        raise CertificateRefused(f"The connection to {server.where} is not encrypted, so nothing was sent.")
    if server.certificate_sha256 is None:
        return
    shown = hashlib.sha256(connection.getpeercert(binary_form=True) or b"").hexdigest()
    if not hmac.compare_digest(shown, server.certificate_sha256):
        raise CertificateRefused(
            f"The certificate of {server.where} is not the pinned one, so nothing was sent: if it was renewed, set "
            f"certificate_sha256 to the new fingerprint after checking it."
        )
