import { expect, type Page } from "@playwright/test";
import { agreedTexts } from "./agreed-texts.ts";

/** Treats all spaces alike, and both apostrophes. */
export const normalizeText = (text: string) =>
	text
		.replaceAll("’", "'")
		.replace(/[\s\u00a0\u202f]+/g, " ")
		.trim();

export async function getPageText(page: Page): Promise<string> {
	return normalizeText((await page.locator("body").textContent()) ?? "");
}

/** Waits for each agreed text of a state; a state without any passes. */
export async function expectAgreedTexts(page: Page, state: string): Promise<void> {
	for (const text of agreedTexts[state] ?? []) await expect.poll(() => getPageText(page), { message: text }).toContain(normalizeText(text));
}
