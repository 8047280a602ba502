import { createShop } from "../../app/create-shop.server.ts";
import { s3Storage } from "../../app/orders/documents/s3-storage.server.ts";
import { reconcile } from "../../app/payments/reconcile.server.ts";
import { parseEnvironment } from "../../server/environment/environment.ts";
import { besideShop } from "../../test/beside-shop.ts";
import type { Client } from "../../test/http-client.ts";
import type { readProviderBooks, ShopBooks } from "./books.ts";
import { type CustomerOrder, fetchOrderStatus } from "./customers.ts";

const hour = 3_600_000;

/**
 * Runs the nightly comparison an hour later, when all payments are old enough to be compared.
 * @returns its differences, and a sentence if it compared fewer payments than the provider has.
 */
export async function reconcileLater(variables: Record<string, string>, provider: ReturnType<typeof readProviderBooks>): Promise<string[]> {
	const anHourLater = () => new Date(Date.now() + hour);
	const comparison = await besideShop(variables, (runtime) => reconcile(createShop(runtime)), anHourLater);
	if (!comparison.ok) throw new Error("the payment provider cannot be reached");
	const payments = [...provider.values()].flat().length;
	return [
		...(comparison.compared < payments || payments === 0
			? [`${comparison.compared} payments were compared, and the provider has ${payments}`]
			: []),
		...comparison.differences.map((difference) => JSON.stringify(difference)),
	];
}

/** Reads every document from the bucket. @returns those that are missing or damaged. */
export async function findDamaged(variables: Record<string, string>, documents: ShopBooks["documents"]): Promise<string[]> {
	const parsed = parseEnvironment(variables);
	if (!parsed.ok || parsed.environment.s3 === undefined) throw new Error("no bucket is configured");
	const storage = s3Storage(parsed.environment.s3);
	const damaged: string[] = [];
	await checkEach(documents, async ({ id, storage_path, bytes }) => {
		// `get` checks the hash, which the path contains
		const file = await storage.get(storage_path).catch(() => null);
		if (file?.byteLength !== bytes)
			damaged.push(`document ${id}: ${file === null ? "cannot be read" : `${file.byteLength} bytes of ${bytes}`}`);
	});
	return damaged;
}

/** Asks the tracking API about every order with a number. @returns the answers that contradict the shop's books. */
export async function findContradictions(shop: Client, customers: readonly CustomerOrder[], books: ShopBooks): Promise<string[]> {
	const states = new Map(books.orders.map(({ order_number, status }) => [order_number, status]));
	const contradictions: string[] = [];
	await checkEach(customers, async (customer) => {
		for (const number of customer.numbers) {
			const answer = await fetchOrderStatus(shop, customer, number).catch((error: Error) => error.message);
			const status = states.get(number);
			if (answer !== status) contradictions.push(`${customer.email}: « ${answer} », and it is ${status}`);
		}
	});
	return contradictions;
}

/** Runs `check` on each item, ten at a time. */
async function checkEach<Item>(items: readonly Item[], check: (item: Item) => Promise<void>): Promise<void> {
	const left = items.values();
	const checkNext = async () => {
		for (const item of left) await check(item);
	};
	await Promise.all(Array.from({ length: 10 }, checkNext));
}
