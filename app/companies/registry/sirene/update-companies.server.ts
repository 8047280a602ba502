import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { day as dayMs } from "../../../../server/durations.ts";
import { PartnerError } from "../../../../server/partners/partner-error.ts";
import { toParisDay } from "../../../catalogue/settings/days-off.ts";
import { configureSession } from "./import.store.server.ts";
import { createInseeReader, type InseeAccess, type InseeClock, type ReadPages } from "./insee-api.server.ts";
import { changedEstablishment, changedUnit, establishmentHeader, establishmentRow, unitHeader, unitRow } from "./insee-rows.ts";
import { createEstablishmentParser, createUnitParser, type StagedHeadOffice } from "./sirene-rows.ts";
import {
	type AppliedChanges,
	applyChanges,
	findNewestChange,
	lockRegistry,
	noChanges,
	recordNewestChange,
	type StagedCompanies,
} from "./update.store.server.ts";

export interface UpdateOptions extends Partial<InseeClock> {
	api: InseeAccess;
	/** Receives the completed fraction, 0 to 1, and the number of updated companies. */
	onProgress?: (fraction: number, companies: number) => void;
}

/** The result of an update. */
export interface UpdateSummary extends AppliedChanges {
	/** The number of requested units, and of those without a usable answer, which stay unchanged. */
	requested: number;
	unanswered: number;
	/** The day of the newest applied change, yyyy-mm-dd; null without companies. */
	knownUntil: string | null;
	/** Why the update stopped early, as a sentence. Its changes stay, and the next update starts from the same day. */
	stopped: string | null;
}

/** The number of SIRENs per request; its URL then has about 1,200 characters. */
const batchSize = 80;
/** The share of an update's duration at the end of listing changes. */
const listedShare = 0.1;
/** With a day in the far future, INSEE searches current values only. */
const farFuture = "2999-12-31";

const readUnit = createUnitParser(unitHeader);
const readEstablishment = createEstablishmentParser(establishmentHeader);

/**
 * Applies INSEE's changes since the last update, with a day of overlap. Each changed company is built anew by the rules of the import, and
 * each batch is one transaction. Imports and other updates wait.
 */
export async function updateCompanies(
	connection: pg.ClientConfig,
	{ api, now = Date.now, sleep: wait = sleep, timeout = 20_000, onProgress = () => {} }: UpdateOptions,
): Promise<UpdateSummary> {
	const client = new Client({ application_name: "extrait-pro update", ...connection });
	await client.connect();
	const summary: UpdateSummary = { requested: 0, unanswered: 0, ...noChanges, knownUntil: null, stopped: null };
	try {
		await configureSession(client);
		await lockRegistry(client);
		const today = toParisDay(new Date(now())).toString();
		summary.knownUntil = await findNewestChange(client, today);
		if (!summary.knownUntil) return { ...summary, stopped: "There are no companies to update: npm run companies:import brings them." };
		const pages = createInseeReader(api, { now, sleep: wait, timeout });
		const changes = await listChangedUnits(pages, summary.knownUntil, today, (fraction) => onProgress(listedShare * fraction, 0));
		const sirens = [...changes.sirens];
		for (let at = 0; at < sirens.length; at += batchSize) {
			const batch = sirens.slice(at, at + batchSize);
			const staged = await fetchCompanies(pages, batch);
			const applied = await applyChanges(client, staged);
			for (const count of ["changed", "new", "masked", "ceased"] as const) summary[count] += applied[count];
			summary.requested += batch.length;
			summary.unanswered += batch.length - staged.units.length;
			onProgress(listedShare + ((1 - listedShare) * summary.requested) / sirens.length, summary.requested);
		}
		// not today, because INSEE publishes some changes a day later
		if (changes.newest && changes.newest > summary.knownUntil) summary.knownUntil = changes.newest;
		await recordNewestChange(client, summary.knownUntil, new Date(now()));
		onProgress(1, summary.requested);
		return summary;
	} catch (error) {
		if (!(error instanceof PartnerError)) throw error;
		return { ...summary, stopped: error.message };
	} finally {
		await client.end();
	}
}

/** Lists units that changed themselves or at an establishment, and the day of the newest change. */
async function listChangedUnits(
	pages: ReadPages,
	since: string,
	today: string,
	onProgress: (fraction: number) => void,
): Promise<{ sirens: Set<string>; newest: string | undefined }> {
	const from = dayBefore(since);
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

/** Fetches the current data of some units, in the form that the import stages. */
async function fetchCompanies(pages: ReadPages, sirens: string[]): Promise<StagedCompanies> {
	const bySirens = `siren:(${sirens.join(" OR ")})`;
	const open = "(etablissementSiege:true OR periode(etatAdministratifEtablissement:A))";
	const requested = new Set(sirens);
	const units = new Map<string, StagedCompanies["units"][number]>();
	for await (const { rows } of pages("unitesLegales", { q: bySirens }, unitRow)) {
		for (const cells of rows) {
			const row = readUnit(cells);
			// INSEE may answer with another SIREN of the same unit
			if (typeof row !== "string" && requested.has(row.unit.siren)) units.set(row.unit.siren, row.unit);
		}
	}
	const heads = new Map<string, StagedHeadOffice>();
	// a row may come twice when INSEE's data change between two pages
	const branches = new Map<string, StagedCompanies["branches"][number]>();
	for await (const { rows } of pages("etablissements", { q: `${bySirens} AND ${open}`, date: farFuture }, establishmentRow)) {
		for (const cells of rows) {
			const row = readEstablishment(cells);
			if (typeof row === "string") continue;
			if ("branch" in row) branches.set(cells[siretColumn] ?? "", row.branch);
			// the unit names its head office
			else if (heads.get(row.head.siren)?.nic !== units.get(row.head.siren)?.nic) heads.set(row.head.siren, row.head);
		}
	}
	return { units: [...units.values()], heads: [...heads.values()], branches: [...branches.values()] };
}

const siretColumn = establishmentHeader.indexOf("siret");

function dayBefore(day: string): string {
	return new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);
}
