import { expect, vi } from "vitest";
import { scaledTimeout } from "./time-limits.ts";

/**
 * Asks /readyz until it answers so: on a busy machine a part may need the two seconds after which it counts as down.
 * @param ask requests a path of the shop.
 */
export const untilReadyzAnswers = (ask: (path: string) => Promise<Response>, status: number, body: object = expect.anything()) =>
	vi.waitFor(
		async () => {
			const answer = await ask("/readyz");
			expect({ status: answer.status, body: await answer.json() }).toEqual({ status, body });
		},
		{ timeout: scaledTimeout(60_000), interval: 200 },
	);

/** The body of the answer when each part works, without a replica. */
export const everyPartWorks = { ok: true, database: "ok", jobs: "ok", storage: "ok", mail: "ok", payment: "ok", clock: "ok" };
