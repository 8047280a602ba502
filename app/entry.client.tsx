import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

if (hasMovedOn()) location.reload();
else {
	startTransition(() => {
		hydrateRoot(
			document,
			<StrictMode>
				<HydratedRouter />
			</StrictMode>,
		);
	});
}

/**
 * Whether the user went back twice quickly, for example from the payment page: the URL already belongs to the page before the loaded
 * one, and the router would confuse the two. Never true after a reload.
 */
function hasMovedOn(): boolean {
	const [arrived] = performance.getEntriesByType("navigation");
	if (!arrived || !("type" in arrived) || arrived.type !== "back_forward") return false;
	const { pathname, search } = new URL(arrived.name);
	return pathname !== location.pathname || search !== location.search;
}
