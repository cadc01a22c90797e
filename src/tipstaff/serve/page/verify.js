// A sentence from anywhere, held against the tez: supported, contradicted, or silence (TIP §9.2).
import { call } from "./api.js";
import { chips } from "./chips.js";
import { announce, button, dialog, el, fill, said } from "./dom.js";

const VERDICTS = {
	supported: ["●", "The sources support this"],
	contradicted: ["◧", "The sources say otherwise"],
	silent: ["○", "The sources are silent on this"],
};

export function verifyDialog(room) {
	const field = el("textarea", { id: "claim", rows: "3", maxlength: "1000", required: true, dir: "auto" });
	const result = el("div", { class: "verdict", "aria-live": "polite" });
	const send = el("button", { class: "main" }, "Check");
	const box = dialog(
		"Check a sentence",
		el(
			"form",
			{
				submit: async (event) => {
					event.preventDefault();
					send.disabled = true;
					fill(result, el("p", { class: "quiet" }, "Checking…"));
					try {
						show(
							result,
							await call("POST", room.path("verify", { session: room.conversation.session }), { statement: field.value.trim() }),
							room,
							box,
						);
					} catch (problem) {
						fill(result, said("p", problem.message, { class: "note" }));
					}
					send.disabled = false;
				},
			},
			el("label", { for: "claim" }, "Paste any sentence, from anywhere"),
			field,
			el(
				"div",
				{ class: "choices" },
				button("Done", () => box.close()),
				send,
			),
		),
		result,
	);
	box.classList.add("wide-dialog");
	field.focus();
}

function show(node, { verdict, reason, support, passages }, room, box) {
	const [mark, words] = VERDICTS[verdict] ?? ["·", verdict];
	fill(
		node,
		el(
			"p",
			{ class: `badge ${verdict}` },
			el("span", { class: "badge-mark", "aria-hidden": "true" }, mark),
			el("strong", {}, words),
			support ? el("span", { class: "sure" }, support) : null,
		),
		reason ? said("p", reason) : "",
		...passages.map((one) =>
			el(
				"blockquote",
				{},
				one.text_excerpt
					? said("p", one.text_excerpt)
					: el("p", { class: "quiet" }, "This item may be asked about, not quoted."),
				chips(
					[one.location ? `${one.item_id}:${one.location}` : one.item_id],
					{ ...proxy(room, box) },
					{ words: () => one.text_excerpt },
				),
			),
		),
	);
	announce(words);
}

// Opening a source from here puts the dialog away.
const proxy = (room, box) => ({
	tez: room.tez,
	items: room.items,
	title: (id) => room.title(id),
	open: (...place) => {
		box.close();
		room.open(...place);
	},
});
