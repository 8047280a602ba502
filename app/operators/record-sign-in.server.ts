import type { Context } from "../../server/runtime.ts";
import { runRecorded } from "../desk-log/desk-log.server.ts";
import type { Operator } from "./operators.store.server.ts";

/**
 * Records in the trail who came in, how, and from where, or who failed after the right password. What is not recorded does not open:
 * callers record before they hand out cookies.
 * @param what as the trail shows it: « se connecter par clé d’accès ».
 */
export async function recordSignIn(
	context: Pick<Context, "db" | "now" | "log">,
	{ id, name }: Pick<Operator, "id" | "name">,
	what: string,
	{ client, ok = true }: { client: string; ok?: boolean },
): Promise<void> {
	const run = { verb: `bureau\u00a0: ${what}`, subject: null, who: name, operatorId: id, origin: client };
	await runRecorded(context, run, async () => ({ ok }));
}
