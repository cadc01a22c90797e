from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parse.code_samples import SMALL
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage, Unresolved
from tipstaff.domain.document import BlockKind, Document
from tipstaff.domain.location import Lines, read_location
from tipstaff.media_type import sniff
from tipstaff.parse import source_code
from tipstaff.parse.code_languages import LANGUAGES
from tipstaff.parse.parser import Source
from tipstaff.parse.registry import BUILT_IN, parser_for


def parse(name: str, text: str | bytes) -> Document:
    content = text.encode() if isinstance(text, str) else text
    media_type = sniff(content[:4096], name)
    document = source_code.parse(Source(content=content, name=name, media_type=media_type))
    assert faults_of(document) == []
    assert document.lines_are_the_files
    return document


def outline(document: Document) -> list[tuple[str, str]]:
    return [(str(block.location), ".".join(block.headings)) for block in document.blocks]


def cited(document: Document, location: str) -> str:
    found = CitableDocument("auth-module", document).resolve(read_location(location))
    assert isinstance(found, Passage), found
    return found.text


def refused(document: Document, location: str) -> str:
    found = CitableDocument("auth-module", document).resolve(read_location(location))
    assert isinstance(found, Unresolved), found
    return found.reason


def filler(count: int, line: str = "        pass") -> str:
    return "\n".join([line] * count) + "\n"


AUTH = (
    '"""Signing in."""\n'
    "import os\n"
    "\n"
    "LIMIT = 3\n"
    "\n"
    "# Tries three times.\n"
    "@traced\n"
    "def login(name):\n"
    "    return name\n"
    "\n"
    "class Small:\n"
    "    def close(self):\n"
    "        return 1\n"
    "\n"
    "class Session:\n"
    '    """One visit."""\n'
    "    limit = 4\n"
    "\n"
    "    # Opens it.\n"
    "    def __init__(self):\n" + filler(50) + "\n"
    "    @property\n"
    "    def name(self):\n" + filler(6) + "\n"
    "    timeout_s = 5\n"
    "\n"
    "    async def close(self):\n"
    "        return 'closed'\n"
    "\n"
    "if __name__ == '__main__':\n"
    "    login('x')\n"
)


def test_python_gives_header_functions_and_the_members_of_a_large_class() -> None:
    assert outline(parse("auth.py", AUTH)) == [
        ("L1-4", ""),
        ("L6-9", "login"),
        ("L11-13", "Small"),
        ("L15-17", "Session"),
        ("L19-70", "Session.__init__"),
        ("L72-79", "Session.name"),
        ("L81", "Session"),
        ("L83-84", "Session.close"),
        ("L86-87", ""),
    ]


def test_blocks_are_whole_lines_with_their_comments_and_decorators() -> None:
    document = parse("auth.py", AUTH)
    login = document.blocks[1]
    assert document.text_of(login) == (
        "# Tries three times.\n@traced\ndef login(name):\n    return name"
    )
    assert document.text_of(document.blocks[4]).startswith("    # Opens it.\n")
    assert all(block.kind is BlockKind.CODE_DEFINITION for block in document.blocks)


def test_a_definition_is_cited_by_its_name() -> None:
    document = parse("auth.py", AUTH)
    assert cited(document, "login").endswith("return name")
    assert cited(document, "Session.close").strip() == (
        "async def close(self):\n        return 'closed'"
    )
    assert cited(document, "Session::close") == cited(document, "Session.close")
    assert cited(document, "session-close") == cited(document, "Session.close")
    assert cited(document, "name()") == cited(document, "Session.name")
    assert cited(document, "__init__").startswith("    # Opens it.")
    assert cited(document, "login:para-2") == cited(document, "login")


def test_a_class_is_cited_with_all_its_members() -> None:
    text = cited(parse("auth.py", AUTH), "Session")
    assert text.startswith("class Session:")
    assert text.endswith("return 'closed'")


