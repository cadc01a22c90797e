// PDF pages as pictures, and pictures: a light box on the passage, a darker one on the exact words.
// Pages are placeholders of the right size until they come near the visible part.
import { button, el } from "./dom.js";

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const PIXELS_A_POINT = [1, 1.5, 2, 3, 4];

export function pages(body, source) {
	const { view } = source;
	let zoom = 0,
		stopped = false;
	const column = el("div", { class: "pages" });
	const sheets = view.pages.map((page) => sheetOf(page, view));
	column.append(...sheets.map((one) => one.node));
	const number = el("input", {
		type: "number",
		min: "1",
		max: String(view.pages.length),
		value: String(view.at.page ?? 1),
		"aria-label": "Page",
		change: () => turn(Number(number.value)),
	});
	const tools = el(
		"div",
		{ class: "tools", role: "toolbar", "aria-label": "Pages" },
		button("‹", () => turn(Number(number.value) - 1), { "aria-label": "Page before" }),
		number,
		el("span", { class: "quiet" }, ` of ${view.pages.length}`),
		button("›", () => turn(Number(number.value) + 1), { "aria-label": "Next page" }),
		el("span", { class: "space" }),
		button("−", () => scale(-1), { "aria-label": "Smaller" }),
		button("Fit", () => scale(0), { "aria-label": "Fit the width" }),
		button("+", () => scale(1), { "aria-label": "Larger" }),
	);
	body.append(tools, column);

	const watcher = new IntersectionObserver(
		(entries) => {
			for (const entry of entries) {
				const one = sheets[Number(entry.target.dataset.index)];
				one.near = entry.isIntersecting;
				if (entry.isIntersecting) load(one);
			}
		},
		{ root: body, rootMargin: "400px" },
	);
	const visible = new IntersectionObserver(
		(entries) => {
			for (const entry of entries)
				if (entry.isIntersecting) number.value = Number(entry.target.dataset.index) + 1;
		},
		{ root: body, rootMargin: "-45% 0px -45% 0px" },
	);

	function width() {
		const room = Math.max(200, body.clientWidth - 32);
		return zoom ? Math.round(view.pages[0].width * zoom * 1.2) : room;
	}

	function resize() {
		const wide = width(),
			first = view.pages[0].width;
		for (const one of sheets) {
			const own = (wide * one.page.width) / first;
			one.node.style.inlineSize = `${own}px`;
			one.node.style.blockSize = `${(own * one.page.height) / one.page.width}px`;
			if (one.near) load(one);
		}
	}

	async function load(one) {
		const wanted = (one.node.clientWidth * Math.min(devicePixelRatio, 2)) / one.page.width;
		const scaleOf = PIXELS_A_POINT.find((each) => each >= wanted * 0.95) ?? 4;
		if (one.scale >= scaleOf) return;
		one.scale = scaleOf;
		try {
			const picture = await source.blob(`pages/${one.page.page}.png`, { scale: scaleOf });
			if (stopped || one.scale !== scaleOf) return;
			if (one.image.src) URL.revokeObjectURL(one.image.src);
			one.image.src = URL.createObjectURL(picture);
			one.image.hidden = false;
		} catch {
			one.scale = 0;
		}
	}

	function turn(wanted) {
		const page = Math.min(view.pages.length, Math.max(1, wanted || 1));
		number.value = page;
		sheets[page - 1].node.scrollIntoView({ block: "start" });
	}

	function scale(step) {
		const now = zoom || width() / (view.pages[0].width * 1.2);
		if (!step) zoom = 0;
		else
			zoom =
				step > 0
					? (ZOOMS.find((one) => one > now + 0.01) ?? 3)
					: ([...ZOOMS].reverse().find((one) => one < now - 0.01) ?? 0.5);
		const page = Number(number.value);
		resize();
		turn(page);
	}

	const keys = (event) => {
		if (event.target.closest("input, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
		if (event.key === "PageDown" || event.key === "PageUp") {
			event.preventDefault();
			turn(Number(number.value) + (event.key === "PageDown" ? 1 : -1));
		}
		if (event.key === "+" || event.key === "-") scale(event.key === "+" ? 1 : -1);
	};
	body.addEventListener("keydown", keys);
	resize();
	const room = new ResizeObserver(() => {
		if (!zoom) resize();
	});
	room.observe(body);
	for (const one of sheets) {
		watcher.observe(one.node);
		visible.observe(one.node);
	}
	const target =
		column.querySelector(".words-box") ??
		column.querySelector(".passage-box") ??
		(view.at.page ? sheets[view.at.page - 1]?.node : null);
	if (target?.classList.contains("page")) target.scrollIntoView({ block: "start" });
	else target?.scrollIntoView({ block: "center" });
	return () => {
		stopped = true;
		[watcher, visible, room].forEach((one) => one.disconnect());
		body.removeEventListener("keydown", keys);
		for (const one of sheets) if (one.image.src) URL.revokeObjectURL(one.image.src);
	};
}

function sheetOf(page, view) {
	const image = el("img", { alt: `Page ${page.page}`, hidden: true, draggable: "false" });
	const node = el(
		"div",
		{ class: "page", "data-index": String(view.pages.indexOf(page)), "data-page": String(page.page) },
		image,
		boxes(page, view),
	);
	return { page, image, node, scale: 0, near: false };
}

// Parts of the page's size, so that they stay on their words at any zoom.
function boxes(page, view) {
	const of = (all, name) =>
		all
			.filter((box) => box.page === page.page)
			.map((box) => {
				const mark = el("div", { class: name, "aria-hidden": "true" });
				mark.style.left = `${(100 * box.left) / page.width}%`;
				mark.style.top = `${(100 * box.top) / page.height}%`;
				mark.style.width = `${(100 * (box.right - box.left)) / page.width}%`;
				mark.style.height = `${(100 * (box.bottom - box.top)) / page.height}%`;
				return mark;
			});
	return [
		...around(
			view.passage_boxes.filter((box) => box.page === page.page),
			page,
		),
		...of(view.word_boxes, "words-box"),
	];
}

// One light box around lines that follow each other.
function around(all, page) {
	if (!all.length) return [];
	const margin = 3;
	const edge = (side, pick) => pick(...all.map((box) => box[side]));
	const left = edge("left", Math.min) - margin,
		top = edge("top", Math.min) - margin;
	const mark = el("div", { class: "passage-box", "aria-hidden": "true" });
	mark.style.left = `${(100 * left) / page.width}%`;
	mark.style.top = `${(100 * top) / page.height}%`;
	mark.style.width = `${(100 * (edge("right", Math.max) + margin - left)) / page.width}%`;
	mark.style.height = `${(100 * (edge("bottom", Math.max) + margin - top)) / page.height}%`;
	return [mark];
}

export async function picture(body, source) {
	const image = el("img", { alt: source.view.title });
	const page = source.view.pages[0];
	const frame = el("div", { class: "page picture" }, image, page ? boxes(page, source.view) : null);
	const address = URL.createObjectURL(await source.blob("content"));
	image.src = address;
	body.append(frame);
	if (source.view.block_count) {
		const text = el("details", {}, el("summary", {}, "Text that was read in it"));
		body.append(text);
		const { blocks } = await import("./view_text.js");
		await blocks(text, source, body);
	}
	return () => URL.revokeObjectURL(address);
}
