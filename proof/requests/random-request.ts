import type { Random } from "../../test/random.ts";

/** Real patterns, values and a cookie of the shop for random requests. */
export interface KnownThings {
	/** Patterns of app/routes.ts, such as `/suivi/:number`. */
	patterns: readonly string[];
	/** Valid values of parameters and fields. */
	values: Readonly<Record<string, readonly string[]>>;
	cookie: string;
}

export interface RandomRequest {
	bytes: Buffer;
	/** The client closes the connection before the answer. */
	cut: boolean;
}

/** Must never stand unescaped in a page. */
export const canary = "<x9z>";
/** Must never be a header of an answer. */
export const injectedHeader = "x-injected";

const hostileValues = [
	canary,
	`"'>${canary}`,
	"%00",
	"a%00b",
	"%1B[2J",
	"%E2%80%AE",
	"%ED%A0%80",
	"%FF%FE",
	"%C3",
	"%",
	"%zz",
	"..%2f..%2fetc%2fpasswd",
	"..\\..\\",
	`%0d%0a${injectedHeader}: 1`,
	"'--",
	"' or 1=1",
	"{{7*7}}",
	"#{7*7}",
	"__proto__",
	"constructor",
	"-1",
	"0",
	"1e400",
	"NaN",
	"99999999999999999999",
	"😀",
	"İıſ",
	"",
	" ",
];
const longValues = ["a".repeat(3000), "/".repeat(1900), "%41".repeat(800), "é".repeat(500), "a ".repeat(1500)];

