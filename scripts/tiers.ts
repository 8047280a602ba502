// The two tiers of the tests. `npm test` runs the first, `npm run test:rest` the second, `npm run test:all` both; each file is in one.
import { globSync } from "node:fs";
import { sep } from "node:path";

export type Tier = "first" | "rest";

interface Row {
	what: string;
	/** Files, and patterns of them. */
	files: readonly string[];
	/** `npm test -- <words>` runs them too: these tests prove a concept, and take seconds. */
	byWord?: boolean;
}

/** What `npm test` leaves to the second tier. */
const rest: readonly Row[] = [
	{
		what: "imports of the registers and the bulletin",
		files: [
			"app/companies/bulletin/import/*.test.ts",
			"app/companies/registry/{*,rne/*,vat/*}.test.ts",
			"app/companies/registry/sirene/!(import-faults).test.ts",
			"app/companies/search/synthetic-registry.test.ts",
		],
		byWord: true,
	},
	{
		what: "hostile texts, requests and files; drawn pages and photos",
		files: [
			"app/customer/sign-in/attacks.test.ts",
			"app/desk/{doors,known-devices,route-roles}.test.ts",
			"app/desk/order/refused-files.test.ts",
			"app/ui/forms/linear-expressions.test.ts",
			"app/fulfilment/drafts/draw-draft.test.ts",
			"app/fulfilment/extracts/{examine-extract,inspect-pdf,scan-pdf}.test.ts",
			"app/fulfilment/extracts/photos/*.test.ts",
			"app/orders/invoices/invoice-pages.test.ts",
			"app/fulfilment/letters/print-letters.test.ts",
			"app/customer/sharing/passcode-bursts.test.ts",
			"app/customer/tracking/purchase/leaving-client.test.ts",
			"app/web/hostile-{bodies,requests,texts}.test.ts",
			"app/web/page-cache.test.ts",
			"app/web/planted-cookies.test.ts",
			"app/web/read-limits.test.ts",
			"app/web/route-patterns.test.ts",
		],
		byWord: true,
	},
	{
		what: "the terminal, restored databases and files in a bucket",
		files: ["app/orders/documents/storage.test.ts", "app/orders/copies/*.test.ts", "app/commands/*.test.ts"],
		byWord: true,
	},
	{
		what: "statistics, the newsletter and the nightly deletion",
		files: ["app/emails/newsletter/*.test.ts", "app/desk/retention/*.test.ts", "app/books/statistics/*.test.ts"],
		byWord: true,
	},
	{
		what: "what the pages of orders and money read, compared with tables",
		files: [
			"app/desk/money/{evidence,list-money}.test.ts",
			"app/desk/order/{address-acts,read-order}.test.ts",
			"app/customer/tracking/{access,describe-order,internal-data}.test.ts",
			"app/customer/tracking/purchase/zip-purchase.test.ts",
		],
		byWord: true,
	},
	{
		what: "what machines read: crawlers, traces, units of systemd",
		files: ["app/routes/crawlers/*.test.ts", "deploy/*.test.ts", "server/observability/*.test.ts"],
		byWord: true,
	},
	{
		what: "starts, arguments and older schemas",
		files: ["server/database/adopt-schema.test.ts", "server/start/{prepare-database,program-arguments}.test.ts"],
		byWord: true,
	},
	{
		what: "orders served at the desk from beginning to end",
		files: ["app/desk/order/{claims-and-corrections,sent-emails,serving}.test.ts", "app/desk/purchase/refund-approval.test.ts"],
		byWord: true,
	},
	{ what: "the tool that makes mutants", files: ["proof/mutants/*.test.ts"], byWord: true },
	{
		what: "random histories of orders and books",
		files: ["app/books/histories.test.ts", "app/payments/{histories,returned-refunds}.test.ts"],
	},
	{
		what: "killed processes, silent networks and floods",
		files: [
			"app/companies/read-from-replica.test.ts",
			"app/desk/acts/killed-process.test.ts",
			"app/fulfilment/crash.test.ts",
			"app/payments/flood.test.ts",
			"app/companies/registry/sirene/import-faults.test.ts",
			"app/web/several-processes.test.ts",
			"e2e/starting.spec.ts",
			"server/database/embedded-postgres.test.ts",
			"server/database/silent-network.test.ts",
			"server/database/two-hosts.test.ts",
		],
	},
	{
		what: "documented commands and the image",
		files: ["docs/documents.test.ts", "scripts/assemble-image.test.ts"],
	},
	{
		what: "every state of every page",
		files: ["e2e/agreed-texts.spec.ts", "e2e/desk/every-screen.spec.ts", "e2e/every-state.spec.ts"],
	},
	{
		what: "long journeys",
		files: ["e2e/desk/morning.spec.ts", "e2e/purchases/forty-extracts.spec.ts", "e2e/purchases/whole-life.spec.ts"],
	},
	{
		what: "details of pages in a browser",
		files: [
			"e2e/around-the-payment.spec.ts",
			"e2e/browser-storage.spec.ts",
			"e2e/changed-pages.spec.ts",
			"e2e/desk/changed-screens.spec.ts",
			"e2e/desk/desk-weight.spec.ts",
			"e2e/desk/files.spec.ts",
			"e2e/desk/keys.spec.ts",
			"e2e/desk/offline.spec.ts",
			"e2e/desk/refused-forms.spec.ts",
			"e2e/desk/serve-in-time.spec.ts",
			"e2e/desk/shop-settings.spec.ts",
			"e2e/desk/shut-out.spec.ts",
			"e2e/few-taps.spec.ts",
			"e2e/first-screen.spec.ts",
			"e2e/journeys-without-javascript.spec.ts",
			"e2e/on-a-phone.spec.ts",
			"e2e/order-by-post.spec.ts",
			"e2e/order-form/company.spec.ts",
			"e2e/order-form/draft.spec.ts",
			"e2e/order-form/order-form.spec.ts",
			"e2e/order-form/refused-email.spec.ts",
			"e2e/order-form/short-order.spec.ts",
			"e2e/payment-step.spec.ts",
			"e2e/print-an-order.spec.ts",
			"e2e/published-notices.spec.ts",
			"e2e/purchases/order-several.spec.ts",
			"e2e/purchases/withdraw.spec.ts",
			"e2e/search-suggestions.spec.ts",
			"e2e/search.spec.ts",
			"e2e/statistics.spec.ts",
			"e2e/verify-document.spec.ts",
			"e2e/weight.spec.ts",
			"e2e/without-javascript.spec.ts",
		],
	},
];

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
	"e2e/order-an-extract.spec.ts": ["companies", "documents", "fulfilment", "order-form", "orders", "payments", "tracking"],
	"e2e/order-form/remembered.spec.ts": ["order-form"],
	"e2e/order-without-javascript.spec.ts": ["companies", "order-form", "payments"],
	"e2e/payment.spec.ts": ["payments"],
	"e2e/purchases/follow-a-purchase.spec.ts": ["documents", "order-emails", "order-form", "refunds", "tracking"],
	"e2e/sharing/sharing.spec.ts": ["documents", "sharing"],
};

