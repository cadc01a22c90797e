from __future__ import annotations

import base64
from contextlib import suppress
from email.message import EmailMessage

import pytest
from compressed_rtf import compress
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import MERIDIAN
from tests.parse.outlook_files import attached_message, attachment, compound_file, message
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, MarkKind
from tipstaff.domain.location import read_location
from tipstaff.parse import eml, msg
from tipstaff.parse.parser import CannotRead, Source

HEADERS = "From: Jonas Kjeldsen <j@x.example>\r\nTo: t@x.example\r\nSubject: Budget\r\n"


def parse(content: str | bytes) -> Document:
    content = content.encode() if isinstance(content, str) else content
    document = eml.parse(Source(content=content, name="x.eml", media_type="message/rfc822"))
    assert faults_of(document) == []
    return document


def parse_msg(content: bytes) -> Document:
    source = Source(content=content, name="x.msg", media_type="application/vnd.ms-outlook")
    document = msg.parse(source)
    assert faults_of(document) == []
    return document


def at(document: Document, place: str) -> str:
    found = CitableDocument("mail", document).resolve(read_location(place))
    return f"({found.reason})" if isinstance(found, Unresolved) else found.text


def said(document: Document) -> list[tuple[str, str | None, bool]]:
    """Clean words, author and whether quoted, of every paragraph."""
    return [
        (clean(document, block.span).text, block.author, block.quoted)
        for block in document.blocks
        if block.kind != "message"
    ]


def test_headers_are_a_message_and_the_body_is_paragraphs() -> None:
    document = parse(
        HEADERS + "Date: Wed, 12 Nov 2025 08:47:00 -0500\r\nMessage-ID: <2@x>\r\n"
        "In-Reply-To: <1@x>\r\nReferences: <0@x>\r\n <1@x>\r\n\r\n"
        "Two things:\r\n- one\r\n- two,\r\n  still two\r\n\r\nRegards\r\n-- \r\nJonas\r\n"
    )
    assert [(str(b.kind), str(b.location), document.text_of(b)) for b in document.blocks] == [
        (
            "message",
            "message-1",
            (
                "From: Jonas Kjeldsen <j@x.example>\nTo: t@x.example\n"
                "Date: Wed, 12 Nov 2025 08:47:00 -0500\nSubject: Budget"
            ),
        ),
        ("paragraph", "message-1:para-1", "Two things:"),
        ("list_item", "message-1:para-2", "- one"),
        ("list_item", "message-1:para-3", "- two,\n  still two"),
        ("paragraph", "message-1:para-4", "Regards\n--\nJonas"),
    ]
    assert {block.author for block in document.blocks} == {"Jonas Kjeldsen"}
    assert document.blocks[1].headings == ("Budget",)
    assert document.metadata == {
        "message-id": "<2@x>",
        "in-reply-to": "<1@x>",
        "references": "<0@x> <1@x>",
        "date": "Wed, 12 Nov 2025 08:47:00 -0500",
    }


def test_the_thread_of_the_reference_bundle_knows_who_said_what() -> None:
    document = parse((MERIDIAN / "context" / "email-thread.eml").read_bytes())
    voices = {(author, quoted) for _, author, quoted in said(document)}
    assert voices == {
        ("Jonas Kjeldsen", False),
        ("Jonas Kjeldsen", True),
        ("Tomas Verhaegen", True),
        ("Nadia Petrosyan", True),
        ("Dolores Quintanilla", True),
        ("Sunita Varghese", True),
    }
    words, author, _ = next(one for one in said(document) if "15 percent. This" in one[0])
    assert author == "Tomas Verhaegen"
    assert ">" not in words
    assert not any(mark.kind is MarkKind.HIDDEN for mark in document.marks)


