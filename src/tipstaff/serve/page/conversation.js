// The conversation: a question goes out, its events come in, the view follows. Stop, retry, resume.
import { note } from "./address.js";
import { ApiError, call, get, sessionPath, tezPath } from "./api.js";
import { after, asked, BADGES, collected } from "./answers.js";
import { answerView } from "./answer.js";
import { alertUser, announce, button, count, el, fill, said } from "./dom.js";
import { consent, partial, updated } from "./agreeing.js";
import { sessionTools } from "./sessions.js";
import { ask, replay } from "./stream.js";

export class Conversation {
	constructor(room) {
		Object.assign(this, {
			room,
			answers: [],
			session: null,
			closed: false,
			running: null,
			changed: () => {},
		});
		this.list = el("div", {
			class: "exchanges",
			role: "log",
			"aria-label": "Questions and answers",
			"aria-live": "off",
		});
		this.field = el("textarea", {
			id: "question",
			rows: "2",
			placeholder: "Ask the sources…",
			maxlength: "8000",
			dir: "auto",
			keydown: (event) => {
				if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
					event.preventDefault();
					this.submit();
				}
			},
		});
		this.send = el("button", { class: "main" }, "Ask");
		this.left = el("p", { class: "left quiet" });
		this.consent = el("p", { class: "left consent quiet" });
		this.form = el(
			"form",
			{
				class: "ask",
				submit: (event) => {
					event.preventDefault();
					this.submit();
				},
			},
			el("label", { for: "question", class: "sr" }, "Your question"),
			this.field,
			this.send,
			this.left,
			this.consent,
		);
		this.node = el(
			"section",
			{ class: "pane talk", "aria-label": "Conversation" },
			sessionTools(room),
			this.list,
			this.form,
		);
		this.showLeft(room.remaining);
	}

	async start() {
		if (!this.answers.length) this.draw();
		if (matchMedia("(min-width: 700px)").matches && document.activeElement === document.body)
			this.field.focus();
	}

	get path() {
		return sessionPath(this.room.tez, this.session);
	}

	// What there is to see where nothing has been asked yet.
	draw() {
		if (this.answers.length) return;
		const { facts } = this.room;
		const hints = [
			"What are the main conclusions?",
			"What do the sources disagree about?",
			"Which questions do the documents raise and leave unanswered?",
		];
		fill(
			this.list,
			el(
				"div",
				{ class: "empty" },
				said("h2", facts.title),
				el(
					"p",
					{},
					`${count(this.room.items.size - 1, "item")}${facts.context_summary ? `, ${facts.context_summary.total_size}` : ""}. Answers come from these alone; each claim leads to the words that it rests on, and where they are silent you are told so.`,
				),
				el(
					"ul",
					{ class: "hints" },
					hints.map((hint) =>
						el(
							"li",
							{},
							button(hint, () => this.submit(hint), { class: "hint" }),
						),
					),
				),
				facts.hosting?.cost_notice ? said("p", facts.hosting.cost_notice, { class: "quiet" }) : null,
			),
		);
	}

	async submit(text = this.field.value) {
		const query = text.trim();
		if (!query || this.running) return;
		try {
			if (!this.session || this.closed) {
				if (!(await this.begin())) return;
			}
		} catch (problem) {
			return alertUser(problem);
		}
		this.field.value = "";
		await this.run(query);
	}

	// A session, on what the recipient agrees to (TIP §13.1.2) and knowing what could not be loaded.
	async begin() {
		const { privacy } = this.room.facts;
		const body = {};
		if (privacy?.query_logging && privacy.query_logging !== "none") {
			const agreed = await consent(privacy);
			if (agreed === null) return false;
			if (agreed)
				body.consent = {
					query_logging: true,
					...(privacy.logging_scope ? { logging_scope: privacy.logging_scope } : {}),
				};
		}
		let opened;
		try {
			opened = await call("POST", `${tezPath(this.room.tez)}/interrogate/init`, body);
		} catch (problem) {
			if (!(problem instanceof ApiError) || problem.status !== 409 || !(await partial(problem)))
				throw problem;
			opened = await call("POST", `${tezPath(this.room.tez)}/interrogate/init`, {
				...body,
				proceed_with_partial: true,
			});
		}
		this.logged = Boolean(body.consent);
		this.showConsent();
		this.use(opened.session_id);
		if (this.closed) fill(this.list);
		this.answers = [];
		this.closed = false;
		return true;
	}

	use(session) {
		this.session = session;
		const now = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
		note({ ...now, tez: this.room.tez, session });
		this.changed();
	}

	async run(query) {
		const stopping = new AbortController();
		let answer = asked(query);
		const place = this.add(answer);
		const redraw = () => {
			this.answers[place] = answer;
			this.redraw(place);
		};
		this.running = stopping;
		this.send.disabled = true;
		announce("Asking.");
		try {
			await ask(
				this.path,
				{ query },
				{
					signal: stopping.signal,
					told: (event) => {
						answer = after(answer, event);
						this.later(redraw);
					},
					state: (connection) => {
						answer = { ...answer, connection };
						redraw();
					},
					headers: (headers) => this.showRate(headers),
				},
			);
		} catch (problem) {
			if (stopping.signal.aborted) answer = { ...answer, state: "stopped" };
			else
				answer = {
					...answer,
					state: "failed",
					error: { message: problem.message, suggestion: problem.suggestion, ...(problem.details ?? {}) },
				};
		}
		this.running = null;
		this.send.disabled = false;
		redraw();
		this.ended(answer);
	}

	// Many words may come between two frames; one drawing shows them all.
	later(redraw) {
		if (this.frame) return;
		this.frame = requestAnimationFrame(() => {
			this.frame = 0;
			redraw();
		});
	}

	ended(answer) {
		const response = answer.envelope?.response;
		if (response) {
			announce(
				`${BADGES[response.classification]?.word ?? ""}. ${count(response.citations?.length ?? 0, "citation")}. ${response.text.replace(/\[\[.*?\]\]/gs, "")}`,
			);
			const left = answer.envelope.session.remaining_queries;
			if (left !== undefined && left !== null) this.showLeft({ ...this.rate, queries: left });
		} else if (answer.error) announce(answer.error.message ?? "The question could not be answered.");
		if (response && this.answers.length === 1) this.name(answer.query);
		this.changed();
	}

	// Until its recipient calls it something else, a session is called by its first question.
	name(query) {
		const title = query.length > 80 ? `${query.slice(0, 78).trimEnd()}…` : query;
		call("PATCH", this.path, { title })
			.then(() => this.changed())
			.catch(() => {});
	}

	add(answer) {
		if (!this.answers.length) fill(this.list);
		this.answers.push(answer);
		const node = answerView(answer, this.room, this.actions);
		this.list.append(node);
		this.list.scrollTop = this.list.scrollHeight;
		return this.answers.length - 1;
	}

	get actions() {
		return { stop: () => this.running?.abort(), retry: (query) => this.run(query) };
	}

	redraw(place) {
		const old = this.list.children[place];
		if (!old) return;
		const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 120;
		const focused = old.contains(document.activeElement) ? document.activeElement : null;
		const fresh = answerView(this.answers[place], this.room, this.actions);
		old.replaceWith(fresh);
		if (focused) keepFocus(fresh, focused);
		if (atEnd)
			this.list.scrollTop = Math.max(
				this.list.scrollTop,
				Math.min(this.list.scrollHeight, fresh.offsetTop - 12),
			);
	}

	showRate(headers) {
		const limit = headers.get("X-RateLimit-Limit"),
			left = headers.get("X-RateLimit-Remaining");
		this.rate = limit ? { per_minute: Number(left), per_minute_limit: Number(limit) } : {};
	}

	showLeft(remaining) {
		const told = [];
		if (Number.isInteger(remaining?.queries)) told.push(`${count(remaining.queries, "question")} left`);
		if (Number.isInteger(remaining?.per_minute))
			told.push(`${remaining.per_minute} of ${remaining.per_minute_limit} this minute`);
		this.left.textContent = told.join(" · ");
	}

	// TIP §13.1.2: who agreed sees that they did, and may take it back.
	showConsent() {
		fill(
			this.consent,
			this.logged
				? [
						"This session is logged, as you agreed. ",
						button(
							"Take it back",
							async () => {
								try {
									await call("DELETE", `${this.path}/consent`);
									this.logged = false;
									this.showConsent();
									announce("Nothing is logged any more, and what was logged is deleted.");
								} catch (problem) {
									alertUser(problem);
								}
							},
							{ class: "plain" },
						),
					]
				: [],
		);
	}

	async resume(session) {
		try {
			const state = await get(sessionPath(this.room.tez, session));
			if (state.status === "suspended" && !(await this.wake(session))) return;
			this.running?.abort();
			this.session = session;
			this.closed = ["closed", "expired"].includes(state.status);
			const past = collected();
			await replay(this.path, state.query_count, (event) => past.take(event));
			this.answers = past.answers.filter((one) => one.state !== "waiting");
			for (const one of this.answers) one.firstMs = null;
			fill(this.list, ...this.answers.map((one) => answerView(one, this.room, this.actions)));
			this.draw();
			this.list.scrollTop = this.list.scrollHeight;
			this.changed();
		} catch (problem) {
			// A link from a colleague names their session, which is not ours to see.
			if (problem.status !== 404 && problem.status !== 410) throw problem;
			const now = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
			note({ ...now, session: "" });
		}
	}

	// Whether the session can be gone on with.
	async wake(session) {
		const path = `${sessionPath(this.room.tez, session)}/resume`;
		try {
			await call("POST", path, {});
			return true;
		} catch (problem) {
			if (problem.type !== "tez_updated") throw problem;
			const choice = await updated(problem);
			if (choice === "resume_old") await call("POST", path, { choice });
			else if (choice) this.fresh();
			return choice === "resume_old";
		}
	}

	fresh() {
		this.running?.abort();
		Object.assign(this, { session: null, closed: false, answers: [] });
		note({ tez: this.room.tez });
		this.draw();
		this.changed();
		this.field.focus();
	}

	leave() {
		this.running?.abort();
	}
}

// The element drawn anew that stands for the one that had the focus.
function keepFocus(fresh, old) {
	const same = [...fresh.querySelectorAll(old.tagName)].find((one) => one.textContent === old.textContent);
	same?.focus({ preventScroll: true });
}
