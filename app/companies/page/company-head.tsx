import { formatLongDay } from "../../catalogue/instants.ts";
import { Siren } from "../../ui/siren.tsx";
import { formatTown } from "../arrondissements.ts";
import type { Company } from "../company.ts";
import { CompanyStatus } from "../company-notice-list.tsx";
import { hasRepresentatives, RepresentativesLink } from "./representatives.tsx";

/** Below the name of a company: whether it is alive and since when, its form, its town, its activity, its size and its object (docs/rules.md, R240). */
export function CompanyHead({ company }: { company: Company }) {
	const since = formatSince(company);
	return (
		<span className="block text-base">
			<span className="flex flex-wrap gap-x-2">
				<CompanyStatus status={company.status} />
				{since && <span>{since}</span>}
			</span>
			<span className="mt-1 block max-sm:text-sm">
				SIREN <Siren value={company.siren} />
				{listFormAndSeat(company).map((fact) => `\u00a0· ${fact}`)}
			</span>
			<span className="block max-sm:text-sm">{listActivityAndStaff(company).join("\u00a0· ")}</span>
			{company.purpose && <span className="block max-sm:text-sm">{`Objet\u00a0: ${takeFirstWords(company.purpose, purposeLength)}`}</span>}
			{/* wide screens have it among the facts, in the same view */}
			{hasRepresentatives(company) && (
				<span className="block text-sm lg:hidden">
					Dirigeants&nbsp;: gratuitement sur l’
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

/** In characters: a line of a phone. The facts have all of it. */
const purposeLength = 38;

/** « SA », « siège à Paris 9e » */
export function listFormAndSeat({ legalForm, headOffice }: Pick<Company, "legalForm" | "headOffice">): string[] {
	const town = headOffice?.city && formatTown(headOffice.city, headOffice.postalCode);
	return [legalForm, town && `siège\u00a0${formatIn(town)}`].flatMap((fact) => fact || []);
}

/** « Boulangerie et boulangerie-pâtisserie », « 10 à 19 salariés » */
export function listActivityAndStaff({
	status,
	activityDescription,
	staffBand,
}: Pick<Company, "status" | "activityDescription" | "staffBand">): string[] {
	// the facts have the year of the band, which is long ago for a company without activity
	const staff = status === "active" && staffBand?.replace(/ \(\d{4}\)$/, "").replaceAll(" ", "\u00a0");
	return [activityDescription, staff].flatMap((fact) => fact || []);
}

/** The first words of a text that is longer than `length` characters by more than a quarter, « L’exploitation de… »; else all of it. */
export function takeFirstWords(text: string, length: number): string {
	if (text.length <= length * 1.25) return text;
	const end = text.lastIndexOf(" ", length);
	return `${text.slice(0, end < 0 ? length : end)}…`;
}

/** « à Paris », « au Havre », « aux Ulis » */
function formatIn(town: string): string {
	const [, article, rest] = /^(Le|Les) (.+)$/.exec(town) ?? [];
	return article ? `${article === "Le" ? "au" : "aux"}\u00a0${rest}` : `à\u00a0${town}`;
}
