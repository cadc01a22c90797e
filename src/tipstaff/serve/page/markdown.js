// Markdown as elements, never as markup: headings, lists, tables, quotes, code, emphasis. What a
// link leads to is shown, not followed: a stranger's text opens no address. `cite(index)` gives the
// element of the index-th group of citation marks; `inserts` are other elements, each at a place.
import { el } from "./dom.js";
import { marksOf } from "./marks.js";

const PLACE = "\uE000",
	CLOSE = "\uE001";
const BULLET = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^\s*(```+|~~~+)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

export function markdown(text, cite = () => null, { top = 3, inserts = [] } = {}) {
	const places = [
		...marksOf(text).map(({ start, end }, index) => ({ start, end, make: () => cite(index) })),
		...inserts.map(({ at, make }) => ({ start: at, end: at, make })),
	].sort((one, other) => one.start - other.start || one.end - other.end);
	let marked = "",
		position = 0;
	places.forEach(({ start, end }, index) => {
		marked += text.slice(position, start).replaceAll(PLACE, "") + PLACE + index + CLOSE;
		position = Math.max(position, end);
	});
	marked += text.slice(position).replaceAll(PLACE, "");
	return blocks(marked.split(/\r?\n/), { cite: (index) => places[index].make(), top });
}

function blocks(lines, how) {
	const found = [];
	for (let at = 0; at < lines.length;) {
		const line = lines[at];
		const fence = FENCE.exec(line);
		let next = at + 1;
		if (!line.trim()) {
			at = next;
			continue;
		}
		if (fence) {
			while (next < lines.length && !lines[next].trim().startsWith(fence[1])) next += 1;
			found.push(el("pre", { tabindex: "0" }, el("code", {}, plain(lines.slice(at + 1, next).join("\n")))));
			next += 1;
		} else if (HEADING.test(line)) {
			const [, signs, words] = HEADING.exec(line);
			found.push(el(`h${Math.min(6, signs.length + how.top - 1)}`, { dir: "auto" }, ...inline(words, how)));
		} else if (RULE.test(line)) {
			found.push(el("hr"));
		} else if (/^\s*>/.test(line)) {
			while (next < lines.length && lines[next].trim()) next += 1;
			found.push(
				el(
					"blockquote",
					{ dir: "auto" },
					...blocks(
						lines.slice(at, next).map((one) => one.replace(/^\s*>\s?/, "")),
						how,
					),
				),
			);
		} else if (line.includes("|") && TABLE_RULE.test(lines[next] ?? "")) {
			while (next < lines.length && lines[next].includes("|")) next += 1;
			found.push(table(lines.slice(at, next), how));
		} else if (BULLET.test(line)) {
			while (
				next < lines.length &&
				(lines[next].trim() === ""
					? BULLET.test(lines[next + 1] ?? "") || /^\s{2,}\S/.test(lines[next + 1] ?? "")
					: BULLET.test(lines[next]) || /^\s/.test(lines[next]) || !startsBlock(lines[next]))
			)
				next += 1;
			found.push(list(lines.slice(at, next), how));
		} else {
			while (next < lines.length && lines[next].trim() && !startsBlock(lines[next])) next += 1;
			found.push(el("p", { dir: "auto" }, ...inline(lines.slice(at, next).join("\n"), how)));
		}
		at = next;
	}
	return found;
}

const startsBlock = (line) =>
	FENCE.test(line) || HEADING.test(line) || BULLET.test(line) || /^\s*>/.test(line);

function list(lines, how) {
	const [, indent, number] = BULLET.exec(lines[0]);
	const items = [];
	for (const line of lines) {
		const match = BULLET.exec(line);
		if (match && match[1].length <= indent.length + 1) items.push([match[3]]);
		else items.at(-1).push(line.replace(/^\s{1,4}/, ""));
	}
	const start = number && number !== "1" ? { start: number } : {};
	return el(
		number ? "ol" : "ul",
		start,
		items.map((own) => {
			const nested = own.findIndex((line, index) => index && BULLET.test(line));
			const words = nested < 0 ? own : own.slice(0, nested);
			return el(
				"li",
				{ dir: "auto" },
				...inline(words.join("\n").trim(), how),
				...(nested < 0
					? []
					: [
							list(
								own.slice(nested).filter((line) => line.trim()),
								how,
							),
						]),
			);
		}),
	);
}

function table(lines, how) {
	const rows = lines
		.filter((_, index) => index !== 1)
		.map((line) =>
			line
				.trim()
				.replace(/^\||\|$/g, "")
				.split(/(?<!\\)\|/)
				.map((cell) => cell.replaceAll("\\|", "|").trim()),
		);
	const [head, ...body] = rows;
	const cells = (row, tag) =>
		el(
			"tr",
			{},
			row.map((cell) =>
				el(tag, { dir: "auto", ...(tag === "th" ? { scope: "col" } : {}) }, ...inline(cell, how)),
			),
		);
	return el(
		"div",
		{ class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" },
		el(
			"table",
			{},
			el("thead", {}, cells(head, "th")),
			el(
				"tbody",
				{},
				body.map((row) => cells(row, "td")),
			),
		),
	);
}

const INLINE = new RegExp(
	[
		"`([^`\\n]+)`",
		"\\*\\*([^*]+(?:\\*(?!\\*)[^*]+)*)\\*\\*",
		"\\*([^*\\s][^*\\n]*)\\*",
		"(?<!\\w)_([^_\\s][^_\\n]*)_(?!\\w)",
		"!?\\[([^\\]\\n]*)\\]\\(([^)\\s]*)[^)]*\\)",
		`${PLACE}(\\d+)${CLOSE}`,
	].join("|"),
	"g",
);

function inline(text, how) {
	const found = [];
	let position = 0;
	for (const match of text.matchAll(INLINE)) {
		found.push(unescaped(text.slice(position, match.index)));
		const [, code, strong, emphasis, underscored, label, target, mark] = match;
		if (code !== undefined) found.push(el("code", {}, code));
		else if (strong !== undefined) found.push(el("strong", {}, ...inline(strong, how)));
		else if ((emphasis ?? underscored) !== undefined)
			found.push(el("em", {}, ...inline(emphasis ?? underscored, how)));
		else if (mark !== undefined) found.push(how.cite(Number(mark)) ?? "");
		else found.push(...inline(label, how), target ? el("span", { class: "target" }, ` (${target})`) : "");
		position = match.index + match[0].length;
	}
	found.push(unescaped(text.slice(position)));
	return found;
}

const unescaped = (text) => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
const plain = (text) => text.replaceAll(new RegExp(`${PLACE}\\d+${CLOSE}`, "g"), "[…]");
