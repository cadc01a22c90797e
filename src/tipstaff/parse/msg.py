"""Outlook's own mail files (MSG) → a document of the same shape as mail that was sent.

The plain body is preferred, then HTML, then compressed RTF. Messages inside the message are
further messages of the same item.
"""

from __future__ import annotations

import email
import email.policy
import struct
from email.utils import format_datetime
from io import BytesIO

from compressed_rtf import decompress
from olefile import OleFileIO
from oxmsg.domain import constants as pid
from oxmsg.properties import Properties
from oxmsg.storage import Storage
from striprtf.striprtf import rtf_to_text

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Document
from tipstaff.parse.eml import mail_of_headers
from tipstaff.parse.mail import Mail, MailAttachment, document_of
from tipstaff.parse.mail_body import plain_lines
from tipstaff.parse.mail_html import html_lines
from tipstaff.parse.parser import CannotRead, Parser, Source

_MAX_DEPTH = 30
# [MS-OXMSG] 2.4: how many bytes stand before the properties of …
_ROOT_HEADER, _EMBEDDED_HEADER, _ATTACHMENT_HEADER = 32, 24, 8
_EMBEDDED = "__substg1.0_3701000D"
_FAULTS = (
    OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, LookupError,
    AssertionError, OverflowError, struct.error,
)  # fmt: skip
_DEEP = "Messages inside the message are nested too deeply and were not read."


def parse(source: Source) -> Document:
    try:
        # Never the bytes themselves: olefile takes few bytes for the name of a file.
        with OleFileIO(BytesIO(source.content)) as file:
            root = Storage.from_ole(file)
        mail = _Item(root, _ROOT_HEADER).mail(depth=0)
    except (*_FAULTS, RecursionError):
        raise CannotRead(
            "The Outlook message is damaged.",
            "Ask the sender to save the message again, as .msg or .eml.",
        ) from None
    return document_of(mail)


class _Item:
    """A message or an attachment: a storage and the properties in it."""

    def __init__(self, storage: Storage, header_bytes: int) -> None:
        self.storage = storage
        self.properties = Properties(storage, properties_header_offset=header_bytes)

    def mail(self, depth: int) -> Mail:
        mail = self._headers()
        self._body(mail)
        for storage in self.storage.iter_attachment_storages():
            attachment = _Item(storage, _ATTACHMENT_HEADER)
            embedded = attachment.embedded()
            if embedded is None:
                mail.attachments.append(attachment.as_attachment())
            elif depth < _MAX_DEPTH:
                mail.inside.append(_Item(embedded, _EMBEDDED_HEADER).mail(depth + 1))
            else:
                mail.notes.append(_DEEP)
        return mail

    def embedded(self) -> Storage | None:
        return next((one for one in self.storage.storages if one.name == _EMBEDDED), None)

    def as_attachment(self) -> MailAttachment:
        kind = self.text(pid.PID_ATTACH_MIME_TAG) or "application/octet-stream"
        name = (
            self.text(pid.PID_ATTACH_LONG_FILENAME)
            or self.text(pid.PID_ATTACH_FILENAME)
            or self.text(pid.PID_DISPLAY_NAME)
            or f"unnamed {kind}"
        )
        return MailAttachment(name, kind, len(self.content(pid.PID_ATTACH_DATA_BINARY)))

    def _headers(self) -> Mail:
        """As they were sent, completed from what Outlook itself knows."""
        sent = self.text(pid.PID_TRANSPORT_MESSAGE_HEADERS, one_line=False)
        mail = mail_of_headers(email.message_from_string(sent, policy=email.policy.default))
        name = self.text(pid.PID_SENDER_NAME) or self.text(pid.PID_SENT_REPRESENTING_NAME)
        address = self.text(pid.PID_SENDER_SMTP_ADDRESS) or self.text(pid.PID_SENDER_EMAIL_ADDRESS)
        # Inside one organisation the address is a directory path, which says nothing.
        address = address if "@" in address else ""
        known = {
            "From": f"{name} <{address}>" if name and address else name or address,
            "To": self.text(pid.PID_DISPLAY_TO),
            "Cc": self.text(pid.PID_DISPLAY_CC),
            "Bcc": self.text(pid.PID_DISPLAY_BCC),
            "Date": self._date(),
            "Subject": self.text(pid.PID_SUBJECT),
        }
        thread = {
            "Message-ID": self.text(pid.PID_INTERNET_MESSAGE_ID),
            "In-Reply-To": self.text(pid.PID_IN_REPLY_TO_ID),
            "References": self.text(pid.PID_INTERNET_REFERENCES),
            "Date": known["Date"],
        }
        for given, found in ((mail.headers, known), (mail.thread, thread)):
            for key, value in found.items():
                if value:
                    given.setdefault(key, value)
        mail.sender = mail.sender or name or address or None
        return mail

    def _date(self) -> str:
        for number in (pid.PID_CLIENT_SUBMIT_TIME, pid.PID_MESSAGE_DELIVERY_TIME):
            try:
                when = self.properties.date_prop_value(number)
                if when is not None:
                    return format_datetime(when)
            except _FAULTS:
                continue
        return ""

    def _body(self, mail: Mail) -> None:
        plain = self.text(pid.PID_BODY, one_line=False)
        html = self._html()
        if plain.strip():
            mail.lines = plain_lines(plain)
        elif html.strip():
            mail.lines, note = html_lines(html)
            mail.notes += [note] if note else []
        elif packed := self.content(pid.PID_RTF_COMPRESSED):
            try:
                rtf = decompress(packed).decode("cp1252", "replace")
                text = str(rtf_to_text(rtf, errors="replace"))  # type: ignore[no-untyped-call]
                mail.lines = plain_lines(text)
            except Exception:  # the decompressor raises nothing more precise
                mail.notes.append("The text of the message is damaged and was not read.")

    def _html(self) -> str:
        packed = self.content(pid.PID_HTML)
        if not packed:
            return self.text(pid.PID_BODY_HTML, one_line=False)
        try:
            declared = self.properties.body_encoding
        except _FAULTS:
            declared = None
        return decode_text(packed, declared=declared)

    def text(self, number: int, *, one_line: bool = True) -> str:
        try:
            value = self.properties.str_prop_value(number) or ""
        except _FAULTS:
            wide = self._stream(number, 0x001F).decode("utf-16-le", "replace")
            value = wide or decode_text(self._stream(number, 0x001E))
        value = value.rstrip("\x00")
        return " ".join(value.split()) if one_line else value

    def content(self, number: int) -> bytes:
        return self._stream(number, 0x0102)

    def _stream(self, number: int, kind: int) -> bytes:
        name = f"__substg1.0_{number:04X}{kind:04X}"
        return next((one.bytes_ for one in self.storage.streams if one.name == name), b"")


PARSER = Parser(name="msg", version=3, media_types=("application/vnd.ms-outlook",), parse=parse)
