import { z } from "zod";

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

const placeholder = {
	SHOP_NAME: "ExtraitPro",
	SHOP_LEGAL_ENTITY: "ExtraitPro, société de démonstration (fictive)",
	SHOP_ADDRESS: "1 rue de l’Exemple, 00000 Démoville",
	SHOP_SIREN: "000 000 000",
	SHOP_VAT: "FR00 000000000",
	SHOP_PHONE: "01 99 00 00 00",
	SHOP_EMAIL: "contact@extraitpro.example",
	SHOP_SUPPORT_HOURS: "7j/7, 8h-20h",
	SHOP_MEDIATOR: "Médiateur de démonstration (fictif), mediateur.example",
	SHOP_HOST: "Hébergeur de démonstration (fictif)",
} as const;

const variables = z.object({
	APP_ENV: z.enum(["demo", "production"]).default("demo"),
	HOST: z.string().min(1).default("127.0.0.1"),
	PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
	BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
	DATA_DIR: z.string().min(1).default(".data"),
	DATABASE_URL: z
		.string()
		.regex(/^postgres(ql)?:\/\//)
		.optional(),
	APP_SECRET: z.string().min(32).optional(),
	STRIPE_SECRET_KEY: z
		.string()
		.regex(/^(sk|rk)_(test|live)_/)
		.optional(),
	SMTP_URL: z
		.string()
		.regex(/^smtps?:\/\//)
		.optional(),
	MAIL_FROM: z.string().min(3).optional(),
	S3_BUCKET: z.string().min(3).optional(),
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
	OFFICIAL_PRICE_SOURCE: z.string().min(1).default("tarif des greffes des tribunaux de commerce"),
	LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
	...(Object.fromEntries(Object.entries(placeholder).map(([name, value]) => [name, z.string().trim().min(1).default(value)])) as {
		[Name in keyof typeof placeholder]: z.ZodDefault<z.ZodString>;
	}),
});

const examples: Partial<Record<keyof z.infer<typeof variables>, string>> = {
	APP_ENV: "demo or production",
	PORT: "3000",
	BASE_URL: "https://www.example.fr",
	DATABASE_URL: "postgres://user:password@host:5432/shop",
	APP_SECRET: "at least 32 characters, e.g. the output of: openssl rand -hex 32",
	STRIPE_SECRET_KEY: "sk_test_…",
	SMTP_URL: "smtps://user:password@smtp.example.fr",
	ADDRESS_API_URL: "https://data.geopf.fr/geocodage/search",
	INSEE_API_KEY: "the key shown on https://portail-api.insee.fr",
	INSEE_API_BASE: "https://api.insee.fr/api-sirene/3.11",
	OPENING_HOURS: "Mo-Fr 08:00-18:00",
	OFFICIAL_PRICE_CENTS: "320",
	OFFICIAL_PRICE_DATE: "2025-01-01",
};

export interface Environment {
	production: boolean;
	host: string;
	port: number;
	/** Without a trailing slash. */
	baseUrl: string;
	dataDir: string;
	databaseUrl: string | undefined;
	/** First signs, all verify. Empty in a demo that was given none: main.ts makes and keeps one. */
	secrets: string[];
	smtpUrl: string | undefined;
	mailFrom: string;
	addressApiUrl: string | undefined;
	/** INSEE's API Sirene, for the daily changes; the base is without a trailing slash. */
	insee: { base: string; key: string | undefined };
	openingHours: string;
	officialPrice: { cents: number; date: string; source: string };
	shop: ShopIdentity;
	logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/** Who sells: shown in the header, the footer, the legal pages and the mails. */
export interface ShopIdentity {
	name: string;
	legalEntity: string;
	address: string;
	siren: string;
	vat: string;
	phone: string;
	email: string;
	supportHours: string;
	mediator: string;
	host: string;
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
	const secrets = (v.APP_SECRET ?? "")
		.split(",")
		.map((s) => s.trim())
		.filter(Boolean);
	const problems = [
		...(secrets.some((s) => s.length < 32) ? [`APP_SECRET has a part of less than 32 characters. Example: ${examples.APP_SECRET}`] : []),
		...notBuiltYet(v),
		...(v.APP_ENV === "production" ? refusedInProduction(v, baseUrl) : refusedInDemo(v)),
	];
	if (problems.length > 0) return { ok: false, problems };
	return {
		ok: true,
		environment: {
			production: v.APP_ENV === "production",
			host: v.HOST,
			port: v.PORT,
			baseUrl,
			dataDir: v.DATA_DIR,
			databaseUrl: v.DATABASE_URL,
			secrets,
			smtpUrl: v.SMTP_URL,
			mailFrom: v.MAIL_FROM ?? `${v.SHOP_NAME} <${v.SHOP_EMAIL}>`,
			addressApiUrl: v.ADDRESS_API_URL,
			insee: { base: v.INSEE_API_BASE.replace(/\/+$/, ""), key: v.INSEE_API_KEY },
			openingHours: v.OPENING_HOURS,
			officialPrice: { cents: v.OFFICIAL_PRICE_CENTS, date: v.OFFICIAL_PRICE_DATE, source: v.OFFICIAL_PRICE_SOURCE },
			shop: {
				name: v.SHOP_NAME,
				legalEntity: v.SHOP_LEGAL_ENTITY,
				address: v.SHOP_ADDRESS,
				siren: v.SHOP_SIREN,
				vat: v.SHOP_VAT,
				phone: v.SHOP_PHONE,
				email: v.SHOP_EMAIL,
				supportHours: v.SHOP_SUPPORT_HOURS,
				mediator: v.SHOP_MEDIATOR,
				host: v.SHOP_HOST,
			},
			// in the demo the terminal is a person’s, not a collector’s
			logLevel: v.LOG_LEVEL ?? (v.APP_ENV === "production" ? "info" : "warn"),
		},
	};
}

type Variables = z.infer<typeof variables>;

/** A demo takes nobody's money and pretends nothing: see docs/decisions. */
function refusedInDemo(v: Variables): string[] {
	return /^(sk|rk)_live_/.test(v.STRIPE_SECRET_KEY ?? "")
		? ["STRIPE_SECRET_KEY is a live key outside production: nobody may pay for a specimen. Example: sk_test_…"]
		: [];
}

function refusedInProduction(v: Variables, baseUrl: string): string[] {
	return [
		...Object.entries(placeholder)
			.filter(([name, value]) => v[name as keyof typeof placeholder] === value && name !== "SHOP_SUPPORT_HOURS")
			.map(([name, value]) => `${name} still holds its placeholder « ${value} »: set the real one.`),
		...(v.STRIPE_SECRET_KEY ? [] : ["STRIPE_SECRET_KEY is not set: production does not take sandbox payments. Example: sk_live_…"]),
		"The specimen issuer is the only one: production sells no specimens.",
		...(v.SMTP_URL ? [] : [`SMTP_URL is not set: production must send its mails. Example: ${examples.SMTP_URL}`]),
		...(v.APP_SECRET ? [] : [`APP_SECRET is not set: it signs links and cookies. Example: ${examples.APP_SECRET}`]),
		...(baseUrl.startsWith("https://") ? [] : [`BASE_URL is not https: ${baseUrl}. Example: ${examples.BASE_URL}`]),
	];
}

/** Better a start refused than a setting silently ignored. */
function notBuiltYet(v: Variables): string[] {
	return [
		...(v.STRIPE_SECRET_KEY ? ["STRIPE_SECRET_KEY is set, but this version only has the sandbox payment: unset it."] : []),
		...(v.S3_BUCKET ? ["S3_BUCKET is set, but this version only stores documents on disk: unset it."] : []),
	];
}

/** Reads this process's environment, or ends it with the list of what to mend. */
export function readEnvironment(): Environment {
	const result = parseEnvironment(process.env);
	if (result.ok) return result.environment;
	console.error(`The shop cannot start:\n${result.problems.map((problem) => `  - ${problem}`).join("\n")}\n`);
	process.exit(1);
}
