import { randomUUID } from "node:crypto";
import { formatDayAndHour, formatDayStamp } from "../../catalogue/instants.ts";
import { isPosted } from "../../catalogue/services.ts";
import { listDraftsOfOperator } from "../../fulfilment/drafts/drafts.store.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Shop } from "../../shop.ts";
import { listOpenActs } from "../log/acts.store.server.ts";
import { describeFacts } from "./describe-draft.ts";

export type DroppedFileRow = Awaited<ReturnType<typeof listDroppedFiles>>[number];

/** The files that an operator dropped and has not delivered, the earliest promise first. */
export async function listDroppedFiles({ db, now }: Shop, { id }: { id: string }) {
	const drafts = await listDraftsOfOperator(db, id);
	const requested = new Set<string>();
	for (const { order } of drafts) {
		const acts = await listOpenActs(db, order.id, now());
		if (acts.some(({ act, ended_at }) => act === "deliver" && ended_at === null)) requested.add(order.id);
	}
	return drafts.map(({ order, ...draft }) => {
		const { checks, questions, deliverable } = describeFacts(draft.facts, {
			siren: order.siren,
			now: now(),
			takesPictures: isPosted(order.product_code),
		});
		return {
			id: draft.id,
			/** The key of its delivery by « Tout livrer ». */
			key: randomUUID(),
			fileName: draft.file_name,
			droppedAt: formatDayStamp(draft.dropped_at),
			order: { id: order.id, number: order.order_number, company: order.company_name, reference: order.reference },
			promise: order.promised_at && formatDayAndHour(order.promised_at),
			checks,
			/** Whether « Livrer » needs nothing but a click. */
			ready: deliverable && questions.length === 0 && isInProgress(order.status),
			open: isInProgress(order.status),
			/** Whether the delivery is asked for and can still be undone on the page of the order. */
			requested: requested.has(order.id),
		};
	});
}
