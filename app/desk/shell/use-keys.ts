import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";

/** What each key does: `{ d: deliver, "g q": openQueue }`. Two keys follow each other within a second. */
export type Keys = Readonly<Record<string, () => void>>;

/** The keys of each part of the open page, as its last render gave them. */
type PageKeys = Set<RefObject<Keys>>;

export const PageKeysContext = createContext<PageKeys | null>(null);

/** How long a first key such as « g » waits for the second one. */
const secondKeyMs = 1000;

/** Whether a key belongs to what has the focus: a field, a menu, a player. */
const isTyping = (target: EventTarget | null) =>
	target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Listens to the keys of the whole desk, outside of fields and of an open dialog. There is one listener, so that the second key of
 * « g d » is never taken for the « d » of the page.
 * @param menuKeys the keys of the frame; those of the page come first.
 * @param areLettersOn whether keys that write a character do anything (WCAG 2.1.4).
 * @returns where `useKeys` registers the keys of the page.
 */
export function useDeskKeys(menuKeys: Keys, areLettersOn: boolean): PageKeys {
	const [pageKeys] = useState<PageKeys>(() => new Set());
	const current = useRef({ menuKeys, areLettersOn });
	current.current = { menuKeys, areLettersOn };
	useEffect(() => {
		let first: { key: string; at: number } | null = null;
		const onKey = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.key === "Shift") return;
			const before = first && event.timeStamp - first.at < secondKeyMs ? first.key : null;
			first = null;
			if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
			if (event.key.length === 1 && !current.current.areLettersOn) return;
			const keys: Keys = Object.assign({}, current.current.menuKeys, ...[...pageKeys].map((part) => part.current));
			const run = keys[before === null ? event.key : `${before} ${event.key}`];
			if (run) {
				event.preventDefault();
				run();
			} else if (Object.keys(keys).some((sequence) => sequence.startsWith(`${event.key} `))) {
				first = { key: event.key, at: event.timeStamp };
			}
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [pageKeys]);
	return pageKeys;
}

/** Does something when a key is pressed while this part of the page is shown. */
export function useKeys(keys: Keys): void {
	const pageKeys = useContext(PageKeysContext);
	const current = useRef(keys);
	current.current = keys;
	useEffect(() => {
		pageKeys?.add(current);
		return () => {
			pageKeys?.delete(current);
		};
	}, [pageKeys]);
}
