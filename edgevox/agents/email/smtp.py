"""Sends one mail over SMTP: encrypted, or not at all. A stop before the mail is handed over sends nothing."""

import contextlib
import smtplib
from collections.abc import Generator, Sequence
from email.message import EmailMessage

from edgevox.agents.email.faults import hanging_up, told
from edgevox.agents.email.service import EmailError, LoginRefused
from edgevox.agents.email.settings import CONNECT_S, ImapSmtpSettings
from edgevox.agents.email.tls import context_for, require_pinned
from edgevox.core.cancel import CancelScope


def deliver(
    message: EmailMessage, recipients: Sequence[str], settings: ImapSmtpSettings, scope: CancelScope
) -> list[str]:
    """Hand a mail over and return those whom the server refused.

    Raises:
        EmailError: the server cannot be reached, cannot prove who it is, or refuses; one sentence.
        Cancelled: the scope ended.
    """
    with _connected(settings, scope) as server:
        try:
            refused = server.send_message(message, from_addr=settings.address, to_addrs=list(recipients))
        except smtplib.SMTPRecipientsRefused:
            raise EmailError("The server takes the mail for none of its recipients: check the addresses.") from None
        except smtplib.SMTPSenderRefused:
            raise EmailError(f"The server does not let {settings.address} send: check the address.") from None
        except smtplib.SMTPNotSupportedError:
            raise EmailError("The server does not know letters such as these in addresses: use others.") from None
        except smtplib.SMTPResponseException as error:
            raise EmailError(f"The server did not take the mail (code {error.smtp_code}): try again later.") from None
    return sorted(refused)


@contextlib.contextmanager
def _connected(settings: ImapSmtpSettings, scope: CancelScope) -> Generator[smtplib.SMTP]:
    where = settings.smtp
    with told(where, scope):
        context = context_for(where)
        connect_s = min(CONNECT_S, where.timeout_s)
        name = settings.address.rpartition("@")[2]  # not this machine's own name, which is nobody's business
        if where.security == "tls":
            server = smtplib.SMTP_SSL(where.host, where.port, local_hostname=name, timeout=connect_s, context=context)
        else:
            server = smtplib.SMTP(where.host, where.port, local_hostname=name, timeout=connect_s)
        try:
            with hanging_up(scope, lambda: server.sock):
                if where.security == "starttls":
                    server.starttls(context=context)
                require_pinned(where, server.sock)
                assert server.sock is not None
                server.sock.settimeout(where.timeout_s)
                _log_in(server, settings)
                yield server
        finally:
            _leave(server, scope)


def _log_in(server: smtplib.SMTP, settings: ImapSmtpSettings) -> None:
    try:
        server.login(settings.username, settings.password)
    except smtplib.SMTPAuthenticationError:
        raise LoginRefused(
            f"{settings.smtp.where} does not accept user name and password of {settings.address}: check both."
        ) from None


def _leave(server: smtplib.SMTP, scope: CancelScope) -> None:
    with contextlib.suppress(Exception):  # the server may be gone
        if not scope.cancelled and server.sock is not None:
            server.sock.settimeout(2.0)
            server.quit()
    server.close()
