import { expect } from "vitest";
import type { TestBrowser } from "../browser.ts";

const path = "/commande/plusieurs";

/** The fields of the lines on a page of the form of several orders, with what the page has shown. */
export function listLineFields(html: string): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const [input] of html.matchAll(/<input[^>]*name="(?:lignes|vues|(?:entreprise|reference)-\d+)"[^>]*>/g))
		fields[/name="([^"]*)"/.exec(input)?.[1] ?? ""] = /value="([^"]*)"/.exec(input)?.[1] ?? "";
	return fields;
}

/** Where an answer leads. */
export async function getRedirect(answer: Response): Promise<string> {
	expect([answer.status, await answer.text()]).toEqual([303, ""]);
	return answer.headers.get("location") ?? "";
}

/** Sends a list, then its form. @returns the URL of the payment. */
export async function sendPurchaseForm(browser: TestBrowser, list: string, fields: Record<string, string>): Promise<string> {
	const url = await getRedirect(await browser.postForm(path, { entreprises: list }));
	const html = (await (await browser.ask(url)).text()).replace(/<!-- -->/g, "");
	return getRedirect(await browser.postForm(url, { ...listLineFields(html), ...fields }));
}
