import { type Browser, expect, type Page } from "@playwright/test";
import { fourColours, generateJpeg } from "../../test/fixtures/photo.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { droppedFile, newExtract, openDesk, placeOrder } from "./morning.ts";

// Files dropped on pages of the desk: none opens in place of the page, and none is lost.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ ISSUER: "manual" });
	await placeOrder(shop.url);
	await placeOrder(shop.url);
});
test.afterAll(() => shop?.stop());

const slow = { timeout: scaledTimeout(30_000) };

/** Drops files on the page. `megabytes`: how large an empty one is. */
async function drop(page: Page, files: { name: string; content?: Buffer; megabytes?: number }[]): Promise<void> {
	const data = await page.evaluateHandle(
		(dropped) => {
			const transfer = new DataTransfer();
			const megabyte = new Uint8Array(2 ** 20);
			for (const { name, base64, megabytes } of dropped) {
				const bytes = base64 ? [Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))] : Array(megabytes).fill(megabyte);
				transfer.items.add(new File(bytes, name));
			}
			return transfer;
		},
		files.map(({ name, content, megabytes = 0 }) => ({ name, base64: content?.toString("base64"), megabytes })),
	);
	await page.dispatchEvent("main", "drop", { dataTransfer: data });
}

async function openOrder(browser: Browser): Promise<Page> {
	const page = await openDesk(browser, shop.url);
	await waitForHydration(page);
	await page
		.getByRole("link", { name: /DANONE/ })
		.first()
		.click();
	await expect(page.getByRole("heading", { name: /^KB-/ })).toBeVisible();
	return page;
}

test("files dropped on the queue find their orders on « Fichiers »; a large one gets its sentence, and the others are sent", async ({
	browser,
}) => {
	const page = await openDesk(browser, shop.url);
	await waitForHydration(page);
	await drop(page, [
		{ name: "danone.pdf", content: newExtract().buffer },
		{ name: "enorme.pdf", megabytes: 200 },
		{ name: "inconnue.pdf", content: newExtract("404833048").buffer },
		{ name: "photo.jpg", content: Buffer.from(generateJpeg({ squares: fourColours })) },
	]);
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fichiers");
	const line = (name: string) => page.getByRole("main").getByText(name).first();
	await expect(page.getByText("déposez-la sur la page de sa commande")).toBeVisible(slow);
	await expect(page.getByText("Ce fichier dépasse 10 Mo")).toBeVisible();
	await expect(page.getByText("Aucune commande de cette entreprise n’attend un extrait")).toBeVisible();
	for (const name of ["danone.pdf", "enorme.pdf", "inconnue.pdf", "photo.jpg"]) await expect(line(name)).toBeVisible();
	await expect(page.getByRole("button", { name: /^Livrer/ })).toHaveCount(1);
});

test("several files dropped on an order without network stay, and are sent once it is back", async ({ browser }) => {
	const page = await openOrder(browser);
	await page.context().setOffline(true);
	await drop(page, [
		{ name: "un.pdf", content: newExtract("404833048").buffer },
		{ name: "deux.pdf", content: newExtract("404833048").buffer },
	]);
	await expect(page.getByText("Pas de réseau. 2 fichiers restent ici et partent dès que le réseau revient.")).toBeVisible();
	await page.context().setOffline(false);
	await expect(page.getByText("2 fichiers sont refusés.")).toBeVisible(slow);
	await page.getByRole("link", { name: "Voir les fichiers" }).click();
	await expect(page.getByText("Aucune commande de cette entreprise n’attend un extrait")).toHaveCount(2);
	for (const name of ["un.pdf", "deux.pdf"]) await expect(page.getByRole("main").getByText(name)).toBeVisible();
	// read once, they are not announced on other pages any more
	await page.getByRole("link", { name: "Commandes", exact: true }).first().click();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commandes");
	await expect(page.getByText("2 fichiers sont refusés.")).toHaveCount(0);
});

test("several files dropped on an order leave what is typed there, and the page says what became of them", async ({ browser }) => {
	const page = await openOrder(browser);
	await drop(page, [
		{ name: "trois.pdf", content: newExtract("404833048").buffer },
		{ name: "quatre.pdf", content: newExtract("404833048").buffer },
		{ name: "danone-2.pdf", content: newExtract().buffer },
	]);
	await expect(page.getByText("1 fichier a trouvé sa commande. 2 fichiers sont refusés.")).toBeVisible(slow);
	await expect(page.getByRole("heading", { name: /^KB-/ })).toBeVisible();
});

test("on « Fichiers », chosen files that had no network are sent once it is back", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await page.goto("/bureau/fichiers");
	await waitForHydration(page);
	await page.context().setOffline(true);
	await page
		.getByLabel("Extraits au format PDF")
		.setInputFiles([{ name: "choisi.pdf", mimeType: "application/pdf", buffer: newExtract("404833048").buffer }]);
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(page.getByText("Pas de réseau. 1 fichier reste ici et part dès que le réseau revient.")).toBeVisible();
	await page.context().setOffline(false);
	await expect(page.getByText("Aucune commande de cette entreprise n’attend un extrait")).toBeVisible(slow);
});

test("a file dropped while another one is being checked takes its place; a photo is refused", async ({ browser }) => {
	const page = await openOrder(browser);
	await drop(page, [{ name: "premier.pdf", content: newExtract().buffer }]);
	await drop(page, [{ name: "deuxieme.pdf", content: newExtract().buffer }]);
	await expect(page.getByText("deuxieme.pdf")).toBeVisible(slow);
	await expect(droppedFile(page)).toBeVisible();
	await drop(page, [{ name: "photo.jpg", content: Buffer.from(generateJpeg({ squares: fourColours })) }]);
	await expect(page.getByText(/le client reçoit le fichier du greffe, pas une photo/)).toBeVisible(slow);
});
