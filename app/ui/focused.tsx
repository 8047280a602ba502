import { type ReactNode, useEffect, useRef } from "react";

/** A part of the page that takes the focus when it appears, and so comes into view; with or without JavaScript. */
export function Focused({ className, children }: { className?: string; children: ReactNode }) {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => box.current?.focus(), []);
	return (
		// biome-ignore lint/a11y/noAutofocus: the page of a form that did not go on starts with the reason
		<div ref={box} tabIndex={-1} autoFocus className={className}>
			{children}
		</div>
	);
}
