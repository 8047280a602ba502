import { sql } from "kysely";
import { describeFault } from "../../server/observability/log.ts";
import type { Check, Examined, Found } from "./check.ts";
import { bookChecks } from "./check-books.server.ts";
import { databaseChecks } from "./check-database.server.ts";
import { fileChecks } from "./check-files.server.ts";
import { machineChecks } from "./check-machine.server.ts";
import { orderChecks } from "./check-orders.server.ts";
import { queueChecks } from "./check-queue.server.ts";
import { settingChecks } from "./check-settings.server.ts";

const answers: Check = {
	name: "database",
	what: "Base de données",
	how: "elle répond",
	todo: "Voyez DATABASE_URL, le réseau et le journal de PostgreSQL.",
	async examine({ db }) {
		await sql`select 1`.execute(db);
		return { seen: "répond", problems: [] };
	},
};

/** Everything that the doctor examines, in this order: a row each. */
export const checks: readonly Check[] = [
	...[answers, ...databaseChecks, ...settingChecks, ...machineChecks],
	...[...queueChecks, ...orderChecks, ...bookChecks, ...fileChecks],
];

export type Examination = Omit<Check, "examine"> & Found;

/** Where one of these is wrong, nothing else of the database can be looked at. */
const first = ["database", "schema"];

/** Examines everything, one after the other, and changes nothing. What cannot be examined is a problem. @param rows all of them, but in tests. */
export async function examine(of: Examined, rows: readonly Check[] = checks): Promise<Examination[]> {
	const examinations: Examination[] = [];
	for (const { examine, ...row } of rows) {
		const result = await examine(of).catch((error: unknown): Found => {
			const why = describeFault(error instanceof Error ? error.message || error.name : error);
			return { seen: "pas examiné", problems: [`Cela n’a pas pu être examiné\u00a0: ${why}`] };
		});
		examinations.push({ ...row, ...result });
		if (first.includes(row.name) && result.problems.length > 0) break;
	}
	return examinations;
}
