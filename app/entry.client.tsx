import { lazy, StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { tolerateForeignChanges } from "./ui/foreign-changes.ts";
import { useDrawnHere } from "./ui/use-hydrated.ts";

/** Where its code does not arrive, the page stays as the server sent it, and works without scripts. */
const KeepTyped = lazy(() =>
	import("./ui/keep-typed.tsx").then(
		(code) => ({ default: code.KeepTyped }),
		() => new Promise<never>(() => {}),
	),
);

/** One element: drawn a second time, it would draw parts anew that are not hydrated yet. */
const router = <HydratedRouter />;

if (hasMovedOn()) location.reload();
else {
	tolerateForeignChanges();
	startTransition(() => {
		hydrateRoot(
			document,
			<StrictMode>
				<Root />
			</StrictMode>,
		);
	});
}

/** The page. One that others had changed is drawn anew, once the code is there that keeps what was typed; until then it stays. */
function Root() {
	return useDrawnHere() ? <KeepTyped>{router}</KeepTyped> : router;
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
