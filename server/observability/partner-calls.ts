import type { Metrics } from "./metrics.ts";
import { currentContext, inContext } from "./request-context.ts";

/**
 * Wraps a partner so that its calls are measured and traced. Only methods that return a promise count as calls. A call fails when it
 * throws, resolves to `false` or answers « unavailable »; a refusal is a successful call.
 */
export function observeCalls<Contract extends object>(partner: string, contract: Contract, metrics: Metrics): Contract {
	const observed = Object.entries(contract).map(([call, member]) => [
		call,
		typeof member === "function"
			? (...args: unknown[]) => observeCall({ partner, call }, () => Reflect.apply(member, contract, args), metrics)
			: member,
	]);
	return Object.fromEntries(observed);
}

/** Measures and traces one call of a partner. A result that is not a promise is returned unchanged. */
export function observeCall<Result>(
	target: { partner: string; call: string },
	work: () => Result,
	metrics: Pick<Metrics, "observePartner">,
): Result {
	const startedAt = performance.now();
	const { span: parent } = currentContext();
	const { partner, call } = target;
	const span = parent?.child(`${partner} ${call}`, "client", { "peer.service": partner });
	const result = span ? inContext({ span }, work) : work();
	if (!(result instanceof Promise)) return result;
	const record = (fault?: unknown) => {
		metrics.observePartner({ ...target, seconds: (performance.now() - startedAt) / 1000, failed: fault !== undefined });
		span?.end(fault);
	};
	void result.then(
		(answer) => record(isFailure(answer) ? "unavailable" : undefined),
		(error: unknown) => record(error ?? "unknown"),
	);
	return result;
}

const isFailure = (answer: unknown) =>
	answer === false || (typeof answer === "object" && answer !== null && "code" in answer && answer.code === "unavailable");
