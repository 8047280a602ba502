import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { token } from "./books.ts";
import { ApiError } from "./parameters.ts";

/** What stands before Stripe's endpoints: keys, the API's version, idempotency, and the faults that a test orders. */

interface Fault {
	/** The endpoint does its work first. */
	after: boolean;
	/** undefined: no answer at all, the connection is cut. */
	answer?: ApiError;
}

/** Source: docs.stripe.com/error-low-level, docs.stripe.com/error-codes. */
const faults = {
	/** The work is done and its answer lost. */
	"timeout-after-success": { after: true },
	"connection-reset": { after: false },
	/** The key may not do that. */
	"403": { after: false, answer: new ApiError(403, { message: "The provided key does not have the required permissions." }) },
	"429": { after: false, answer: new ApiError(429, { code: "rate_limit", message: "Too many requests in a short time." }) },
	lock_timeout: { after: false, answer: new ApiError(429, { code: "lock_timeout", message: "This object is in use. Try again later." }) },
	/** An error inside the endpoint: kept, so that the same key gives it again for a day. */
	"500": { after: false, answer: new ApiError(500, { type: "api_error", message: "An unknown error occurred." }, true) },
	/** An outage before the endpoint: nothing is kept. */
	"503": { after: false, answer: new ApiError(503, { type: "api_error", message: "Stripe is not available." }) },
	card_declined: {
		after: false,
		answer: new ApiError(402, { type: "card_error", code: "card_declined", message: "Your card was declined." }, true),
	},
} as const satisfies Record<string, Fault>;

export interface OrderedFault {
	/** Part of the method and path, such as `POST /v1/refunds`. */
	path: string;
	kind: keyof typeof faults;
	times?: number;
}

/** A request as it was received, for a test to look at. */
export interface SeenRequest {
	method: string;
	path: string;
	form: string;
	idempotencyKey: string | undefined;
	apiVersion: string | undefined;
	/** undefined while it is under way, and when it is never answered. */
	status?: number;
	replayed: boolean;
	/** Milliseconds from its last byte to its answer; undefined as long as `status` is. */
	ms?: number;
}

interface Kept {
	hash: string;
	/** undefined while the first request is under way. */
	reply?: { status: number; body: string; requestId: string };
	since: number;
}

interface Gate {
	path: string;
	opened: Promise<void>;
}

/** Source: docs.stripe.com/api/idempotent_requests: keys are forgotten once they are a day old. */
const keptFor = 24 * 3_600_000;

const badRequest = (status: number, message: string) => new ApiError(status, { message });

/**
 * Receives API requests one by one.
 * @param answer does the endpoint's work: what it gives is the body, what it throws as ApiError is the refusal.
 */
