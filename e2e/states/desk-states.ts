import { expect, type Page } from "@playwright/test";
import { getMonth } from "../../app/books/month.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { waitForHydration } from "../customer.ts";
import { makeExtract } from "../desk/morning.ts";

/** A page of the desk in one of its states, for e2e/desk/every-screen.spec.ts. */
export interface DeskState {
	name: string;
	/** Below /bureau. */
	path: string;
	/** The steps after the page is open. */
	steps?: (page: Page) => Promise<unknown>;
	status?: number;
}

const press = (page: Page, name: string | RegExp) => page.getByRole("main").getByRole("button", { name }).first().click();

/** Opens every folded part of a page. */
const unfold = (page: Page) =>
	page.evaluate(() => {
		for (const details of document.querySelectorAll("details")) details.open = true;
	});

/** Sends a form without its required fields, so that the server refuses it. */
const sendInvalid = async (page: Page, name: string | RegExp) => {
	await page.evaluate(() => {
		for (const form of document.forms) form.noValidate = true;
	});
	await press(page, name);
};

/** The pages of a shop where nobody has ordered or written. */
export const emptyDesk: DeskState[] = [
	...["", "?liste=a-poster", "?liste=en-attente"].map((query) => ({ name: `orders${query}`, path: `commandes${query}` })),
	...["fichiers", "messages", "messages?vue=repondus", "messages/refus", "courrier", "argent", "chiffres", "comptes", "journal"].map(
		(path) => ({ name: path, path }),
	),
	{ name: "a trail that nothing matches", path: "journal?qui=personne" },
];

/** An order that is waiting to be served, and one that was delivered. */
export interface DeskOrders {
	waiting: { id: string; number: string; siren: string };
	delivered: string;
	/** The path of a conversation. */
	message: string;
}

/** The pages of a shop at work, with open forms and errors. */
export const listDeskStates = ({ waiting, delivered, message }: DeskOrders): DeskState[] => [
	{ name: "orders", path: "commandes" },
	{
		name: "the list of keys",
		path: "commandes",
		async steps(page) {
			await page.getByRole("button", { name: "Raccourcis clavier" }).click();
			await expect(page.getByRole("dialog")).toBeVisible();
		},
	},
	{
		name: "the health of the shop",
		path: "commandes",
		async steps(page) {
			await page.getByRole("button", { name: "Tout fonctionne" }).click();
			await expect(page.getByText("Dernière sauvegarde")).toBeVisible();
		},
	},
	{
		name: "a fault of the shop",
		path: "commandes",
		async steps(page) {
			const problem = { title: "Le serveur d’e-mails ne répond pas.", text: "Livrez normalement." };
			const health = { readAt: "10 h", problems: [problem], todo: "Appelez Ada.", rows: [["E-mails à envoyer", "12"]] };
			await page.route("**/bureau/etat", (route) => route.fulfill({ json: health }));
			// the page is read again once its stream is open, and shows what that reading says
			await expect(async () => {
				await page.evaluate(() => dispatchEvent(new Event("online")));
				await expect(page.getByRole("status", { name: "État de la boutique" })).toContainText(problem.title, { timeout: 1000 });
			}).toPass({ timeout: scaledTimeout(30_000) });
		},
	},
	{ name: "an order to serve, with all forms open", path: `commandes/${waiting.number}`, steps: unfold },
	{
		name: "an order: a refused form",
		path: `commandes/${waiting.number}`,
		async steps(page) {
			await unfold(page);
			await sendInvalid(page, "Signaler introuvable et rembourser");
			await expect(page.getByText("Choisissez la raison").first()).toBeVisible();
		},
	},
	{
		name: "an order: an extract is dropped",
		path: `commandes/${waiting.number}`,
		async steps(page) {
			await page.locator('input[type="file"]').setInputFiles(makeExtract(waiting));
			await expect(page.getByRole("button", { name: /^Livrer/ })).toBeVisible();
		},
	},
	{ name: "a delivered order, with all forms open", path: `commandes/${delivered}`, steps: unfold },
	{ name: "an order that does not exist", path: "commandes/KB-2222-2222", status: 404 },
	{ name: "files", path: "fichiers" },
	{
		name: "search: found",
		path: "recherche",
		async steps(page) {
			await page.getByRole("searchbox").fill("lovelace");
			await press(page, "Rechercher");
			await expect(page.getByText(/commandes?\.$/).first()).toBeVisible();
		},
	},
	{
		name: "search: too short",
		path: "recherche",
		async steps(page) {
			await page.getByRole("searchbox").fill("a");
			await press(page, "Rechercher");
			await expect(page.getByText("Écrivez au moins deux caractères.")).toBeVisible();
		},
	},
	{ name: "messages", path: "messages" },
	{ name: "a message", path: message, steps: unfold },
	{
		name: "a message: a refused reply",
		path: message,
		async steps(page) {
			await page.getByLabel("Votre réponse").fill("Bonjour {prénom},");
			await press(page, "Envoyer");
			await expect(page.getByText("n’est pas un champ").first()).toBeVisible();
		},
	},
	{ name: "templates, all open", path: "messages/modeles", steps: unfold },
	{ name: "post", path: "courrier" },
	{ name: "money", path: "argent" },
	{ name: "the money of an order", path: `argent/${delivered}`, steps: unfold },
	{
		name: "the money of an order: a refused refund",
		path: `argent/${delivered}`,
		async steps(page) {
			await sendInvalid(page, "Rembourser");
			await expect(page.getByText("Choisissez un montant.").first()).toBeVisible();
		},
	},
	{ name: "figures", path: "chiffres" },
	{
		name: "accounts",
		path: "comptes",
		async steps(page) {
			await press(page, "Mettre à jour");
			await expect(page.getByText("Écritures passées").first()).toBeVisible();
		},
	},
	{
		name: "accounts: the accountant's software, refused and set",
		path: "comptes",
		async steps(page) {
			await page.getByText("Votre logiciel", { exact: true }).click();
			await page.getByLabel("Journal de chaque mois, pour l’import").selectOption("own");
			await page.getByLabel("Vos colonnes, dans l’ordre").fill("EcritureDate Compte");
			await page.getByLabel("Plateforme agréée").fill("Plateforme");
			await page.getByLabel("Matricule de la plateforme").fill("A1B2");
			await press(page, "Enregistrer");
			await expect(page.getByText("La colonne 2 n’existe pas").first()).toBeVisible();
			await page.getByLabel("Vos colonnes, dans l’ordre").fill("EcritureDate CompteNum - Debit Credit");
			await press(page, "Enregistrer");
			await expect(page.getByText("C’est enregistré.").first()).toBeVisible();
			await expect(page.getByText("journal en colonnes EcritureDate CompteNum - Debit Credit")).toBeVisible();
		},
	},
	{ name: "a month", path: `comptes/${getMonth(new Date())}` },
	{ name: "settings", path: "reglages" },
	{
		name: "settings: a refused limit",
		path: "reglages",
		async steps(page) {
			await page.getByLabel("Tous services").fill("douze");
			await page.getByLabel("Tous services").press("Enter");
			await expect(page.getByText("Cette limite ne se lit pas").first()).toBeVisible();
		},
	},
	{ name: "personal data", path: "personnes" },
	{
		name: "personal data: of a customer",
		path: "personnes",
		async steps(page) {
			await page.getByLabel("Son adresse e-mail").fill("client0@example.fr");
			await press(page, "Rechercher");
			await expect(page.getByRole("heading", { name: "Ce qui est conservé" })).toBeVisible();
		},
	},
	{ name: "team", path: "equipe" },
	{
		name: "team: a refused invitation",
		path: "equipe",
		async steps(page) {
			await sendInvalid(page, "Envoyer l’invitation");
			await expect(page.getByText("Donnez le nom de la personne.").first()).toBeVisible();
		},
	},
	{ name: "trail", path: "journal" },
	{ name: "one’s own access", path: "mon-acces" },
	{
		name: "one’s own access: a wrong password",
		path: "mon-acces",
		async steps(page) {
			await page.locator("#codes-password").fill("ce n’est pas le bon");
			await press(page, "Créer de nouveaux codes");
			await expect(page.getByText("Le mot de passe n’est pas le bon.").first()).toBeVisible();
		},
	},
];