const listFiles = (...patterns: string[]) => [
	...new Set(patterns.flatMap((pattern) => globSync(pattern).map((file) => file.split(sep).join("/"))).sort()),
];

const rowOf = new Map(rest.flatMap((row) => listFiles(...row.files).map((file) => [file, row])));

const isAsked = (words: readonly string[], ...names: readonly string[]) =>
	words.length === 0 || words.some((word) => names.some((name) => name.includes(word)));

/**
 * The files of some tiers.
 * @param words only files whose path contains one of them, and journeys through a folder of app/ whose name does; all without any. With
 * them, the first tier has the quick ones of the second too.
 */
export function listTests(tiers: readonly Tier[], words: readonly string[]): { units: string[]; browser: string[] } {
	const isInTier = (file: string) => {
		const row = rowOf.get(file);
		const isFirst = row === undefined || (words.length > 0 && row.byWord === true);
		return (isFirst && tiers.includes("first")) || (row !== undefined && tiers.includes("rest"));
	};
	const units = listFiles("*.test.ts", "{app,server,deploy,docs,proof,scripts,test}/**/*.test.ts");
	return {
		units: units.filter((file) => isInTier(file) && isAsked(words, file)),
		browser: listFiles("e2e/**/*.spec.ts").filter((file) => isInTier(file) && isAsked(words, file, ...(journeys[file] ?? []))),
	};
}

/** What `npm test` leaves to the second tier. @param words those it was given. */
export const listLeft = (words: readonly string[]): string[] => [
	...rest.filter(({ byWord }) => words.length === 0 || !byWord).map(({ what }) => what),
	"smoke runs of the benches",
];

/** Rows of this file that name no file, files with several rows, and browser tests without one. */
export function findWrongRows(): string[] {
	const files = new Set([...listTests(["first", "rest"], []).units, ...listFiles("e2e/**/*.spec.ts")]);
	const patterns = rest.flatMap((row) => row.files);
	const named = [...rest.flatMap((row) => listFiles(...row.files)), ...Object.keys(journeys)];
	return [
		...patterns.filter((pattern) => listFiles(pattern).length === 0),
		...named.filter((file, index) => !files.has(file) || named.indexOf(file) !== index),
		...[...files].filter((file) => file.startsWith("e2e/") && !named.includes(file)),
	];
}
