import { parseArgs } from "node:util";
import type pg from "pg";
import { resolveCommandPath, standardInput } from "../../../server/command-path.ts";
import type { Environment } from "../../../server/environment/environment.ts";
import { progressBar } from "../../../server/progress-bar.ts";
import { toError } from "../../../server/types/errors.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import { parseCalendarDay } from "../calendar-day.ts";
import { firstDay } from "./bulletin-source.ts";
import type { Coverage } from "./import/coverage.ts";
import type { Counts } from "./import/import.store.server.ts";
import { importNotices, type NoticesSummary } from "./import/import-notices.server.ts";
import { type UpdateSummary, updateNotices } from "./import/update-notices.server.ts";

/** The result of a command; not `ok` when it changed nothing, or stopped early. */
interface CommandResult {
	ok: boolean;
	text: string;
}

export const usage = `Usage: npm run companies:notices -- <export of the bulletin>… [--covers=2008-01-01..2026-11-25]  (.csv, .json, .jsonl, also .gz)
       npm run companies:notices [-- --since=2026-11-01]  (from the bulletin's API, up to today)`;

/** `companies:notices`: imports notices of the bulletin from files, or without a file those of the last days from its API. */
export async function companiesNotices(
	connection: pg.ClientConfig,
	args: string[],
	{ bulletin }: Pick<Environment, "bulletin">,
): Promise<CommandResult> {
	const parsed = parseArguments(args);
	if (!parsed) return { ok: false, text: usage };
	const { files, covers, since } = parsed;
	try {
		if (files.length > 0) {
			if (files.includes(standardInput)) {
				const text = "An import that is interrupted goes on in its files: name files. In a container, mount their folder.";
				return { ok: false, text };
			}
			const options = { covers, onProgress: progressBar("Importing notices") };
			const paths = files.map((file) => resolveCommandPath(file));
			return { ok: true, text: formatImport(await importNotices(connection, paths, options), covers) };
		}
		const summary = await updateNotices(connection, { base: bulletin.base, since, onProgress: progressBar("Reading the bulletin") });
		return { ok: summary.stopped === null, text: formatUpdate(summary) };
	} catch (error) {
		const outcome = files.length > 0 ? "The import stopped and changed nothing" : "The update stopped";
		return { ok: false, text: `\n${outcome}: ${toError(error).message}` };
	}
}

/** @returns null for an unknown option, one without a usable value, or one that does not fit. */
function parseArguments(args: string[]): { files: string[]; covers: Coverage | null; since: string | undefined } | null {
	try {
		const options = { covers: { type: "string" }, since: { type: "string" } } as const;
		const { values, positionals: files } = parseArgs({ args, options, allowPositionals: true });
		const covers = values.covers === undefined ? null : parseCoverage(values.covers);
		const since = values.since === undefined ? undefined : parseDay(values.since);
		if (covers === undefined || since === null || (files.length > 0 ? since : covers)) return null;
		return { files, covers, since };
	} catch {
		return null;
	}
}

/** « 2008-01-01..2026-11-25 »; undefined for anything else. */
function parseCoverage(text: string): Coverage | undefined {
	const [from, to, extra] = text.split("..").map(parseDay);
	return from && to && extra === undefined && from <= to ? { from, to } : undefined;
}

/** A day between the first of the open data and today in Paris. */
function parseDay(text: string): string | null {
	const today = toParisDay(new Date()).toString();
	return parseCalendarDay(text) === text && text >= firstDay && text <= today ? text : null;
}

const numberFormat = new Intl.NumberFormat("en-GB");
const reasons: Record<string, string> = {
	"natural-persons": "about natural persons",
	sanction: "sanctions against a person",
	"no-siren": "without the SIREN of a company",
	invented: "invented for tests",
};

function formatImport({ resumed, coverage, isExtended, ...summary }: NoticesSummary, covers: Coverage | null): string {
	const taken = isExtended
		? formatCoverage(coverage, summary.broken)
		: `${covers?.from}..${covers?.to} does not touch the longer ${coverage?.from}..${coverage?.to}, which stays. What was read is stored.`;
	return [`${formatStored(summary)}${resumed ? " An interrupted import was taken up again." : ""}`, formatCounts(summary), taken].join(
		"\n",
	);
}

function formatUpdate({ stopped, from, days, isFirst, coverage, ...summary }: UpdateSummary): string {
	if (stopped !== null) {
		const isApart = coverage !== null && coverage.from > from;
		const next = isApart ? `they do not touch ${coverage.from} yet: begin again with --since=${from}` : "the next update goes on there";
		return `\nThe update stopped: ${stopped}${days > 0 ? `\nThe ${days} days before stay; ${next}.` : ""}`;
	}
	const first = isFirst ? ["Nothing was read before: it began a week ago. Files bring older notices, or --since=<day>."] : [];
	return [
		...first,
		`${days} days read from ${from} on. ${formatStored(summary)}`,
		formatCounts(summary),
		formatCoverage(coverage, summary.broken),
	].join("\n");
}

const formatStored = ({ added, changed, removed }: { added: number; changed: number; removed: number }) =>
	`Notices of companies: ${[added, changed, removed].map((rows, index) => `${numberFormat.format(rows)} ${["new", "changed", "removed"][index]}`).join(", ")}.`;

function formatCounts({ read, kept, corrections, skipped, broken, faults }: Counts): string {
	const skippedTexts = Object.entries(skipped).map(([reason, notices]) => `${numberFormat.format(notices)} ${reasons[reason] ?? reason}`);
	return [
		`${numberFormat.format(read)} read, ${numberFormat.format(kept)} kept` +
			`${skippedTexts.length > 0 ? `; skipped: ${skippedTexts.join(", ")}` : ""}. ${numberFormat.format(corrections)} correct or cancel another one.`,
		...(broken > 0 ? [`${numberFormat.format(broken)} broken: ${faults.join("; ")}${broken > faults.length ? "; …" : ""}`] : []),
	].join("\n");
}

const formatCoverage = (coverage: Coverage | null, broken: number) =>
	coverage
		? `Every notice published from ${coverage.from} to ${coverage.to} was read${broken > 0 ? `, except ${numberFormat.format(broken)} that could not be` : ""}.`
		: "No days are known as complete: --covers says which a file holds.";
