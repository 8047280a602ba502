import { isKeyOf } from "../types/objects.ts";
import type { AccountNumbers } from "./account-settings.ts";
import { findDemoProblems, findMissingSettings, findProductionProblems, isLiveKey } from "./combined-settings.ts";
import { findInsecureSettings, isLoopback } from "./insecure-settings.ts";
import type { LimitSettings, ReadLimitSettings } from "./limit-settings.ts";
import { type MailSender, parseMailSender } from "./mail-sender.ts";
import type { ShopIdentity } from "./shop-identity.ts";
import { type defaultOrderLimits, examples, type Variables, variables } from "./variables.ts";

/**
 * The only module that reads environment variables. Every variable is optional in the demo;
 * `.env.example` explains each one.
 */

export interface Environment {
	production: boolean;
	host: string;
	port: number;
	/** Without a trailing slash. */
	baseUrl: string;
	/** The only host on which the operators’ desk answers; undefined: any. */
	deskHost: string | undefined;
	/** The base of the desk’s links, without a trailing slash. */
	deskUrl: string;
	/** How many of our proxies a request passes. */
	trustedProxies: number;
	/** How long the health check fails before a process stops. */
	drainSeconds: number;
	dataDir: string;
	/** The folder of backup files; the doctor checks their age. */
	backupDir: string | undefined;
	databaseUrl: string | undefined;
	/** A streaming replica for searches and company pages. */
	databaseReadUrl: string | undefined;
	/** The first signs, all verify. Empty in a demo without APP_SECRET: main.ts then generates and stores one. */
	secrets: string[];
	/** Keys for the copies of orders: the first encrypts, all decrypt. If empty, `secrets` do both. */
	orderCopyKeys: string[];
	/** `fast` for tests only. */
	passwordHashing: "slow" | "fast";
	/** Undefined: the sandbox replaces Stripe. `apiBase`: another host than Stripe's, for tests. */
	stripe: { secretKey: string; webhookSecret: string; apiBase: string | undefined; live: boolean } | undefined;
	issuer: "specimen" | "manual";
	/** Undefined: documents are stored below `dataDir`. Without an endpoint it is Amazon S3. */
	s3: { endpoint: string | undefined; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | undefined;
	smtpUrl: string | undefined;
	mailFrom: MailSender;
	/** Where alerts and the work of the day go. */
	operatorEmail: string;
	/** Whom operators call when the shop does not work: a name and a telephone number. */
	technicalContact: string | undefined;
	/** Undefined: no web push. */
	vapid: { publicKey: string; privateKey: string } | undefined;
	/** Orders per hour of a client, of an e-mail address and of the whole shop; null: unlimited. */
	orderLimits: LimitSettings<keyof typeof defaultOrderLimits>;
	addressApiUrl: string | undefined;
	/** INSEE's API Sirene, for daily changes; the base has no trailing slash. */
	insee: { base: string; key: string | undefined };
	/** The bulletin's open data, for daily notices; the base has no trailing slash. */
	bulletin: { base: string };
	openingHours: string;
	/** `date`: since when it is the price. `checked`: the day on which the owner last compared it with its source; undefined in the demo. */
	officialPrice: { cents: number; tax: "TTC" | "HT"; date: string; checked: string | undefined; source: string };
	invoices: { vatOnDebits: boolean; latePenalty: string };
	/** The numbers of the journal's accounts. */
	accountNumbers: AccountNumbers;
	/** Reads per minute of one client; null in a demo without limits. */
	readLimits: ReadLimitSettings;
	/** The bearer token for /metrics. */
	metricsToken: string | undefined;
	/** Opens /metrics on a separate port as well. */
	metricsPort: number | undefined;
	/** The host of that port. */
	metricsHost: string;
	/** A second operator approves a refund at the desk above so many cents. */
	refundApprovalCents: number;
	/** The collector of traces (OTLP over HTTP), without a trailing slash. */
	tracesEndpoint: string | undefined;
	shop: ShopIdentity;
	logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/** At the end of a base URL. */
const endSlashes = /(?<!\/)\/+$/;

/**
 * Checks the variables of a process. @param now some checks of the owner are good for a year only.
 * @returns the environment, or every problem at once: variable, what is wrong, an example.
 */
export function parseEnvironment(
	raw: Record<string, string | undefined>,
	now: Date = new Date(),
): { ok: true; environment: Environment } | { ok: false; problems: string[] } {
	// an empty variable counts as unset, as in a copy of .env.example
	const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined && value.trim() !== ""));
	const parsed = variables.safeParse(given);
	const invalid = parsed.success ? new Map<string, string>() : describeIssues(parsed.error.issues);
	// the rules that involve several variables are checked on the valid ones
	const v = parsed.success ? parsed.data : variables.parse(omit(given, invalid));
	const baseUrl = (v.BASE_URL ?? `http://localhost:${v.PORT}`).replace(endSlashes, "");
	const problems = [
		...invalid.values(),
		...findProblems(v, baseUrl, { given, hasKind: !invalid.has("APP_ENV"), now }).filter((problem) => !invalid.has(getName(problem))),
	];
	return problems.length > 0 ? { ok: false, problems } : { ok: true, environment: toEnvironment(v, baseUrl) };
}

