import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Span } from "./tracing.ts";

/** What is under way: written into every line of the log by server/observability/log.ts, and into statements by server/database/database.ts. */
export interface RequestContext {
	/** The request, or the operator's command, that caused all this, also where a job goes on with it. */
	request?: string;
	/** The UUID of the one order that this is about; null once it is about several. */
	order?: string | null;
	/** The kind of the job under way. */
	job?: string;
	jobId?: string;
	/** Where traces are made: what is under way, for statements and partners' calls to be its children. */
	span?: Span;
}

/**
 * One for the whole process: main.ts and the build have a copy of this file each, and a statement that the build sends goes through the
 * database that main.ts opened.
 */
const shared = globalThis as { [key: symbol]: unknown };
const key = Symbol.for("extrait-pro request context");
shared[key] ??= new AsyncLocalStorage<RequestContext>();
const storage = shared[key] as AsyncLocalStorage<RequestContext>;

/** What is under way; empty outside of a request, a job and a command. */
export const currentContext = (): Readonly<RequestContext> => storage.getStore() ?? {};

/** Does something within a context: the present one, but for what is given. */
export function inContext<Result>(changes: RequestContext, work: () => Result): Result {
	return storage.run({ ...storage.getStore(), ...changes }, work);
}

/** Does something that is about nothing of that, though it comes up in the middle of it, such as a lost connection. */
export const outsideOfContext = <Result>(work: () => Result): Result => storage.run({}, work);

/** Says which order the present context is about. Work on many orders does each `inContext({ order })`. */
export function nameOrder(orderId: string): void {
	const context = storage.getStore();
	if (context) context.order = context.order === undefined || context.order === orderId ? orderId : null;
}

/** What an id may look like: it goes into the log, an answer's header and a comment of SQL. */
const idPattern = /^[\w.-]{1,64}$/;

/**
 * The id of a request.
 * @param given the header X-Request-Id. @param proxies how many proxies of ours a request passes: without one, the header is anybody's claim.
 */
export function requestId(given: string | undefined, proxies: number): string {
	return proxies > 0 && given !== undefined && idPattern.test(given) ? given : randomUUID();
}

/** What leads from a statement to its cause, as a trailing comment; empty where nothing is under way. */
export function sqlComment({ request, job, jobId }: Readonly<RequestContext>): string {
	const parts = Object.entries({ request, job, jobId }).filter(([, id]) => id !== undefined && idPattern.test(id));
	return parts.length === 0 ? "" : ` /* ${parts.map(([name, id]) => `${name}=${id}`).join(" ")} */`;
}

/** The fields of a line of the log. */
export function logFields({ request, order, job, jobId, span }: Readonly<RequestContext>): Record<string, string> {
	return {
		...(request !== undefined && { request }),
		...(order && { order }),
		...(job !== undefined && { job }),
		...(jobId !== undefined && { jobId }),
		...(span && { trace: span.traceId }),
	};
}
