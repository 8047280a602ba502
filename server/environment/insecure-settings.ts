import { isIPv4 } from "node:net";
import pg from "pg";
import { splitHosts } from "../database/primary.ts";
import { getErrorCode } from "../types/errors.ts";
import { typedEntries } from "../types/objects.ts";

/** What production refuses for its security: connections that can be read or diverted on their way, keys that can be guessed. */

const urls = {
	S3_ENDPOINT: "https://s3.example.fr",
	ADDRESS_API_URL: "https://data.geopf.fr/geocodage/search",
	INSEE_API_BASE: "https://api.insee.fr/api-sirene/3.11",
	STRIPE_API_BASE: "http://127.0.0.1:12111",
	OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.fr:4318",
} as const;

const databases = {
	DATABASE_URL: "postgres://user:password@host:5432/shop?sslmode=verify-full",
	DATABASE_READ_URL: "postgres://user:password@replica:5432/shop?sslmode=verify-full",
} as const;

type Name = keyof typeof urls | keyof typeof databases | "SMTP_URL" | "STRIPE_SECRET_KEY";

/**
 * Checks settings that are already known to have their form.
 * @param keys the parts of each variable that holds keys.
 * @returns a sentence for each refused setting: variable, what is wrong, an example. It repeats no value: a URL may hold a password.
 */
export function findInsecureSettings(settings: Partial<Record<Name, string>>, keys: Readonly<Record<string, readonly string[]>>): string[] {
	const problem = (name: string, wrong: string | null | undefined, example: string) =>
		wrong ? [`${name} ${wrong}. Example: ${example}`] : [];
	return [
		...typedEntries(urls).flatMap(([name, example]) => problem(name, urlProblem(settings[name]), example)),
		...(settings.STRIPE_API_BASE && /_live_/.test(settings.STRIPE_SECRET_KEY ?? "")
			? ["STRIPE_API_BASE is set beside a live key, which only Stripe’s own host may receive: unset one of them. Example: STRIPE_API_BASE="]
			: []),
		...problem("SMTP_URL", smtpProblem(settings.SMTP_URL), "smtps://user:password@smtp.example.fr"),
		...typedEntries(databases).flatMap(([name, example]) => {
			const hosts = splitHosts(settings[name] ?? "");
			return problem(name, hosts.map(databaseProblem).find(Boolean), example);
		}),
		...Object.entries(keys).flatMap(([name, parts]) =>
			problem(name, parts.map(secretProblem).find(Boolean), "the output of: openssl rand -hex 32"),
		),
	];
}

/** Whether a host is this machine: what is sent there passes no network (RFC 1122, 3.2.1.3; RFC 6761, 6.3). */
export function isLoopback(host: string): boolean {
	return host === "localhost" || /^\[?::1\]?$/.test(host) || (isIPv4(host) && host.startsWith("127."));
}

function urlProblem(url: string | undefined): string | null {
	if (url === undefined || url.startsWith("https:") || isLoopback(new URL(url).hostname)) return null;
	return "is plain http to another machine";
}

/** Options of the URL are nodemailer’s: requireTLS insists on STARTTLS, `tls.…` is passed to node:tls (nodemailer.com/smtp). */
function smtpProblem(url: string | undefined): string | null {
	if (url === undefined) return null;
	if (!URL.canParse(url)) return "is no URL";
	const { protocol, hostname, searchParams } = new URL(url);
	if (isLoopback(hostname)) return null;
	if (["false", "0"].includes(searchParams.get("tls.rejectUnauthorized") ?? ""))
		return "accepts any certificate: any machine could pass for the mail server";
	if (protocol === "smtps:" || searchParams.get("requireTLS") === "true") return null;
	return "is smtp without requireTLS=true to another machine: mails would leave in clear whenever TLS is not offered";
}

/** Reads the URL as the driver does: what its sslmode and the variables of PostgreSQL (PGSSLMODE…) amount to is the driver’s to say. */
function databaseProblem(url: string): string | null {
	if (url === "") return null;
	try {
		const client = new pg.Client({ connectionString: url });
		const tls = client.ssl as boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown };
		if (client.host.startsWith("/") || isLoopback(client.host)) return null;
		if (!tls) return "is a database on another machine without TLS";
		if (typeof tls === "object" && (tls.rejectUnauthorized === false || tls.checkServerIdentity))
			return "accepts another machine’s certificate: any machine could pass for the database";
		return null;
	} catch (error) {
		// such as a file that sslrootcert names and that is not there
		return `cannot be used (${getErrorCode(error) ?? "malformed"})`;
	}
}

/**
 * A key that was typed rather than drawn. A random one of 32 characters in base64 has 25 different ones on average; hexadecimal digits
 * are 16 in all, and a quarter of the keys of `openssl rand -hex 32` lack one of them, so that these need only ten.
 */
function secretProblem(secret: string): string | null {
	const needed = /^[\da-f]+$/i.test(secret) ? 10 : 16;
	if (new Set(secret).size < needed) return `has a part of fewer than ${needed} different characters`;
	if (/^(.+?)\1+/.exec(secret)?.[0] === secret) return "has a part that repeats itself";
	if (hasSequence(secret)) return "has a part with a sequence such as 12345678";
	if (/change.?me|password|passphrase|secret|example|azerty|qwerty/i.test(secret)) return "has a part that was typed, not drawn";
	return null;
}

/** Eight characters in a row of which each follows, or precedes, the one before. */
function hasSequence(text: string): boolean {
	// the first step is NaN, which equals nothing
	const steps = [...text].map((character, index) => character.charCodeAt(0) - text.charCodeAt(index - 1));
	return [1, -1].some((step) =>
		steps.some((_, index) => index + 7 <= steps.length && steps.slice(index, index + 7).every((s) => s === step)),
	);
}
