import Stripe from "stripe";
import { scaledTimeout } from "../../time-limits.ts";
import { token } from "./books.ts";
import type { Thing } from "./objects.ts";

/** An event with the object's state at that time. */
export interface SentEvent {
	id: string;
	object: "event";
	api_version: string;
	created: number;
	type: string;
	livemode: boolean;
	pending_webhooks: number;
	request: { id: null; idempotency_key: null };
	data: { object: Thing };
}

/** One attempt; `status` 0 means no answer. */
export interface Delivery {
	eventId: string;
	status: number;
}

/** Milliseconds between attempts, doubled each time. Stripe waits minutes to hours, for three days. */
const firstPause = 200;
const maxPause = 5_000;

/**
 * Sends signed events to a shop and repeats each until it succeeds.
 * @param webhookUrl undefined: events are stored and not sent.
 */
export function sendEvents({ webhookUrl: firstUrl, secret, now, apiVersion }: EventOptions) {
	let webhookUrl = firstUrl;
	const events: SentEvent[] = [];
	const deliveries: Delivery[] = [];
	const held: SentEvent[] = [];
	const pending = new Set<Promise<void>>();
	const closing = new AbortController();
	let holding = false;

	function emit(type: string, thing: Thing): void {
		const event: SentEvent = {
			id: `evt_1${token(23)}`,
			object: "event",
			api_version: apiVersion,
			created: Math.floor(now().getTime() / 1000),
			type,
			livemode: "livemode" in thing && thing.livemode,
			pending_webhooks: 1,
			request: { id: null, idempotency_key: null },
			data: { object: structuredClone(thing) },
		};
		events.push(event);
		if (holding) held.push(event);
		else send(event);
	}

	function send(event: SentEvent): void {
		if (webhookUrl === undefined) return;
		const sending = sendUntilSuccess(event, webhookUrl).finally(() => pending.delete(sending));
		pending.add(sending);
	}

	async function sendUntilSuccess(event: SentEvent, url: string): Promise<void> {
		for (let pause = firstPause; !closing.signal.aborted; pause = Math.min(pause * 2, maxPause)) {
			const status = await post(event, url, now());
			if (status >= 200 && status < 300) return;
			await new Promise<void>((over) => {
				const timer = setTimeout(over, pause);
				closing.signal.addEventListener("abort", () => [clearTimeout(timer), over()], { once: true });
			});
		}
	}

	/** @returns the status of the answer, 0 without one. */
	async function post(event: SentEvent, url: string, signedAt: Date): Promise<number> {
		const payload = JSON.stringify(event);
		const timestamp = Math.floor(signedAt.getTime() / 1000);
		const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
		const status = await fetch(url, {
			method: "POST",
			headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature, "user-agent": "Stripe/1.0" },
			body: payload,
			signal: AbortSignal.any([closing.signal, AbortSignal.timeout(scaledTimeout(10_000))]),
		}).then(
			async (answer) => {
				await answer.arrayBuffer();
				return answer.status;
			},
			() => 0,
		);
		deliveries.push({ eventId: event.id, status });
		return status;
	}

	return {
		emit,
		events,
		deliveries,
		controls: {
			/** Changes the webhook URL, for a shop that starts later. */
			sendEventsTo(url: string) {
				webhookUrl = url;
			},
			/** Holds new events back. */
			holdEvents() {
				holding = true;
			},
			/** Sends the held events in the order and as often as `order` says, and new events at once again. */
			releaseEvents(order: (waiting: SentEvent[]) => SentEvent[] = (waiting) => waiting) {
				holding = false;
				order(held.splice(0)).forEach(send);
			},
			/** Sends an event once, without repeats. @returns the status of the shop's answer, 0 for none. */
			async deliver(eventId: string, signedAt = now()): Promise<number> {
				const event = events.find(({ id }) => id === eventId);
				if (!event || webhookUrl === undefined) throw new Error(`${eventId} cannot be delivered`);
				return post(event, webhookUrl, signedAt);
			},
			/** Resolves once every sent event has succeeded. */
			async delivered(): Promise<void> {
				while (pending.size > 0) await Promise.all(pending);
			},
		},
		stop: () => closing.abort(),
	};
}

interface EventOptions {
	webhookUrl: string | undefined;
	secret: string;
	now: () => Date;
	apiVersion: string;
}
