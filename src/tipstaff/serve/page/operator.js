// The operator's view, for the holder of an admin token: tezits, use and cost, tokens, limits, audit.
import { call, get, part as encoded, query } from "./api.js";
import { qualities } from "./quality.js";
import { alertUser, button, byId, count, dialog, el, fill, readableTime, said } from "./dom.js";

const AUDIT_PAGE = 200;

export async function operator(main, me) {
	document.title = "Operator · Tipstaff";
	fill(byId("bar-title"), el("span", { class: "tez-title" }, "Operator"));
	const [{ tezits, days }, { tokens }, facts] = await Promise.all([
		get(`usage${query({ days: 30 })}`),
		get("tokens").catch(() => ({ tokens: null })),
		get(".well-known/tip"),
	]);
	fill(
		main,
		el(
			"div",
			{ class: "operator" },
			el("h1", {}, `Tenant ${me.tenant}`),
			usage(tezits),
			byDay(days),
			quality(tezits),
			tokens ? tokenTable(tokens, tezits, () => operator(main, me)) : null,
			limits(facts),
			audit(),
		),
	);
}

const card = (title, ...content) => el("section", { class: "panel" }, el("h2", {}, title), ...content);
const table = (names, rows, caption) =>
	el(
		"div",
		{ class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
		el(
			"table",
			{},
			el("caption", { class: "sr" }, caption),
			el(
				"thead",
				{},
				el(
					"tr",
					{},
					names.map((name) => el("th", { scope: "col" }, name)),
				),
			),
			el("tbody", {}, rows),
		),
	);

// What takes a request for each tez is waited for by nobody.
function quality(tezits) {
	const place = el("div", { class: "stack" }, el("p", { class: "quiet" }, "Looking …"));
	qualities(tezits).then((found) => fill(place, found), alertUser);
	return card("Quality of answers", place);
}

function usage(tezits) {
	const most = Math.max(1, ...tezits.map((one) => one.total_queries));
	const rows = tezits.map((one) =>
		el(
			"tr",
			{},
			el("td", {}, said("strong", one.title || one.tez_id), el("br"), said("small", one.tez_id)),
			said("td", one.state),
			el("td", {}, share(one.total_queries, most), ` ${one.total_queries.toLocaleString("en")}`),
			el("td", {}, one.total_sessions.toLocaleString("en")),
			el("td", {}, one.total_tokens.toLocaleString("en")),
			el("td", {}, `$${one.estimated_cost_usd.toFixed(4)}`),
		),
	);
	const people = new Map();
	for (const tez of tezits)
		for (const one of tez.by_recipient ?? [])
			people.set(one.recipient, (people.get(one.recipient) ?? 0) + one.queries);
	const busiest = [...people].sort((one, other) => other[1] - one[1]).slice(0, 20),
		top = Math.max(1, ...people.values());
	return card(
		"Tezits, last 30 days",
		table(["Tez", "State", "Questions", "Sessions", "Tokens", "Cost"], rows, "Use and cost by tez"),
		busiest.length
			? [
					el("h3", {}, "By recipient"),
					table(
						["Recipient", "Questions"],
						busiest.map(([name, number]) =>
							el("tr", {}, said("td", name), el("td", {}, share(number, top), ` ${number}`)),
						),
						"Use by recipient",
					),
				]
			: "",
	);
}

// A bar a day; the figures are in a table below for whoever cannot see bars.
function byDay(days) {
	const chart = (name, of, told) => {
		const most = Math.max(...days.map(of), 0);
		const bars = days.map((one) => {
			const bar = el("span", { class: "day", title: `${one.date}: ${told(of(one))}` });
			bar.style.blockSize = `${most ? (100 * of(one)) / most : 0}%`;
			return bar;
		});
		const label = `${name} a day, from ${days[0].date} to ${days.at(-1).date}; at most ${told(most)}`;
		return el(
			"figure",
			{ class: "days" },
			el("figcaption", {}, `${name} a day, at most ${told(most)}`),
			el("div", { class: "chart", role: "img", "aria-label": label }, bars),
			el("div", { class: "ends quiet" }, el("span", {}, days[0].date), el("span", {}, days.at(-1).date)),
		);
	};
	const asked = days.filter((one) => one.queries);
	return card(
		"Day by day",
		el(
			"div",
			{ class: "charts" },
			chart("Questions", (one) => one.queries, (number) => number.toLocaleString("en")),
			chart("Cost", (one) => one.cost_usd, (number) => `$${number.toFixed(4)}`),
		),
		el(
			"details",
			{},
			el("summary", {}, "The figures"),
			table(
				["Day", "Questions", "Tokens", "Cost"],
				asked.map((one) =>
					el(
						"tr",
						{},
						el("td", {}, one.date),
						el("td", {}, one.queries.toLocaleString("en")),
						el("td", {}, one.tokens.toLocaleString("en")),
						el("td", {}, `$${one.cost_usd.toFixed(4)}`),
					),
				),
				"Use and cost by day",
			),
		),
	);
}

function share(number, most) {
	const part = el("span", { class: "fill" });
	part.style.inlineSize = `${(100 * number) / most}%`;
	return el("span", { class: "track", "aria-hidden": "true" }, part);
}

function tokenTable(tokens, tezits, again) {
	const now = Date.now();
	const state = (one) =>
		one.revoked_at ? "revoked" : one.expires_at && Date.parse(one.expires_at) < now ? "expired" : "good";
	const rows = tokens.map((one) =>
		el(
			"tr",
			{},
			said("td", one.user),
			said("td", one.label),
			el("td", {}, one.permissions.join(", ")),
			said("td", one.tezits ? one.tezits.join(", ") : "all"),
			el("td", {}, readableTime(one.issued_at)),
			el("td", {}, state(one)),
			el(
				"td",
				{},
				state(one) === "good"
					? button(
							"Revoke",
							async () => {
								try {
									await call("DELETE", `tokens/${encoded(one.token_id)}`);
									await again();
								} catch (problem) {
									alertUser(problem);
								}
							},
							{ class: "plain", "aria-label": `Revoke the token of ${one.user}` },
						)
					: "",
			),
		),
	);
	return card(
		"Recipients and tokens",
		table(["Whose", "Label", "For", "Tezits", "Issued", "State", "Action"], rows, "Tokens"),
		button("Issue a token…", () => issue(tezits, again)),
	);
}

function issue(tezits, again) {
	const user = el("input", {
		id: "token-user",
		required: true,
		maxlength: "200",
		placeholder: "jane@example.com",
	});
	const tez = el(
		"select",
		{ id: "token-tez" },
		el("option", { value: "" }, "all tezits"),
		tezits.map((one) => el("option", { value: one.tez_id }, one.title || one.tez_id)),
	);
	const days = el("input", { id: "token-days", type: "number", min: "1", max: "3660", value: "30" });
	const kind = el(
		"select",
		{ id: "token-kind" },
		["interrogate", "publish", "admin"].map((name) => el("option", { value: name }, name)),
	);
	const box = dialog(
		"Issue a token",
		el(
			"form",
			{
				class: "stack",
				submit: async (event) => {
					event.preventDefault();
					try {
						const body = {
							user: user.value.trim(),
							days: Number(days.value) || null,
							tezits: tez.value ? [tez.value] : null,
							permissions: [...new Set(["interrogate", kind.value])],
						};
						const { secret } = await call("POST", "tokens", body);
						fill(
							box,
							el("h2", {}, "The token"),
							el("p", {}, "It is shown this once."),
							el("code", { class: "secret" }, secret),
							el(
								"div",
								{ class: "choices" },
								button(
									"Done",
									() => {
										box.close();
										again();
									},
									{ class: "main" },
								),
							),
						);
					} catch (problem) {
						alertUser(problem);
					}
				},
			},
			el("label", { for: "token-user" }, "For whom"),
			user,
			el("label", { for: "token-tez" }, "Which tez"),
			tez,
			el("label", { for: "token-kind" }, "May"),
			kind,
			el("label", { for: "token-days" }, "Days"),
			days,
			el(
				"div",
				{ class: "choices" },
				button("Cancel", () => box.close()),
				el("button", { class: "main" }, "Issue"),
			),
		),
	);
}

function limits(facts) {
	const told = { ...facts.limits, ...facts.limits.rates_per_minute };
	delete told.rates_per_minute;
	return card(
		"Limits",
		el(
			"dl",
			{ class: "summary" },
			Object.entries(told).map(([name, value]) =>
				el(
					"div",
					{},
					el("dt", {}, name.replaceAll("_", " ")),
					el("dd", {}, value === null ? "none" : Number(value).toLocaleString("en")),
				),
			),
		),
	);
}

// The server searches: the newest records first, a page at a time.
function audit() {
	const kind = el("input", { id: "audit-kind", maxlength: "60", placeholder: "any" });
	const words = el("input", { id: "audit-words", type: "search", maxlength: "200" });
	const since = el("input", { id: "audit-since", type: "date" });
	const until = el("input", { id: "audit-until", type: "date" });
	const rows = el("tbody", {}),
		told = el("p", { class: "quiet", "aria-live": "polite" });
	let next,
		shown = 0;
	async function load(before) {
		try {
			const wanted = {
				before: before ?? Number.MAX_SAFE_INTEGER,
				limit: AUDIT_PAGE,
				kind: kind.value.trim(),
				words: words.value.trim(),
				since: since.value,
				until: until.value,
			};
			const page = await get(`audit${query(wanted)}`);
			if (before === undefined) {
				rows.replaceChildren();
				shown = 0;
			}
			rows.append(...page.records.map(record));
			shown += page.records.length;
			next = page.next;
			more.hidden = next === undefined;
			told.textContent = `${count(shown, "record")}${next === undefined ? "" : ", and older ones"}`;
		} catch (problem) {
			alertUser(problem);
		}
	}
	const more = button("Older records", () => load(next), { hidden: true });
	const named = (label, field) =>
		el("div", { class: "stack" }, el("label", { for: field.id }, label), field);
	return card(
		"Audit",
		el("p", { class: "quiet" }, "Who did what and when, without a word of any question."),
		el(
			"form",
			{
				class: "audit-search",
				role: "search",
				submit: (event) => {
					event.preventDefault();
					load();
				},
			},
			named("Words (a person, a tez, an item)", words),
			named("Kind", kind),
			named("From", since),
			named("To", until),
			el("button", { class: "main" }, "Search"),
		),
		told,
		el(
			"div",
			{ class: "scroll audit", tabindex: "0", role: "group", "aria-label": "Audit records" },
			el(
				"table",
				{},
				el("caption", { class: "sr" }, "Audit records"),
				el(
					"thead",
					{},
					el(
						"tr",
						{},
						["No.", "When", "Kind", "What"].map((name) => el("th", { scope: "col" }, name)),
					),
				),
				rows,
			),
		),
		more,
	);
}

function record(one) {
	return el(
		"tr",
		{},
		el("td", {}, one.number),
		el("td", {}, readableTime(one.at)),
		said("td", one.kind),
		el("td", {}, one.body ? said("code", JSON.stringify(one.body)) : "pruned"),
	);
}
