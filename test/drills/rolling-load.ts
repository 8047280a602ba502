import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { services } from "../../app/catalogue/services.ts";
import type { KnownCompany } from "../known-companies.ts";
import { scaledTimeout } from "../time-limits.ts";

export const kinds = ["page", "search", "company page", "POST order", "POST tracking", "confirmation", "live page"] as const;
export type Kind = (typeof kinds)[number];

export interface Sent {
	kind: Kind;
	ms: number;
	/** Null: answered as it should be. */
	failure: string | null;
}

interface PlacedOrder {
	sessionId: string;
	email: string;
	number: string;
}

/** Milliseconds between two requests: twenty a second. */
const pace = 50;

/** Requests under way, live pages aside. A machine that cannot keep the pace is asked less: the drill is about restarts, not about overload. */
const mostAtOnce = 10;

/** Live pages that are open all the time, each of which comes back after two seconds when it is let go, as a browser does. */
const livePages = 6;

/**
 * Sends pages, searches, orders and looks at orders, twenty a second where the machine can, while live pages are open.
 * No request is sent twice: what is not answered as it should be is a failure.
 * @param enough asked before each request whether to end.
 */
export async function sendLoad(
	url: string,
	companies: readonly KnownCompany[],
	enough: (sent: readonly Sent[]) => boolean,
): Promise<Sent[]> {
	const sent: Sent[] = [];
	const orders: PlacedOrder[] = [];
	let ended = false;
	const company = () => companies[sent.length % companies.length] as KnownCompany;

	async function measure<T>(kind: Kind, act: () => Promise<T>): Promise<T | null> {
		const started = performance.now();
		const row: Sent = { kind, ms: 0, failure: null };
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

	async function keepLivePage(): Promise<void> {
		while (!ended) {
			const order = orders.at(-1);
			if (order) await measure("live page", () => readUntilLetGo(`${url}/confirmation/${order.sessionId}/direct`, () => ended));
			await wait(2000);
		}
	}

	const live = Array.from({ length: livePages }, keepLivePage);
	const running = new Set<Promise<unknown>>();
	for (let turn = 0; !enough(sent); turn++) {
		const visit: Promise<unknown> = (visits[turn % visits.length] as () => Promise<unknown>)().then(() => running.delete(visit));
		running.add(visit);
		await wait(pace);
		while (running.size >= mostAtOnce) await Promise.race(running);
	}
	ended = true;
	await Promise.all([...running, ...live]);
	return sent;
}

/** Throws where the stream is not there, or is torn instead of ended. */
async function readUntilLetGo(url: string, isEnough: () => boolean): Promise<void> {
	const answer = await fetch(url);
	if (answer.status !== 200) throw new Error(String(answer.status));
	const reader = answer.body?.getReader();
	const looking = setInterval(() => isEnough() && void reader?.cancel(), 200);
	try {
		while (!(await reader?.read())?.done);
	} finally {
		clearInterval(looking);
	}
}
