import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import type { StorageContext } from "../documents/storage.ts";
import type { InvoiceNumber } from "./invoice-number.ts";
import { findLastPlace, listUnexplainedPlaces, moveSeries, recordGaps } from "./invoices.store.server.ts";
import { listNumbersAfter } from "./issued-numbers.server.ts";

/** A larger step is a typing error, and a series can never go back. */
const maxStep = 1000;

export type MoveResult =
	/** `gaps`: the numbers without an invoice whose reason was recorded now. */
	| { ok: true; gaps: number[] }
	/** `place`: the last number in the database or in the storage. */
	| { ok: false; code: "backwards" | "known-behind" | "too-far" | "not-begun"; place: number };

/**
 * Advances a series to a number that was issued and that this database lacks, and records the reason for each number without an invoice.
 * A second call records nothing.
 */
export async function moveInvoices(
	{ db, storage, now }: Pick<StorageContext, "db" | "storage" | "now">,
	number: InvoiceNumber,
	reason: string,
): Promise<MoveResult> {
	const year = Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(zone).year;
	if (number.year > year) return { ok: false, code: "not-begun", place: 0 };
	return db.transaction().execute(async (trx) => {
		const last = await findLastPlace(trx, number);
		if (number.place < last) return { ok: false, code: "backwards", place: last };
		const lastKnown = (await listNumbersAfter(storage, { ...number, place: last })).at(-1)?.place ?? last;
		if (number.place < lastKnown) return { ok: false, code: "known-behind", place: lastKnown };
		if (number.place > lastKnown + maxStep) return { ok: false, code: "too-far", place: lastKnown };
		await moveSeries(trx, number, new Date(0));
		const gaps = await listUnexplainedPlaces(trx, number);
		await recordGaps(trx, number, { places: gaps, reason, now: now() });
		return { ok: true, gaps };
	});
}
