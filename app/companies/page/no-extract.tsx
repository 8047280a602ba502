import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import type { Company } from "../company.ts";
import { NoticeText } from "../company-notice-list.tsx";

/** In place of the order form: why this unit has no extract, and the free documents that prove it exists. */
export function NoExtract({ company: { siret, legalFormInFull, notices, masked } }: { company: Company }) {
	// the Journal officiel publishes associations and foundations (law of 1 July 1901, art. 5)
	const isInJournal = /^(Association|Fondation)/.test(legalFormInFull ?? "");
	return (
		<section aria-labelledby="sans-extrait" className="rounded-lg border border-line bg-sheet p-5 sm:p-6">
			<h2 id="sans-extrait" className="text-xl">
				Pas d’extrait Kbis
			</h2>
			<div className="mt-3 grid gap-3">
				{notices.map(({ code, text }) => (
					<NoticeText key={code} text={text} />
				))}
				{((!masked && siret) || isInJournal) && <p className="font-semibold">Les justificatifs gratuits&nbsp;:</p>}
			</div>
			<p className="mt-3 flex flex-col gap-3">
				{!masked && siret && (
					<a
						className={button("secondary", "w-full")}
						rel="external"
						href={`https://api-avis-situation-sirene.insee.fr/identification/pdf/${siret}`}
					>
						Avis de situation Sirene (PDF)
					</a>
				)}
				{isInJournal && (
					<a
						className={button("secondary", "w-full")}
						rel="external"
						href="https://www.journal-officiel.gouv.fr/pages/associations-recherche/"
					>
						Journal officiel des associations
					</a>
				)}
				<a className={button("quiet")} href={href("/recherche")}>
					Nouvelle recherche
				</a>
			</p>
		</section>
	);
}
