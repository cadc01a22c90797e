"""JSON and YAML from strangers: bounded depth, no aliases, no surrogates, no surprises.

What comes out is plain dicts, lists, strings, numbers, booleans and None.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from tipstaff.decoding import decode_text

# Twenty times what the largest honest front matter needs.
_MAX_YAML_EVENTS = 100_000

# Numbers beyond this are somebody's joke; no field of a bundle holds one.
_MAX_INTEGER_BITS = 1_024

_SURROGATES = re.compile("[\ud800-\udfff]")


class Unreadable(ValueError):
    """Text that is not what it should be; the message says what is wrong, for a person."""


def load_json(content: bytes, *, max_nesting: int) -> Any:
    """The value of a JSON document. Doubled keys are refused: two readers would differ."""
    text = decode_text(content)
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except RecursionError:
        raise Unreadable(f"it is nested deeper than {max_nesting} levels") from None
    except Unreadable:
        raise
    except ValueError as problem:
        raise Unreadable(f"it is not valid JSON ({problem})") from None
    return _plain(value, max_nesting)


def load_yaml(text: str, *, max_nesting: int) -> Any:
    """The value of a YAML document with plain JSON types only; dates stay text."""
    import yaml

    # The C parser's events are produced without recursion; its constructor is not safe to
    # call before they have been looked at (100,000 brackets end the process).
    try:
        _check_events(yaml.parse(text, Loader=_yaml_loader()), max_nesting)
        value = yaml.load(text, Loader=_yaml_loader())  # noqa: S506 (a safe loader, see below)
    except yaml.YAMLError as problem:
        reason = " ".join(str(problem).split())
        raise Unreadable(f"it is not valid YAML ({reason[:200]})") from None
    except (ValueError, OverflowError, TypeError) as problem:
        if isinstance(problem, Unreadable):
            raise
        raise Unreadable(f"it is not valid YAML ({problem})") from None
    return _plain(value, max_nesting)


def _check_events(events: Iterable[Any], max_nesting: int) -> None:
    """Refuse what plain data never needs: depth, aliases, tags, doubled keys, endless lists."""
    import yaml

    open_keys: list[set[str] | None] = []  # for each open collection: keys seen, or None
    awaits_key: list[bool] = []
    for count, event in enumerate(events):
        if count > _MAX_YAML_EVENTS:
            raise Unreadable(f"it has more than {_MAX_YAML_EVENTS:,} parts")
        if isinstance(event, yaml.AliasEvent):
            raise Unreadable("it uses YAML aliases, which are not allowed here")
        if getattr(event, "tag", None) and not _is_implicit(event):
            raise Unreadable("it uses YAML tags, which are not allowed here")
        if isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            open_keys.pop()
            awaits_key.pop()
        starts = isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent)
        if starts or isinstance(event, yaml.ScalarEvent):
            _note_key(event, open_keys, awaits_key)
        if starts:
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            open_keys.append(set() if is_mapping else None)
            awaits_key.append(is_mapping)
            if len(open_keys) > max_nesting:
                raise Unreadable(f"it is nested deeper than {max_nesting} levels")


def _note_key(event: Any, open_keys: list[set[str] | None], awaits_key: list[bool]) -> None:
    """In a mapping, keys and values take turns; a key that comes again is refused."""
    keys = open_keys[-1] if open_keys else None
    if keys is None:
        return
    if awaits_key[-1]:
        key = getattr(event, "value", None)
        if key in keys:
            raise Unreadable(f"it has the key '{key}' twice in one object")
        if key is not None:
            keys.add(key)
    awaits_key[-1] = not awaits_key[-1]


def _is_implicit(event: Any) -> bool:
    implicit = event.implicit
    return any(implicit) if isinstance(implicit, tuple) else bool(implicit)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        doubled = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Unreadable(f"it has the key '{doubled}' twice in one object")
    return value


def _no_constant(name: str) -> Any:
    raise Unreadable(f"it is not valid JSON ({name} is no number)")


def _plain(value: Any, levels_left: int) -> Any:
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, dict | list) and levels_left <= 0:
        raise Unreadable("it is nested too deeply")
    if isinstance(value, dict):
        return {_key(key): _plain(content, levels_left - 1) for key, content in value.items()}
    if isinstance(value, list):
        return [_plain(content, levels_left - 1) for content in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > _MAX_INTEGER_BITS:
        return hex(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return str(value)


def _key(key: Any) -> str:
    return _SURROGATES.sub("\ufffd", key if isinstance(key, str) else str(key))


def _yaml_loader() -> Any:
    """PyYAML's safe loader without its guesses at dates, on the C parser where there is one."""
    import yaml

    global _loader
    if _loader is None:
        base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

        class PlainLoader(base):  # type: ignore[misc, valid-type]
            pass

        PlainLoader.yaml_implicit_resolvers = {
            first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
            for first, resolvers in base.yaml_implicit_resolvers.items()
        }
        _loader = PlainLoader
    return _loader


_loader: Any = None
