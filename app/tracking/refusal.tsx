import { type ReactNode, useEffect, useRef } from "react";
import { Notice } from "../ui/notice.tsx";

/** Why a request was refused. Takes the focus, with or without JavaScript, so that the page begins with the answer. */
export function Refusal({ sentence, children }: { sentence: string; children?: ReactNode }) {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (sentence !== "") box.current?.focus();
	}, [sentence]);
	return (
		// biome-ignore lint/a11y/noAutofocus: the page of a refused request starts with the reason
		<div ref={box} tabIndex={-1} autoFocus className="mb-8">
			<Notice kind="failed" title={sentence} live>
				{children}
			</Notice>
		</div>
	);
}
