import { userInfo } from "node:os";
import type { Context } from "../../server/runtime.ts";
import { runRecorded } from "../desk/log/run-recorded.server.ts";
import type { CommandResult } from "./command.ts";
import { toPrintable } from "./printable-text.ts";

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
 * Runs and records an operator's command.
 * @param subject an order number or a SIREN; no personal data. @returns the result, with a text that is safe for a terminal.
 */
export async function runRecordedCommand(
	context: Pick<Context, "db" | "now" | "log">,
	{ verb, subject, who }: { verb: string; subject: string | null; who: string },
	run: () => Promise<CommandResult>,
): Promise<CommandResult> {
	const { ok, text } = await runRecorded(context, { verb, subject, actor: { id: null, name: who, origin: "terminal" } }, run);
	return { ok, text: toPrintable(text) };
}
