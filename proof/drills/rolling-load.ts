import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { services } from "../../app/catalogue/services.ts";
import type { KnownCompany } from "../../test/known-companies.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

export const kinds = ["page", "search", "company page", "POST order", "POST tracking", "confirmation", "live page"] as const;
export type Kind = (typeof kinds)[number];

export interface SentRequest {
	kind: Kind;
	ms: number;
	/** Null after a correct answer. */
	failure: string | null;
}

interface PlacedOrder {
	sessionId: string;
	email: string;
	number: string;
}

/** Milliseconds between two requests: twenty a second. */
const pace = 50;

/** Highest number of open requests, without live pages: the drill tests restarts, not overload. */
const maxConcurrent = 10;

/** Live pages that stay open; each reconnects after two seconds, as a browser does. */
const livePages = 6;

/**
 * Requests pages, searches, orders and order states, up to twenty a second, while live pages are open.
 * No request is repeated: every wrong answer is a failure.
 * @param isEnough tells before each request whether to end.
 */
export async function sendLoad(
	url: string,
	companies: readonly KnownCompany[],
	isEnough: (sent: readonly SentRequest[]) => boolean,
): Promise<SentRequest[]> {
	const sent: SentRequest[] = [];
	const orders: PlacedOrder[] = [];
	let ended = false;
	const company = () => companies[sent.length % companies.length] as KnownCompany;

	async function measure<T>(kind: Kind, act: () => Promise<T>): Promise<T | null> {
		const started = performance.now();
		const row: SentRequest = { kind, ms: 0, failure: null };
		sent.push(row);
		try {
			return await act();
		} catch (error) {
			const { message, cause } = error as Error;
			row.failure = `${message}${cause instanceof Error ? ` (${cause.message})` : ""}`;
			return null;
		} finally {
			row.ms = performance.now() - started;
		}
	}
	const read = async (path: string, init: RequestInit = {}): Promise<string> => {
		const answer = await fetch(url + path, { redirect: "manual", signal: AbortSignal.timeout(scaledTimeout(20_000)), ...init });
		const body = await answer.text();
		if (answer.status !== 200) throw new Error(`${answer.status} ${body.slice(0, 80).replaceAll("\n", " ")}`);
		return body;
	};
	const post = (path: string, body: object) =>
		read(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

	async function placeOrder(): Promise<void> {
		const { siren, name } = company();
		const { price, deliveryMethod } = services.express;
		const email = `${randomUUID()}@example.fr`;
		const nobody = { phone: "", company: "", address: "", postalCode: "", city: "" };
		const placed = await measure("POST order", () =>
			post("/api/create-payment", {
				orderData: { siren, companyName: name, serviceType: "express", amount: price, deliveryMethod },
				customerData: { email, firstName: "Camille", lastName: "Martin", ...nobody },
			}),
		);
		if (placed === null) return;
		const sessionId = (JSON.parse(placed) as { url: string }).url.split("/").at(-1) ?? "";
		const page = await measure("confirmation", () => read(`/confirmation/${sessionId}`));
		const number = /KB-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(page ?? "")?.[0];
		if (number) orders.push({ sessionId, email, number });
	}

	const visits: (() => Promise<unknown>)[] = [
		() => measure("page", () => read("/")),
		placeOrder,
		() => measure("search", () => read(`/recherche?q=${encodeURIComponent(company().name)}`)),
		async () => {
			const { email, number } = orders.at(-1) ?? {};
			if (number) await measure("POST tracking", () => post("/api/suivi", { email, orderId: number }));
		},
		() => measure("company page", () => read(`/api/entreprises/${company().siren}`)),
		placeOrder,
		() => measure("search", () => read(`/api/entreprises?q=${encodeURIComponent(company().city)}`)),
		() => measure("page", () => read("/cgv")),
	];

	async function openLivePage(): Promise<void> {
		while (!ended) {
			const order = orders.at(-1);
			if (order) await measure("live page", () => readStream(`${url}/confirmation/${order.sessionId}/direct`, () => ended));
			await wait(2000);
		}
	}

	const live = Array.from({ length: livePages }, openLivePage);
	const running = new Set<Promise<unknown>>();
	for (let turn = 0; !isEnough(sent); turn++) {
		const visit: Promise<unknown> = (visits[turn % visits.length] as () => Promise<unknown>)().then(() => running.delete(visit));
		running.add(visit);
		await wait(pace);
		while (running.size >= maxConcurrent) await Promise.race(running);
	}
	ended = true;
	await Promise.all([...running, ...live]);
	return sent;
}

/** @throws when the stream is missing, or breaks instead of ending. */
async function readStream(url: string, isEnough: () => boolean): Promise<void> {
	const answer = await fetch(url);
	if (answer.status !== 200) throw new Error(String(answer.status));
	const reader = answer.body?.getReader();
	const timer = setInterval(() => isEnough() && void reader?.cancel(), 200);
	try {
		while (!(await reader?.read())?.done);
	} finally {
		clearInterval(timer);
	}
}
