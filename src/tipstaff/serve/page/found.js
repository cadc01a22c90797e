// How an answer was found: strategy, rounds, passages with their scores, what was left out, times,
// tokens and cost. Scores say how alike words are; how sure an answer is stands elsewhere.
import { chips } from "./chips.js";
import { count, el, said } from "./dom.js";

const STRATEGIES = {
	single_pass: "one search",
	multi_pass: "one search for each aspect",
	exhaustive: "everything read",
	iterative: "searched again with what was found",
	auto: "chosen by the question",
};
const MOST_BARS = 12;

function cost(dollars) {
	if (dollars === null || dollars === undefined) return "not known";
	return dollars ? `about $${dollars.toFixed(4)}` : "none";
}

export function found(answer, room) {
	const { retrieval_summary: summary, usage, context_scope: scope, model, response } = answer.envelope;
	const facts = [
		["Strategy", STRATEGIES[summary.strategy] ?? summary.strategy],
		["Rounds", summary.iterations_completed],
		[
			"Passages",
			[
				summary.chunks_evaluated !== undefined ? `${summary.chunks_evaluated} looked at` : null,
				`${summary.chunks_retrieved} retrieved`,
				`${summary.chunks_used} used`,
			]
				.filter(Boolean)
				.join(", "),
		],
		[
			"Items",
			`${summary.items_referenced} used of ${scope.accessible_items}${scope.restricted_items ? `; ${scope.restricted_items} not open to you` : ""}`,
		],
		["Claims", `${(response.claims ?? []).length} said, ${(response.removed ?? []).length} withheld`],
		[
			"Search",
			summary.retrieval_time_ms !== undefined ? `${summary.retrieval_time_ms.toLocaleString("en")} ms` : null,
		],
		["First words", answer.firstMs ? `${Math.round(answer.firstMs).toLocaleString("en")} ms` : null],
		[
			"Tokens",
			`${usage.input_tokens.toLocaleString("en")} in, ${usage.output_tokens.toLocaleString("en")} out`,
		],
		["Cost", cost(usage.estimated_cost_usd)],
		["Model", model === "extractive" ? "none: the sources' own words" : model],
		["Stopped at", summary.ceiling_reached],
	].filter(([, value]) => value !== null && value !== undefined);
	const details = el("details", { class: "found" }, el("summary", {}, "How it was found"));
	details.addEventListener("toggle", () => {
		if (details.open && details.childElementCount === 1) {
			details.append(
				el(
					"dl",
					{},
					facts.map(([name, value]) => el("div", {}, el("dt", {}, name), said("dd", String(value)))),
				),
				...bars(answer, room),
			);
		}
	});
	return details;
}

function bars(answer, room) {
	if (!answer.chunks.length) return [];
	const ranked = [...answer.chunks].sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
	const used = new Map(
		answer.citations
			.filter((one) => one.retrieval?.chunk_id)
			.map((one) => [one.retrieval.chunk_id, one.retrieval]),
	);
	const rows = ranked
		.slice(0, MOST_BARS)
		.map((chunk, index) =>
			el(
				"tr",
				{ class: used.has(chunk.chunk_id) ? "used" : "" },
				el("td", {}, String(index + 1)),
				el("td", {}, chips([chunk.location ? `${chunk.item_id}:${chunk.location}` : chunk.item_id], room)),
				el("td", {}, bar(chunk.score, "score"), parts(used.get(chunk.chunk_id))),
				el("td", { class: "quiet" }, used.has(chunk.chunk_id) ? "cited" : ""),
			),
		);
	const more = answer.chunks.length - rows.length;
	return [
		el(
			"div",
			{ class: "scroll", tabindex: "0", role: "group", "aria-label": "Passages" },
			el(
				"table",
				{ class: "bars" },
				el("caption", {}, "Passages by how alike they are to the question"),
				el(
					"thead",
					{},
					el(
						"tr",
						{},
						["Rank", "Passage", "Score", "Use"].map((name) => el("th", { scope: "col" }, name)),
					),
				),
				el("tbody", {}, rows),
			),
		),
		more > 0 ? el("p", { class: "quiet" }, `and ${count(more, "more passage")}`) : "",
	];
}

function bar(score, name) {
	if (score === undefined || score === null) return "–";
	const part = el("span", { class: "fill" });
	part.style.inlineSize = `${Math.round(Math.min(1, Math.max(0, score)) * 100)}%`;
	return el(
		"span",
		{ class: "bar-of", title: name },
		el("span", { class: "track", "aria-hidden": "true" }, part),
		score.toFixed(2),
	);
}

function parts(trace) {
	if (!trace) return null;
	const known = [
		["words", trace.keyword_score],
		["meaning", trace.vector_score],
		["reranked", trace.rerank_score],
	].filter(([, score]) => score !== undefined && score !== null);
	return el("small", {}, known.map(([name, score]) => `${name} ${score.toFixed(2)}`).join(" · "));
}
