import type { Environment } from "../../server/environment/environment.ts";
import type { ClosedServices } from "../catalogue/deadlines.ts";
import type { PaymentTexts } from "../catalogue/means-of-payment.ts";
import type { RichText } from "../ui/markdown/rich-text.ts";
import { readRichText } from "./read-text.ts";

/**
 * A claim about the shop. Production shows only `verified` claims with a `source` for inspectors, because invented reviews are a criminal
 * offence (C. conso. art. L121-4). The demo shows all claims as examples.
 */
interface Claim {
	verified: boolean;
	source: string;
}

const placeholder = { verified: false, source: "chiffre ou propos d’exemple" };

export const statistics: readonly (Claim & { figure: string; label: string })[] = [
	{ figure: "50\u00a0000+", label: "entrepreneurs", ...placeholder },
	{ figure: "4,9/5", label: "note moyenne", ...placeholder },
	{ figure: "2\u00a0h", label: "livraison moyenne", ...placeholder },
	{ figure: "99,8\u00a0%", label: "de satisfaction", ...placeholder },
];

export const testimonials: readonly (Claim & { quote: string; name: string; role: string; company: string })[] = [
	{
		quote: "J’avais besoin d’un Kbis pour ouvrir un compte bancaire. Je l’ai reçu dans la matinée.",
		name: "Camille D.",
		role: "gérante",
		company: "Atelier Exemple",
		...placeholder,
	},
	{
		quote: "La date et l’heure de livraison étaient affichées avant de payer. C’est ce que j’attends d’un fournisseur.",
		name: "Dominique R.",
		role: "expert-comptable",
		company: "Cabinet Exemple",
		...placeholder,
	},
	{
		quote: "Une recherche, une adresse, un paiement. Aucun compte à créer.",
		name: "Claude L.",
		role: "avocate",
		company: "Exemple Avocats",
		...placeholder,
	},
	{
		quote: "Nous commandons ici les extraits de nos fournisseurs : le suivi indique toujours où ils en sont.",
		name: "Sacha P.",
		role: "responsable des achats",
		company: "Exemple Industrie",
		...placeholder,
	},
];

/** The label of the most popular service. Until orders are counted, production shows « Recommandé ». */
const popular: readonly (Claim & { label: string })[] = [{ label: "Plus populaire", ...placeholder }];

/** The label on the recommended service. An `example` is not verified and marked as such. */
export interface Highlight {
	label: string;
	example: boolean;
}

export function getHighlight(environment: Pick<Environment, "production">): Highlight {
	const [claim] = listClaims(popular, environment);
	return claim ? { label: claim.label, example: !claim.verified } : { label: "Recommandé", example: false };
}

/** The team. */
export const people: readonly (Claim & { name: string; role: string; about: string })[] = [
	{
		name: "Alix Martin",
		role: "direction",
		about: "Fixe les prix et les délais, et répond de chaque engagement.",
		...placeholder,
	},
	{
		name: "Noor Lefèvre",
		role: "opérations",
		about: "Demande les extraits aux greffes, les vérifie et les remet.",
		...placeholder,
	},
	{
		name: "Charlie Bernard",
		role: "support client",
		about: "Répond au téléphone et aux messages, et étudie les demandes de remboursement.",
		...placeholder,
	},
	{
		name: "Maé Dubois",
		role: "développement",
		about: "Écrit le site et le logiciel qui suit les délais.",
		...placeholder,
	},
];

/** Open positions. */
export const openings: readonly (Claim & { area: string; work: string; profile: string })[] = [
	{
		area: "Opérations",
		work: "Demander les extraits aux greffes, vérifier chaque document, préparer et poster les courriers.",
		profile: "Vous êtes rigoureux et vous aimez traiter un dossier le jour même.",
		...placeholder,
	},
	{
		area: "Support client",
		work: "Répondre par téléphone et par e-mail, étudier les demandes de remboursement, améliorer les pages d’aide.",
		profile: "Vous écrivez un français simple et vous expliquez clairement.",
		...placeholder,
	},
	{
		area: "Développement produit",
		work: "Développer la recherche d’entreprises, le parcours de commande et le suivi des délais, en TypeScript.",
		profile: "Vous aimez le code court et les pages légères.",
		...placeholder,
	},
];

/** Returns the claims that this installation may show. */
export function listClaims<Kind extends Claim>(claims: readonly Kind[], environment: Pick<Environment, "production">): Kind[] {
	return environment.production ? claims.filter(({ verified }) => verified) : [...claims];
}

/** Returns the four lines below the search, with variables in braces. @param closed the services that cannot be ordered now. */
export function getIndicators({ baseUrl }: Pick<Environment, "baseUrl">, closed: ClosedServices): string[] {
	const delivery =
		"express" in closed
			? "standard" in closed
				? "Heure limite annoncée avant de payer"
				: "Livraison en {standardTimeline}"
			: "Livraison en {expressTimeline}";
	return [delivery, baseUrl.startsWith("https://") ? "SSL/RGPD" : "RGPD", "Support {supportHours}", "Documents 100\u00a0% authentiques"];
}

/** Returns facts about this installation, which has no official quality labels. */
export function getBadges(
	{ baseUrl, shop }: Pick<Environment, "baseUrl" | "shop">,
	payment: PaymentTexts,
): { name: string; text: RichText }[] {
	return [
		...(baseUrl.startsWith("https://") ? [{ name: "Connexion chiffrée", text: "SSL/TLS sur toutes les pages." }] : []),
		{ name: "RGPD", text: `Aucun traceur, aucun cookie publicitaire. Données hébergées par ${shop.host.split(",")[0]}.` },
		{ name: "Paiement", text: readRichText(payment.badge) },
		{
			name: "24/7",
			text: readRichText("Commandes et suivi en ligne à toute heure, sauf interruption : consultez l’[état du service](/status-systeme)."),
		},
	];
}