def test_a_method_of_a_small_class_is_cited_by_its_own_lines() -> None:
    document = parse("auth.py", AUTH)
    assert cited(document, "Small.close") == "    def close(self):\n        return 1"
    assert cited(document, "Small") == "class Small:\n    def close(self):\n        return 1"
    assert refused(document, "close") == "'close' could be any of Session.close, Small.close"


def test_a_field_of_a_small_class_leads_to_the_class_around_it() -> None:
    document = parse("a.py", "class A:\n    limit = 1\n    class B:\n        size = 2\n")
    assert cited(document, "A.limit").startswith("class A:")
    assert cited(document, "A.B.size") == "    class B:\n        size = 2"


MEMBERS = [
    ("a.py", "class A:\n    x = 1\n\n    # Why.\n    @p\n    def f(self):\n        return 1\n",
     "    # Why.\n    @p\n    def f(self):\n        return 1"),
    ("a.js", "class A {\n  x = 1;\n  f() {\n    return 1;\n  }\n}\n",
     "  f() {\n    return 1;\n  }"),
    ("b.js", "const A = class {\n  f() { return 1; }\n};\n", "  f() { return 1; }"),
    ("a.ts", "export class A {\n  // Why.\n  f(): number { return 1 }\n}\n",
     "  // Why.\n  f(): number { return 1 }"),
    ("A.java", "class A {\n  int x;\n  @Override\n  int f() { return 1; }\n}\n",
     "  @Override\n  int f() { return 1; }"),
    ("a.rs", "impl A {\n    /// Why.\n    fn f(&self) -> i32 {\n        1\n    }\n}\n",
     "    /// Why.\n    fn f(&self) -> i32 {\n        1\n    }"),
    ("a.cpp", "class A {\n public:\n  int f() { return 1; }\n};\n", "  int f() { return 1; }"),
    ("a.cs", "class A {\n  int x;\n  int f() { return 1; }\n}\n", "  int f() { return 1; }"),
    ("a.rb", "class A\n  def f\n    1\n  end\nend\n", "  def f\n    1\n  end"),
    ("a.php", "<?php\nclass A {\n  function f() { return 1; }\n}\n",
     "  function f() { return 1; }"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "lines"), MEMBERS, ids=[name for name, _, _ in MEMBERS])
def test_methods_of_small_classes_are_cited_in_every_language(
    name: str, text: str, lines: str
) -> None:
    document = parse(name, text)
    assert [path for _, path in outline(document) if path] == ["A"]
    assert cited(document, "A.f") == cited(document, "f") == lines


def test_members_of_classes_inside_classes_are_found_and_overloads_are_all_cited() -> None:
    document = parse(
        "A.java",
        "class A {\n  class B {\n    int f() { return 1; }\n  }\n"
        "  int g() { return 1; }\n  int x;\n  int g(int a) { return a; }\n}\n",
    )
    assert cited(document, "A.B.f") == cited(document, "f") == "    int f() { return 1; }"
    assert cited(document, "A.g") == "  int g() { return 1; }\n  int g(int a) { return a; }"
    assert [names for _, names in outline(document)] == ["A"]


def test_names_that_are_not_defined_are_refused_with_the_names_that_are() -> None:
    document = parse("auth.py", AUTH)
    assert refused(document, "logout") == (
        "there is no definition 'logout' among: login, Small, Session, Session.__init__, "
        "Session.name, Session.close …"
    )
    assert "no definition" in refused(document, "Small.open")
    assert "no definition" in refused(document, "Session.nothing")


def test_a_name_that_could_be_several_is_refused_with_all_of_them() -> None:
    document = parse(
        "x.go",
        "package x\n\nfunc (a *A) Close() {}\n\nfunc (b B[T]) Close() {}\n\nfunc Open() {}\n",
    )
    assert refused(document, "Close") == "'Close' could be any of A.Close, B.Close"
    assert cited(document, "B.Close") == "func (b B[T]) Close() {}"
    assert cited(document, "Open") == "func Open() {}"


