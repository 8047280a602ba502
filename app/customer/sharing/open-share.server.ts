import { createHash } from "node:crypto";
import { describeFault } from "../../../server/observability/log.ts";
import { takeEach } from "../../../server/rate-limits.ts";
import { findOrderedCompany, getDocumentFileName } from "../../emails/name-document.server.ts";
import { type DocumentReadFailure, findReadableDocument, readDocument } from "../../emails/read-document.server.ts";
import type { StoredDocument } from "../../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../../orders/documents/storage.ts";
import { readKey } from "../../orders/keys.server.ts";
import type { Order } from "../../orders/order.ts";
import { describeExtractWatch } from "../../orders/watch/describe-watch.server.ts";
import { getDelivery } from "./create-share.server.ts";
import { nameCompany, nameShared } from "./name-shared.ts";
import { isPasscode, normalizePasscode } from "./passcode.server.ts";
import { readShareToken, shareFilePath } from "./share-links.server.ts";
import { codeLength, getShareState } from "./share-rules.ts";
import { countWrongCode, findShare, type OpeningKind, recordShareOpening, type Share } from "./shares.store.server.ts";

/**
 * `gone`: the link is no longer stored, or its document is not. `frozen`: the document may not be read for now; a reader is not told of
 * the dispute.
 */
export type ShareRefusal =
	| { ok: false; code: "unknown" | "tampered" | "gone" | "revoked" | "expired" | "blocked" | "frozen" }
	| DocumentReadFailure;

interface ActiveShare {
	share: Share;
	/** The shared document, or the extract that replaced it. */
	document: StoredDocument;
	order: Order;
}

/** Wrong and right passcodes of one client in a quarter of an hour: for one link, and for all. */
const triesPerShare = 5;
const triesPerClient = 20;
const tryWindow = 900;

/** Finds what a link shows. Reads the database each time, so that a revoked link is dead at once in every process. */
async function findActiveShare({ db, now }: StorageContext, id: string): Promise<({ ok: true } & ActiveShare) | ShareRefusal> {
	const share = await findShare(db, id);
	if (share === null) return { ok: false, code: "gone" };
	const state = getShareState(share, now());
	if (state !== "active") return { ok: false, code: state };
	const found = await findReadableDocument(db, share.document_id);
	if (!found.ok) return { ok: false, code: found.code === "expired" ? "gone" : "frozen" };
	return { ok: true, share, document: found.document, order: found.order };
}

/**
 * What the link of a share says before it is opened. Programs that scan links read it too, so it has what the register publishes and what
 * the customer wrote for its reader, and nothing else (docs/rules.md, R241).
 */
export async function describeShareLanding(context: StorageContext, token: string) {
	const link = readShareToken(context, token);
	if (!link.ok) return link;
	const found = await findActiveShare(context, link.id);
	if (!found.ok) return found;
	const { sender, purpose, code_hash, expires_at } = found.share;
	const company = await findOrderedCompany(context.db, found.order);
	return {
		ok: true,
		isSpecimen: context.environment.issuer === "specimen",
		extractName: nameShared(context.environment.issuer, company),
		// a passcode protects the name, too
		company: code_hash === null ? nameCompany(found.order, company) : null,
		...{ sender, purpose },
		asksForCode: code_hash !== null,
		expiresAt: expires_at.toISOString(),
	} as const;
}

export type OpenedShare = Awaited<ReturnType<typeof describeOpened>>;

/** `wrong-code`: the passcode is missing or wrong. `busy`: too many passcodes wait to be compared. */
export type OpenOutcome =
	| { ok: true; opened: OpenedShare }
	| { ok: false; code: "wrong-code" | "busy" }
	| { ok: false; code: "limited"; retryAfter: number }
	| ShareRefusal;

/** Opens a share by its button, and counts the opening. @param client the client's key. */
export async function openShare(
	context: StorageContext,
	token: string,
	{ code, client }: { code: string; client: string },
): Promise<OpenOutcome> {
	const link = readShareToken(context, token);
	if (!link.ok) return link;
	const asked = await findActiveShare(context, link.id);
	if (!asked.ok) return asked;
	const checked = await checkCode(context, asked.share, { code, client });
	if (!checked.ok) return checked;
	// again, because passcodes wait for their turn: one that was compared after the link was blocked opens nothing
	const found = await findActiveShare(context, link.id);
	if (!found.ok) return found;
	const read = await readIntact(context, found.document);
	if (!read.ok) return read;
	const opened = await describeOpened(context, found);
	await recordOpening(context, found, "opened");
	return { ok: true, opened };
}

