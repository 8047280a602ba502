import type { ReactNode } from "react";
import { Focused } from "../../ui/focused.tsx";
import { Notice, type NoticeKind } from "../../ui/notice.tsx";

interface FocusedNoticeProps {
	kind: NoticeKind;
	title: string;
	/** Its whole text: another one takes the focus again. */
	message: string;
	children?: ReactNode;
}

/** The result of a request. Takes the focus, with or without JavaScript, so that the page begins with it. */
export function FocusedNotice({ kind, title, message, children }: FocusedNoticeProps) {
	return (
		<Focused key={message} className="mb-8 print:hidden">
			<Notice kind={kind} title={title} live>
				{children}
			</Notice>
		</Focused>
	);
}

/** Why a request was refused. */
export function Refusal({ sentence, children }: { sentence: string; children?: ReactNode }) {
	return (
		<FocusedNotice kind="failed" title={sentence} message={sentence}>
			{children}
		</FocusedNotice>
	);
}
