import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { maxLines } from "../catalogue/settings/capacity.ts";
import { pages } from "../content/pages.ts";

// The pages must not contradict each other.

let shop: TestShop;
let now = new Date("2026-11-22T03:00:00Z");
beforeAll(async () => {
	shop = await createTestShop({ now: () => now });
});
afterAll(() => shop?.close());

/** Returns the visible text of a page; the query bypasses the page cache. */
async function readText(path: string): Promise<string> {
	const response = await shop.ask(`${path}?lu`);
	expect(response.status).toBe(200);
	return (await response.text())
		.replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
		.replaceAll("</span><span", "</span> <span")
		.replace(/<!--.*?-->|<\/?(a|strong|span)\b[^>]*>/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/&#x27;/g, "'")
		.replace(/\s+/g, " ");
}

const paths = [...new Set(pages.map(({ path }) => path.split("#")[0] || "/"))];

describe("the promised date stands beside the short claim of a service", () => {
	test.each([
		[
			"on a Sunday",
			"2026-11-22T03:00:00Z",
			"lundi 23 novembre avant 12 h",
			"lundi 23 novembre avant 10 h",
			"mercredi 25 novembre avant 18 h",
		],
		[
			"on a Friday evening",
			"2026-11-27T16:00:00Z",
			"lundi 30 novembre avant 11 h",
			"lundi 30 novembre avant 9 h",
			"mardi 1er décembre avant 18 h",
		],
		["in summer time", "2027-05-12T08:00:00Z", "mercredi 12 mai avant 14 h", "mercredi 12 mai avant 12 h", "vendredi 14 mai avant 18 h"],
	])("%s", async (_, instant, standard, express, postal) => {
		now = new Date(instant);
		const dates = {
			standard: `Livraison sous 4 heures ouvrées Si vous payez maintenant : livré ${standard}, heure de Paris.`,
			express: `Livraison sous 2 heures ouvrées Si vous payez maintenant : livré ${express}, heure de Paris.`,
			postal: `Livraison sous 3 à 5 jours ouvrés en métropole Si vous payez maintenant : posté ${postal}, heure de Paris.`,
		};
		for (const path of ["/", "/tarifs"]) for (const date of Object.values(dates)) expect(await readText(path), path).toContain(date);
		const hours = {
			standard: `dans votre boîte e-mail ${standard}`,
			express: `dans votre boîte e-mail ${express}`,
			postal: `posté ${postal}`,
		};
		for (const [code, hour] of Object.entries(hours))
			expect(await readText(`/services/kbis-${code}`)).toContain(`Commandé maintenant : ${hour}`);
	});
});

const cancellable = "annuler tant que l’extrait n’est pas prêt (par e-mail) ou posté (par courrier)";
const executed = "dès que l’extrait est prêt (par e-mail) ou posté (par courrier)";
const severalAtOnce = `jusqu’à ${maxLines} entreprises : un paiement et une facture`;
const announced = "n’est pas encore en vente";

test.each([
	...["/mission", "/faq", "/aide", "/cgv"].map((path) => [path, cancellable]),
	["/retractation", "Si vous renoncez tant que l’extrait n’est pas prêt (par e-mail) ou posté (par courrier)"],
	["/tarifs", "Vous changez d’avis, tant que l’extrait n’est pas prêt (par e-mail) ou posté (par courrier)"],
	["/commande", `mon droit de rétractation une fois le service pleinement exécuté : ${executed}`],
	["/cgv", `votre droit de rétractation une fois le service pleinement exécuté, c’est-à-dire ${executed}`],
	["/cgv", "Dans une commande de plusieurs extraits, seul le prix de l’extrait concerné est remboursé"],
	["/tarifs", "sauf s’il était déjà prêt (par e-mail) ou posté (par courrier) et que vous aviez demandé l’exécution immédiate"],
	["/politique-rgpd", "les remboursements que nous promettons (un retard, une commande impossible à servir, un paiement en double)"],
	["/aide", "d’un extrait livré en PDF crée un lien"],
	["/mentions-legales", "Un numéro de TVA n’est affiché que s’il figure dans la liste des numéros actifs de la DGFiP"],
	["/statistiques", "qu’elle produit elle-même, à toute heure"],
	["/services/kbis-standard", "annuler tant que l’extrait n’est pas prêt, depuis"],
	["/services/kbis-express", "annuler tant que l’extrait n’est pas prêt, depuis"],
	["/services/kbis-postal", "annuler tant que le courrier n’est pas posté, depuis"],
	...["/services/kbis-standard", "/services/kbis-express", "/cgv", "/aide", "/securite", "/a-propos", "/politique-confidentialite"].map(
		(path) => [path, "90 jours après la livraison"],
	),
	...["/services/kbis-standard", "/services/kbis-express", "/services/kbis-postal"].map((path) => [path, severalAtOnce]),
	["/faq", "Pour plusieurs entreprises, une seule commande suffit : un paiement, une facture."],
	...["/a-propos", "/mission", "/tarifs", "/faq", "/abonnement"].map((path) => [path, announced]),
	["/", "Plus populaire Exemple"],
	["/", "Bientôt disponible : Abonnement KBIS, 1,00 € puis 29,85 € par mois. Démarrer l'abonnement : me prévenir de l’ouverture"],
	["/abonnement", "Accès immédiat dès l’ouverture"],
	["/", "à toute heure, sauf interruption : consultez l’état du service"],
	["/securite", "Nous n’avons nous-mêmes ni label ni audit extérieur"],
	["/cgv", "si elle n’est jamais payée, elle est supprimée au bout de 30 jours"],
	["/politique-confidentialite", "30 jours si elle n’a jamais été payée"],
	["/politique-confidentialite", "Une commande jamais payée est supprimée entière au bout de 30 jours"],
	["/politique-rgpd", "Commandes jamais payées 30 jours L’enregistrement de la commande"],
	...["/a-propos", "/mission", "/services/kbis-standard", "/services/kbis-express", "/services/kbis-postal"].map((path) => [
		path,
		"Cette démonstration n’envoie que des spécimens sans valeur",
	]),
])("%s says « %s »", async (path = "", sentence = "") => {
	expect(await readText(path)).toContain(sentence);
});

describe.each(paths)("%s", (path) => {
	test("says whether hours are those of order processing or of the telephone", async () => {
		const text = await readText(path);
		for (const { index } of text.matchAll(/du lundi au vendredi, 8 h à 18 h/g))
			expect(text.slice(Math.max(0, index - 40), index)).toMatch(/traitement des commandes : $/i);
		for (const { index } of text.matchAll(/7j\/7, 8h-20h|7 j\/7, de 8 h à 20 h/g))
			expect(text.slice(Math.max(0, index - 40), index)).toMatch(/(Aide|Support|téléphon\w*|propres horaires|[\d ]{14})\W{1,3}$/);
	});

	test("contradicts no other page", async () => {
		const text = await readText(path);
		for (const contradiction of [
			/ni disponible ni posté|[Tt]ant que rien n’est livré/,
			/jours au plus : enregistrez/,
			/heures d’ouverture|réouverture|nos horaires/,
			/sous 24 heures|dans les 24 heures/,
			/ni compte ni abonnement/,
			/certifié PCI/,
			/une fois (le document|l’extrait) livré/,
		])
			expect(text).not.toMatch(contradiction);
	});
});
