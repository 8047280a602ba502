import pg from "pg";
import { z } from "zod";
import { splitHosts } from "../database/primary.ts";
import { calculateVatKey, passesLuhn } from "../types/check-digits.ts";
import { getErrorCode } from "../types/errors.ts";
import { typedEntries, typedFromEntries } from "../types/objects.ts";
import { formatAccountNumbers, parseAccountNumbers } from "./account-settings.ts";
import { defaultReadLimits, formatLimits, parseLimits } from "./limit-settings.ts";
import { placeholderIdentity } from "./shop-identity.ts";

const cents = z.coerce.number().int().min(0);
const isoDate = z.iso.date();
const openingHours = z
	.string()
	.regex(/^(Mo|Tu|We|Th|Fr|Sa|Su)(-(Mo|Tu|We|Th|Fr|Sa|Su))? ([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
	.refine((text) => text.slice(-11, -6) < text.slice(-5), "it opens after it closes");

const bulletinApiBase = "https://bodacc-datadila.opendatasoft.com/api/explore/v2.1/catalog/datasets/annonces-commerciales";

/** A host name or an IP address. */
const host = z.string().regex(/^[\w.:-]+$/);

const httpUrl = z.url({ protocol: /^https?$/ });

/** The driver parses the URL, and reads the files that it names. */
const databaseUrl = z
	.string()
	.regex(/^postgres(ql)?:\/\//, { abort: true })
	.superRefine((url, context) => {
		for (const connectionString of splitHosts(url))
			try {
				new pg.Client({ connectionString });
			} catch (error) {
				// such as ENOENT, when the file of sslrootcert does not exist
				return context.addIssue(`it cannot be used: ${getErrorCode(error) ?? "malformed"}`);
			}
	});

/** One secret, or « new,old ». */
const secrets = z
	.string()
	.transform((list) =>
		list
			.split(",")
			.map((part) => part.trim())
			.filter(Boolean),
	)
	.refine((parts) => parts.length > 0 && parts.every((part) => part.length >= 32), "it has a part of less than 32 characters");

/** A setting with its own parser, for which undefined means the defaults. */
const parsedBy = <Value>(parse: (text: string | undefined) => { ok: true; value: Value } | { ok: false; problem: string }) =>
	z
		.string()
		.optional()
		.transform((text, context) => {
			const parsed = parse(text);
			if (parsed.ok) return parsed.value;
			context.addIssue(parsed.problem);
			return z.NEVER;
		});

const withoutSpaces = (text: string) => text.replace(/\s/g, "");

/** Texts of the seller that have a form. */
const identityForms: Partial<Record<keyof typeof placeholderIdentity, z.ZodType<string, string>>> = {
	SHOP_SIREN: z
		.string()
		.trim()
		.refine((text) => /^\d{9}$/.test(withoutSpaces(text)), { error: "it has not nine digits", abort: true })
		.refine((text) => passesLuhn(withoutSpaces(text)), "its check digit is wrong"),
	// some keys have letters and are not calculated (European Commission, VIES)
	SHOP_VAT: z
		.string()
		.trim()
		.refine((text) => /^FR[A-HJ-NP-Z\d]{2}\d{9}$/.test(withoutSpaces(text)), { error: "it has not the form FR, key, SIREN", abort: true })
		.refine((text) => {
			const [, key = "", siren = ""] = /^FR(..)(.*)$/.exec(withoutSpaces(text)) ?? [];
			return passesLuhn(siren) && (/\D/.test(key) || key === calculateVatKey(siren));
		}, "its key does not fit its SIREN"),
	SHOP_RCS: z
		.string()
		.trim()
		.regex(/^RCS\s+\S/),
	SHOP_PHONE: z
		.string()
		.trim()
		.regex(/^\+?[\d\s.-]{4,20}$/),
	SHOP_EMAIL: z.string().trim().pipe(z.email()),
};

/** A URL with several hosts must ask for the primary explicitly. */
const multiHostDatabaseUrl = databaseUrl.refine(
	(url) => splitHosts(url).length === 1 || /[?&]target_session_attrs=(read-write|primary)(&|$)/.test(url),
	"several hosts need ?target_session_attrs=read-write",
);
const singleHostDatabaseUrl = databaseUrl.refine((url) => splitHosts(url).length === 1, "it names several hosts");

export const defaultOrderLimits = { client: 30, mailbox: 10, shop: 600 } as const;

/** The form and the default of each variable. */
export const variables = z.object({
	APP_ENV: z.enum(["demo", "production"]).default("demo"),
	HOST: host.default("127.0.0.1"),
	PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
	BASE_URL: httpUrl.optional(),
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
	APP_SECRET: secrets.default([]),
	PASSWORD_HASHING: z.enum(["slow", "fast"]).default("slow"),
	ORDER_COPY_KEY: secrets.default([]),
	STRIPE_SECRET_KEY: z
		.string()
		.regex(/^(sk|rk)_(test|live)_/)
		.optional(),
	STRIPE_WEBHOOK_SECRET: z
		.string()
		.regex(/^whsec_\S+$/)
		.optional(),
	STRIPE_API_BASE: httpUrl.optional(),
	ISSUER: z.enum(["specimen", "manual"]).optional(),
	SMTP_URL: z
		.string()
		.regex(/^smtps?:\/\//, { abort: true })
		.refine((url) => URL.canParse(url) && new URL(url).hostname !== "", "it names no host")
		.optional(),
	// an address, or a name and an address
	MAIL_FROM: z
		.string()
		.regex(/^([^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/)
		.optional(),
	OPERATOR_EMAIL: z.email().optional(),
	TECHNICAL_CONTACT: z.string().max(120).optional(),
	// a point of P-256 and its scalar, in base64url (RFC 8292, 3.2)
	VAPID_PUBLIC_KEY: z
		.string()
		.regex(/^B[\w-]{86}$/)
		.optional(),
	VAPID_PRIVATE_KEY: z
		.string()
		.regex(/^[\w-]{43}$/)
		.optional(),
	S3_ENDPOINT: httpUrl.optional(),
	S3_REGION: z.string().default("us-east-1"),
	S3_BUCKET: z.string().min(3).optional(),
	S3_ACCESS_KEY_ID: z.string().optional(),
	S3_SECRET_ACCESS_KEY: z.string().optional(),
	ORDER_LIMITS: parsedBy((text) => parseLimits(text, defaultOrderLimits)),
	ADDRESS_API_URL: httpUrl.optional(),
	INSEE_API_KEY: z
		.string()
		.trim()
		.regex(/^[\x21-\x7e]+$/)
		.optional(),
	INSEE_API_BASE: httpUrl.default("https://api.insee.fr/api-sirene/3.11"),
	BODACC_API_BASE: httpUrl.default(bulletinApiBase),
	OPENING_HOURS: openingHours.default("Mo-Fr 08:00-18:00"),
	OFFICIAL_PRICE_CENTS: cents.default(320),
	OFFICIAL_PRICE_DATE: isoDate.default("2025-01-01"),
	OFFICIAL_PRICE_TAX: z.enum(["TTC", "HT"]).default("TTC"),
	OFFICIAL_PRICE_CHECKED: isoDate.optional(),
	OFFICIAL_PRICE_SOURCE: z.string().default("tarif des greffes des tribunaux de commerce"),
	INVOICE_VAT_ON_DEBITS: z.enum(["yes", "no"]).default("no"),
	INVOICE_LATE_PENALTY: z.string().min(3).default("trois fois le taux d’intérêt légal"),
	ACCOUNT_NUMBERS: parsedBy(parseAccountNumbers),
	// more than the dearest order: one person refunds any order, a second one approves what is none
	REFUND_APPROVAL_CENTS: cents.default(10_000),
	READ_LIMITS: parsedBy((text) => parseLimits(text, defaultReadLimits)),
	METRICS_TOKEN: z
		.string()
		.regex(/^[\x21-\x7e]{32,}$/)
		.optional(),
	METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
	METRICS_HOST: host.optional(),
	OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
	LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
	...typedFromEntries(
		typedEntries(placeholderIdentity).map(([name, value]) => [name, (identityForms[name] ?? z.string().trim()).default(value)] as const),
	),
	// the period is part of what a privacy policy says (GDPR, article 13(2)(a))
	SHOP_BACKUPS: z
		.string()
		.trim()
		.regex(/\b\d+\s+jours\b/, "it does not say after how many « jours » backups are deleted")
		.transform((text) => text.replace(/\.$/, ""))
		.optional(),
});

export type Variables = z.infer<typeof variables>;

/** Examples for messages about invalid variables. */
export const examples: Partial<Record<keyof Variables, string>> = {
	APP_ENV: "demo or production",
	HOST: "127.0.0.1",
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
	INVOICE_LATE_PENALTY: "12 % l’an",
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
	OFFICIAL_PRICE_TAX: "TTC",
	OFFICIAL_PRICE_CHECKED: "2026-11-27",
	ACCOUNT_NUMBERS: formatAccountNumbers({ sales: "706100", bank: "512001" }),
	REFUND_APPROVAL_CENTS: "10000",
	READ_LIMITS: formatLimits(defaultReadLimits),
	METRICS_TOKEN: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	METRICS_PORT: "9464",
	METRICS_HOST: "127.0.0.1",
	OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
	LOG_LEVEL: "info",
	MAIL_FROM: "Extraits <commandes@example.fr>",
	TECHNICAL_CONTACT: "Ada Martin, 06 12 34 56 78",
	SHOP_LEGAL_ENTITY: "Extraits & Cie, SAS au capital de 1 000 €",
	SHOP_SIREN: "732 829 320",
	SHOP_RCS: "RCS Nantes",
	SHOP_VAT: "FR44 732829320",
	SHOP_PHONE: "02 40 00 00 00",
	SHOP_EMAIL: "contact@example.fr",
	SHOP_BACKUPS: "chiffrées, conservées dans l’Union européenne et supprimées au bout de 35 jours au plus",
};
