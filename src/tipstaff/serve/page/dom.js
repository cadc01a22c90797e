// Elements made by name. Text is only ever a text node: no markup is made of strings anywhere.

export function el(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false) continue;
		if (typeof value === "function") node.addEventListener(name, value);
		else if (name === "value") node.value = value;
		else node.setAttribute(name, value === true ? "" : String(value));
	}
	node.append(...there(children));
	return node;
}

const there = (children) =>
	children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

// What is inside an element, anew.
export const fill = (node, ...children) => node.replaceChildren(...there(children));

// What a bundle or a model says: its own direction, whatever the page's is.
export const said = (tag, text, attributes = {}) => el(tag, { dir: "auto", ...attributes }, text ?? "");

export const button = (label, click, attributes = {}) =>
	el("button", { type: "button", click, ...attributes }, label);

export const byId = (id) => document.getElementById(id);

export function announce(text) {
	byId("status").textContent = text;
}

// An error in words, with what may help; it stays until it is put away.
export function alertUser(problem) {
	const note = el(
		"div",
		{ class: "alert" },
		said("p", problem.message ?? String(problem)),
		problem.suggestion ? said("p", problem.suggestion, { class: "quiet" }) : null,
		button("Close", () => note.remove(), { class: "plain" }),
	);
	fill(byId("alerts"), note);
}

export function dialog(title, ...content) {
	const heading = el("h2", { id: "dialog-title" }, title);
	const box = el("dialog", { "aria-labelledby": "dialog-title" }, heading, ...content);
	box.addEventListener("close", () => box.remove());
	document.body.append(box);
	box.showModal();
	return box;
}

export const count = (number, one, many = `${one}s`) =>
	`${Number(number).toLocaleString("en")} ${number === 1 ? one : many}`;

export function readableSize(bytes) {
	let amount = bytes,
		unit = "B";
	for (const next of ["KB", "MB", "GB"]) {
		if (amount < 1000) break;
		amount /= 1000;
		unit = next;
	}
	return unit === "B" ? `${bytes} B` : `${amount.toFixed(1)} ${unit}`;
}

export const readableTime = (iso) =>
	iso ? new Date(iso).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "";

export function clock(ms) {
	const seconds = Math.floor(ms / 1000);
	const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
	return parts.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
}
