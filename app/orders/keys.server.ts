import { href } from "react-router";
import { daySeconds, hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { expiringToken } from "../../server/signing.ts";
import { confirmationCookieDays, documentLinkHours, recipientFilesDays, trackingLinkDays } from "../catalogue/link-lifetimes.ts";
import { retention } from "../catalogue/retention.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { type AccessKey, trackingAccesses } from "./access.ts";
import type { Order } from "./order.ts";
import { formatVisit, parseVisit, type Visit } from "./visit.ts";

interface KeyKind {
	/** What its id names: an order (for a purchase, its first one), or a row of another table. */
	names: "order" | "document" | "declaration" | "share";
	/** Who may hold it (access.ts); the key says which. None: it opens one thing, and asks nothing of an order. */
	opens: readonly AccessKey[];
	/** Its lifetime; null: a row of the database says when it ends, or it works for ever. */
	seconds: number | null;
	/**
	 * `address`, `recipient`: the signature covers the customer's address, or the second one; the key does not contain it. Once that address is
	 * corrected, no key that was sent to the previous one works. `visit`: as `address`, and it ends with the visit that it names.
	 */
	endsWith: "address" | "recipient" | "visit" | null;
}

/**
 * Every key that opens a part of a purchase to somebody who does not sign in. Keys are signed, not stored; what they allow is decided each
 * time they are used (docs/decisions/0056-one-table-of-keys.md).
 */
export const keyKinds = {
	/** The link of an e-mail: opens the page of an order, or of its purchase, to be read (docs/rules.md, R60). */
	link: { names: "order", opens: ["link", "purchase-link"], seconds: trackingLinkDays * daySeconds, endsWith: "address" },
	/** The cookie of the page of an order or of a purchase. */
	visit: { names: "order", opens: trackingAccesses, seconds: hourSeconds, endsWith: "visit" },
	/** The cookie of the confirmation, which the browser gets when the payment starts (R40). */
	confirmation: { names: "order", opens: ["purchase"], seconds: confirmationCookieDays * daySeconds, endsWith: "visit" },
	/** In the form of « Quitter », which ends the visit also once the cookie of its page has expired. */
	quit: { names: "order", opens: trackingAccesses, seconds: confirmationCookieDays * daySeconds, endsWith: "visit" },
	/** The link that resumes a payment, until the unpaid order is deleted. */
	resume: { names: "order", opens: ["payment-link"], seconds: retention.unpaidOrders.days * daySeconds, endsWith: null },
	/** The link to all documents of a purchase in one archive (R34). */
	files: { names: "order", opens: ["purchase", "purchase-link", "url"], seconds: documentLinkHours * hourSeconds, endsWith: "address" },
	/** The same for a second address, with the extracts that go there. */
	"recipient-files": { names: "order", opens: ["link"], seconds: recipientFilesDays * daySeconds, endsWith: "recipient" },
	/** The link to one document (R34). */
	document: { names: "document", opens: [], seconds: documentLinkHours * hourSeconds, endsWith: null },
	/** The page that confirms a withdrawal, and its receipt. */
	withdrawal: { names: "order", opens: ["purchase", "line"], seconds: hourSeconds / 2, endsWith: "visit" },
	"withdrawal-receipt": { names: "declaration", opens: ["purchase", "line"], seconds: hourSeconds / 2, endsWith: "visit" },
	/** The link of a shared extract, whose row ends it (docs/decisions/0043-sharing.md). */
	"document-share": { names: "share", opens: [], seconds: null, endsWith: null },
	/** The file of a shared extract, while its page may stay open. */
	"document-share-file": { names: "share", opens: [], seconds: hourSeconds, endsWith: null },
	/** The link that ends the watch of an extract. It works for ever, because an e-mail may be read much later (RFC 8058). */
	"extract-watch-end": { names: "order", opens: [], seconds: null, endsWith: null },
} as const satisfies Record<string, KeyKind>;

export type KeyName = keyof typeof keyKinds;
/** The kinds that end with a visit. */
export type VisitKeyName = { [Name in KeyName]: (typeof keyKinds)[Name]["endsWith"] extends "visit" ? Name : never }[KeyName];

export type KeyContext = Pick<Context, "signer" | "now">;

/** What a key names, with the addresses that end it. */
type KeySubject = Pick<Order, "id"> & Partial<Pick<Order, "customer_email" | "delivery_email">>;

/** What a key says. `access`: null for kinds that ask nothing of an order. `visit`: what opened the order. */
interface KeyContent {
	id: string;
	access: AccessKey | null;
	visit: Visit | null;
}

export type ReadKey = { ok: true; key: KeyContent } | { ok: false; code: "tampered" | "expired" };

/** Of the signature: the kind, and the address that ends the key. */
function getPurpose(name: KeyName, subject: Partial<KeySubject>): string {
	const { endsWith }: KeyKind = keyKinds[name];
	if (endsWith === null) return name;
	return `${name} ${normalizeEmail((endsWith === "recipient" ? subject.delivery_email : subject.customer_email) ?? "")}`;
}

/** Between the parts of a key. */
const separator = "~";

/**
 * @param access one of those of the kind. @param visit of the kinds that end with it.
 * @param from when its lifetime starts, by default now; the same content and instant give the same key.
 */
export function signKey(
	{ signer, now }: KeyContext,
	name: KeyName,
	subject: KeySubject,
	{ access, visit = null, from = now() }: { access?: AccessKey; visit?: Visit | null; from?: Date } = {},
): string {
	const { seconds, opens, endsWith }: KeyKind = keyKinds[name];
	if (access === undefined ? opens.length > 0 : !opens.includes(access))
		throw new Error(`a key of the kind ${name} does not open ${access}`);
	if ((endsWith === "visit") !== (visit !== null))
		throw new Error(`a key of the kind ${name} does not end with ${visit?.kind ?? "no visit"}`);
	const content = [subject.id, access, visit && formatVisit(visit)].filter(Boolean).join(separator);
	const purpose = getPurpose(name, subject);
	return seconds === null ? signer.sign(purpose, content) : expiringToken(purpose, seconds).sign(signer, content, from);
}

/** Verifies a key that no visit ends. @param subject what it names, for kinds that end with an address. */
export const readKey = (
	context: KeyContext,
	name: Exclude<KeyName, VisitKeyName>,
	token: string,
	subject: Partial<KeySubject> = {},
): ReadKey => verify(context, name, token, subject);

/**
 * Verifies a key of any kind. What a visit ended is expired.
 * @param isVisitOpen is asked before such a key opens anything, so that no caller can forget it.
 */
export async function verifyKey(
	context: KeyContext,
	name: KeyName,
	token: string,
	{ subject, isVisitOpen }: { subject: Partial<KeySubject>; isVisitOpen: (visit: Visit) => Promise<boolean> },
): Promise<ReadKey> {
	const read = verify(context, name, token, subject);
	const { endsWith }: KeyKind = keyKinds[name];
	if (!read.ok || endsWith !== "visit") return read;
	if (read.key.visit === null) return { ok: false, code: "tampered" };
	return (await isVisitOpen(read.key.visit)) ? read : { ok: false, code: "expired" };
}

function verify({ signer, now }: KeyContext, name: KeyName, token: string, subject: Partial<KeySubject>): ReadKey {
	const { seconds }: KeyKind = keyKinds[name];
	const purpose = getPurpose(name, subject);
	if (seconds !== null) {
		const read = expiringToken(purpose, seconds).read(signer, token, now());
		return read.ok ? { ok: true, key: parseContent(name, read.id) } : read;
	}
	const content = signer.verify(purpose, token);
	return content === null ? { ok: false, code: "tampered" } : { ok: true, key: parseContent(name, content) };
}

/** What a key claims: the row to read before its signature is verified, because that covers an address of the row. */
export function readClaim(name: KeyName, token: string): KeyContent {
	const text = Buffer.from(token.split(".")[0] ?? "", "base64url").toString();
	return parseContent(name, text.split(".")[0] ?? "");
}

function parseContent(name: KeyName, content: string): KeyContent {
	const [id = "", access, visit = ""] = content.split(separator);
	const { opens }: KeyKind = keyKinds[name];
	return { id, access: opens.find((each) => each === access) ?? null, visit: parseVisit(visit) };
}

/** The page of one document, which downloads it. */
export const createDocumentPath = (context: KeyContext, id: string): string =>
	href("/documents/:token", { token: signKey(context, "document", { id }) });

/**
 * The page that resumes the payment of a purchase, always the same for it: the path of a cookie contains the key (R40), and a request to the
 * provider that is repeated under one key must not change.
 */
export const createResumePath = (context: KeyContext, first: Pick<Order, "id" | "created_at">): string =>
	href("/paiement/reprendre/:token", { token: signKey(context, "resume", first, { access: "payment-link", from: first.created_at }) });
