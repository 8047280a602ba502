import { expect, type Page, type Request, test } from "@playwright/test";
import { findViolations } from "./accessibility.ts";
import { holdScripts, open } from "./customer.ts";

const field = (page: Page) => page.getByRole("combobox", { name: "SIREN, SIRET ou nom d'entreprise" });
const suggestions = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
const active = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { selected: true });
const title = (page: Page) => page.getByRole("heading", { level: 1 });

/** The page's requests for suggestions, as they are made. */
function suggestionsAsked(page: Page): Request[] {
	const asked: Request[] = [];
	page.on("request", (request) => void (request.url().includes("/suggestions?") && asked.push(request)));
	return asked;
}

/** The server's answers to what is typed, held back until what is returned is called with the text. */
async function holdAnswers(page: Page): Promise<(text: string) => void> {
	const held = new Map<string, PromiseWithResolvers<void>>();
	const answerTo = (text: string) => {
		const answer = held.get(text) ?? Promise.withResolvers<void>();
		held.set(text, answer);
		return answer;
	};
	await page.route("**/api/entreprises/suggestions?*", async (route) => {
		await answerTo(new URL(route.request().url()).searchParams.get("q") ?? "").promise;
		await route.continue().catch(() => {}); // the page may have lost interest
	});
	return (text) => answerTo(text).resolve();
}

/** Resolves when the server answered, or the page lost interest, and the page's timers ran. */
async function settle(page: Page, asked: readonly Request[]): Promise<void> {
	await page.clock.runFor(1000);
	for (const request of asked) await (await request.response())?.finished();
	await page.clock.runFor(1000);
}

test("an arrow and Enter open the company that is suggested", async ({ page }) => {
	await page.clock.install();
	await open(page, "/recherche");
	const asked = suggestionsAsked(page);
	await field(page).pressSequentially("da");
	await settle(page, asked);
	expect(asked).toEqual([]);
	await expect(suggestions(page)).toHaveCount(0);
	await field(page).pressSequentially("none");
	await expect(suggestions(page)).toHaveText(/DANONE.*552032534 · PARIS/);
	await field(page).press("ArrowDown");
	await expect(page.getByRole("option", { selected: true, name: /DANONE/ })).toBeVisible();
	await field(page).press("Enter");
	await expect(page).toHaveURL("/entreprise/552032534");
	await expect(title(page)).toHaveText("DANONE");
	await page.goBack();
	await expect(title(page)).toHaveText("Rechercher une entreprise");
});

test("what must be known of a company is said among the suggestions", async ({ page }) => {
	await open(page, "/recherche");
	for (const [siren, notice] of [
		["006620066", "Entreprise cessée"],
		["775652126", "Un extrait Kbis, à vérifier"],
		["775688732", "Pas d’extrait Kbis"],
	] as const) {
		await field(page).fill(siren);
		await expect(suggestions(page)).toContainText(notice);
	}
});

test("a click opens it too", async ({ page }) => {
	await open(page, "/recherche?q=groupe");
	await field(page).fill("552 032 534");
	await suggestions(page).filter({ hasText: "DANONE" }).click();
	await expect(page).toHaveURL("/entreprise/552032534");
});

test("Enter without a choice searches what is typed, and the list is gone", async ({ page }) => {
	await page.clock.install();
	await open(page, "/recherche");
	const asked = suggestionsAsked(page);
	await field(page).pressSequentially("group");
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).press("ArrowDown");
	await field(page).pressSequentially("e"); // typing on takes the choice back
	await field(page).press("Enter");
	await expect(page).toHaveURL("/recherche?q=groupe");
	await expect(title(page)).toHaveText('Résultats pour "groupe"');
	await settle(page, asked);
	await expect(suggestions(page)).toHaveCount(0);
	await expect(field(page)).toBeFocused();
});

