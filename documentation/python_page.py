"""The exported names of `tipstaff`, with their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass

import tipstaff
from documentation.markdown_page import code, fenced, plain, table
from documentation.reference_page import ReferencePage, words_of

_HEAD = """# Python

What `import tipstaff` exports. Other modules may change between releases.
"""
# Fields that have a page of their own.
_ELSEWHERE = {"Settings": "Its fields are the [settings](../settings.md).\n"}
_MODULES = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")
_LINE_CHARS = 88


def python_page(names: Sequence[str] | None = None, module: object = tipstaff) -> ReferencePage:
    pieces, missing = [_HEAD], []
    for name in tipstaff.__all__ if names is None else names:
        thing = getattr(module, name)
        if isinstance(thing, str):
            continue
        pieces.append(f"## tipstaff.{name}\n")
        pieces += _described(name, thing)
        missing += [f"{one} of Python" for one in _undocumented(f"tipstaff.{name}", thing)]
    return ReferencePage(text="\n".join(pieces), undocumented=tuple(missing))


def _described(name: str, thing: object) -> Iterator[str]:
    if callable(thing) and not is_dataclass(thing):
        yield fenced(_signature(f"tipstaff.{name}", thing), "py")
    yield plain(words_of(thing)) + "\n"
    if not isinstance(thing, type):
        return
    yield _ELSEWHERE.get(name) or _fields(thing)
    rows = [(code(one), plain(words)) for one, words in _properties(thing)]
    yield table(("Property", ""), rows)
    for method_name, method in _methods(thing):
        yield f"### {name}.{method_name}\n"
        yield fenced(_signature(method_name, method), "py")
        yield plain(words_of(method)) + "\n"


def _fields(kind: type) -> str:
    if not is_dataclass(kind):
        return ""
    shown = [one for one in fields(kind) if not one.name.startswith("_")]
    return table(("Field", "Type"), [(code(one.name), code(_type(one.type))) for one in shown])


def _undocumented(name: str, thing: object) -> Iterator[str]:
    if not words_of(thing):
        yield name
    if isinstance(thing, type):
        yield from (f"{name}.{one}" for one, method in _methods(thing) if not words_of(method))
        yield from (f"{name}.{one}" for one, words in _properties(thing) if not words)


def _methods(kind: type) -> Iterator[tuple[str, Callable[..., object]]]:
    for name, member in vars(kind).items():
        held = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if not name.startswith("_") and inspect.isfunction(held):
            yield name, held


def _properties(kind: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(kind).items():
        if not name.startswith("_") and isinstance(member, property):
            yield name, inspect.getdoc(member) or ""


def _signature(name: str, thing: Callable[..., object]) -> str:
    """One argument a line where one line is not enough."""
    start = f"async {name}" if inspect.iscoroutinefunction(thing) else name
    signature = inspect.signature(thing)
    taken = list(_arguments(signature))
    given = signature.return_annotation
    end = "" if given in (inspect.Signature.empty, None, "None") else f" -> {_type(given)}"
    line = f"{start}({', '.join(taken)}){end}"
    if len(line) <= _LINE_CHARS:
        return line
    return f"{start}(\n" + "".join(f"    {one},\n" for one in taken) + f"){end}"


def _arguments(signature: inspect.Signature) -> Iterator[str]:
    named = False
    for name, one in signature.parameters.items():
        if name in ("self", "cls"):
            continue
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not named:
            named = True
            yield "*"
        typed = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
        yield f"{name}{typed}{_default(one)}"


def _default(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return ""
    value = parameter.default
    # A value of ours would print all of its fields.
    return f" = {type(value).__name__}()" if is_dataclass(value) else f" = {value!r}"


def _type(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return _MODULES.sub("", text)