export function receiveRequests(
	{ secretKey, apiVersion, now }: { secretKey: string; apiVersion: string; now: () => Date },
	answer: (call: { method: string; path: string; form: string }) => unknown,
) {
	const requests: SeenRequest[] = [];
	const ordered: { path: string; kind: OrderedFault["kind"]; left: number }[] = [];
	const kept = new Map<string, Kept>();
	let gates: Gate[] = [];

	function nextFault(name: string): Fault | undefined {
		const fault = ordered.find(({ path, left }) => left > 0 && name.includes(path));
		if (!fault) return undefined;
		fault.left--;
		return faults[fault.kind];
	}

	function refuseStranger(request: IncomingMessage): void {
		const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
		if (key === undefined) throw badRequest(401, "You did not provide an API key.");
		if (key !== secretKey) throw badRequest(401, "Invalid API Key provided.");
		const version = request.headers["stripe-version"];
		if (version !== apiVersion) throw badRequest(400, `Invalid Stripe API version: ${version}`);
		const type = request.headers["content-type"] ?? "";
		if (request.method === "POST" && !type.startsWith("application/x-www-form-urlencoded")) {
			throw badRequest(400, `Invalid request: parameters must be form-encoded, not ${type}.`);
		}
	}

	/** What is kept under a key, if this is the same request; a new place to keep it otherwise. */
	function keepUnder(key: string, hash: string): Kept {
		const at = now().getTime();
		const known = kept.get(key);
		if (known && at - known.since < keptFor) {
			if (known.hash !== hash) {
				const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. (${key})`;
				throw new ApiError(400, { type: "idempotency_error", message });
			}
			if (known.reply) return known;
			const message = `There is currently another in-progress request using this Idempotent Key: ${key}.`;
			throw new ApiError(409, { type: "idempotency_error", code: "idempotency_key_in_use", message });
		}
		if (key.length > 255) throw badRequest(400, "Idempotency keys are up to 255 characters long.");
		const place: Kept = { hash, since: at };
		kept.set(key, place);
		return place;
	}

	/** The answer to a request; null when its connection is to be cut instead. */
	async function reply(request: IncomingMessage, seen: SeenRequest): Promise<(NonNullable<Kept["reply"]> & { replayed: boolean }) | null> {
		const { method, path, form, idempotencyKey } = seen;
		const name = `${method} ${path}`;
		const requestId = `req_${token(14)}`;
		const refusal = (error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
			return { status: error.status, body: JSON.stringify({ error: error.body }), requestId };
		};
		let place: Kept | undefined;
		try {
			refuseStranger(request);
			const key = method === "POST" ? idempotencyKey : undefined;
			place = key === undefined ? undefined : keepUnder(key, createHash("sha256").update(`${name} ${form}`).digest("hex"));
			if (place?.reply) return { ...place.reply, replayed: true };
		} catch (error) {
			return { ...refusal(error), replayed: false };
		}
		const forget = () => kept.delete(idempotencyKey ?? "");
		await Promise.all(gates.filter((gate) => name.includes(gate.path)).map(({ opened }) => opened));
		const fault = nextFault(name);
		if (fault && !fault.after && !fault.answer) {
			forget();
			return null;
		}
		try {
			if (fault?.answer) throw fault.answer;
			const body = JSON.stringify(answer({ method, path, form }));
			if (place) place.reply = { status: 200, body, requestId };
			return fault ? null : { status: 200, body, requestId, replayed: false };
		} catch (error) {
			const refused = refusal(error);
			if (place && (error as ApiError).stored) place.reply = refused;
			else forget();
			return { ...refused, replayed: false };
		}
	}

	async function receive(request: IncomingMessage, response: ServerResponse, { path, form }: { path: string; form: string }) {
		const { method = "GET", headers } = request;
		const idempotencyKey = headers["idempotency-key"]?.toString();
		const apiVersion = headers["stripe-version"]?.toString();
		const seen: SeenRequest = { method, path, form, idempotencyKey, apiVersion, replayed: false };
		requests.push(seen);
		const received = performance.now();
		const given = await reply(request, seen);
		if (given === null) return void request.socket.destroy();
		seen.status = given.status;
		seen.replayed = given.replayed;
		response.writeHead(given.status, {
			"content-type": "application/json",
			"request-id": given.replayed ? `req_${token(14)}` : given.requestId,
			"stripe-version": apiVersion ?? "",
			...(idempotencyKey && { "idempotency-key": idempotencyKey }),
			...(given.replayed && { "idempotent-replayed": "true", "original-request": given.requestId }),
			// what is kept would only be given again
			...(given.status === 500 && { "stripe-should-retry": "false" }),
		});
		response.end(given.body);
		seen.ms = performance.now() - received;
	}

	return {
		receive,
		requests,
		controls: {
			/** The next `times` requests whose method and path contain `path` end as `kind` says. */
			failNext({ path, kind, times = 1 }: OrderedFault) {
				ordered.push({ path, kind, left: times });
			},
			/** Faults that were ordered and have not come yet are called off. */
			failNoMore() {
				ordered.length = 0;
			},
			/** Requests whose method and path contain `path` are under way until the function given back is called. */
			pause(path: string): () => void {
				const { promise, resolve } = Promise.withResolvers<void>();
				const gate = { path, opened: promise };
				gates.push(gate);
				return () => {
					gates = gates.filter((other) => other !== gate);
					resolve();
				};
			},
		},
	};
}
