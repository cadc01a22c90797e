// A workbook as a grid. Rows are of one height, so only those that are visible need to be there:
// fifty thousand of them scroll like fifty.
import { button, el, fill } from "./dom.js";

const HEIGHT = 30,
	SPARE = 10,
	PAGE = 100;

export async function sheet(body, source) {
	const { view } = source;
	const at = view.lit_cells.find((cell) => cell.words) ?? view.lit_cells[0];
	const names = view.sheets.map((one) => one.name);
	let current = null;
	const holder = el("div", { class: "sheet-holder" });
	const tabs = el(
		"div",
		{ class: "tabs", role: "tablist", "aria-label": "Sheets" },
		view.sheets.map((one) =>
			button(el("bdi", {}, one.name + (one.hidden ? " (hidden)" : "")), () => choose(one.name), {
				role: "tab",
				"data-name": one.name,
				keydown: arrows,
			}),
		),
	);
	const detail = el(
		"p",
		{ class: "cell-detail quiet", "aria-live": "polite" },
		"Choose a cell to see its value and formula.",
	);
	body.append(tabs, holder, detail);

	function arrows(event) {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!step) return;
		const next = names[(names.indexOf(current) + step + names.length) % names.length];
		choose(next);
		tabs.querySelector('[aria-selected="true"]').focus();
	}

	function choose(name) {
		current = name;
		for (const tab of tabs.children) {
			tab.setAttribute("aria-selected", tab.dataset.name === name);
			tab.tabIndex = tab.dataset.name === name ? 0 : -1;
		}
		const facts = view.sheets.find((one) => one.name === name);
		const lit = new Map(
			view.lit_cells
				.filter((cell) => cell.sheet === name)
				.map((cell) => [`${cell.row}:${cell.column}`, cell.words ? "exact" : "passage"]),
		);
		fill(holder, grid(facts, lit, source, detail, at?.sheet === name ? at : null));
	}

	choose(at?.sheet ?? view.at.sheet ?? view.sheets.find((one) => !one.hidden)?.name ?? names[0]);
}

