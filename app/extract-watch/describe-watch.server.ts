import type { Database, Trx } from "../../server/database/database.ts";
import { findBulletinReading, listBulletinNotices } from "../bulletin/bulletin.server.ts";
import { isBulletinWatched } from "../bulletin/find-bulletin-state.server.ts";
import type { BulletinReading } from "../bulletin/notice.ts";
import { findCompany } from "../companies/find-company.server.ts";
import type { Siren } from "../companies/siren.ts";
import { findExtract } from "../documents/documents.server.ts";
import type { Order } from "../orders/order.ts";
import { getMotive } from "../refunds/refund-motive.ts";
import { listEffectiveRefunds } from "../refunds/refunds.server.ts";
import { listPublishedRows } from "./extract-watch.store.server.ts";
import type { ExtractWatch } from "./extract-watch.ts";
import { listPublished } from "./list-published.server.ts";
import { getWatchEnd, toDay } from "./watch-days.ts";

/**
 * What the bulletin published since a delivered extract was issued (docs/rules.md, R130). Null when nothing can be said: the bulletin was
 * never read, or the company is masked, unknown, or no legal person with a Kbis, of which no notices are stored.
 */
export async function describeExtractWatch(
	db: Database | Trx,
	{ siren, issuedAt, deliveredAt }: { siren: Siren; issuedAt: Date; deliveredAt: Date },
	now: Date,
): Promise<ExtractWatch | null> {
	const company = await findCompany(db, siren);
	if (company === null || company.masked || company.eligibility !== "kbis") return null;
	const reading = await findBulletinReading(db);
	if (reading === null) return null;
	const [extractOn, endsOn] = [toDay(issuedAt), getWatchEnd(deliveredAt)];
	const rows = await listPublishedRows(db, siren, { after: extractOn, until: endsOn });
	return {
		...{ extractOn, endsOn, over: toDay(now) > endsOn },
		begun: toDay(now) > extractOn,
		watched: await isBulletinWatched(db, now),
		entries: rows.length === 0 ? [] : listPublished(rows, await listBulletinNotices(db, siren)),
		accountsFiled: rows.some(({ family }) => family === "dpc"),
		importedAt: reading.importedAt,
		readUntil: reading.covered?.to ?? toDay(reading.importedAt),
		reading: compareReading(reading, extractOn),
	};
}

function compareReading({ covered }: BulletinReading, extractOn: string): ExtractWatch["reading"] {
	if (covered === null) return "single";
	if (covered.to <= extractOn) return "awaited";
	return covered.from <= extractOn ? "complete" : "incomplete";
}

/**
 * The watch over the extract of an order. Null while there is none: before the delivery, when the customer is erased, during a
 * dispute and after a lost one, and when the price was given back for another reason than lateness.
 */
export async function describeOrderWatch(db: Database | Trx, order: Order, now: Date): Promise<ExtractWatch | null> {
	if (order.disputed_at !== null) return null;
	const delivery = await findDelivery(db, order);
	if (delivery === null || (await isGivenBack(db, order))) return null;
	return describeExtractWatch(db, { siren: order.siren, ...delivery }, now);
}

/**
 * The instants from which the watch of an order counts; a replaced extract counts from its replacement. Null before the delivery, and when
 * the customer is erased.
 */
export async function findDelivery(
	db: Database | Trx,
	{ id, status, completed_at: completedAt, erased_at }: Order,
): Promise<{ issuedAt: Date; deliveredAt: Date } | null> {
	if (status !== "completed" || completedAt === null || erased_at !== null) return null;
	const extract = await findExtract(db, id);
	return extract && { issuedAt: extract.issued_at, deliveredAt: extract.created_at > completedAt ? extract.created_at : completedAt };
}

/** Whether the whole price goes back for another reason than lateness. The second payment of an order does not count. */
async function isGivenBack(db: Database | Trx, { id, price_cents }: Order): Promise<boolean> {
	const refunds = await listEffectiveRefunds(db, id);
	const others = refunds.filter((refund) => refund.reason !== "surplus" && getMotive(refund) !== "late");
	return others.reduce((sum, { amount_cents }) => sum + amount_cents, 0) >= price_cents;
}
