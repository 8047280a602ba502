import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Span } from "./tracing.ts";

/** The current request, order and job. log.ts writes it into every log line, database.ts into statements. */
export interface RequestContext {
	/** The request or operator's command; jobs that it causes keep it. */
	request?: string;
	/** The UUID of the order; null when there are several. */
	order?: string | null;
	/** The kind of the current job. */
	job?: string;
	jobId?: string;
	/** The parent span of statements and partners' calls, when traces are on. */
	span?: Span;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Empty outside a request, a job and a command. */
export const currentContext = (): Readonly<RequestContext> => storage.getStore() ?? {};

/** Runs `work` in the current context with some changes. */
export function inContext<Result>(changes: RequestContext, work: () => Result): Result {
	return storage.run({ ...storage.getStore(), ...changes }, work);
}

/** Runs `work` in an empty context, for events that the current request did not cause, such as a lost connection. */
export const outsideOfContext = <Result>(work: () => Result): Result => storage.run({}, work);

/** Sets the order of the current context. Work on many orders runs each in `inContext({ order })`. */
export function setContextOrder(orderId: string): void {
	const context = storage.getStore();
	if (context) context.order = context.order === undefined || context.order === orderId ? orderId : null;
}

/** Ids are written into the log, a response header and SQL comments, so they hold only safe characters. */
const idPattern = /^[\w.-]{1,64}$/;

/**
 * Returns the id of a request.
 * @param given the header X-Request-Id. @param proxies how many of our proxies a request passes: without one, the header can be forged.
 */
export function requestId(given: string | undefined, proxies: number): string {
	return proxies > 0 && given !== undefined && idPattern.test(given) ? given : randomUUID();
}

/** Returns a trailing SQL comment that identifies the cause of a statement; empty outside a context. */
export function sqlComment({ request, job, jobId }: Readonly<RequestContext>): string {
	const parts = Object.entries({ request, job, jobId }).filter(([, id]) => id !== undefined && idPattern.test(id));
	return parts.length === 0 ? "" : ` /* ${parts.map(([name, id]) => `${name}=${id}`).join(" ")} */`;
}

export function logFields({ request, order, job, jobId, span }: Readonly<RequestContext>): Record<string, string> {
	return {
		...(request !== undefined && { request }),
		...(order && { order }),
		...(job !== undefined && { job }),
		...(jobId !== undefined && { jobId }),
		...(span && { trace: span.traceId }),
	};
}
