import { sql } from "kysely";
import { changeNotification, deskSubject } from "../../../server/database/changes.ts";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import { day } from "../../../server/durations.ts";
import { nameBuyer, nameSender } from "../../emails/email-parts.ts";
import { getLetterAddress } from "../../orders/letter-address.ts";
import { isForCustomer, type Letter } from "./letter.ts";

/** SQL on letters to print, and all SQL on `letter_runs`. */

/** The letters of these orders, in this order. */
export async function listLetters(db: Database | Trx, orderIds: readonly string[]): Promise<Letter[]> {
	const rows = await db
		.selectFrom("orders")
		.innerJoin("extract_requests", "extract_requests.order_id", "orders.id")
		.selectAll("orders")
		.select(["extract_requests.storage_path", "extract_requests.sha256", "extract_requests.printed_at"])
		.where("orders.id", "=", anyOf(orderIds))
		.where("orders.product_code", "=", "postal")
		.where("orders.erased_at", "is", null)
		.where("extract_requests.uploaded_at", "is not", null)
		.orderBy(sql`array_position(${orderIds}::uuid[], orders.id)`)
		.execute();
	const inPurchase = db.selectFrom("orders").select(["purchase_id", "siren", "company_name"]);
	const ids = rows.map(({ purchase_id }) => purchase_id);
	const ordered = Map.groupBy(await inPurchase.where("purchase_id", "=", anyOf(ids)).execute(), ({ purchase_id }) => purchase_id);
	return rows.map((row) => ({
		orderId: row.id,
		orderNumber: row.order_number,
		companyName: row.company_name,
		siren: row.siren,
		orderedAt: row.created_at,
		reference: row.reference,
		address: getLetterAddress(row),
		sender: isForCustomer(row) ? null : { name: nameBuyer(row), nameWithCompany: nameSender(row, ordered.get(row.purchase_id) ?? []) },
		extractPath: row.storage_path,
		extractHash: row.sha256 ?? "",
		isPrinted: row.printed_at !== null,
	}));
}

/** A PDF of letters that an operator downloaded and has not reported printed. */
export interface OpenRun {
	id: string;
	madeAt: Date;
	/** Its letters that are still to be printed with the extract that is in the PDF. */
	orderIds: string[];
}

/**
 * Inserts a run and notifies the desk. It takes the place of the operator's earlier ones whose letters it has. Inserts nothing when all
 * letters were printed before.
 */
export async function insertRun(
	trx: Trx,
	{ id, operatorId, madeAt, letters }: { id: string; operatorId: string; madeAt: Date; letters: readonly Letter[] },
): Promise<void> {
	const unprinted = letters.filter(({ isPrinted }) => !isPrinted);
	if (unprinted.length === 0) return;
	const orderIds = unprinted.map(({ orderId }) => orderId);
	await sql`delete from letter_runs where operator_id = ${operatorId} and marked_at is null and order_ids <@ ${orderIds}::uuid[]`.execute(
		trx,
	);
	await trx
		.insertInto("letter_runs")
		.values({ id, operator_id: operatorId, made_at: madeAt, order_ids: orderIds, hashes: unprinted.map(({ extractHash }) => extractHash) })
		.returning(changeNotification(deskSubject))
		.execute();
}

/** In milliseconds: after two days the letters are downloaded again. */
const runLifetime = 2 * day;

/** Locks the runs that have one of these letters and are not reported printed yet, in the order of their ids. */
export async function lockRunsOf(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await sql`select from letter_runs where marked_at is null and order_ids && ${orderIds}::uuid[] order by id for update`.execute(trx);
}

/** Takes a letter out of the runs that are not reported printed yet, and notifies the desk: its sheet there has another address. */
export async function removeFromRuns(trx: Trx, orderId: string): Promise<void> {
	await sql`update letter_runs set (order_ids, hashes) = (
			select coalesce(array_agg(letter.order_id), '{}'), coalesce(array_agg(letter.sha256), '{}')
			from unnest(order_ids, hashes) as letter (order_id, sha256) where letter.order_id <> ${orderId}
		) where marked_at is null and ${orderId} = any(order_ids)
		returning ${changeNotification(deskSubject)}`.execute(trx);
}

/** Records that a letter is to be printed again. */
export async function updateUnprinted(trx: Trx, orderId: string): Promise<void> {
	await sql`update extract_requests set printed_at = null where order_id = ${orderId}
		returning ${changeNotification(deskSubject)}`.execute(trx);
}

/** Deletes the runs whose time is over, of every operator. @returns how many. */
export async function deleteOldRuns(db: Database, now: Date): Promise<number> {
	const query = db.deleteFrom("letter_runs").where("made_at", "<", new Date(now.getTime() - runLifetime));
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** The letters of a run that are still to be printed, with the extract that they had. A posted letter is printed again after another extract. */
const unprintedLetters = sql`letter_runs cross join lateral unnest(order_ids, hashes) as letter (order_id, sha256)
	join extract_requests on extract_requests.order_id = letter.order_id and extract_requests.sha256 = letter.sha256
		and extract_requests.printed_at is null
		and (extract_requests.posted_at is null or extract_requests.posted_at < extract_requests.uploaded_at)
	join orders on orders.id = letter.order_id and orders.status <> 'failed'`;

/** Lists an operator's runs that have letters to print, the earliest first. */
export async function listOpenRuns(db: Database | Trx, operatorId: string, now: Date): Promise<OpenRun[]> {
	const { rows } = await sql<OpenRun>`
		select letter_runs.id, made_at as "madeAt", array_agg(letter.order_id) as "orderIds" from ${unprintedLetters}
		where operator_id = ${operatorId} and marked_at is null and made_at >= ${new Date(now.getTime() - runLifetime)}
		group by letter_runs.id order by made_at, letter_runs.id`.execute(db);
	return rows;
}

/** Marks a run of an operator as printed. @returns false when there is no such run. */
export async function markRun(trx: Trx, { id, operatorId, now }: { id: string; operatorId: string; now: Date }): Promise<boolean> {
	const { rows } = await sql`update letter_runs set marked_at = coalesce(marked_at, ${now}) where id = ${id} and operator_id = ${operatorId}
		returning id`.execute(trx);
	return rows.length > 0;
}

/**
 * Records that the letters of a run were printed, and notifies the desk. Another extract makes a letter unprinted again.
 * @returns the order numbers of those that were not.
 */
export async function updatePrinted(trx: Trx, runId: string, now: Date): Promise<string[]> {
	const { rows } = await sql<{ order_number: string }>`
		update extract_requests set printed_at = ${now} from orders
		where orders.id = extract_requests.order_id
			and extract_requests.order_id in (select letter.order_id from ${unprintedLetters} where letter_runs.id = ${runId})
		returning orders.order_number, ${changeNotification(deskSubject)}`.execute(trx);
	return rows.map(({ order_number }) => order_number);
}
