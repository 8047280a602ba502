import { createHash } from "node:crypto";
import { type Database, inSnapshot, type Trx } from "../../../server/database/database.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import type { StorageContext } from "../../orders/documents/storage.ts";
import { checkMonth } from "../checks/check-month.server.ts";
import { type Finding, isBlocking } from "../checks/finding.ts";
import { describeEntriesUntil } from "../entries.store.server.ts";
import { type MonthFile, type MonthFileKey, monthFiles, writeMonthFile } from "../files/month-files.server.ts";
import { getBounds, type Month } from "../month.ts";
import { postEntries, postEntriesLocked } from "../post-entries.server.ts";
import { type ClosedFile, type Closing, findClosing, findFirstOpen, insertClosing } from "./closings.store.server.ts";

export type CloseOutcome =
	/** `again`: it was closed before, perhaps by a database that was restored since, and its files are the same. */
	| { ok: true; closing: Closing; again: boolean }
	/** `earlier-open`: an earlier month must be closed first. */
	| { ok: false; code: "earlier-open"; month: Month }
	| { ok: false; code: "differences"; findings: Finding[] }
	/**
	 * `changed`: entries were added since the operator looked. `closed-elsewhere`: a database that this one lacks closed the month with
	 * other invoices or VAT.
	 */
	| { ok: false; code: "not-over" | "nothing" | "changed" | "closed-elsewhere" };

/**
 * Closes a month: posts what is left, checks it, and keeps its files with their hashes in the storage. Afterwards nothing is added to it.
 * @param seen the hash of the entries that the operator looked at (`getMonthHash`); without it, the present ones are closed.
 * @throws when the storage fails; nothing is closed then.
 */
export async function closeMonth(
	context: StorageContext,
	month: Month,
	{ closedBy, seen }: { closedBy: string; seen?: string },
): Promise<CloseOutcome> {
	const { db, storage, environment, now, log } = context;
	if (now() < getBounds(month).until) return { ok: false, code: "not-over" };
	const outcome = await db.transaction().execute(async (trx): Promise<CloseOutcome> => {
		await postEntriesLocked(context, trx);
		const closed = await findClosing(trx, month);
		if (closed) return { ok: true, closing: closed, again: true };
		const first = await findFirstOpen(trx);
		if (first === null || first > month) return { ok: false, code: "nothing" };
		if (first < month) return { ok: false, code: "earlier-open", month: first };
		if (seen !== undefined && seen !== (await getMonthHash(trx, month))) return { ok: false, code: "changed" };
		const findings = await checkMonth(trx, month);
		if (findings.some(isBlocking)) return { ok: false, code: "differences", findings };
		const elsewhere = environment.production ? await findManifest(storage, month) : null;
		if (elsewhere !== null) return adoptClosing(context, trx, month, elsewhere);
		const files: ClosedFile[] = [];
		for (const key of typedKeys(monthFiles)) {
			const { name, bytes } = await writeMonthFile(trx, environment, month, key);
			const sha256 = hash(bytes);
			const object = `accounts/${month}-${sha256}`;
			await storage.putObject(object, bytes);
			files.push({ key, name, object, sha256, bytes: bytes.byteLength });
		}
		const closing = { month, closedAt: now(), closedBy, files };
		await insertClosing(trx, closing);
		return { ok: true, closing, again: false };
	});
	if (!outcome.ok) return outcome;
	// after the commit: a manifest without a closed month would stop the next try
	await storage.putObject(getManifestName(month), Buffer.from(JSON.stringify(outcome.closing)));
	if (!outcome.again) log.info({ month, closedBy }, "a month of the accounts is closed");
	return outcome;
}

/** The closing in the storage, by a database that this one lacks; null when there is none. */
async function findManifest(storage: StorageContext["storage"], month: Month): Promise<Closing | null> {
	const bytes = await storage.findObject(getManifestName(month));
	if (bytes === null) return null;
	const { closedAt, ...closing } = JSON.parse(Buffer.from(bytes).toString());
	return { ...closing, closedAt: new Date(closedAt) };
}

/** The files that depend on no number of an entry: they are the same in a restored database that lacks nothing of the month. */
const comparedKeys = ["vat", "invoices"] as const satisfies MonthFileKey[];

/** After a restore to an instant before the closing: takes the stored closing over if this database has the same invoices and VAT. */
async function adoptClosing({ environment }: StorageContext, trx: Trx, month: Month, closing: Closing): Promise<CloseOutcome> {
	for (const key of comparedKeys) {
		const { bytes } = await writeMonthFile(trx, environment, month, key);
		if (closing.files.find((file) => file.key === key)?.sha256 !== hash(bytes)) return { ok: false, code: "closed-elsewhere" };
	}
	await insertClosing(trx, { ...closing, month });
	return { ok: true, closing: { ...closing, month }, again: true };
}

const getManifestName = (month: Month) => `accounts/${month}.json`;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A hash that names the present entries of a month, which the operator closes as they look at them. Entries never change. */
export async function getMonthHash(db: Database | Trx, month: Month): Promise<string> {
	return hash(Buffer.from(`${month} ${await describeEntriesUntil(db, month)}`));
}

export type MonthFileOutcome =
	| ({ ok: true; sha256: string; closed: boolean } & MonthFile)
	/** The stored file of a closed month is missing or altered. */
	| { ok: false; code: "lost" };

/**
 * Gets a file of a month: as it was stored if the month is closed, byte for byte; else from the present entries. A month that was closed
 * before a file existed gets it from its entries too, which do not change.
 */
export async function getMonthFile(context: StorageContext, month: Month, key: MonthFileKey): Promise<MonthFileOutcome> {
	const { db, environment, storage } = context;
	const closing = await findClosing(db, month);
	const stored = closing?.files.find((file) => file.key === key);
	if (stored === undefined) {
		if (closing === null) await postEntries(context);
		const file = await inSnapshot(db, (trx) => writeMonthFile(trx, environment, month, key));
		return { ok: true, ...file, sha256: hash(file.bytes), closed: false };
	}
	const bytes = await storage.findObject(stored.object);
	if (bytes === null || hash(bytes) !== stored.sha256) return { ok: false, code: "lost" };
	return { ok: true, name: stored.name, bytes, sha256: stored.sha256, closed: true };
}
