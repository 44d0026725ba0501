"""Mail for agents: a contract, a service over IMAP and SMTP, and tools that list, read, search, draft and send.

Connections are encrypted or not made. Whatever leaves the machine, and every file that goes with it, passes the
permission engine.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.agents.email.capability import Email
    from edgevox.agents.email.imap_smtp import ImapSmtpEmailService
    from edgevox.agents.email.mail import Attachment, Mail, MailFile, MailQuery, MailSummary, NewMail
    from edgevox.agents.email.proton_bridge import ProtonBridgeEmailService, ProtonBridgeSettings
    from edgevox.agents.email.service import (
        CertificateRefused,
        EmailError,
        EmailService,
        EmailUnreachable,
        LoginRefused,
    )
    from edgevox.agents.email.settings import ImapSmtpSettings, MailServer
    from edgevox.agents.email.tools import get_work_with_email

_HOMES = {
    "Attachment": "edgevox.agents.email.mail",
    "CertificateRefused": "edgevox.agents.email.service",
    "Email": "edgevox.agents.email.capability",
    "EmailError": "edgevox.agents.email.service",
    "EmailService": "edgevox.agents.email.service",
    "EmailUnreachable": "edgevox.agents.email.service",
    "ImapSmtpEmailService": "edgevox.agents.email.imap_smtp",
    "ImapSmtpSettings": "edgevox.agents.email.settings",
    "LoginRefused": "edgevox.agents.email.service",
    "Mail": "edgevox.agents.email.mail",
    "MailFile": "edgevox.agents.email.mail",
    "MailQuery": "edgevox.agents.email.mail",
    "MailServer": "edgevox.agents.email.settings",
    "MailSummary": "edgevox.agents.email.mail",
    "NewMail": "edgevox.agents.email.mail",
    "ProtonBridgeEmailService": "edgevox.agents.email.proton_bridge",
    "ProtonBridgeSettings": "edgevox.agents.email.proton_bridge",
    "get_work_with_email": "edgevox.agents.email.tools",
}

__all__ = [
    "Attachment",
    "CertificateRefused",
    "Email",
    "EmailError",
    "EmailService",
    "EmailUnreachable",
    "ImapSmtpEmailService",
    "ImapSmtpSettings",
    "LoginRefused",
    "Mail",
    "MailFile",
    "MailQuery",
    "MailServer",
    "MailSummary",
    "NewMail",
    "ProtonBridgeEmailService",
    "ProtonBridgeSettings",
    "get_work_with_email",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
