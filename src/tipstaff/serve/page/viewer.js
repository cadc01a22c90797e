// The source viewer: opens an item at a place, by the way that fits its kind. Each way is loaded
// when it is first needed, and draws only what is visible.
import { link } from "./address.js";
import { ApiError, blob, get, itemPath, query } from "./api.js";
import { announce, button, el, fill, said } from "./dom.js";
import { cited, placeName } from "./marks.js";

const WAYS = {
	pages: ["./view_pages.js", "pages"],
	image: ["./view_pages.js", "picture"],
	sheet: ["./view_sheet.js", "sheet"],
	tree: ["./view_tree.js", "tree"],
	lines: ["./view_text.js", "lines"],
	blocks: ["./view_text.js", "blocks"],
	slides: ["./view_text.js", "slides"],
	audio: ["./view_media.js", "media"],
	video: ["./view_media.js", "media"],
};

export class Viewer {
	constructor(room) {
		Object.assign(this, { room, shown: null, history: [], number: 0, cleanUp: () => {} });
		this.head = el("header", { class: "viewer-head" });
		this.body = el("div", { class: "viewer-body", tabindex: "0", role: "region", "aria-label": "Source" });
		this.node = el("section", { class: "pane source", "aria-label": "Source viewer" }, this.head, this.body);
		this.empty();
	}

	empty() {
		fill(this.head, el("h2", {}, "Source"));
		fill(
			this.body,
			el("p", { class: "quiet wait" }, "Choose a citation or an item: it opens here, at the place."),
		);
	}

	async open(wanted, { back = false } = {}) {
		if (this.shown && !back && this.shown.reference !== wanted.reference) this.history.push(this.shown);
		this.shown = wanted;
		const number = ++this.number;
		const { item, place } = cited(wanted.reference, this.room.items);
		this.cleanUp();
		this.cleanUp = () => {};
		this.drawHead(item, place, wanted);
		fill(this.body, el("p", { class: "quiet wait" }, "Opening…"));
		try {
			if (item === "tez.md" && !place) await this.synthesis();
			else await this.item(item, wanted, number);
		} catch (problem) {
			if (number === this.number) this.refused(problem, item);
		}
		if (number === this.number && wanted.from) this.body.focus({ preventScroll: true });
	}

	drawHead(item, place, wanted) {
		const address = link({ tez: this.room.tez, cite: wanted.reference, words: wanted.words });
		const copy = button(
			"Copy link",
			async () => {
				await navigator.clipboard?.writeText(address).catch(() => {});
				copy.textContent = "Copied";
				announce("The link was copied.");
			},
			{ class: "plain", title: "For whoever has access to this tez" },
		);
		fill(
			this.head,
			this.history.length
				? button("←", () => this.back(), { class: "plain", "aria-label": "Back to the source before" })
				: "",
			el(
				"div",
				{ class: "viewer-title" },
				said("h2", this.room.title(item)),
				place ? el("p", { class: "quiet" }, el("bdi", {}, placeName(place))) : null,
			),
			copy,
			button("×", () => this.close(), { class: "plain", "aria-label": "Close the source" }),
		);
	}

	back() {
		const before = this.history.pop();
		if (before) this.open(before, { back: true });
	}

	close() {
		this.number += 1;
		this.cleanUp();
		const from = this.shown?.from;
		Object.assign(this, { shown: null, history: [], cleanUp: () => {} });
		this.empty();
		this.room.show("talk");
		if (from?.isConnected) from.focus();
	}

	async item(item, wanted, number) {
		const lit = { citation: wanted.reference === item ? "" : wanted.reference, words: wanted.words };
		const path = (rest, values = {}) => `${itemPath(this.room.tez, item)}/${rest}${query(values)}`;
		// Looked at within the session, if there is one: what is shown is marked and recorded as its own.
		const session = this.room.conversation.session;
		const view = await get(path("view", { session, ...lit }));
		const [file, name] = WAYS[view.kind] ?? WAYS.blocks;
		const way = await import(file);
		if (number !== this.number) return;
		const source = {
			view,
			item,
			lit,
			facts: this.room.items.get(item),
			get: (rest, values) => get(path(rest, { session, ...lit, ...values })),
			blob: (rest, values, signal) => blob(path(rest, { session, ...values }), signal),
		};
		fill(this.body, ...notes(view, wanted));
		this.cleanUp = (await way[name](this.body, source)) ?? (() => {});
		announce(`${view.title} is open${view.at.page ? `, page ${view.at.page}` : ""}.`);
	}

	// The sender's own words in full, with their citations live.
	async synthesis() {
		const [{ markdown }, { chips }, { marksOf }] = await Promise.all([
			import("./markdown.js"),
			import("./chips.js"),
			import("./marks.js"),
		]);
		const within = query({ session: this.room.conversation.session });
		const sent = await (await blob(`${itemPath(this.room.tez, "tez.md")}/content${within}`)).text();
		const draw = (text, told = [], inserts = []) => {
			const marks = marksOf(text);
			const cite = (index) => chips(marks[index].references, this.room);
			const article = el(
				"article",
				{ class: "synthesis" },
				el("p", { class: "quiet" }, "What the sender made of the items. Answers check it against them."),
				...told,
				...markdown(text, cite, { top: 3, inserts }),
			);
			fill(this.body, article);
		};
		const check = async () => {
			const shown = this.shown;
			const { audited } = await import("./audit.js");
			await audited(this.room, ask, (...parts) => this.shown === shown && draw(...parts));
		};
		const ask = button("Check its claims", check, { class: "plain audit-ask" });
		draw(sent, [ask]);
		this.body.scrollTop = 0;
	}

	refused(problem, item) {
		const access = this.room.items.get(item)?.access;
		const closed = problem instanceof ApiError && problem.status === 403;
		fill(
			this.body,
			el(
				"div",
				{ class: "refused" },
				el("h3", {}, closed ? "This item cannot be viewed" : "This cannot be shown"),
				said("p", problem.message),
				closed
					? el(
							"p",
							{ class: "quiet" },
							access === "summary_only"
								? "Answers may rest on its summary."
								: "Answers may rest on it and cite it; its own words stay with the sender (TIP §13.4.2).",
						)
					: null,
				closed && this.shown?.reference
					? el("p", {}, "The citation: ", el("code", {}, `[[${this.shown.reference}]]`))
					: null,
			),
		);
	}
}

function notes(view, wanted) {
	const told = [];
	if (view.unresolved) told.push(`The place does not exist: ${view.unresolved}.`);
	for (const one of view.hidden)
		told.push(`Hidden text in this item: ${one.reason} (${one.characters.toLocaleString("en")} characters).`);
	told.push(...view.notes);
	const found = told.map((text) => said("p", text, { class: "note" }));
	if (wanted.words) found.push(el("p", { class: "sr" }, `The cited words: ${wanted.words}`));
	return found;
}
