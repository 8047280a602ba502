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
 * Two quick steps back, from the payment page say: the address is already that of the page before the one which is arriving,
 * and the router would take the one for the other. Never true after a reload.
 */
function hasMovedOn(): boolean {
	const [arrived] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
	if (arrived?.type !== "back_forward") return false;
	const { pathname, search } = new URL(arrived.name);
	return pathname !== location.pathname || search !== location.search;
}