@pytest.mark.parametrize(
    ("introduction", "author"),
    [
        ("On Tue, 11 Nov 2025 at 18:06, Tomas Verhaegen <t@x.example> wrote:", "Tomas Verhaegen"),
        ("On Nov 11, 2025, at 6:06 PM, Ann B. wrote:", "Ann B."),
        ("On 2025-11-11 18:06 <t@x.example> wrote:", "t@x.example"),
        (
            "On Tue, Nov 11, 2025 at 6:06 PM Tomas Verhaegen\n<t@x.example> wrote:",
            "Tomas Verhaegen",
        ),
        ("Am 11.11.2025 um 18:06 schrieb Jürgen Groß <j@x.example>:", "Jürgen Groß"),
        ("Le mar. 11 nov. 2025 à 18:06, Élise Roy <e@x.example> a écrit :", "Élise Roy"),
        ("Tomas wrote:", "Tomas"),
        ("On Thu, 3 Apr 2025 at 09:27, Aurel Pym wrote to Dario Fenn:", "Aurel Pym"),
        ("Aurel Pym wrote to Dario Fenn:", "Aurel Pym"),
    ],
)
def test_quoted_lines_belong_to_whoever_is_introduced(introduction: str, author: str) -> None:
    document = parse(
        f"{HEADERS}\nYes.\n\n{introduction}\n> Shall we?\n>> Deeper\n\nMy own words.\n"
    )
    assert said(document) == [
        ("Yes.", "Jonas Kjeldsen", False),
        (introduction, author, True),
        ("Shall we?", author, True),
        ("Deeper", None, True),
        ("My own words.", "Jonas Kjeldsen", False),
    ]


@pytest.mark.parametrize(
    "introduction",
    [
        "From: Ann Roe <a@x.example>\nSent: Tuesday, 11 November 2025 18:06\nTo: J\nSubject: B",
        "*From:* Ann Roe [mailto:a@x.example]\n*Date:* Tuesday\n*Subject:* B",
        "Von: Ann Roe\nGesendet: Dienstag\nAn: J\nBetreff: B",
    ],
)
def test_outlooks_way_of_quoting_is_seen(introduction: str) -> None:
    document = parse(
        f"{HEADERS}\nYes.\n\n-----Original Message-----\n{introduction}\n\nShall we?\n\nAnn\n"
    )
    assert said(document) == [
        ("Yes.", "Jonas Kjeldsen", False),
        ("-----Original Message-----", None, True),
        (introduction, "Ann Roe", True),
        ("Shall we?", "Ann Roe", True),
        ("Ann", "Ann Roe", True),
    ]


def test_words_that_only_look_like_headers_are_the_senders_own() -> None:
    document = parse(f"{HEADERS}\nFrom: here it is a mile.\n\nOn Monday she wrote: yes.\n")
    assert [quoted for _, _, quoted in said(document)] == [False, False]


def test_plain_text_is_preferred_and_html_is_read_where_there_is_no_other() -> None:
    both = EmailMessage()
    both["From"] = "a@x.example"
    both.set_content("Plain words.")
    both.add_alternative("<p>HTML words.</p>", subtype="html")
    assert [words for words, _, _ in said(parse(both.as_bytes()))] == ["Plain words."]
    empty = EmailMessage()
    empty.set_content("  \n")
    empty.add_alternative("<p>HTML words.</p>", subtype="html")
    assert [words for words, _, _ in said(parse(empty.as_bytes()))] == ["HTML words."]


