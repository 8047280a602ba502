import { href } from "react-router";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Section } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { formatAddress } from "../addresses/address-lines.ts";
import type { Company, Eligibility, Establishment } from "../company.ts";

const number = new Intl.NumberFormat("fr-FR");

/** The open establishments: their number, and the first of them in a folded list. @param isSample whether the register may have others. */
export function Establishments({ company: { siren, establishments }, isSample }: { company: Company; isSample: boolean }) {
	const { open, list } = establishments;
	if (list.length === 0) return null;
	const count = open > 1 ? `${number.format(open)} établissements ouverts` : "1 établissement ouvert";
	return (
		<Section title="Établissements">
			<Disclosure title={isSample ? `${count} dans cet échantillon` : count} className="border-y">
				<ul className="divide-y divide-line border-t border-line">
					{list.map((establishment) => (
						<EstablishmentRow key={establishment.siret} establishment={establishment} />
					))}
				</ul>
				{open > list.length && (
					<p className="border-t border-line py-3 text-sm text-soft">
						Seuls les {list.length} premiers sont affichés. La liste complète est sur l’annuaire des entreprises, lien ci-dessous.
					</p>
				)}
			</Disclosure>
			{isSample && (
				<p className="mt-3 text-sm text-soft">
					Ce site n’a qu’un échantillon de la base Sirene. La liste complète est sur l’
					<a className="link" rel="external" href={directoryUrl(siren)}>
						Annuaire des entreprises
					</a>
					.
				</p>
			)}
		</Section>
	);
}

/** A company's page in the State's own directory. */
const directoryUrl = (siren: string) => `https://annuaire-entreprises.data.gouv.fr/entreprise/${siren}`;

function EstablishmentRow({ establishment }: { establishment: Establishment }) {
	const { siret, tradeName, address, headOffice, activityDescription, masked } = establishment;
	return (
		<li className="flex flex-wrap justify-between gap-x-6 py-2.5 text-sm">
			<span>
				{tradeName && <span className="font-semibold">{tradeName}, </span>}
				{masked ? "Adresse non diffusée, à la demande de l’établissement" : formatAddress(address) || "Adresse non communiquée"}
				{headOffice && " (siège)"}
				{activityDescription && <span className="block text-soft">{activityDescription}</span>}
			</span>
			<span className="text-soft">
				<Siren value={siret} />
			</span>
		</li>
	);
}

/** Said by a page that has it. */
const purposeRubric = "Objet et exercice";

/** The rubrics of an extract that this page cannot show. Source: Code de commerce, art. R123-150 and A123-65. */
const rubrics = {
	kbis: [
		["Dirigeants", "qui représente la société et peut signer pour elle\u00a0; ses commissaires aux comptes."],
		[purposeRubric, "les activités déclarées, la durée, la date de clôture des comptes."],
		["Établissements", "le principal et les autres, dans le ressort du greffe."],
		["Observations", "procédures collectives, dissolution, transferts, fusions."],
		["Signature du greffier", "avec un code qui permet de vérifier l’extrait."],
	],
	"extrait-k": [
		["Commerçant", "son état civil et son domicile, s’il n’est pas masqué."],
		["Activité", "celle qui est déclarée, et la date de début."],
		["Établissements", "le principal et les autres, dans le ressort du greffe."],
		["Observations", "procédures collectives, cessation, transferts."],
		["Signature du greffier", "avec un code qui permet de vérifier l’extrait."],
	],
} as const satisfies Record<Exclude<Eligibility, "none">, readonly (readonly [string, string])[]>;

/** What the extract says beyond the public data of this page. */
export function ExtractContents({ company: { eligibility: code, purpose } }: { company: Company }) {
	if (code === "none") return null;
	return (
		<Section title={code === "kbis" ? "Ce que le Kbis contiendra de plus" : "Ce que l’extrait K contiendra de plus"}>
			<ul className="grid gap-2.5">
				{rubrics[code].map(([name, text]) =>
					purpose !== null && name === purposeRubric ? null : (
						<li key={name} className="flex gap-3">
							<Icon name="document" className="mt-1 size-4.5 text-accent" />
							<span>
								<span className="font-semibold">{name}</span>&nbsp;: {text}
							</span>
						</li>
					),
				)}
			</ul>
			<p className="mt-4">
				<a className="link inline-flex min-h-11 items-center" href={`${href("/guide-kbis")}#contenu`}>
					Lire un Kbis, rubrique par rubrique
				</a>
			</p>
		</Section>
	);
}

/** The page of this company in the free public registers. */
export function OtherRegisters({ company: { siren, eligibility, masked } }: { company: Company }) {
	if (masked) return null;
	const registers = [
		["Annuaire des entreprises", "l’État", directoryUrl(siren)],
		["Registre national des entreprises", "l’INPI\u00a0: actes, comptes, extrait RNE gratuit", `https://data.inpi.fr/entreprises/${siren}`],
		...(eligibility === "kbis"
			? [["BODACC", "le bulletin officiel", `https://www.bodacc.fr/pages/annonces-commerciales/?q.registre=registre:${siren}`]]
			: []),
	] as const;
	return (
		<Section title="Dans les registres gratuits">
			<ul className="grid">
				{registers.map(([name, what, url]) => (
					<li key={name}>
						<a className="link inline-flex min-h-11 items-center" rel="external" href={url}>
							{name}
						</a>{" "}
						<span className="text-sm text-soft">({what})</span>
					</li>
				))}
			</ul>
		</Section>
	);
}
