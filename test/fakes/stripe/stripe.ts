import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { answer, type Mode } from "./api.ts";
import { openBooks } from "./books.ts";
import { sendEvents } from "./events.ts";
import type { Thing } from "./objects.ts";
import { payOnPage } from "./page.ts";
import { receiveRequests } from "./requests.ts";

/** The only version of the API that this fake knows. */
const apiVersion = "2026-10-28.endive";

interface Options {
	/** Without it, no events are sent. */
	webhookUrl?: string;
	/** Signs the events. */
	webhookSecret?: string;
	secretKey?: string;
	/** 0: a free port. */
	port?: number;
	livemode?: boolean;
	now?: () => Date;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * A fake of Stripe, in its own process or in a test's: the endpoints that the shop uses with Stripe's checks, the payment page, and signed
 * events. Its data is lost when it stops.
 */
export async function startFakeStripe({
	webhookUrl,
	webhookSecret = "whsec_fake",
	secretKey = "sk_test_fake",
	port = 0,
	livemode = false,
	now = () => new Date(),
}: Options = {}) {
	const server = createServer((request, response) => {
		serve(request, response).catch((error) => {
			console.error(error);
			response.writeHead(500).end();
		});
	});
	await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const mode: Mode = { livemode, now, refundStatus: "succeeded" };
	const events = sendEvents({ webhookUrl, secret: webhookSecret, now, apiVersion });
	const books = openBooks({ now, pageUrl: url, emit: (type: string, thing: Thing) => events.emit(type, thing) });
	const api = receiveRequests({ secretKey, apiVersion, now }, (call) => answer(books, mode, call));
	const clock = setInterval(() => books.expireOverdue(), 1000).unref();

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, search } = new URL(request.url ?? "/", url);
		const body = await readBody(request);
		if (pathname.startsWith("/v1/")) {
			const form = request.method === "POST" ? body : search.slice(1);
			return api.receive(request, response, { path: pathname, form });
		}
		const sessionId = /^\/c\/pay\/(\w+)$/.exec(pathname)?.[1] ?? "";
		const { status, location, html = "" } = payOnPage(books, sessionId, request.method === "POST" ? new URLSearchParams(body) : null);
		response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...(location && { location }) }).end(html);
	}

	return {
		url,
		secretKey,
		webhookSecret,
		/** Its data, for tests. */
		state: {
			...{ sessions: books.sessions, payments: books.intents, charges: books.charges, refunds: books.refunds, disputes: books.disputes },
			...{ transactions: books.balance.transactions, payouts: books.balance.payouts },
			...{ events: events.events, deliveries: events.deliveries, requests: api.requests },
		},
		...api.controls,
		...events.controls,
		...{ pay: books.pay, endDelay: books.endDelay, expire: books.expireSession, endRefund: books.endRefund },
		...{ openDispute: books.openDispute, closeDispute: books.closeDispute },
		...{ payOut: books.balance.payOut, failPayout: books.balance.failPayout, recordMovement: books.balance.record },
		/** A refund on Stripe's own pages. */
		refundFromDashboard: (paymentId: string, amount?: number) => books.refund(paymentId, { amount }),
		failRefund: (refundId: string) => books.endRefund(refundId, "failed"),
		/** Sets the status of new refunds; `endRefund` ends a pending one. */
		setRefundStatus(status: "succeeded" | "pending") {
			mode.refundStatus = status;
		},
		/** Sets whether new objects are in live mode. */
		setLivemode(live: boolean) {
			mode.livemode = live;
		},
		async close(): Promise<void> {
			clearInterval(clock);
			events.stop();
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

if (import.meta.main) {
	const text = { type: "string" } as const;
	const { values } = parseArgs({
		options: { port: { ...text, default: "12111" }, webhook: text, secret: text, live: { type: "boolean" } },
	});
	const stripe = await startFakeStripe({
		port: Number(values.port),
		webhookUrl: values.webhook,
		webhookSecret: values.secret,
		livemode: values.live,
	});
	console.log(`The fake of Stripe listens. Start the shop with:
  STRIPE_API_BASE=${stripe.url}
  STRIPE_SECRET_KEY=${stripe.secretKey}
  STRIPE_WEBHOOK_SECRET=${stripe.webhookSecret}`);
	for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stripe.close());
}
