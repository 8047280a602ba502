import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import type { QueuedMail } from "../../mail/mails.store.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { signKey } from "../keys.server.ts";
import type { Order } from "../order.ts";
import { describeOrderWatch } from "./describe-watch.server.ts";
import type { ExtractWatch } from "./extract-watch.ts";

/** What an e-mail about published notices says. */
export interface EmailNotices extends Pick<ExtractWatch, "extractOn" | "endsOn" | "importedAt" | "entries"> {
	/** Orders an extract of the same company and service. */
	orderUrl: string;
	/** Ends the watch. */
	endUrl: string;
}

/**
 * Describes the notices of an e-mail as they stand now, without those that were cancelled or corrected since.
 * @returns null when nothing is left to tell, or the watch was ended.
 */
export async function describeEmailNotices(context: Context, order: Order, { notices }: QueuedMail): Promise<EmailNotices | null> {
	const watch = order.watch_ended_at === null ? await describeOrderWatch(context.db, order, context.now()) : null;
	const entries = watch?.entries.filter(({ id }) => notices?.includes(id)) ?? [];
	if (watch === null || entries.length === 0) return null;
	const { extractOn, endsOn, importedAt } = watch;
	const form = absoluteUrl(context.environment.baseUrl, "/commande/:siren", { siren: order.siren });
	return {
		extractOn,
		endsOn,
		importedAt,
		entries,
		orderUrl: `${form}?service=${order.product_code}`,
		endUrl: watchEndUrl(context, order.id),
	};
}

/** The link that ends the watch of an order. */
export function watchEndUrl(context: Pick<Context, "environment" | "signer" | "now">, orderId: string): string {
	const token = signKey(context, "extract-watch-end", { id: orderId });
	return absoluteUrl(context.environment.baseUrl, "/suivi/surveillance/:token", { token });
}

/**
 * Lists the notices of a watched order that no e-mail has. A cancellation counts only once the e-mail with its notice was sent.
 * @param mails all e-mails of the order.
 */
export async function listUnsentNotices(trx: Trx, order: Order, mails: readonly QueuedMail[], now: Date): Promise<string[]> {
	const watch = order.watch_ended_at === null ? await describeOrderWatch(trx, order, now) : null;
	const queued = new Set(mails.flatMap(({ notices }) => notices ?? []));
	const told = new Set(mails.flatMap(({ notices, sent_at }) => (sent_at && notices) ?? []));
	const untold = watch?.entries.filter(({ id, withdraws }) => !queued.has(id) && (withdraws === null || told.has(withdraws))) ?? [];
	return untold.map(({ id }) => id).sort();
}
