import { Readable } from "node:stream";
import type { Context } from "../../../server/runtime.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { findLastClosed, listEntriesBetween } from "../entries.store.server.ts";
import { countClosedMonths, type FiscalYear, getFiscalYear } from "../fiscal-year.ts";
import { postEntries } from "../post-entries.server.ts";
import { readYear } from "../read-journal.server.ts";
import { fecFields, getFecName, listFecRows, writeTabs } from "./journal-files.ts";

export type YearFile = { ok: true; name: string; stream: Readable } | { ok: false; code: "empty" };

/** « 123456789FEC20261231.txt »; « provisoire-… » until all its months are closed. */
export const getYearFileName = (siren: string, { last }: FiscalYear, closedMonths: number): string =>
	`${closedMonths < 12 ? "provisoire-" : ""}${getFecName(siren, last)}`;

/**
 * Streams the entries of a fiscal year in the shape of the FEC. It is written from the entries whenever it is asked for: once its months
 * are closed, it is the same each time, unless the setting for customers' accounts changes.
 * @param year in which the fiscal year ends.
 */
export async function writeYear(context: Context, year: number): Promise<YearFile> {
	const { db, environment } = context;
	await postEntries(context);
	const { books } = await readSettings(db);
	const fiscalYear = getFiscalYear(year, books.yearStart);
	const [some] = await listEntriesBetween(db, { ...fiscalYear, after: 0, limit: 1 });
	if (some === undefined) return { ok: false, code: "empty" };
	const name = getYearFileName(environment.shop.siren, fiscalYear, countClosedMonths(fiscalYear, await findLastClosed(db)));
	async function* write() {
		yield writeTabs([fecFields]);
		for await (const part of readYear(db, fiscalYear, books.customers)) yield writeTabs(listFecRows(part));
	}
	return { ok: true, name, stream: Readable.from(write(), { objectMode: false }) };
}
