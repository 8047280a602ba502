import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { RunOnly } from "axe-core";
import { colourRules, findViolations } from "../accessibility.ts";
import { waitForHydration } from "../customer.ts";
import { expectAgreedTexts } from "../page-text.ts";
import type { State } from "./state.ts";

export const wide = { width: 1280, height: 800 };
export const phone = { width: 360, height: 740 };
/** The narrowest window (WCAG 1.4.10), a tablet, and 1280 × 800 at 200 % (WCAG 1.4.4). */
const otherWidths = [
	{ width: 320, height: 640 },
	{ width: 768, height: 1024 },
	{ width: 640, height: 400 },
];
const allRules: RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] };

/** SCREENSHOTS names a folder for a picture of each state. */
const folder = process.env.SCREENSHOTS;
async function takeScreenshot(page: Page, name: string, screen: string): Promise<void> {
	if (folder) await page.screenshot({ path: join(folder, `${name.replace(/[^\p{L}\d]+/gu, "-")}-${screen}.png`), fullPage: true });
}

/**
 * Leads to a state and checks it: no page scrolls sideways at any width.
 * @param light the screen for all rules of accessibility, in the light scheme.
 * @param dark that for the rules of colours, in the dark one: the schemes differ in nothing else.
 */
export async function checkState(page: Page, state: State, { light, dark }: Record<"light" | "dark", typeof wide>): Promise<void> {
	const { name, visit } = state;
	const consoleErrors: string[] = [];
	const statuses: number[] = [];
	watch(page, consoleErrors, statuses);
	if (typeof visit === "string") await page.goto(visit);
	else await visit(page);
	await waitForHydration(page);
	await expectAgreedTexts(page, name);
	await expectDocument(page, state, statuses.at(-1) ?? 0);
	expect(await listStrayValues(page)).toEqual([]);
	for (const [colorScheme, screen, rules] of [
		["light", light, allRules],
		["dark", dark, colourRules],
	] as const) {
		await page.setViewportSize(screen);
		await page.emulateMedia({ colorScheme });
		await takeScreenshot(page, name, `${screen.width}-${colorScheme}`);
		await expectNoSidewaysScroll(page, screen.width);
		expect(await findViolations(page, rules), `${screen.width} px, ${colorScheme}`).toEqual([]);
	}
	await page.emulateMedia({ forcedColors: "active" });
	await takeScreenshot(page, name, "forced-colours");
	expect(await findViolations(page, colourRules), "forced colours").toEqual([]);
	expect(await listButtonsWithoutShape(page), "forced colours").toEqual([]);
	await page.emulateMedia({ forcedColors: null });
	for (const viewport of otherWidths) {
		await page.setViewportSize(viewport);
		await takeScreenshot(page, name, `${viewport.width}`);
		await expectNoSidewaysScroll(page, viewport.width);
	}
	// the browser logs every answer with an error status
	expect(consoleErrors.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))).toEqual([]);
}

/** Collects errors of the console and the statuses of documents. */
function watch(page: Page, consoleErrors: string[], statuses: number[]): void {
	page.on("console", (message) => message.type() === "error" && consoleErrors.push(message.text()));
	page.on("pageerror", (error) => consoleErrors.push(error.message));
	page.on("response", (response) => {
		if (response.request().resourceType() === "document") statuses.push(response.status());
	});
}

async function expectDocument(page: Page, { visit, status = 200, scriptless, indexable }: State, lastStatus: number): Promise<void> {
	if (typeof visit === "string" || scriptless) expect(lastStatus).toBe(status);
	await expect(page.locator("html")).toHaveAttribute("lang", "fr");
	await expect(page.locator("h1")).toHaveCount(1);
	await expect(page).toHaveTitle(/\S/);
	if (indexable) await expect(page.locator("meta[name=description]")).toHaveAttribute("content", /.{50}/);
	else if (typeof visit === "string") await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
	if (scriptless) await expect(page.locator("script[src], script[type=module], link[rel=modulepreload]")).toHaveCount(0);
}

/** Values that a condition of the page printed, as the only text of a part: figures stand in elements for text. */
const listStrayValues = (page: Page) =>
	page.evaluate(() =>
		[...document.querySelectorAll("body, div, section, main, form, ul, ol")]
			.filter(({ childNodes }) => {
				const texts = [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
				return /^(?:\d+|null|undefined|NaN|false)$/.test(
					texts
						.map((text) => text.textContent)
						.join("")
						.trim(),
				);
			})
			.map(({ outerHTML }) => outerHTML.slice(0, 200)),
	);

/** Buttons that look like a text in a reader's own colours: they have neither fill nor border, nor underline, nor picture. */
const listButtonsWithoutShape = (page: Page) =>
	page.evaluate(() => {
		const canvas = getComputedStyle(document.body).backgroundColor;
		return [...document.querySelectorAll("button, input[type=submit]")]
			.filter((button) => button.checkVisibility({ visibilityProperty: true }) && button.querySelector("svg") === null)
			.filter((button) => {
				const { borderTopWidth, borderTopColor, backgroundColor, textDecorationLine } = getComputedStyle(button);
				const isFilled = ![canvas, "rgba(0, 0, 0, 0)"].includes(backgroundColor);
				const hasBorder = borderTopWidth !== "0px" && borderTopColor !== canvas;
				return !isFilled && !hasBorder && !textDecorationLine.includes("underline");
			})
			.map(({ outerHTML }) => outerHTML.slice(0, 200));
	});

async function expectNoSidewaysScroll(page: Page, width: number): Promise<void> {
	expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width);
}
