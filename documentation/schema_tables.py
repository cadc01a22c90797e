"""Bodies of requests and answers: the schemas of an OpenAPI document as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from documentation.markdown_page import code, plain, table


def body_of(part: Mapping[str, Any]) -> str:
    """What a request or an answer carries, with a link to its fields."""
    told = []
    for media_type, content in part.get("content", {}).items():
        shape = _shape(content.get("schema", {}))
        known = f" {shape}" if shape and shape != "any" else ""
        told.append(f"{code(media_type)}{known}")
    return ", or ".join(told)


def schemas_section(schemas: Mapping[str, Mapping[str, Any]]) -> str:
    pieces = ["## Bodies\n"]
    for name, schema in sorted(schemas.items()):
        required = schema.get("required", ())
        rows = [
            (
                code(field),
                _shape(one),
                "" if field in required else "yes",
                plain(str(one.get("description", ""))),
            )
            for field, one in schema.get("properties", {}).items()
        ]
        values = ", ".join(code(str(one)) for one in schema.get("enum", ()))
        pieces.append(f"### {name} {{ #{name} }}\n")
        pieces.append(plain(schema.get("description", "")) + "\n")
        if values:
            pieces.append(f"One of {values}.\n")
        pieces.append(table(("Field", "Type", "Optional", ""), rows))
    return "\n".join(one for one in pieces if one.strip())


def _shape(schema: Mapping[str, Any]) -> str:
    """A type in words: a name with a link, a list of it, or one of several."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name})"
    for joined in ("anyOf", "oneOf", "allOf"):
        if joined in schema:
            shapes = [_shape(one) for one in schema[joined] if one.get("type") != "null"]
            return " or ".join(dict.fromkeys(shapes))
    if schema.get("type") == "array":
        return f"list of {_shape(schema.get('items', {}))}"
    if "const" in schema:
        return code(str(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(str(one)) for one in schema["enum"])
    kind = schema.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)
