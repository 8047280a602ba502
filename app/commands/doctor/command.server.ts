import { parseArgs } from "node:util";
import { sql } from "kysely";
import type pg from "pg";
import { openDatabase } from "../../../server/database/database.ts";
import type { Environment } from "../../../server/environment/environment.ts";
import { createLog, describeFault } from "../../../server/observability/log.ts";
import { progressBar } from "../../../server/progress-bar.ts";
import { createMailer, createPaymentPartner, createStorage } from "../../create-shop.server.ts";
import { alignColumns } from "../columns.ts";
import { type CommandResult, done, refuse } from "../command.ts";
import { toPrintable } from "../printable-text.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";
import { accountChecks, bookChecks } from "./check-books.server.ts";
import { bulletinChecks } from "./check-bulletin.server.ts";
import { databaseChecks } from "./check-database.server.ts";
import { fileChecks } from "./check-files.server.ts";
import { lawChecks } from "./check-law.server.ts";
import { machineChecks } from "./check-machine.server.ts";
import { orderChecks, purchaseChecks } from "./check-orders.server.ts";
import { queueChecks } from "./check-queue.server.ts";
import { settingChecks } from "./check-settings.server.ts";

const databaseAnswers: Check = {
	name: "database",
	what: "Database",
	how: "it answers",
	todo: "Check DATABASE_URL, the network and the log of PostgreSQL.",
	async examine({ db }) {
		await sql`select 1`.execute(db);
		return { seen: "answers", problems: [] };
	},
};

/** All checks of the doctor, in this order. */
export const checks: readonly Check[] = [
	databaseAnswers,
	...databaseChecks,
	...settingChecks,
	...machineChecks,
	...queueChecks,
	...orderChecks,
	...purchaseChecks,
	...bookChecks,
	...accountChecks,
	...bulletinChecks,
	...lawChecks,
	...fileChecks,
];

type Examination = Omit<Check, "examine"> & CheckResult;

/** A problem in one of these ends the examination, because the other checks need the database. */
const prerequisites = ["database", "schema"];

/** Runs the checks one by one. A check that throws counts as a problem. @param selected for tests; the default is all checks. */
export async function examine(context: DoctorContext, selected: readonly Check[] = checks): Promise<Examination[]> {
	const examinations: Examination[] = [];
	for (const { examine, ...check } of selected) {
		const result = await examine(context).catch((error: unknown): CheckResult => {
			const reason = describeFault(error instanceof Error ? error.message || error.name : error);
			return { seen: "not examined", problems: [`It could not be examined: ${reason}`] };
		});
		examinations.push({ ...check, ...result });
		if (prerequisites.includes(check.name) && result.problems.length > 0) break;
	}
	return examinations;
}

export const usage = `Usage: npm run doctor -- [--sample <number>] [--json]

Examines the shop without changing anything: files, invoices, orders, jobs, settings, database, machine, partners.
--sample reads only that many documents, chosen at random; --json writes the result for machines.
Exits with 0 if all is well, with 1 otherwise.`;

/** The table shows this many problems per check; JSON has them all. */
const maxShownProblems = 10;

/** `npm run doctor`. Its database connection is read-only. @returns not `ok` when there is a problem. */
export async function doctor(connection: pg.ClientConfig, args: string[], environment: Environment): Promise<CommandResult> {
	const options = parseOptions(args);
	if (options === null) return refuse(usage);
	const readOnly = {
		options: "-c default_transaction_read_only=on",
		application_name: "extrait-pro doctor",
		statement_timeout: 300_000,
		max: 4,
	};
	const { db } = openDatabase({ ...connection, ...readOnly }, createLog("silent"));
	const now = () => new Date();
	try {
		const examinations = await examine({
			db,
			environment,
			now,
			sample: options.sample,
			storage: createStorage(environment),
			mailer: createMailer(environment),
			provider: createPaymentPartner(environment, now),
			startProgress: (title) => progressBar(title),
		});
		return report(examinations, options.json, now());
	} finally {
		await db.destroy();
	}
}

function parseOptions(args: string[]): { sample: number | undefined; json: boolean } | null {
	try {
		const { values } = parseArgs({
			args,
			options: { sample: { type: "string" }, json: { type: "boolean", default: false } },
			strict: true,
		});
		const sample = values.sample === undefined ? undefined : Number(values.sample);
		return sample === undefined || (Number.isInteger(sample) && sample > 0) ? { sample, json: values.json } : null;
	} catch {
		return null; // an unknown option or an argument
	}
}

/** Writes a result with problems to standard output itself, because main.ts writes texts that are not `ok` to standard error. */
function report(examinations: Examination[], json: boolean, at: Date): CommandResult {
	const failed = examinations.filter(({ problems }) => problems.length > 0);
	const ok = failed.length === 0;
	const text = json
		? JSON.stringify({ ok, at, checks: examinations.map((examination) => ({ ...examination, ok: examination.problems.length === 0 })) })
		: formatTable(examinations);
	if (ok) return done(text);
	process.stdout.write(`${toPrintable(text)}\n`);
	return refuse(failed.length === 1 ? "One check failed." : `${failed.length} checks failed.`);
}

/** Formats one line per check, followed by its problems and what to do. */
export function formatTable(examinations: readonly Examination[]): string {
	const lines = alignColumns(examinations.map((examination) => [getMark(examination), examination.what, examination.seen])).split("\n");
	return examinations
		.flatMap(({ problems, todo }, index) => [
			lines[index] ?? "",
			...problems.slice(0, maxShownProblems).map((problem) => `     ${problem}`),
			...(problems.length > maxShownProblems ? [`     … and ${problems.length - maxShownProblems} more.`] : []),
			...(problems.length > 0 ? [`  →  ${todo}`] : []),
		])
		.join("\n");
}

const getMark = ({ problems, skipped }: Examination) => (problems.length > 0 ? "✗" : skipped ? "·" : "✓");
