import { formatLongDay } from "../../catalogue/instants.ts";
import { Siren } from "../../ui/siren.tsx";
import { formatTown } from "../arrondissements.ts";
import type { Company } from "../company.ts";
import { CompanyStatus } from "../company-notice-list.tsx";
import { hasRepresentatives, RepresentativesLink } from "./representatives.tsx";

/** Below the name of a company: whether it is alive and since when, its form, its town, its activity and its size (docs/rules.md, R240). */
export function CompanyHead({ company }: { company: Company }) {
	const since = formatSince(company);
	return (
		<span className="block text-base">
			<span className="flex flex-wrap gap-x-2">
				<CompanyStatus status={company.status} />
				{since && <span>{since}</span>}
			</span>
			<span className="mt-1 block max-sm:text-sm">
				<span className="whitespace-nowrap">
					SIREN <Siren value={company.siren} />
				</span>
				{listHeadFacts(company).map((fact) => `\u00a0· ${fact}`)}
			</span>
			{/* wide screens have it among the facts, in the same view */}
			{hasRepresentatives(company) && (
				<span className="block text-sm lg:hidden">
					Dirigeants&nbsp;: gratuits sur l’
					<RepresentativesLink siren={company.siren} />
				</span>
			)}
		</span>
	);
}

/** « depuis 1955 », « le 14 novembre 2022 »; null where no register says the day. */
export function formatSince({
	status,
	creationDate,
	removalDate,
}: Pick<Company, "status" | "creationDate" | "removalDate">): string | null {
	if (status === "active") return creationDate && `depuis ${creationDate.slice(0, 4)}`;
	return status === "removed" && removalDate ? `le ${formatLongDay(new Date(removalDate))}` : null;
}

/** What is known of form, town, activity and size: « SA », « siège à Paris 9e ». */
export function listHeadFacts({ legalForm, headOffice, activityDescription, staffBand }: Company): string[] {
	const town = headOffice?.city && formatTown(headOffice.city, headOffice.postalCode);
	// the facts have the year of the band
	const staff = staffBand?.replace(/ \(\d{4}\)$/, "").replaceAll(" ", "\u00a0");
	return [legalForm, town && `siège\u00a0${formatIn(town)}`, activityDescription, staff].flatMap((fact) => fact || []);
}

/** « à Paris », « au Havre », « aux Ulis » */
function formatIn(town: string): string {
	const [, article, rest] = /^(Le|Les) (.+)$/.exec(town) ?? [];
	return article ? `${article === "Le" ? "au" : "aux"}\u00a0${rest}` : `à\u00a0${town}`;
}
