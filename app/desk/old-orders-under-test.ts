import { sql } from "kysely";
import type { Database } from "../../server/database.ts";
import { insertOrder, insertPayment, type OrderValues } from "../../server/test-orders.ts";
import type { DocumentStorage } from "../documents/storage.ts";

let made = 0;

/**
 * Served by hand, posted, partly refunded and complained about, at one instant, with all that hangs on such an order.
 * @param billed when it was paid and the invoices were issued, if not then. @returns the files of its extract, invoice and credit note.
 */
export async function insertServedOrder(
	{ db, storage }: { db: Database; storage: DocumentStorage },
	when: Date,
	{ order = {}, buyer = { name: "Ada Lovelace" }, billed = when }: { order?: OrderValues; buyer?: object; billed?: Date } = {},
): Promise<{ id: string; paths: string[] }> {
	const done = { status: "completed", paid_at: when, completed_at: when, refunded_cents: 1000, tracking_number: "1A23456789012" } as const;
	const inserted = await insertOrder(db, {
		created_at: when,
		product_code: "postal",
		...done,
		phone: "06",
		address: "1 rue",
		delivery_email: `grace${++made}@example.fr`,
		...order,
	});
	const order_id = inserted.id;
	const file = async (doc_type: string) => {
		const stored = await storage.put(new TextEncoder().encode(`%PDF ${doc_type} ${order_id}`));
		const id = crypto.randomUUID();
		const { path: storage_path, sha256, bytes } = stored;
		await db
			.insertInto("documents")
			.values({ id, order_id, doc_type, issued_at: when, storage_path, sha256, bytes, created_at: when })
			.execute();
		return { id, ...stored };
	};
	const [extract, invoice, note] = [await file("kbis"), await file("invoice"), await file("credit_note")];
	const [payment, session, refund] = [`pi_${order_id}`, `cs_${order_id}`, crypto.randomUUID()];
	const span = { created_at: when, expires_at: when };
	await db
		.insertInto("payment_sessions")
		.values({ id: session, order_id, url: "/", status: "complete", ...span })
		.execute();
	await db
		.insertInto("payment_attempts")
		.values({ order_id, attempt: 1, ...span })
		.execute();
	await insertPayment(db, inserted, { id: payment, session_id: session, created_at: billed });
	const back = { amount_cents: 1000, reason: "guarantee", status: "succeeded", requested_at: when, settled_at: when };
	await db
		.insertInto("refunds")
		.values({ id: refund, order_id, payment_id: payment, ...back })
		.execute();
	const bill = async (kind: string, document_id: string, refund_id: string | null, corrects: string | null) => {
		const id = crypto.randomUUID();
		const numbers = {
			year: Number(billed.toLocaleDateString("en", { timeZone: "Europe/Paris", year: "numeric" })),
			number_in_year: ++made,
		};
		const row = {
			id,
			kind,
			...numbers,
			number: `${kind}-${made}`,
			order_id,
			refund_id,
			corrects,
			issued_at: billed,
			total_cents: refund_id ? back.amount_cents : inserted.price_cents,
			document_id,
		};
		await db
			.insertInto("invoices")
			.values({ ...row, data: JSON.stringify({ number: row.number, buyer }) })
			.execute();
		return id;
	};
	await bill("credit_note", note.id, refund, await bill("invoice", invoice.id, null, null));
	await db
		.insertInto("order_events")
		.values({ order_id, event_type: "posted", payload: '{"tracking_number":"1A2"}', created_at: when })
		.execute();
	await db
		.insertInto("order_events")
		.values({ order_id, event_type: "tracking_corrected", payload: '{"tracking_number":"1A2","replaces":"1A21"}', created_at: when })
		.execute();
	for (const [kind, state] of [
		["document-ready", { sent_at: when }],
		["confirmation", { bounced_at: when, bounce_reason: "Lovelace?" }],
		["posted", {}],
	] as const)
		await db
			.insertInto("mails")
			.values({ id: crypto.randomUUID(), order_id, kind, document_id: extract.id, created_at: when, ...state })
			.execute();
	const handed = { requested_at: when, storage_path: extract.path, sha256: extract.sha256, uploaded_at: when, posted_at: when };
	await db
		.insertInto("extract_requests")
		.values({ order_id, ...handed, tracking_number: "1A23456789012" })
		.execute();
	const asked = { message: "Lovelace s’écrit ainsi", answer: "Oui, Madame Lovelace", granted: true, created_at: when, decided_at: when };
	await db
		.insertInto("refund_requests")
		.values({ id: crypto.randomUUID(), order_id, ...asked })
		.execute();
	await db.insertInto("withdrawals").values({ id: crypto.randomUUID(), order_id, declared_at: when, outcome: "refused" }).execute();
	await sql`insert into sandbox.sessions values (${session}, ${order_id}, 4400, 'eur', 'KBIS', 'ada@example.fr', '/', '/', 'complete', 'paid', ${payment}, ${when}, ${when}, ${when})`.execute(
		db,
	);
	return { id: order_id, paths: [extract, invoice, note].map(({ path }) => path) };
}
