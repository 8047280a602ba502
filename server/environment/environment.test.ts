import { describe, expect, test, vi } from "vitest";
import { senderNames } from "../../test/sender-names.ts";
import { type Environment, parseEnvironment, readEnvironment } from "./environment.ts";
import { examples, variables } from "./variables.ts";

type Variables = Record<string, string | undefined>;

function read(variables: Variables = {}) {
	const parsed = parseEnvironment(variables);
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	return parsed.environment;
}

function problems(variables: Variables): string[] {
	const parsed = parseEnvironment(variables);
	return parsed.ok ? [] : parsed.problems;
}

const names = (variables: Variables) => problems(variables).map((problem) => problem.split(" ")[0]);
const secret = "4f1d0a9c7be2638f5a04c6d91e7b3f82";

test("the demo needs no settings", () => {
	expect(read()).toMatchObject({
		production: false,
		host: "127.0.0.1",
		port: 3000,
		baseUrl: "http://localhost:3000",
		trustedProxies: 0,
		dataDir: ".data",
		databaseUrl: undefined,
		secrets: [],
		stripe: undefined,
		issuer: "specimen",
		s3: undefined,
		invoices: { vatOnDebits: false },
		smtpUrl: undefined,
		mailFrom: { name: "ExtraitPro", address: "contact@extraitpro.example" },
		addressApiUrl: undefined,
		insee: { base: "https://api.insee.fr/api-sirene/3.11", key: undefined },
		openingHours: "Mo-Fr 08:00-18:00",
		officialPrice: { cents: 320, date: "2025-01-01" },
		shop: { name: "ExtraitPro", supportHours: "7j/7, 8h-20h" },
		logLevel: "warn",
	});
	expect(read({ LOG_LEVEL: "info" }).logLevel).toBe("info");
});

test.each<[string, string, (environment: Environment) => unknown]>([
	["HOST", "0.0.0.0", (environment) => environment.host],
	["TRUSTED_PROXIES", "2", (environment) => String(environment.trustedProxies)],
	["PASSWORD_HASHING", "fast", (environment) => environment.passwordHashing],
	["BACKUP_DIR", "/srv/backups", (environment) => environment.backupDir],
	["TECHNICAL_CONTACT", "Ada Martin, 06 12 34 56 78", (environment) => environment.technicalContact],
	["DATABASE_URL", "postgres://localhost/shop", (environment) => environment.databaseUrl],
	["DATABASE_URL", "postgres://shop@a:5432,b:5432/shop?target_session_attrs=read-write", (environment) => environment.databaseUrl],
	["DATABASE_URL", "postgres://shop@a,b/shop?sslmode=verify-full&target_session_attrs=primary", (environment) => environment.databaseUrl],
	["DATABASE_READ_URL", "postgresql://replica/shop", (environment) => environment.databaseReadUrl],
	["ADDRESS_API_URL", "https://data.geopf.fr/geocodage/search", (environment) => environment.addressApiUrl],
	["OFFICIAL_PRICE_CENTS", "0", (environment) => String(environment.officialPrice.cents)],
	["OFFICIAL_PRICE_DATE", "2026-02-28", (environment) => environment.officialPrice.date],
	["OFFICIAL_PRICE_SOURCE", "arrêté du 1er février", (environment) => environment.officialPrice.source],
	["OFFICIAL_PRICE_TAX", "HT", (environment) => environment.officialPrice.tax],
	["OFFICIAL_PRICE_CHECKED", "2026-11-27", (environment) => environment.officialPrice.checked],
	["INVOICE_VAT_ON_DEBITS", "yes", (environment) => (environment.invoices.vatOnDebits ? "yes" : "no")],
	["INVOICE_LATE_PENALTY", "12 % l’an", (environment) => environment.invoices.latePenalty],
	["SMTP_URL", "smtp://localhost:1025", (environment) => environment.smtpUrl],
	["SHOP_LEGAL_ENTITY", "Extraits, SAS", (environment) => environment.shop.legalEntity],
	["SHOP_ADDRESS", "2 rue du Port", (environment) => environment.shop.address],
	["SHOP_SIREN", "123 456 782", (environment) => environment.shop.siren],
	["SHOP_RCS", "RCS Nantes", (environment) => environment.shop.rcs],
	["SHOP_VAT", "FR11123456782", (environment) => environment.shop.vat],
	["SHOP_PHONE", "02 40 00 00 00", (environment) => environment.shop.phone],
	["SHOP_SUPPORT_HOURS", "du lundi au vendredi", (environment) => environment.shop.supportHours],
	["SHOP_MEDIATOR", "Médiateur", (environment) => environment.shop.mediator],
	["SHOP_HOST", "Hébergeur SAS", (environment) => environment.shop.host],
	["SHOP_PUBLISHER", "Ada Martin", (environment) => environment.shop.publisher],
])("%s is read unchanged", (name, value, getSetting) => {
	expect(getSetting(read({ [name]: value }))).toBe(value);
});

