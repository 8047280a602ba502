import { Notice, Status } from "../ui/notice.tsx";
import type { CompanySummary } from "./company.ts";
import type { CompanyNotice } from "./company-notices.ts";

/** What a customer must know of a company before paying for its extract. The sentences come with the company, from the server. */
export function CompanyNoticeList({ notices, className = "" }: { notices: readonly CompanyNotice[]; className?: string }) {
	return notices.map(({ code, title, text }) => (
		<Notice key={code} kind="warning" title={title} className={className}>
			<NoticeText text={text} />
		</Notice>
	));
}

/** A notice's sentence; the free register that it names is a link. */
export function NoticeText({ text }: { text: string }) {
	const [before, after] = text.split("data.inpi.fr");
	return (
		<p>
			{before}
			{after !== undefined && (
				<a className="link" href="https://data.inpi.fr" rel="external">
					data.inpi.fr
				</a>
			)}
			{after}
		</p>
	);
}

/** « Entreprise active », « cessée » or « radiée ». */
export function CompanyStatus({ status }: Pick<CompanySummary, "status">) {
	if (status === "active") return <Status kind="done">Entreprise active</Status>;
	return <Status kind="warning">{status === "removed" ? "Entreprise radiée" : "Entreprise cessée"}</Status>;
}
