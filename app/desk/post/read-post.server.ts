import { Temporal } from "temporal-polyfill";
import { formatHour, zone } from "../../catalogue/instants.ts";
import { listOpenRuns } from "../../fulfilment/letters/letters.store.server.ts";
import type { Shop } from "../../shop.ts";
import { listLettersToPost, listPostedLetters } from "./post.store.server.ts";

/** Letters shown at most in each list. */
const maxRows = 200;

export type PostData = Awaited<ReturnType<typeof readPost>>;

/** What the page of the post shows: to print, the operator's PDFs that are not reported printed, printed, posted today. */
export async function readPost({ db, signer, now: clock }: Pick<Shop, "db" | "signer" | "now">, operatorId: string) {
	const now = clock();
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).startOfDay();
	const [waiting, posted, runs] = await Promise.all([
		listLettersToPost({ db, signer }, now, maxRows),
		listPostedLetters({ db, signer }, { now, since: new Date(today.epochMilliseconds), limit: maxRows }),
		listOpenRuns(db, operatorId, now),
	]);
	const toPrint = waiting.filter(({ isPrinted }) => !isPrinted);
	const ids = new Set(toPrint.map(({ id }) => id));
	return {
		now: now.toISOString(),
		toPrint,
		runs: runs
			.map(({ id, madeAt, orderIds }) => ({ id, hour: formatHour(madeAt), orders: orderIds.filter((orderId) => ids.has(orderId)) }))
			.filter(({ orders }) => orders.length > 0),
		printed: waiting.filter(({ isPrinted }) => isPrinted),
		posted,
	};
}