async function checkCode(
	{ db, limits, log, environment }: StorageContext,
	{ id, code_hash }: Share,
	{ code, client }: { code: string; client: string },
): Promise<{ ok: true } | { ok: false; code: "wrong-code" | "blocked" | "busy" } | { ok: false; code: "limited"; retryAfter: number }> {
	if (code_hash === null) return { ok: true };
	const passcode = normalizePasscode(code);
	// nothing typed is no try
	if (passcode === "" || code.length > codeLength.max) return { ok: false, code: "wrong-code" };
	const taken = await takeEach([
		{ limit: limits("share-client", triesPerClient, tryWindow), subject: client },
		{ limit: limits("share-code", triesPerShare, tryWindow), subject: [client, id] },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	const isRight = await isPasscode(environment.passwordHashing, passcode, code_hash);
	if (isRight === null) return { ok: false, code: "busy" };
	// a right one is never counted, so it cannot block the link for others; openShare asks again whether the link lives
	if (isRight) return { ok: true };
	if (!(await countWrongCode(db, id))) return { ok: false, code: "blocked" };
	log.info({ share: id }, "a wrong passcode was given for a shared document");
	return { ok: false, code: "wrong-code" };
}

/** Reads the file and compares it with the hash that was recorded at its delivery. */
async function readIntact(context: StorageContext, document: StoredDocument) {
	const read = await readDocument(context, document);
	if (!read.ok) return read;
	if (createHash("sha256").update(read.bytes).digest("hex") === document.sha256) return read;
	context.log.error({ order: document.order_id, document: document.id }, "a document differs from its recorded hash");
	return { ok: false, code: "lost" } as const;
}

/** The document as its reader sees it, with what the customer wrote for its reader, and nothing else of the customer or the order. */
async function describeOpened(context: StorageContext, { share, document, order }: ActiveShare) {
	const { db, now, environment } = context;
	const { issued_at: issuedAt } = document;
	const company = await findOrderedCompany(db, order);
	return {
		documentId: document.id,
		extractName: nameShared(environment.issuer, company),
		company: { name: order.company_name, siren: order.siren, greffe: company?.greffe ?? null },
		...{ sender: share.sender, purpose: share.purpose },
		issuedAt: issuedAt.toISOString(),
		sha256: document.sha256,
		bytes: document.bytes,
		checkedAt: now().toISOString(),
		expiresAt: share.expires_at.toISOString(),
		isReplacement: document.id !== share.document_id,
		watch: await describeExtractWatch(db, { siren: order.siren, issuedAt, deliveredAt: getDelivery(order, document) }, now()),
		filePath: shareFilePath(context, share.id),
	};
}

/** Reads the file of an opened share. The link of the file is short-lived, and the share is checked again. @param counts false for HEAD. */
export async function readSharedFile(
	context: StorageContext,
	key: string,
	{ counts }: { counts: boolean },
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer>; fileName: string } | ShareRefusal | { ok: false; code: "page-expired" }> {
	const link = readKey(context, "document-share-file", key);
	if (!link.ok) return link.code === "expired" ? { ok: false, code: "page-expired" } : { ok: false, code: "tampered" };
	const found = await findActiveShare(context, link.key.id);
	if (!found.ok) return found;
	const read = await readIntact(context, found.document);
	if (!read.ok) return read;
	if (counts) await recordOpening(context, found, "downloaded");
	return { ...read, fileName: await getDocumentFileName(context.db, found.order, found.document) };
}

/** A share opens also when it cannot be counted. */
async function recordOpening({ db, now, log }: StorageContext, { share, order }: ActiveShare, kind: OpeningKind): Promise<void> {
	await recordShareOpening(db, share.id, kind, now()).catch((error) =>
		log.warn({ share: share.id, error: describeFault(error) }, "an opening is not recorded"),
	);
	log.info({ order: order.id, share: share.id, kind }, `a shared document was ${kind}`);
}