def test_overloads_are_cited_together() -> None:
    body = "    int sum(int a) { return a; }\n" + "    // gap\n" * 60
    document = parse("S.java", "class S {\n" + body + "    int sum() { return 0; }\n}\n")
    assert cited(document, "S.sum") == (
        "    int sum(int a) { return a; }\n" + "    // gap\n" * 59 + "    // gap\n"
        "    int sum() { return 0; }"
    )


def test_properties_of_one_line_are_fields() -> None:
    body = "  int A { get; }\n" + "  // gap\n\n" * 30 + "  int B {\n    get { return 1; }\n  }\n"
    document = parse("S.cs", "class S {\n" + body + "}\n")
    assert outline(document)[0] == ("L1-59", "S")
    assert outline(document)[-1] == ("L63-65", "S.B")
    assert cited(document, "S.A").startswith("class S {\n  int A { get; }")


def test_headings_of_other_formats_are_not_definitions() -> None:
    parser = parser_for("text/markdown")
    assert parser is not None
    content = b"# Setup\n\n```\ninstall x\n```\n"
    document = parser.parse(Source(content=content, name="x.md", media_type="text/markdown"))
    assert refused(document, "Setup.install").startswith("there is no section")


@pytest.mark.parametrize("name", SMALL)
def test_every_language_gives_its_definitions(name: str) -> None:
    text, expected = SMALL[name]
    assert outline(parse(name, text)) == expected


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_do_not_shift_lines(name: str, line_end: str) -> None:
    text, expected = SMALL[name]
    assert outline(parse(name, text.replace("\n", line_end))) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            (
                "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\nEND //\nDELIMITER ;\n"
                "CREATE TABLE `a b` (x int);\n"
            ),
            [("L1", ""), ("L2-5", "p"), ("L6", ""), ("L7", "a b")],
        ),
        (
            "CREATE PROC dbo.[p q] AS\nSET NOCOUNT ON;\nSELECT 1;\nGO\nSELECT 2;\n",
            [("L1-3", "dbo.p q"), ("L4-5", "")],
        ),
        (
            "CREATE FUNCTION f RETURN int IS\n  x int;\nBEGIN\n  RETURN x;\nEND;\n/\n",
            [("L1-5", "f")],
        ),
        (
            (
                "CREATE TABLE a (x int\nCREATE TABLE b (x int);\nCREATE TRIGGER t BEGIN SELECT 1;\n"
                "CREATE VIEW v AS SELECT 1"
            ),
            [("L1-2", "a"), ("L3", "t"), ("L4", "v")],
        ),
    ],
)
def test_sql_dialects_end_their_statements_differently(
    sql: str, expected: list[tuple[str, str]]
) -> None:
    assert outline(parse("x.sql", sql)) == expected


def test_wrapped_scripts_are_opened() -> None:
    inner = "  function one() {\n    return 1;\n  }\n" + "  x();\n" * 70
    document = parse("umd.js", "(function (root) {\n" + inner + "})(this);\n")
    assert ("L2-4", "one") in outline(document)


def test_long_stretches_without_definitions_are_cut() -> None:
    document = parse("data.py", "X = [\n" + "    1,\n" * 150 + "]\n")
    assert outline(document) == [("L1-60", ""), ("L61-120", ""), ("L121-152", "")]


def test_closing_lines_are_syntax() -> None:
    document = parse("a.rb", "module A\n  def x\n  end\nend\n")
    assert outline(document) == [("L1", "A"), ("L2-3", "A.x")]
    assert [document.words(mark.span) for mark in document.marks] == ["end"]


def test_definitions_on_one_line_stay_one_block() -> None:
    document = parse("a.js", "function a() {} function b() {\n}\nfunction c() {}\n")
    assert outline(document) == [("L1-2", "a"), ("L3", "c")]


def test_broken_code_still_gives_its_definitions() -> None:
    document = parse("a.py", "def f(:\n    pass\n\n\x00def ( \n\nclass A:\n    x = = 1\n")
    assert "".join(document.text_of(block) for block in document.blocks).count("pass") == 1
    assert len(document.blocks) >= 1


