// Citation chips: "Title, page 7 +2", with the quoted words before one clicks. Hover or focus shows
// them, Escape puts them away, click or Enter opens the source.
import { get, itemPath, query } from "./api.js";
import { button, byId, el, fill } from "./dom.js";
import { cited, placeName } from "./marks.js";
import { SUPPORT } from "./answers.js";

const preview = el("div", { id: "preview", role: "tooltip", hidden: true });
byId("foot").append(preview);
let hiding = 0,
	current = null;
const located = new Map();

preview.addEventListener("pointerenter", () => clearTimeout(hiding));
preview.addEventListener("pointerleave", () => later());
addEventListener("keydown", (event) => {
	if (event.key === "Escape" && !preview.hidden) hide();
});
addEventListener("scroll", () => hide(), { capture: true, passive: true });

// One group of references. `words` gives the excerpt of a reference; `claims` those that rest on it.
export function chips(references, room, { words = () => "", claims = [], from = null } = {}) {
	const all = references.map((reference) => ({
		reference,
		...cited(reference, room.items),
		words: words(reference),
	}));
	const [first, ...more] = all;
	const rest = el(
		"span",
		{ class: "more-chips", hidden: true },
		more.map((one) => chip(one, room, from)),
	);
	const opener = more.length
		? button(
				`+${more.length}`,
				() => {
					rest.hidden = !rest.hidden;
					opener.setAttribute("aria-expanded", !rest.hidden);
				},
				{ class: "chip plus", "aria-expanded": "false", "aria-label": `${more.length} more sources` },
			)
		: null;
	return el("span", { class: "cites" }, chip(first, room, from), opener, rest, claims.map(support));
}

export const support = (claim) =>
	el(
		"span",
		{ class: `support ${claim.support}`, title: "What checking found of this claim; not a similarity score" },
		`${SUPPORT[claim.support] ?? claim.support} · ${claim.confidence} confidence`,
	);

function chip(one, room, from) {
	const title = room.title(one.item);
	const place = placeName(one.place);
	const node = el(
		"button",
		{
			type: "button",
			class: "chip",
			"aria-describedby": "preview",
			"data-reference": one.reference,
			click: () => {
				hide();
				room.open(one.reference, one.words, from ?? node);
			},
			pointerenter: () => soon(node, one, room),
			pointerleave: () => later(),
			focus: () => show(node, one, room),
			blur: () => later(),
		},
		el("bdi", { class: "chip-title" }, short(title)),
		place ? el("bdi", { class: "chip-place" }, place) : null,
	);
	node.setAttribute("aria-label", `Source: ${title}${place ? `, ${place}` : ""}`);
	return node;
}

const short = (title) => (title.length > 34 ? `${title.slice(0, 32).trimEnd()}…` : title);

function soon(node, one, room) {
	clearTimeout(hiding);
	hiding = setTimeout(() => show(node, one, room), 120);
}

function later() {
	clearTimeout(hiding);
	hiding = setTimeout(hide, 180);
}

function hide() {
	clearTimeout(hiding);
	preview.hidden = true;
	current = null;
}

function show(node, one, room) {
	clearTimeout(hiding);
	current = node;
	const closed = room.items.get(one.item)?.access;
	const heading = el(
		"strong",
		{},
		el("bdi", {}, room.title(one.item)),
		one.place ? `, ${placeName(one.place)}` : "",
	);
	const body = el("p", { dir: "auto" }, one.words ? el("mark", {}, one.words) : "");
	fill(preview, heading, body);
	if (closed && closed !== "full") fill(body, "The sender lets this item be asked about, not looked at.");
	else
		context(one, room).then((found) => {
			if (current === node && found) {
				fill(body, ...found);
				place(node);
			}
		});
	preview.hidden = false;
	place(node);
}

// The words in their surroundings, as they stand in the source.
async function context(one, room) {
	const key = `${room.tez}\n${one.reference}`;
	if (!located.has(key)) {
		const path = `${itemPath(room.tez, one.item)}/locate${query({ citation: one.reference, session: room.conversation.session })}`;
		located.set(
			key,
			get(path).catch(() => null),
		);
	}
	const found = await located.get(key);
	if (!found) return null;
	const text = (found.clean_text || found.text).replace(/\s+/g, " ");
	const words = one.words.replace(/\s+/g, " ");
	const at = words ? text.indexOf(words) : -1;
	if (at < 0) return [el("mark", {}, cut(words || text, 0, 420))];
	const before = text.slice(0, at) || found.before,
		behind = text.slice(at + words.length) || found.behind;
	return [tail(before, 90), el("mark", {}, words), cut(behind, 0, 90)];
}

const cut = (text, from, length) => (text.length > length ? `${text.slice(from, length)}…` : text);
const tail = (text, length) => (text.length > length ? `…${text.slice(-length)}` : text);

function place(node) {
	const box = node.getBoundingClientRect(),
		own = preview.getBoundingClientRect();
	const left = Math.max(8, Math.min(box.left, innerWidth - own.width - 8));
	const above = box.bottom + own.height + 12 > innerHeight && box.top > own.height + 12;
	preview.style.left = `${left}px`;
	preview.style.top = `${above ? box.top - own.height - 8 : box.bottom + 8}px`;
}
