import { createHash } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { readZip } from "../../test/purchases/read-zip.ts";
import type { Customer } from "../customer.ts";
import { openDatabase } from "../shared-shop.ts";

/** Steps of orders of several companies. Their form is the same with and without JavaScript, but for its total. */

/** Companies of the sample with a Kbis. */
export async function listSirens(count: number): Promise<string[]> {
	const db = await openDatabase();
	try {
		const { rows } = await db.query<{ siren: string }>(
			"select siren from companies where status = 'active' and name is not null and legal_category like '5%' order by id limit $1",
			[count],
		);
		return rows.map(({ siren }) => siren);
	} finally {
		await db.end();
	}
}

/** Types a list and opens its form. */
export async function sendList(page: Page, list: string): Promise<void> {
	await page.goto("/commande/plusieurs");
	await page.getByLabel("Vos entreprises, une par ligne").fill(list);
	await page.getByRole("button", { name: "Vérifier la liste" }).click();
	await page.waitForURL("**/commande/plusieurs?commande=*");
}

/** A line of each kind. */
export const mixedList = [
	"552032534 ; dossier 2026-114",
	"552 032 534 ; dossier 2026-115",
	"55203253400018",
	"775688732",
	"005420039 ; cessée",
	"900000001",
	"552032535",
	"groupe",
	"zzzzqqq ; à retrouver",
	"5,52E+13",
].join("\n");

/** Fills in contact, invoice and consents, and chooses the express service for all lines unless another was chosen. */
export async function fillInPurchase(page: Page, customer: Customer): Promise<void> {
	const isChosen = (await page.locator("[name=service]:checked").count()) > 0;
	if (!isChosen) await page.getByRole("radio", { name: /KBIS Express/ }).check();
	await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
	await page.getByLabel("Adresse e-mail", { exact: true }).fill(customer.email);
	await page.getByLabel("Prénom").fill(customer.firstName);
	await page.getByLabel("Nom", { exact: true }).fill(customer.lastName);
	const invoice = page.locator("section").filter({ has: page.getByRole("heading", { name: "Adresse de Facturation" }) });
	await invoice.getByLabel("Adresse", { exact: true }).fill(customer.address);
	await invoice.getByLabel("Code postal").fill(customer.postalCode);
	await invoice.getByLabel("Ville").fill(customer.city);
	await page.getByRole("checkbox", { name: /J’accepte les conditions générales/ }).check();
}

/** Downloads the archive of a purchase's page and compares each file with its hash in the table. @returns the names of the extracts. */
export async function readArchive(page: Page): Promise<string[]> {
	const href = await page.getByRole("link", { name: /^(Tout télécharger|Télécharger .* prêts?)$/ }).getAttribute("href");
	const answer = await page.request.get(href ?? "");
	expect(answer.headers()["content-type"]).toBe("application/zip");
	const files = readZip(await answer.body());
	const manifest = files.get("manifeste.csv")?.toString("utf8") ?? "";
	const names = [...files.keys()].filter((name) => name !== "manifeste.csv");
	for (const name of names) {
		expect(files.get(name)?.toString("latin1", 0, 4)).toBe("%PDF");
		const sha256 = createHash("sha256")
			.update(files.get(name) ?? "")
			.digest("hex");
		expect(manifest).toContain(`${name};${sha256}`);
	}
	return names.filter((name) => name.startsWith("Kbis_"));
}
