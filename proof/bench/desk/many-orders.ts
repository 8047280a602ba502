import type pg from "pg";

interface Amounts {
	/** All orders, of which `open` wait for their extract and `toPost` for the post; the others are delivered. */
	orders: number;
	open: number;
	toPost: number;
	/** The instant of the measurement. */
	now: Date;
}

/** Inserts orders over three years with the rows that belong to them: different customers, companies, payments and invoices. */
export async function insertManyOrders(client: pg.Client, { orders, open, toPost, now }: Amounts): Promise<void> {
	await client.query("select setseed(0.5)");
	// without the triggers that copy each change of an order: half a million orders would take minutes more
	await client.query("set session_replication_role = replica");
	await client.query(
		`create temporary table made as
		select n, gen_random_uuid() as id,
			case when n <= $2::integer + $3::integer then 'processing' else 'completed' end as status,
			n > $2::integer and n <= $2::integer + $3 as to_post,
			case when n > $2::integer and n <= $2::integer + $3::integer then 'postal' when random() < 0.55 then 'express' when random() < 0.8 then 'standard' else 'postal' end as service,
			case when n <= $2::integer + $3::integer then $4::timestamptz - random() * interval '100 minutes' else $4::timestamptz - interval '3 hours' - random() * interval '1090 days' end as at,
			(array['Camille','Jean','Élodie','Mohamed','Zoé','François','Inès','Luc','Chloé','Noël'])[1 + floor(random() * 10)::integer] as first_name,
			(array['Martin','Bernard','Dubois','Thomas','Robert','Richard','Petit','Durand','Leroy','Moreau','Lefèvre','Garnier','Faure','Rousseau','Blanc'])[1 + floor(random() * 15)::integer]
				|| case when random() < 0.5 then '' else '-' || chr(65 + floor(random() * 26)::integer) || chr(97 + floor(random() * 26)::integer) || 'eau' end as last_name,
			lpad(floor(random() * 1e8)::bigint::text, 8, '0') as digits,
			(array['SARL','SAS','SCI','SA','EURL'])[1 + floor(random() * 5)::integer] || ' ' || (array['BOULANGERIE','GARAGE','CABINET','ATELIER','TRANSPORTS','PHARMACIE','IMMOBILIERE','CONSEIL'])[1 + floor(random() * 8)::integer]
				|| ' ' || upper(substr(md5(random()::text), 1, 2 + floor(random() * 6)::integer)) as company
		from generate_series(1, $1::integer) n`,
		[orders, open, toPost, now],
	);
	await client.query("analyze made");
	for (const statement of statements) await client.query(statement);
	await client.query("drop table made");
	await client.query("set session_replication_role = origin");
	await client.query("vacuum analyze");
}

/** A number in the shop's form, different for each n: the multiplier has no factor in common with 29⁸. */
const orderNumber = "'KB-' || substr(letters, 1, 4) || '-' || substr(letters, 5, 4)";

const statements = [
	`insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, phone, address,
		postal_code, city, request_hash, idempotency_key, created_at, paid_at, promised_at, completed_at, tracking_number)
	select id, id, ${orderNumber}, status, service, case service when 'express' then 5900 when 'standard' then 3900 else 4400 end, '9' || digits, company,
		lower(translate(first_name || '.' || last_name, 'ÉéèïëçôÎÈ', 'eeeiecoie')) || n || '@' || (array['orange.fr','gmail.com','bench.example'])[1 + n % 3], first_name, last_name, '06' || digits,
		'1 rue de la Paix', '75002', 'Paris', 'hash', 'key-' || n, at, at, at + case service when 'express' then interval '2 hours' when 'standard' then interval '4 hours' else interval '2 days' end,
		case status when 'completed' then at + interval '50 minutes' end,
		case when service = 'postal' and status = 'completed' then '1A' || digits || '123' end
	from made, lateral (
		select string_agg(substr('23456789ABCDEFGHJKMNPQRSTWXYZ', 1 + (mixed / (29::numeric ^ i)::bigint % 29)::integer, 1), '' order by i) as letters
		from generate_series(0, 7) i, lateral (select n * 312159739477 % 500246412961 as mixed) mixed) numbered`,
	`insert into documents (id, order_id, doc_type, issued_at, storage_path, sha256, bytes, created_at)
	select gen_random_uuid(), id, type, at, left(hash, 2) || '/' || hash || '.pdf', hash, 7, at
	from made, unnest(array['kbis', 'invoice']) type, lateral (select encode(sha256(convert_to(type || ' ' || n, 'UTF8')), 'hex') as hash) hashed
	where status = 'completed' or type = 'invoice' or to_post`,
	`insert into order_events (order_id, event_type, payload, created_at)
	select id, type, '{}', at from made, unnest(array['created', 'paid', 'processing', 'document_issued', 'mail_sent', 'document_sent', 'completed']) type
	where status = 'completed' or type in ('created', 'paid', 'processing')`,
	"insert into payment_attempts (order_id, attempt, created_at, expires_at) select id, 1, at, at from made",
	"insert into payment_sessions (id, order_id, url, status, created_at, expires_at) select 'cs_bench_' || n, id, '/', 'complete', at, at from made",
	"insert into payments (id, order_id, session_id, amount_cents, currency, role, created_at) select 'pi_bench_' || n, id, 'cs_bench_' || n, 5900, 'eur', 'order', at from made",
	`insert into invoices (id, kind, year, number_in_year, number, order_id, issued_at, total_cents, data, document_id)
	select gen_random_uuid(), 'invoice', extract(year from at), n, 'F' || extract(year from at) || '-' || lpad(n::text, 6, '0'), made.id, at, 5900, '{"buyer": {"name": "Camille Martin"}}', documents.id
	from made join documents on documents.order_id = made.id and doc_type = 'invoice'`,
	`insert into mails (id, order_id, kind, document_id, created_at, sent_at)
	select gen_random_uuid(), made.id, kind, documents.id, at, at
	from made join documents on documents.order_id = made.id
	join (values ('document-ready', 'kbis'), ('confirmation', 'invoice')) as mail (kind, type) on type = doc_type`,
	`insert into extract_requests (order_id, requested_at, storage_path, sha256, bytes, issued_at, uploaded_at, tracking_number)
	select made.id, at, storage_path, sha256, bytes, case when documents.id is not null then at end, case when documents.id is not null then at end,
		case when service = 'postal' and status = 'completed' then '1A' || digits || '123' end
	from made left join documents on documents.order_id = made.id and doc_type = 'kbis'`,
	// what waits for a person
	`insert into refund_requests (id, order_id, message, created_at) select gen_random_uuid(), id, 'Extrait illisible', at from made where status = 'completed' and n % 997 = 0`,
	"insert into order_words (order_id, created_at, words) select orders.id, orders.created_at, order_search_words(orders) from orders on conflict do nothing",
	"update mails set bounced_at = created_at, bounce_reason = '550 no such user', sent_at = null where kind = 'document-ready' and abs(hashtext(id::text)) % 1499 = 0",
];
