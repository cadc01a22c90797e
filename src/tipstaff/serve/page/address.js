// What is shown stands in the fragment of the address: `#tez=…&session=…&cite=item:p7&words=…`.
// It survives a reload, can be sent on, and reaches no server.

export const address = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

export const link = (values) => {
	const found = Object.entries(values).filter(([, value]) => value);
	return `${location.origin}${location.pathname}#${new URLSearchParams(found)}`;
};

let listener = () => {};
export const follow = (heard) => {
	listener = heard;
};

// Go there as by a link. With `instead` the way back leads past where we are.
export function go(values, instead = false) {
	const target = link(values);
	if (target === location.href) return;
	history[instead ? "replaceState" : "pushState"](null, "", target);
	listener();
}

// Say where we are without going anywhere.
export const note = (values, instead = true) =>
	history[instead ? "replaceState" : "pushState"](null, "", link(values));

addEventListener("popstate", () => listener());
