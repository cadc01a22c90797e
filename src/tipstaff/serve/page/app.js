// Begins: who asks (a token from the link or pasted), and what the address says to show.
import { ApiError, get, token } from "./api.js";
import { alertUser, announce, button, byId, el, fill, readableTime, said } from "./dom.js";
import { address, follow, go } from "./address.js";

let me = null;

function takeToken() {
	const found = new URLSearchParams(location.hash.slice(1)).get("token");
	if (!found) return;
	token.set(found);
	const rest = new URLSearchParams(location.hash.slice(1));
	rest.delete("token");
	// The secret leaves the address before anything else happens.
	history.replaceState(null, "", `${location.pathname}${rest.size ? `#${rest}` : ""}`);
}

async function show() {
	try {
		if (!token.get()) return signIn();
		me ??= await get("me");
		const { tez, view } = address();
		bar();
		if (view === "operator" && me.permissions.includes("admin")) {
			const { operator } = await import("./operator.js");
			return await operator(byId("main-part"), me);
		}
		if (tez) {
			const { openRoom } = await import("./room.js");
			return await openRoom(byId("main-part"), tez, me);
		}
		await list();
	} catch (problem) {
		if (problem instanceof ApiError && problem.status === 401) {
			token.clear();
			me = null;
			return signIn("The token is no longer good, or never was.");
		}
		if (problem instanceof ApiError && problem.status === 404) {
			fill(
				byId("main-part"),
				el(
					"section",
					{ class: "middle" },
					el("h1", {}, "There is nothing here"),
					el("p", {}, "No such tez, or none that your token may know of."),
					button("See what is there", () => go({}), { class: "main" }),
				),
			);
			return;
		}
		alertUser(problem);
		if (!(problem instanceof ApiError)) throw problem;
	}
}

function bar() {
	const links = [];
	if (me?.permissions.includes("admin"))
		links.push(button("Operator", () => go({ view: "operator" }), { class: "plain" }));
	if (me) {
		links.push(said("span", me.user.replace(/^user:/, ""), { class: "who quiet" }));
		links.push(
			button(
				"Sign out",
				() => {
					token.clear();
					me = null;
					go({});
					show();
				},
				{ class: "plain" },
			),
		);
	}
	fill(
		byId("bar"),
		el(
			"button",
			{ type: "button", class: "brand", click: () => go({}), "aria-label": "Tipstaff: all tezits" },
			el("span", { class: "logo", "aria-hidden": "true" }, "T"),
			el("span", { class: "word" }, "Tipstaff"),
		),
		el("div", { id: "bar-title" }),
		el("div", { class: "bar-end" }, links),
	);
}

function signIn(reason = "") {
	bar();
	document.title = "Sign in · Tipstaff";
	const field = el("input", {
		id: "token",
		name: "token",
		type: "password",
		autocomplete: "off",
		spellcheck: "false",
		required: true,
	});
	const form = el(
		"form",
		{
			submit: (event) => {
				event.preventDefault();
				token.set(field.value.trim());
				show();
			},
		},
		el("label", { for: "token" }, "Your token"),
		field,
		el("button", { class: "main" }, "Open"),
	);
	fill(
		byId("main-part"),
		el(
			"section",
			{ class: "middle sign-in" },
			el("h1", {}, "Ask, and check with your own eyes"),
			el(
				"p",
				{},
				"Answers come only from the papers that were sent to you, and every claim leads to the words it rests on.",
			),
			reason ? el("p", { class: "note", role: "alert" }, reason) : null,
			form,
			el(
				"p",
				{ class: "quiet" },
				"Whoever sent you a tez gave you a token with it. It stays in this tab, and is forgotten when the tab is closed.",
			),
		),
	);
	field.focus();
}

async function list() {
	const { tezits } = await get("tez");
	document.title = "Tezits · Tipstaff";
	const mayUpload = me.permissions.includes("publish");
	if (tezits.length === 1 && !mayUpload && !address().all) return go({ tez: tezits[0].tez_id }, true);
	const cards = tezits.map((tez) =>
		el(
			"li",
			{},
			el(
				"button",
				{ type: "button", class: "card", click: () => go({ tez: tez.tez_id }) },
				said("strong", tez.title || tez.tez_id),
				el(
					"span",
					{ class: "quiet" },
					said("span", tez.tez_id),
					` · version ${tez.version} · ${readableTime(tez.published_at)}`,
				),
				["ready", "in_place"].includes(tez.state)
					? null
					: el("span", { class: "tag" }, `${tez.state} ${tez.progress}`),
			),
		),
	);
	fill(
		byId("main-part"),
		el(
			"section",
			{ class: "middle" },
			el("h1", {}, "Tezits"),
			cards.length
				? el("ul", { class: "cards" }, cards)
				: el("p", { class: "quiet" }, "There is none that your token may ask."),
			mayUpload ? el("div", { id: "drop", class: "drop" }) : null,
		),
	);
	if (mayUpload) (await import("./upload.js")).acceptDrops(byId("drop"));
	announce(`${tezits.length} tezits`);
}

takeToken();
follow(() => {
	takeToken();
	show();
});
show();