def test_code_in_other_encodings_is_read() -> None:
    document = parse("a.py", "# Zürich\ndef größe():\n    return 'é'\n".encode("utf-16"))
    assert outline(document) == [("L1-3", "größe")]
    assert cited(document, "größe").endswith("'é'")


@pytest.mark.parametrize(
    "text",
    [("x = 1 " * 20 + "\n\n") * 20_000, "a" * 100_001, "def f():\n  pass\n\n" + "b" * 100_001],
)
def test_what_is_too_large_is_cut_at_blank_lines_and_says_so(text: str) -> None:
    content = text.encode()
    document = source_code.parse(Source(content=content, name="x.py", media_type="text/x-python"))
    assert document.notes == (
        (
            "The source code is too large to look for its definitions; "
            "it is cut at blank lines instead."
        ),
    )
    assert document.blocks[0].location in (Lines(1, 1), Lines(1, 4), Lines(1, 59))
    assert sum(len(document.text_of(block).split()) for block in document.blocks) == len(
        text.split()
    )


@pytest.mark.parametrize("name", [*SMALL, "Makefile", "Dockerfile"])
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n\n \n",
        b"\xef\xbb\xbf",
        b"\x00" * 50,
        b"\xff\xfe\x00\xd8" * 20,
        b"(" * 5_000,
        b"{[(<" * 300 + b"\n" * 20,
        b"if x:\n" * 400,
        b"namespace a {\n" * 400,
        b"template <class T>\n" * 400,
        b"class A {\n" * 400,
        b"module A\n" * 400,
        b"export default " * 400,
        b"'\n" * 400,
        b"<<EOF\n" * 200,
        b"CREATE TRIGGER t BEGIN '\n" * 400,
    ],
    ids=range(16),
)
def test_hostile_code_keeps_the_promises(name: str, text: bytes) -> None:
    media_type = sniff(b"x", name)
    document = source_code.parse(Source(content=text, name=name, media_type=media_type))
    assert faults_of(document) == []


_BITS = st.sampled_from(
    ["def f():", "class A", "{", "}", "(", ")", "\n", "\n\n", "\r\n", "    ", "function g()", ";",
     "end", "# c", "// c", "/* c */", "x = 1", "'", '"', "#if A\n", "#endif\n", "namespace n",
     "CREATE TABLE t", "BEGIN", "impl B", "=> ", "é\u2028", "\x00", "\x0c", "<?php ", "$$"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(sorted(SMALL)), bits=st.lists(_BITS, max_size=60))
def test_any_code_keeps_the_promises(name: str, bits: list[str]) -> None:
    content = " ".join(bits).encode()
    media_type = sniff(b"x", name)
    document = source_code.parse(Source(content=content, name=name, media_type=media_type))
    assert faults_of(document) == []


def test_the_parser_and_the_registry_name_the_same_types() -> None:
    registered = {kind for kind, module in BUILT_IN.items() if module == "source_code"}
    assert registered == set(source_code.PARSER.media_types)
    assert set(LANGUAGES) <= registered
    assert parser_for("text/x-rust") is source_code.PARSER


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.kt", "text/x-kotlin"),
        ("a.swift", "text/x-swift"),
        ("a.scala", "text/x-scala"),
        ("A.PM", "text/x-perl"),
        ("src/Dockerfile", "text/x-dockerfile"),
        ("Makefile", "text/x-makefile"),
        ("rules.mk", "text/x-makefile"),
        ("a.pyi", "text/x-python"),
        ("a.cjs", "text/javascript"),
        ("pyproject.toml", "text/plain"),
        ("setup.cfg", "text/plain"),
        ("a.ini", "text/plain"),
    ],
)
def test_code_is_known_by_its_name(name: str, media_type: str) -> None:
    assert sniff(b"hello: world\n", name) == media_type
