import { href, Link } from "react-router";
import { button } from "../ui/button.tsx";
import { Card, Tag } from "../ui/card.tsx";
import { Siren } from "../ui/siren.tsx";
import type { CompanySummary } from "./company.ts";

/** A company among the results of a search. */
export function CompanyCard({ company }: { company: CompanySummary }) {
	const { siren, name, legalForm, address, postalCode, city, activityDescription, eligibility, notices } = company;
	const page = href("/entreprise/:siren", { siren });
	const title = `entreprise-${siren}`;
	return (
		<Card className="flex flex-col gap-3">
			<h2 id={title} className="text-lg leading-snug">
				{name ?? "Entreprise"}
			</h2>
			<p className="text-sm text-soft">
				SIREN <Siren value={siren} />
			</p>
			<p className="flex flex-wrap gap-2">
				<Tag>{legalForm}</Tag>
				{notices.map(({ code, title }) => (
					<Tag key={code} strong>
						{title}
					</Tag>
				))}
			</p>
			<div className="flex-1 text-sm">
				{name === null && <p className="text-soft">Nom et adresse non diffusés, à la demande de l’entreprise.</p>}
				{address && <p>{address}</p>}
				{(postalCode || city) && (
					<p className="figures">
						{postalCode} {city}
					</p>
				)}
				{activityDescription && <p className="mt-2 text-soft">{activityDescription}</p>}
			</div>
			<p className="mt-1">
				<Link to={page} aria-describedby={title} className={button("secondary", "w-full")}>
					{eligibility === "none" ? "Voir la fiche" : "Commander KBIS"}
				</Link>
			</p>
		</Card>
	);
}
