// What a recipient is asked before a session goes on: logging, missing items, a newer version. Each
// gives what was chosen; null, if the dialog was put away.
import { button, dialog, el, said } from "./dom.js";

const choice = (box, ...options) =>
	new Promise((resolve) => {
		let chosen = null;
		box.append(
			el(
				"div",
				{ class: "choices" },
				options.map(([label, value, kind]) =>
					button(
						label,
						() => {
							chosen = value;
							box.close();
						},
						{ class: kind ?? "" },
					),
				),
			),
		);
		box.addEventListener("close", () => resolve(chosen), { once: true });
	});

export const consent = (privacy) =>
	choice(
		dialog(
			"The sender asks to log",
			said(
				"p",
				privacy.notice ?? "With your consent your questions are logged. You may take this back at any time.",
			),
		),
		["Ask without logging", false],
		["Agree", true, "main"],
	);

// TIP §14.1: some items could not be loaded.
export function partial(problem) {
	const failed = problem.details.failed_items ?? problem.details.items ?? [];
	return choice(
		dialog(
			"Not everything could be loaded",
			said("p", problem.message),
			el(
				"ul",
				{},
				failed.map((one) =>
					el(
						"li",
						{},
						said("strong", one.item_id ?? one.id ?? String(one)),
						" ",
						said("span", one.reason ?? ""),
					),
				),
			),
		),
		["Leave it", false],
		["Go on with the rest", true, "main"],
	);
}

// TIP §8.4: the tez has a newer version than the session; its recipient chooses.
export const updated = ({ message, details: { options = {} } }) =>
	choice(
		dialog("The tez has changed", said("p", message)),
		[options.start_new ?? "Start a new session.", "start_new"],
		[options.resume_old ?? "Go on with the old version.", "resume_old", "main"],
	);
