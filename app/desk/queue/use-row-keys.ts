import { type RefObject, useRef } from "react";
import { useKeys } from "../shell/use-keys.ts";

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
