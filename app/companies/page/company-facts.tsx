import type { ReactNode } from "react";
import { formatLongDay } from "../../catalogue/instants.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Siren, VatNumber } from "../../ui/siren.tsx";
import { formatAddressLines } from "../addresses/address-lines.ts";
import type { Company } from "../company.ts";
import type { CompanySources } from "../company-sources.server.ts";
import type { PostalAddress } from "../postal-address.ts";
import { takeFirstWords } from "./company-head.tsx";
import { hasRepresentatives, RepresentativesLink } from "./representatives.tsx";

/** The data of the registers on a company, with their sources and dates. */
export function CompanyFacts({ company, sources }: { company: Company; sources: CompanySources | null }) {
	if (company.masked) return <MaskedFacts company={company} />;
	const { name, siren, siret, legalForm, legalFormInFull, creationDate, rneAsOf, greffe, eligibility, tradeNames, acronym, nafCode } =
		company;
	// a sole trader has no capital, and may be in no register
	const inRcs = eligibility === "kbis";
	// a company that ceased before 2008 keeps a code of the NAP (59.02) or of NAF rév. 1 (72.2Z), of which the shop has no labels
	const isOutdated = nafCode !== null && !/^\d\d\.\d\d[A-Z]$/.test(nafCode);
	return (
		<>
			<DescriptionList
				rows={[
					[eligibility === "extrait-k" ? "Nom" : "Dénomination", name],
					["SIREN", <Copyable key="siren" value={siren} label="le SIREN" />],
					["SIRET du siège", siret ? <Copyable key="siret" value={siret} label="le SIRET" /> : unknown],
					describeVatNumbers(company),
					["Forme juridique", legalFormInFull ?? legalForm],
					[tradeNames.length > 1 ? "Noms commerciaux" : "Nom commercial", tradeNames.join(", ")],
					["Sigle", acronym],
					["Dirigeants", hasRepresentatives(company) ? <Representatives key="representatives" siren={siren} /> : null],
					["Adresse du siège", <HeadOffice key="address" address={company.headOffice} />],
					["Activité principale", company.activityDescription ?? (isOutdated ? null : "Non communiquée")],
					["Code NAF", nafCode ? nafCode + (isOutdated ? " (ancienne nomenclature)" : "") : unknown],
					["Effectif", company.staffBand],
					["Catégorie", company.category],
					["Date de création", creationDate && formatDate(creationDate)],
					...(inRcs && !rneAsOf ? describeRegistration(company) : []),
					["Greffe compétent (à titre indicatif)", greffe],
				]}
			/>
			<p className="mt-3 text-sm text-soft">
				Source&nbsp;: Insee, base Sirene (Licence Ouverte 2.0)
				{company.updatedOn
					? `, fiche mise à jour le ${formatDate(company.updatedOn)}`
					: sources?.sireneAsOf && `, base au ${formatDate(sources.sireneAsOf)}`}
				.{company.vatAsOf && " N°\u00a0de TVA\u00a0: DGFiP (Licence Ouverte 2.0)."}
				{greffe && " Greffe déduit de la commune du siège."}
			</p>
			{eligibility !== "none" && rneAsOf && (
				<>
					<DescriptionList className="mt-6" rows={describeRegistration(company)} />
					<p className="mt-3 text-sm text-soft">
						Source&nbsp;: INPI, registre national des entreprises (RNE), données au {formatDate(rneAsOf)}.
					</p>
				</>
			)}
		</>
	);
}

function MaskedFacts({ company: { siren, legalForm, legalFormInFull, hidden } }: { company: Company }) {
	return (
		<>
			<DescriptionList
				rows={[
					["SIREN", <Copyable key="siren" value={siren} label="le SIREN" />],
					["Forme juridique", legalFormInFull ?? legalForm],
				]}
			/>
			<p className="mt-3 text-sm text-soft">
				{hidden
					? "À la demande de la personne concernée, nous n’affichons pas les autres informations de cette fiche."
					: "À la demande de cette entreprise, l’Insee ne diffuse pas ses autres informations."}{" "}
				Source&nbsp;: Insee, base Sirene (Licence Ouverte 2.0).
			</p>
		</>
	);
}