/** One sentence for each invalid variable. */
function describeIssues(issues: readonly { path: readonly PropertyKey[]; message: string }[]): Map<string, string> {
	const described = new Map<string, string>();
	for (const { path, message } of issues) {
		const name = String(path[0]);
		const reason = message.includes("pattern") ? "it has not the expected form" : message;
		const example = (isKeyOf(examples, name) ? examples[name] : undefined) ?? "any text";
		if (!described.has(name)) described.set(name, `${name} is not valid (${reason}). Example: ${example}`);
	}
	return described;
}

const omit = (given: Record<string, string | undefined>, names: ReadonlyMap<string, unknown>) =>
	Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));

/** The variable that a problem is about: its first word. */
const getName = (problem: string): string => problem.split(" ", 1)[0] ?? "";

/** @param options.hasKind whether the rules of the demo or of production apply: a wrong APP_ENV names neither. */
function findProblems(
	v: Variables,
	baseUrl: string,
	{ given, hasKind, now }: { given: Record<string, string | undefined>; hasKind: boolean; now: Date },
): string[] {
	return [
		...findMissingSettings(v),
		...(v.METRICS_PORT && !v.METRICS_TOKEN && !isLoopback(v.METRICS_HOST ?? v.HOST)
			? [`METRICS_TOKEN is not set, and METRICS_PORT opens the figures of the shop beyond this machine. Example: ${examples.METRICS_TOKEN}`]
			: []),
		...(v.METRICS_PORT === v.PORT ? [`METRICS_PORT is the same as PORT. Example: ${examples.METRICS_PORT}`] : []),
		...(hasKind && v.APP_ENV === "production"
			? [
					...findProductionProblems(v, baseUrl, { given, now }),
					...findInsecureSettings(v, { APP_SECRET: v.APP_SECRET, ORDER_COPY_KEY: v.ORDER_COPY_KEY }),
				]
			: []),
		...(hasKind && v.APP_ENV === "demo" ? findDemoProblems(v) : []),
	];
}

