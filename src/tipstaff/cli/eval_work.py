"""The work of `tip eval`: every model asked, every response judged as the command line says."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tipstaff.access.recipients import Grant
from tipstaff.asking import Interrogation
from tipstaff.cli.eval_review import reviewed_verdicts
from tipstaff.cli.interrogating import interrogation_from
from tipstaff.cli.terminal import Terminal
from tipstaff.enveloping import now
from tipstaff.eval.evaluating import automatic_verdicts, bundle_digest, evaluation_of
from tipstaff.eval.history_entry import Methodology
from tipstaff.eval.model_judge import ModelJudge
from tipstaff.eval.observation import Observed, Verdict
from tipstaff.eval.observing import observe_all
from tipstaff.eval.query_set import QuerySet
from tipstaff.eval.report import Evaluation
from tipstaff.eval.review_file import ReviewFile, ReviewSubject
from tipstaff.indexing import IndexedBundle
from tipstaff.llm.registry import model_named
from tipstaff.settings import Settings


@dataclass(frozen=True)
class Done:
    evaluations: Sequence[Evaluation]
    observed: Sequence[Observed]  # of the first
    verdicts: dict[str, Verdict]


@dataclass(frozen=True)
class EvalWork:
    arguments: argparse.Namespace
    terminal: Terminal
    indexed: IndexedBundle
    settings: Settings
    grant: Grant
    queries: QuerySet

    def evaluations(self) -> Done | None:
        """Every model that was named; None where people have not judged everything yet."""
        arguments = self.arguments
        models = arguments.compare or [arguments.model or self.settings.model]
        models = list(dict.fromkeys(models))
        found: list[tuple[Evaluation, list[Observed], dict[str, Verdict]]] = []
        for model in models:
            judged = self._judged(model)
            if judged is None:
                return None
            found.append(judged)
        return Done([one for one, _, _ in found], found[0][1], found[0][2])

    def _judged(self, model: str) -> tuple[Evaluation, list[Observed], dict[str, Verdict]] | None:
        arguments = self.arguments
        kept = self._review_file(model) if arguments.review else None
        observed = kept.observed if kept else self._observed(model)
        judge = ModelJudge(model=model_named(arguments.judge)) if arguments.judge else None
        if judge and judge.model.name == model:
            self.terminal.note("The judge is the model that is judged; §8.5 has a separate one.")
        methodology = Methodology.LLM_JUDGE if judge else Methodology.HEURISTIC
        verdicts: dict[str, Verdict] | None = {}
        if not arguments.review or arguments.edge_cases:
            verdicts = asyncio.run(automatic_verdicts(observed, judge))
        if kept is not None:
            methodology = (
                Methodology.HUMAN_IN_THE_LOOP if arguments.edge_cases else Methodology.HUMAN
            )
            verdicts = reviewed_verdicts(kept, verdicts or {}, arguments, self.terminal)
        if verdicts is None:
            return None
        evaluation = evaluation_of(
            observed,
            verdicts,
            methodology=methodology,
            model=model,
            evaluated_at=now(),
            query_set=self.queries.digest,
            judge=judge,
        )
        return evaluation, list(observed), verdicts

    def _observed(self, model: str) -> list[Observed]:
        return observe_all(
            self.queries, self._begin(model), progress=self.terminal.progress("Asking")
        )

    def _begin(self, model: str) -> Callable[[], Interrogation]:
        chosen = argparse.Namespace(**{**vars(self.arguments), "model": model})
        return lambda: interrogation_from(chosen, self.indexed, self.settings, self.grant)

    def _review_file(self, model: str) -> ReviewFile:
        bundle = self.indexed.opened.bundle
        subject = ReviewSubject(
            tez_id=bundle.id,
            tez_digest=bundle_digest(bundle),
            model=model,
            query_set=self.queries.digest,
        )
        path = Path(self.arguments.review)
        if path.exists():
            return ReviewFile.resumed(path, subject)
        return ReviewFile.started(path, subject, self._observed(model))
