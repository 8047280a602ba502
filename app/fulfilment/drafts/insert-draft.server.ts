import { randomUUID } from "node:crypto";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { isPosted } from "../../catalogue/services.ts";
import { contentAddress } from "../../orders/documents/content-address.server.ts";
import { findExtractByHash } from "../../orders/documents/documents.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, lockOrder } from "../../orders/orders.store.server.ts";
import { checkCorrectable, type NotCorrectable } from "../check-correctable.server.ts";
import type { NotServable } from "../check-servable.ts";
import { findUploadByHash } from "../extract-requests.store.server.ts";
import { examineExtract } from "../extracts/examine-extract.server.ts";
import type { InspectorContext } from "../extracts/inspect-pdf.server.ts";
import { type ExtractFacts, type ExtractProblem, findCompanyProblem, findPicture } from "../extracts/judge-extract.ts";
import { isPhoto } from "../extracts/photos/photo-header.ts";
import { convertPhoto } from "../extracts/photos/photo-to-pdf.server.ts";
import { checkDeliverable } from "../upload-extract.server.ts";
import { type Draft, type DraftOrder, listDrafts, listOrdersOfCompanies, replaceDraft } from "./drafts.store.server.ts";

/** A file that an operator drops. */
export interface DroppedFile {
	bytes: Uint8Array;
	fileName: string;
	/** What it says, when it was examined before. */
	facts?: ExtractFacts;
	/** The operator's id. */
	operator: string;
}

/** `same-extract`: the order has this extract. `of-another-order`: it was delivered for another one. */
export type DraftRefusal = NotServable | NotCorrectable | "unknown-order" | "same-extract" | "of-another-order";

export type DraftOutcome =
	/** `again`: the file was there already. `rightOrders`: open orders of the company that the extract names, if it is another one. */
	| { ok: true; draft: Draft; again: boolean; rightOrders: DraftOrder[] }
	/** `order`: the other order that has the file. */
	| { ok: false; code: ExtractProblem | DraftRefusal; order?: Order };

/** Whether the pages of a file may be drawn, so that the operator sees which document it is: it passed the scan for active content. */
export const isDrawable = ({ problem, pages }: ExtractFacts): boolean => pages > 0 && (problem === null || problem === "specimen");

/**
 * Checks a file and keeps it for an order until the operator delivers or discards it, in the place of their previous one. Nothing is sent.
 * A photo of a letter becomes a PDF of one page, and is treated as a scan; the photo itself is not stored. An order by e-mail takes neither
 * photos nor scans. A file that can neither be drawn nor delivered is refused, and the previous one stays.
 * @throws when the PDF inspector does not work.
 */
export async function insertDraft(
	context: Context & InspectorContext,
	{ orderId, bytes: dropped, facts: known, fileName, operator }: DroppedFile & { orderId: string },
): Promise<DraftOutcome> {
	const { db, now } = context;
	const order = await findOrder(db, orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	const refused = await checkOrder(db, order);
	if (refused !== null) return { ok: false, code: refused };
	// the rule; net: judgeExtract, when it is delivered
	const takesPictures = isPosted(order.product_code);
	if (isPhoto(dropped) && !takesPictures) return { ok: false, code: "photo" };
	const photo = isPhoto(dropped) ? await convertPhoto(dropped) : null;
	if (photo && !photo.ok) return photo;
	const bytes = photo ? photo.pdf : dropped;
	const { sha256 } = contentAddress(bytes);
	const user = await findOrderOfFile(db, sha256);
	if (user !== null)
		return user.id === orderId ? { ok: false, code: "same-extract" } : { ok: false, code: "of-another-order", order: user };
	const examined = known ?? (await examineExtract(context, bytes));
	const facts = photo?.isCut ? { ...examined, isCut: true } : examined;
	const picture = takesPictures ? null : findPicture(facts);
	if (picture) return { ok: false, code: picture };
	if (!isDrawable(facts)) return { ok: false, code: facts.problem ?? "damaged" };

	const draft = {
		id: randomUUID(),
		order_id: orderId,
		operator,
		sha256,
		facts,
		file_name: fileName.slice(0, maxFileNameLength),
		dropped_at: now(),
	};
	return db.transaction().execute(async (trx): Promise<DraftOutcome> => {
		// two drops at once: the second replaces the first
		if ((await lockOrder(trx, orderId)) === null) return { ok: false, code: "unknown-order" };
		const previous = (await listDrafts(trx, orderId)).find((each) => each.operator === operator);
		const rightOrders = await listRightOrders(trx, order, facts);
		// the row stays, because a delivery of it may be scheduled
		if (previous?.sha256 === sha256) return { ok: true, draft: previous, again: true, rightOrders };
		await replaceDraft(trx, { ...draft, file: bytes });
		return { ok: true, draft: { ...draft, bytes: bytes.byteLength }, again: false, rightOrders };
	});
}

/** In characters. */
const maxFileNameLength = 200;

/** Why an order takes no file: an open order is served, a finished one may have its extract replaced. */
async function checkOrder(db: Database, order: Order): Promise<NotServable | NotCorrectable | null> {
	return order.status === "completed" ? checkCorrectable(db, order) : checkDeliverable(db, order);
}

/** Finds the order that a file was delivered for, or is on its way to. */
async function findOrderOfFile(db: Database, sha256: string): Promise<Order | null> {
	const use = (await findUploadByHash(db, sha256)) ?? (await findExtractByHash(db, sha256));
	return use && findOrder(db, use.order_id);
}

/** The open orders of the company that an extract names, when it is not the order's own. */
export async function listRightOrders(db: Database | Trx, order: Pick<Order, "id" | "siren">, facts: ExtractFacts): Promise<DraftOrder[]> {
	if (facts.problem !== null || findCompanyProblem(facts, order.siren) === null) return [];
	const sirens = facts.siren === null ? facts.sirens : [facts.siren];
	return (await listOrdersOfCompanies(db, sirens)).filter(({ id }) => id !== order.id);
}
