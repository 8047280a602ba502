import { Temporal } from "temporal-polyfill";
import { isKeyOf } from "../../../server/types/objects.ts";
import { isUuid } from "../../../server/uuid.ts";
import { formatShortInstant, zone } from "../../catalogue/instants.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { readDesk } from "../../fulfilment/forecast/read-desk.server.ts";
import { formatPlace } from "../../orders/purchase.ts";
import { findPurchases } from "../../orders/purchases.store.server.ts";
import type { Shop } from "../../shop.ts";
import { describePace } from "./describe-pace.ts";
import { type Cursor, countQueue, listHolders, listOrdersToPost, listOrdersToServe, listWaiting } from "./queue.store.server.ts";
import { queueLists } from "./queue-lists.ts";

type QueueList = keyof typeof queueLists;

/** Rows of a page. */
const pageSize = 50;

/** What the page of the queue shows. Instants are ISO texts, for the browser. */
export type QueueData = Awaited<ReturnType<typeof readQueue>>;
export type QueueRow = QueueData["rows"][number];

/** Reads one page of a list, the counters and the holders. @param params `liste` and `apres`; values that no page has made are ignored. */
export async function readQueue(
	{ db, now: clock, openingHours }: Pick<Shop, "db" | "now" | "openingHours">,
	operatorId: string,
	params: URLSearchParams,
) {
	const now = clock();
	const asked = params.get("liste") ?? "";
	const list: QueueList = isKeyOf(queueLists, asked) ? asked : "a-servir";
	const after = parseCursor(params.get("apres"));
	const checkpoints = listCheckpoints(now);
	const [rows, counts, holders, desk] = await Promise.all([
		listRows(db, list, { now, after, limit: pageSize + 1 }),
		countQueue(
			db,
			now,
			checkpoints.map(({ at }) => at),
		),
		listHolders(db, now),
		readSettings(db).then((settings) => readDesk(db, { settings, openingHours, now })),
	]);
	const isToServe = queueLists[list].services !== null;
	const shown = rows.slice(0, pageSize);
	const last = shown.at(-1);
	const purchases = await findPurchases(
		db,
		shown.map(({ purchase_id }) => purchase_id),
	);
	return {
		now: now.toISOString(),
		list,
		isFirstPage: after === null,
		rows: shown.map((row) => ({
			id: row.id,
			number: row.order_number,
			service: row.product_code,
			company: row.company_name,
			siren: row.siren,
			reference: row.reference,
			purchase: formatPlace(purchases.get(row.purchase_id), row),
			requested: isToServe && row.extract_requested_at ? formatShortInstant(row.extract_requested_at) : null,
			isLate: row.late_at !== null,
			dueAt: "due_at" in row ? row.due_at.toISOString() : null,
			reason: "reason" in row ? row.reason : null,
			since: "since" in row ? row.since.toISOString() : null,
			holder: row.operator_id !== null ? { name: row.operator_name ?? "", isMe: row.operator_id === operatorId } : null,
		})),
		next: rows.length > pageSize && last ? formatCursor({ instant: last.cursor_instant, rank: last.cursor_rank, id: last.id }) : null,
		pace: desk && describePace(desk),
		counts: { ...counts, by: checkpoints.map(({ label }, index) => ({ label, count: counts.by[index] ?? 0 })) },
		holders: holders.map(({ operator_id, operator_name, orders }) => ({
			isMe: operator_id === operatorId,
			name: operator_name,
			numbers: orders.map(({ number }) => number),
		})),
	};
}

function listRows(db: Shop["db"], list: QueueList, page: { now: Date; after: Cursor | null; limit: number }) {
	const { services } = queueLists[list];
	if (services !== null) return listOrdersToServe(db, { ...page, services });
	return list === "a-poster" ? listOrdersToPost(db, page) : listWaiting(db, page);
}

const formatCursor = ({ instant, rank, id }: Cursor) => [instant, rank, id].join("~");

/** @returns null for a text that no page of the queue has made. */
function parseCursor(text: string | null): Cursor | null {
	const [instant = "", rank = "", id = ""] = text?.split("~") ?? [];
	const isInstant =
		/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/.test(instant) && !Number.isNaN(Date.parse(instant.slice(0, 19)));
	return isInstant && /^[a-z-]{1,20}$/.test(rank) && isUuid(id) ? { instant, rank, id } : null;
}

interface Checkpoint {
	label: string;
	at: Date;
}

const hours = [
	{ label: "avant 10\u00a0h", hour: 10 },
	{ label: "avant midi", hour: 12 },
	{ label: "d’ici ce soir", hour: 24 },
];

/** The instants of today that the counters stop at, without those that have passed. */
export function listCheckpoints(now: Date): Checkpoint[] {
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).startOfDay();
	return hours
		.map(({ label, hour }) => ({
			label,
			at: new Date((hour === 24 ? today.add({ days: 1 }) : today.with({ hour })).epochMilliseconds),
		}))
		.filter(({ at }) => at > now);
}
