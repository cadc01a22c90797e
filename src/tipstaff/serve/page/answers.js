// How the stream becomes the view: an answer is a value, and `after` gives the next one for an event.

export const asked = (text) => ({
	query: text,
	text: "",
	citations: [],
	chunks: [],
	strategy: "",
	state: "waiting",
	connection: "open",
	envelope: null,
	error: null,
	firstMs: null,
	startedAt: performance.now(),
});

export function after(answer, { name, data }) {
	switch (name) {
		case "tip.retrieval.start":
			return {
				...answer,
				query: data.query || answer.query,
				strategy: data.strategy ?? "",
				state: "searching",
			};
		case "tip.retrieval.chunk":
			return { ...answer, chunks: [...answer.chunks, data] };
		case "tip.citation":
			return { ...answer, citations: [...answer.citations, data] };
		case "tip.token":
			return {
				...answer,
				text: answer.text + data.delta,
				state: "answering",
				firstMs: answer.firstMs ?? performance.now() - answer.startedAt,
			};
		case "tip.response.end": {
			const envelope = data.envelope ?? null;
			return {
				...answer,
				envelope,
				text: envelope?.response.text ?? answer.text,
				citations: envelope?.response.citations ?? answer.citations,
				state: "done",
			};
		}
		case "tip.error":
			return { ...answer, error: { ...data, ...(data.error ?? {}) }, state: "failed" };
		default:
			return answer;
	}
}

// A whole log as answers: each query begins with its retrieval.
export function collected() {
	const answers = [];
	return {
		answers,
		take(event) {
			if (event.name === "tip.retrieval.start") answers.push(asked(event.data.query));
			if (answers.length) answers[answers.length - 1] = after(answers.at(-1), event);
		},
	};
}

export const BADGES = {
	grounded: { mark: "●", word: "Answered from the sources" },
	inferred: { mark: "◆", word: "Worked out from the sources" },
	partial: { mark: "◐", word: "Answered in part" },
	abstention: { mark: "○", word: "Not in the sources" },
};

export const SUPPORT = {
	quoted: "quoted",
	entailed: "in other words",
	weak: "weak support",
	inferred: "worked out",
	unverified: "withheld",
};

// Which claims belong to which mark of the text: the nearest mark that names one of its citations.
export function claimsByMark(response, marks) {
	const found = marks.map(() => []),
		left = [];
	for (const claim of response.claims ?? []) {
		const start = response.text.indexOf(claim.text),
			end = start + claim.text.length;
		let best = -1,
			nearest = Infinity;
		marks.forEach((mark, index) => {
			if (start < 0 || !mark.references.some((one) => claim.citations.includes(one))) return;
			const distance = mark.start >= end ? mark.start - end : Math.max(0, start - mark.end);
			if (distance < nearest) [best, nearest] = [index, distance];
		});
		if (best >= 0) found[best].push(claim);
		else left.push(claim);
	}
	return { found, left };
}
