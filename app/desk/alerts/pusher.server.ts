import webPush from "web-push";
import { z } from "zod";
import type { Environment } from "../../../server/environment/environment.ts";
import { describeFault, type Log } from "../../../server/observability/log.ts";

/** A device as its browser describes it (w3.org/TR/push-api, PushSubscription). */
export interface PushDevice {
	endpoint: string;
	p256dh: string;
	auth: string;
}

/** What the notification shows; no personal data, because it passes through the browser's push service. */
export interface PushMessage {
	title: string;
	body: string;
	/** Opened by a tap. */
	url: string;
	/** A later notification with the same tag takes its place. */
	tag: string;
}

export interface Pusher {
	/** For the browser's subscription; null: the shop has no VAPID keys, and sends no web push. */
	publicKey: string | null;
	/** `gone`: the browser has ended the subscription (RFC 8030, 7.3). `failed`: logged; nothing is tried again. */
	send(device: PushDevice, message: PushMessage): Promise<"sent" | "gone" | "failed">;
}

/** Seconds for which the push service keeps a message for a device without network. Afterwards it would be late. */
const timeToLive = 15 * 60;

const timeoutMs = 10_000;

/** Sends by web push with VAPID keys (RFC 8292), or not at all without them. */
export function createPusher({ vapid, operatorEmail }: Environment, log: Log): Pusher {
	if (vapid === undefined) return { publicKey: null, send: async () => "failed" };
	const vapidDetails = { subject: `mailto:${operatorEmail}`, ...vapid };
	return {
		publicKey: vapid.publicKey,
		async send({ endpoint, ...keys }, message) {
			try {
				const request = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
					vapidDetails,
					TTL: timeToLive,
					urgency: "high",
					contentEncoding: "aes128gcm",
				});
				const { status, body } = await fetch(endpoint, {
					method: request.method,
					headers: request.headers,
					body: new Uint8Array(request.body ?? []),
					// the shop sends requests to no host but the one that was checked
					redirect: "manual",
					signal: AbortSignal.timeout(timeoutMs),
				});
				await body?.cancel();
				if (status >= 200 && status < 300) return "sent";
				if (status === 404 || status === 410) return "gone";
				log.warn({ host: new URL(endpoint).host, status }, "a web push was refused");
			} catch (error) {
				log.warn({ host: new URL(endpoint).host, status: null, error: describeFault(error) }, "a web push was refused");
			}
			return "failed";
		},
	};
}

/** The push services of browsers. The shop sends requests to no other host that a browser names. */
const pushServices = [
	/^fcm\.googleapis\.com$/,
	/^[\w-]+\.push\.apple\.com$/,
	/^updates\.push\.services\.mozilla\.com$/,
	/^[\w.-]+\.notify\.windows\.com$/,
];

const base64url = z.string().regex(/^[\w-]{16,200}={0,2}$/);

const subscription = z.object({ endpoint: z.string(), keys: z.object({ p256dh: base64url, auth: base64url }) });

/** Parses the subscription that a browser sent. @returns null when it is malformed, or names a host that is no push service. */
export function parsePushDevice(text: string): PushDevice | null {
	let given: unknown;
	try {
		given = JSON.parse(text.slice(0, 4000));
	} catch {
		return null;
	}
	const { data } = subscription.safeParse(given);
	if (data === undefined || !URL.canParse(data.endpoint)) return null;
	const { protocol, hostname, port, href } = new URL(data.endpoint);
	const isPushService = protocol === "https:" && port === "" && pushServices.some((service) => service.test(hostname));
	return isPushService && href.length <= 1000 ? { endpoint: href, ...data.keys } : null;
}
