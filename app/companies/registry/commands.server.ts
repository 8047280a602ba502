import { type ParseArgsConfig, parseArgs } from "node:util";
import type pg from "pg";
import { resolveCommandPath, standardInput } from "../../../server/command-path.ts";
import { Client } from "../../../server/database/database.ts";
import type { Environment } from "../../../server/environment/environment.ts";
import { progressBar } from "../../../server/progress-bar.ts";
import { toError } from "../../../server/types/errors.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import { parseCalendarDay } from "../calendar-day.ts";
import { parseSiren } from "../siren.ts";
import { hideCompany, listHiddenCompanies, showCompany } from "./hidden-companies.store.server.ts";
import { importRegistrations, type RegistrationsSummary } from "./rne/import-registrations.server.ts";
import { type FileSummary, type ImportSummary, importCompanies } from "./sirene/import-companies.server.ts";
import { type UpdateSummary, updateCompanies } from "./sirene/update-companies.server.ts";
import { importVatNumbers, type VatSummary } from "./vat/import-vat-numbers.server.ts";

/** The result of a command; not `ok` when it changed nothing. */
export interface CommandResult {
	ok: boolean;
	text: string;
	/** The company's SIREN, when there is one. */
	subject?: string;
}

interface Command {
	usage: string;
	run(connection: pg.ClientConfig, args: string[], environment: Pick<Environment, "insee">): Promise<CommandResult>;
}

/** In characters. The reason is a reference to the request, not its text. */
const maxReasonLength = 500;

const usages = {
	import: "Usage: npm run companies:import -- <StockUniteLegale> <StockEtablissement> [--dry-run]  (.csv, .csv.gz or .zip)",
	importRne: "Usage: npm run companies:import-rne -- <list.json>… [--as-of=2026-06-01]",
	importVat: "Usage: npm run companies:import-vat -- <file> [--as-of=2026-11-03]  (.csv, .csv.gz or .zip)",
	update: "Usage: npm run companies:update",
	hide: `Usage: npm run companies:hide -- <SIREN> --reason "<text of at most ${maxReasonLength} characters>"
       npm run companies:hide -- --list`,
	show: "Usage: npm run companies:show -- <SIREN>",
} as const;

const refuse = (text: string): CommandResult => ({ ok: false, text });

/** The commands that change the company base, by name. */
export const registryCommands: Record<string, Command> = {
	"companies:import": { usage: usages.import, run: runCompanyImport },
	"companies:import-rne": { usage: usages.importRne, run: runRneImport },
	"companies:import-vat": { usage: usages.importVat, run: runVatImport },
	"companies:update": { usage: usages.update, run: runUpdate },
	"companies:hide": { usage: usages.hide, run: hide },
	"companies:show": { usage: usages.show, run: show },
};

async function runCompanyImport(connection: pg.ClientConfig, args: string[]): Promise<CommandResult> {
	const parsed = parseArguments(args, { "dry-run": { type: "boolean" } });
	const [units, establishments, extra] = parsed?.positionals ?? [];
	if (!units || !establishments || extra !== undefined) return refuse(usages.import);
	if ([units, establishments].includes(standardInput))
		return refuse(
			"An import that is interrupted goes on in its files, and a zip is read from its end: name files. In a container, mount their folder.",
		);
	const showProgress = progressBar("Importing companies");
	const dryRun = parsed?.values["dry-run"] === true;
	return runImport(async () => {
		const onProgress = ({ fraction, rows }: { fraction: number; rows: number }) => showProgress(fraction, rows);
		return formatImport(
			await importCompanies(connection, resolveCommandPath(units), resolveCommandPath(establishments), { dryRun, onProgress }),
			dryRun,
		);
	});
}

async function runRneImport(connection: pg.ClientConfig, args: string[]): Promise<CommandResult> {
	const parsed = parseArguments(args, { "as-of": { type: "string" } });
	const asOf = parsed?.values["as-of"];
	if (!parsed || parsed.positionals.length === 0 || !isPastDay(asOf)) return refuse(usages.importRne);
	const files = parsed.positionals.map((file) => resolveCommandPath(file));
	return runImport(async () => formatRegistrations(await importRegistrations(connection, files, asOf ? { asOf } : {})));
}

