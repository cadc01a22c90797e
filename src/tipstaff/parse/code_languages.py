"""Which grammar reads a language of source code, and which of its nodes define something.

A table only: media type and file name → `CodeLanguage`. Node names are the grammars' own.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from tree_sitter import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLanguage:
    """`functions` are always one block; `classes` are one block while small, else a header and
    members; `namespaces` are always opened; `wrappers` stand around a definition (decorators,
    `export`, `template`); `values` define something where they hold a function or a class;
    `fields` are definitions only where they take more than one line."""

    grammar: str  # module:function
    functions: frozenset[str]
    classes: frozenset[str] = frozenset()
    namespaces: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()


def _names(*names: str) -> frozenset[str]:
    return frozenset(" ".join(names).split())


_C_FUNCTIONS = "function_definition preproc_function_def"
_C_CLASSES = "struct_specifier union_specifier enum_specifier"

_SCRIPT_FUNCTIONS = "function_declaration generator_function_declaration method_definition"
_SCRIPT_VALUES = (
    "lexical_declaration variable_declaration expression_statement pair field_definition "
    "public_field_definition"
)
_TYPESCRIPT_FUNCTIONS = _names(
    _SCRIPT_FUNCTIONS,
    "function_signature abstract_method_signature type_alias_declaration enum_declaration",
)
_TYPESCRIPT_CLASSES = _names(
    "class_declaration abstract_class_declaration class interface_declaration"
)

_PYTHON = CodeLanguage(
    grammar="tree_sitter_python:language",
    functions=_names("function_definition"),
    classes=_names("class_definition"),
    wrappers=_names("decorated_definition"),
)
_JAVASCRIPT = CodeLanguage(
    grammar="tree_sitter_javascript:language",
    functions=_names(_SCRIPT_FUNCTIONS),
    classes=_names("class_declaration class"),
    wrappers=_names("export_statement"),
    values=_names(_SCRIPT_VALUES),
)
_TYPESCRIPT = CodeLanguage(
    grammar="tree_sitter_typescript:language_typescript",
    functions=_TYPESCRIPT_FUNCTIONS,
    classes=_TYPESCRIPT_CLASSES,
    namespaces=_names("module internal_module"),
    wrappers=_names("export_statement ambient_declaration"),
    values=_names(_SCRIPT_VALUES),
)
_TSX = CodeLanguage(
    grammar="tree_sitter_typescript:language_tsx",
    functions=_TYPESCRIPT_FUNCTIONS,
    classes=_TYPESCRIPT_CLASSES,
    namespaces=_names("module internal_module"),
    wrappers=_names("export_statement ambient_declaration"),
    values=_names(_SCRIPT_VALUES),
)
_JAVA = CodeLanguage(
    grammar="tree_sitter_java:language",
    functions=_names(
        "method_declaration constructor_declaration compact_constructor_declaration "
        "annotation_type_element_declaration"
    ),
    classes=_names(
        "class_declaration interface_declaration enum_declaration record_declaration "
        "annotation_type_declaration"
    ),
)
_GO = CodeLanguage(
    grammar="tree_sitter_go:language",
    functions=_names("function_declaration method_declaration type_declaration"),
)
_RUST = CodeLanguage(
    grammar="tree_sitter_rust:language",
    functions=_names("function_item function_signature_item macro_definition"),
    classes=_names("struct_item enum_item union_item trait_item impl_item"),
    namespaces=_names("mod_item"),
)
_C = CodeLanguage(
    grammar="tree_sitter_c:language",
    functions=_names(_C_FUNCTIONS),
    classes=_names(_C_CLASSES),
    wrappers=_names("type_definition"),
)
_CPP = CodeLanguage(
    grammar="tree_sitter_cpp:language",
    functions=_names(_C_FUNCTIONS, "concept_definition"),
    classes=_names(_C_CLASSES, "class_specifier"),
    namespaces=_names("namespace_definition"),
    wrappers=_names("type_definition template_declaration"),
)
_C_SHARP = CodeLanguage(
    grammar="tree_sitter_c_sharp:language",
    functions=_names(
        "method_declaration constructor_declaration destructor_declaration "
        "operator_declaration conversion_operator_declaration indexer_declaration "
        "delegate_declaration local_function_statement"
    ),
    classes=_names(
        "class_declaration struct_declaration interface_declaration record_declaration "
        "enum_declaration"
    ),
    namespaces=_names("namespace_declaration"),
    fields=_names("property_declaration"),
)
_RUBY = CodeLanguage(
    grammar="tree_sitter_ruby:language",
    functions=_names("method singleton_method"),
    classes=_names("class"),
    namespaces=_names("module singleton_class"),
)
_PHP = CodeLanguage(
    grammar="tree_sitter_php:language_php",
    functions=_names("function_definition method_declaration"),
    classes=_names("class_declaration interface_declaration trait_declaration enum_declaration"),
    namespaces=_names("namespace_definition"),
)
_SHELL = CodeLanguage(grammar="tree_sitter_bash:language", functions=_names("function_definition"))

LANGUAGES: dict[str, CodeLanguage] = {
    "text/x-python": _PYTHON,
    "text/javascript": _JAVASCRIPT,
    "text/x-typescript": _TYPESCRIPT,
    "text/x-java": _JAVA,
    "text/x-go": _GO,
    "text/x-rust": _RUST,
    "text/x-c": _C,
    "text/x-c++": _CPP,
    "text/x-csharp": _C_SHARP,
    "text/x-ruby": _RUBY,
    "text/x-php": _PHP,
    "text/x-shellscript": _SHELL,
}

# Code without a grammar here: cut at blank lines.
PLAIN_LANGUAGES = (
    "text/x-dockerfile",
    "text/x-kotlin",
    "text/x-lua",
    "text/x-makefile",
    "text/x-perl",
    "text/x-scala",
    "text/x-swift",
)

# What may stand between a definition and the file: opened to look for definitions inside.
OPENED = _names(
    "ERROR preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef",
    "linkage_specification foreign_mod_item declaration_list enum_body_declarations",
    "if_statement else_clause elif_clause try_statement except_clause finally_clause block",
    "compound_statement",
)

# Above a definition without a blank line between, these belong to it.
ATTACHED = _names("comment line_comment block_comment attribute_item decorator")

# In JavaScript and its kin, a name is given to one of these.
FUNCTION_VALUES = _names("arrow_function function_expression generator_function function class")

_ONLY_IN_CPP = re.compile(
    r"^[ \t]*(?:class[ \t]+\w+|namespace\b|template[ \t]*<|using[ \t]+\w+|"
    r"(?:public|private|protected)[ \t]*:)",
    re.M,
)


def language_for(media_type: str, name: str, text: str) -> CodeLanguage | None:
    """The language of a file. `.tsx` needs a grammar of its own; a `.h` may be C++."""
    suffix = PurePosixPath(name.lower()).suffix
    if suffix == ".tsx":
        return _TSX
    if suffix == ".h" and media_type == "text/x-c" and _ONLY_IN_CPP.search(text):
        return _CPP
    return LANGUAGES.get(media_type)


@cache
def grammar(language: CodeLanguage) -> Language:
    """Imported when the first file of the language is met."""
    module, function = language.grammar.split(":")
    return Language(getattr(importlib.import_module(module), function)())
