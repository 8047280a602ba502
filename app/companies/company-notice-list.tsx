import { Notice, Status } from "../ui/notice.tsx";
import type { CompanySummary } from "./company.ts";
import type { CompanyNotice } from "./company-notices.ts";

/** The notices that a customer must see before paying. Their texts come from the server with the company. */
export function CompanyNoticeList({ notices, className = "" }: { notices: readonly CompanyNotice[]; className?: string }) {
	return notices.map(({ code, title, text }) => (
		<Notice key={code} kind="warning" title={title} className={className}>
			<NoticeText text={text} />
		</Notice>
	));
}

/** The text of a notice, with a link to the free register that it names. */
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