/** The doors, for somebody who is not signed in. @param invitation the path of an open invitation. */
export const listDoorStates = (invitation: string): DeskState[] => [
	{ name: "sign-in", path: "connexion" },
	{
		name: "sign-in: a wrong password",
		path: "connexion",
		async steps(page) {
			await page.getByLabel("E-mail").fill("personne@bureau.example");
			await page.getByLabel("Mot de passe").fill("ce n’est pas le bon");
			await press(page, "Continuer");
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{ name: "a used invitation", path: "invitation/inconnue" },
	{ name: "an invitation", path: invitation },
	{
		name: "an invitation: a short password",
		path: invitation,
		async steps(page) {
			await page.locator('input[name="password"]').fill("court");
			await sendInvalid(page, /./);
			await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
		},
	},
	{
		name: "the second factor",
		path: invitation,
		async steps(page) {
			await page.locator('input[name="password"]').fill("une longue phrase à retenir");
			await press(page, /./);
			await expect(page.getByText("Ou saisissez cette clé")).toBeVisible();
			await unfold(page);
		},
	},
	{
		name: "the second factor: a wrong code",
		path: "second-facteur",
		async steps(page) {
			await page.getByLabel("Mot de passe").fill("une longue phrase à retenir");
			await press(page, /./);
			await page.getByLabel("Le code à six chiffres").fill("000000");
			await press(page, "Ouvrir le bureau");
			await expect(page.getByLabel("Le code à six chiffres")).toHaveAttribute("aria-invalid", "true");
		},
	},
];

/** Opens a state of the desk. */
export async function openDeskState(page: Page, { path, steps }: DeskState): Promise<number> {
	const answer = await page.goto(`/bureau/${path}`);
	await waitForHydration(page);
	await steps?.(page);
	return answer?.status() ?? 0;
}
