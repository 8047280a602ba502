import { useState, useSyncExternalStore } from "react";

/** Whether the first page is live: React has run the effects of its root, which uses one of these hooks. */
const page = { isLive: false };

function becomeLive(update: () => void) {
	page.isLive = true;
	update();
	return () => {};
}

/**
 * False on the server and while the page starts, then true: for elements that need JavaScript. A page that React draws anew because others
 * changed it starts like one that is hydrated, so that it has the same fields.
 */
export function useHydrated(): boolean {
	return useSyncExternalStore(
		becomeLive,
		() => page.isLive,
		() => false,
	);
}

/** Whether the browser draws the component itself: one of a later page, or of a first page that others changed; false if it is hydrated. */
export function useDrawnHere(): boolean {
	const isDrawnHere = useSyncExternalStore(
		becomeLive,
		() => true,
		() => false,
	);
	return useState(isDrawnHere)[0];
}
