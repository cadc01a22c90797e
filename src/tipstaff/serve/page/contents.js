// The contents: the synthesis, every item with its state, the sessions, and a claim to be checked.
import { get } from "./api.js";
import { button, count, el, fill, readableSize, said } from "./dom.js";
import { sessionList } from "./sessions.js";

const TYPES = {
	document: "¶",
	note: "✎",
	email: "✉",
	spreadsheet: "▦",
	presentation: "▭",
	image: "▣",
	audio: "♪",
	video: "▶",
	code: "{ }",
	data: "⋮",
	webpage: "⌂",
	message: "❝",
};
const HASHES = {
	verified: ["✓ hash verified", "The bytes are those that the sender hashed."],
	pinned: ["hash taken here", "The sender declared no hash; one was taken when the bundle was opened."],
	mismatch: ["✗ hash differs", "These are not the bytes that the sender hashed."],
	unavailable: ["no bytes", "There is nothing to hash."],
};
const LEVELS = { interrogation_only: "may be asked about, not viewed", summary_only: "summary only" };

export async function contents(node, room) {
	const synthesis = room.facts.context_summary
		? button(
				[
					el("span", { class: "kind", "aria-hidden": "true" }, "§"),
					el("span", {}, "Synthesis", el("small", {}, "what the sender made of it")),
				],
				() => room.open("tez.md"),
				{ class: "item" },
			)
		: null;
	const list = el(
		"ul",
		{ class: "items" },
		[...room.items.values()].filter((item) => item.id !== "tez.md").map((item) => entry(item, room)),
	);
	const scope = room.facts.context_scope;
	fill(
		node,
		el("h2", {}, "Contents"),
		synthesis,
		el("h3", {}, count(room.items.size - 1, "item")),
		list,
		scope && !scope.scope_complete
			? el(
					"p",
					{ class: "note" },
					`${count(scope.restricted_items, "more item is", "more items are")} in this tez that you have no access to.`,
				)
			: null,
		sessionList(room),
	);
	if (!room.facts.items) return;
	try {
		const { items } = await get(room.path("inventory"));
		for (const item of items) room.items.set(item.id, item);
		fill(list, ...items.map((item) => entry(item, room)));
	} catch {
		/* The plain list stays. */
	}
}

function entry(item, room) {
	const [hash, meaning] = HASHES[item.hash_state] ?? [item.hash_state, ""];
	const facts = [
		item.pages ? count(item.pages, "page") : null,
		readableSize(item.size_bytes),
		item.tokens ? `${item.tokens.toLocaleString("en")} tokens` : null,
	]
		.filter(Boolean)
		.join(" · ");
	const warnings = (item.hidden_text ?? []).map((words) =>
		said("small", `Hidden text: ${words}`, { class: "warn" }),
	);
	const closed = LEVELS[item.access];
	return el(
		"li",
		{ class: item.parent ? "inside" : "" },
		button(
			[
				el("span", { class: "kind", "aria-hidden": "true" }, TYPES[item.type] ?? "◦"),
				el(
					"span",
					{},
					said("span", item.title || item.id, { class: "name" }),
					el("small", {}, said("span", item.type), ` · ${facts}`),
					el(
						"small",
						{ title: meaning, class: item.hash_state === "mismatch" ? "warn" : "" },
						hash,
						closed ? ` · ${closed}` : "",
					),
					item.state && !["available"].includes(item.state)
						? said("small", `${item.state}: ${item.reason ?? "not read"} ${item.suggestion ?? ""}`, {
								class: "warn",
							})
						: null,
					warnings,
				),
			],
			() => room.open(item.id),
			{ class: "item" },
		),
	);
}
