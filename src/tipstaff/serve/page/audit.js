// The synthesis held against its own sources: claims that do not stand are marked, each with why.
import { call } from "./api.js";
import { chips } from "./chips.js";
import { announce, button, count, el, said } from "./dom.js";

const WORDS = {
	unsupported: "not supported",
	contradicted: "contradicted",
	citation_broken: "citation broken",
};

// `draw(text, told, inserts)` shows the synthesis anew.
export async function audited(room, ask, draw) {
	ask.disabled = true;
	ask.textContent = "Checking its claims…";
	try {
		const audit = await call("POST", room.path("audit", { session: room.conversation.session }));
		const wrong = audit.claims.filter((one) => one.standing in WORDS);
		const units = codeUnits(audit.text);
		const ends = [];
		const inserts = wrong.flatMap((claim) => {
			const [start, end] = within(audit.text, units[claim.start], units[claim.end]);
			const first = el("span", { class: "audit-start" });
			const last = mark(claim, room);
			ends.push([first, last]);
			return [
				{ at: start, make: () => first },
				{ at: end, make: () => last },
			];
		});
		draw(audit.text, [summary(audit, wrong)], inserts);
		light(ends);
	} catch (problem) {
		ask.disabled = false;
		ask.textContent = "Check its claims";
		ask.after(said("p", problem.message, { class: "note" }));
	}
}

function summary({ counts, score }, wrong) {
	const { supported, weak, uncited, stale } = counts;
	const told = [
		wrong.length ? `${count(wrong.length, "claim")} to look at` : "No claim was found wanting",
		`${supported} supported`,
		`${weak} weakly supported`,
		uncited ? `${uncited} without a citation` : "",
		stale ? `${stale} overtaken by a newer item` : "",
	].filter(Boolean);
	announce(told[0]);
	return el("p", { class: "note audit-summary" }, `${told.join(", ")}. Score ${score.toFixed(2)}.`);
}

function mark(claim, room) {
	const note = el("span", { class: "audit-note", hidden: true }, said("span", claim.reason));
	for (const one of [...claim.passages, ...claim.elsewhere]) {
		const reference = one.location ? `${one.item_id}:${one.location}` : one.item_id;
		note.append(
			one.text_excerpt ? said("q", one.text_excerpt) : "",
			chips([reference], room, { words: () => one.text_excerpt }) ?? "",
		);
	}
	const open = button(
		WORDS[claim.standing],
		() => {
			note.hidden = !note.hidden;
			open.setAttribute("aria-expanded", String(!note.hidden));
		},
		{ class: `audit-mark ${claim.standing}`, "aria-expanded": "false" },
	);
	return el("span", { class: "audit-claim" }, open, note);
}

// The server counts characters, a browser counts halves of some.
function codeUnits(text) {
	const found = [];
	let at = 0;
	for (const character of text) {
		found.push(at);
		at += character.length;
	}
	return [...found, at];
}

// A row's own bars stay outside of what is put into its cells.
function within(text, start, end) {
	while (start < end && "| \t".includes(text[start])) start += 1;
	while (end > start && "| \t".includes(text[end - 1])) end -= 1;
	return [start, end];
}

// Words from one element to another, without touching what is between them.
function light(ends) {
	if (!globalThis.Highlight || !CSS.highlights) return;
	const ranges = ends
		.filter(([first, last]) => first.isConnected && last.isConnected)
		.map(([first, last]) => {
			const range = new Range();
			range.setStartAfter(first);
			range.setEndBefore(last);
			return range;
		});
	CSS.highlights.set("audit", new Highlight(...ranges));
}
