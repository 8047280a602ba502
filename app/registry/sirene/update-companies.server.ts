import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Client } from "../../../server/database/database.ts";
import { prepareSession } from "./import.store.server.ts";
import { type InseeAccess, InseeStopped, openInsee, type Pace, type ReadPages } from "./insee-api.server.ts";
import { changedEstablishment, changedUnit, establishmentHeader, establishmentRow, unitHeader, unitRow } from "./insee-rows.ts";
import { establishmentReader, type StagedHeadOffice, unitReader } from "./sirene-rows.ts";
import { type Applied, applyChanges, knownUntil, lockRegistry, recordKnownUntil, type Staged } from "./update.store.server.ts";

export interface UpdateOptions extends Partial<Pace> {
	api: InseeAccess;
	/** Told the fraction of the update that is done, 0 to 1, and how many companies have been made anew. */
	onProgress?: (fraction: number, companies: number) => void;
}

/** What an update did. */
export interface UpdateSummary extends Applied {
	/** How many units INSEE was asked for, and of how many it said nothing that could be used: these stay as they are. */
	asked: number;
	unanswered: number;
	/** The newest change that the companies now know, yyyy-mm-dd; null where there are no companies. */
	knownUntil: string | null;
	/** Why it ended before its end, as a sentence; what it did until then stays, and the next update begins where this one began. */
	stopped: string | null;
}

/** SIRENs in one request: its address has about 1 200 characters then. */
const batchSize = 80;
/** Share of an update after which it is known what changed. */
const listed = 0.1;
/** With a day that is far away, INSEE searches in what is true now; without one, in all that ever was. */
const current = "2999-12-31";

const readUnit = unitReader(unitHeader);
const readEstablishment = establishmentReader(establishmentHeader);

/**
 * Applies what changed at INSEE since the newest change that the companies know, with a day of overlap, until today.
 * Each company that changed is made anew as a whole, from all that INSEE says of it, by the rules of the import; each batch of them
 * in one transaction. Imports and other updates wait.
 */
export async function updateCompanies(
	connection: pg.ClientConfig,
	{ api, now = Date.now, sleep: wait = sleep, timeout = 20_000, onProgress = () => {} }: UpdateOptions,
): Promise<UpdateSummary> {
	const client = new Client({ application_name: "extrait-pro update", ...connection });
	await client.connect();
	const summary: UpdateSummary = { asked: 0, unanswered: 0, changed: 0, new: 0, masked: 0, ceased: 0, knownUntil: null, stopped: null };
	try {
		await prepareSession(client);
		await lockRegistry(client);
		const today = parisDay(now());
		summary.knownUntil = await knownUntil(client, today);
		if (!summary.knownUntil) return { ...summary, stopped: "There are no companies to update: npm run companies:import brings them." };
		const pages = openInsee(api, { now, sleep: wait, timeout });
		const changes = await changedUnits(pages, summary.knownUntil, today, (fraction) => onProgress(listed * fraction, 0));
		const sirens = [...changes.sirens];
		for (let at = 0; at < sirens.length; at += batchSize) {
			const batch = sirens.slice(at, at + batchSize);
			const staged = await fetchCompanies(pages, batch);
			const applied = await applyChanges(client, staged);
			for (const count of ["changed", "new", "masked", "ceased"] as const) summary[count] += applied[count];
			summary.asked += batch.length;
			summary.unanswered += batch.length - staged.units.length;
			onProgress(listed + ((1 - listed) * summary.asked) / sirens.length, summary.asked);
		}
		// not today: INSEE publishes some changes of a day on the day after
		if (changes.newest && changes.newest > summary.knownUntil) summary.knownUntil = changes.newest;
		await recordKnownUntil(client, summary.knownUntil, new Date(now()));
		onProgress(1, summary.asked);
		return summary;
	} catch (error) {
		if (!(error instanceof InseeStopped)) throw error;
		return { ...summary, stopped: error.message };
	} finally {
		await client.end();
	}
}

/** Units of which something changed, also if only at one of their establishments, and the day of the newest of these changes. */
async function changedUnits(
	pages: ReadPages,
	known: string,
	today: string,
	onProgress: (fraction: number) => void,
): Promise<{ sirens: Set<string>; newest: string | undefined }> {
	const from = dayBefore(known);
	const sirens = new Set<string>();
	let newest: string | undefined;
	const lists = [
		{ what: "unitesLegales", day: "dateDernierTraitementUniteLegale", row: changedUnit },
		{ what: "etablissements", day: "dateDernierTraitementEtablissement", row: changedEstablishment },
	] as const;
	for (const [index, { what, day, row }] of lists.entries()) {
		let read = 0;
		for await (const { rows, total } of pages(what, { q: `${day}:[${from} TO ${today}]`, champs: `siren,${day}` }, row)) {
			for (const changed of rows) {
				sirens.add(changed.siren);
				if (changed.day && changed.day <= today && changed.day > (newest ?? "")) newest = changed.day;
			}
			read += rows.length;
			onProgress((index + read / Math.max(1, total)) / lists.length);
		}
	}
	return { sirens, newest };
}

/** All that INSEE says now of some units, as the import stages it. */
async function fetchCompanies(pages: ReadPages, sirens: string[]): Promise<Staged> {
	const ofThese = `siren:(${sirens.join(" OR ")})`;
	const open = "(etablissementSiege:true OR periode(etatAdministratifEtablissement:A))";
	const asked = new Set(sirens);
	const units = new Map<string, Staged["units"][number]>();
	for await (const { rows } of pages("unitesLegales", { q: ofThese }, unitRow)) {
		for (const cells of rows) {
			const row = readUnit(cells);
			// INSEE gives some units two numbers, and may answer by the other one
			if (typeof row !== "string" && asked.has(row.unit.siren)) units.set(row.unit.siren, row.unit);
		}
	}
	const heads = new Map<string, StagedHeadOffice>();
	// a row may come twice, where INSEE's data change from one page to the next
	const branches = new Map<string, Staged["branches"][number]>();
	for await (const { rows } of pages("etablissements", { q: `${ofThese} AND ${open}`, date: current }, establishmentRow)) {
		for (const cells of rows) {
			const row = readEstablishment(cells);
			if (typeof row === "string") continue;
			if ("branch" in row) branches.set(cells[siretColumn] as string, row.branch);
			// the unit names its head office
			else if (heads.get(row.head.siren)?.nic !== units.get(row.head.siren)?.nic) heads.set(row.head.siren, row.head);
		}
	}
	return { units: [...units.values()], heads: [...heads.values()], branches: [...branches.values()] };
}

const siretColumn = establishmentHeader.indexOf("siret");

/** yyyy-mm-dd where INSEE is. */
function parisDay(instant: number): string {
	return new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" }).format(instant);
}

function dayBefore(day: string): string {
	return new Date(Date.parse(day) - 24 * 3600 * 1000).toISOString().slice(0, 10);
}
