import { href } from "react-router";
import { button } from "../ui/button.tsx";
import { Card, Tag } from "../ui/card.tsx";
import { Siren } from "../ui/siren.tsx";
import { formatAddressLines } from "./addresses/address-lines.ts";
import type { CompanySummary } from "./company.ts";
import { companyName } from "./company-name.ts";
import { CompanyName } from "./company-name.tsx";

/** The part of a company's page that has its facts. On narrow screens the services come before it. */
export const factsId = "informations";

/** A company among the results of a search. */
export function CompanyCard({ company }: { company: CompanySummary }) {
	const { siren, name, matchedName, legalForm, headOffice, activityDescription, eligibility, notices } = company;
	const page = href("/entreprise/:siren", { siren });
	const title = `entreprise-${siren}`;
	return (
		<Card className="flex flex-col gap-3">
			<h2 id={title} className="text-lg leading-snug">
				<a href={page} className="-my-2 inline-flex min-h-11 items-center no-underline hover:underline">
					<CompanyName name={companyName(name)} />
				</a>
			</h2>
			{matchedName && (
				<p className="-mt-2 text-sm">
					Nom commercial&nbsp;: <strong className="font-semibold">{matchedName}</strong>
				</p>
			)}
			<p className="text-sm text-soft">
				SIREN <Siren value={siren} />
			</p>
			<p className="flex flex-wrap gap-2">
				<Tag>{legalForm}</Tag>
				{notices.map(({ code, title }) => (
					<Tag key={code} look="waiting">
						{title}
					</Tag>
				))}
			</p>
			<div className="flex-1 text-sm">
				{name === null && <p className="text-soft">Nom et adresse non diffusés, à la demande de l’entreprise.</p>}
				{headOffice &&
					formatAddressLines({ ...headOffice, complement: null }).map((line) => (
						<p key={line} className="figures">
							{line}
						</p>
					))}
				{activityDescription && <p className="mt-2 text-soft">{activityDescription}</p>}
			</div>
			<p className="mt-1 flex flex-wrap justify-center gap-x-6 gap-y-2">
				{eligibility === "none" ? (
					<a href={page} aria-describedby={title} className={button("secondary", "w-full")}>
						Voir la fiche
					</a>
				) : (
					<>
						<a href={page} aria-describedby={title} className={button("secondary", "flex-1 whitespace-nowrap")}>
							Commander KBIS
						</a>
						<a href={`${page}#${factsId}`} aria-describedby={title} className={button("quiet")}>
							Voir la fiche
						</a>
					</>
				)}
			</p>
		</Card>
	);
}