def test_html_becomes_lines_rows_and_items_and_hidden_text_is_marked() -> None:
    html = """<html><head><style>p {color: red}</style><title>no</title></head><body>
    <div style="display:none">preview</div><p>Hello <b>World</b>,<br>second line</p>
    <ul><li>one</li><li>two</li></ul><ol><li>first</li></ol>
    <table><tr><th><p>Item</p></th><th>Q3</th></tr><tr><td><p>Rent</p></td><td>4.2</td></tr></table>
    <table><tr><td><p>laid</p><p>out</p></td></tr></table><pre>a
      b</pre><p>x<span style="color:#FFFFFF">white</span>y</p>
    <div bgcolor="#000"><p style="color:white">readable</p></div><script>no()</script><!-- no -->
    <div>On Tue, Nov 11, 2025 at 6:06 PM Tomas &lt;t@x.example&gt; wrote:<br>
    <blockquote>quoted<blockquote>deep</blockquote></blockquote></div>
    <p><b>From:</b> Ann<br><b>Sent:</b> Monday<br><b>To:</b> B</p><p>her words</p></body></html>"""
    document = parse(f"{HEADERS}Content-Type: text/html\n\n{html}")
    assert [(words, author) for words, author, _ in said(document)] == [
        ("", "Jonas Kjeldsen"),
        ("Hello World,\nsecond line", "Jonas Kjeldsen"),
        ("- one", "Jonas Kjeldsen"),
        ("- two", "Jonas Kjeldsen"),
        ("1. first", "Jonas Kjeldsen"),
        ("Item | Q3", "Jonas Kjeldsen"),
        ("Rent | 4.2", "Jonas Kjeldsen"),
        ("laid", "Jonas Kjeldsen"),
        ("out", "Jonas Kjeldsen"),
        ("a\n      b", "Jonas Kjeldsen"),
        ("xy", "Jonas Kjeldsen"),
        ("readable", "Jonas Kjeldsen"),
        ("On Tue, Nov 11, 2025 at 6:06 PM Tomas <t@x.example> wrote:", "Tomas"),
        ("quoted", "Tomas"),
        ("deep", None),
        ("From: Ann\nSent: Monday\nTo: B", "Ann"),
        ("her words", "Ann"),
    ]
    hidden = [(document.words(m.span), m.reason) for m in document.marks if m.kind == "hidden"]
    assert hidden == [("preview", "is not displayed"), ("white", "is white on white")]


def test_deeply_nested_html_keeps_its_words() -> None:
    document = parse(f"{HEADERS}Content-Type: text/html\n\n{'<div>' * 5000}the words")
    assert "the words" in document.text
    assert "without their layout" in document.notes[0]


def test_attached_mails_are_further_messages_of_the_item() -> None:
    inner = EmailMessage()
    inner["From"] = "Ann <ann@x.example>"
    inner["Subject"] = "Inner"
    inner["Message-ID"] = "<inner@x>"
    inner.set_content("First.\n\nSecond.")
    innermost = EmailMessage()
    innermost["Subject"] = "Innermost"
    innermost.set_content("Deep words.")
    inner.add_attachment(innermost)
    outer = EmailMessage()
    outer["From"] = "Jonas <j@x.example>"
    outer.set_content("See attached.")
    outer.add_attachment(b"x" * 12_000, maintype="application", subtype="pdf", filename="x.pdf")
    outer.add_attachment(inner)
    document = parse(outer.as_bytes())
    assert at(document, "message-2:para-2") == "Second."
    assert at(document, "message-1:para-1") == "See attached."
    assert at(document, "message-2").startswith("From: Ann <ann@x.example>\nSubject: Inner\n")
    assert "Deep words." not in at(document, "message-2")
    assert at(document, "message-3:para-1") == "Deep words."
    assert at(document, "message-4") == "(message-4 of 3)"
    assert document.metadata["message-2:message-id"] == "<inner@x>"
    assert document.notes == ("The attachment 'x.pdf' (application/pdf, 12 KB) is not indexed.",)
    assert at(document, "message-1").startswith(
        "From: Jonas <j@x.example>\nAttachment: x.pdf (12 KB)"
    )


def test_a_digest_is_several_messages() -> None:
    document = parse(
        'Subject: Digest\nMIME-Version: 1.0\nContent-Type: multipart/digest; boundary="b"\n\n'
        "--b\n\nSubject: One\n\nFirst words.\n--b\n\nSubject: Two\n\nSecond words.\n--b--\n"
    )
    assert at(document, "message-2:para-1") == "First words."
    assert at(document, "message-3:para-1") == "Second words."


def test_a_mail_attached_as_base64_is_read() -> None:
    inner = base64.encodebytes(b"Subject: Inner\n\nInner words.\n").decode()
    document = parse(
        f'{HEADERS}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
        "--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        f"{inner}\n--b--\n"
    )
    assert at(document, "message-2:para-1") == "Inner words."


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_a_file_saved_as_unicode_text_is_turned_back_into_mail(encoding: str) -> None:
    document = parse(f"{HEADERS}\nGrüße aus Köln\n".encode(encoding))
    assert said(document) == [("Grüße aus Köln", "Jonas Kjeldsen", False)]


