"""`Email`: the mail tools as something that a deployed agent is given."""

from collections.abc import Iterable
from pathlib import Path

from edgevox.agents.capabilities.capability import Bound, Capability, Site, ToolLabel
from edgevox.agents.email.service import EmailService
from edgevox.agents.email.tools import get_work_with_email
from edgevox.tools.permissions import PermissionRule


class Email(Capability):
    """Lets an agent work in a mailbox (see `get_work_with_email`).

    Args:
        service: the mailbox.
        allow_rules: which files may go with mails or be taken out of them, beside the defaults.
        ask_rules: what of it a person has to say yes to.
        deny_rules: what may not be done.
    """

    label = ToolLabel(name="email", title="Mail")

    def __init__(
        self,
        service: EmailService,
        *,
        allow_rules: Iterable[PermissionRule] = (),
        ask_rules: Iterable[PermissionRule] = (),
        deny_rules: Iterable[PermissionRule] = (),
    ) -> None:
        self._service = service
        self._allow, self._ask, self._deny = tuple(allow_rules), tuple(ask_rules), tuple(deny_rules)

    def bind(self, site: Site) -> Bound:
        """Give the tools; paths are below the folder of the project where the definition names one."""
        tools = get_work_with_email(
            service=self._service,
            base=site.get("root", Path),
            allow_rules=self._allow,
            ask_rules=self._ask,
            deny_rules=self._deny,
            principal=site.agent_name,
        )
        return Bound(tools=tuple(tools))
