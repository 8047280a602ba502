import { type Selectable, sql } from "kysely";
import { changeNotification, deskSubject } from "../../../server/database/changes.ts";
import { toJson } from "../../../server/database/column-types.ts";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { ExtractDrafts } from "../../../server/database/database-types.gen.ts";
import { parseSiren } from "../../companies/siren.ts";
import { inProgressStatuses } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import type { ExtractFacts } from "../extracts/judge-extract.ts";

/** All SQL on `extract_drafts`. What one operator drops or discards notifies the desk: other tabs show it. */

/** A dropped file, without its bytes. */
export type Draft = Omit<Selectable<ExtractDrafts>, "file" | "facts"> & { bytes: number; facts: ExtractFacts };

const columns = ["id", "order_id", "operator", "file_name", "sha256", "dropped_at"] as const;
const byteCount = sql<number>`octet_length(file)`.as("bytes");

/** The facts as JSON: a date is an ISO 8601 text. */
type StoredFacts = Omit<ExtractFacts, "issueDate"> & { issueDate: { at: string; hasHour: boolean } | null };

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"extract_drafts.facts": StoredFacts;
	}
}

const toStored = ({ issueDate, ...rest }: ExtractFacts): StoredFacts => ({
	...rest,
	issueDate: issueDate && { ...issueDate, at: issueDate.at.toISOString() },
});

const toDraft = <Row extends { facts: StoredFacts }>({ facts: { issueDate, ...rest }, ...row }: Row) => ({
	...row,
	facts: { ...rest, issueDate: issueDate && { ...issueDate, at: new Date(issueDate.at) } },
});

/** Inserts a draft in the place of the operator's previous one of this order. */
export async function replaceDraft(trx: Trx, { facts, ...draft }: Omit<Draft, "bytes"> & { file: Uint8Array }): Promise<void> {
	await trx.deleteFrom("extract_drafts").where("order_id", "=", draft.order_id).where("operator", "=", draft.operator).execute();
	await trx
		.insertInto("extract_drafts")
		.values({ ...draft, file: Buffer.from(draft.file), facts: toJson(toStored(facts)) })
		.returning(changeNotification(deskSubject))
		.execute();
}

export async function findDraft(db: Database | Trx, id: string): Promise<Draft | null> {
	const row = await db
		.selectFrom("extract_drafts")
		.select([...columns, "facts", byteCount])
		.where("id", "=", id)
		.executeTakeFirst();
	return row ? toDraft(row) : null;
}

/** Lists the drafts of an order, the newest first. */
export async function listDrafts(db: Database | Trx, orderId: string): Promise<Draft[]> {
	const query = db
		.selectFrom("extract_drafts")
		.select([...columns, "facts", byteCount])
		.where("order_id", "=", orderId);
	return (await query.orderBy("dropped_at", "desc").orderBy("id").execute()).map(toDraft);
}

/** Lists an operator's drafts with their orders, the earliest promise first. */
export async function listDraftsOfOperator(db: Database, operator: string): Promise<(Draft & { order: DraftOrder })[]> {
	const rows = await db
		.selectFrom("extract_drafts")
		.innerJoin("orders", "orders.id", "extract_drafts.order_id")
		.select([...columns.map((column) => `extract_drafts.${column}` as const), "facts", byteCount])
		.select(["order_number", "company_name", "siren", "status", "promised_at", "product_code", "reference"])
		.where("operator", "=", operator)
		.orderBy("promised_at")
		.orderBy("extract_drafts.id")
		.execute();
	return rows.map(({ order_number, company_name, siren, status, promised_at, product_code, reference, ...draft }) => ({
		...toDraft(draft),
		order: { id: draft.order_id, order_number, company_name, siren, status, promised_at, product_code, reference },
	}));
}

export type DraftOrder = Pick<
	Order,
	"id" | "order_number" | "company_name" | "siren" | "status" | "promised_at" | "product_code" | "reference"
>;

/** Reads the bytes of a draft. */
export async function findDraftFile(db: Database | Trx, id: string): Promise<Uint8Array | null> {
	const row = await db.selectFrom("extract_drafts").select("file").where("id", "=", id).executeTakeFirst();
	return row ? new Uint8Array(row.file) : null;
}

/** Deletes an operator's draft. @returns false when it was gone. */
export async function deleteDraft(db: Database | Trx, { id, operator }: { id: string; operator: string }): Promise<boolean> {
	const query = db.deleteFrom("extract_drafts").where("id", "=", id).where("operator", "=", operator);
	return (await query.returning(["id", changeNotification(deskSubject)]).executeTakeFirst()) !== undefined;
}

/** Deletes all drafts of these orders. */
export async function deleteDrafts(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("extract_drafts").where("order_id", "=", anyOf(orderIds)).execute();
}

/** @returns the number of deleted drafts. */
export async function deleteOldDrafts(db: Database, before: Date): Promise<number> {
	return Number((await db.deleteFrom("extract_drafts").where("dropped_at", "<", before).executeTakeFirst()).numDeletedRows);
}

const maxOpenOrders = 10;

/** Lists the open orders of these companies that have no extract yet, the earliest promise first. */
export async function listOrdersOfCompanies(db: Database | Trx, sirens: readonly string[]): Promise<DraftOrder[]> {
	const known = sirens.flatMap((siren) => parseSiren(siren) ?? []);
	if (known.length === 0) return [];
	return db
		.selectFrom("orders")
		.leftJoin("extract_requests", "extract_requests.order_id", "orders.id")
		.select(["orders.id", "order_number", "company_name", "siren", "status", "promised_at", "product_code", "reference"])
		.where("siren", "in", known)
		.where("status", "in", inProgressStatuses)
		.where("storage_path", "is", null)
		.where("not_found_at", "is", null)
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("documents").select("documents.id").whereRef("documents.order_id", "=", "orders.id").where("doc_type", "=", "kbis"),
				),
			),
		)
		.orderBy("promised_at")
		.orderBy("orders.created_at")
		.orderBy("orders.id")
		.limit(maxOpenOrders)
		.execute();
}
