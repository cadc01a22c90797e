"""OpenFGA's wire format, as its SDK speaks it, over a real evaluator of relationships.

No OpenFGA server can be installed here, so that this is what the adapter is tried with.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from tests.access.http_server import JsonService
from tests.access.relationships import DOCUMENTS, NotInModel, Relationships

STORE = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
FIRST_MODEL = "01ARZ3NDEKTSV4RRFFQ69G5FB0"
SECOND_MODEL = "01ARZ3NDEKTSV4RRFFQ69G5FB1"
MOST_CHECKS = 50


class OpenFgaServer(JsonService):
    def __init__(self) -> None:
        super().__init__()
        self.models = {FIRST_MODEL: Relationships(DOCUMENTS)}
        self.latest = FIRST_MODEL
        self.changes: list[dict[str, Any]] = []

    @property
    def tuples(self) -> set[tuple[str, str, str]]:
        return self.models[FIRST_MODEL].tuples

    def write(self, user: str, relation: str, target: str) -> None:
        self.tuples.add((user, relation, target))
        self._changed("TUPLE_OPERATION_WRITE", user, relation, target)

    def delete(self, user: str, relation: str, target: str) -> None:
        self.tuples.discard((user, relation, target))
        self._changed("TUPLE_OPERATION_DELETE", user, relation, target)

    def publish(self, model: Any) -> None:
        """A new authorization model over the same tuples."""
        self.models[SECOND_MODEL] = Relationships(model, self.tuples)
        self.latest = SECOND_MODEL

    def answer(
        self, method: str, path: str, query: dict[str, str], body: Any
    ) -> tuple[int, dict[str, Any]]:
        root = f"/stores/{STORE}/"
        if not path.startswith(root):
            return 404, {"code": "store_id_not_found", "message": "no such store"}
        match method, path.removeprefix(root):
            case "POST", "check":
                return self._check(body)
            case "POST", "batch-check":
                return self._batch(body)
            case "GET", "authorization-models":
                return 200, {"authorization_models": [self._model()], "continuation_token": ""}
            case "GET", "changes":
                return self._changes(query)
        return 404, {"code": "undefined_endpoint", "message": "no such endpoint"}

    def _check(self, body: Any) -> tuple[int, dict[str, Any]]:
        try:
            return 200, {"allowed": self._allows(body, body["tuple_key"]), "resolution": ""}
        except NotInModel as problem:
            return 400, {"code": "validation_error", "message": str(problem)}

    def _batch(self, body: Any) -> tuple[int, dict[str, Any]]:
        checks = body["checks"]
        if not 1 <= len(checks) <= MOST_CHECKS:
            return 400, {"code": "validation_error", "message": "too many checks, or none"}
        result: dict[str, Any] = {}
        for one in checks:
            try:
                answer: dict[str, Any] = {"allowed": self._allows(body, one["tuple_key"])}
            except NotInModel as problem:
                error = {"input_error": "validation_error", "message": str(problem)}
                answer = {"error": error}
            result[one["correlation_id"]] = answer
        return 200, {"result": result}

    def _allows(self, body: Any, key: Any) -> bool:
        model = self.models.get(body.get("authorization_model_id") or self.latest)
        if model is None:
            raise NotInModel("no such model")
        return model.allows(key["user"], key["relation"], key["object"])

    def _model(self) -> dict[str, Any]:
        return {"id": self.latest, **self.models[self.latest].model}

    def _changes(self, query: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """A token stands for the changes that were read; a start time counts without one only."""
        size = int(query.get("page_size", 50))
        token = query.get("continuation_token", "")
        known = [
            (at, one)
            for at, one in enumerate(self.changes, 1)
            if (at > int(token) if token else one["timestamp"] >= query.get("start_time", ""))
        ][:size]
        last = str(known[-1][0]) if known else token
        return 200, {"changes": [one for _, one in known], "continuation_token": last}

    def _changed(self, operation: str, user: str, relation: str, target: str) -> None:
        self.changes.append(
            {
                "tuple_key": {"user": user, "relation": relation, "object": target},
                "operation": operation,
                "timestamp": f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ}",
            }
        )