function toEnvironment(v: Variables, baseUrl: string): Environment {
	return {
		production: v.APP_ENV === "production",
		host: v.HOST,
		port: v.PORT,
		baseUrl,
		deskHost: v.DESK_HOST,
		deskUrl: v.DESK_HOST ? `${new URL(baseUrl).protocol}//${v.DESK_HOST}` : baseUrl,
		trustedProxies: v.TRUSTED_PROXIES,
		drainSeconds: v.DRAIN_SECONDS ?? (v.TRUSTED_PROXIES > 0 ? 5 : 0),
		dataDir: v.DATA_DIR,
		backupDir: v.BACKUP_DIR,
		databaseUrl: v.DATABASE_URL,
		databaseReadUrl: v.DATABASE_READ_URL,
		secrets: v.APP_SECRET,
		orderCopyKeys: v.ORDER_COPY_KEY,
		passwordHashing: v.PASSWORD_HASHING,
		stripe:
			v.STRIPE_SECRET_KEY && v.STRIPE_WEBHOOK_SECRET
				? {
						secretKey: v.STRIPE_SECRET_KEY,
						webhookSecret: v.STRIPE_WEBHOOK_SECRET,
						apiBase: v.STRIPE_API_BASE?.replace(endSlashes, ""),
						live: isLiveKey(v),
					}
				: undefined,
		issuer: v.ISSUER ?? "specimen",
		s3:
			v.S3_BUCKET && v.S3_ACCESS_KEY_ID && v.S3_SECRET_ACCESS_KEY
				? {
						endpoint: v.S3_ENDPOINT,
						region: v.S3_REGION,
						bucket: v.S3_BUCKET,
						accessKeyId: v.S3_ACCESS_KEY_ID,
						secretAccessKey: v.S3_SECRET_ACCESS_KEY,
					}
				: undefined,
		smtpUrl: v.SMTP_URL,
		operatorEmail: v.OPERATOR_EMAIL ?? v.SHOP_EMAIL,
		technicalContact: v.TECHNICAL_CONTACT,
		vapid: v.VAPID_PUBLIC_KEY && v.VAPID_PRIVATE_KEY ? { publicKey: v.VAPID_PUBLIC_KEY, privateKey: v.VAPID_PRIVATE_KEY } : undefined,
		refundApprovalCents: v.REFUND_APPROVAL_CENTS,
		mailFrom: v.MAIL_FROM === undefined ? { name: v.SHOP_NAME, address: v.SHOP_EMAIL } : parseMailSender(v.MAIL_FROM),
		orderLimits: v.ORDER_LIMITS,
		readLimits: v.READ_LIMITS,
		accountNumbers: v.ACCOUNT_NUMBERS,
		addressApiUrl: v.ADDRESS_API_URL,
		insee: { base: v.INSEE_API_BASE.replace(endSlashes, ""), key: v.INSEE_API_KEY },
		bulletin: { base: v.BODACC_API_BASE.replace(endSlashes, "") },
		openingHours: v.OPENING_HOURS,
		officialPrice: {
			cents: v.OFFICIAL_PRICE_CENTS,
			tax: v.OFFICIAL_PRICE_TAX,
			date: v.OFFICIAL_PRICE_DATE,
			checked: v.OFFICIAL_PRICE_CHECKED,
			source: v.OFFICIAL_PRICE_SOURCE,
		},
		invoices: { vatOnDebits: v.INVOICE_VAT_ON_DEBITS === "yes", latePenalty: v.INVOICE_LATE_PENALTY },
		metricsToken: v.METRICS_TOKEN,
		metricsPort: v.METRICS_PORT,
		metricsHost: v.METRICS_HOST ?? v.HOST,
		tracesEndpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(endSlashes, ""),
		shop: {
			name: v.SHOP_NAME,
			legalEntity: v.SHOP_LEGAL_ENTITY,
			address: v.SHOP_ADDRESS,
			siren: v.SHOP_SIREN,
			rcs: v.SHOP_RCS,
			vat: v.SHOP_VAT,
			phone: v.SHOP_PHONE,
			email: v.SHOP_EMAIL,
			supportHours: v.SHOP_SUPPORT_HOURS,
			mediator: v.SHOP_MEDIATOR,
			host: v.SHOP_HOST,
			publisher: v.SHOP_PUBLISHER,
			backups: v.SHOP_BACKUPS,
		},
		// in the demo a person reads the terminal
		logLevel: v.LOG_LEVEL ?? (v.APP_ENV === "production" ? "info" : "warn"),
	};
}

/** Reads this process's environment, or exits with a list of the problems. */
export function readEnvironment(): Environment {
	const result = parseEnvironment(process.env);
	if (result.ok) return result.environment;
	console.error(`The shop cannot start:\n${result.problems.map((problem) => `  - ${problem}`).join("\n")}\n`);
	process.exit(2);
}
