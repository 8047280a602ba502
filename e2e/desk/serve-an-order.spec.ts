import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { formatDay, formatHour } from "../../app/catalogue/instants.ts";
import { services } from "../../app/catalogue/services.ts";
import { extractLines, generatePdf } from "../../test/fixtures/pdf.ts";
import { findViolations } from "../accessibility.ts";
import { delayScripts, waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";

// One order from the queue to the customer, as an operator serves it.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ ISSUER: "manual" });
});
test.afterAll(() => shop?.stop());

let copies = 0;
/** A different extract each time. */
const newExtract = (how: Parameters<typeof extractLines>[0] = {}) => ({
	name: "extrait.pdf",
	mimeType: "application/pdf",
	buffer: Buffer.from(
		generatePdf({
			lines: [...extractLines({ dated: `à jour au ${formatDay(new Date())} à ${formatHour(new Date())}`, ...how }), `${++copies}`],
		}),
	),
});

/** Places and pays an express order of DANONE. */
async function placeOrder(): Promise<void> {
	const { price, deliveryMethod } = services.express;
	const orderData = { siren: "552032534", companyName: "DANONE", serviceType: "express", amount: price, deliveryMethod };
	const customerData = {
		...{ email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", phone: "06 12 34 56 78" },
		...{ address: "1 rue de la Paix", postalCode: "75002", city: "Paris", company: "" },
	};
	const answer = await fetch(`${shop.url}/api/create-payment`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ orderData, customerData }),
	});
	const { url } = (await answer.json()) as { url: string };
	await fetch(url, { method: "POST", body: new URLSearchParams({ intent: "pay", card: "4242 4242 4242 4242" }), redirect: "manual" });
}

async function openDesk(context: BrowserContext): Promise<Page> {
	const page = await context.newPage();
	await page.goto(`${shop.url}/test`);
	await page.getByRole("button", { name: "Ouvrir le bureau" }).click();
	await expect(page.getByRole("heading", { name: "Commandes" })).toBeVisible();
	return page;
}

/** Takes the next order with its key, once the page listens to keys. */
async function takeNext(page: Page): Promise<void> {
	const before = page.url();
	await waitForHydration(page);
	await page.keyboard.press("n");
	await expect(page).not.toHaveURL(before);
	await expect(page.getByRole("heading", { name: /^KB-/ })).toBeVisible();
}

const readNumber = (url: string) => /KB-\w{4}-\w{4}/.exec(url)?.[0] ?? "";

const dropped = (page: Page) => page.getByRole("img", { name: "Page 1 du fichier déposé" });

test("an order is served with three keys and one file, and can be undone", async ({ context }) => {
	for (let order = 0; order < 2; order++) await placeOrder();
	const page = await openDesk(context);
	await takeNext(page);
	await expect(page.getByRole("heading", { name: "DANONE" })).toBeVisible();
	await expect(page.getByRole("link", { name: /^INPI/ })).toHaveAttribute("href", "https://data.inpi.fr/entreprises/552032534");
	expect(await findViolations(page)).toEqual([]);

	await page.getByLabel("Extrait au format PDF").setInputFiles(newExtract());
	await expect(page.getByText("Le SIREN 552 032 534 se lit dans l’extrait.")).toBeVisible();
	await expect(dropped(page)).toBeVisible();
	expect(await dropped(page).evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1000);
	expect(await findViolations(page)).toEqual([]);

	await page.keyboard.press("d");
	await page.getByRole("button", { name: "Annuler" }).click();
	await expect(page.getByRole("button", { name: /^Livrer/ })).toBeVisible();
	await page.keyboard.press("d");
	await expect(page.getByText("pour l’annuler")).toBeVisible();

	// the next order is served meanwhile
	await takeNext(page);
	await expect(page.getByRole("heading", { name: "Déposer l’extrait" })).toBeVisible();
});

test("the next order and its address come together while the open page is being read again", async ({ context }) => {
	for (let order = 0; order < 2; order++) await placeOrder();
	const page = await openDesk(context);
	await takeNext(page);
	const readings: { number: string; answer: () => void }[] = [];
	await page.route(/\/commandes\/KB-[^/]+\.data/, async (route) => {
		await new Promise<void>((answer) => readings.push({ number: readNumber(route.request().url()), answer }));
		await route.continue().catch(() => {}); // the page may have given it up
	});
	const before = readNumber(page.url());
	const untilRead = (reads: (number: string) => boolean) => expect.poll(() => readings.some(({ number }) => reads(number))).toBe(true);
	await placeOrder(); // the desk reads the open page again
	await untilRead((number) => number === before);
	await page.keyboard.press("n");
	await untilRead((number) => number !== before);
	for (const { number, answer } of readings) if (number === before) answer();
	await page.waitForTimeout(500);
	await page.unroute(/\/commandes\/KB-[^/]+\.data/);
	for (const { answer } of readings) answer();
	await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(before);
	await expect(page).toHaveURL(new RegExp(`${await page.getByRole("heading", { level: 1 }).textContent()}$`));
});

test("a file chosen before the scripts arrive is sent when they do", async ({ context }) => {
	await placeOrder();
	const page = await openDesk(context);
	await takeNext(page);
	const scriptsArrive = await delayScripts(page);
	await page.reload({ waitUntil: "commit" });
	await page.getByLabel("Extrait au format PDF").setInputFiles(newExtract());
	await scriptsArrive();
	await expect(page.getByText("Le SIREN 552 032 534 se lit dans l’extrait.")).toBeVisible();
});

