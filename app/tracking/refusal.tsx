import type { ReactNode } from "react";
import { FocusedNotice } from "./focused-notice.tsx";

/** Why a request was refused. */
export function Refusal({ sentence, children }: { sentence: string; children?: ReactNode }) {
	return (
		<FocusedNotice kind="failed" title={sentence} message={sentence}>
			{children}
		</FocusedNotice>
	);
}
