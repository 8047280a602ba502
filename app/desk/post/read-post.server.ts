import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import type { Shop } from "../../shop.ts";
import { listLettersToPost, listPostedLetters } from "./post.store.server.ts";

/** Letters shown at most in each list. */
const maxRows = 200;

export type PostData = Awaited<ReturnType<typeof readPost>>;

/** What the page of the post shows: to print, printed, posted today. */
export async function readPost({ db, now: clock }: Pick<Shop, "db" | "now">) {
	const now = clock();
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).startOfDay();
	const [waiting, posted] = await Promise.all([
		listLettersToPost(db, now, maxRows),
		listPostedLetters(db, { now, since: new Date(today.epochMilliseconds), limit: maxRows }),
	]);
	return {
		now: now.toISOString(),
		toPrint: waiting.filter(({ isPrinted }) => !isPrinted),
		printed: waiting.filter(({ isPrinted }) => isPrinted),
		posted,
	};
}
