import { sql } from "kysely";
import { describeFault } from "../../server/observability/log.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";
import { accountChecks } from "./check-accounts.server.ts";
import { bookChecks } from "./check-books.server.ts";
import { bulletinChecks } from "./check-bulletin.server.ts";
import { databaseChecks } from "./check-database.server.ts";
import { fileChecks } from "./check-files.server.ts";
import { lawChecks } from "./check-law.server.ts";
import { machineChecks } from "./check-machine.server.ts";
import { orderChecks } from "./check-orders.server.ts";
import { purchaseChecks } from "./check-purchases.server.ts";
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

export type Examination = Omit<Check, "examine"> & CheckResult;

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
