import { type ParseArgsConfig, parseArgs } from "node:util";
import type pg from "pg";
import { resolveCommandPath, standardInput } from "../../server/command-path.ts";
import { Client } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { progressBar } from "../../server/progress-bar.ts";
import { toError } from "../../server/types/errors.ts";
import { parseSiren } from "../companies/siren.ts";
import { hideCompany, listHidden, showCompany } from "./hidden-companies.store.server.ts";
import { importRegistrations, type RegistrationsSummary } from "./rne/import-registrations.server.ts";
import { type FileSummary, type ImportSummary, importCompanies } from "./sirene/import-companies.server.ts";
import { type UpdateSummary, updateCompanies } from "./sirene/update-companies.server.ts";

/** What a command says at its end; not `ok` where it changed nothing. */
export interface Done {
	ok: boolean;
	text: string;
	/** The SIREN that it was about, where it was one. */
	subject?: string;
}

type Command = (connection: pg.ClientConfig, args: string[], environment: Pick<Environment, "insee">) => Promise<Done>;

/** The commands that change the company base, by the role that main.ts is given. */
export const registryCommands: Record<string, Command> = {
	async "companies:import"(connection, args) {
		const parsed = parse(args, { "dry-run": { type: "boolean" } });
		const [units, establishments, more] = parsed?.positionals ?? [];
		if (!units || !establishments || more !== undefined) {
			return {
				ok: false,
				text: "Usage: npm run companies:import -- <StockUniteLegale> <StockEtablissement> [--dry-run]  (.csv, .csv.gz or .zip)",
			};
		}
		if ([units, establishments].includes(standardInput)) {
			return {
				ok: false,
				text: "An import that is interrupted goes on in its files, and a zip is read from its end: name files. In a container, mount their folder.",
			};
		}
		const draw = progressBar("Importing companies");
		const dryRun = parsed?.values["dry-run"] === true;
		return attempt(async () => {
			const onProgress = ({ fraction, rows }: { fraction: number; rows: number }) => draw(fraction, rows);
			return tellImport(
				await importCompanies(connection, resolveCommandPath(units), resolveCommandPath(establishments), { dryRun, onProgress }),
				dryRun,
			);
		});
	},
	async "companies:import-rne"(connection, args) {
		const parsed = parse(args, { "as-of": { type: "string" } });
		if (!parsed || parsed.positionals.length === 0)
			return { ok: false, text: "Usage: npm run companies:import-rne -- <list.json>… [--as-of=2026-06-01]" };
		const asOf = parsed.values["as-of"];
		return attempt(async () =>
			tellRegistrations(
				await importRegistrations(
					connection,
					parsed.positionals.map((file) => resolveCommandPath(file)),
					asOf ? { asOf } : {},
				),
			),
		);
	},
	async "companies:update"(connection, args, { insee: { base, key } }) {
		if (args.length > 0) return { ok: false, text: "Usage: npm run companies:update" };
		if (!key) {
			return {
				ok: false,
				text: "INSEE_API_KEY is not set. INSEE gives a key free of charge to those who subscribe to the API Sirene on https://portail-api.insee.fr",
			};
		}
		const onProgress = progressBar("Updating companies");
		try {
			const summary = await updateCompanies(connection, { api: { base, key }, onProgress });
			return { ok: summary.stopped === null, text: tellUpdate(summary) };
		} catch (error) {
			return { ok: false, text: `${tellStop(toError(error).message)}\nWhat it did stays; the next one begins again.` };
		}
	},
	async "companies:hide"(connection, args) {
		const parsed = parse(args, { reason: { type: "string" }, list: { type: "boolean" } });
		if (!parsed) return { ok: false, text: hideUsage };
		const { values, positionals } = parsed;
		const onlyListed = values.list === true && positionals.length === 0 && values.reason === undefined;
		if (onlyListed) return withClient(connection, async (client) => ({ ok: true, text: formatHidden(await listHidden(client)) }));
		const siren = positionals.length === 1 ? parseSiren(positionals[0] ?? "") : null;
		const reason = values.reason?.trim() ?? "";
		if (siren === null || reason === "" || reason.length > longestReason || values.list !== undefined)
			return { ok: false, text: hideUsage };
		return withClient(connection, async (client) => {
			const { already, known, hidden_at, ...kept } = await hideCompany(client, siren, reason, new Date());
			const text = already
				? `${siren} has been hidden since ${hidden_at.toISOString()}: ${kept.reason}`
				: known
					? `${siren} is hidden everywhere, at once; imports and updates keep it so.`
					: `No company has the SIREN ${siren}. It will be hidden when an import brings it.`;
			return { ok: true, text, subject: siren };
		});
	},
	async "companies:show"(connection, args) {
		const [typed = "", more] = parse(args, {})?.positionals ?? [];
		const siren = more === undefined ? parseSiren(typed) : null;
		if (siren === null) return { ok: false, text: "Usage: npm run companies:show -- <SIREN>" };
		return withClient(connection, async (client) => {
			const shown = await showCompany(client, siren);
			return { ok: shown, text: shown ? `${siren} is shown again.` : `${siren} is not hidden.`, subject: siren };
		});
	},
};

