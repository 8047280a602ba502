import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { type IssuedInvoice, toIssuedInvoice } from "./invoices.store.server.ts";

/** SQL on `mailbox_keys` and `invoices.mailbox_fingerprint`. */

export interface StoredMailboxKey {
	id: string;
	encrypted: Buffer;
}

/** The keys, the newest first. */
export async function listMailboxKeys(db: Database | Trx): Promise<StoredMailboxKey[]> {
	return db.selectFrom("mailbox_keys").select(["id", "encrypted"]).orderBy("created_at", "desc").orderBy("id").execute();
}

export async function insertMailboxKey(db: Database | Trx, key: StoredMailboxKey, now: Date): Promise<void> {
	await db
		.insertInto("mailbox_keys")
		.values({ ...key, created_at: now })
		.execute();
}

export async function updateMailboxKey(db: Database | Trx, { id, encrypted }: StoredMailboxKey): Promise<void> {
	await db.updateTable("mailbox_keys").set({ encrypted }).where("id", "=", id).execute();
}

/** Sets the fingerprint on the invoices and credit notes of orders. */
export async function setFingerprints(trx: Trx, orders: readonly { id: string; fingerprint: Buffer }[]): Promise<void> {
	const [ids, fingerprints] = [orders.map(({ id }) => id), orders.map(({ fingerprint }) => fingerprint)];
	await sql`
		update invoices set mailbox_fingerprint = mailbox.fingerprint
		from unnest(${ids}::uuid[], ${fingerprints}::bytea[]) as mailbox (order_id, fingerprint)
		where invoices.order_id = mailbox.order_id`.execute(trx);
}

/** Whether an invoice has one of these fingerprints. */
const hasFingerprint = (fingerprints: readonly Buffer[]) => sql<boolean>`mailbox_fingerprint = any(${fingerprints}::bytea[])`;

/** Removes these fingerprints. @returns from how many invoices. */
export async function clearFingerprints(db: Database | Trx, fingerprints: readonly Buffer[]): Promise<number> {
	const query = db.updateTable("invoices").set({ mailbox_fingerprint: null }).where(hasFingerprint(fingerprints));
	return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** Lists the invoices with one of these fingerprints. */
export async function listInvoicesByFingerprint(db: Database, fingerprints: readonly Buffer[]): Promise<IssuedInvoice[]> {
	const query = db.selectFrom("invoices").selectAll().where(hasFingerprint(fingerprints));
	return (await query.orderBy("issued_at").orderBy("number").execute()).map(toIssuedInvoice);
}
