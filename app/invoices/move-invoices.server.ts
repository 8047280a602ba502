import { Temporal } from "temporal-polyfill";
import type { Runtime } from "../../server/runtime.ts";
import { zone } from "../catalogue/instants.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import type { InvoiceNumber } from "./invoice-number.ts";
import { findLastPlace, listUnexplainedPlaces, moveSeries, recordGaps } from "./invoices.store.server.ts";
import { listNumbersBehind } from "./issued-numbers.server.ts";

/** Farther than this behind the last number that is known, a number was mistyped: a series never goes back. */
const farthest = 1000;

export type MovedSeries =
	/** `gaps`: the places that have no invoice here, and for which the reason was recorded now. */
	| { ok: true; gaps: number[] }
	/** `place`: that stands against it: the last one here, or the last one that the storage knows. */
	| { ok: false; code: "backwards" | "known-behind" | "too-far" | "not-begun"; place: number };

/**
 * Has a series go on behind a number that was issued and that this database does not have. Records, with the reason, each number up to it
 * that stays without an invoice. The same again records nothing.
 */
export async function moveInvoices(
	{ db, storage, now }: Pick<Runtime, "db" | "now"> & { storage: DocumentStorage },
	number: InvoiceNumber,
	reason: string,
): Promise<MovedSeries> {
	const year = Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(zone).year;
	if (number.year > year) return { ok: false, code: "not-begun", place: 0 };
	return db.transaction().execute(async (trx) => {
		const last = await findLastPlace(trx, number);
		if (number.place < last) return { ok: false, code: "backwards", place: last };
		const known = (await listNumbersBehind(storage, { ...number, place: last })).at(-1)?.place ?? last;
		if (number.place < known) return { ok: false, code: "known-behind", place: known };
		if (number.place > known + farthest) return { ok: false, code: "too-far", place: known };
		await moveSeries(trx, number, new Date(0));
		const gaps = await listUnexplainedPlaces(trx, number);
		await recordGaps(trx, number, gaps, reason, now());
		return { ok: true, gaps };
	});
}