/** In characters: a reference to the request, not the request. */
const longestReason = 500;
const hideUsage = `Usage: npm run companies:hide -- <SIREN> --reason "<text of at most ${longestReason} characters>"
       npm run companies:hide -- --list`;

async function withClient(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<Done>): Promise<Done> {
	const client = new Client({ application_name: "extrait-pro companies", ...connection });
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

function formatHidden(companies: Awaited<ReturnType<typeof listHidden>>): string {
	if (companies.length === 0) return "No company is hidden.";
	return companies
		.map(
			({ siren, hidden_at, reason, known }) =>
				`${siren}  ${hidden_at.toISOString()}  ${reason}${known ? "" : "  (not in the company base)"}`,
		)
		.join("\n");
}

/** @returns null where an option is unknown or lacks its value: a mistyped --dry-run must not import. */
function parse<Options extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: Options) {
	try {
		return parseArgs({ args, options, allowPositionals: true });
	} catch {
		return null;
	}
}

async function attempt(work: () => Promise<string>): Promise<Done> {
	try {
		return { ok: true, text: await work() };
	} catch (error) {
		return { ok: false, text: `\nThe import stopped and changed nothing: ${toError(error).message}` };
	}
}

const number = new Intl.NumberFormat("en-GB");
const reasons: Record<string, string> = {
	"no-number": "without a SIREN or SIRET of digits",
	"no-state": "without a state that SIRENE knows",
	closed: "closed, and no head office",
	duplicate: "there twice: the newest was kept",
	"former-head": "former head offices",
	"no-legal-person": "no legal persons",
	withheld: "withheld by the unit itself",
	older: "older than what is known",
};

function tellImport({ companies, resumed, units, establishments }: ImportSummary, dryRun: boolean): string {
	return [
		`${number.format(companies)} companies ${dryRun ? "would be imported; nothing was changed" : "imported"}${resumed ? ", an interrupted import taken up again" : ""}.`,
		`Units: ${tellFile(units)}. Of the kept: ${number.format(units.masked)} not fully diffused, ${number.format(units.purged)} purged by INSEE.`,
		`Establishments: ${tellFile(establishments)}. Of the kept: ${number.format(establishments.headOffices)} head offices` +
			`${establishments.orphans > 0 ? ` (${number.format(establishments.orphans)} of units that are not there)` : ""}, ${number.format(establishments.branches)} others.`,
	].join("\n");
}

function tellRegistrations({ read, kept, unknown, companies, setAside }: RegistrationsSummary): string {
	return [
		`${number.format(kept)} registrations imported, ${number.format(companies)} companies changed.`,
		`Entries: ${tellFile({ read, kept, setAside })}.${unknown > 0 ? ` ${number.format(unknown)} are of SIRENs that the companies do not have.` : ""}`,
	].join("\n");
}

function tellUpdate({ asked, unanswered, changed, masked, ceased, knownUntil, stopped, ...summary }: UpdateSummary): string {
	const done =
		`${number.format(asked)} units asked for: ${number.format(changed)} changed (${number.format(ceased)} ceased, ` +
		`${number.format(masked)} no longer fully diffused), ${number.format(summary.new)} new` +
		`${unanswered > 0 ? `, ${number.format(unanswered)} of which INSEE says nothing` : ""}.`;
	if (stopped === null) return `${done} The companies are as INSEE knew them on ${knownUntil}.`;
	return asked > 0 ? `${tellStop(stopped)}\nWhat it did stays; the next one begins again. ${done}` : tellStop(stopped);
}

function tellStop(why: string): string {
	return `\nThe update stopped: ${why}`;
}

function tellFile({ read, kept, setAside }: FileSummary): string {
	const aside = Object.entries(setAside)
		.filter(([, rows]) => rows > 0)
		.map(([reason, rows]) => `${number.format(rows)} ${reasons[reason] ?? reason}`);
	return `${number.format(read)} rows read, ${number.format(kept)} kept${aside.length > 0 ? `, set aside: ${aside.join("; ")}` : ""}`;
}