/** Data of a day to come would keep out all others until then. @param asOf undefined: the day of the file counts. */
const isPastDay = (asOf: string | undefined): boolean =>
	asOf === undefined || (parseCalendarDay(asOf) === asOf && asOf <= toParisDay(new Date()).toString());

async function runVatImport(connection: pg.ClientConfig, args: string[]): Promise<CommandResult> {
	const parsed = parseArguments(args, { "as-of": { type: "string" } });
	const [file, extra] = parsed?.positionals ?? [];
	const asOf = parsed?.values["as-of"];
	if (!file || extra !== undefined || !isPastDay(asOf)) return refuse(usages.importVat);
	const onProgress = progressBar("Importing VAT numbers");
	return runImport(async () => formatVatNumbers(await importVatNumbers(connection, resolveCommandPath(file), { asOf, onProgress })));
}

async function runUpdate(
	connection: pg.ClientConfig,
	args: string[],
	{ insee: { base, key } }: Pick<Environment, "insee">,
): Promise<CommandResult> {
	if (args.length > 0) return refuse(usages.update);
	if (!key)
		return refuse(
			"INSEE_API_KEY is not set. INSEE gives a key free of charge to those who subscribe to the API Sirene on https://portail-api.insee.fr",
		);
	const onProgress = progressBar("Updating companies");
	try {
		const summary = await updateCompanies(connection, { api: { base, key }, onProgress });
		return { ok: summary.stopped === null, text: formatUpdate(summary) };
	} catch (error) {
		return refuse(`${formatStop(toError(error).message)}\nWhat it did stays; the next one begins again.`);
	}
}

async function hide(connection: pg.ClientConfig, args: string[]): Promise<CommandResult> {
	const parsed = parseArguments(args, { reason: { type: "string" }, list: { type: "boolean" } });
	if (!parsed) return refuse(usages.hide);
	const { values, positionals } = parsed;
	const onlyListed = values.list === true && positionals.length === 0 && values.reason === undefined;
	if (onlyListed) return withClient(connection, async (client) => ({ ok: true, text: formatHidden(await listHiddenCompanies(client)) }));
	const siren = positionals.length === 1 ? parseSiren(positionals[0] ?? "") : null;
	const reason = values.reason?.trim() ?? "";
	if (siren === null || reason === "" || reason.length > maxReasonLength || values.list !== undefined) return refuse(usages.hide);
	return withClient(connection, async (client) => {
		const { already, known, hidden_at, ...hidden } = await hideCompany(client, siren, reason, new Date());
		const text = already
			? `${siren} has been hidden since ${hidden_at.toISOString()}: ${hidden.reason}`
			: known
				? `${siren} is hidden everywhere, at once; imports and updates keep it so.`
				: `No company has the SIREN ${siren}. It will be hidden when an import brings it.`;
		return { ok: true, text, subject: siren };
	});
}

async function show(connection: pg.ClientConfig, args: string[]): Promise<CommandResult> {
	const [typed = "", extra] = parseArguments(args, {})?.positionals ?? [];
	const siren = extra === undefined ? parseSiren(typed) : null;
	if (siren === null) return refuse(usages.show);
	return withClient(connection, async (client) => {
		const wasHidden = await showCompany(client, siren);
		return { ok: wasHidden, text: wasHidden ? `${siren} is shown again.` : `${siren} is not hidden.`, subject: siren };
	});
}

async function withClient(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<CommandResult>): Promise<CommandResult> {
	const client = new Client({ application_name: "extrait-pro companies", ...connection });
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

function formatHidden(companies: Awaited<ReturnType<typeof listHiddenCompanies>>): string {
	if (companies.length === 0) return "No company is hidden.";
	return companies
		.map(
			({ siren, hidden_at, reason, known }) =>
				`${siren}  ${hidden_at.toISOString()}  ${reason}${known ? "" : "  (not in the company base)"}`,
		)
		.join("\n");
}

/** @returns null for an unknown option or one without its value: a mistyped --dry-run must not import. */
function parseArguments<Options extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: Options) {
	try {
		return parseArgs({ args, options, allowPositionals: true });
	} catch {
		return null;
	}
}

async function runImport(work: () => Promise<string>): Promise<CommandResult> {
	try {
		return { ok: true, text: await work() };
	} catch (error) {
		return { ok: false, text: `\nThe import stopped and changed nothing: ${toError(error).message}` };
	}
}