function grid(facts, lit, source, detail, at) {
	const kept = new Map();
	const head = el(
		"div",
		{ class: "row head", role: "row", "aria-rowindex": "1" },
		el("span", { class: "corner", role: "columnheader" }, el("span", { class: "sr" }, "Row")),
		facts.letters.map((letter) => el("span", { class: "cell", role: "columnheader" }, letter)),
	);
	const rows = el("div", { class: "rows", role: "rowgroup" });
	const box = el(
		"div",
		{
			class: "grid",
			role: "grid",
			tabindex: "0",
			"aria-label": `Sheet ${facts.name}`,
			"aria-rowcount": String(facts.rows + 1),
			"aria-colcount": String(facts.columns + 1),
		},
		el("div", { role: "rowgroup", class: "head-group" }, head),
		rows,
	);
	rows.style.blockSize = `${facts.rows * HEIGHT}px`;
	let frame = 0,
		chosen = null,
		widths = facts.letters.map(() => 8.75);
	spread();

	// Columns as wide as what stands in them, within reason; the first rows tell.
	function spread() {
		box.style.setProperty("--widths", ["3.5rem", ...widths.map((one) => `${one}rem`)].join(" "));
		box.style.setProperty("--wide", `${3.5 + widths.reduce((sum, one) => sum + one, 0)}rem`);
	}

	function measure(found) {
		widths = facts.letters.map((_, index) => {
			const longest = Math.max(4, ...[...found.values()].map((cells) => cells[index + 1]?.text.length ?? 0));
			return Math.min(12, 1.5 + longest * 0.48);
		});
		spread();
	}

	function page(number) {
		if (!kept.has(number)) {
			kept.set(
				number,
				source
					.get("rows", { sheet: facts.name, first: number * PAGE + 1, last: (number + 1) * PAGE })
					.then(({ rows: found }) => {
						const first = ![...kept.values()].some((one) => one instanceof Map);
						kept.set(number, new Map(found.map((one) => [one.row, one.cells])));
						if (first) measure(kept.get(number));
						draw();
					})
					.catch(() => kept.delete(number)),
			);
		}
		return kept.get(number);
	}

	function row(number) {
		const found = page(Math.floor((number - 1) / PAGE));
		const cells = found instanceof Map ? (found.get(number) ?? {}) : null;
		const node = el(
			"div",
			{ class: "row", role: "row", "aria-rowindex": String(number + 1) },
			el("span", { class: "number", role: "rowheader" }, String(number)),
			facts.letters.map((letter, index) => cell(cells?.[index + 1], letter, number, index + 1)),
		);
		node.style.transform = `translateY(${(number - 1) * HEIGHT}px)`;
		return node;
	}

	function cell(value, letter, number, column) {
		const light = lit.get(`${number}:${column}`) ?? "";
		const numeric = value && /^[-+(]?[$€£¥]?[\d.,]+\s?[%)]?$/.test(value.text) ? " numeric" : "";
		const node = el(
			"span",
			{
				class: `cell ${light}${numeric}`,
				role: "gridcell",
				"data-cell": `${letter}${number}`,
				dir: "auto",
				title: value?.text.length > 20 ? value.text : null,
			},
			value?.text ?? "",
		);
		if (chosen?.row === number && chosen?.column === column) node.classList.add("chosen");
		if (light) node.setAttribute("aria-selected", "true");
		return node;
	}

	function draw() {
		const first = Math.max(1, Math.floor(box.scrollTop / HEIGHT) - SPARE),
			last = Math.min(facts.rows, first + Math.ceil(box.clientHeight / HEIGHT) + 2 * SPARE);
		fill(rows, ...Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => row(first + index)));
	}

	function choose(number, column) {
		chosen = {
			row: Math.min(facts.rows, Math.max(1, number)),
			column: Math.min(facts.columns, Math.max(1, column)),
		};
		const top = (chosen.row - 1) * HEIGHT;
		if (top < box.scrollTop) box.scrollTop = top;
		if (top + 2 * HEIGHT > box.scrollTop + box.clientHeight)
			box.scrollTop = top + 3 * HEIGHT - box.clientHeight;
		draw();
		const found = kept.get(Math.floor((chosen.row - 1) / PAGE));
		const value = found instanceof Map ? found.get(chosen.row)?.[chosen.column] : null;
		const name = `${facts.letters[chosen.column - 1]}${chosen.row}`;
		fill(
			detail,
			el("strong", {}, name),
			": ",
			el("bdi", {}, value?.text || "empty"),
			value?.value ? ` · value ${value.value}` : "",
			value?.formula ? el("code", {}, ` ${value.formula}`) : "",
		);
	}

	box.addEventListener("scroll", () => {
		frame ||= requestAnimationFrame(() => {
			frame = 0;
			draw();
		});
	});
	box.addEventListener("click", (event) => {
		const [, letter, number] = /^([A-Z]+)(\d+)$/.exec(event.target.dataset?.cell ?? "") ?? [];
		if (letter) choose(Number(number), facts.letters.indexOf(letter) + 1);
	});
	box.addEventListener("keydown", (event) => {
		const steps = {
			ArrowDown: [1, 0],
			ArrowUp: [-1, 0],
			ArrowRight: [0, 1],
			ArrowLeft: [0, -1],
			PageDown: [20, 0],
			PageUp: [-20, 0],
		}[event.key];
		if (!steps) return;
		event.preventDefault();
		const from = chosen ?? { row: at?.row ?? 1, column: at?.column ?? 1 };
		choose(from.row + (chosen ? steps[0] : 0), from.column + (chosen ? steps[1] : 0));
	});
	new ResizeObserver(draw).observe(box);
	if (at)
		requestAnimationFrame(() => {
			box.scrollTop = Math.max(0, (at.row - 4) * HEIGHT);
			draw();
		});
	return box;
}
