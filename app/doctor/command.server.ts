import { parseArgs } from "node:util";
import type pg from "pg";
import { openDatabase } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { createLog } from "../../server/observability/log.ts";
import { progressBar } from "../../server/progress-bar.ts";
import { createMailer, createStorage, createStripeProvider } from "../create-shop.server.ts";
import { alignColumns } from "../desk/columns.ts";
import { type CommandResult, done, refuse } from "../desk/command.ts";
import { toPrintable } from "../desk/printable-text.ts";
import { type Examination, examine } from "./examine.server.ts";

const usage = `Usage : npm run doctor -- [--sample <nombre>] [--json]

Examine la boutique sans rien changer : fichiers, factures, commandes, tâches, réglages, base, machine, partenaires.
--sample n’en relit que tant de documents, tirés au sort ; --json écrit le résultat pour une machine.
Sort avec 0 si tout va bien, avec 1 sinon.`;

/** Problems of one row that a person is shown; a machine is given all. */
const mostShown = 10;

/** `npm run doctor`. Its own connection refuses to write. @returns not `ok` when there is a problem. */
export async function doctor(connection: pg.ClientConfig, args: string[], environment: Environment): Promise<CommandResult> {
	const asked = parse(args);
	if (asked === null) return refuse(usage);
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
			...{ db, environment, now, sample: asked.sample },
			storage: createStorage(environment),
			mailer: createMailer(environment),
			provider: createStripeProvider(environment, now),
			startProgress: (title) => progressBar(title, "fr"),
		});
		return report(examinations, asked.json, now());
	} finally {
		await db.destroy();
	}
}

function parse(args: string[]): { sample: number | undefined; json: boolean } | null {
	try {
		const { values } = parseArgs({
			args,
			options: { sample: { type: "string" }, json: { type: "boolean", default: false } },
			strict: true,
		});
		const sample = values.sample === undefined ? undefined : Number(values.sample);
		return sample === undefined || (Number.isInteger(sample) && sample > 0) ? { sample, json: values.json } : null;
	} catch {
		return null; // an option that does not exist, or a word
	}
}

/** The whole result on standard output also where there are problems: main.ts writes what is not `ok` on standard error. */
function report(examinations: Examination[], json: boolean, at: Date): CommandResult {
	const wrong = examinations.filter(({ problems }) => problems.length > 0);
	const ok = wrong.length === 0;
	const text = json
		? JSON.stringify({ ok, at, checks: examinations.map((row) => ({ ...row, ok: row.problems.length === 0 })) })
		: asTable(examinations);
	if (ok) return done(text);
	process.stdout.write(`${toPrintable(text)}\n`);
	return refuse(wrong.length === 1 ? "Un point ne va pas." : `${wrong.length} points ne vont pas.`);
}

/** A line for each row; below it, what is wrong and what to do. */
export function asTable(examinations: readonly Examination[]): string {
	const lines = alignColumns(examinations.map((row) => [signOf(row), row.what, row.seen])).split("\n");
	return examinations
		.flatMap(({ problems, todo }, index) => [
			lines[index] ?? "",
			...problems.slice(0, mostShown).map((problem) => `     ${problem}`),
			...(problems.length > mostShown ? [`     … et ${problems.length - mostShown} de plus.`] : []),
			...(problems.length > 0 ? [`  →  ${todo}`] : []),
		])
		.join("\n");
}

const signOf = ({ problems, skipped }: Examination) => (problems.length > 0 ? "✗" : skipped ? "·" : "✓");