test("a file dropped on the page is kept without network, and sent once", async ({ context }) => {
	await placeOrder();
	const page = await openDesk(context);
	await takeNext(page);
	await page.getByLabel("Note interne").fill("Le greffe rappelle à 11 h.");
	await context.setOffline(true);
	const data = await page.evaluateHandle((base64) => {
		const transfer = new DataTransfer();
		const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
		transfer.items.add(new File([bytes], "depose.pdf", { type: "application/pdf" }));
		return transfer;
	}, newExtract().buffer.toString("base64"));
	await page.dispatchEvent("main", "drop", { dataTransfer: data });
	await expect(page.getByText("Pas de réseau. Le fichier reste ici")).toBeVisible();
	await page.getByRole("button", { name: "Ajouter" }).click();
	await expect(page.getByText("Pas de réseau. Ce que vous avez saisi reste ici")).toBeVisible();
	await context.setOffline(false);
	await expect(page.getByText("depose.pdf")).toBeVisible();
	await expect(page.getByText("La note est enregistrée.")).toBeVisible();
	await page.reload();
	await expect(page.getByRole("listitem").filter({ hasText: "Le greffe rappelle à 11 h." })).toHaveCount(1);
});

test("a file appears in the other tab; on a phone its place follows the SIREN, and what can be undone stays in view", async ({
	context,
}) => {
	await placeOrder();
	const page = await openDesk(context);
	await takeNext(page);
	const phone = await context.newPage();
	await phone.setViewportSize({ width: 360, height: 740 });
	await phone.goto(page.url());
	const top = async (heading: string) => (await phone.getByRole("heading", { name: heading }).boundingBox())?.y ?? 0;
	const [siren, field, register] = [
		await phone.getByText("552 032 534").first().boundingBox(),
		await top("Déposer l’extrait"),
		await top("Au registre"),
	];
	expect(field).toBeGreaterThan(siren?.y ?? 0);
	expect(field).toBeLessThan(740);
	expect(register).toBeGreaterThan(field);
	await page.getByLabel("Extrait au format PDF").setInputFiles(newExtract());
	await expect(page.getByText("Le fichier est déposé. Rien n’est encore envoyé.")).toBeVisible();
	await expect(dropped(phone)).toBeVisible();

	await phone.getByRole("button", { name: /^Livrer/ }).click();
	await expect(page.getByText("pour l’annuler")).toBeVisible();
	await expect(page.getByText("Le fichier est déposé. Rien n’est encore envoyé.")).toHaveCount(0);
	await phone.getByRole("heading", { name: "Historique" }).scrollIntoViewIfNeeded();
	await expect(phone.getByRole("status").getByRole("button", { name: "Annuler" })).toBeInViewport();
	expect(await findViolations(phone)).toEqual([]);
	const number = /KB-[\w-]+/.exec(phone.url())?.[0] ?? "";
	await phone.getByRole("link", { name: "Commandes", exact: true }).first().click();
	await expect(phone.getByRole("heading", { name: "Commandes" })).toBeVisible();
	// orders of the tests before may still be undone too
	const undo = phone.getByRole("complementary", { name: "Encore annulable" }).locator("form", { hasText: number });
	await undo.getByRole("button", { name: "Annuler" }).scrollIntoViewIfNeeded();
	expect(await findViolations(phone)).toEqual([]);
	await undo.getByRole("button", { name: "Annuler" }).click();
	await expect(page.getByRole("button", { name: /^Livrer/ })).toBeVisible();
});

test("without JavaScript, the file field and the buttons serve an order", async ({ browser }) => {
	await placeOrder();
	const context = await browser.newContext({ javaScriptEnabled: false, locale: "fr-FR" });
	const page = await openDesk(context);
	await page.getByRole("button", { name: "Prendre la suivante" }).click();
	await page.getByLabel("Extrait au format PDF").setInputFiles({ ...newExtract(), buffer: Buffer.from("bonjour") });
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(page.getByText("Ce fichier n’est ni un PDF ni une photo en JPEG ou en PNG.")).toBeVisible();
	await page.getByLabel("Un autre fichier PDF").setInputFiles(newExtract());
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(dropped(page)).toBeVisible();
	await page.getByRole("button", { name: /^Livrer/ }).click();
	await expect(page.getByRole("button", { name: "Annuler" }).first()).toBeVisible();
	await context.close();
});

test("several files find their orders; the page fits a telephone", async ({ context }) => {
	await placeOrder();
	const page = await openDesk(context);
	await page.setViewportSize({ width: 360, height: 780 });
	await page.goto(`${shop.url}/bureau/fichiers`);
	await page.getByLabel("Extraits au format PDF").setInputFiles([
		{ ...newExtract(), name: "danone.pdf" },
		{ ...newExtract({ siren: "404 833 048" }), name: "inconnue.pdf" },
	]);
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(page.getByText("Aucune commande de cette entreprise n’attend un extrait")).toBeVisible();
	await expect(page.getByRole("button", { name: /^Livrer/ }).first()).toBeVisible();
	expect(await findViolations(page)).toEqual([]);
	await page.getByRole("link", { name: /^KB-/ }).first().click();
	await expect(dropped(page)).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
	expect(await findViolations(page)).toEqual([]);
	for (const name of [/^E-mail\s: Confirmation/, "Le lien du client"]) {
		await page.getByRole("link", { name }).first().click();
		await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(/^KB-/);
		expect(await findViolations(page)).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
		if (name === "Le lien du client") {
			await page.getByRole("button", { name: "Montrer le lien" }).click();
			await expect(page.getByText("/acces/")).toBeVisible();
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
		}
		await page.goBack();
		await expect(dropped(page)).toBeVisible();
	}
});
