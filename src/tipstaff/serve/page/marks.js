// Citation marks in a text: `[[item:place, item:place]]` (TIP §5). Marks side by side are one group.

const MULTILINE_GROUP = /\[\[(?:[^\[\]]|\[[^\[\]]*\])+\]\](?:\s*\[\[(?:[^\[\]]|\[[^\[\]]*\])+\]\])*/g;

export function marksOf(text) {
	return [...text.matchAll(MULTILINE_GROUP)].map((match) => ({
		start: match.index,
		end: match.index + match[0].length,
		references: references(match[0]),
	}));
}

function references(group) {
	const found = [];
	for (const [, inside] of group.matchAll(/\[\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\]/g)) {
		let kept = "";
		for (const piece of inside.split(",")) {
			kept = kept ? `${kept},${piece}` : piece;
			// A comma inside quotes belongs to the name of a sheet or of a key.
			if ((kept.split("'").length - 1) % 2) continue;
			found.push(kept.replace(/\s+/g, " ").trim());
			kept = "";
		}
		if (kept) found.push(kept.trim());
	}
	return found.filter(Boolean);
}

// `item:place` taken apart; ids may have colons, so the items that there are decide.
export function cited(reference, items) {
	let id = "";
	for (const known of items.keys()) {
		const is = reference === known || reference.startsWith(`${known}:`);
		if (is && known.length > id.length) id = known;
	}
	if (!id) id = reference.split(":")[0];
	return { item: id, place: reference.slice(id.length + 1) };
}

const NAMES = [
	[/^pp?(\d+)-p?(\d+)/i, "pages $1–$2"],
	[/^p(\d+)/i, "page $1"],
	[/^L(\d+)-L?(\d+)$/, "lines $1–$2"],
	[/^L(\d+)$/, "line $1"],
	[/^slide-(\d+)-(\d+)/, "slides $1–$2"],
	[/^slide-(\d+)/, "slide $1"],
	[/^t(\d.*)$/, "at $1"],
];

// A place in words: p7 is "page 7".
export function placeName(place) {
	for (const [pattern, name] of NAMES) {
		if (pattern.test(place)) return place.replace(pattern, name).replace(/:(\w+)-(\d+)$/, ", $1 $2");
	}
	return place.replace(/^#/, "");
}
