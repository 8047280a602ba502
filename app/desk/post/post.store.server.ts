import { sql } from "kysely";
import { day } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import type { Signer } from "../../../server/signing.ts";
import { dueAt } from "../../fulfilment/claims/to-serve.server.ts";
import { isForCustomer } from "../../fulfilment/letters/letter.ts";
import { getLetterAddress } from "../../orders/letter-address.ts";
import { toLetterNumber } from "../../orders/letter-number.server.ts";
import type { Order } from "../../orders/order.ts";
import { ordersToPost } from "../queue/queue.store.server.ts";

/** SQL of the post. */

export interface LetterRow {
	id: string;
	number: string;
	/** The number on its sheet: that of the order, or of the letter where it goes to somebody else. */
	sheetNumber: string;
	company: string;
	recipient: string;
	city: string;
	/** ISO 8601. */
	dueAt: string;
	isPrinted: boolean;
	/** When its address was last corrected, in ISO 8601: a sheet of before has another one. Null if it never was. */
	correctedAt: string | null;
	/** Null until the letter is posted. */
	trackingNumber: string | null;
}

type LetterContext = Pick<Context, "db" | "signer">;

type Row = Order & { due_at: Date; printed_at: Date | null; posted_number: string | null; corrected_at: Date | null };

/** When the address of an order's letter was last corrected. */
const correctedAt = sql`(select max(order_events.created_at) from order_events
	where order_events.order_id = orders.id and event_type = 'address_corrected' and payload @> '{"letter": true}')`;

/** Letters to print or to post, the most pressing first. */
export async function listLettersToPost({ db, signer }: LetterContext, now: Date, limit: number): Promise<LetterRow[]> {
	const { rows } = await sql<Row>`
		select orders.*, ${dueAt} as due_at, extract_requests.printed_at, null as posted_number, ${correctedAt} as corrected_at
		from orders join extract_requests on extract_requests.order_id = orders.id
		where orders.id in (${ordersToPost(now)})
		order by ${dueAt}, orders.id limit ${limit}`.execute(db);
	return rows.map((row) => toLetterRow(signer, row));
}

/** A letter is posted within days of its payment. */
const maxDays = 60;

/** Letters posted since an instant, the newest first. */
export async function listPostedLetters(
	{ db, signer }: LetterContext,
	{ now, since, limit }: { now: Date; since: Date; limit: number },
): Promise<LetterRow[]> {
	const { rows } = await sql<Row>`
		select orders.*, ${dueAt} as due_at, extract_requests.printed_at, extract_requests.tracking_number as posted_number,
			null as corrected_at
		from orders join extract_requests on extract_requests.order_id = orders.id
		where orders.product_code = 'postal' and orders.paid_at > ${new Date(now.getTime() - maxDays * day)}
			and extract_requests.posted_at >= ${since} and orders.erased_at is null
		order by extract_requests.posted_at desc limit ${limit}`.execute(db);
	return rows.map((row) => toLetterRow(signer, row));
}

function toLetterRow(signer: Signer, row: Row): LetterRow {
	const { name, city } = getLetterAddress(row);
	return {
		id: row.id,
		number: row.order_number,
		sheetNumber: isForCustomer(row) ? row.order_number : toLetterNumber(signer, row.order_number),
		company: row.company_name,
		recipient: name,
		city,
		dueAt: row.due_at.toISOString(),
		isPrinted: row.printed_at !== null,
		correctedAt: row.corrected_at?.toISOString() ?? null,
		trackingNumber: row.posted_number,
	};
}
