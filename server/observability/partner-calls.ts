import type { Metrics } from "./metrics.ts";
import { currentContext, inContext } from "./request-context.ts";

/**
 * A partner whose calls are measured, and part of the trace under way. Only what gives a promise is a call; a `false` (« is it ready? »), a throw, and an answer that says
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

/** Measures and traces one call of a partner. What is no promise passes as it is. */
export function observeCall<Result>(
	asked: { partner: string; call: string },
	work: () => Result,
	metrics: Pick<Metrics, "observePartner">,
): Result {
	const started = performance.now();
	const { span: parent } = currentContext();
	const { partner, call } = asked;
	const span = parent?.child(`${partner} ${call}`, "client", { "peer.service": partner });
	const result = span ? inContext({ span }, work) : work();
	if (!(result instanceof Promise)) return result;
	const note = (fault?: unknown) => {
		metrics.observePartner({ ...asked, seconds: (performance.now() - started) / 1000, failed: fault !== undefined });
		span?.end(fault);
	};
	return result.then(
		(answer) => {
			note(isFailure(answer) ? "unavailable" : undefined);
			return answer;
		},
		(error: unknown) => {
			note(error ?? "unknown");
			throw error;
		},
	) as Result;
}

const isFailure = (answer: unknown) =>
	answer === false || (typeof answer === "object" && answer !== null && "code" in answer && answer.code === "unavailable");
