import { useEffect, useRef } from "react";
import { href, useFetchers, useMatches, useRevalidator } from "react-router";
import { findReasonToKeep, ReadingFailed } from "./keep-reading.ts";

/** Milliseconds between two readings of the page's data, however much changes. */
const shortest = 1000;
/** Milliseconds before the next try, when a reading failed or the server has closed the stream. */
const tryAgainAfter = 15_000;
/** Milliseconds after a form was sent in which the page is not read: the framework's state says only a render later that it is being sent. */
const quietTime = 2000;

/**
 * Keeps a page of the desk fresh: reads its data again after a change, at most once a second, and not while the page is hidden. When a
 * reading fails, the page stays as it was; the data of the layout then have `kept`, the reason.
 */
export function useDeskLive(): void {
	const { revalidate } = useRevalidator();
	// the framework drops the redirect of an act when the page is read again meanwhile, and the act itself is a change
	const isSending = useFetchers().some(({ state }) => state !== "idle");
	const page = useRef({ isSending, matches: useMatches() });
	page.current = { isSending, matches: useMatches() };
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
			if (target) typed.add(target);
		};
		const read = () => {
			timer = undefined;
			if (page.current.isSending || Date.now() - submittedAt < quietTime) return readIn(200);
			// the stream tells of everything that was missed once the network is back
			if (navigator.onLine === false) return;
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
			const data = new Map(page.current.matches.map(({ id, loaderData }) => [id, loaderData]));
			if (why === null || !Object.keys(failed.results).every((id) => data.has(id))) return;
			failed.kept = Object.fromEntries(
				[...data].map(([id, result]) => [id, { type: "data", result: id === "desk" ? { ...(result as object), kept: why } : result }]),
			);
			timer ??= window.setTimeout(read, tryAgainAfter);
		};
		const onVisible = () => {
			if (isDue && !document.hidden) readSoon();
		};
		let stream: EventSource;
		let reopening: number | undefined;
		const open = () => {
			stream = new EventSource(href("/bureau/direct"));
			// it begins with a change: for what happened between the making of the page and now
			stream.addEventListener("change", readSoon);
			stream.addEventListener("error", () => {
				if (stream.readyState !== EventSource.CLOSED) return;
				readSoon();
				reopening = window.setTimeout(open, tryAgainAfter);
			});
		};
		open();
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

/** Whether a field that was typed in is still on the page and not empty; forgets the others. */
function hasText(typed: Set<EventTarget>): boolean {
	for (const field of typed) {
		const holdsText = field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !withoutText.includes(field.type));
		if (!holdsText || !field.isConnected || field.value === "") typed.delete(field);
	}
	return typed.size > 0;
}
