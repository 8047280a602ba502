import type { Metrics } from "./metrics.ts";

/**
 * A partner whose calls are measured. Only what gives a promise is a call; a `false` (« is it ready? »), a throw, and an answer that says
 * « unavailable » are failures, while a partner that says no has answered.
 */
export function observeCalls<Contract extends object>(partner: string, contract: Contract, metrics: Metrics): Contract {
	const observed = Object.entries(contract).map(([call, member]) => [
		call,
		typeof member === "function"
			? (...args: unknown[]) => observeCall({ partner, call }, () => Reflect.apply(member, contract, args), metrics)
			: member,
	]);
	return Object.fromEntries(observed) as Contract;
}

/** Measures one call of a partner. What is no promise passes as it is. */
export function observeCall<Result>(
	asked: { partner: string; call: string },
	work: () => Result,
	metrics: Pick<Metrics, "observePartner">,
): Result {
	const started = performance.now();
	const result = work();
	if (!(result instanceof Promise)) return result;
	const note = (failed: boolean) => metrics.observePartner({ ...asked, seconds: (performance.now() - started) / 1000, failed });
	return result.then(
		(answer) => {
			note(isFailure(answer));
			return answer;
		},
		(error: unknown) => {
			note(true);
			throw error;
		},
	) as Result;
}

const isFailure = (answer: unknown) => answer === false || (answer as { reason?: unknown } | null | undefined)?.reason === "unavailable";
