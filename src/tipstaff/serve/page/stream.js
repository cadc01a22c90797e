// Event streams (Enterprise §2). A stream that breaks off is taken up behind its last event, so
// that every event comes once.
import { ApiError, query, send } from "./api.js";

const MOST_TRIES = 8,
	FIRST_WAIT_MS = 500,
	LONGEST_WAIT_MS = 5000;
const ENDS = new Set(["tip.response.end", "tip.error"]);
const STREAM = { Accept: "text/event-stream" };

export async function* events(answer) {
	const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
	let kept = "";
	try {
		for (;;) {
			const { value, done } = await reader.read();
			if (done) return;
			const pieces = (kept + value).split(/\r?\n\r?\n/);
			kept = pieces.pop();
			for (const piece of pieces) {
				const event = read(piece);
				if (event) yield event;
			}
		}
	} finally {
		reader.cancel().catch(() => {});
	}
}

function read(piece) {
	const fields = { id: "", event: "", data: "" };
	for (const line of piece.split(/\r?\n/)) {
		const match = /^(id|event|data): ?(.*)$/.exec(line);
		if (match) fields[match[1]] += match[2];
	}
	return fields.event && fields.data
		? { id: fields.id, name: fields.event, data: JSON.parse(fields.data) }
		: null;
}

// Ask, and follow the answer to its end. `told` gets every event once, `state` hears of the
// connection: "open", "waiting" (with a number of seconds) or nothing.
export async function ask(path, body, { told, state, signal, headers }) {
	let answer = await send("POST", `${path}/query`, { body, headers: STREAM, signal });
	headers?.(answer.headers);
	const queryId = answer.headers.get("X-TIP-Query-Id");
	let last = String(Number(answer.headers.get("X-TIP-First-Event") ?? 1) - 1);
	for (let tries = 0; ;) {
		state("open");
		try {
			for await (const event of events(answer)) {
				tries = 0;
				if (event.id) last = event.id;
				told(event);
				if (ENDS.has(event.name)) return;
			}
		} catch (problem) {
			if (signal.aborted) throw problem;
		}
		for (answer = null; !answer;) {
			tries += 1;
			if (tries > MOST_TRIES)
				throw new ApiError(0, { type: "unreachable", message: "The connection to the server was lost." });
			const ms = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
			state("waiting");
			await pause(ms, signal);
			try {
				answer = await send("GET", `${path}/events${query({ query_id: queryId })}`, {
					headers: { ...STREAM, "Last-Event-ID": last },
					signal,
				});
			} catch (problem) {
				if (signal.aborted || (problem.status && problem.status < 500)) throw problem;
			}
		}
	}
}

// A session's past, read until `ends` answers are complete. The stream itself would stay open.
export async function replay(path, ends, told) {
	if (!ends) return;
	const stopping = new AbortController();
	const late = setTimeout(() => stopping.abort(), 20_000);
	try {
		const answer = await send("GET", `${path}/events`, { headers: STREAM, signal: stopping.signal });
		let left = ends;
		for await (const event of events(answer)) {
			told(event);
			if (event.name === "tip.response.end" && !--left) return;
			if (event.name === "tip.session.end") return;
		}
	} catch (problem) {
		if (!stopping.signal.aborted) throw problem;
	} finally {
		clearTimeout(late);
		stopping.abort();
	}
}

const pause = (ms, signal) =>
	new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms);
		signal.addEventListener(
			"abort",
			() => {
				clearTimeout(timer);
				reject(new DOMException("stopped", "AbortError"));
			},
			{ once: true },
		);
	});
