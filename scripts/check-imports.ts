// The rules of docs/architecture.md, « Imports », as part of npm run check.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";

/**
 * From top to bottom: a file imports from its own folder and from lower layers, never from the same layer or a higher one.
 * `app` means the files directly in app/; lower layers need three of them, which have their own rows.
 */
const layers = [
	["app"],
	["app/doctor"],
	["app/routes", "app/terminal"],
	["app/job-kinds.ts"],
	["app/desk"],
	["app/create-shop.server.ts"],
	["app/metrics", "app/retention"],
	["app/customer-space"],
	["app/tracking", "app/contact", "app/kbis-need", "app/demo"],
	["app/web"],
	["app/shop.ts"],
	["app/statistics"],
	["app/accounts"],
	["app/payments", "app/alerts"],
	["app/fulfilment", "app/order-form"],
	["app/messages", "app/sharing"],
	["app/order-emails"],
	["app/extract-watch"],
	["app/refunds", "app/newsletter", "app/company-alerts", "app/customer-sign-in", "app/order-copies", "app/status", "app/terms"],
	["app/orders", "app/content", "app/registry", "app/operators", "app/extracts"],
	["app/desk-log"],
	["app/bulletin"],
	["app/companies", "app/invoices"],
	["app/documents", "app/mail", "app/addresses", "app/shop-settings"],
	["app/ui", "app/forms", "app/catalogue", "app/markdown"],
	["server"],
	["server/environment"],
	["server/database"],
	["server/observability"],
	["server/types"],
] as const;

const layerNumbers = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder as string, layer] as const)));

/**
 * The folder that changes each table. Folders in higher layers may read it. Tables that an import of companies
 * creates have no fixed name and no row.
 */
const owners: Record<string, readonly string[]> = {
	account_closings: ["app/accounts"],
	account_entries: ["app/accounts"],
	extract_costs: ["app/accounts"],
	bulletin_corrections: ["app/bulletin"],
	bulletin_notices: ["app/bulletin"],
	bulletin_readings: ["app/bulletin"],
	bulletin_texts: ["app/bulletin"],
	company_alert_mails: ["app/company-alerts"],
	company_alert_readings: ["app/company-alerts"],
	company_alert_notices: ["app/company-alerts"],
	company_alerts: ["app/company-alerts"],
	company_branches: ["app/companies", "app/registry"],
	company_followers: ["app/company-alerts"],
	company_sources: ["app/companies", "app/registry"],
	company_vat_numbers: ["app/companies", "app/registry"],
	company_words: ["app/companies", "app/registry"],
	hidden_companies: ["app/companies", "app/registry"],
	// app/messages only reads them
	contact_messages: ["app/contact", "app/messages"],
	conversation_messages: ["app/messages"],
	conversations: ["app/messages"],
	reply_templates: ["app/messages"],
	subscription_interest: ["app/contact"],
	"customers.account": ["app/customer-sign-in"],
	"customers.session": ["app/customer-sign-in"],
	"customers.user": ["app/customer-sign-in"],
	"customers.verification": ["app/customer-sign-in"],
	desk_acts: ["app/desk-log"],
	desk_log: ["app/desk-log"],
	document_openings: ["app/documents"],
	document_share_openings: ["app/sharing"],
	document_shares: ["app/sharing"],
	documents: ["app/documents"],
	ended_visits: ["app/tracking"],
	extract_drafts: ["app/fulfilment"],
	extract_requests: ["app/fulfilment"],
	order_notes: ["app/fulfilment"],
	order_claims: ["app/fulfilment"],
	database_identity: ["app/invoices"],
	invoice_gaps: ["app/invoices"],
	invoice_series: ["app/invoices"],
	invoices: ["app/invoices"],
	mailbox_keys: ["app/invoices"],
	mails: ["app/mail"],
	sent_emails: ["app/mail"],
	newsletter_deliveries: ["app/newsletter"],
	newsletter_letters: ["app/newsletter"],
	newsletter_subscriptions: ["app/newsletter"],
	order_copies: ["app/order-copies"],
	order_copy_requests: ["app/order-copies"],
	order_events: ["app/orders"],
	order_forms: ["app/order-form"],
	"operators.account": ["app/operators"],
	"operators.invitation": ["app/operators"],
	"operators.member": ["app/operators"],
	"operators.passkey": ["app/operators"],
	"operators.session": ["app/operators"],
	"operators.two_factor": ["app/operators"],
	"operators.user": ["app/operators"],
	"operators.verification": ["app/operators"],
	order_words: ["app/orders"],
	orders: ["app/orders"],
	refund_requests: ["app/orders"],
	withdrawals: ["app/orders"],
	payment_attempts: ["app/payments"],
	payment_events: ["app/payments"],
	payment_sessions: ["app/payments"],
	provider_movements: ["app/payments"],
	provider_payouts: ["app/payments"],
	provider_readings: ["app/payments"],
	reconciliations: ["app/payments"],
	"sandbox.desk": ["app/fulfilment"],
	"sandbox.disputes": ["app/payments"],
	"sandbox.events": ["app/payments"],
	"sandbox.refunds": ["app/payments"],
	"sandbox.sessions": ["app/payments"],
	payments: ["app/refunds"],
	refunds: ["app/refunds"],
	probe_days: ["app/status"],
	probes: ["app/status"],
	readiness: ["app/status"],
	shop_setting_changes: ["app/shop-settings"],
	shop_settings: ["app/shop-settings"],
	order_alerts: ["app/alerts"],
	push_subscriptions: ["app/alerts"],
	operator_duties: ["app/alerts"],
	terms_versions: ["app/terms"],
	job_processes: ["server"],
};

