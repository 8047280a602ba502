import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { describeFault } from "../../server/observability/log.ts";
import { inContext } from "../../server/observability/request-context.ts";
import type { Context } from "../../server/runtime.ts";
import { type DeskOutcome, insertDeskLog } from "../desk-log/desk-log.server.ts";
import type { CommandResult } from "./command.ts";
import { toPrintable } from "./printable-text.ts";

/** The context of a recorded command: commands of the company base run without the rest of the shop. */
type RecordingContext = Pick<Context, "db" | "now" | "log">;

/** The option `--as` of every command: the name of its operator. */
export const asOption = { as: { type: "string" } } as const;

/** @returns the name given with `--as`, else the system's user. */
export function getOperatorName(as: unknown): string {
	const name = typeof as === "string" ? toPrintable(as).replaceAll("\n", " ").trim().slice(0, 100) : "";
	if (name !== "") return name;
	try {
		return userInfo().username;
	} catch {
		return "?"; // a container's user may have no name
	}
}

/**
 * Runs an operator's command and records it before and after. A command that cannot be recorded does not run.
 * @param subject an order number or a SIREN; no personal data. @returns the result, with a text that is safe for a terminal.
 */
export async function runRecorded(
	{ db, now, log }: RecordingContext,
	{ verb, subject, who }: { verb: string; subject: string | null; who: string },
	run: () => Promise<CommandResult & { subject?: string }>,
): Promise<CommandResult> {
	const runId = randomUUID();
	// log lines, SQL statements and jobs of the command carry the run's id in desk_log
	return inContext({ request: runId }, () => runAs(runId, { db, now, log }, { verb, subject, who }, run));
}

async function runAs(
	runId: string,
	{ db, now, log }: RecordingContext,
	{ verb, subject, who }: { verb: string; subject: string | null; who: string },
	run: () => Promise<CommandResult & { subject?: string }>,
): Promise<CommandResult> {
	const record = async (outcome: DeskOutcome, recordedSubject = subject) => {
		await insertDeskLog(db, { run: runId, at: now(), verb, subject: recordedSubject, who, outcome });
		log.info({ command: verb, subject: recordedSubject, who, outcome }, "an operator's command");
	};
	// the command has run: a fault of the record neither undoes it nor hides the command's own fault
	const recordEnd = (outcome: DeskOutcome, recordedSubject?: string | null) =>
		record(outcome, recordedSubject).catch((error) =>
			log.error({ command: verb, outcome, error: describeFault(error) }, "the end of a command is not recorded"),
		);
	await record("begun");
	const result = await run().catch(async (error: unknown) => {
		await recordEnd("failed");
		throw error;
	});
	await recordEnd(result.ok ? "done" : "refused", result.subject);
	return { ok: result.ok, text: toPrintable(result.text) };
}
