// JSON and XML as a tree, opened at the path that is cited. Children come when a node is opened.
import { button, el } from "./dom.js";
import { runs } from "./view_text.js";

export async function tree(body, source) {
	const root = el("ul", { class: "tree" });
	body.append(root);
	const { nodes, open } = await source.get("nodes", { node: 0 });
	root.append(...nodes.map((one) => node(one, source)));
	more(root, 0, nodes.length, nodes.length, source);
	for (const id of open.slice(1)) await opened(root.querySelector(`[data-node="${id}"]`));
	(
		root.querySelector("mark.exact") ??
		root.querySelector("mark.passage") ??
		root.querySelector(".place")
	)?.scrollIntoView({ block: "center" });
}

function node(one, source) {
	const label = el("span", { class: "key", dir: "auto" }, one.label);
	const place = one.is_place ? " place" : "";
	if (!one.child_count)
		return el(
			"li",
			{ class: `leaf${place}`, "data-node": one.node },
			label,
			": ",
			el("span", { dir: "auto" }, runs(one.runs)),
		);
	const inside = el("ul", {});
	const details = el(
		"details",
		{ "data-node": one.node },
		el(
			"summary",
			{},
			label,
			el("span", { class: "quiet" }, ` ${one.child_count} · `),
			el("span", { class: "brief", dir: "auto" }, one.preview),
		),
		inside,
	);
	details.load = () =>
		(details.loading ??= source.get("nodes", { node: one.node }).then(({ nodes }) => {
			inside.append(...nodes.map((each) => node(each, source)));
			more(inside, one.node, nodes.length, one.child_count, source);
		}));
	details.addEventListener("toggle", () => {
		if (details.open) details.load();
	});
	return el("li", { class: `branch${place}` }, details);
}

function more(list, id, shown, total, source) {
	if (shown >= total) return;
	const item = el(
		"li",
		{},
		button(
			`${(total - shown).toLocaleString("en")} more…`,
			async () => {
				const { nodes } = await source.get("nodes", { node: id, first: shown });
				item.replaceWith(...nodes.map((each) => node(each, source)));
				more(list, id, shown + nodes.length, total, source);
			},
			{ class: "plain" },
		),
	);
	list.append(item);
}

async function opened(details) {
	if (details?.tagName !== "DETAILS") return;
	details.open = true;
	await details.load();
}
