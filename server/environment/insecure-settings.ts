import { isIPv4 } from "node:net";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import { splitHosts } from "../database/primary.ts";
import { typedEntries } from "../types/objects.ts";

/** Production refuses insecure settings: connections that others can read or redirect, and keys that can be guessed. */

const urlExamples = {
	S3_ENDPOINT: "https://s3.example.fr",
	ADDRESS_API_URL: "https://data.geopf.fr/geocodage/search",
	INSEE_API_BASE: "https://api.insee.fr/api-sirene/3.11",
	BODACC_API_BASE: "https://bodacc-datadila.opendatasoft.com/api/explore/v2.1/catalog/datasets/annonces-commerciales",
	STRIPE_API_BASE: "http://127.0.0.1:12111",
	OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.fr:4318",
} as const;

const databaseUrlExamples = {
	DATABASE_URL: "postgres://user:password@host:5432/shop?sslmode=verify-full",
	DATABASE_READ_URL: "postgres://user:password@replica:5432/shop?sslmode=verify-full",
} as const;

type SettingName = keyof typeof urlExamples | keyof typeof databaseUrlExamples | "SMTP_URL" | "STRIPE_SECRET_KEY";

/**
 * Checks the security of settings whose form is already valid.
 * @param keys the parts of each variable that contains keys.
 * @returns a sentence for each refused setting: variable, what is wrong, an example. It repeats no value: a URL may hold a password.
 */
export function findInsecureSettings(
	settings: Partial<Record<SettingName, string>>,
	keys: Readonly<Record<string, readonly string[]>>,
): string[] {
	const formatProblem = (name: string, reason: string | null | undefined, example: string) =>
		reason ? [`${name} ${reason}. Example: ${example}`] : [];
	return [
		...typedEntries(urlExamples).flatMap(([name, example]) => formatProblem(name, findUrlProblem(settings[name]), example)),
		...(settings.STRIPE_API_BASE && /_live_/.test(settings.STRIPE_SECRET_KEY ?? "")
			? ["STRIPE_API_BASE is set beside a live key, which only Stripe’s own host may receive: unset one of them. Example: STRIPE_API_BASE="]
			: []),
		...formatProblem("SMTP_URL", findSmtpProblem(settings.SMTP_URL), "smtps://user:password@smtp.example.fr"),
		...typedEntries(databaseUrlExamples).flatMap(([name, example]) => {
			const hosts = splitHosts(settings[name] ?? "");
			return formatProblem(name, hosts.map(findDatabaseProblem).find(Boolean), example);
		}),
		...Object.entries(keys).flatMap(([name, parts]) =>
			formatProblem(name, parts.map(findSecretProblem).find(Boolean), "the output of: openssl rand -hex 32"),
		),
	];
}

/** Whether a host is this machine (RFC 1122, 3.2.1.3; RFC 6761, 6.3). */
export function isLoopback(host: string): boolean {
	return host === "localhost" || /^\[?::1\]?$/.test(host) || (isIPv4(host) && host.startsWith("127."));
}

function findUrlProblem(url: string | undefined): string | null {
	if (url === undefined || url.startsWith("https:") || isLoopback(new URL(url).hostname)) return null;
	return "is plain http to another machine";
}

/** The URL has nodemailer's options: requireTLS requires STARTTLS, `tls.…` is passed to node:tls (nodemailer.com/smtp). */
function findSmtpProblem(url: string | undefined): string | null {
	if (url === undefined) return null;
	if (!URL.canParse(url)) return "is no URL";
	const { protocol, hostname, searchParams } = new URL(url);
	if (isLoopback(hostname)) return null;
	if (["false", "0"].includes(searchParams.get("tls.rejectUnauthorized") ?? ""))
		return "accepts any certificate: any machine could pass for the mail server";
	if (protocol === "smtps:" || searchParams.get("requireTLS") === "true") return null;
	return "is smtp without requireTLS=true to another machine: mails would leave in clear whenever TLS is not offered";
}

/**
 * Lets the driver parse the URL, because sslmode and PGSSLMODE combine by its rules. Loopback needs TLS too: what listens there may be a
 * proxy that sends everything on in clear. A database of this machine has a Unix socket.
 */
function findDatabaseProblem(url: string): string | null {
	if (url === "") return null;
	const client: { host: string; ssl: boolean | ConnectionOptions } = new pg.Client({ connectionString: url });
	const { host, ssl: tls } = client;
	if (host.startsWith("/")) return null;
	if (!tls)
		return isLoopback(host)
			? "is a TCP connection without TLS, which may leave this machine behind a proxy; a database here has a Unix socket (?host=/var/run/postgresql)"
			: "is a database on another machine without TLS";
	if (typeof tls === "object" && (tls.rejectUnauthorized === false || tls.checkServerIdentity))
		return "accepts another machine’s certificate: any machine could pass for the database";
	return null;
}

/**
 * Detects a key that a person typed. Random keys of 32 characters in base64 have 25 different ones on average. Hexadecimal keys
 * need only ten, because there are 16 digits and a quarter of the keys of `openssl rand -hex 32` lack one.
 */
function findSecretProblem(secret: string): string | null {
	const minCharacters = /^[\da-f]+$/i.test(secret) ? 10 : 16;
	if (new Set(secret).size < minCharacters) return `has a part of fewer than ${minCharacters} different characters`;
	if (/^(.+?)\1+/.exec(secret)?.[0] === secret) return "has a part that repeats itself";
	if (hasSequence(secret)) return "has a part with a sequence such as 12345678";
	if (/change.?me|password|passphrase|secret|example|azerty|qwerty/i.test(secret)) return "has a part that was typed, not drawn";
	return null;
}

/** Whether eight consecutive characters ascend or descend by one. */
function hasSequence(text: string): boolean {
	// the first step is NaN, which equals nothing
	const steps = [...text].map((character, index) => character.charCodeAt(0) - text.charCodeAt(index - 1));
	return [1, -1].some((step) =>
		steps.some((_, index) => index + 7 <= steps.length && steps.slice(index, index + 7).every((s) => s === step)),
	);
}
