import { listStale } from "../../server/environment/dated-checks.ts";
import { cents, formatEuros, vatRate } from "./money.ts";
import { archivedContractCents, formatPeriod, retention } from "./retention.ts";
import { withdrawalDays } from "./withdrawal.ts";

/**
 * The facts of the law on which texts, prices and periods rest, each with its source and the day on which it was compared with it. A
 * test fails twelve months after that day, and the doctor warns a month before. Articles that a text or the code cites have a row here.
 * The first check was made without Légifrance at hand: docs/questions-pour-les-conseils.md asks counsel to confirm it.
 */
export interface LegalFact {
	fact: string;
	/** Of the code that `source` names, where it has numbered articles. */
	articles: readonly string[];
	source: string;
	/** ISO date. */
	checkedOn: string;
}

const checkedOn = "2026-11-27";
const consumerCode = "code de la consommation";
const commercialCode = "code de commerce";

export const legalFacts: readonly LegalFact[] = [
	{ fact: `TVA au taux de ${vatRate}\u00a0%`, articles: [], source: "CGI, art. 278", checkedOn },
	{
		fact: "Exigibilité de la TVA à l’encaissement pour un service, sur option d’après les débits",
		articles: [],
		source: "CGI, art. 269, 2, c",
		checkedOn,
	},
	{
		fact: "Mentions d’une facture, dont la date du versement de l’acompte s’il précède la prestation",
		articles: [],
		source: "CGI, ann. II, art. 242 nonies A",
		checkedOn,
	},
	{
		fact: "Facturation électronique\u00a0: réception dès 2026, émission pour les petites entreprises le 1er\u00a0septembre 2027",
		articles: [],
		source: "CGI, art. 289 bis, 290 et 290 A",
		checkedOn,
	},
	{
		fact: `Conservation des factures et de la comptabilité\u00a0: ${formatPeriod(retention.invoices)}`,
		articles: ["L123-22"],
		source: commercialCode,
		checkedOn,
	},
	{
		fact: `Indemnité forfaitaire de recouvrement\u00a0: ${formatEuros(cents(4000))}\u00a0; pénalités de retard entre professionnels`,
		articles: ["L441-9", "L441-10", "D441-5"],
		source: commercialCode,
		checkedOn,
	},
	{
		fact: "Mentions des papiers d’une société\u00a0: SIREN, RCS et ville du greffe, forme, capital",
		articles: ["R123-237", "R123-238"],
		source: commercialCode,
		checkedOn,
	},
	{
		fact: "Personnes déclarées au registre avec une société, dont d’autres sociétés\u00a0: dirigeants, commissaires aux comptes",
		articles: ["R123-54"],
		source: commercialCode,
		checkedOn,
	},
	{
		fact: "L’extrait Kbis\u00a0: délivré par le greffe, sans ajout\u00a0; état du registre\u00a0; opposabilité",
		articles: ["R123-150", "R123-152", "R123-53", "A123-65", "L123-9", "L210-6", "L653-8"],
		source: commercialCode,
		checkedOn,
	},
	{
		fact: `Contrat en ligne de ${formatEuros(archivedContractCents)} ou plus\u00a0: conservé ${formatPeriod(retention.contracts)} après la livraison`,
		articles: ["L213-1", "D213-1", "D213-2"],
		source: consumerCode,
		checkedOn,
	},
	{
		fact: `Rétractation\u00a0: ${withdrawalDays}\u00a0jours, fonction en ligne, remboursement, exception du service pleinement exécuté`,
		articles: ["L221-18", "L221-19", "L221-21", "L221-24", "L221-28", "R221-1", "D221-5"],
		source: consumerCode,
		checkedOn,
	},
	{
		fact: "Information avant le contrat, bouton de commande, moyens de paiement, confirmation sur un support durable",
		articles: ["L221-5", "L221-13", "L221-14", "L221-15"],
		source: consumerCode,
		checkedOn,
	},
	{
		fact: "Retard de livraison\u00a0: mise en demeure et résolution",
		articles: ["L216-6", "L216-7"],
		source: consumerCode,
		checkedOn,
	},
	{
		fact: "Encadré des garanties légales\u00a0: deux ans, trente jours, six mois\u00a0; amende de 300\u00a0000\u00a0euros",
		articles: ["L217-1", "L217-32", "L224-25-1", "L224-25-31", "L241-5", "L242-18-1", "L211-2", "D211-2", "D211-3"],
		source: `${consumerCode}, et annexes\u00a0; code civil, art. 1641 à 1649`,
		checkedOn,
	},
	{
		fact: "Pratiques trompeuses, avis, comparaison de prix",
		articles: ["L121-2", "L121-4", "L122-1"],
		source: consumerCode,
		checkedOn,
	},
	{
		fact: "Médiation\u00a0: un an après la réclamation\u00a0; juridiction du consommateur",
		articles: ["L612-1", "L612-2", "R631-3"],
		source: consumerCode,
		checkedOn,
	},
	{
		fact: "Accessibilité du commerce en ligne depuis le 28\u00a0juin 2025, sauf microentreprises",
		articles: ["L412-13"],
		source: `${consumerCode}\u00a0; décret n°\u00a02023-931`,
		checkedOn,
	},
	{ fact: "Exceptions au droit d’auteur", articles: ["L122-5"], source: "code de la propriété intellectuelle", checkedOn },
	{ fact: "Étapes du contrat, archivage, langue", articles: [], source: "code civil, art. 1127-1", checkedOn },
	{ fact: "Éditeur, hébergeur, directeur de la publication", articles: [], source: "loi n°\u00a02004-575, art. 1-1 et 19", checkedOn },
	{
		fact: "Données personnelles\u00a0: information, droits, trente jours, 72\u00a0heures\u00a0; cookies nécessaires sans accord",
		articles: [],
		source: "RGPD, art. 6, 12 à 22, 33 et 34\u00a0; loi n°\u00a078-17, art. 82",
		checkedOn,
	},
	{
		fact: "Lettre d’information\u00a0: accord préalable",
		articles: ["L34-5"],
		source: "code des postes et des communications électroniques",
		checkedOn,
	},
];

/** The facts that must be compared with their source again. @param months after their last check. */
export const listStaleFacts = (now: Date, months?: number): LegalFact[] => listStale(legalFacts, now, months);
