// Sessions: begun, found again, named, closed with a summary, taken along.
import { call, get, sessionPath, tezPath } from "./api.js";
import { alertUser, button, count, dialog, el, fill, readableTime, said } from "./dom.js";

export function sessionList(room) {
	const list = el("ul", { class: "sessions" });
	const refresh = () => draw(list, room).catch(() => fill(list));
	room.conversation.changed = refresh;
	refresh();
	return el("section", { class: "session-part", "aria-label": "Sessions" }, el("h3", {}, "Sessions"), list);
}

// What can be done with the conversation as a whole.
export function sessionTools(room) {
	const guarded = (act) => async () => {
		try {
			await act();
		} catch (problem) {
			alertUser(problem);
		}
	};
	return el(
		"div",
		{ class: "tools talk-tools", role: "toolbar", "aria-label": "Session" },
		button("New session", () => room.conversation.fresh(), { class: "plain" }),
		button(
			"Check a sentence…",
			guarded(async () => (await import("./verify.js")).verifyDialog(room)),
			{ class: "plain" },
		),
		el("span", { class: "space" }),
		button(
			"Export…",
			guarded(async () => (await import("./export.js")).exportDialog(room)),
			{ class: "plain" },
		),
		button(
			"Close…",
			guarded(() => close(room)),
			{ class: "plain" },
		),
	);
}

async function draw(list, room) {
	const { sessions } = await get(`${tezPath(room.tez)}/interrogate`);
	const told = sessions
		.filter((one) => one.query_count || one.session_id === room.conversation.session)
		.slice(0, 20);
	fill(
		list,
		...told.map((one) => {
			const current = one.session_id === room.conversation.session;
			const title = one.title || `Session of ${readableTime(one.initiated_at)}`;
			return el(
				"li",
				{},
				button(
					[
						said("span", title, { class: "name" }),
						el("small", {}, `${count(one.query_count, "question")} · ${one.status}`),
					],
					() => room.conversation.resume(one.session_id),
					{ class: "item", "aria-current": current ? "true" : null },
				),
				button("✎", () => rename(one, title, room), { class: "plain", "aria-label": `Rename ${title}` }),
			);
		}),
	);
}

function rename(one, title, room) {
	const field = el("input", { id: "session-name", value: title, maxlength: "200", required: true });
	const box = dialog(
		"Name of the session",
		el(
			"form",
			{
				submit: async (event) => {
					event.preventDefault();
					try {
						await call("PATCH", sessionPath(room.tez, one.session_id), { title: field.value.trim() });
					} catch (problem) {
						alertUser(problem);
					}
					box.close();
					room.conversation.changed();
				},
			},
			el("label", { for: "session-name" }, "Name"),
			field,
			el(
				"div",
				{ class: "choices" },
				button("Cancel", () => box.close()),
				el("button", { class: "main" }, "Save"),
			),
		),
	);
	field.select();
}

async function close(room) {
	const { conversation } = room;
	if (!conversation.session || conversation.closed)
		return alertUser({ message: "There is no open session." });
	const { summary } = await call("POST", `${sessionPath(room.tez, conversation.session)}/close`);
	conversation.closed = true;
	conversation.changed();
	const kinds = Object.entries(summary.classifications ?? {})
		.filter(([, number]) => number)
		.map(([kind, number]) => `${number} ${kind}`)
		.join(", ");
	const facts = [
		["Questions", summary.query_count],
		["Answers", kinds],
		["Items cited", summary.unique_items_cited],
		["Cited most", summary.most_cited_item ? room.title(summary.most_cited_item) : null],
		["Tokens", summary.total_tokens.toLocaleString("en")],
		["Minutes", summary.duration_minutes],
	];
	const box = dialog(
		"The session is closed",
		el(
			"dl",
			{ class: "summary" },
			facts
				.filter(([, value]) => value !== null && value !== "")
				.map(([name, value]) => el("div", {}, el("dt", {}, name), said("dd", String(value)))),
		),
		el(
			"div",
			{ class: "choices" },
			button("Export…", async () => {
				box.close();
				(await import("./export.js")).exportDialog(room);
			}),
			button("Done", () => box.close(), { class: "main" }),
		),
	);
}
