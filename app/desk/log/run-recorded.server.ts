import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../server/database/database-types.gen.ts";
import { describeFault } from "../../../server/observability/log.ts";
import { inContext } from "../../../server/observability/request-context.ts";
import type { Context } from "../../../server/runtime.ts";
import { type DeskOutcome, insertDeskLog } from "./desk-log.store.server.ts";

/** The context of a recorded run: commands of the company base run without the rest of the shop. */
type RecordingContext = Pick<Context, "db" | "now" | "log">;

/** What was done, by whom, from where. */
export interface RunToRecord {
	/** The name of an act of the desk, a key of verbs.ts, or a command of the terminal. */
	verb: string;
	/** An order number, a SIREN or a setting; no personal data. */
	subject?: string | null;
	/** `id`: null at a terminal. `origin`: « terminal », or the client's network. */
	actor: { id: string | null; name: string; origin: string };
}

/** What a run says of itself. */
interface RecordedResult {
	ok: boolean;
	subject?: string;
	/** What changed: codes, amounts, numbers and masked addresses; no personal data. */
	before?: JsonObject;
	after?: JsonObject;
}

/**
 * Runs what an operator asked for, and records it before and after. What cannot be recorded does not run.
 * @returns the result of `run`. @throws what `run` throws, recorded as « failed ».
 */
export async function runRecorded<Result extends RecordedResult>(
	context: RecordingContext,
	what: RunToRecord,
	run: () => Promise<Result>,
): Promise<Result> {
	const runId = randomUUID();
	// log lines, SQL statements and jobs carry the run's id in desk_log
	return inContext({ request: runId }, () => runAs(runId, context, what, run));
}

/** Records that somebody was refused. @param refusal the reason as they read it: a sentence of the desk, without personal data. */
export async function recordRefusedAct(context: RecordingContext, what: RunToRecord, refusal: string | null = null): Promise<void> {
	await runRecorded(context, what, async () => ({ ok: false, after: { refusal } }));
}

async function runAs<Result extends RecordedResult>(
	runId: string,
	{ db, now, log }: RecordingContext,
	{ verb, subject = null, actor: { id: operator_id, name: who, origin } }: RunToRecord,
	run: () => Promise<Result>,
): Promise<Result> {
	const record = async (outcome: DeskOutcome, result: Partial<RecordedResult> = {}) => {
		const recorded = result.subject ?? subject;
		const { before, after } = result;
		const change = before || after ? { ...(before && { before }), ...(after && { after }) } : null;
		await insertDeskLog(db, { run: runId, at: now(), verb, subject: recorded, who, outcome, operator_id, origin, change });
		log.info({ command: verb, subject: recorded, who, outcome }, "an operator's command");
	};
	// the run is over: a fault of the record neither undoes it nor hides the run's own fault
	const recordEnd = (outcome: DeskOutcome, result?: RecordedResult) =>
		record(outcome, result).catch((error) =>
			log.error({ command: verb, outcome, error: describeFault(error) }, "the end of a command is not recorded"),
		);
	await record("begun");
	const result = await run().catch(async (error: unknown) => {
		await recordEnd("failed");
		throw error;
	});
	await recordEnd(result.ok ? "done" : "refused", result);
	return result;
}
