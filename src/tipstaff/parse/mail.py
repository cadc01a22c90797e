"""A mail, however it was stored → its document: one message block each, then its paragraphs.

Mails inside a mail follow it as further messages of the same item: `message-2` and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tipstaff.domain.document import BlockKind, Document, MarkKind, Span
from tipstaff.domain.location import Element, Section, WholeItem
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.mail_body import BodyLine, Paragraph, paragraphs
from tipstaff.parse.parser import CannotRead

# As a reader wants to see them.
SHOWN_HEADERS = ("From", "To", "Cc", "Bcc", "Date", "Subject")
THREAD_HEADERS = ("Message-ID", "In-Reply-To", "References", "Date")

_NO_HEADERS = "(A message without headers.)"


@dataclass(frozen=True, slots=True)
class MailAttachment:
    name: str
    media_type: str
    size_bytes: int

    @property
    def size(self) -> str:
        if self.size_bytes < 1024:
            return f"{self.size_bytes} bytes"
        kilobytes = -(-self.size_bytes // 1024)
        return f"{kilobytes} KB" if kilobytes < 1024 else f"{kilobytes / 1024:.1f} MB"


@dataclass(slots=True)
class Mail:
    """`headers` by their names as in `SHOWN_HEADERS`; `thread` as in `THREAD_HEADERS`."""

    headers: dict[str, str] = field(default_factory=dict)
    thread: dict[str, str] = field(default_factory=dict)
    sender: str | None = None
    lines: list[BodyLine] = field(default_factory=list)
    attachments: list[MailAttachment] = field(default_factory=list)
    inside: list[Mail] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        has_words = any(line.words.strip() for line in self.lines)
        return not (self.headers or has_words or self.attachments or self.inside)


def document_of(mail: Mail) -> Document:
    if mail.is_empty:
        raise CannotRead("The email is empty.", "Ask the sender to send the message again.")
    builder = DocumentBuilder()
    metadata: dict[str, str] = {}
    for number, one in enumerate(_all_mails(mail), start=1):
        _write(builder, one, number)
        metadata |= _thread_metadata(one.thread, number)
    return builder.build(metadata=metadata)


def _all_mails(mail: Mail) -> Iterator[Mail]:
    yield mail
    for inner in mail.inside:
        yield from _all_mails(inner)


def _thread_metadata(thread: Mapping[str, str], number: int) -> dict[str, str]:
    prefix = "" if number == 1 else f"message-{number}:"
    return {prefix + name.lower(): value for name, value in thread.items()}


def _write(builder: DocumentBuilder, mail: Mail, number: int) -> None:
    lines = [f"{name}: {mail.headers[name]}" for name in SHOWN_HEADERS if name in mail.headers]
    lines += [f"Attachment: {one.name} ({one.size})" for one in mail.attachments]
    subject = mail.headers.get("Subject")
    builder.block(
        BlockKind.MESSAGE,
        "\n".join(lines) or _NO_HEADERS,
        WholeItem(Element("message", number)),
        author=mail.sender,
    )
    builder.write("\n")
    count = 0
    for paragraph in paragraphs(mail.lines, mail.sender):
        span = Span(builder.position, builder.position)
        if paragraph.kind is None:
            span = builder.write(_text(paragraph))
            builder.write("\n")
            builder.hide(span, "a ruled line", kind=MarkKind.MARKUP)
        else:
            count += 1
            span = builder.block(
                paragraph.kind,
                _text(paragraph),
                Section(f"message-{number}", Element("para", count)),
                author=paragraph.author,
                quoted=paragraph.quoted,
                headings=(subject,) if subject else (),
            )
        _mark_lines(builder, paragraph, span.start)
        builder.write("\n")
    builder.notes += mail.notes
    for one in mail.attachments:
        builder.notes.append(
            f"The attachment '{one.name}' ({one.media_type}, {one.size}) is not indexed."
        )


def _text(paragraph: Paragraph) -> str:
    return "\n".join(line.text for line in paragraph.lines)


def _mark_lines(builder: DocumentBuilder, paragraph: Paragraph, position: int) -> None:
    """Quotation marks at the beginning of lines, and what a reader of the mail did not see."""
    for line in paragraph.lines:
        prefix = Span(position, position + line.prefix)
        builder.hide(prefix, "quotation mark of a reply", kind=MarkKind.MARKUP)
        for start, end, reason in line.hidden:
            builder.hide(Span(position + start, position + end), reason)
        position += len(line.text) + 1
