import { markOf } from "./part.ts";
import { type Asked, probeParts } from "./probe-parts.server.ts";
import { insertProbes } from "./status.store.server.ts";

/** Asks every part and writes down what it found, once for each mark of the clock. */
export async function measureParts(asked: Asked): Promise<void> {
	const { at, parts } = await probeParts(asked);
	await insertProbes(asked.db, markOf(at), parts);
}
