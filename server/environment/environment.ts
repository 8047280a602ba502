import { isKeyOf } from "../types/objects.ts";
import { incomplete, isLiveKey, refusedInDemo, refusedInProduction } from "./combined-settings.ts";
import { findInsecureSettings, isLoopback } from "./insecure-settings.ts";
import { defaultReadLimits, type LimitSettings, parseLimits, type ReadLimitSettings } from "./limit-settings.ts";
import type { ShopIdentity } from "./shop-identity.ts";
import { defaultOrderLimits, examples, variables } from "./variables.ts";

/**
 * The only reader of environment variables. Every variable is optional in the demo;
 * `.env.example` explains each one.
 */

export interface Environment {
	production: boolean;
	host: string;
	port: number;
	/** Without a trailing slash. */
	baseUrl: string;
	/** How many proxies of ours a request passes. */
	trustedProxies: number;
	/** How long the health check fails before a process that is asked to stop does so. */
	drainSeconds: number;
	dataDir: string;
	/** Where backups arrive as files, for the doctor to see their age. */
	backupDir: string | undefined;
	databaseUrl: string | undefined;
	/** A streaming replica of that database, for searches and company pages. */
	databaseReadUrl: string | undefined;
	/** First signs, all verify. Empty in a demo that was given none: main.ts makes and keeps one. */
	secrets: string[];
	/** Encrypt the copies of orders, before `secrets` do: the first encrypts, all decrypt. Empty where `secrets` do both. */
	orderCopyKeys: string[];
	/** Undefined: the sandbox stands in for it. `apiBase`: another host than Stripe's, for tests. */
	stripe: { secretKey: string; webhookSecret: string; apiBase: string | undefined; live: boolean } | undefined;
	issuer: "specimen" | "manual";
	/** Undefined: documents are kept below `dataDir`. Without an endpoint it is Amazon's own. */
	s3: { endpoint: string | undefined; region: string; bucket: string; accessKeyId: string; secretAccessKey: string } | undefined;
	smtpUrl: string | undefined;
	mailFrom: string;
	/** How many orders an hour a client, a mailbox and the whole shop may make; null: as many as they like. */
	orderLimits: LimitSettings<keyof typeof defaultOrderLimits>;
	addressApiUrl: string | undefined;
	/** INSEE's API Sirene, for the daily changes; the base is without a trailing slash. */
	insee: { base: string; key: string | undefined };
	openingHours: string;
	officialPrice: { cents: number; date: string; source: string };
	invoices: { vatOnDebits: boolean; latePenalty: string };
	/** What one client may read in a minute; null in a demo that counts nothing. */
	readLimits: ReadLimitSettings;
	/** Opens /metrics to whoever sends it as a bearer token. */
	metricsToken: string | undefined;
	/** Opens /metrics on a port of its own beside. */
	metricsPort: number | undefined;
	/** Where that port listens. */
	metricsHost: string;
	/** Where traces are sent (OTLP over HTTP), without a trailing slash. */
	tracesEndpoint: string | undefined;
	shop: ShopIdentity;
	logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/**
 * Checks the variables of a process.
 * @returns the environment, or every problem at once: variable, what is wrong, an example.
 */
export function parseEnvironment(
	raw: Record<string, string | undefined>,
): { ok: true; environment: Environment } | { ok: false; problems: string[] } {
	// an empty variable is an unset one, as in a filled-in copy of .env.example
	const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined && value.trim() !== ""));
	const parsed = variables.safeParse(given);
	if (!parsed.success) {
		return {
			ok: false,
			problems: parsed.error.issues.map((issue) => {
				const name = String(issue.path[0]);
				const wrong = issue.message.includes("pattern") ? "it has not the expected form" : issue.message;
				return `${name} is not valid (${wrong}). Example: ${(isKeyOf(examples, name) ? examples[name] : undefined) ?? "any text"}`;
			}),
		};
	}
	const v = parsed.data;
	const baseUrl = (v.BASE_URL ?? `http://localhost:${v.PORT}`).replace(/\/+$/, "");
	const secrets = partsOf(v.APP_SECRET);
	const orderCopyKeys = partsOf(v.ORDER_COPY_KEY);
	const orderLimits = parseLimits(v.ORDER_LIMITS, defaultOrderLimits);
	const readLimits = parseLimits(v.READ_LIMITS, defaultReadLimits);
	const problems = [
		...(orderLimits.ok ? [] : [`ORDER_LIMITS is not valid (${orderLimits.problem}). Example: ${examples.ORDER_LIMITS}`]),
		...(readLimits.ok ? [] : [`READ_LIMITS is not valid (${readLimits.problem}). Example: ${examples.READ_LIMITS}`]),
		...(secrets.some((s) => s.length < 32) ? [`APP_SECRET has a part of less than 32 characters. Example: ${examples.APP_SECRET}`] : []),
		...(orderCopyKeys.some((s) => s.length < 32)
			? [`ORDER_COPY_KEY has a part of less than 32 characters. Example: ${examples.ORDER_COPY_KEY}`]
			: []),
		...incomplete(v),
		...(v.METRICS_PORT && !v.METRICS_TOKEN && !isLoopback(v.METRICS_HOST ?? v.HOST)
			? [`METRICS_TOKEN is not set, and METRICS_PORT opens the figures of the shop beyond this machine. Example: ${examples.METRICS_TOKEN}`]
			: []),
		...(v.METRICS_PORT === v.PORT ? [`METRICS_PORT is the same as PORT. Example: ${examples.METRICS_PORT}`] : []),
		...(v.APP_ENV === "production"
			? [...refusedInProduction(v, baseUrl, given), ...findInsecureSettings(v, { APP_SECRET: secrets, ORDER_COPY_KEY: orderCopyKeys })]
			: refusedInDemo(v)),
	];
	if (problems.length > 0 || !orderLimits.ok || !readLimits.ok) return { ok: false, problems };
	return {
		ok: true,
		environment: {
			production: v.APP_ENV === "production",
			host: v.HOST,
			port: v.PORT,
			baseUrl,
			trustedProxies: v.TRUSTED_PROXIES,
			drainSeconds: v.DRAIN_SECONDS ?? (v.TRUSTED_PROXIES > 0 ? 5 : 0),
			dataDir: v.DATA_DIR,
			backupDir: v.BACKUP_DIR,
			databaseUrl: v.DATABASE_URL,
			databaseReadUrl: v.DATABASE_READ_URL,
			secrets,
			orderCopyKeys,
			stripe:
				v.STRIPE_SECRET_KEY && v.STRIPE_WEBHOOK_SECRET
					? {
							secretKey: v.STRIPE_SECRET_KEY,
							webhookSecret: v.STRIPE_WEBHOOK_SECRET,
							apiBase: v.STRIPE_API_BASE?.replace(/\/+$/, ""),
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
			mailFrom: v.MAIL_FROM ?? `${v.SHOP_NAME} <${v.SHOP_EMAIL}>`,
			orderLimits: orderLimits.limits,
			addressApiUrl: v.ADDRESS_API_URL,
			insee: { base: v.INSEE_API_BASE.replace(/\/+$/, ""), key: v.INSEE_API_KEY },
			openingHours: v.OPENING_HOURS,
			officialPrice: { cents: v.OFFICIAL_PRICE_CENTS, date: v.OFFICIAL_PRICE_DATE, source: v.OFFICIAL_PRICE_SOURCE },
			invoices: { vatOnDebits: v.INVOICE_VAT_ON_DEBITS === "yes", latePenalty: v.INVOICE_LATE_PENALTY },
			readLimits: readLimits.limits,
			metricsToken: v.METRICS_TOKEN,
			metricsPort: v.METRICS_PORT,
			metricsHost: v.METRICS_HOST ?? v.HOST,
			tracesEndpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ""),
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
			},
			// in the demo the terminal is a person’s, not a collector’s
			logLevel: v.LOG_LEVEL ?? (v.APP_ENV === "production" ? "info" : "warn"),
		},
	};
}

/** « new,old » → both. */
const partsOf = (list = "") =>
	list
		.split(",")
		.map((part) => part.trim())
		.filter(Boolean);

/** Reads this process's environment, or ends it with the list of what to mend. */
export function readEnvironment(): Environment {
	const result = parseEnvironment(process.env);
	if (result.ok) return result.environment;
	console.error(`The shop cannot start:\n${result.problems.map((problem) => `  - ${problem}`).join("\n")}\n`);
	process.exit(1);
}
