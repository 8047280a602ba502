import type { Page } from "@playwright/test";
import axe, { type RunOnly } from "axe-core";

/** The rules that depend on colours. Colour schemes only change colours here, so all others give the same result. */
export const colourRules: RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/**
 * Checks a page with axe-core.
 * @param runOnly the rules; without it, those that axe-core runs by default.
 * @returns each rule that the page breaks, with the elements that break it.
 */
export async function findViolations(page: Page, runOnly?: RunOnly): Promise<string[]> {
	if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
	return page.evaluate(
		async (options) => {
			const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
			return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
		},
		{ resultTypes: ["violations" as const], ...(runOnly && { runOnly }) },
	);
}