/** The data of the RNE; where it has none, whether the extract has it. Source: Code de commerce, art. R123-53 and R123-150. */
function describeRegistration(company: Company): [string, ReactNode][] {
	const { registrationDate, removalDate, capital, duration, durationEnd, legalForm, eligibility } = company;
	const { financialYearEnd, purpose } = company;
	const onKbis = eligibility === "kbis" ? " (figure sur le Kbis)" : "";
	const hasCapital = /^(SA|SAS|SASU|SARL|EURL|SNC|Société civile)\b/.test(legalForm);
	return [
		["Date d’immatriculation", registrationDate ? formatDate(registrationDate) : `Non communiquée${onKbis}`],
		["Date de radiation", removalDate && formatDate(removalDate)],
		["Capital social", capital ?? (hasCapital ? unknown + onKbis : unknown)],
		["Durée statutaire", duration && `${duration}${durationEnd ? `, jusqu’en ${durationEnd}` : ""}`],
		["Clôture de l’exercice", financialYearEnd && formatLongDay(new Date(`2000-${financialYearEnd}`)).replace(" 2000", "")],
		["Objet", purpose && <Purpose key="purpose" text={purpose} />],
		["Associé unique", /^(SASU|EURL)$/.test(legalForm) ? "Oui" : null],
	];
}

const unknown = "Non communiqué";

/** In characters: a longer purpose is folded after them. */
const shownPurpose = 240;

/** The beginning of a long purpose, and the rest behind a fold. */
function Purpose({ text }: { text: string }) {
	const shown = takeFirstWords(text, shownPurpose);
	if (shown === text) return text;
	return (
		<>
			{shown}
			<details>
				<summary className="link inline-flex min-h-11 items-center text-sm text-soft print:hidden">Lire la suite</summary>…
				{text.slice(shown.length - 1)}
			</details>
		</>
	);
}

function Representatives({ siren }: { siren: string }) {
	return (
		<>
			Leurs noms figurent sur le Kbis et, gratuitement, sur l’
			<RepresentativesLink siren={siren} />
		</>
	);
}

function HeadOffice({ address }: { address: PostalAddress | null }) {
	const lines = address ? formatAddressLines(address) : [];
	if (lines.length === 0) return "Non communiquée";
	return (
		<span className="flex flex-wrap items-start justify-between gap-x-4">
			<span>
				{lines.map((line) => (
					<span key={line} className="block">
						{line}
					</span>
				))}
			</span>
			<CopyButton value={lines.join("\n")} label="l’adresse" />
		</span>
	);
}

/** A number in groups, with its copy button. */
function Copyable({ value, label, children = <Siren value={value} /> }: { value: string; label: string; children?: ReactNode }) {
	return (
		<span className="flex flex-wrap justify-between gap-x-4">
			{children}
			<CopyButton value={value} label={label} />
		</span>
	);
}

const maxVatNumbers = 5;

/** A list without the company does not say that its number is inactive: nothing is shown. */
function describeVatNumbers({ vatNumbers, vatAsOf }: Company): [string, ReactNode] {
	if (vatNumbers.length === 0) return ["", null];
	const label = vatNumbers.length > 1 ? "Numéros de TVA (actifs" : "N°\u00a0de TVA (actif";
	const others = vatNumbers.length - maxVatNumbers;
	return [
		`${label} selon la DGFiP au ${vatAsOf && formatDate(vatAsOf)})`,
		<>
			{vatNumbers.slice(0, maxVatNumbers).map((value) => (
				<CopyableVatNumber key={value} value={value} />
			))}
			{others > 0 && `et ${others} ${others > 1 ? "autres" : "autre"}`}
		</>,
	];
}

function CopyableVatNumber({ value }: { value: string }) {
	return (
		<Copyable value={value} label="le numéro de TVA">
			<VatNumber value={value} />
		</Copyable>
	);
}

/** Hidden until the page’s script shows it (app/entry.on-demand.ts). */
function CopyButton({ value, label }: { value: string; label: string }) {
	return (
		<button type="button" hidden data-copy={value} className="link -my-2 min-h-11 select-none text-sm text-soft print:hidden">
			Copier<span className="sr-only"> {label}</span>
		</button>
	);
}

/** 1955-03-01 → « 1er mars 1955 » */
const formatDate = (day: string) => formatLongDay(new Date(day));