test("BASE_URL defaults to the port and loses trailing slashes", () => {
	expect(read({ PORT: "8080" }).baseUrl).toBe("http://localhost:8080");
	expect(read({ PORT: "8080", BASE_URL: "https://www.example.fr//" })).toMatchObject({ port: 8080, baseUrl: "https://www.example.fr" });
});

test("DRAIN_SECONDS defaults to 5 behind a proxy", () => {
	expect(read().drainSeconds).toBe(0);
	expect(read({ TRUSTED_PROXIES: "2" }).drainSeconds).toBe(5);
	expect(read({ TRUSTED_PROXIES: "2", DRAIN_SECONDS: "0" }).drainSeconds).toBe(0);
	expect(read({ DRAIN_SECONDS: "300" }).drainSeconds).toBe(300);
});

test("INSEE_API_BASE loses trailing slashes; INSEE_API_KEY is trimmed and has no spaces", () => {
	expect(read({ INSEE_API_BASE: "http://localhost:4000/sirene/", INSEE_API_KEY: " abc-1 " }).insee).toEqual({
		base: "http://localhost:4000/sirene",
		key: "abc-1",
	});
	expect(names({ INSEE_API_BASE: "api.insee.fr", INSEE_API_KEY: "clé\nX: 1" })).toEqual(["INSEE_API_KEY", "INSEE_API_BASE"]);
});

test("BODACC_API_BASE loses trailing slashes, and has a default", () => {
	expect(read({ BODACC_API_BASE: "http://localhost:4000/bodacc/" }).bulletin).toEqual({ base: "http://localhost:4000/bodacc" });
	expect(read().bulletin.base).toMatch(/^https:.*[^/]$/);
});

test.each(senderNames)("the shop's name and e-mail are the sender, also %s", (name) => {
	expect(read({ SHOP_NAME: name, SHOP_EMAIL: "bonjour@example.fr" }).mailFrom).toEqual({ name, address: "bonjour@example.fr" });
});

test.each([
	["commandes@example.fr", "", "commandes@example.fr"],
	["<a@b.fr>", "", "a@b.fr"],
	["Dupont, père & fils <a@b.fr>", "Dupont, père & fils", "a@b.fr"],
	['"Dupont, père" <a@b.fr>', "Dupont, père", "a@b.fr"],
	['"L\\"extrait\\\\" <a@b.fr>', 'L"extrait\\', "a@b.fr"],
	['"Extraits" et "copies" <a@b.fr>', '"Extraits" et "copies"', "a@b.fr"],
])("MAIL_FROM « %s » is a name and an address", (text, name, address) => {
	expect(read({ MAIL_FROM: text }).mailFrom).toEqual({ name, address });
});

