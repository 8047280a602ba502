import { z } from "zod";
import { splitHosts } from "../database/primary.ts";
import { formatAccountNumbers } from "./account-settings.ts";
import { defaultReadLimits, formatLimits } from "./limit-settings.ts";
import { placeholderIdentity } from "./shop-identity.ts";

const cents = z.coerce.number().int().min(0);
const isoDate = z.iso.date();
const openingHours = z
	.string()
	.regex(/^(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? ([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
	.refine((text) => text.slice(-11, -6) < text.slice(-5), "it opens after it closes");

const bulletinApiBase = "https://bodacc-datadila.opendatasoft.com/api/explore/v2.1/catalog/datasets/annonces-commerciales";

const databaseUrl = z.string().regex(/^postgres(ql)?:\/\//);

/** A URL with several hosts must ask for the primary explicitly. */
const multiHostDatabaseUrl = databaseUrl.refine(
	(url) => splitHosts(url).length === 1 || /[?&]target_session_attrs=(read-write|primary)(&|$)/.test(url),
	"several hosts need ?target_session_attrs=read-write",
);
const singleHostDatabaseUrl = databaseUrl.refine((url) => splitHosts(url).length === 1, "it names several hosts");

/** The form and the default of each variable. */
export const variables = z.object({
	APP_ENV: z.enum(["demo", "production"]).default("demo"),
	HOST: z.string().default("127.0.0.1"),
	PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
	BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
	DESK_HOST: z
		.string()
		.regex(/^[a-z0-9.-]+(:\d+)?$/)
		.optional(),
	TRUSTED_PROXIES: z.coerce.number().int().min(0).max(9).default(0),
	DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
	DATA_DIR: z.string().default(".data"),
	BACKUP_DIR: z.string().optional(),
	DATABASE_URL: multiHostDatabaseUrl.optional(),
	DATABASE_READ_URL: singleHostDatabaseUrl.optional(),
	APP_SECRET: z.string().min(32).optional(),
	PASSWORD_HASHING: z.enum(["slow", "fast"]).default("slow"),
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
	OPERATOR_EMAIL: z.email().optional(),
	TECHNICAL_CONTACT: z.string().max(120).optional(),
	VAPID_PUBLIC_KEY: z
		.string()
		.regex(/^[\w-]{80,100}$/)
		.optional(),
	VAPID_PRIVATE_KEY: z
		.string()
		.regex(/^[\w-]{40,50}$/)
		.optional(),
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
	BODACC_API_BASE: z.url({ protocol: /^https?$/ }).default(bulletinApiBase),
	OPENING_HOURS: openingHours.default("Mo-Fr 08:00-18:00"),
	OFFICIAL_PRICE_CENTS: cents.default(320),
	OFFICIAL_PRICE_DATE: isoDate.default("2025-01-01"),
	OFFICIAL_PRICE_SOURCE: z.string().default("tarif des greffes des tribunaux de commerce"),
	INVOICE_VAT_ON_DEBITS: z.enum(["yes", "no"]).default("no"),
	INVOICE_LATE_PENALTY: z.string().min(3).default("trois fois le taux d’intérêt légal"),
	ACCOUNT_NUMBERS: z.string().optional(),
	// more than the dearest order: one person refunds any order, a second one approves what is none
	REFUND_APPROVAL_CENTS: cents.default(10_000),
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

export const defaultOrderLimits = { client: 30, mailbox: 10, shop: 600 } as const;

export type Variables = z.infer<typeof variables>;

/** Examples for messages about invalid variables. */
export const examples: Partial<Record<keyof Variables, string>> = {
	APP_ENV: "demo or production",
	PORT: "3000",
	TRUSTED_PROXIES: "1",
	DRAIN_SECONDS: "5",
	BASE_URL: "https://www.example.fr",
	DESK_HOST: "bureau.example.fr",
	DATABASE_URL: "postgres://user:password@host:5432/shop",
	DATABASE_READ_URL: "postgres://user:password@replica:5432/shop",
	APP_SECRET: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	ORDER_COPY_KEY: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	PASSWORD_HASHING: "slow",
	STRIPE_SECRET_KEY: "sk_test_…",
	STRIPE_WEBHOOK_SECRET: "whsec_…",
	STRIPE_API_BASE: "http://127.0.0.1:12111",
	ISSUER: "manual",
	S3_ENDPOINT: "https://s3.example.fr",
	S3_BUCKET: "extraits",
	INVOICE_VAT_ON_DEBITS: "yes",
	OPERATOR_EMAIL: "commandes@example.fr",
	VAPID_PUBLIC_KEY: "the public key of: npx web-push generate-vapid-keys",
	VAPID_PRIVATE_KEY: "the private key of: npx web-push generate-vapid-keys",
	SMTP_URL: "smtps://user:password@smtp.example.fr",
	ORDER_LIMITS: formatLimits(defaultOrderLimits),
	ADDRESS_API_URL: "https://data.geopf.fr/geocodage/search",
	INSEE_API_KEY: "the key shown on https://portail-api.insee.fr",
	INSEE_API_BASE: "https://api.insee.fr/api-sirene/3.11",
	BODACC_API_BASE: bulletinApiBase,
	OPENING_HOURS: "Mo-Fr 08:00-18:00",
	OFFICIAL_PRICE_CENTS: "320",
	OFFICIAL_PRICE_DATE: "2025-01-01",
	ACCOUNT_NUMBERS: formatAccountNumbers({ sales: "706100", bank: "512001" }),
	REFUND_APPROVAL_CENTS: "10000",
	READ_LIMITS: formatLimits(defaultReadLimits),
	METRICS_TOKEN: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	METRICS_PORT: "9464",
	OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
};
