import { formatDayStamp } from "../../catalogue/instants.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import type { Shop } from "../../shop.ts";
import { type DeskLogEntry, listDeskLog } from "../log/desk-log.store.server.ts";
import { listOperators } from "../operators/operators.store.server.ts";
import { describeChange, describeVerb, type ShownChange, shortenId } from "./describe-run.server.ts";

export interface TrailRow {
	id: string;
	at: string;
	who: string;
	origin: string | null;
	verb: string;
	subject: string | null;
	outcome: DeskLogEntry["outcome"];
	changes: ShownChange[];
}

export interface Trail {
	subject: string;
	who: string;
	rows: TrailRow[];
	/** The address of the next page; null on the last one. */
	next: string | null;
}

const pageSize = 100;

/** One page of the trail, newest first. @param query `objet`: an order number or another subject; `qui`: a name; `avant`: the id of a row. */
export async function listTrail({ db }: Pick<Shop, "db">, query: URLSearchParams): Promise<Trail> {
	const typed = (query.get("objet") ?? "").trim().slice(0, 100);
	const subject = parseOrderNumber(typed) ?? typed;
	const who = (query.get("qui") ?? "").trim().slice(0, 100);
	const before = /^\d{1,18}$/.test(query.get("avant") ?? "") ? query.get("avant") : null;
	const entries = await listDeskLog(db, pageSize + 1, { subject: subject || null, who: who || null, before });
	const people = new Map((await listOperators(db)).map((operator) => [operator.id, operator.name]));
	const rows = entries.slice(0, pageSize).map((entry) => toRow(entry, people));
	const last = rows.at(-1);
	const next = entries.length > pageSize && last ? new URLSearchParams({ objet: subject, qui: who, avant: last.id }).toString() : null;
	return { subject, who, rows, next };
}

const toRow = (entry: DeskLogEntry, people: ReadonlyMap<string, string>): TrailRow => ({
	id: entry.id,
	at: formatDayStamp(entry.at),
	who: entry.who,
	origin: entry.origin,
	outcome: entry.outcome,
	subject: entry.subject && shortenId(entry.subject),
	verb: describeVerb(entry),
	changes: describeChange(entry, people),
});
