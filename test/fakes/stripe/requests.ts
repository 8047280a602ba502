import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { token } from "./books.ts";
import { ApiError } from "./parameters.ts";

/** Before Stripe's endpoints: API keys and version, idempotency, and the faults that a test injects. */

interface Fault {
	/** The endpoint does its work first. */
	after: boolean;
	/** undefined: the connection is closed without an answer. */
	answer?: ApiError;
}

/** Source: docs.stripe.com/error-low-level, docs.stripe.com/error-codes. */
const faults = {
	/** The endpoint works, and its answer is lost. */
	"timeout-after-success": { after: true },
	"connection-reset": { after: false },
	/** The key lacks a permission. */
	"403": { after: false, answer: new ApiError(403, { message: "The provided key does not have the required permissions." }) },
	"429": { after: false, answer: new ApiError(429, { code: "rate_limit", message: "Too many requests in a short time." }) },
	lock_timeout: { after: false, answer: new ApiError(429, { code: "lock_timeout", message: "This object is in use. Try again later." }) },
	/** An error inside the endpoint: stored, so that the same key gives it again for a day. */
	"500": { after: false, answer: new ApiError(500, { type: "api_error", message: "An unknown error occurred." }, true) },
	/** An outage before the endpoint: nothing is stored. */
	"503": { after: false, answer: new ApiError(503, { type: "api_error", message: "Stripe is not available." }) },
	/** The address in the request, as Stripe answers since 2018: docs.stripe.com/error-codes. */
	email_invalid: {
		after: false,
		answer: new ApiError(400, { code: "email_invalid", param: "customer_email", message: "Invalid email address: …" }),
	},
	card_declined: {
		after: false,
		answer: new ApiError(402, { type: "card_error", code: "card_declined", message: "Your card was declined." }, true),
	},
} as const satisfies Record<string, Fault>;

export interface InjectedStripeFault {
	/** Part of the method and path, such as `POST /v1/refunds`. */
	path: string;
	kind: keyof typeof faults;
	times?: number;
}

/** A received request, for tests. */
export interface SeenRequest {
	method: string;
	path: string;
	form: string;
	idempotencyKey: string | undefined;
	apiVersion: string | undefined;
	/** undefined until it is answered. */
	status?: number;
	replayed: boolean;
	/** Milliseconds from its last byte to its answer; undefined as long as `status` is. */
	ms?: number;
}

interface StoredRequest {
	hash: string;
	/** undefined until the first request is answered. */
	reply?: { status: number; body: string; requestId: string };
	since: number;
}

interface Gate {
	path: string;
	opened: Promise<void>;
}

/** Source: docs.stripe.com/api/idempotent_requests: a key expires after a day. */
const keyLifetimeMs = 24 * 3_600_000;

const badRequest = (status: number, message: string) => new ApiError(status, { message });

/**
 * Receives API requests one by one.
 * @param answer the endpoint: its result is the body; an ApiError that it throws is the error answer.
 */
export function receiveRequests(
	{ secretKey, apiVersion, now }: { secretKey: string; apiVersion: string; now: () => Date },
	answer: (call: { method: string; path: string; form: string }) => unknown,
) {
	const requests: SeenRequest[] = [];
	const injected: { path: string; kind: InjectedStripeFault["kind"]; left: number }[] = [];
	const storedRequests = new Map<string, StoredRequest>();
	let gates: Gate[] = [];

	function nextFault(name: string): Fault | undefined {
		const fault = injected.find(({ path, left }) => left > 0 && name.includes(path));
		if (!fault) return undefined;
		fault.left--;
		return faults[fault.kind];
	}

	function checkHeaders(request: IncomingMessage): void {
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

	/** Finds the request stored under a key, or stores a new one. @throws ApiError if the key had other parameters. */
	function getStoredRequest(key: string, hash: string): StoredRequest {
		const at = now().getTime();
		const known = storedRequests.get(key);
		if (known && at - known.since < keyLifetimeMs) {
			if (known.hash !== hash) {
				const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. (${key})`;
				throw new ApiError(400, { type: "idempotency_error", message });
			}
			if (known.reply) return known;
			const message = `There is currently another in-progress request using this Idempotent Key: ${key}.`;
			throw new ApiError(409, { type: "idempotency_error", code: "idempotency_key_in_use", message });
		}
		if (key.length > 255) throw badRequest(400, "Idempotency keys are up to 255 characters long.");
		const stored: StoredRequest = { hash, since: at };
		storedRequests.set(key, stored);
		return stored;
	}

	/** @returns the answer to a request; null to close its connection without one. */
	async function reply(
		request: IncomingMessage,
		seen: SeenRequest,
	): Promise<(NonNullable<StoredRequest["reply"]> & { replayed: boolean }) | null> {
		const { method, path, form, idempotencyKey } = seen;
		const name = `${method} ${path}`;
		const requestId = `req_${token(14)}`;
		const refusal = (error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
			return { status: error.status, body: JSON.stringify({ error: error.body }), requestId };
		};
		let stored: StoredRequest | undefined;
		try {
			checkHeaders(request);
			const key = method === "POST" ? idempotencyKey : undefined;
			stored = key === undefined ? undefined : getStoredRequest(key, createHash("sha256").update(`${name} ${form}`).digest("hex"));
			if (stored?.reply) return { ...stored.reply, replayed: true };
		} catch (error) {
			return { ...refusal(error), replayed: false };
		}
		const deleteKey = () => storedRequests.delete(idempotencyKey ?? "");
		await Promise.all(gates.filter((gate) => name.includes(gate.path)).map(({ opened }) => opened));
		const fault = nextFault(name);
		if (fault && !fault.after && !fault.answer) {
			deleteKey();
			return null;
		}
		try {
			if (fault?.answer) throw fault.answer;
			const body = JSON.stringify(answer({ method, path, form }));
			if (stored) stored.reply = { status: 200, body, requestId };
			return fault ? null : { status: 200, body, requestId, replayed: false };
		} catch (error) {
			const refused = refusal(error);
			if (stored && (error as ApiError).stored) stored.reply = refused;
			else deleteKey();
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
			// the same key would give the stored error again
			...(given.status === 500 && { "stripe-should-retry": "false" }),
		});
		response.end(given.body);
		seen.ms = performance.now() - received;
	}

	return {
		receive,
		requests,
		controls: {
			/** The next `times` requests whose method and path contain `path` fail as `kind` says. */
			failNext({ path, kind, times = 1 }: InjectedStripeFault) {
				injected.push({ path, kind, left: times });
			},
			/** Cancels the faults that have not happened yet. */
			clearFaults() {
				injected.length = 0;
			},
			/** Holds requests whose method and path contain `path` until the returned function is called. */
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
