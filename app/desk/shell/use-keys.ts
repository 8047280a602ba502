import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";

/** What each key does: `{ d: deliver, "g q": openQueue }`. Two keys follow each other within a second. */
export type Keys = Readonly<Record<string, () => void>>;

/** The keys of each part of the open page, as its last render gave them. */
type PageKeys = Set<RefObject<Keys>>;

/** For a key: as if the button of a form was pressed. @param id of the form, which may be missing. */
export const submitForm = (id: string) => () => document.forms.namedItem(id)?.requestSubmit();

export const PageKeysContext = createContext<PageKeys | null>(null);

/** How long a first key such as « g » waits for the second one. */
const secondKeyMs = 1000;

/** Fields in which no key of the desk does anything, and in which a click leaves the focus. Radio buttons and ranges take arrows. */
const pressed = /^(button|checkbox|color|file|image|reset|submit)$/;

/** Whether a key belongs to what has the focus: a field that takes letters, a menu. */
const isTyping = (target: EventTarget | null) =>
	target instanceof HTMLElement &&
	(target.isContentEditable ||
		/^(TEXTAREA|SELECT)$/.test(target.tagName) ||
		(target instanceof HTMLInputElement && !pressed.test(target.type)));

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

/** Present when the operator switched the keys of one letter off in this browser. */
const storageKey = "bureau-sans-touches";

/** Whether keys of one letter work (WCAG 2.1.4), and how to switch them; remembered in this browser. */
export function useLetterKeys(): [boolean, (on: boolean) => void] {
	const [areOn, setOn] = useState(true);
	useEffect(() => {
		try {
			setOn(localStorage.getItem(storageKey) === null);
		} catch {
			// storage forbidden: the choice lasts as long as the page
		}
	}, []);
	const change = (on: boolean) => {
		setOn(on);
		try {
			if (on) localStorage.removeItem(storageKey);
			else localStorage.setItem(storageKey, "1");
		} catch {
			// storage full or forbidden: the choice lasts as long as the page
		}
	};
	return [areOn, change];
}

/** « j », « k » and the arrows move the focus among the links of a list; Enter then opens the link by itself. */
export function useRowKeys(): RefObject<HTMLUListElement | null> {
	const list = useRef<HTMLUListElement>(null);
	const move = (step: number) => {
		const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? [])];
		const at = links.findIndex((link) => link.closest("li")?.contains(document.activeElement));
		const next = at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
		links[next]?.focus();
	};
	useKeys({ j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1) });
	return list;
}
