// Recordings: played from the cited second, with what is said beside the time it is said at.
import { el } from "./dom.js";
import { blocks } from "./view_text.js";

export async function media(body, source) {
	const { view } = source;
	const start = (view.at.start_ms ?? 0) / 1000;
	const player = el(view.kind, { controls: true, preload: "metadata", class: "player" });
	body.append(player);
	const address = URL.createObjectURL(await source.blob("content"));
	player.src = address;
	player.addEventListener(
		"loadedmetadata",
		() => {
			player.currentTime = start;
		},
		{ once: true },
	);
	body.addEventListener("click", jump);
	function jump(event) {
		const ms = event.target.closest?.(".time")?.dataset.ms;
		if (ms === undefined) return;
		player.currentTime = Number(ms) / 1000;
		player.play().catch(() => {});
	}
	const stop = view.block_count ? await blocks(body, source) : () => {};
	return () => {
		stop();
		player.pause();
		body.removeEventListener("click", jump);
		URL.revokeObjectURL(address);
	};
}
