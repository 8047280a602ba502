import { useEffect, useRef, useState } from "react";
import { href, useFetchers, useRevalidator } from "react-router";

/** Milliseconds between two readings of the page's data, however much changes. */
const shortest = 1000;
const pollInterval = 15_000;
/** Milliseconds after a form was sent in which the page is not read: the framework's state says only a render later that it is being sent. */
const quietTime = 2000;

/**
 * Keeps a page of the desk fresh: reads its data again after a change, at most once a second, and not while the page is hidden.
 * @returns whether the operator was shut out while they typed: the page then stays as it is, and is read again when they are back.
 */
export function useDeskLive(): boolean {
	const { revalidate } = useRevalidator();
	const [isShutOut, setShutOut] = useState(false);
	// the framework drops the redirect of an act when the page is read again meanwhile, and the act itself is a change
	const isSending = useFetchers().some(({ state }) => state !== "idle");
	const sending = useRef(isSending);
	sending.current = isSending;
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
		const mustWait = () => sending.current || Date.now() - submittedAt < quietTime;
		const read = async () => {
			timer = undefined;
			if (mustWait()) {
				readSoon(200);
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
			if (hasText(typed)) {
				const may = await mayRead();
				if (may === null) {
					readSoon(pollInterval);
					return;
				}
				setShutOut(!may);
				if (!may) return;
				if (mustWait()) {
					readSoon(200);
					return;
				}
			} else setShutOut(false);
			// without network the page stays as it is
			revalidate().catch(() => {});
		};
		const readSoon = (wait = Math.max(0, readAt + shortest - Date.now())) => {
			timer ??= window.setTimeout(read, wait);
		};
		const onVisible = () => {
			if (isDue && !document.hidden) readSoon();
		};
		// a reading that fails would put an error in the place of the page
		const poll = () =>
			void fetch(href("/healthz"), { cache: "no-store" }).then(
				() => readSoon(),
				() => {},
			);
		const stream = new EventSource(href("/bureau/direct"));
		let polling: number | undefined;
		let isFirst = true;
		stream.addEventListener("change", () => {
			// the stream begins with a change, and the page is fresh
			if (isFirst) isFirst = false;
			else readSoon();
		});
		stream.addEventListener("error", () => {
			if (stream.readyState !== EventSource.CLOSED || polling !== undefined) return;
			polling = window.setInterval(poll, pollInterval);
			poll();
		});
		document.addEventListener("visibilitychange", onVisible);
		addEventListener("submit", onSubmit, { capture: true });
		addEventListener("input", onInput, { capture: true });
		return () => {
			stream.close();
			clearTimeout(timer);
			clearInterval(polling);
			document.removeEventListener("visibilitychange", onVisible);
			removeEventListener("submit", onSubmit, { capture: true });
			removeEventListener("input", onInput, { capture: true });
		};
	}, [revalidate]);
	return isShutOut;
}

/** Whether a field that was typed in is still on the page and not empty; forgets the others. */
function hasText(typed: Set<EventTarget>): boolean {
	for (const field of typed)
		if (!(field instanceof HTMLElement && field.isConnected && "value" in field && field.value)) typed.delete(field);
	return typed.size > 0;
}

/** Whether the operator may read this page again; null when the server gave no answer. */
async function mayRead(): Promise<boolean | null> {
	const address = `${href("/bureau/etat")}?page=${encodeURIComponent(location.pathname)}`;
	try {
		const answer = await fetch(address, { cache: "no-store", redirect: "manual" });
		if (answer.type === "opaqueredirect" || answer.status === 403) return false;
		return answer.ok ? true : null;
	} catch {
		return null;
	}
}
