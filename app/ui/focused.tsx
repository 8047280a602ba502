import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

/**
 * A part of the page that takes the focus when it appears, and so comes into view; with or without JavaScript. On a page that starts with it, the browser
 * has given it the focus: a field that is used since keeps it.
 */
export function Focused(props: ComponentProps<"div">) {
	const box = useRef<HTMLDivElement>(null);
	const isLive = useHydrated();
	const [cameLater] = useState(isLive);
	useEffect(() => {
		if (cameLater || document.activeElement === document.body) box.current?.focus();
	}, [cameLater]);
	// biome-ignore lint/a11y/noAutofocus: the page of a form that did not go on starts with the reason
	return <div ref={box} tabIndex={-1} autoFocus {...props} />;
}