@pytest.mark.parametrize(
    ("charset", "content"),
    [
        ("utf-8", "Käse €".encode()),
        ("iso-8859-1", "Käse €".encode()),  # wrongly declared
        ("us-ascii", "Käse €".encode("cp1252")),
        ("no-such-charset", "Käse €".encode("cp1252")),
        ("iso-8859-15", "Käse €".encode("iso-8859-15")),
        ("iso-2022-jp", "日本語".encode("iso-2022-jp")),
    ],
)
def test_wrong_charsets_survive(charset: str, content: bytes) -> None:
    head = f"Subject: x\nContent-Type: text/plain; charset={charset}\n\n".encode()
    assert said(parse(head + content))[0][0] in ("Käse €", "日本語")


def test_encoded_words_and_transfer_encodings_are_decoded() -> None:
    body = base64.encodebytes("Schöne Grüße".encode()).decode()
    document = parse(
        "From: =?utf-8?B?SsO8cmdlbg==?= <j@x.example>\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\n"
        f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{body}"
    )
    assert at(document, "message-1:para-1") == "Schöne Grüße"
    assert document.blocks[0].author == "Jürgen"
    assert "Subject: Grüße" in document.text
    document = parse(
        f"{HEADERS}Content-Transfer-Encoding: quoted-printable\n\nK=C3=A4se=\n kuchen =ZZ"
    )
    assert at(document, "message-1:para-1") == "Käse kuchen =ZZ"


@pytest.mark.parametrize(
    "content",
    [
        b"no headers at all, only words",
        b"From: (((((((\nTo: <<<>>>,,;\nDate: never\nSubject: =?utf-8?Q?=ZZ?=\n\nwords",
        b"From: a@b@c <<\nContent-Type: multipart/mixed\n\nwords without parts",
        b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nwords, and never an end',
        b'Content-Type: ;;;\nContent-Disposition: =?=\n\nwords',
        b"Subject: x\nContent-Transfer-Encoding: base64\n\nwords! not base64 ***",
        b"Subject: \xff\xfe\xe4 bytes\n\nwords \xe4\xff",
        b"Subject: x\n\nwords\x00\x01\x02",
    ],
)  # fmt: skip
def test_broken_mail_still_says_its_words(content: bytes) -> None:
    assert parse(content).blocks


@pytest.mark.parametrize("content", [b"", b"\r\n\r\n", b"X-Nothing: x\n\n"])
def test_an_empty_mail_cannot_be_read(content: bytes) -> None:
    with pytest.raises(CannotRead, match="empty"):
        parse(content)


def test_an_encrypted_mail_cannot_be_read() -> None:
    with pytest.raises(CannotRead, match="encrypted"):
        parse(
            f"{HEADERS}Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n"
            "Content-Transfer-Encoding: base64\n\nAAAA\n"
        )


def test_nesting_without_end_is_refused_or_noted() -> None:
    parts = "".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(3000)
    )
    with pytest.raises(CannotRead, match="nested too deeply"):
        parse(f"Subject: x\n{parts}\n\nwords")
    forty = parse("Content-Type: message/rfc822\n\n" * 40 + "Subject: x\n\nwords")
    assert forty.notes == ("Parts of the email are nested too deeply and were not read.",)


mail_pieces = st.sampled_from(
    ["> ", ">> ", "On Tue, 11 Nov 2025 at 18:06, A B wrote:", "From: A", "Sent: B", "To: C",
     "-----Original Message-----", "\n", "\n\n", "- x", "1. y", "_____", "words", " ", "Subject: "]
)  # fmt: skip


@given(st.lists(mail_pieces | st.text(max_size=3), max_size=30))
def test_any_plain_body_keeps_the_promises(pieces: list[str]) -> None:
    parse((HEADERS + "\n" + "".join(pieces)).encode("utf-8", "replace"))


