// The server's routes, as the page calls them. The token is kept for this tab alone and goes into
// the Authorization header: never into an address.

const KEY = "tip.token";
const BASE = new URL(".", document.baseURI);

export const token = {
	get: () => sessionStorage.getItem(KEY) ?? "",
	set: (secret) => sessionStorage.setItem(KEY, secret),
	clear: () => sessionStorage.removeItem(KEY),
};

export class ApiError extends Error {
	constructor(status, error = {}) {
		super(error.message ?? `The server answered with status ${status}.`);
		this.status = status;
		this.type = error.type ?? "";
		this.suggestion = error.suggestion ?? "";
		this.details = error;
	}
}

export const part = encodeURIComponent;
export const tezPath = (tez) => `tez/${part(tez)}`;
export const itemPath = (tez, item) => `${tezPath(tez)}/items/${item.split("/").map(part).join("/")}`;
export const sessionPath = (tez, session) => `${tezPath(tez)}/interrogate/${part(session)}`;

export const query = (values) => {
	const found = Object.entries(values).filter(
		([, value]) => value !== undefined && value !== null && value !== "",
	);
	return found.length ? `?${new URLSearchParams(found)}` : "";
};

export async function send(method, path, { body, headers = {}, signal } = {}) {
	const all = { Authorization: `Bearer ${token.get()}`, "X-TIP-Version": "1.0", ...headers };
	if (body !== undefined) all["Content-Type"] = "application/json";
	let answer;
	try {
		answer = await fetch(new URL(path, BASE), {
			method,
			headers: all,
			signal,
			cache: "no-cache",
			credentials: "omit",
			body: body === undefined ? undefined : JSON.stringify(body),
		});
	} catch (problem) {
		if (problem.name === "AbortError") throw problem;
		throw new ApiError(0, {
			type: "unreachable",
			message: "The server cannot be reached.",
			suggestion: "Check that it is running, and try again.",
		});
	}
	if (!answer.ok) throw await refusal(answer);
	return answer;
}

export async function call(method, path, body) {
	const answer = await send(method, path, { body });
	return answer.status === 204 ? null : answer.json();
}

export const get = (path) => call("GET", path);
export const blob = async (path, signal) => (await send("GET", path, { signal })).blob();

// TIP §14's error, as JSON or as the one event of a stream.
async function refusal(answer) {
	const text = await answer.text();
	const data = /^data: (.*)$/m.exec(text);
	try {
		const body = JSON.parse(data ? data[1] : text);
		return new ApiError(answer.status, { ...body, ...(body.error ?? {}) });
	} catch {
		return new ApiError(answer.status);
	}
}
