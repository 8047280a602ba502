import { Notice } from "../../ui/notice.tsx";
import type { FormNotice } from "./form-notices.ts";

interface FormNoticeListProps {
	notices: readonly (Omit<FormNotice, "kind"> & { kind: FormNotice["kind"] | "failed" })[];
}

/** What the server says beside a form; screen readers say it when it appears. */
export function FormNoticeList({ notices }: FormNoticeListProps) {
	return notices.map(({ kind, title, text }) => (
		<Notice key={title} kind={kind} title={title} live className="mb-8">
			<p>{text}</p>
		</Notice>
	));
}
