// The reading room: contents, conversation, sources. One tez at a time.
import { address, note } from "./address.js";
import { get, query, tezPath } from "./api.js";
import { Conversation } from "./conversation.js";
import { button, byId, el, fill, said } from "./dom.js";
import { contents } from "./contents.js";
import { Viewer } from "./viewer.js";

let room = null;

export async function openRoom(main, tez, me) {
	if (room?.tez === tez && room.node.isConnected) return room.moved();
	const [facts, remaining] = await Promise.all([
		get(tezPath(tez)),
		get(`${tezPath(tez)}/remaining`).catch(() => null),
	]);
	room?.leave();
	room = new Room(tez, facts, remaining, me);
	fill(main, room.node);
	fill(byId("bar-title"), said("h1", facts.title, { class: "tez-title", title: facts.title }));
	document.title = `${facts.title} · Tipstaff`;
	await room.start();
}

class Room {
	constructor(tez, facts, remaining, me) {
		Object.assign(this, { tez, facts, me, remaining });
		this.items = new Map((facts.items ?? []).map((item) => [item.id, item]));
		this.items.set("tez.md", {
			id: "tez.md",
			title: "Synthesis",
			type: "synthesis",
			mime_type: "text/markdown",
			access: "full",
		});
		this.viewer = new Viewer(this);
		this.conversation = new Conversation(this);
		this.side = el("div", { class: "side-inner" });
		this.nav = el(
			"nav",
			{ class: "panes-nav", "aria-label": "Parts of the page" },
			["contents:Contents", "talk:Conversation", "source:Source"].map((both) => {
				const [pane, label] = both.split(":");
				return button(label, () => this.show(pane), { "data-to": pane });
			}),
		);
		this.node = el(
			"div",
			{ class: "room", "data-pane": "talk" },
			el("aside", { class: "pane contents", "aria-label": "Contents" }, this.side),
			this.conversation.node,
			this.viewer.node,
			this.nav,
		);
		this.show("talk");
	}

	// On narrow screens one part is seen at a time.
	show(pane) {
		this.node.dataset.pane = pane;
		for (const one of this.nav.children) one.setAttribute("aria-pressed", one.dataset.to === pane);
	}

	async start() {
		contents(this.side, this);
		this.moved();
		await this.conversation.start();
	}

	// The address has changed: a citation is to be shown, or none.
	async moved() {
		const { session } = address();
		// First the session: what is looked at within it is marked and recorded as its own.
		try {
			if (session && session !== this.conversation.session) await this.conversation.resume(session);
		} finally {
			this.look();
		}
	}

	look() {
		const { cite, words } = address();
		if (cite) this.viewer.open({ reference: cite, words: words ?? "" });
		else if (!this.viewer.shown && this.facts.items) this.viewer.open({ reference: "tez.md", words: "" });
	}

	// A place in a source, with the words to be lit. The address says it, so that a reload keeps it.
	open(reference, words = "", from = null) {
		note({ tez: this.tez, session: this.conversation.session, cite: reference, words }, false);
		this.viewer.open({ reference, words, from });
		this.show("source");
	}

	title(id) {
		return this.items.get(id)?.title || id;
	}

	path(rest, values = {}) {
		return `${tezPath(this.tez)}/${rest}${query(values)}`;
	}

	leave() {
		this.conversation.leave();
		this.viewer.close();
	}
}
