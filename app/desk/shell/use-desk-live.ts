import { useEffect, useRef } from "react";
import { href, useFetchers, useRevalidator } from "react-router";

/** Milliseconds between two readings of the page's data, however much changes. */
const shortest = 1000;
const pollInterval = 15_000;
/** Milliseconds after a form was sent in which the page is not read: the framework's state says only a render later that it is being sent. */
const quietTime = 2000;

/** Keeps a page of the desk fresh: reads its data again after a change, at most once a second, and not while the page is hidden. */
export function useDeskLive(): void {
	const { revalidate } = useRevalidator();
	// the framework drops the redirect of an act when the page is read again meanwhile, and the act itself is a change
	const isSending = useFetchers().some(({ state }) => state !== "idle");
	const sending = useRef(isSending);
	sending.current = isSending;
	useEffect(() => {
		let readAt = 0;
		let timer: number | undefined;
		let isDue = false;
		let submittedAt = Number.NEGATIVE_INFINITY;
		const onSubmit = () => {
			submittedAt = Date.now();
		};
		const read = () => {
			timer = undefined;
			if (sending.current || Date.now() - submittedAt < quietTime) {
				timer = window.setTimeout(read, 200);
				return;
			}
			// the stream tells of everything that was missed once the network is back
			if (navigator.onLine === false) return;
			if (document.hidden) {
				isDue = true;
				return;
			}
			isDue = false;
			readAt = Date.now();
			// without network the page stays as it is
			revalidate().catch(() => {});
		};
		const readSoon = () => {
			timer ??= window.setTimeout(read, Math.max(0, readAt + shortest - Date.now()));
		};
		const onVisible = () => {
			if (isDue && !document.hidden) readSoon();
		};
		// a reading that fails would put an error in the place of the page
		const poll = () => void fetch(href("/healthz"), { cache: "no-store" }).then(readSoon, () => {});
		const stream = new EventSource(href("/bureau/direct"));
		let polling: number | undefined;
		let isFirst = true;
		stream.addEventListener("change", () => {
			// the stream begins with a change, and the page is fresh
			if (isFirst) isFirst = false;
			else readSoon();
		});
		stream.addEventListener("error", () => {
			if (stream.readyState === EventSource.CLOSED) polling ??= window.setInterval(poll, pollInterval);
		});
		document.addEventListener("visibilitychange", onVisible);
		addEventListener("submit", onSubmit, { capture: true });
		return () => {
			stream.close();
			clearTimeout(timer);
			clearInterval(polling);
			document.removeEventListener("visibilitychange", onVisible);
			removeEventListener("submit", onSubmit, { capture: true });
		};
	}, [revalidate]);
}
