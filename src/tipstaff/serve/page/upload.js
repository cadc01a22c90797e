// A `.tez`, or a folder that becomes one, dropped onto the page: sent, then indexed item by item.
import { go } from "./address.js";
import { ApiError, get, part, tezPath, token } from "./api.js";
import { alertUser, announce, button, el, fill, said } from "./dom.js";

export function acceptDrops(node) {
	const field = el("input", {
		type: "file",
		accept: ".tez,.zip",
		id: "tez-file",
		"aria-label": "A .tez file",
		class: "sr",
		change: () => field.files[0] && take(field.files[0].name, field.files[0]),
	});
	const bar = el("progress", { max: "1", hidden: true, "aria-label": "Upload" });
	const told = el("p", { class: "quiet" });
	node.append(
		el("p", {}, "Drop a ", el("code", {}, ".tez"), " or a folder here to publish it, or "),
		button("choose a file", () => field.click(), { class: "main" }),
		field,
		bar,
		told,
	);
	node.addEventListener("dragover", (event) => {
		event.preventDefault();
		node.classList.add("over");
	});
	node.addEventListener("dragleave", () => node.classList.remove("over"));
	node.addEventListener("drop", async (event) => {
		event.preventDefault();
		node.classList.remove("over");
		const entry = event.dataTransfer.items[0]?.webkitGetAsEntry?.();
		try {
			if (entry?.isDirectory) {
				told.textContent = "Reading the folder…";
				const { packed } = await import("./zip.js");
				await take(`${entry.name}.tez`, await packed(entry));
			} else if (event.dataTransfer.files[0])
				await take(event.dataTransfer.files[0].name, event.dataTransfer.files[0]);
		} catch (problem) {
			alertUser(problem);
		}
	});

	async function take(name, content) {
		let id = name
			.replace(/\.(tez|zip)$/i, "")
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, "-")
			.replace(/^-+|-+$/g, "")
			.slice(0, 100)
			.padEnd(3, "x");
		bar.hidden = false;
		try {
			const progress = (share) => {
				bar.value = share;
				told.textContent = `Sending ${Math.round(share * 100)} %`;
			};
			const own = await send(id, content, progress);
			// A bundle with an id of its own is published under that.
			if (own) await send((id = own), content, progress);
			await ready(id);
			go({ tez: id });
		} catch (problem) {
			alertUser(problem);
		}
		bar.hidden = true;
		told.textContent = "";
	}

	async function ready(id) {
		bar.removeAttribute("value");
		for (;;) {
			const tez = await get(tezPath(id));
			if (["ready", "in_place"].includes(tez.state)) return announce("The tez can be asked.");
			if (tez.state === "failed") throw new Error(tez.progress || "The tez could not be indexed.");
			fill(told, said("span", `Indexing ${tez.progress}`));
			await new Promise((resolve) => setTimeout(resolve, 400));
		}
	}
}

// Only XMLHttpRequest tells how much has been sent.
const send = (id, content, progress) =>
	new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("PUT", `tez/${part(id)}?wait=false`);
		request.setRequestHeader("Authorization", `Bearer ${token.get()}`);
		request.upload.addEventListener(
			"progress",
			(event) => event.lengthComputable && progress(event.loaded / event.total),
		);
		request.addEventListener("error", () => reject(new Error("The server cannot be reached.")));
		request.addEventListener("load", () => {
			if (request.status < 300) return resolve(null);
			let error = {};
			try {
				error = JSON.parse(request.responseText).error;
			} catch {
				/* not JSON */
			}
			if (error.own_id && error.own_id !== id) resolve(error.own_id);
			else reject(new ApiError(request.status, error));
		});
		request.send(content);
	});
