import { expect, type Page, type Request } from "@playwright/test";
import { findViolations } from "./accessibility.ts";
import { delayScripts, openSearch } from "./customer.ts";
import { test } from "./test.ts";

const field = (page: Page) => page.getByRole("combobox", { name: "SIREN, SIRET ou nom d'entreprise" });
const suggestions = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
const active = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { selected: true });
const title = (page: Page) => page.getByRole("heading", { level: 1 });

/** Collects the page's requests for suggestions. */
function recordSuggestionRequests(page: Page): Request[] {
	const requests: Request[] = [];
	page.on("request", (request) => void (request.url().includes("/suggestions?") && requests.push(request)));
	return requests;
}

/** Holds back the suggestions. @returns a function that lets the answer for a text arrive. */
async function delayAnswers(page: Page): Promise<(text: string) => void> {
	const answers = new Map<string, PromiseWithResolvers<void>>();
	const answerTo = (text: string) => {
		const answer = answers.get(text) ?? Promise.withResolvers<void>();
		answers.set(text, answer);
		return answer;
	};
	await page.route("**/api/entreprises/suggestions?*", async (route) => {
		await answerTo(new URL(route.request().url()).searchParams.get("q") ?? "").promise;
		await route.continue().catch(() => {}); // the page may have cancelled the request
	});
	return (text) => answerTo(text).resolve();
}

/** Waits until each request is answered or cancelled, and the page's timers have run. */
async function waitForSuggestions(page: Page, requests: readonly Request[]): Promise<void> {
	await page.clock.runFor(1000);
	for (const request of requests) await (await request.response())?.finished();
	await page.clock.runFor(1000);
}

test("an arrow and Enter open a suggested company", async ({ ownPage: page }) => {
	await page.clock.install();
	await openSearch(page);
	const requests = recordSuggestionRequests(page);
	await field(page).pressSequentially("da");
	await waitForSuggestions(page, requests);
	expect(requests).toEqual([]);
	await expect(suggestions(page)).toHaveCount(0);
	await field(page).pressSequentially("none");
	await expect(suggestions(page)).toHaveText(["DANONE 552032534 · Paris"]);
	await field(page).press("ArrowDown");
	await expect(page.getByRole("option", { selected: true, name: /DANONE/ })).toBeVisible();
	await field(page).press("Enter");
	await expect(page).toHaveURL("/entreprise/552032534");
	await expect(title(page)).toHaveText("DANONE");
	await page.goBack();
	await expect(title(page)).toHaveText("Rechercher une entreprise");
});

test("the parts of a suggestion are words of their own: name, trade name, number and town", async ({ page }) => {
	await openSearch(page);
	await field(page).pressSequentially("carrefour beauvais");
	await expect(suggestions(page)).toHaveText([/^BEAUVAIS DIS CARREFOUR \d{9} · Beauvais$/]);
});

test("a suggestion shows the notice about its company", async ({ page }) => {
	await openSearch(page);
	for (const [siren, notice] of [
		["006620066", "Entreprise cessée"],
		["775652126", "Un extrait Kbis, à vérifier"],
		["775688732", "Pas d’extrait Kbis"],
	] as const) {
		await field(page).fill(siren);
		await expect(suggestions(page)).toContainText([notice]);
	}
});

test("a click opens a suggested company", async ({ page }) => {
	await openSearch(page, "/recherche?q=groupe");
	await field(page).fill("552 032 534");
	await suggestions(page).filter({ hasText: "DANONE" }).click();
	await expect(page).toHaveURL("/entreprise/552032534");
});

test("Enter without a selection searches the typed text and closes the list", async ({ ownPage: page }) => {
	await page.clock.install();
	await openSearch(page);
	const requests = recordSuggestionRequests(page);
	await field(page).pressSequentially("group");
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).press("ArrowDown");
	await field(page).pressSequentially("e"); // typing clears the selection
	await field(page).press("Enter");
	await expect(page).toHaveURL("/recherche?q=groupe");
	await expect(title(page)).toHaveText("Résultats pour « groupe »");
	await waitForSuggestions(page, requests);
	await expect(suggestions(page)).toHaveCount(0);
	await expect(field(page)).toBeFocused();
});

test("Escape, or leaving the field, closes the list and keeps the text", async ({ page }) => {
	await openSearch(page);
	await field(page).fill("groupe");
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).press("ArrowUp");
	await expect(suggestions(page).last()).toHaveAttribute("aria-selected", "true");
	await field(page).press("Escape");
	await expect(suggestions(page)).toHaveCount(0);
	await expect(field(page)).toHaveAttribute("aria-expanded", "false");
	await expect(field(page)).toHaveValue("groupe");
	await field(page).press("ArrowDown"); // opens it again
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).pressSequentially(" c");
	await expect(suggestions(page).first()).toBeVisible();
	await field(page).press("Tab");
	await expect(suggestions(page)).toHaveCount(0);
	await expect(page.getByRole("button", { name: "Rechercher" })).toBeFocused();
	await expect(field(page)).toHaveValue("groupe c");
});