@given(st.lists(st.sampled_from(
    ["<p>", "</p>", "<div hidden>", "</div>", "<table>", "<tr>", "<td>", "</td>", "</tr>", "<li>",
     "</table>", "<ul>", "</ul>", "<blockquote>", "</blockquote>", "<br>", "<pre>", "</pre>",
     "words", " ", "\n", "&amp;", "<!-- c -->", "<?x?>", "<style>", "</style>", "<", "<b",
     "<span style='font-size:0'>", "</span>"]
), max_size=40))  # fmt: skip
def test_any_html_body_keeps_the_promises(pieces: list[str]) -> None:
    parse(f"{HEADERS}Content-Type: text/html\n\n{''.join(pieces)}")


@given(st.binary(max_size=200))
def test_any_bytes_keep_the_promises(content: bytes) -> None:
    with suppress(CannotRead):
        parse(content)


def test_an_outlook_message_has_the_same_shape() -> None:
    inner = message(
        (), 24, subject="Inner", sender="Ann", body="First.\r\n\r\nSecond. " + "x" * 9000
    )
    document = parse_msg(
        compound_file(
            message(
                (
                    attachment(file_name="x.pdf", mime="application/pdf", data=b"z" * 12_000),
                    attached_message(inner),
                ),
                subject="Grüße",
                sender="Jonas Kjeldsen",
                address="j@x.example",
                to="Tomas; Ann",
                message_id="<1@x>",
                body="Yes.\r\n\r\nFrom: Ann\r\nSent: Monday\r\nTo: J\r\n\r\nShall we?\r\n",
            )
        )
    )
    assert at(document, "message-1").startswith(
        "From: Jonas Kjeldsen <j@x.example>\nTo: Tomas; Ann\nSubject: Grüße\n"
        "Attachment: x.pdf (12 KB)\n"
    )
    assert said(document)[:3] == [
        ("Yes.", "Jonas Kjeldsen", False),
        ("From: Ann\nSent: Monday\nTo: J", "Ann", True),
        ("Shall we?", "Ann", True),
    ]
    assert at(document, "message-2:para-1") == "First."
    assert document.metadata == {"message-id": "<1@x>"}
    assert document.notes == ("The attachment 'x.pdf' (application/pdf, 12 KB) is not indexed.",)


def test_an_outlook_message_of_html_or_rtf_alone_is_read() -> None:
    html = compound_file(message(subject="x", html="<p>Käse &amp; Brot</p>".encode()))
    assert at(parse_msg(html), "message-1:para-1") == "Käse & Brot"
    rtf = compress(rb"{\rtf1\ansi K\'e4se\par\par Brot\par}", compressed=True)
    document = parse_msg(compound_file(message(subject="x", rtf=rtf)))
    assert [words for words, _, _ in said(document)] == ["Käse", "Brot"]
    broken = compound_file(message(subject="x", rtf=rtf[:10]))
    assert "damaged" in parse_msg(broken).notes[0]


def test_headers_as_they_were_sent_win_over_outlooks_own() -> None:
    headers = "From: Ann <ann@x.example>\r\nDate: Wed, 12 Nov 2025 08:47:00 -0500\r\n\r\n"
    document = parse_msg(compound_file(message(headers=headers, sender="EX/ANN", body="words")))
    assert at(document, "message-1").startswith(
        "From: Ann <ann@x.example>\nDate: Wed, 12 Nov 2025 08:47:00 -0500\n"
    )
    assert document.blocks[0].author == "Ann"


def test_damaged_outlook_files_cannot_be_read_and_name_no_file() -> None:
    whole = compound_file(message(subject="x", body="words"))
    for content in (b"", b"/etc/hostname", whole[:100], whole[:600], whole[:8] + b"\xff" * 2000):
        with pytest.raises(CannotRead, match="damaged"):
            parse_msg(content)


@given(st.integers(0, 4000), st.binary(min_size=1, max_size=8))
def test_any_damage_to_an_outlook_file_is_survived(position: int, damage: bytes) -> None:
    whole = compound_file(message(subject="x", body="words"))
    with suppress(CannotRead):
        parse_msg(whole[:position] + damage + whole[position + len(damage) :])
