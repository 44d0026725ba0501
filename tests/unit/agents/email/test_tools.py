"""The mail tools of an agent: everything that leaves is asked for, and every file needs leave of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents.capabilities.capability import Site
from edgevox.agents.email import (
    Email,
    EmailService,
    EmailUnreachable,
    Mail,
    MailFile,
    MailQuery,
    MailSummary,
    NewMail,
    get_work_with_email,
)
from edgevox.agents.health import dependencies_of
from edgevox.chains import Agent
from edgevox.chains.tools import stop
from edgevox.core.cancel import CancelScope
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import ToolRegistry
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH:UserWarning")


@dataclass
class Box:
    """A mailbox in memory."""

    address: str = "anna@example.org"
    sent: list[NewMail] = field(default_factory=list[NewMail])
    drafts: list[NewMail] = field(default_factory=list[NewMail])
    asked: list[str] = field(default_factory=list[str])
    text: str = "Hello Anna."

    def folders(self, scope: CancelScope | None = None) -> Sequence[str]:
        return ["INBOX"]

    def find(self, query: MailQuery, scope: CancelScope | None = None) -> Sequence[MailSummary]:
        self.asked.append(f"find {query.folder} {query.text}".strip())
        return [MailSummary(id="INBOX:1", subject="Hi", sender="bob@example.org")]

    def read(self, mail_id: str, scope: CancelScope | None = None) -> Mail:
        self.asked.append(f"read {mail_id}")
        return Mail(id=mail_id, subject="Hi", sender="bob@example.org", text=self.text, message_id="<1@example.org>")

    def attachment(self, mail_id: str, number: int, scope: CancelScope | None = None) -> MailFile:
        self.asked.append(f"attachment {mail_id} {number}")
        return MailFile(name="a.pdf", content=b"%PDF-1")

    def draft(self, mail: NewMail, scope: CancelScope | None = None) -> str:
        self.drafts.append(mail)
        return "Drafts"

    def send(self, mail: NewMail, scope: CancelScope | None = None) -> Sequence[str]:
        self.sent.append(mail)
        return []

    def external_dependencies(self) -> Sequence[Any]:
        return ()


@dataclass
class Person:
    """Says yes or no, and remembers the questions."""

    yes: bool = True
    questions: list[str] = field(default_factory=list[str])

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.questions.append(request.question)
        return Approval(approved=self.yes, by="key")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outbox").mkdir()
    (tmp_path / "outbox" / "report.pdf").write_bytes(b"%PDF")
    (tmp_path / "secret.txt").write_text("top secret")
    return tmp_path


def work(box: EmailService, folder: Path, **rules: Any) -> ToolRegistry:
    outbox = [PermissionRule(pattern="outbox/**", operations=[Operation.READ, Operation.CREATE])]
    return ToolRegistry(get_work_with_email(service=box, base=folder, allow_rules=outbox, **rules))


def call(
    registry: ToolRegistry, name: str, person: Person | None = None, ctx: AgentContext | None = None, **given: Any
) -> ToolCallResult:
    return registry.dispatch(name, given, ctx if ctx is not None else AgentContext(approver=person))


def test_mails_are_listed_searched_and_read_in_pages(folder: Path) -> None:
    box = Box(text="x" * 3000)
    assert isinstance(box, EmailService)
    registry = work(box, folder)
    assert call(registry, "list_emails").result["emails"][0]["id"] == "INBOX:1"
    call(registry, "search_emails", text="apples", folder="Work")
    read = call(registry, "read_email", id="INBOX:1").result
    assert (len(read["text"]), read["more_from"]) == (2500, 2500)
    rest = call(registry, "read_email", id="INBOX:1", first_character=2500).result
    assert (len(rest["text"]), rest["more_from"]) == (500, None)
    assert box.asked[:2] == ["find INBOX", "find Work apples"]


def test_sending_asks_once_with_recipients_subject_words_and_files(folder: Path) -> None:
    box, person = Box(), Person()
    sent = call(
        work(box, folder), "send_email", person, to=["bob@example.org", "carl@example.org"], subject="Report",
        text="Here\nit is.", attachments=["outbox/report.pdf"],
    )  # fmt: skip
    assert sent.ok, sent.error
    assert person.questions == [
        "Shall I send a mail to bob@example.org, carl@example.org about “Report”, with report.pdf? It says: Here it is."
    ]
    (mail,) = box.sent
    assert (mail.to, [(file.name, file.content) for file in mail.files]) == (
        ("bob@example.org", "carl@example.org"),
        [("report.pdf", b"%PDF")],
    )


@pytest.mark.parametrize("person", [Person(yes=False), None])
def test_without_a_yes_nothing_is_sent(folder: Path, person: Person | None) -> None:
    box = Box()
    sent = call(work(box, folder), "send_email", person, to=["bob@example.org"], text="x")
    assert (sent.ok, sent.error_code, box.sent) == (False, "not_permitted", [])


def test_a_file_without_leave_is_neither_read_nor_told_about_and_nobody_is_asked(folder: Path) -> None:
    box, person = Box(), Person()
    registry = work(box, folder)
    answers = [
        call(registry, name, person, to=["bob@example.org"], text="x", attachments=[path]).error
        for name in ("send_email", "draft_email")
        for path in ("secret.txt", "absent.txt", "../x", "/etc/shadow", "outbox/../secret.txt")
    ]
    assert all(answer is not None and answer.startswith("No permission to read") for answer in answers)
    assert answers[0] == (answers[1] or "").replace("absent.txt", "secret.txt")
    assert (person.questions, box.sent, box.drafts, box.asked) == ([], [], [], [])


def test_a_link_out_of_the_allowed_folder_is_not_followed(folder: Path) -> None:
    (folder / "outbox" / "link").symlink_to(folder / "secret.txt")
    box = Box()
    sent = call(work(box, folder), "send_email", Person(), to=["b@example.org"], text="x", attachments=["outbox/link"])
    assert not sent.ok
    assert box.sent == []


@pytest.mark.parametrize(
    "rule", ["email:to/carl@example.org", "email:to/*@example.org", "email:attachment/*.pdf", "email:**"]
)
def test_a_rule_against_a_recipient_or_a_file_is_final_and_nobody_is_asked(folder: Path, rule: str) -> None:
    box, person = Box(), Person()
    registry = work(box, folder, deny_rules=[PermissionRule(pattern=rule, operations=["send"])])
    sent = call(
        registry, "send_email", person, to=["bob@example.org"], cc=["Carl@Example.org"], text="x",
        attachments=["outbox/report.pdf"],
    )  # fmt: skip
    assert (sent.ok, person.questions, box.sent) == (False, [], [])


def test_rules_of_the_person_are_laid_over_those_of_the_tools(folder: Path) -> None:
    box, person = Box(), Person()
    from edgevox.tools.permissions.judging import RuleSet

    forbids = RuleSet.of((), (), (PermissionRule(pattern="email:folder/**", operations=["read"]),))
    engine = PermissionEngine(default_verdict=ActionVerdict.deny).laid_over(forbids)
    ctx = AgentContext(approver=person, permissions=engine)
    assert not call(work(box, folder), "list_emails", ctx=ctx).ok
    assert box.asked == []
    assert call(work(box, folder), "send_email", ctx=ctx, to=["bob@example.org"], text="x").ok


def test_an_answer_refers_to_its_mail(folder: Path) -> None:
    box = Box()
    assert call(work(box, folder), "send_email", Person(), to=["b@example.org"], text="x", reply_to="INBOX:1").ok
    (mail,) = box.sent
    assert mail.subject == "Re: Hi"
    assert mail.answers is not None
    assert mail.answers.message_id == "<1@example.org>"


def test_a_draft_asks_nobody(folder: Path) -> None:
    box, person = Box(), Person()
    kept = call(work(box, folder), "draft_email", person, to=["bob@example.org"], text="x")
    assert kept.result["result"] == "draft kept in Drafts"
    assert (person.questions, len(box.drafts)) == ([], 1)


def test_a_file_of_a_mail_goes_where_it_may_and_replaces_nothing(folder: Path) -> None:
    box = Box()
    registry = work(box, folder)
    saved = call(registry, "save_attachment", id="INBOX:1", number=1, path="outbox/new.pdf")
    assert saved.result == {"path": str(folder / "outbox" / "new.pdf"), "bytes": 6}
    assert (folder / "outbox" / "new.pdf").read_bytes() == b"%PDF-1"
    again = call(registry, "save_attachment", id="INBOX:1", number=1, path="outbox/new.pdf")
    assert "File exists" in (again.error or "")
    box.asked.clear()
    for path in ("new.pdf", "../new.pdf", "/tmp/new.pdf", "outbox/*", ""):
        assert not call(registry, "save_attachment", id="INBOX:1", number=1, path=path).ok
    assert box.asked == [], "no leave, no download"


@pytest.mark.parametrize(
    "given",
    [
        {"to": [], "text": "x"},
        {"to": ["bob"], "text": "x"},
        {"to": ["bob@example.org\nBcc: eve@example.org"], "text": "x"},
        {"to": "bob@example.org"},
        {"text": "x"},
    ],
)
def test_a_mail_that_cannot_be_is_one_sentence_and_nobody_is_asked(folder: Path, given: dict[str, Any]) -> None:
    box, person = Box(), Person()
    sent = call(work(box, folder), "send_email", person, **given)
    assert (sent.ok, person.questions, box.sent) == (False, [], [])
    assert sent.error


def test_a_server_that_is_down_is_a_sentence_for_the_model(folder: Path) -> None:
    class Down(Box):
        def find(self, query: MailQuery, scope: CancelScope | None = None) -> Sequence[MailSummary]:
            raise EmailUnreachable("mail.example.org:993 cannot be reached: start it.")

    listed = call(work(Down(), folder), "list_emails")
    assert (listed.error, listed.error_code) == (
        "mail.example.org:993 cannot be reached: start it.",
        "email_unreachable",
    )


def test_an_agent_of_chains_reads_and_sends_over_real_servers(servers: Any, folder: Path) -> None:
    servers.put("From: bob@example.org\nTo: anna@example.org\nSubject: Hi\n\nWhen is the talk?\n")
    replies = [
        {"action": "search_emails", "text": "talk"},
        {"action": "send_email", "to": ["bob@example.org"], "text": "At ten."},
        {"action": "stop", "value": "answered"},
    ]
    service, person = servers.service(save_sent=False), Person()
    agent = Agent(
        name="post",
        system_prompt="Answer mails.",
        tools=[*get_work_with_email(service=service, base=folder), stop],
        agent_endpoint=MockLLMEndpoint(responses=replies),
    )
    ended, _ = agent.invoke(ctx=AgentContext(approver=person))
    assert ended.value == "answered"
    assert [mail.rcpt_tos for mail in servers.outbox.mails] == [["bob@example.org"]]
    assert len(person.questions) == 1
    assert [each.kind for each in dependencies_of(agent)] == ["network_service", "network_service"]


def test_a_deployed_agent_is_given_the_mailbox(folder: Path) -> None:
    bound = Email(Box()).bind(Site(agent_name="post", attributes={"root": folder}))
    assert [tool.name for tool in bound.tools] == [
        "list_emails", "search_emails", "read_email", "save_attachment", "draft_email", "send_email",
    ]  # fmt: skip
