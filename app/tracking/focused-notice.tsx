import { type ReactNode, useEffect, useRef } from "react";
import { Notice, type NoticeKind } from "../ui/notice.tsx";

interface FocusedNoticeProps {
	kind: NoticeKind;
	title: string;
	/** Its whole text: another one takes the focus again. */
	message: string;
	children?: ReactNode;
}

/** The result of a request. Takes the focus, with or without JavaScript, so that the page begins with it. */
export function FocusedNotice({ kind, title, message, children }: FocusedNoticeProps) {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (message !== "") box.current?.focus();
	}, [message]);
	return (
		// biome-ignore lint/a11y/noAutofocus: the page after a request starts with its result
		<div ref={box} tabIndex={-1} autoFocus className="mb-8 print:hidden">
			<Notice kind={kind} title={title} live>
				{children}
			</Notice>
		</div>
	);
}
