// The two tiers of the tests. `npm test` runs the first, `npm run test:rest` the second, `npm run test:all` both; each file is in one.
import { globSync } from "node:fs";
import { sep } from "node:path";

export type Tier = "first" | "rest";

/** What `npm test` leaves to the second tier, by what it tries. */
const rest: Record<string, readonly string[]> = {
	"random histories of orders and books": ["app/accounts/histories.test.ts", "app/payments/histories.test.ts"],
	"killed processes, silent networks and floods": [
		"app/companies/read-from-replica.test.ts",
		"app/desk/acts/killed-process.test.ts",
		"app/fulfilment/crash.test.ts",
		"app/payments/flood.test.ts",
		"app/registry/sirene/import-faults.test.ts",
		"app/web/several-processes.test.ts",
		"e2e/starting.spec.ts",
		"server/database/embedded-postgres.test.ts",
		"server/database/silent-network.test.ts",
		"server/database/two-hosts.test.ts",
	],
	"documented commands and the image": [
		"app/terminal/terminal-commands.test.ts",
		"docs/documents.test.ts",
		"scripts/assemble-image.test.ts",
	],
	"every state of every page": ["e2e/agreed-texts.spec.ts", "e2e/desk/every-screen.spec.ts", "e2e/every-state.spec.ts"],
	"long journeys": ["e2e/desk/morning.spec.ts", "e2e/purchases/forty-extracts.spec.ts"],
	"details of pages in a browser": [
		"e2e/browser-storage.spec.ts",
		"e2e/desk/desk-weight.spec.ts",
		"e2e/desk/files.spec.ts",
		"e2e/desk/keys.spec.ts",
		"e2e/desk/offline.spec.ts",
		"e2e/desk/shut-out.spec.ts",
		"e2e/first-screen.spec.ts",
		"e2e/order-form/company.spec.ts",
		"e2e/order-form/draft.spec.ts",
		"e2e/order-form/order-form.spec.ts",
		"e2e/order-form/short-order.spec.ts",
		"e2e/payment-step.spec.ts",
		"e2e/print-an-order.spec.ts",
		"e2e/search-suggestions.spec.ts",
		"e2e/search.spec.ts",
		"e2e/statistics.spec.ts",
		"e2e/verify-document.spec.ts",
		"e2e/weight.spec.ts",
	],
};

/**
 * The journeys in a real browser of the first tier, with the folders of app/ that they walk through: `npm test -- <words>` runs those whose
 * path or folders contain a word.
 */
const journeys: Record<string, readonly string[]> = {
	"e2e/after-the-order.spec.ts": ["orders", "refunds", "tracking"],
	"e2e/by-keyboard.spec.ts": ["companies", "documents", "order-form"],
	"e2e/crawl.spec.ts": ["content", "routes"],
	"e2e/customer-space/customer-space.spec.ts": ["customer-sign-in", "customer-space"],
	"e2e/desk/close-a-month.spec.ts": ["accounts", "desk", "invoices"],
	"e2e/desk/close-the-shop.spec.ts": ["desk", "order-form", "shop-settings"],
	"e2e/desk/serve-an-order.spec.ts": ["desk", "extracts", "fulfilment", "operators"],
	"e2e/every-page.spec.ts": ["content", "routes", "ui"],
	"e2e/follow-a-company.spec.ts": ["bulletin", "company-alerts", "mail"],
	"e2e/on-a-phone.spec.ts": ["companies", "order-form"],
	"e2e/order-an-extract.spec.ts": ["companies", "documents", "fulfilment", "order-form", "orders", "payments", "tracking"],
	"e2e/order-form/remembered.spec.ts": ["order-form"],
	"e2e/payment.spec.ts": ["payments"],
	"e2e/published-notices.spec.ts": ["bulletin", "companies"],
	"e2e/purchases/follow-a-purchase.spec.ts": ["documents", "order-emails", "purchase-form", "refunds", "tracking"],
	"e2e/purchases/order-several.spec.ts": ["purchase-form"],
	"e2e/sharing/sharing.spec.ts": ["documents", "sharing"],
	"e2e/without-javascript.spec.ts": ["companies", "order-form", "payments"],
};

const inRest = new Set(Object.values(rest).flat());

const listFiles = (...patterns: string[]) =>
	patterns.flatMap((pattern) => globSync(pattern).map((file) => file.split(sep).join("/"))).sort();

const isAsked = (words: readonly string[], ...names: readonly string[]) =>
	words.length === 0 || words.some((word) => names.some((name) => name.includes(word)));

/**
 * The files of some tiers.
 * @param words only files whose path contains one of them, and journeys through a folder of app/ whose name does; all without any.
 */
export function listTests(tiers: readonly Tier[], words: readonly string[]): { units: string[]; browser: string[] } {
	const isInTier = (file: string) => tiers.includes(inRest.has(file) ? "rest" : "first");
	const units = listFiles("*.test.ts", "{app,server,deploy,docs,scripts,test}/**/*.test.ts");
	return {
		units: units.filter((file) => isInTier(file) && isAsked(words, file)),
		browser: listFiles("e2e/**/*.spec.ts").filter((file) => isInTier(file) && isAsked(words, file, ...(journeys[file] ?? []))),
	};
}

/** What the second tier tries. */
export const restKinds: readonly string[] = [...Object.keys(rest), "smoke runs of the benches"];

/** Rows of this file that name no file, and browser tests without a row. */
export function findWrongRows(): string[] {
	const files = new Set([...listTests(["first", "rest"], []).units, ...listFiles("e2e/**/*.spec.ts")]);
	const named = [...inRest, ...Object.keys(journeys)];
	return [
		...named.filter((file, index) => !files.has(file) || named.indexOf(file) !== index),
		...[...files].filter((file) => file.startsWith("e2e/") && !named.includes(file)),
	];
}
