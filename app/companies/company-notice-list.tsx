import { Notice, Status } from "../ui/notice.tsx";
import type { CompanySummary } from "./company.ts";
import type { CompanyNotice } from "./company-notices.ts";

interface CompanyNoticeListProps {
	notices: readonly CompanyNotice[];
	/** The status of the company stands beside: a notice of it does not repeat it as its title. */
	besideStatus?: boolean;
	className?: string;
}

/** The notices that a customer must see before paying. Their texts come from the server with the company. */
export function CompanyNoticeList({ notices, besideStatus = false, className = "" }: CompanyNoticeListProps) {
	return notices.map(({ code, title, text }) => (
		<Notice key={code} kind="warning" title={besideStatus && isStatus(code) ? null : title} className={className}>
			<NoticeText text={text} />
		</Notice>
	));
}

const isStatus = (code: CompanyNotice["code"]) => code === "ceased" || code === "removed";

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
