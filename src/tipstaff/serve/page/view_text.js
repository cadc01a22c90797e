// Text by its lines, and what has no lines by its blocks: paragraphs, slides, messages, spoken
// segments. A stretch around the place is loaded first, more when its edge comes near.
import { clock, el } from "./dom.js";

const STEP = 200;

export const lines = (body, source) =>
	stretch(body, source, {
		what: "lines",
		total: source.view.line_count,
		at: source.view.at.line ?? 1,
		holder: el("div", { class: "lines", role: "group" }),
		draw: (one) =>
			el(
				"div",
				{ class: `line${lit(one)}`, "data-number": one.line },
				el("span", { class: "number", "aria-hidden": "true" }, String(one.line)),
				el("span", { class: "text", dir: "auto" }, runs(one.runs)),
			),
	});

export const blocks = (body, source, root = body) =>
	stretch(body, source, {
		root,
		what: "blocks",
		total: source.view.block_count,
		at: source.view.at.block ?? 1,
		holder: el("div", { class: "blocks" }),
		draw: block,
	});

export const slides = (body, source) =>
	stretch(body, source, {
		what: "blocks",
		total: source.view.block_count,
		at: source.view.at.block ?? 1,
		holder: el("div", { class: "slides" }),
		draw: (one, before) => {
			const node = block(one);
			if (one.slide === before?.slide) return node;
			node.classList.add("first-of-slide");
			node.prepend(el("span", { class: "slide-number" }, `Slide ${one.slide}`));
			return node;
		},
	});

export function runs(pieces) {
	return pieces.map(([text, light]) => {
		if (light === "words") return el("mark", { class: "exact" }, text);
		if (light === "passage") return el("mark", { class: "passage" }, text);
		if (light === "hidden")
			return el("span", { class: "hidden-text", title: "Hidden from readers of the file" }, text);
		return text;
	});
}

const lit = (one) => (one.runs.some(([, light]) => light === "passage" || light === "words") ? " lit" : "");

function block(one, before = null) {
	const heading = one.kind === "heading";
	const tag = heading ? `h${Math.min(6, (one.level ?? 1) + 2)}` : "p";
	const time =
		one.start_ms !== null && one.start_ms !== undefined
			? el("button", { type: "button", class: "time plain", "data-ms": one.start_ms }, clock(one.start_ms))
			: null;
	return el(
		"div",
		{ class: `block ${one.kind}${one.quoted ? " quoted" : ""}${lit(one)}`, "data-number": one.block },
		time,
		one.author && one.author !== before?.author ? el("strong", { class: "author" }, el("bdi", {}, one.author)) : null,
		el(tag, { dir: "auto" }, runs(one.runs)),
	);
}

async function stretch(body, source, { root = body, what, total, at, holder, draw }) {
	let first = Math.max(1, at - STEP / 2),
		last = first - 1,
		busy = false,
		previous = null;
	const top = el("div", { class: "edge" }),
		bottom = el("div", { class: "edge" });
	body.append(top, holder, bottom);

	async function more(down) {
		if (busy || (down ? last >= total : first <= 1)) return;
		busy = true;
		const from = down ? last + 1 : Math.max(1, first - STEP),
			to = down ? Math.min(total, last + STEP) : first - 1;
		const found = (await source.get(what, { first: from, last: to }))[what];
		let before = down ? previous : null;
		const nodes = found.map((one) => {
			const node = draw(one, before);
			before = one;
			return node;
		});
		const height = root.scrollHeight;
		if (down) {
			holder.append(...nodes);
			last = to;
			previous = before;
		} else {
			holder.prepend(...nodes);
			first = from;
			root.scrollTop += root.scrollHeight - height;
		}
		busy = false;
	}

	await more(true);
	const target =
		holder.querySelector("mark.exact") ??
		holder.querySelector("mark.passage") ??
		holder.querySelector(".lit");
	target?.scrollIntoView({ block: "center" });
	const watcher = new IntersectionObserver(
		(entries) => {
			for (const entry of entries) if (entry.isIntersecting) more(entry.target === bottom);
		},
		{ root, rootMargin: "600px" },
	);
	watcher.observe(top);
	watcher.observe(bottom);
	return () => watcher.disconnect();
}
