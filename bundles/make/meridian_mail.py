"""Write the e-mail thread as the message that arrived last.

In: header lines, `---`, and a plain body in which `>` marks what was quoted. Out: the bytes of a
multipart/alternative message. The invariant is that both parts say the same words: the HTML part is
made from the plain one. The message is assembled by hand because the standard library folds headers
differently from one Python version to the next.
"""

import quopri
import textwrap
from html import escape

BOUNDARY = "=_kingfisher_7d1f02c9"
WIDTH = 76


def compose(source: str) -> bytes:
    """Turn the source text into a message with CRLF line ends, as mail travels."""
    headers, _, body = source.partition("\n---\n")
    parts = [("plain", wrap_quoted(body)), ("html", as_html(body))]
    lines = [headers, f'Content-Type: multipart/alternative; boundary="{BOUNDARY}"', ""]
    for subtype, text in parts:
        encoded = quopri.encodestring(text.encode("utf-8")).decode("ascii")
        lines += [
            f"--{BOUNDARY}",
            f'Content-Type: text/{subtype}; charset="utf-8"',
            "Content-Transfer-Encoding: quoted-printable",
            "",
            encoded.rstrip("\n"),
            "",
        ]
    lines += [f"--{BOUNDARY}--", ""]
    return "\n".join(lines).replace("\n", "\r\n").encode("ascii")


def split_quote(line: str) -> tuple[int, str]:
    """How deeply a line is quoted, and the line without its marks."""
    text = line.lstrip(">")
    return len(line) - len(text), text.removeprefix(" ")


def wrap_quoted(body: str) -> str:
    """Wrap each paragraph as a mail program does, repeating the quote marks on every line."""
    out: list[str] = []
    for line in body.rstrip("\n").splitlines():
        depth, text = split_quote(line)
        mark = ">" * depth + " " if depth else ""
        wrapped = textwrap.wrap(text, WIDTH - len(mark), break_on_hyphens=False) or [""]
        out += [(mark + piece).rstrip() for piece in wrapped]
    return "\n".join(out) + "\n"


def as_html(body: str) -> str:
    """Nest a blockquote for each level of quoting."""
    out = ["<html><body>"]
    current = 0
    for line in body.rstrip("\n").splitlines():
        depth, text = split_quote(line)
        out += ["<blockquote>"] * (depth - current)
        out += ["</blockquote>"] * (current - depth)
        current = depth
        if text:
            out.append(f"<p>{escape(text, quote=False)}</p>")
    out += ["</blockquote>"] * current + ["</body></html>"]
    return "\n".join(out) + "\n"