test("Escape, or going elsewhere, closes the list and keeps what is typed", async ({ page }) => {
	await open(page, "/recherche");
	await field(page).fill("groupe");
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).press("ArrowUp");
	await expect(suggestions(page).last()).toHaveAttribute("aria-selected", "true");
	await field(page).press("Escape");
	await expect(suggestions(page)).toHaveCount(0);
	await expect(field(page)).toHaveAttribute("aria-expanded", "false");
	await expect(field(page)).toHaveValue("groupe");
	await field(page).press("ArrowDown"); // brings it back
	await expect(suggestions(page)).toHaveCount(8);
	await field(page).pressSequentially(" c");
	await expect(suggestions(page).first()).toBeVisible();
	await field(page).press("Tab");
	await expect(suggestions(page)).toHaveCount(0);
	await expect(page.getByRole("button", { name: "Rechercher" })).toBeFocused();
	await expect(field(page)).toHaveValue("groupe c");
});

test("Home and End lead to the first and the last suggestion once one is active, and move the caret before", async ({ page }) => {
	await open(page, "/recherche");
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

test("keys that an input method takes while it composes choose and close nothing", async ({ page }) => {
	await open(page, "/recherche");
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

test("an answer that comes late is not shown: not over a newer one, nor over results, nor where nobody types any more", async ({
	page,
}) => {
	await page.clock.install();
	const answer = await holdAnswers(page);
	await open(page, "/recherche");
	const ask = async (text: string) => {
		const asked = page.waitForRequest(`**/api/entreprises/suggestions?${new URLSearchParams({ q: text })}`);
		await field(page).fill(text);
		return asked;
	};
	const late = await ask("groupe");
	await ask("danone");
	answer("danone");
	await expect(suggestions(page)).toHaveText(/DANONE/);
	answer("groupe");
	await settle(page, [late]);
	await expect(suggestions(page)).toHaveText(/DANONE/);

	const beforeResults = await ask("carrefour");
	await field(page).press("Enter");
	await expect(title(page)).toHaveText('Résultats pour "carrefour"');
	answer("carrefour");
	await settle(page, [beforeResults]);
	await expect(suggestions(page)).toHaveCount(0);

	const beforeLeaving = await ask("michelin");
	await field(page).press("Tab");
	answer("michelin");
	await settle(page, [beforeLeaving]);
	await expect(suggestions(page)).toHaveCount(0);
});

test("what is typed while results are awaited is not lost when they come", async ({ page }) => {
	const found = Promise.withResolvers<void>();
	await page.route("**/recherche.data?**", async (route) => {
		await found.promise;
		await route.continue();
	});
	await open(page, "/recherche");
	await field(page).fill("groupe");
	await field(page).press("Enter");
	await expect(page.getByText("Recherche en cours...")).toBeVisible();
	await expect(title(page)).toHaveText('Résultats pour "groupe"');
	await field(page).pressSequentially(" carre");
	found.resolve();
	await expect(page).toHaveURL("/recherche?q=groupe");
	await expect(field(page)).toHaveValue("groupe carre");
	await page.goBack(); // the address leads again
	await expect(field(page)).toHaveValue("");
});

test("who types while the page comes alive keeps place and letters", async ({ page }) => {
	const scriptsArrive = await holdScripts(page);
	await page.goto("/recherche", { waitUntil: "commit" });
	await page.getByRole("searchbox").pressSequentially("dan");
	await scriptsArrive();
	await expect(field(page)).toBeFocused();
	await page.keyboard.type("one");
	await expect(field(page)).toHaveValue("danone");
	await expect(suggestions(page)).toHaveText(/DANONE/);
});

for (const { width, height } of [
	{ width: 1280, height: 800 },
	{ width: 360, height: 740 },
]) {
	test(`at ${width} px the list moves nothing, fits, and is accessible`, async ({ page }) => {
		await page.setViewportSize({ width, height });
		await open(page, "/recherche?q=groupe");
		const places = () =>
			page.evaluate(() =>
				Array.from(document.querySelectorAll("main :is(h1, label, input, select, button, article)"), (part) =>
					JSON.stringify(part.getBoundingClientRect()),
				),
			);
		const before = await places();
		await field(page).press("ArrowDown"); // of what stands there already
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

	test("the field is a search field and its button searches", async ({ page }) => {
		await page.goto("/recherche");
		await page.getByRole("searchbox", { name: "SIREN, SIRET ou nom d'entreprise" }).fill("danone");
		await page.keyboard.press("Enter");
		await expect(page).toHaveURL(/\/recherche\?q=danone/);
		await expect(page.getByRole("article")).toHaveCount(1);
	});
});
