import { useEffect, useRef, useState } from "react";
import { href, useFetchers, useRevalidator } from "react-router";

/** Milliseconds between two readings of the page's data, however much changes. */
const shortest = 1000;
/** Milliseconds before the stream is opened again that the server has closed. */
const reopenAfter = 15_000;
/** Milliseconds after a form was sent in which the page is not read: the framework's state says only a render later that it is being sent. */
const quietTime = 2000;

/**
 * Keeps a page of the desk fresh: reads its data again after a change, at most once a second, and not while the page is hidden. Before
 * it reads a page in which something was typed, it asks whether the operator may still read it: only a session that ends in the few
 * milliseconds between the two takes the page away.
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
		let isAsking = false;
		let isDue = false;
		let isOver = false;
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
			if (mustWait()) return readSoon(200);
			// the stream tells of everything that was missed once the network is back
			if (navigator.onLine === false) return;
			isDue = document.hidden;
			if (isDue) return;
			readAt = Date.now();
			isAsking = true;
			const may = hasText(typed) ? await mayRead() : true;
			isAsking = false;
			if (isOver) return;
			if (may === null) return readSoon(reopenAfter);
			setShutOut(!may);
			if (may && mustWait()) return readSoon(200);
			// without network the page stays as it is
			if (may) revalidate().catch(() => {});
			if (isDue) readSoon();
		};
		const readSoon = (wait = Math.max(0, readAt + shortest - Date.now())) => {
			if (isAsking) isDue = true;
			else timer ??= window.setTimeout(read, wait);
		};
		const onVisible = () => {
			if (isDue && !document.hidden) readSoon();
		};
		let stream: EventSource;
		let reopening: number | undefined;
		const open = (isFirst: boolean) => {
			stream = new EventSource(href("/bureau/direct"));
			let isFresh = isFirst;
			stream.addEventListener("change", () => {
				// the stream begins with a change, and a new page is fresh
				if (isFresh) isFresh = false;
				else readSoon();
			});
			stream.addEventListener("error", () => {
				if (stream.readyState !== EventSource.CLOSED) return;
				// a reading that fails would put an error in the place of the page
				fetch(href("/healthz"), { cache: "no-store" }).then(
					() => isOver || readSoon(),
					() => {},
				);
				reopening = window.setTimeout(open, reopenAfter, false);
			});
		};
		open(true);
		document.addEventListener("visibilitychange", onVisible);
		addEventListener("submit", onSubmit, { capture: true });
		addEventListener("input", onInput, { capture: true });
		return () => {
			isOver = true;
			stream.close();
			clearTimeout(timer);
			clearTimeout(reopening);
			document.removeEventListener("visibilitychange", onVisible);
			removeEventListener("submit", onSubmit, { capture: true });
			removeEventListener("input", onInput, { capture: true });
		};
	}, [revalidate]);
	return isShutOut;
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
