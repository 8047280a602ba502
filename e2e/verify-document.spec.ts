import { expect, type Page } from "@playwright/test";
import { findViolations } from "./accessibility.ts";
import { open } from "./customer.ts";
import { orderAndPay } from "./flows.ts";
import { test } from "./test.ts";

/** Orders an extract. @returns the file, and the URL at which a third party can verify it. */
async function buyExtract(page: Page): Promise<{ file: Buffer; address: string }> {
	await orderAndPay(page);
	const link = await page.getByRole("link", { name: "Télécharger le KBIS" }).getAttribute("href");
	const [id] = Buffer.from(/[^/.]+(?=\.)/.exec(link ?? "")?.[0] ?? "", "base64url")
		.toString()
		.split(".");
	return { file: await (await page.request.get(link ?? "")).body(), address: `/verifier/${id}` };
}

const choose = (page: Page, buffer: Buffer, name = "recu.pdf") =>
	page.getByLabel("Choisissez le fichier reçu").setInputFiles({ name, mimeType: "application/pdf", buffer });
const answer = (page: Page) => page.locator("[aria-live=polite]");

test("a third party sees whether a file is the delivered one, without uploading it", async ({ page }) => {
	const { file, address } = await buyExtract(page);
	await open(page, address);
	await expect(page.getByText("DANONE")).toBeVisible();
	const requests: string[] = [];
	page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));

	await choose(page, file);
	await expect(answer(page)).toContainText("Ce fichier est identique au document remis");
	await expect(answer(page)).toContainText("recu.pdf");

	const altered = Buffer.from(file);
	altered[altered.length - 10] = (altered[altered.length - 10] ?? 0) ^ 1;
	for (const [name, other] of Object.entries({
		"un-octet.pdf": altered,
		"plus-long.pdf": Buffer.concat([file, file]),
		"vide.pdf": Buffer.alloc(0),
	})) {
		await choose(page, other, name);
		await expect(answer(page)).toContainText(name);
		await expect(answer(page)).toContainText("Ce fichier est différent");
		await expect(answer(page)).not.toContainText("identique au document");
	}
	await choose(page, file, "encore.pdf");
	await expect(answer(page)).toContainText("encore.pdf");
	await expect(answer(page)).toContainText("identique au document remis");
	expect(requests).toEqual([]);
});

test("anybody who holds a file sees whether the shop delivered it; only its hash is sent", async ({ page }) => {
	const { file } = await buyExtract(page);
	await open(page, "/verifier");
	const requests: { url: string; body: string | null }[] = [];
	page.on("request", (request) => requests.push({ url: request.url(), body: request.postData() }));
	await choose(page, file);
	await expect(answer(page)).toContainText("Fichier intact, livré par ExtraitPro le");
	await choose(page, Buffer.concat([file, Buffer.from("\n")]), "enregistre-de-nouveau.pdf");
	await expect(answer(page)).toContainText("enregistre-de-nouveau.pdf");
	await expect(answer(page)).toContainText("ExtraitPro n’a pas livré ce fichier");
	expect(requests).toHaveLength(2);
	for (const { url, body } of requests)
		expect([url.replace(/[0-9a-f]{64}$/, ""), body]).toEqual([expect.stringMatching(/\/api\/verifier\?empreinte=$/), null]);
	expect(await findViolations(page)).toEqual([]);
});

test("without JavaScript, a pasted line of a command gets the same answer", async ({ page, browser }) => {
	const { file } = await buyExtract(page);
	const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
	const pageWithoutScripts = await context.newPage();
	await pageWithoutScripts.goto("/verifier");
	await expect(pageWithoutScripts.getByText("Choisissez le fichier reçu")).toBeHidden();
	const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(file))).toString("hex");
	await pageWithoutScripts.getByLabel("Empreinte SHA-256").fill(`${digest}  recu.pdf`);
	await pageWithoutScripts.getByRole("button", { name: "Vérifier l’empreinte" }).click();
	await expect(pageWithoutScripts.getByText("Fichier intact, livré par ExtraitPro le")).toBeInViewport();
	expect(await pageWithoutScripts.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
	await context.close();
});

test("a file can be dropped", async ({ page }) => {
	const { file, address } = await buyExtract(page);
	await open(page, address);
	const dropped = await page.evaluateHandle(
		(bytes) => {
			const transfer = new DataTransfer();
			transfer.items.add(new File([Uint8Array.from(bytes)], "depose.pdf", { type: "application/pdf" }));
			return transfer;
		},
		[...file],
	);
	const zone = page.locator("label[for=file]");
	await zone.dispatchEvent("dragover", { dataTransfer: dropped });
	await zone.dispatchEvent("drop", { dataTransfer: dropped });
	await expect(answer(page)).toContainText("depose.pdf");
	await expect(answer(page)).toContainText("Ce fichier est identique au document remis");
});

for (const colorScheme of ["light", "dark"] as const) {
	test(`the page is accessible at 320 px, ${colorScheme}, with each result`, async ({ page }) => {
		const { file, address } = await buyExtract(page);
		await page.setViewportSize({ width: 320, height: 640 });
		await page.emulateMedia({ colorScheme });
		await open(page, address);
		for (const [chosen, result] of [
			[file, "identique"],
			[Buffer.alloc(1), "différent"],
		] as const) {
			await choose(page, chosen);
			await expect(answer(page)).toContainText(result);
			expect(await findViolations(page)).toEqual([]);
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
		}
	});
}

test("the commands that compute a hash are folded, and open without JavaScript", async ({ browser }) => {
	const context = await browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto("/verifier");
	await expect(page.getByText("sha256sum")).toBeHidden();
	await page.getByText("Calculer l’empreinte SHA-256 d’un fichier").click();
	await expect(page.getByText("sha256sum")).toBeVisible();
	await context.close();
});

test("a hash is copied without line breaks", async ({ page }) => {
	const { file, address } = await buyExtract(page);
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await open(page, address);
	await page.locator("dd code").first().selectText();
	await page.keyboard.press("ControlOrMeta+C");
	const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(file))).toString("hex");
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(digest);
});

test("the page explains how to compare a file without JavaScript", async ({ page, browser }) => {
	const { address } = await buyExtract(page);
	const context = await browser.newContext({ javaScriptEnabled: false });
	const pageWithoutScripts = await context.newPage();
	await pageWithoutScripts.goto(address);
	await expect(pageWithoutScripts.locator("noscript p")).toBeVisible();
	await expect(pageWithoutScripts.getByText("Choisissez le fichier reçu")).toBeHidden();
	await expect(pageWithoutScripts.getByText("sha256sum")).toBeVisible();
	await expect(pageWithoutScripts.locator("dd code").first()).toHaveText(/^[0-9a-f]{64}$/);
	await context.close();
});