export interface SourceFile {
	path: string;
	text: string;
}

/** @returns a sentence for each import or statement that breaks a rule. */
export function checkImports(files: readonly SourceFile[] = readSources()): string[] {
	return files.flatMap((file) => [...wrongImports(file), ...wrongTables(file)]);
}

/** The project's own code. */
export function readSources(): SourceFile[] {
	return globSync("{*,{app,server,db,test,e2e,bench,scripts,deploy,docs}/**/*}.{ts,tsx,mjs}").map((path) => ({
		path: path.replaceAll("\\", "/"),
		text: readFileSync(path, "utf8"),
	}));
}

export const isProduction = (path: string) => /^(app|server)\/|^main\.ts$/.test(path) && !path.includes(".test.");

function wrongImports({ path, text }: SourceFile): string[] {
	return listImports(path, text).flatMap((target) => {
		const reason = findBrokenRule(path, target);
		return reason === null ? [] : [`${path} imports ${target}: ${reason}`];
	});
}

/** Repository paths of the project's files that a file imports, also by `#app/`, `import()` and `export from`. */
function listImports(path: string, text: string): string[] {
	const { module } = parseSync(path, text);
	const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
		const [, literal] = /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(start, end)) ?? [];
		return literal === undefined ? [] : [literal];
	});
	const fixed = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
	const passedOn = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []));
	return [...new Set([...fixed, ...dynamic, ...passedOn])].flatMap((specifier) => {
		if (specifier.startsWith("#")) return specifier.slice(1);
		if (!specifier.startsWith(".") || specifier.includes("/+types/")) return [];
		return join(dirname(path), specifier.replace(/\?.*$/, ""));
	});
}

/** @returns the rule that an import breaks, or null. */
function findBrokenRule(path: string, target: string): string | null {
	if (!/^(app|server|test|e2e|bench)\//.test(target)) return null;
	if (isProduction(path) && /^(test|e2e|bench)\//.test(target)) return "production code imports nothing that only tests use";
	if (path.startsWith("server/") && target.startsWith("app/")) return "server/ imports nothing of app/";
	if (!isProduction(path) || path === "main.ts") return null;
	const [from, to] = [getFolder(path), getFolder(target)];
	if (from === to) return null;
	const [own, other] = [layerNumbers.get(from), layerNumbers.get(to)];
	if (own === undefined) return `${from} has no layer in scripts/check-imports.ts`;
	if (other === undefined) return `${to} has no layer in scripts/check-imports.ts`;
	return own < other ? null : `${from} is not above ${to}`;
}

const getFolder = (path: string): string => {
	if (layerNumbers.has(path)) return path;
	const [root = "", folder = "", ...rest] = path.split("/");
	if (root === "app") return rest.length > 0 ? `app/${folder}` : root;
	return layerNumbers.has(`${root}/${folder}`) ? `${root}/${folder}` : root;
};

/** Table names in Kysely calls and in SQL. */
const kyselyTable = /\b(selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|insertInto|updateTable|deleteFrom)\(\s*["'`]([\w.]+)/g;
const sqlTable = /\b(insert into|delete from|update|truncate|from|join)\s+((?:sandbox\.)?[a-z_]+)\b/g;
const changes = /^(insert|update|delete|truncate)/;

function wrongTables({ path, text }: SourceFile): string[] {
	if (!isProduction(path) || !/\.tsx?$/.test(path) || path.endsWith(".gen.ts")) return [];
	const from = getFolder(path);
	const statements = [...text.matchAll(/`[^`]*`/g)]
		.map(([literal]) => literal)
		.filter((literal) => /\b(select|insert|update|delete)\b/.test(literal));
	const uses = [text, ...statements].flatMap((source, index) => [...source.matchAll(index === 0 ? kyselyTable : sqlTable)]);
	const wrong = uses.flatMap(([, act = "", table = ""]) => {
		const owner = owners[table];
		if (owner === undefined || owner.includes(from)) return [];
		if (changes.test(act)) return [`${path} changes ${table}, which only ${owner.join(" and ")} may`];
		const isAbove = (layerNumbers.get(from) ?? 0) < Math.min(...owner.map((folder) => layerNumbers.get(folder) ?? 0));
		return isAbove ? [] : [`${path} reads ${table}: ${from} is not above ${owner.join(" and ")}`];
	});
	return [...new Set(wrong)];
}
