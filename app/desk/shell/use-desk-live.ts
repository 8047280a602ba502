import { useEffect, useRef } from "react";
import { href, useFetchers, useLocation, useMatches, useNavigation, useRevalidator } from "react-router";
import { findReasonToKeep, type KeptPage, ReadingFailed } from "./keep-reading.ts";

/** Milliseconds between two readings of the page's data, however much changes. */
const shortest = 1000;
/** Milliseconds before the next try, when a reading failed or the server has closed the stream. */
const tryAgainAfter = 15_000;
/** Milliseconds after a form was sent in which the page is not read: the framework's state says only a render later that it is being sent. */
const quietTime = 2000;

/**
 * Keeps a page of the desk fresh: reads its data again after a change, at most once a second, and not while the page is hidden. When a
 * reading fails, the page stays as it was unless the answer says that it is gone; the data of the layout then have `kept`.
 */
export function useDeskLive(): void {
	const { revalidate, state } = useRevalidator();
	// a reading that began before an act would show the page as it was, and the act itself is a change
	const isSending = useFetchers().some((fetcher) => fetcher.state !== "idle");
	// a reading would end the one before it, and begin a navigation anew
	const navigation = useNavigation();
	const isLoading = state !== "idle" || navigation.state !== "idle";
	const open = { mustWait: isSending || isLoading, matches: useMatches(), location: useLocation() };
	const page = useRef(open);
	page.current = open;
	useEffect(() => {
		let readAt = 0;
		let timer: number | undefined;
		let isDue = false;
		let submittedAt = Number.NEGATIVE_INFINITY;
		const typed = new Set<EventTarget>();
		const onSubmit = () => {
			submittedAt = Date.now();
		};
		const onInput = ({ target }: Event) => {
			for (const field of typed) if (field instanceof Element && !field.isConnected) typed.delete(field);
			if (target) typed.add(target);
		};
		const read = () => {
			timer = undefined;
			if (page.current.mustWait || Date.now() - submittedAt < quietTime) return readIn(200);
			if (navigator.onLine === false) return readIn(tryAgainAfter);
			isDue = document.hidden;
			if (isDue) return;
			readAt = Date.now();
			void revalidate();
		};
		const readIn = (wait: number) => {
			clearTimeout(timer);
			timer = window.setTimeout(read, wait);
		};
		const readSoon = () => readIn(Math.max(0, readAt + shortest - Date.now()));
		const onFailure = (failed: Event) => {
			if (!(failed instanceof ReadingFailed)) return;
			const why = findReasonToKeep(failed.results, () => hasText(typed));
			const { matches, location } = page.current;
			// the browser's « back » has changed its address before the page
			if (why === null || failed.address !== location.pathname + location.search) return;
			const kept: KeptPage = { why, key: location.key };
			failed.kept = Object.fromEntries(
				matches.map(({ id, loaderData }) => [
					id,
					{ type: "data", result: id === "desk" ? Object.assign({}, loaderData, { kept }) : loaderData },
				]),
			);
			timer ??= window.setTimeout(read, tryAgainAfter);
		};
		const onVisible = () => {
			if (isDue && !document.hidden) readSoon();
		};
		let stream: EventSource;
		let reopening: number | undefined;
		const listen = () => {
			stream = new EventSource(href("/bureau/direct"));
			// it begins with a change: for what happened between the making of the page and now
			stream.addEventListener("change", readSoon);
			stream.addEventListener("error", () => {
				if (stream.readyState !== EventSource.CLOSED) return;
				readSoon();
				reopening = window.setTimeout(listen, tryAgainAfter);
			});
		};
		listen();
		document.addEventListener("visibilitychange", onVisible);
		addEventListener("reading-failed", onFailure);
		addEventListener("submit", onSubmit, { capture: true });
		addEventListener("input", onInput, { capture: true });
		return () => {
			stream.close();
			clearTimeout(timer);
			clearTimeout(reopening);
			document.removeEventListener("visibilitychange", onVisible);
			removeEventListener("reading-failed", onFailure);
			removeEventListener("submit", onSubmit, { capture: true });
			removeEventListener("input", onInput, { capture: true });
		};
	}, [revalidate]);
}

const withoutText = ["checkbox", "radio", "search"];

/** Whether a field that was typed in is still on the page and not empty. A filter is in the address, not typed text. */
function hasText(typed: ReadonlySet<EventTarget>): boolean {
	return [...typed].some(
		(field) =>
			(field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !withoutText.includes(field.type))) &&
			field.isConnected &&
			field.value !== "" &&
			field.form?.method !== "get",
	);
}
