import type pg from "pg";

/**
 * Inserts completed orders with their e-mails, an extract and an invoice each, all at one instant. The content of a file is its type and
 * the number of its order (`kbis 1`); the path is derived from it.
 */
export async function insertOldOrders(client: pg.Client, orders: number, at: Date): Promise<void> {
	await insertOrders(client, { orders, after: 0, from: at, until: at });
}

/** The same over the three years before `now`, numbered from `after` on. Extracts older than ninety days are purged already: nothing is due. */
export async function insertKeptOrders(
	client: pg.Client,
	{ orders, after, now }: { orders: number; after: number; now: Date },
): Promise<void> {
	const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
	await insertOrders(client, { orders, after, from: ago(1090), until: ago(1) });
	const old = ago(89);
	await client.query("update documents set purged_at = created_at where doc_type = 'kbis' and created_at > $1 and created_at < $2", [
		ago(1091),
		old,
	]);
	await client.query("update extract_requests set storage_path = null where uploaded_at > $1 and uploaded_at < $2", [ago(1091), old]);
	await client.query("vacuum analyze");
}

interface OrderRange {
	orders: number;
	after: number;
	from: Date;
	until: Date;
}

async function insertOrders(client: pg.Client, { orders, after, from, until }: OrderRange): Promise<void> {
	await client.query("select setseed(0.5)");
	await client.query(
		`create temporary table old as select $2 + n as n, gen_random_uuid() as id, $3::timestamptz + n * ($4::timestamptz - $3) / $1 as at
		from generate_series(1, $1::integer) n`,
		[orders, after, from, until],
	);
	await client.query("analyze old");
	for (const statement of insertStatements) await client.query(statement);
	for (const table of ["orders", "documents", "order_events", "mails", "payments", "invoices", "extract_requests"])
		await client.query(`analyze ${table}`);
	await client.query("drop table old");
}

const document = (type: string) => `
	insert into documents (id, order_id, doc_type, issued_at, storage_path, sha256, bytes, created_at)
	select gen_random_uuid(), id, '${type}', at, left(hash, 2) || '/' || hash || '.pdf', hash, 7, at
	from old, lateral (select encode(sha256(convert_to('${type} ' || n, 'UTF8')), 'hex') as hash) hashed`;

const insertStatements = [
	`insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, phone, address,
		postal_code, city, request_hash, idempotency_key, created_at, paid_at, promised_at, completed_at)
	select id, id, 'old-' || n, 'completed', 'express', 5900, '552032534', 'DANONE', 'client' || n || '@bench.example', 'Camille', 'Martin', '06 12 34 56 78',
		'1 rue de la Paix', '75002', 'Paris', 'hash', 'key-' || n, at, at, at, at from old`,
	document("kbis"),
	document("invoice"),
	`insert into order_events (order_id, event_type, payload, created_at)
	select id, type, '{}', at from old, unnest(array['created', 'paid', 'processing', 'document_issued', 'mail_sent', 'document_sent', 'completed']) type`,
	`insert into payment_attempts (order_id, attempt, created_at, expires_at) select id, 1, at, at from old`,
	`insert into payment_sessions (id, order_id, url, status, created_at, expires_at) select 'cs_' || id, id, '/', 'complete', at, at from old`,
	`insert into payments (id, order_id, session_id, amount_cents, currency, role, created_at) select 'pi_' || id, id, 'cs_' || id, 5900, 'eur', 'order', at from old`,
	`insert into invoices (id, kind, year, number_in_year, number, order_id, issued_at, total_cents, data, document_id)
	select gen_random_uuid(), 'invoice', extract(year from at), n, 'old-' || n, old.id, at, 5900, '{"buyer": {"name": "Camille Martin"}}', documents.id
	from old join documents on documents.order_id = old.id and doc_type = 'invoice'`,
	`insert into mails (id, order_id, kind, document_id, created_at, sent_at)
	select gen_random_uuid(), old.id, kind, documents.id, at, at
	from old join documents on documents.order_id = old.id
	join (values ('document-ready', 'kbis'), ('confirmation', 'invoice')) as mail (kind, type) on type = doc_type`,
	`insert into extract_requests (order_id, requested_at, storage_path, sha256, bytes, issued_at, uploaded_at)
	select old.id, at, storage_path, sha256, bytes, at, at from old join documents on documents.order_id = old.id and doc_type = 'kbis'`,
];

/** The baseline of an erasure: changes the same rows in one transaction. */
export async function anonymiseOrders(client: pg.Client, now: Date): Promise<void> {
	await client.query("begin");
	await client.query("update documents set purged_at = $1 where doc_type = 'kbis'", [now]);
	await client.query("update extract_requests set storage_path = null, tracking_number = null");
	await client.query("delete from payment_sessions");
	await client.query("delete from payment_attempts");
	await client.query("delete from mails where sent_at is null");
	await client.query(
		`update orders set customer_email = '', first_name = '', last_name = '', phone = null, address = null, postal_code = null, city = null,
			billing_company = null, billing_siren = null, billing_vat = null, delivery_name = null, delivery_complement = null,
			delivery_address = null, delivery_postal_code = null, delivery_city = null, delivery_email = null, newsletter = false, tracking_number = null, idempotency_key = null, request_hash = '', erased_at = $1`,
		[now],
	);
	await client.query("commit");
}

/** The baseline of a deletion: deletes the same rows in one transaction. */
export async function deleteOrders(client: pg.Client): Promise<void> {
	await client.query("begin");
	await client.query("set local shop.purging_invoices = 'on'");
	for (const table of ["mails", "invoices", "documents", "payments", "extract_requests", "order_events", "orders"])
		await client.query(`delete from ${table}`);
	await client.query("commit");
}
