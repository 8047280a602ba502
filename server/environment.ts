import { z } from "zod";
import { findInsecureSettings, isLoopback } from "./insecure-settings.ts";
import { formatLimits, type LimitSettings, parseLimits } from "./limit-settings.ts";
import { splitHosts } from "./primary.ts";
import { defaultReadLimits, type ReadLimitSettings } from "./read-limits.ts";
import { placeholderIdentity, type ShopIdentity } from "./shop-identity.ts";

/**
 * The only reader of environment variables. Every variable is optional in the demo;
 * `.env.example` explains each one.
 */

const cents = z.coerce.number().int().min(0);
const day = z.iso.date();
const openingHours = z
	.string()
	.regex(/^(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? ([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
	.refine((text) => text.slice(-11, -6) < text.slice(-5), "it opens after it closes");

const databaseUrl = z.string().regex(/^postgres(ql)?:\/\//);

/** With several hosts, the one that takes writes is looked for: whoever names them must say that it is meant. */
const databaseUrlOfHosts = databaseUrl.refine(
	(url) => splitHosts(url).length === 1 || /[?&]target_session_attrs=(read-write|primary)(&|$)/.test(url),
	"several hosts need ?target_session_attrs=read-write",
);
const databaseUrlOfOneHost = databaseUrl.refine((url) => splitHosts(url).length === 1, "it names several hosts");

const variables = z.object({
	APP_ENV: z.enum(["demo", "production"]).default("demo"),
	HOST: z.string().default("127.0.0.1"),
	PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
	BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
	TRUSTED_PROXIES: z.coerce.number().int().min(0).max(9).default(0),
	DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
	DATA_DIR: z.string().default(".data"),
	BACKUP_DIR: z.string().optional(),
	DATABASE_URL: databaseUrlOfHosts.optional(),
	DATABASE_READ_URL: databaseUrlOfOneHost.optional(),
	APP_SECRET: z.string().min(32).optional(),
	ORDER_COPY_KEY: z.string().min(32).optional(),
	STRIPE_SECRET_KEY: z
		.string()
		.regex(/^(sk|rk)_(test|live)_/)
		.optional(),
	STRIPE_WEBHOOK_SECRET: z
		.string()
		.regex(/^whsec_\S+$/)
		.optional(),
	STRIPE_API_BASE: z.url({ protocol: /^https?$/ }).optional(),
	ISSUER: z.enum(["specimen", "manual"]).optional(),
	SMTP_URL: z
		.string()
		.regex(/^smtps?:\/\//)
		.optional(),
	MAIL_FROM: z.string().min(3).optional(),
	S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
	S3_REGION: z.string().default("us-east-1"),
	S3_BUCKET: z.string().min(3).optional(),
	S3_ACCESS_KEY_ID: z.string().optional(),
	S3_SECRET_ACCESS_KEY: z.string().optional(),
	ORDER_LIMITS: z.string().optional(),
	ADDRESS_API_URL: z.url({ protocol: /^https?$/ }).optional(),
	INSEE_API_KEY: z
		.string()
		.trim()
		.regex(/^[\x21-\x7e]+$/)
		.optional(),
	INSEE_API_BASE: z.url({ protocol: /^https?$/ }).default("https://api.insee.fr/api-sirene/3.11"),
	OPENING_HOURS: openingHours.default("Mo-Fr 08:00-18:00"),
	OFFICIAL_PRICE_CENTS: cents.default(320),
	OFFICIAL_PRICE_DATE: day.default("2025-01-01"),
	OFFICIAL_PRICE_SOURCE: z.string().default("tarif des greffes des tribunaux de commerce"),
	INVOICE_VAT_ON_DEBITS: z.enum(["yes", "no"]).default("no"),
	INVOICE_LATE_PENALTY: z.string().min(3).default("trois fois le taux d’intérêt légal"),
	READ_LIMITS: z.string().optional(),
	METRICS_TOKEN: z
		.string()
		.regex(/^[\x21-\x7e]{32,}$/)
		.optional(),
	METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
	METRICS_HOST: z.string().optional(),
	OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
	LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
	...(Object.fromEntries(Object.entries(placeholderIdentity).map(([name, value]) => [name, z.string().trim().default(value)])) as {
		[Name in keyof typeof placeholderIdentity]: z.ZodDefault<z.ZodString>;
	}),
});

const defaultOrderLimits = { client: 30, mailbox: 10, shop: 600 } as const;

const examples: Partial<Record<keyof z.infer<typeof variables>, string>> = {
	APP_ENV: "demo or production",
	PORT: "3000",
	TRUSTED_PROXIES: "1",
	DRAIN_SECONDS: "5",
	BASE_URL: "https://www.example.fr",
	DATABASE_URL: "postgres://user:password@host:5432/shop",
	DATABASE_READ_URL: "postgres://user:password@replica:5432/shop",
	APP_SECRET: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	ORDER_COPY_KEY: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	STRIPE_SECRET_KEY: "sk_test_…",
	STRIPE_WEBHOOK_SECRET: "whsec_…",
	STRIPE_API_BASE: "http://127.0.0.1:12111",
	ISSUER: "manual",
	S3_ENDPOINT: "https://s3.example.fr",
	S3_BUCKET: "extraits",
	INVOICE_VAT_ON_DEBITS: "yes",
	SMTP_URL: "smtps://user:password@smtp.example.fr",
	ORDER_LIMITS: formatLimits(defaultOrderLimits),
	ADDRESS_API_URL: "https://data.geopf.fr/geocodage/search",
	INSEE_API_KEY: "the key shown on https://portail-api.insee.fr",
	INSEE_API_BASE: "https://api.insee.fr/api-sirene/3.11",
	OPENING_HOURS: "Mo-Fr 08:00-18:00",
	OFFICIAL_PRICE_CENTS: "320",
	OFFICIAL_PRICE_DATE: "2025-01-01",
	READ_LIMITS: formatLimits(defaultReadLimits),
	METRICS_TOKEN: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	METRICS_PORT: "9464",
	OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
};

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
				const name = String(issue.path[0]) as keyof typeof examples;
				const wrong = issue.message.includes("pattern") ? "it has not the expected form" : issue.message;
				return `${name} is not valid (${wrong}). Example: ${examples[name] ?? "any text"}`;
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

type Variables = z.infer<typeof variables>;

/** « new,old » → both. */
const partsOf = (list = "") =>
	list
		.split(",")
		.map((part) => part.trim())
		.filter(Boolean);

const isLiveKey = (v: Variables) => /^(sk|rk)_live_/.test(v.STRIPE_SECRET_KEY ?? "");

/** A demo takes nobody's money and pretends nothing: see docs/decisions. */
function refusedInDemo(v: Variables): string[] {
	return isLiveKey(v) ? ["STRIPE_SECRET_KEY is a live key outside production: nobody may pay for a specimen. Example: sk_test_…"] : [];
}

/** A real shop may have the demo's name and hours, but must say so. The legal identity beside them proves that somebody filled it in. */
const sharedWithDemo = { SHOP_NAME: "every page bears it", SHOP_SUPPORT_HOURS: "every page promises it" } as const;

function refusedInProduction(v: Variables, baseUrl: string, given: Record<string, string | undefined>): string[] {
	return [
		...Object.entries(placeholderIdentity)
			.filter(([name, value]) => v[name as keyof typeof placeholderIdentity] === value && !(name in sharedWithDemo))
			.map(([name, value]) => `${name} still holds its placeholder « ${value} »: set the real one.`),
		...Object.entries(sharedWithDemo)
			.filter(([name]) => !given[name])
			.map(([name, why]) => `${name} is not set: ${why}. Example: ${placeholderIdentity[name as keyof typeof sharedWithDemo]}`),
		...(v.STRIPE_SECRET_KEY ? [] : ["STRIPE_SECRET_KEY is not set: production does not take sandbox payments. Example: sk_live_…"]),
		...(v.STRIPE_SECRET_KEY && !isLiveKey(v) && !v.STRIPE_API_BASE
			? ["STRIPE_SECRET_KEY is a test key: anybody could order with a test card. Example: sk_live_…"]
			: []),
		...(v.ISSUER === "manual"
			? []
			: ["ISSUER is not « manual »: production does not sell the specimen issuer’s specimens. Example: manual"]),
		...(v.READ_LIMITS?.trim() === "off"
			? [`READ_LIMITS is off: anybody could take all of the processor. Example: ${examples.READ_LIMITS}`]
			: []),
		...(v.SMTP_URL ? [] : [`SMTP_URL is not set: production must send its mails. Example: ${examples.SMTP_URL}`]),
		...(v.APP_SECRET ? [] : [`APP_SECRET is not set: it signs links and cookies. Example: ${examples.APP_SECRET}`]),
		...(v.ORDER_LIMITS?.trim() === "off"
			? [`ORDER_LIMITS is off: production limits how often anybody may order. Example: ${examples.ORDER_LIMITS}`]
			: []),
		...(baseUrl.startsWith("https://") ? [] : [`BASE_URL is not https: ${baseUrl}. Example: ${examples.BASE_URL}`]),
	];
}

/** Settings that mean nothing, or something else than was meant, without another one. */
const together = [
	["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "whsec_…, shown beside the webhook in Stripe’s dashboard"],
	["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY", "sk_test_…"],
	["STRIPE_API_BASE", "STRIPE_SECRET_KEY", "sk_test_…"],
	["S3_BUCKET", "S3_ACCESS_KEY_ID", "the identifier of a key that may read and write the bucket"],
	["S3_BUCKET", "S3_SECRET_ACCESS_KEY", "the secret of that key"],
	["S3_ENDPOINT", "S3_BUCKET", "extraits"],
	["S3_ACCESS_KEY_ID", "S3_BUCKET", "extraits"],
] as const;

/** Better a start refused than a setting silently ignored. */
function incomplete(v: Variables): string[] {
	const missing = together.filter(([set, needed]) => v[set] && !v[needed]);
	// one sentence for each missing variable, whatever needs it
	return missing
		.filter(([, needed], i) => missing.findIndex((other) => other[1] === needed) === i)
		.map(([set, needed, example]) => `${needed} is not set, and ${set} needs it. Example: ${example}`);
}

/** Reads this process's environment, or ends it with the list of what to mend. */
export function readEnvironment(): Environment {
	const result = parseEnvironment(process.env);
	if (result.ok) return result.environment;
	console.error(`The shop cannot start:\n${result.problems.map((problem) => `  - ${problem}`).join("\n")}\n`);
	process.exit(1);
}