test("READ_LIMITS keeps defaults, refuses malformed texts, and cannot be off in production", () => {
	expect(read().readLimits).toEqual({
		pages: 300,
		searches: 300,
		suggestions: 600,
		lists: 60,
		cities: 300,
		pictures: 120,
		sitemaps: 60,
		orders: 600,
		verifications: 120,
		archives: 20,
	});
	expect(read({ READ_LIMITS: " searches=5 , cities=7 " }).readLimits).toMatchObject({ searches: 5, suggestions: 600, cities: 7 });
	expect(read({ READ_LIMITS: "off" }).readLimits).toBeNull();
	for (const malformed of [
		"searches",
		"searches=",
		"searches=0",
		"searches=-1",
		"searches=1.5",
		"searches=1=2",
		"toString=3",
		"search=3",
		"on",
	])
		expect(problems({ READ_LIMITS: malformed }), malformed).toEqual([
			expect.stringMatching(/^READ_LIMITS is not valid \(.+\)\. Example: pages=300,searches=300,/),
		]);
	for (const off of ["off", " off "]) {
		expect(read({ READ_LIMITS: off, ORDER_LIMITS: off })).toMatchObject({ readLimits: null, orderLimits: null });
		expect(names({ APP_ENV: "production", READ_LIMITS: off, ORDER_LIMITS: off })).toEqual(
			expect.arrayContaining(["READ_LIMITS", "ORDER_LIMITS"]),
		);
	}
});

test("an empty variable counts as unset", () => {
	const empty = Object.fromEntries(
		["APP_ENV", "HOST", "PORT", "BASE_URL", "APP_SECRET", "STRIPE_SECRET_KEY", "SMTP_URL", "OPENING_HOURS", "SHOP_NAME"].map((name) => [
			name,
			"",
		]),
	);
	expect(read(empty)).toEqual(read());
	expect(read({ PORT: "  ", SHOP_NAME: undefined })).toEqual(read());
});

test("unknown variables are ignored", () => {
	expect(read({ PATH: "/bin", npm_lifecycle_event: "start", SHOP: "?" })).toEqual(read());
});

/** A wrong value of each variable that has a form. */
const invalid: Variables = {
	APP_ENV: "staging",
	HOST: "not a host",
	PORT: "70000",
	BASE_URL: "ftp://example.fr",
	DESK_HOST: "https://bureau.example.fr",
	TRUSTED_PROXIES: "ten",
	DRAIN_SECONDS: "-1",
	DATABASE_URL: "mysql://localhost/shop",
	DATABASE_READ_URL: "postgres://a,b/shop",
	APP_SECRET: "short",
	PASSWORD_HASHING: "none",
	ORDER_COPY_KEY: "short",
	STRIPE_SECRET_KEY: "pk_test_123",
	STRIPE_WEBHOOK_SECRET: "secret",
	STRIPE_API_BASE: "stripe",
	ISSUER: "greffe",
	SMTP_URL: "smtp.example.fr",
	MAIL_FROM: "Extraits",
	OPERATOR_EMAIL: "nobody",
	TECHNICAL_CONTACT: "x".repeat(121),
	VAPID_PUBLIC_KEY: "B".repeat(86),
	VAPID_PRIVATE_KEY: "x".repeat(42),
	S3_ENDPOINT: "s3.example.fr",
	S3_BUCKET: "x",
	ORDER_LIMITS: "x",
	ADDRESS_API_URL: "data.geopf.fr",
	INSEE_API_KEY: "two words",
	INSEE_API_BASE: "insee",
	BODACC_API_BASE: "bodacc",
	OPENING_HOURS: "9 to 5",
	OFFICIAL_PRICE_CENTS: "3,20",
	OFFICIAL_PRICE_DATE: "01/01/2025",
	OFFICIAL_PRICE_TAX: "net",
	OFFICIAL_PRICE_CHECKED: "hier",
	INVOICE_VAT_ON_DEBITS: "oui",
	INVOICE_LATE_PENALTY: "3%",
	ACCOUNT_NUMBERS: "sales=x",
	REFUND_APPROVAL_CENTS: "-1",
	READ_LIMITS: "x",
	METRICS_TOKEN: "short",
	METRICS_PORT: "http",
	METRICS_HOST: "not a host",
	OTEL_EXPORTER_OTLP_ENDPOINT: "collector",
	LOG_LEVEL: "loud",
	SHOP_SIREN: "123",
	SHOP_RCS: "Nantes",
	SHOP_VAT: "FRXX",
	SHOP_PHONE: "demain",
	SHOP_EMAIL: "nobody",
	SHOP_BACKUPS: "chiffrées",
};

