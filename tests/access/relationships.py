"""Relationship-based access as OpenFGA defines it: a model, tuples, and whether one follows.

A model is OpenFGA's own JSON (`type_definitions`, schema 1.1): direct relations, computed ones,
those through another object, unions, intersections and differences; users may be one user,
everybody of a type (`user:*`) or a set (`group:legal#member`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_DEEPEST = 25

Tuple = tuple[str, str, str]


class NotInModel(ValueError):
    """OpenFGA's validation_error: a type or a relation that the model does not know."""


@dataclass
class Relationships:
    model: Mapping[str, Any]
    tuples: set[Tuple] = field(default_factory=set)

    def allows(self, user: str, relation: str, target: str) -> bool:
        return self._has(user, relation, target, _DEEPEST)

    def _has(self, user: str, relation: str, target: str, left: int) -> bool:
        if left == 0:
            raise NotInModel("the relation is too deep")
        return self._follows(self._rewrite(relation, target), user, relation, target, left - 1)

    def _rewrite(self, relation: str, target: str) -> Mapping[str, Any]:
        kind, colon, name = target.partition(":")
        for known in self.model["type_definitions"]:
            if known["type"] == kind and colon and name and relation in known.get("relations", {}):
                found: Mapping[str, Any] = known["relations"][relation]
                return found
        raise NotInModel(f"no relation '{relation}' of '{kind}'")

    def _follows(
        self, rewrite: Mapping[str, Any], user: str, relation: str, target: str, left: int
    ) -> bool:
        ((how, rule),) = rewrite.items()
        match how:
            case "this":
                return self._directly(user, relation, target, left)
            case "computedUserset":
                return self._has(user, rule["relation"], target, left)
            case "tupleToUserset":
                through = rule["computedUserset"]["relation"]
                return any(
                    self._has(user, through, parent, left)
                    for parent in self._users(rule["tupleset"]["relation"], target)
                )
            case "union":
                parts = rule["child"]
                return any(self._follows(one, user, relation, target, left) for one in parts)
            case "intersection":
                parts = rule["child"]
                return all(self._follows(one, user, relation, target, left) for one in parts)
            case "difference":
                return self._follows(
                    rule["base"], user, relation, target, left
                ) and not self._follows(rule["subtract"], user, relation, target, left)
        raise NotInModel(f"no rewrite '{how}'")

    def _directly(self, user: str, relation: str, target: str, left: int) -> bool:
        everybody = f"{user.partition(':')[0]}:*"
        for one in self._users(relation, target):
            if one in (user, everybody):
                return True
            group, is_set, member = one.partition("#")
            if is_set and self._has(user, member, group, left):
                return True
        return False

    def _users(self, relation: str, target: str) -> Iterator[str]:
        return (one for one, has, of in sorted(self.tuples) if (has, of) == (relation, target))


# Who may read a document: its viewers, those of the folder it is in, but nobody it is closed to.
DOCUMENTS: Mapping[str, Any] = {
    "schema_version": "1.1",
    "type_definitions": [
        {"type": "user"},
        {"type": "group", "relations": {"member": {"this": {}}}},
        {"type": "folder", "relations": {"viewer": {"this": {}}}},
        {
            "type": "document",
            "relations": {
                "parent": {"this": {}},
                "viewer": {"this": {}},
                "blocked": {"this": {}},
                "can_read": {
                    "difference": {
                        "base": {
                            "union": {
                                "child": [
                                    {"computedUserset": {"relation": "viewer"}},
                                    {
                                        "tupleToUserset": {
                                            "tupleset": {"relation": "parent"},
                                            "computedUserset": {"relation": "viewer"},
                                        }
                                    },
                                ]
                            }
                        },
                        "subtract": {"computedUserset": {"relation": "blocked"}},
                    }
                },
            },
        },
    ],
}
