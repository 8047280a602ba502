import { useEffect, useRef } from "react";

/** Whether a key belongs to what has the focus: a field, a menu, a player. */
const isTyping = (target: EventTarget | null) =>
	target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Does something when a key is pressed alone outside of fields: `useKeys({ d: deliver, "g q": openQueue })`. Two keys follow each other
 * within a second. An open dialog keeps its keys.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
	const current = useRef(keys);
	current.current = keys;
	useEffect(() => {
		let first: { key: string; at: number } | null = null;
		const onKey = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
			if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
			const both = first && event.timeStamp - first.at < 1000 ? `${first.key} ${event.key}` : null;
			first = { key: event.key, at: event.timeStamp };
			const run = (both && current.current[both]) || current.current[event.key];
			if (!run) return;
			event.preventDefault();
			run();
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
}