const numberFormat = new Intl.NumberFormat("en-GB");
const reasons: Record<string, string> = {
	"no-number": "without a SIREN or SIRET of digits",
	"no-state": "without a state that SIRENE knows",
	broken: "no rows of CSV in UTF-8 with all columns",
	closed: "closed, and no head office",
	duplicate: "there twice: the newest was kept",
	"former-head": "former head offices",
	"no-legal-person": "no legal persons",
	withheld: "withheld by the unit itself",
	older: "older than what is known, or with nothing that the shop reads",
	faulty: "unreadable",
};

function formatImport({ companies, resumed, units, establishments }: ImportSummary, dryRun: boolean): string {
	return [
		`${numberFormat.format(companies)} companies ${dryRun ? "would be imported; nothing was changed" : "imported"}${resumed ? ", an interrupted import taken up again" : ""}.`,
		`Units: ${formatFile(units)}. Of the kept: ${numberFormat.format(units.masked)} not fully diffused, ${numberFormat.format(units.purged)} purged by INSEE.`,
		`Establishments: ${formatFile(establishments)}. Of the kept: ${numberFormat.format(establishments.headOffices)} head offices` +
			`${establishments.orphans > 0 ? ` (${numberFormat.format(establishments.orphans)} of units that are not there)` : ""}, ${numberFormat.format(establishments.branches)} others.`,
		...formatFaults([...units.faults, ...establishments.faults], countFaults(units) + countFaults(establishments)),
	].join("\n");
}

function formatRegistrations({ read, kept, unknown, companies, skipped, faults }: RegistrationsSummary): string {
	return [
		`${numberFormat.format(kept)} registrations imported, ${numberFormat.format(companies)} companies changed.`,
		`Entries: ${formatFile({ read, kept, skipped })}.${unknown > 0 ? ` ${numberFormat.format(unknown)} are of SIRENs that the companies do not have.` : ""}`,
		...formatFaults(faults, skipped.faulty),
	].join("\n");
}

const countFaults = ({ skipped }: FileSummary) =>
	["no-number", "no-state", "broken"].reduce((sum, reason) => sum + (skipped[reason] ?? 0), 0);

/** Names the first unreadable entries, without their values. */
const formatFaults = (faults: readonly string[], count: number) =>
	faults.length > 0 ? [`Unreadable: ${faults.join("; ")}${count > faults.length ? "; …" : ""}`] : [];

function formatVatNumbers({ read, unreadable, numbers, companies, before, asOf }: VatSummary): string {
	const earlier = before === null ? "" : ` The file before it had those of ${numberFormat.format(before)} companies.`;
	return [
		`${numberFormat.format(numbers)} VAT numbers of ${numberFormat.format(companies)} companies imported, active on ${asOf}.${earlier}`,
		`Lines: ${numberFormat.format(read)} read, ${numberFormat.format(unreadable)} without a VAT number.`,
	].join("\n");
}

function formatUpdate({ requested, unanswered, changed, masked, ceased, knownUntil, stopped, ...summary }: UpdateSummary): string {
	const outcome =
		`${numberFormat.format(requested)} units asked for: ${numberFormat.format(changed)} changed (${numberFormat.format(ceased)} ceased, ` +
		`${numberFormat.format(masked)} no longer fully diffused), ${numberFormat.format(summary.new)} new` +
		`${unanswered > 0 ? `, ${numberFormat.format(unanswered)} of which INSEE says nothing` : ""}.`;
	if (stopped === null) return `${outcome} The companies are as INSEE knew them on ${knownUntil}.`;
	return requested > 0 ? `${formatStop(stopped)}\nWhat it did stays; the next one begins again. ${outcome}` : formatStop(stopped);
}

function formatStop(reason: string): string {
	return `\nThe update stopped: ${reason}`;
}

function formatFile({ read, kept, skipped }: Omit<FileSummary, "faults">): string {
	const skippedTexts = Object.entries(skipped)
		.filter(([, rows]) => rows > 0)
		.map(([reason, rows]) => `${numberFormat.format(rows)} ${reasons[reason] ?? reason}`);
	return `${numberFormat.format(read)} rows read, ${numberFormat.format(kept)} kept${skippedTexts.length > 0 ? `, set aside: ${skippedTexts.join("; ")}` : ""}`;
}
