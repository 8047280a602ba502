import { data } from "react-router";
import { inSnapshot } from "../../../server/database/database.ts";
import { hourSeconds } from "../../../server/durations.ts";
import { isKeyOf } from "../../../server/types/objects.ts";
import { getMonthFile } from "../../books/closing/close-month.server.ts";
import { findReport } from "../../books/e-reporting/e-reports.store.server.ts";
import { type ImportFile, listImportFiles } from "../../books/files/import-files.server.ts";
import { type MonthFile, monthFiles } from "../../books/files/month-files.server.ts";
import { zipInvoices } from "../../books/files/zip-invoices.server.ts";
import { getMonthOfDay, type Month, parseMonth } from "../../books/month.ts";
import { postEntries } from "../../books/post-entries.server.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { type Shop, shopContext } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import type { Actor } from "../operators/roles.ts";
import { type Body, sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/month-file";

/** A file of a month, as a download. */
export function loader({ params, context }: Route.LoaderArgs) {
	return sendMonthFile(context.get(shopContext), getActor(context), params);
}

/** Archives per hour: each reads all invoices of a month from the storage. */
const archivesPerHour = 20;

/**
 * Sends a file of a month as a download, and records it in the trail. @param file a key of `monthFiles`, or « pdf » for all PDFs.
 * @throws a response with a sentence when there is no such file.
 */
async function sendMonthFile(shop: Shop, actor: Actor, typed: { month: string; file: string }): Promise<Response> {
	const month = parseMonth(typed.month);
	if (month !== null && typed.file.startsWith("EP-")) return sendReport(shop, actor, month, typed.file);
	const imported = month && (await findImportFile(shop, month, typed.file));
	if (month === null || (typed.file !== "pdf" && !isKeyOf(monthFiles, typed.file) && !imported)) throw data(null, { status: 404 });
	const found = await runRecorded(shop, { verb: "download-accounts", subject: month, actor }, () =>
		imported ? writeImport(shop, imported) : findDownload(shop, actor, month, typed.file),
	);
	if (!found.ok) throw data(found.text, { status: found.status });
	return sendDownload(found.body, found);
}

/** A transmission of e-reporting, as it was prepared. */
async function sendReport(shop: Shop, actor: Actor, month: Month, id: string): Promise<Response> {
	const report = await findReport(shop.db, id);
	if (report === null || getMonthOfDay(report.start) !== month) throw data(null, { status: 404 });
	await runRecorded(shop, { verb: "download-accounts", subject: id, actor }, async () => ({ ok: true }));
	return sendDownload(report.xml, { name: `${id}.xml`, type: "application/xml" });
}

/** A file for the accountant's software, if the setting asks for it. */
async function findImportFile(shop: Shop, month: Month, file: string): Promise<ImportFile | undefined> {
	const { books } = await readSettings(shop.db);
	return listImportFiles(books, month, shop.environment).find(({ key }) => key === file);
}

async function writeImport(shop: Shop, { name, write }: ImportFile): Promise<Download> {
	await postEntries(shop);
	return toDownload({ name, bytes: await inSnapshot(shop.db, write) });
}

type Download = { ok: true; name: string; type: string; body: Body; bytes: number | null } | { ok: false; text: string; status: number };

async function findDownload(shop: Shop, actor: Actor, month: Month, file: string): Promise<Download> {
	if (file === "pdf" || !isKeyOf(monthFiles, file)) return findArchive(shop, actor, month);
	const found = await getMonthFile(shop, month, file);
	return found.ok ? toDownload(found) : { ok: false, text: lostFile, status: 410 };
}

function toDownload({ name, bytes }: MonthFile): Download {
	const type = name.endsWith(".json")
		? "application/json"
		: name.endsWith(".csv")
			? "text/csv; charset=utf-8"
			: "text/plain; charset=iso-8859-15";
	return { ok: true, name, type, body: new Uint8Array(bytes), bytes: bytes.byteLength };
}

async function findArchive(shop: Shop, actor: Actor, month: Month): Promise<Download> {
	const taken = await shop.limits("accounts-archive", archivesPerHour, hourSeconds).take(actor.name);
	if (!taken.ok) return { ok: false, text: "Trop d’archives ont été demandées. Réessayez dans une heure.", status: 429 };
	const archive = await zipInvoices(shop, month);
	if (!archive.ok) return { ok: false, text: archiveRefusals[archive.code], status: archive.code === "empty" ? 404 : 409 };
	return { ok: true, name: archive.name, type: "application/zip", body: archive.stream, bytes: null };
}

const lostFile = "Ce fichier d’un mois clôturé manque dans le stockage, ou il a changé. Remettez-le d’une sauvegarde.";

const archiveRefusals = {
	empty: "Ce mois n’a aucune facture.",
	"without-pdf": "Une facture de ce mois n’a pas encore son PDF. Réessayez dans quelques minutes.",
	"too-many": "Ce mois a trop de factures pour une seule archive.",
} as const;