/** How an address may be written otherwise. */
const spellings: readonly ((path: string) => string)[] = [
	(path) => path.toUpperCase(),
	(path) => `${path}/`,
	(path) => `${path}//`,
	(path) => `/${path}`,
	(path) => path.replaceAll("/", "//"),
	(path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
	(path) => path.replace(/[\w-]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`),
	(path) => path.replaceAll("/", "%2f"),
	(path) => `/x/..${path}`,
	(path) => `/x/%2e%2E${path}`,
	(path) => `${path}/.`,
	(path) => `${path}%2Edata`,
	(path) => `${path};x=1`,
	(path) => path.replaceAll("/", "\\"),
];

/** The framework reads the first two as the data of a page. */
const dataEndings = [".data", "/_.data", "/_.data", ".DATA", "_.data", "/_root.data", ".data/", ".data.data", "/_.data/_.data"];

const methods = `GET GET GET GET GET GET GET GET GET HEAD HEAD POST POST POST POST POST POST POST
	PUT DELETE PATCH OPTIONS TRACE PROPFIND`.split(/\s+/);

const names = `q page departement forme secteur service siren email firstName lastName phone company address postalCode city
	deliveryEmail acceptTerms intent companyQuery orderId message nom website amount key card declaration recu demande
	entreprise postcode limit type subject _routes choisir x`.split(/\s+/);

/** « * » stands for a value. */
const hostileHeaders = `
	X-Forwarded-For: *
	X-Forwarded-Host: *
	X-Forwarded-Proto: *
	If-None-Match: W/"*"
	If-Modified-Since: *
	Accept-Encoding: *
	Accept: *
	Cookie: suivi=*; a=b
	Origin: *
	Sec-Fetch-Site: *
	Range: bytes=*
	Content-Type: *
	Idempotency-Key: *
	Stripe-Signature: t=1,v1=*
	X-HTTP-Method-Override: *`
	.trim()
	.split(/\n\t/);

/** A request of which any part may be hostile; the same for the same random numbers. */
export function randomRequest(random: Random, known: KnownThings): RandomRequest {
	const chance = (share: number) => random.next() < share;
	const odd = () => (chance(0.06) ? random.pick(longValues) : random.pick(hostileValues));
	const valueFor = (name: string) => (chance(0.55) && known.values[name] ? random.pick(known.values[name]) : odd());
	const pairs = (most: number) =>
		Array.from({ length: Math.floor(random.next() * most) }, () => random.pick(names)).map((name) => [name, valueFor(name)] as const);

	const createPath = (): string => {
		if (chance(0.03)) return `/__manifest?version=${odd()}&paths=/a,/b`;
		const path = random.pick(known.patterns).replace(/:(\w+)\??|\*/g, (_, name = "*") => valueFor(name));
		const spell = chance(0.4) ? random.pick(spellings) : (text: string) => text;
		const spelled = chance(0.05) ? `${spell(path)}/${odd()}` : spell(path);
		return chance(0.3) ? `${spelled}${random.pick(dataEndings)}` : spelled;
	};
	const query = pairs(5)
		.map(([name, value]) => `${name}=${value}`)
		.join("&");
	// spaces and line breaks would end the request line
	const target = (createPath() + (query ? `?${query}` : "")).replace(/[ \r\n]/g, "+");

	const method = random.pick(methods);
	const headers = [chance(0.04) ? `Host: ${odd()}` : "Host: 127.0.0.1", "Connection: close"];
	if (chance(0.4)) headers.push(`Cookie: ${known.cookie}`);
	for (let count = Math.floor(random.next() * 4); count > 0; count--)
		headers.push(
			random
				.pick(hostileHeaders)
				.replace("*", () => (chance(0.3) ? random.pick(["gzip", "br", "12", "chunked", "cross-site", "null", "100-continue"]) : odd())),
		);

	// the server waits for a body that is announced and not sent
	if (chance(0.04))
		headers.push(
			`${random.pick(["Transfer-Encoding", "Content-Length", "Expect"])}: ${random.pick(["12", "chunked", "100-continue", odd()])}`,
		);
	const announcesBody = headers.some((header) => /^(content-length|transfer-encoding|expect):/i.test(header));
	const { type, body } = createBody(method);
	const has = (name: string) => headers.some((header) => header.toLowerCase().startsWith(name));
	if (body !== "" && !has("content-type")) headers.push(`Content-Type: ${type}`);
	const sent = chance(0.1) ? body.slice(0, Math.floor(body.length / 2)) : body;
	if (body !== "" && !has("content-length") && !has("transfer-encoding")) headers.push(`Content-Length: ${Buffer.byteLength(body)}`);
	const head = `${method} ${target} HTTP/1.1\r\n${headers.map((header) => header.replace(/[\r\n]/g, "")).join("\r\n")}\r\n\r\n`;
	return { bytes: Buffer.from(head + sent), cut: sent !== body || chance(0.02) || announcesBody };

	function createBody(of: string): { type: string; body: string } {
		if (of !== "POST" && !chance(0.3)) return { type: "", body: "" };
		const given = pairs(14);
		const kind = random.pick(["form", "form", "form", "json", "json", "multipart", "noise"]);
		if (kind === "form")
			return { type: "application/x-www-form-urlencoded", body: given.map(([name, value]) => `${name}=${value}`).join("&") };
		if (kind === "multipart") {
			const parts = given.map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${decoded(value)}\r\n`);
			return { type: "multipart/form-data; boundary=b", body: parts.join("") + (chance(0.8) ? "--b--\r\n" : "") };
		}
		if (kind === "json") {
			const flat = Object.fromEntries(given.map(([name, value]) => [name, chance(0.1) ? JSON.parse("[null]") : decoded(value)]));
			const order = {
				orderData: { serviceType: valueFor("service"), siren: valueFor("siren"), amount: 5900, deliveryMethod: "email" },
				customerData: flat,
			};
			return { type: "application/json", body: chance(0.1) ? "[".repeat(5000) : JSON.stringify(chance(0.5) ? flat : order) };
		}
		return { type: odd().slice(0, 40), body: odd() };
	}
}

/** A value as multipart and JSON carry it, without percent encoding. */
function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return `${value}\ud800`;
	}
}
