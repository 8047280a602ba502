import { DescriptionList } from "../ui/description-list.tsx";
import { Siren } from "../ui/siren.tsx";
import type { Company } from "./company.ts";
import type { CompanySources } from "./company-sources.server.ts";
import { calculateVatNumber } from "./siren.ts";

/** The data of the registers on a company, with their sources and dates. */
export function CompanyFacts({ company, sources }: { company: Company; sources: CompanySources | null }) {
	if (company.masked) {
		return (
			<>
				<DescriptionList
					rows={[
						["SIREN", <Siren key="siren" value={company.siren} />],
						["Forme juridique", company.legalFormInFull ?? company.legalForm],
					]}
				/>
				<p className="mt-3 text-sm text-soft">
					{company.hidden
						? "À la demande de la personne concernée, nous n’affichons pas les autres informations de cette fiche."
						: "À la demande de cette entreprise, l’INSEE ne diffuse pas ses autres informations."}{" "}
					Source : INSEE, base SIRENE (Licence Ouverte 2.0).
				</p>
			</>
		);
	}
	const { siren, siret, legalForm, legalFormInFull, creationDate, rneAsOf, greffe } = company;
	return (
		<>
			<DescriptionList
				rows={[
					["SIREN", <Siren key="siren" value={siren} />],
					["SIRET du siège", siret ? <Siren key="siret" value={siret} /> : unknown],
					[
						"Forme juridique",
						legalFormInFull?.startsWith(legalForm) ? legalFormInFull : `${legalForm}${legalFormInFull ? ` – ${legalFormInFull}` : ""}`,
					],
					["Date de création", creationDate],
					...(rneAsOf ? [] : describeRegistration(company)),
					["Code NAF", company.nafCode ?? unknown],
					["Adresse du siège", <HeadOffice key="address" company={company} />],
					["Activité principale", company.activityDescription ?? unknown],
					["Numéro de TVA (calculé)", company.eligibility === "kbis" ? calculateVatNumber(siren) : null],
					["Greffe compétent (indication)", greffe],
				]}
			/>
			<p className="mt-3 text-sm text-soft">
				Source : INSEE, base SIRENE (Licence Ouverte 2.0)
				{company.updatedOn
					? `, fiche mise à jour le ${formatDayInFull(company.updatedOn)}`
					: sources?.sireneAsOf && `, base au ${formatDayInFull(sources.sireneAsOf)}`}
				.{greffe && " Greffe : d’après la commune du siège."}
			</p>
			{rneAsOf && (
				<>
					<DescriptionList className="mt-6" rows={describeRegistration(company)} />
					<p className="mt-3 text-sm text-soft">
						Source : INPI, registre national des entreprises (RNE), données au {formatDayInFull(rneAsOf)}.
					</p>
				</>
			)}
		</>
	);
}

/** The data of the RNE; « Non communiqué » where it has none. */
function describeRegistration({ registrationDate, removalDate, capital, duration, legalForm }: Company): [string, string | null][] {
	return [
		["Date d’immatriculation", registrationDate ?? unknown],
		["Date de radiation", removalDate],
		["Capital social", capital ?? unknown],
		["Durée", duration],
		["Associé unique", /^(SASU|EURL)$/.test(legalForm) ? "Oui" : null],
	];
}

const unknown = "Non communiqué";

function HeadOffice({ company: { address, addressComplement, postalCode, city } }: { company: Company }) {
	const lines = [addressComplement, address, [postalCode, city].filter(Boolean).join(" ")].filter(Boolean);
	if (lines.length === 0) return unknown;
	return lines.map((line) => (
		<span key={line} className="block">
			{line}
		</span>
	));
}

const day = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "UTC" });

/** 2026-04-10 → « 10 avril 2026 ». */
function formatDayInFull(isoDay: string): string {
	return day.format(new Date(isoDay)).replace(/^1 /, "1er ");
}