test("Home and End select the first and last suggestion once one is active, and otherwise move the caret", async ({ page }) => {
	await openSearch(page);
	await field(page).fill("groupe");
	await expect(suggestions(page)).toHaveCount(8);
	const caret = () => field(page).evaluate((input: HTMLInputElement) => input.selectionStart);
	await field(page).press("Home");
	expect(await caret()).toBe(0);
	await field(page).press("End");
	expect(await caret()).toBe("groupe".length);
	await expect(active(page)).toHaveCount(0);
	await field(page).press("ArrowDown");
	await field(page).press("End");
	await expect(suggestions(page).last()).toHaveAttribute("aria-selected", "true");
	await field(page).press("Home");
	await expect(suggestions(page).first()).toHaveAttribute("aria-selected", "true");
	await expect(active(page)).toHaveCount(1);
});

test("keys pressed during an input method’s composition are ignored", async ({ page }) => {
	await openSearch(page);
	await field(page).fill("groupe");
	await expect(suggestions(page)).toHaveCount(8);
	const pressWhileComposing = (key: string) => field(page).dispatchEvent("keydown", { key, isComposing: true, bubbles: true });
	await pressWhileComposing("ArrowDown");
	await expect(active(page)).toHaveCount(0);
	for (const key of ["Enter", "Escape"]) await pressWhileComposing(key);
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).press("Escape");
	await expect(suggestions(page)).toHaveCount(0);
});

test("a late answer is ignored after a newer one, after results, and after the field lost focus", async ({ ownPage: page }) => {
	await page.clock.install();
	const answer = await delayAnswers(page);
	await openSearch(page);
	const ask = async (text: string) => {
		const request = page.waitForRequest(`**/api/entreprises/suggestions?${new URLSearchParams({ q: text })}`);
		await field(page).fill(text);
		return request;
	};
	const late = await ask("groupe");
	await ask("danone");
	answer("danone");
	await expect(suggestions(page)).toHaveText([/DANONE/]);
	answer("groupe");
	await waitForSuggestions(page, [late]);
	await expect(suggestions(page)).toHaveText([/DANONE/]);

	const beforeResults = await ask("carrefour");
	await field(page).press("Enter");
	await expect(title(page)).toHaveText("Résultats pour « carrefour »");
	answer("carrefour");
	await waitForSuggestions(page, [beforeResults]);
	await expect(suggestions(page)).toHaveCount(0);

	const beforeLeaving = await ask("michelin");
	await field(page).press("Tab");
	answer("michelin");
	await waitForSuggestions(page, [beforeLeaving]);
	await expect(suggestions(page)).toHaveCount(0);
});

test("keeps what is typed while results load", async ({ page }) => {
	const results = Promise.withResolvers<void>();
	await page.route("**/recherche?*", async (route) => {
		await results.promise;
		await route.continue();
	});
	await openSearch(page);
	await field(page).fill("groupe");
	await field(page).press("Enter");
	await expect(page.getByText("Recherche en cours...")).toBeVisible();
	await expect(title(page)).toHaveText("Résultats pour « groupe »");
	await field(page).pressSequentially(" carre");
	results.resolve();
	await expect(page).toHaveURL("/recherche?q=groupe");
	await expect(field(page)).toHaveValue("groupe carre");
	await page.goBack(); // the field follows the URL again
	await expect(field(page)).toHaveValue("");
});

test("keeps the caret and the text when the page hydrates during typing", async ({ page }) => {
	const scriptsArrive = await delayScripts(page);
	await page.goto("/recherche", { waitUntil: "commit" });
	await page.getByRole("searchbox", { name: "SIREN, SIRET ou nom d'entreprise" }).pressSequentially("dan");
	await scriptsArrive();
	await expect(field(page)).toBeFocused();
	await page.keyboard.type("one");
	await expect(field(page)).toHaveValue("danone");
	await expect(suggestions(page)).toHaveText([/DANONE/]);
});

test("on a phone the suggestions of the front page leave its button free", async ({ page }) => {
	await page.setViewportSize({ width: 360, height: 740 });
	await page.goto("/");
	await field(page).pressSequentially("groupe");
	await expect(suggestions(page)).toHaveCount(8);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page).toHaveURL(/\/recherche\?q=groupe$/);
});

for (const { width, height } of [
	{ width: 1280, height: 800 },
	{ width: 360, height: 740 },
]) {
	test(`at ${width} px the list fits, is accessible, and causes no layout shift`, async ({ page }) => {
		await page.setViewportSize({ width, height });
		await openSearch(page, "/recherche?q=groupe");
		const places = () =>
			page.evaluate(() =>
				Array.from(document.querySelectorAll("main :is(h1, label, input, select, button, article)"))
					.filter((part) => part.checkVisibility({ contentVisibilityAuto: true }))
					.map((part) => JSON.stringify(part.getBoundingClientRect())),
			);
		const before = await places();
		await field(page).press("ArrowDown"); // selects a suggestion
		await expect(suggestions(page)).toHaveCount(8);
		expect(await places()).toEqual(before);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		await field(page).press("ArrowUp");
		await expect(suggestions(page).last()).toBeInViewport({ ratio: 0.99 });
		for (const colorScheme of ["light", "dark"] as const) {
			await page.emulateMedia({ colorScheme });
			expect(await findViolations(page)).toEqual([]);
		}
	});
}

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false });

	test("the button searches", async ({ page }) => {
		await page.goto("/recherche");
		await page.getByRole("searchbox", { name: "SIREN, SIRET ou nom d'entreprise" }).fill("danone");
		await page.keyboard.press("Enter");
		await expect(page).toHaveURL(/\/recherche\?q=danone/);
		await expect(page.getByRole("article")).toHaveCount(1);
	});
});
