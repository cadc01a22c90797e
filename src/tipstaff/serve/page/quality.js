// How good the answers of each tez were found to be, over time (Enterprise §8.7), for operators.
import { get, part as encoded } from "./api.js";
import { count, el, readableTime, said } from "./dom.js";

const METRICS = ["relevance", "faithfulness", "citation_accuracy", "completeness", "abstention_rate"];
// Older evaluations are in the answer of the route, and not in a picture of this width.
const MOST = 24;
const AT_ONCE = 50;

export async function qualities(tezits) {
	const asked = tezits
		.slice(0, AT_ONCE)
		.map((one) => get(`tez/${encoded(one.tez_id)}/quality`).catch(() => null));
	const found = (await Promise.all(asked)).map((told, index) => ({ ...told, title: tezits[index].title }));
	const known = found.filter((one) => one.extensions?.["tezit-eval"]);
	if (!known.length)
		return el("p", { class: "quiet" }, "No tez was evaluated yet: tip eval BUNDLE --queries FILE.");
	return known.map(quality);
}

function quality({ tez_id, title, extensions, alerts }) {
	const report = extensions["tezit-eval"],
		history = report.history.slice(-MOST);
	return el(
		"div",
		{ class: "quality" },
		el("h3", { dir: "auto" }, title || tez_id),
		el(
			"p",
			{ class: "quiet" },
			`${count(report.history.length, "evaluation")}, the last ${readableTime(report.evaluated_at)}`,
			report.methodology ? ` · ${report.methodology.replaceAll("_", " ")}` : "",
			report.model_evaluated ? ` · ${report.model_evaluated}` : "",
		),
		alerts.map((alert) => said("p", alert, { class: "declined" })),
		el(
			"div",
			{ class: "gauges" },
			METRICS.map((name) => chart(name, history, report)),
		),
	);
}

// A rod an evaluation, oldest first; the line is the threshold.
function chart(name, history, report) {
	const values = history.map((one) => one.metrics[name]),
		now = report.metrics[name],
		least = report.thresholds?.[name];
	const rods = values.map((value) => {
		const rod = el("span", { class: value < least ? "rod low" : "rod" });
		rod.style.blockSize = `${100 * (value ?? 0)}%`;
		return rod;
	});
	const line = el("span", { class: "least" });
	line.style.insetBlockEnd = `${100 * (least ?? 0)}%`;
	const told = now === undefined ? "not measured" : now.toFixed(2);
	return el(
		"figure",
		{},
		el("div", { class: "gauge", "aria-hidden": "true" }, rods, least === undefined ? null : line),
		el(
			"figcaption",
			{},
			el("span", {}, name.replaceAll("_", " ")),
			el("strong", {}, told),
			el("small", {}, least === undefined ? "" : `at least ${least.toFixed(2)}`),
		),
	);
}
