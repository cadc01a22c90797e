"""Mail as it is sent (EML, RFC 5322 and MIME) → a document of its messages.

Whatever is broken, what can be read is read: headers one by one, bodies by the charset that
their bytes bear out. Mails attached to the mail are further messages of the same item.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import email
import email.header
import email.policy
import email.utils
import re
from email.message import Message

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Document
from tipstaff.parse.mail import (
    SHOWN_HEADERS,
    THREAD_HEADERS,
    Mail,
    MailAttachment,
    document_of,
)
from tipstaff.parse.mail_body import BodyLine, plain_lines
from tipstaff.parse.mail_html import html_lines
from tipstaff.parse.parser import CannotRead, Parser, Source

_MAX_DEPTH = 30
_MAX_MESSAGES = 500
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Written in seven bits: their bytes look like plain ASCII.
_SEVEN_BIT = re.compile(r"iso-?2022|^hz|utf-?7$", re.IGNORECASE)
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_DEEP = "Parts of the email are nested too deeply and were not read."
_MANY = f"Only the first {_MAX_MESSAGES} messages inside the email were read."


def parse(source: Source) -> Document:
    try:
        message = email.message_from_bytes(_octets(source.content), policy=email.policy.default)
        reader = _Reader()
        mail = reader.mail(message, depth=0)
    except RecursionError:
        raise CannotRead(
            "The parts of the email are nested too deeply to be read.",
            "Ask the sender to attach the inner messages as files of their own.",
        ) from None
    has_words = any(line.words.strip() for line in mail.lines)
    if _type(message) in _ENCRYPTED and not has_words and not mail.inside:
        raise CannotRead(
            "The email is encrypted.", "Ask the sender for the message in readable form."
        )
    return document_of(mail)


def mail_of_headers(message: Message) -> Mail:
    """A mail that has its headers and nothing else yet."""
    mail = Mail(sender=_sender(message))
    for known, names in ((mail.headers, SHOWN_HEADERS), (mail.thread, THREAD_HEADERS)):
        for name in names:
            if value := _header(message, name):
                known[name] = value
    return mail


def _octets(content: bytes) -> bytes:
    """Mail is made of bytes; a file that was saved as UTF-16 text is turned back into them."""
    if content.startswith(_WIDE_MARKS) or b"\x00" in content[:64]:
        content = decode_text(content).encode("utf-8", "replace")
    return content.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n \t")


class _Reader:
    """Turns messages into mails; counts them, so that no bomb of small ones gets through."""

    def __init__(self) -> None:
        self.count = 0

    def mail(self, message: Message, depth: int) -> Mail:
        self.count += 1
        mail = mail_of_headers(message)
        self._part(message, mail, depth)
        return mail

    def _part(self, part: Message, mail: Mail, depth: int) -> None:
        kind = _type(part)
        if depth > _MAX_DEPTH:
            _note(mail, _DEEP)
        elif kind == "message/rfc822" and (inner := _attached_message(part)) is not None:
            if self.count >= _MAX_MESSAGES:
                _note(mail, _MANY)
            else:
                mail.inside.append(self.mail(inner, depth + 1))
        elif part.is_multipart() and kind.startswith("multipart/"):
            self._parts(part, kind, mail, depth)
        elif kind in ("text/plain", "text/html") and not _is_attachment(part):
            _add_text(mail, part, kind)
        elif kind.startswith("multipart/"):  # says so, but has no parts
            _add_lines(mail, plain_lines(_text(part)))
        else:
            mail.attachments.append(_attachment(part, kind))

    def _parts(self, part: Message, kind: str, mail: Mail, depth: int) -> None:
        parts = [one for one in part.get_payload() if isinstance(one, Message)]
        if kind == "multipart/alternative":
            parts = _best_of(parts)
        for one in parts:
            self._part(one, mail, depth + 1)


def _best_of(parts: list[Message]) -> list[Message]:
    """One of several forms of the same words: plain text if it says anything, then the last
    form that holds HTML (a calendar or a fax is no body)."""
    for one in parts:
        if _type(one) == "text/plain" and not _is_attachment(one) and _text(one).strip():
            return [one]
    for one in reversed(parts):
        if any(_type(inner) == "text/html" for inner in one.walk()):
            return [one]
    return parts[:1]


def _add_text(mail: Mail, part: Message, kind: str) -> None:
    text = _text(part)
    if kind == "text/plain":
        _add_lines(mail, plain_lines(text))
        return
    lines, note = html_lines(text)
    _add_lines(mail, lines)
    if note:
        _note(mail, note)


def _add_lines(mail: Mail, lines: list[BodyLine]) -> None:
    if mail.lines:
        mail.lines.append(BodyLine(""))
    mail.lines += lines


def _note(mail: Mail, note: str) -> None:
    if note not in mail.notes:
        mail.notes.append(note)


def _attached_message(part: Message) -> Message | None:
    payload = part.get_payload()
    if not isinstance(payload, list) or not payload or not isinstance(payload[0], Message):
        return None
    encoding = str(_raw_header(part, "Content-Transfer-Encoding") or "").strip().lower()
    inner = payload[0]
    if encoding == "base64" and not inner.keys():
        # Not allowed, but sent: the message as one encoded block.
        try:
            content = base64.b64decode(str(inner.get_payload()), validate=False)
        except (binascii.Error, ValueError):
            return inner
        return email.message_from_bytes(content, policy=email.policy.default)
    return inner


def _attachment(part: Message, kind: str) -> MailAttachment:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        payload = b"".join(bytes(one) for one in part.get_payload() if isinstance(one, Message))
    name = _file_name(part) or f"unnamed {kind}"
    return MailAttachment(name, kind, len(payload))


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except Exception:  # the header parser fails on some malformed headers
        name = ""
    return " ".join(_printable(name).split())


def _is_attachment(part: Message) -> bool:
    disposition = str(_raw_header(part, "Content-Disposition") or "")
    return disposition.strip().lower().startswith("attachment")


def _type(part: Message) -> str:
    try:
        return part.get_content_type()
    except Exception:  # the header parser fails on some malformed headers
        return "text/plain"


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        charset = str(part.get_param("charset") or "")
    except Exception:  # the header parser fails on some malformed headers
        charset = ""
    if _SEVEN_BIT.search(charset):
        try:
            return payload.decode(charset)
        except (LookupError, UnicodeDecodeError):
            pass
    return decode_text(payload, declared=charset or None)


def _sender(message: Message) -> str | None:
    name, address = email.utils.parseaddr(_header(message, "From") or _header(message, "Sender"))
    return name or address or _header(message, "From") or None


def _header(message: Message, name: str) -> str:
    """A header as it reads; where the strict parser fails, the lenient one."""
    try:
        values = [str(value) for value in message.get_all(name, [])]
    except Exception:  # the header parser fails on some malformed headers
        values = [_leniently(str(_raw_header(message, name) or ""))]
    return " ".join(_printable(", ".join(values)).split())


def _raw_header(message: Message, name: str) -> str | None:
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return str(value)
    return None


def _leniently(value: str) -> str:
    try:
        return str(email.header.make_header(email.header.decode_header(value)))
    except (LookupError, ValueError, email.errors.HeaderParseError):
        return value


def _printable(value: str) -> str:
    """Bytes that no charset was declared for come as surrogates: read them as text."""
    try:
        return decode_text(value.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode("utf-8")


PARSER = Parser(name="eml", version=3, media_types=("message/rfc822",), parse=parse)
