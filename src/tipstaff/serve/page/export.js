// A session to take along: questions, answers and numbered sources, as Markdown, as a page, on paper.
import { BADGES } from "./answers.js";
import { excerpt } from "./answer.js";
import { alertUser, button, dialog, el, said } from "./dom.js";
import { markdown } from "./markdown.js";
import { cited, marksOf, placeName } from "./marks.js";

export function exportDialog(room) {
	const told = room.conversation.answers.filter((one) => one.envelope);
	if (!told.length) return alertUser({ message: "There is no answer to export yet." });
	const whole = numbered(told, room);
	const save = (name, type, content) => () => {
		download(`${room.tez}.${name}`, type, content());
		box.close();
	};
	const box = dialog(
		"Export the session",
		el("p", {}, "With numbered sources: title, place, quoted words and the hash of the file."),
		el(
			"div",
			{ class: "choices" },
			button(
				"Markdown",
				save("md", "text/markdown", () => asMarkdown(whole, room)),
			),
			button(
				"HTML",
				save("html", "text/html", () => asPage(whole, room)),
			),
			button("Print or PDF", () => {
				box.close();
				paper(whole, room);
			}),
			button("Cancel", () => box.close()),
		),
	);
}

// Every mark as a number; equal places have one number.
function numbered(answers, room) {
	const sources = new Map();
	const number = (reference, answer) => {
		if (!sources.has(reference))
			sources.set(reference, {
				number: sources.size + 1,
				reference,
				...cited(reference, room.items),
				words: "",
			});
		const one = sources.get(reference);
		one.words ||= excerpt(answer, reference);
		return one.number;
	};
	const parts = answers.map((answer) => {
		let text = "",
			position = 0;
		for (const mark of marksOf(answer.text)) {
			text += `${answer.text.slice(position, mark.start)}[${mark.references.map((one) => number(one, answer)).join(", ")}]`;
			position = mark.end;
		}
		const { response } = answer.envelope;
		return {
			query: answer.query,
			text: text + answer.text.slice(position),
			word: `${BADGES[response.classification].word}, ${response.confidence} confidence`,
			at: answer.envelope.created_at,
		};
	});
	return { parts, sources: [...sources.values()] };
}

const sourceLine = (one, room) => {
	const hash = room.items.get(one.item)?.sha256;
	return [
		room.title(one.item),
		placeName(one.place),
		one.words ? `“${one.words}”` : "",
		hash ? `SHA-256 ${hash}` : "",
	]
		.filter(Boolean)
		.join(", ");
};

function asMarkdown({ parts, sources }, room) {
	const told = parts.map((one) => `## ${oneLine(one.query)}\n\n*${one.word}* (${one.at})\n\n${one.text}\n`);
	const listed = sources.map((one) => `${one.number}. ${oneLine(sourceLine(one, room))}`);
	return `# ${oneLine(room.facts.title)}\n\n${told.join("\n")}\n## Sources\n\n${listed.join("\n")}\n`;
}

const oneLine = (text) => text.replace(/\s+/g, " ");

function document_({ parts, sources }, room) {
	return el(
		"article",
		{},
		said("h1", room.facts.title),
		parts.map((one) =>
			el("section", {}, said("h2", one.query), el("p", {}, el("em", {}, one.word)), ...markdown(one.text)),
		),
		el("h2", {}, "Sources"),
		el(
			"ol",
			{},
			sources.map((one) => said("li", sourceLine(one, room))),
		),
	);
}

// Serialised from elements, so that what a bundle says stays text in the file, too.
function asPage(whole, room) {
	const body = new XMLSerializer().serializeToString(document_(whole, room));
	const head =
		'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'"><title>Session</title><style>body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 serif}li{margin:.4rem 0}</style></head><body>';
	return `${head}${body}</body></html>`;
}

function paper(whole, room) {
	const sheet = document_(whole, room);
	sheet.className = "paper";
	document.body.append(sheet);
	document.body.classList.add("printing");
	addEventListener(
		"afterprint",
		() => {
			sheet.remove();
			document.body.classList.remove("printing");
		},
		{ once: true },
	);
	print();
}

function download(name, type, content) {
	const address = URL.createObjectURL(new Blob([content], { type }));
	el("a", { href: address, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