/** Variables for which every text is right, as far as the shop can know before it uses them. */
const texts = [
	...["DATA_DIR", "BACKUP_DIR", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "OFFICIAL_PRICE_SOURCE"],
	...["SHOP_NAME", "SHOP_LEGAL_ENTITY", "SHOP_ADDRESS", "SHOP_SUPPORT_HOURS", "SHOP_MEDIATOR", "SHOP_HOST", "SHOP_PUBLISHER"],
];

test("each variable has a form, or is a text", () => {
	expect(Object.keys(variables.shape).sort()).toEqual([...Object.keys(invalid), ...texts].sort());
});

test("one start names all invalid variables, each once and with an example", () => {
	const reported = problems(invalid);
	expect(reported.map((problem) => problem.split(" ")[0]).sort()).toEqual(Object.keys(invalid).sort());
	for (const problem of reported) expect(problem).toMatch(/^\w+ is not valid \(.+\)\. Example: (?!any text)\S/);
});

test("one start names invalid variables, those that do not fit each other, and those that production misses", () => {
	const wrong = { PORT: "abc", OPENING_HOURS: "foo", ORDER_LIMITS: "x", SHOP_VAT: "FRXX" };
	expect(names({ ...wrong, STRIPE_API_BASE: "http://127.0.0.1:1", METRICS_PORT: "9464", HOST: "0.0.0.0" })).toEqual(
		expect.arrayContaining([...Object.keys(wrong), "STRIPE_SECRET_KEY", "METRICS_TOKEN"]),
	);
	const inProduction = names({ ...wrong, APP_ENV: "production", DATABASE_URL: "postgres://db.example.fr/shop", SMTP_URL: "none" });
	expect(inProduction).toEqual(expect.arrayContaining([...Object.keys(wrong), "SHOP_NAME", "ISSUER", "DATABASE_URL", "SMTP_URL"]));
	expect(new Set(inProduction).size).toBe(inProduction.length);
});

test("a wrong APP_ENV is named without rules of the demo or of production", () => {
	expect(names({ APP_ENV: "prod", STRIPE_SECRET_KEY: "sk_live_123", STRIPE_WEBHOOK_SECRET: "whsec_1" })).toEqual(["APP_ENV"]);
});

