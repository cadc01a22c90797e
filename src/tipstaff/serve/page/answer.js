// One answer as it is seen: the words as they are released, their chips, and all that goes with them.
import { BADGES, claimsByMark } from "./answers.js";
import { chips, support } from "./chips.js";
import { button, count, el, said } from "./dom.js";
import { found } from "./found.js";
import { markdown } from "./markdown.js";
import { marksOf } from "./marks.js";

const WAITING = {
	waiting: "Asking…",
	searching: "Searching the sources…",
	answering: "Checking and writing…",
};

export function answerView(answer, room, actions) {
	const response = answer.envelope?.response;
	const running = ["waiting", "searching", "answering"].includes(answer.state);
	return el(
		"article",
		{ class: `exchange ${answer.state}`, "aria-busy": String(running) },
		el("h3", { class: "question", dir: "auto" }, answer.query),
		response ? badge(response) : null,
		el("div", { class: "words" }, words(answer, response, room)),
		running ? progress(answer, actions) : null,
		answer.state === "stopped"
			? el(
					"p",
					{ class: "note" },
					"Stopped. What stands here had been checked. ",
					button("Ask again", () => actions.retry(answer.query), { class: "plain" }),
				)
			: null,
		answer.error ? failure(answer, actions) : null,
		response
			? [
					contradictions(response, room),
					inferences(response, room),
					gaps(response, room),
					withheld(response),
					unplaced(response, room),
				]
			: null,
		answer.envelope ? [notices(answer.envelope), found(answer, room)] : null,
	);
}

function badge(response) {
	const { mark, word } = BADGES[response.classification] ?? { mark: "·", word: response.classification };
	return el(
		"p",
		{ class: `badge ${response.classification}` },
		el("span", { class: "badge-mark", "aria-hidden": "true" }, mark),
		el("strong", {}, word),
		el("span", { class: "sure" }, `${response.confidence} confidence`),
	);
}

function words(answer, response, room) {
	const marks = marksOf(answer.text);
	const claims = response ? claimsByMark(response, marks).found : [];
	const leading = [];
	const drawn = markdown(
		answer.text,
		(index) => {
			const mine = claims[index] ?? [],
				{ end, references } = marks[index];
			// "According to [source]: claim": its state stands behind the claim, not before it.
			const led = mine.filter((claim) => answer.text.indexOf(claim.text) >= end);
			const group = chips(references, room, {
				words: (reference) => excerpt(answer, reference, mine),
				claims: mine.filter((claim) => !led.includes(claim)),
			});
			if (led.length) leading.push([group, led]);
			return group;
		},
		{ top: 4 },
	);
	for (const [group, led] of leading) group.closest("p, li, td, blockquote")?.append(...led.map(support));
	return drawn;
}

// The quoted words of a reference: those of the claim it stands behind, else all of them.
export function excerpt(answer, reference, claims = []) {
	const mine = answer.citations.filter(
		(one) => (one.location ? `${one.item_id}:${one.location}` : one.item_id) === reference,
	);
	const own = mine.filter((one) => claims.some((claim) => claim.text === one.claim));
	return [...new Set((own.length ? own : mine).map((one) => one.text_excerpt).filter(Boolean))]
		.join(" | ")
		.slice(0, 1900);
}

function progress(answer, { stop }) {
	const lost = answer.connection === "waiting";
	return el(
		"p",
		{ class: "progress" },
		el("span", { class: "dots", "aria-hidden": "true" }),
		lost ? "The connection was lost; taking it up again…" : WAITING[answer.state],
		button("Stop", stop, { class: "plain stop" }),
	);
}

function failure(answer, { retry }) {
	const { message, suggestion, recoverable } = answer.error;
	return el(
		"div",
		{ class: "note failure", role: "alert" },
		said("p", message),
		suggestion ? said("p", suggestion, { class: "quiet" }) : null,
		recoverable === false ? null : button("Ask again", () => retry(answer.query), { class: "plain" }),
	);
}

const section = (title, className, ...content) =>
	el("section", { class: `part ${className}` }, el("h4", {}, title), ...content);

function contradictions(response, room) {
	return (response.contradictions ?? []).map((one) =>
		section(
			"The sources disagree",
			"contradiction",
			said("p", one.topic, { class: "topic" }),
			el(
				"div",
				{ class: "sides" },
				one.positions.map((position) =>
					el(
						"div",
						{ class: "position" },
						said("p", position.value, { class: "value" }),
						chips([position.citation], room, { words: () => wordsOf(response, position.citation) }),
					),
				),
			),
		),
	);
}

const wordsOf = (response, reference) => excerpt({ citations: response.citations ?? [] }, reference);

function inferences(response, room) {
	return (response.inferences ?? []).map((one) =>
		section(
			"Worked out, not stated",
			"inference",
			said("p", one.claim),
			said("p", one.reasoning, { class: "working" }),
			one.basis.length
				? el(
						"p",
						{ class: "quiet" },
						"From ",
						one.basis.map((reference) =>
							chips([reference], room, { words: () => wordsOf(response, reference) }),
						),
					)
				: null,
		),
	);
}

function gaps(response) {
	const missing = response.gaps ?? [];
	if (!missing.length) return null;
	const wanted = missing.map((gap) => gap.topic).join("; ");
	const request = `Could you add material on this: ${wanted}?`;
	return section(
		"What is missing",
		"gap",
		el(
			"ul",
			{},
			missing.map((gap) =>
				el("li", {}, said("strong", gap.topic), " ", said("span", gap.description, { class: "quiet" })),
			),
		),
		el(
			"div",
			{ class: "ask-sender" },
			el("span", { class: "quiet" }, "You could ask the sender: "),
			said("q", request),
			" ",
			button(
				"Copy",
				async (event) => {
					await navigator.clipboard?.writeText(request);
					event.target.textContent = "Copied";
				},
				{ class: "plain" },
			),
		),
	);
}

function withheld(response) {
	const removed = response.removed ?? [];
	return removed.length
		? section(
				`${count(removed.length, "claim")} withheld`,
				"withheld",
				el("p", { class: "quiet" }, "Drafted, checked, and found not to be supported; so not said."),
				el(
					"ul",
					{},
					removed.map((one) => said("li", one.reason)),
				),
			)
		: null;
}

// Claims that no mark of the text could be matched with, so that none is without its state.
function unplaced(response, room) {
	const { left } = claimsByMark(response, marksOf(response.text));
	return left.length
		? section(
				"Checked claims",
				"claims",
				el(
					"ul",
					{},
					left.map((claim) =>
						el(
							"li",
							{},
							said("span", claim.text),
							" ",
							claim.citations.length
								? chips(claim.citations, room, { words: (one) => wordsOf(response, one), claims: [claim] })
								: support(claim),
						),
					),
				),
			)
		: null;
}

function notices(envelope) {
	const scope = envelope.context_scope;
	const told = (envelope.notices ?? []).map((one) => one.message);
	if (scope && !scope.scope_complete)
		told.push(
			`This rests on ${scope.accessible_items} of ${scope.total_items} items; the others are not open to you.`,
		);
	return told.length
		? el(
				"ul",
				{ class: "notices" },
				told.map((text) => said("li", text)),
			)
		: null;
}
