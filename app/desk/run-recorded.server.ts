import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { describeFault } from "../../server/observability/log.ts";
import { inContext } from "../../server/observability/request-context.ts";
import type { Context } from "../../server/runtime.ts";
import { type DeskOutcome, insertDeskLog } from "../desk-log/desk-log.server.ts";
import type { CommandResult } from "./command.ts";
import { toPrintable } from "./printable-text.ts";

/** Commands of the company base run without the rest of the shop. */
type RecordingContext = Pick<Context, "db" | "now" | "log">;

/** The option of every command that says who runs it. */
export const asOption = { as: { type: "string" } } as const;

/** Who runs a command: the name given with `--as`, else the system's user. */
export function whoRuns(as: unknown): string {
	const name = typeof as === "string" ? toPrintable(as).replaceAll("\n", " ").trim().slice(0, 100) : "";
	if (name !== "") return name;
	try {
		return userInfo().username;
	} catch {
		return "?"; // a container's user may have no name
	}
}

/**
 * Runs an operator's command and records it before and after: what cannot be recorded is not done.
 * @param subject an order's number or a SIREN; nothing about a customer. @returns its answer, as a terminal may show it.
 */
export async function runRecorded(
	{ db, now, log }: RecordingContext,
	{ verb, subject, who }: { verb: string; subject: string | null; who: string },
	act: () => Promise<CommandResult & { subject?: string }>,
): Promise<CommandResult> {
	const run = randomUUID();
	// lines, statements and jobs that come of it carry the id of its entries in desk_log
	return inContext({ request: run }, () => runAs(run, { db, now, log }, { verb, subject, who }, act));
}

async function runAs(
	run: string,
	{ db, now, log }: RecordingContext,
	{ verb, subject, who }: { verb: string; subject: string | null; who: string },
	act: () => Promise<CommandResult & { subject?: string }>,
): Promise<CommandResult> {
	const record = async (outcome: DeskOutcome, about = subject) => {
		await insertDeskLog(db, { run, at: now(), verb, subject: about, who, outcome });
		log.info({ command: verb, subject: about, who, outcome }, "an operator's command");
	};
	// the command is done: an end that cannot be recorded neither undoes it nor hides its fault
	const recordEnd = (outcome: DeskOutcome, about?: string | null) =>
		record(outcome, about).catch((error) =>
			log.error({ command: verb, outcome, error: describeFault(error) }, "the end of a command is not recorded"),
		);
	await record("begun");
	const answer = await act().catch(async (error: unknown) => {
		await recordEnd("failed");
		throw error;
	});
	await recordEnd(answer.ok ? "done" : "refused", answer.subject);
	return { ok: answer.ok, text: toPrintable(answer.text) };
}