test("the examples are valid", () => {
	for (const name of Object.keys(invalid)) {
		if (/^(APP_ENV|\w+_SECRET|ORDER_COPY_KEY|METRICS_TOKEN|VAPID_\w+|INSEE_API_KEY)$/.test(name)) continue; // their examples describe a value
		const example = (examples as Variables)[name];
		const needed = /^(STRIPE|S3)_/.test(name) ? { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1", S3_BUCKET: "abc" } : {};
		const keys = needed.S3_BUCKET ? { S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" } : {};
		expect(problems({ ...needed, ...keys, [name]: example, METRICS_TOKEN: "x".repeat(32) }), name).toEqual([]);
	}
});

test.each([
	["PORT", ["0", "-1", "3000.5", "65536", "http"]],
	["TRUSTED_PROXIES", ["-1", "0.5", "10", "yes"]],
	["DRAIN_SECONDS", ["-1", "0.5", "301", "no"]],
	["BASE_URL", ["example.fr", "//example.fr", "javascript:alert(1)"]],
	[
		"OPENING_HOURS",
		[
			"Mo-Fr 8:00-18:00",
			"Mo-Fr 08:00-25:00",
			"Mo-Fr 18:00-08:00",
			"Mo-Fr 08:00-08:00",
			"Lu-Ve 08:00-18:00",
			"Mo-Fr 08:00-18:00; Sa 09:00-12:00",
		],
	],
	[
		"DATABASE_URL",
		[
			...["localhost/shop", "see postgres://localhost/shop", "postgres://a,b/shop", "postgres://a,b/shop?target_session_attrs=any"],
			...["postgres://localhost:port/shop", "postgres://localhost/shop?sslmode=verify-full&sslrootcert=/nowhere.pem"],
			"postgres://a,b:port/shop?target_session_attrs=read-write",
		],
	],
	["DATABASE_READ_URL", ["localhost/shop", "mysql://localhost/shop", "postgres://a,b/shop?target_session_attrs=any"]],
	["STRIPE_SECRET_KEY", ["pk_test_123", "sk_123", "a sk_test_123"]],
	["STRIPE_WEBHOOK_SECRET", ["123", "whsec_", "whsec_1 2"]],
	["STRIPE_API_BASE", ["api.stripe.com", "ftp://api.stripe.com"]],
	["S3_ENDPOINT", ["s3.example.fr", "s3://bucket"]],
	["S3_BUCKET", ["ab"]],
	["SMTP_URL", ["localhost:25", "https://smtp.example.fr", "see smtp://localhost", "smtp://", "smtp://a:b:c"]],
	["MAIL_FROM", ["a@", "@a", "Extraits", "a@b c", "Extraits a@b", "<a@b", "Extraits <a>", "a@b@c"]],
	["HOST", ["a b", "http://a", "a,b"]],
	["SHOP_SIREN", ["732 829 321", "73282932", "7328293200", "FR732829320", "x732829320"]],
	[
		"SHOP_VAT",
		["FR45 732829320", "FR44 732829321", "FR44", "732829320", "BE0123456789", "FRIO 732829320", "FR44 7328293200", "fr44 732829320"],
	],
	["SHOP_RCS", ["Nantes", "RCS", "RCSNantes", "au RCS Nantes"]],
	["SHOP_PHONE", ["02 40 00 00 00, non surtaxé", "123", "0".repeat(21), "+"]],
	["SHOP_EMAIL", ["bonjour", "bonjour@", "Extraits <bonjour@example.fr>"]],
	["SHOP_BACKUPS", ["chiffrées", "gardées 35 journées", "gardées x35 jours"]],
	["VAPID_PUBLIC_KEY", ["C".repeat(87), "B".repeat(88)]],
	["VAPID_PRIVATE_KEY", ["B".repeat(44)]],
	["INSEE_API_KEY", ["clé", "one two", "\u0000"]],
	["INSEE_API_BASE", ["api.insee.fr", "ftp://api.insee.fr"]],
	["BODACC_API_BASE", ["bodacc-datadila.opendatasoft.com", "ftp://bodacc.fr"]],
	["ADDRESS_API_URL", ["data.geopf.fr", "ftp://data.geopf.fr"]],
	["ISSUER", ["greffe"]],
	["INVOICE_LATE_PENALTY", ["3%"]],
	["INVOICE_VAT_ON_DEBITS", ["oui", "true"]],
	["OFFICIAL_PRICE_CENTS", ["-1", "3.5", "gratuit"]],
	["OFFICIAL_PRICE_DATE", ["2025-1-1", "2025-13-01", "2025-02-30"]],
])("%s refuses invalid values", (name, values) => {
	for (const value of values) expect(names({ [name]: value }), value).toEqual([name]);
});

test("the extreme values are accepted", () => {
	const extremes = { PORT: "65535", TRUSTED_PROXIES: "9", OFFICIAL_PRICE_CENTS: "0", MAIL_FROM: "a@b", INSEE_API_KEY: " !~ " };
	for (const [name, value] of [
		...(["FR44 732829320", "FR44732829320", " FRXX 732829320 ", "FR0A732829320"] as const).map((vat) => ["SHOP_VAT", vat]),
		...["732829320", " 732 829 320 ", "000000000"].map((siren) => ["SHOP_SIREN", siren]),
		...["3639", "+33 2 40 00 00 00", "02.40.00.00.00", "0".repeat(20)].map((phone) => ["SHOP_PHONE", phone]),
		...["<a@b>", "Extraits & Cie <a@b>"].map((from) => ["MAIL_FROM", from]),
		...["::1", "0.0.0.0", "web-1.example.fr"].map((host) => ["HOST", host]),
		["TECHNICAL_CONTACT", "x".repeat(120)],
		["SMTP_URL", "smtp://a"],
	] as [string, string][])
		expect(problems({ [name]: value }), value).toEqual([]);
	expect(read(extremes)).toMatchObject({ port: 65_535, trustedProxies: 9, mailFrom: { name: "", address: "a@b" } });
	const s3 = { S3_BUCKET: "abc", S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" };
	expect(read({ ...s3, PORT: "1" })).toMatchObject({ port: 1, s3: { bucket: "abc" } });
	expect(problems({ INVOICE_LATE_PENALTY: "3 %", APP_SECRET: "0123456789abcdef0123456789abcdef" })).toEqual([]);
});

test.each(["Mo-Fr 08:00-18:00", "Sa-Su 09:00-24:00", "We 10:00-11:00", "Mo-Su 00:00-24:00"])("« %s » are valid opening hours", (hours) => {
	expect(read({ OPENING_HOURS: hours }).openingHours).toBe(hours);
});

describe("APP_SECRET", () => {
	test("has one part or several", () => {
		expect(read({ APP_SECRET: secret }).secrets).toEqual([secret]);
		expect(read({ APP_SECRET: `new-${secret}, old-${secret} ,` }).secrets).toEqual([`new-${secret}`, `old-${secret}`]);
	});

	test.each(["x".repeat(31), `${secret},short`, `short,${secret}`, `${secret},${secret.slice(1)}`, `${secret.slice(1)},${secret}`])(
		"refuses %s, which has a part that is too short",
		(value) => {
			expect(problems({ APP_SECRET: value })).toEqual([expect.stringMatching(/^APP_SECRET .*Example: /)]);
		},
	);
});

describe("production", () => {
	const identity: Variables = {
		SHOP_NAME: "Extraits & Cie",
		SHOP_LEGAL_ENTITY: "Extraits & Cie, SAS au capital de 1 000 €",
		SHOP_ADDRESS: "2 rue du Port, 44000 Nantes",
		SHOP_SIREN: "123 456 782",
		SHOP_RCS: "RCS Nantes",
		SHOP_VAT: "FR11123456782",
		SHOP_PHONE: "02 40 00 00 00",
		SHOP_EMAIL: "bonjour@example.fr",
		SHOP_SUPPORT_HOURS: "du lundi au vendredi, 9h-18h",
		SHOP_MEDIATOR: "Médiateur de la consommation, mediateur.example.fr",
		SHOP_HOST: "Hébergeur SAS, 3 rue du Nuage, 59000 Lille, 03 20 00 00 00",
		SHOP_PUBLISHER: "Ada Martin, présidente",
		SHOP_BACKUPS: "chiffrées et supprimées au bout de 35 jours",
		OFFICIAL_PRICE_CHECKED: new Date().toISOString().slice(0, 10),
	};
	const settings: Variables = {
		APP_ENV: "production",
		BASE_URL: "https://www.example.fr",
		APP_SECRET: secret,
		SMTP_URL: "smtps://smtp.example.fr",
		STRIPE_SECRET_KEY: "sk_live_123",
		STRIPE_WEBHOOK_SECRET: "whsec_123",
		ISSUER: "manual",
	};

	/** A real shop may use the demo's values for these. */
	const shared = ["SHOP_NAME", "SHOP_SUPPORT_HOURS"];
	const placeholders = Object.keys(identity).filter((name) => ![...shared, "SHOP_BACKUPS", "OFFICIAL_PRICE_CHECKED"].includes(name));

	test("refuses the demo's settings and reports all problems", () => {
		expect(names({ APP_ENV: "production" })).toEqual([
			...placeholders,
			...shared,
			"OFFICIAL_PRICE_CHECKED",
			"SHOP_BACKUPS",
			"STRIPE_SECRET_KEY",
			"ISSUER",
			"SMTP_URL",
			"APP_SECRET",
			"BASE_URL",
		]);
	});

	test.each(placeholders)("refuses the placeholder of %s alone", (name) => {
		expect(names({ ...settings, ...identity, [name]: undefined })).toContain(name);
		expect(names({ ...settings, ...identity })).not.toContain(name);
	});

	test("accepts the demo's name or hours when they are set explicitly", () => {
		const { name, supportHours } = read().shop;
		expect(names({ ...settings, ...identity, SHOP_NAME: name, SHOP_SUPPORT_HOURS: supportHours })).toEqual([]);
		for (const name of shared) expect(names({ ...settings, ...identity, [name]: undefined })).toEqual([name]);
	});

	test.each([
		["BASE_URL", "http://www.example.fr", "https"],
		["BASE_URL", undefined, "https"],
		["SHOP_BACKUPS", undefined, "privacy policy"],
		["OFFICIAL_PRICE_CHECKED", undefined, "compared OFFICIAL_PRICE_CENTS with its source"],
		["SHOP_LEGAL_ENTITY", "Extraits & Cie", "legal form"],
		["SHOP_LEGAL_ENTITY", "Extraits & Cie, SAS", "legal form"],
		["SHOP_LEGAL_ENTITY", "Extraits & Cie, capital de 1 000 €", "legal form"],
		["SHOP_LEGAL_ENTITY", "Reinette, SAS au capital social", "legal form"],
		["SMTP_URL", undefined, "mails"],
		["APP_SECRET", undefined, "signs"],
		["STRIPE_SECRET_KEY", undefined, "sandbox"],
		["ORDER_LIMITS", "off", "limits how often"],
		["PASSWORD_HASHING", "fast", "guessed quickly"],
		["S3_ENDPOINT", "http://s3.example.fr", "plain http"],
		["APP_SECRET", `${"ab".repeat(16)},${secret}`, "different characters"],
		["APP_SECRET", `${secret},${"ab".repeat(16)}`, "different characters"],
	])("refuses %s: %s", (name, value, reason) => {
		expect(problems({ ...settings, ...identity, [name]: value })).toContainEqual(expect.stringMatching(new RegExp(`^${name} .*${reason}`)));
	});

	test.each([
		["2026-11-27", "2027-11-26T23:59:59Z", true],
		["2026-11-27", "2027-11-27T00:00:00Z", false],
		["2028-02-29", "2029-02-28T23:59:59Z", true],
		["2028-02-29", "2029-03-01T00:00:00Z", false],
		["2026-11-28", "2026-11-27T22:59:59Z", false],
		["2026-11-28", "2026-11-27T23:00:00Z", true],
	])("an official price checked on %s is good at %s: %s", (checked, now, good) => {
		const result = parseEnvironment({ ...settings, ...identity, OFFICIAL_PRICE_CHECKED: checked }, new Date(now));
		if (good) return expect(result).toMatchObject({ ok: true, environment: { officialPrice: { checked } } });
		expect(result).toMatchObject({ ok: false, problems: [expect.stringContaining(`OFFICIAL_PRICE_CHECKED is ${checked}: compare`)] });
	});

	test("a demo needs no check of the official price, however old", () => {
		expect(names({ OFFICIAL_PRICE_CHECKED: "2001-01-01" })).toEqual([]);
		expect(read().officialPrice).toMatchObject({ tax: "TTC", checked: undefined });
	});

	test.each([
		"Extraits & Cie, SAS au capital de 1 000 €",
		"Société Extraits, société par actions simplifiée au capital variable de 1 €",
		"Marie Martin, entrepreneur individuel (EI)",
		"Marie Martin EI",
		"Marie Martin, entrepreneure individuelle",
	])("%s names a legal form", (SHOP_LEGAL_ENTITY) => {
		expect(names({ ...settings, ...identity, SHOP_LEGAL_ENTITY })).toEqual([]);
	});

	test("refuses to sell specimens", () => {
		for (const ISSUER of [undefined, "specimen"]) {
			expect(problems({ ...settings, ...identity, ISSUER })).toEqual([expect.stringMatching(/^ISSUER .*specimen/)]);
		}
	});

	test("refuses a test key", () => {
		expect(problems({ ...settings, ...identity, STRIPE_SECRET_KEY: "sk_test_123" })).toEqual([
			expect.stringMatching(/^STRIPE_SECRET_KEY is a test key/),
		]);
	});

	test("starts with complete settings", () => {
		expect(read({ ...settings, ...identity })).toMatchObject({
			production: true,
			issuer: "manual",
			logLevel: "info",
			stripe: { secretKey: "sk_live_123", webhookSecret: "whsec_123", live: true, apiBase: undefined },
		});
		expect(read({ ...settings, ...identity, STRIPE_SECRET_KEY: "rk_live_123" }).stripe?.live).toBe(true);
	});

	test("accepts a test key with a provider on loopback, for rehearsals", () => {
		const rehearsal = { STRIPE_SECRET_KEY: "sk_test_123", STRIPE_API_BASE: "http://127.0.0.1:12111//" };
		expect(read({ ...settings, ...identity, ...rehearsal }).stripe).toMatchObject({ live: false, apiBase: "http://127.0.0.1:12111" });
	});
});

test.each(["sk_live_123", "rk_live_123"])("the demo refuses the live key %s", (key) => {
	expect(problems({ STRIPE_SECRET_KEY: key })).toContainEqual(expect.stringMatching(/^STRIPE_SECRET_KEY is a live key outside production/));
	expect(problems({ STRIPE_SECRET_KEY: "sk_test_123" }).join()).not.toContain("live key");
});

test.each<[Variables, string[]]>([
	[{ STRIPE_SECRET_KEY: "sk_test_123" }, ["STRIPE_WEBHOOK_SECRET"]],
	[{ STRIPE_WEBHOOK_SECRET: "whsec_123" }, ["STRIPE_SECRET_KEY"]],
	[{ STRIPE_API_BASE: "http://127.0.0.1:12111" }, ["STRIPE_SECRET_KEY"]],
	[{ STRIPE_API_BASE: "http://127.0.0.1:12111", STRIPE_WEBHOOK_SECRET: "whsec_123" }, ["STRIPE_SECRET_KEY"]],
	[{ S3_ACCESS_KEY_ID: "key" }, ["S3_BUCKET"]],
	[{ S3_BUCKET: "extraits" }, ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]],
	[{ S3_ENDPOINT: "https://s3.example.fr" }, ["S3_BUCKET"]],
])("refuses settings without those that they need: %o", (given, missing) => {
	expect(names(given)).toEqual(missing);
	for (const problem of problems(given)) expect(problem).toMatch(/Example: \S/);
});

test("Stripe and S3 are configured when all their settings are present", () => {
	const stripe = { STRIPE_SECRET_KEY: "sk_test_123", STRIPE_WEBHOOK_SECRET: "whsec_123" };
	const s3 = { S3_BUCKET: "extraits", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret", S3_ENDPOINT: "https://s3.example.fr" };
	expect(read()).toMatchObject({ stripe: undefined, s3: undefined });
	expect(read({ ...stripe, ...s3 })).toMatchObject({
		stripe: { secretKey: "sk_test_123", webhookSecret: "whsec_123", live: false },
		s3: {
			bucket: "extraits",
			endpoint: "https://s3.example.fr",
			region: "us-east-1",
			accessKeyId: "key",
			secretAccessKey: "secret",
		},
	});
	expect(read({ ...s3, S3_REGION: "eu-west-3" }).s3?.region).toBe("eu-west-3");
});

describe("ORDER_LIMITS", () => {
	test.each([
		[undefined, { client: 30, mailbox: 10, shop: 600 }],
		["client=5", { client: 5, mailbox: 10, shop: 600 }],
		[" shop = 7 , mailbox=2", { client: 30, mailbox: 2, shop: 7 }],
		["off", null],
	])("%s", (text, limits) => {
		expect(read({ ORDER_LIMITS: text }).orderLimits).toEqual(limits);
	});

	test.each([
		"client",
		"client=0",
		"client=-1",
		"client=1.5",
		"client=many",
		"order=3",
		"client=3;shop=4",
		"toString=1",
		"client=1234567890",
	])("refuses %s with an example", (text) => {
		expect(problems({ ORDER_LIMITS: text })).toEqual([
			expect.stringMatching(/^ORDER_LIMITS is not valid \(.*Example: client=30,mailbox=10,shop=600$/),
		]);
	});
});

test("readEnvironment prints all problems and exits", () => {
	const [exit, error] = [vi.spyOn(process, "exit"), vi.spyOn(console, "error")];
	try {
		vi.stubEnv("PORT", "none").stubEnv("BASE_URL", "none");
		error.mockReturnValue();
		exit.mockImplementation((code) => {
			throw new Error(`exit ${code}`);
		});
		expect(readEnvironment).toThrow("exit 2");
		expect(error.mock.calls.join()).toMatch(/^The shop cannot start:\n {2}- PORT .*\n {2}- BASE_URL .*\n$/);
	} finally {
		vi.unstubAllEnvs();
		vi.restoreAllMocks();
	}
});
