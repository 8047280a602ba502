import { createShop } from "../../app/create-shop.server.ts";
import { s3Storage } from "../../app/documents/s3-storage.server.ts";
import { reconcile } from "../../app/payments/reconcile.server.ts";
import { createRuntime } from "../../server/create-runtime.ts";
import { parseEnvironment } from "../../server/environment/environment.ts";
import type { Client } from "../http-client.ts";
import type { readProviderBooks, ShopBooks } from "./books.ts";
import { type CustomersOrder, trackedStatus } from "./customers.ts";

const hour = 3_600_000;

/**
 * Runs the nightly comparison an hour later, when all payments are old enough to be compared.
 * @returns its differences, and a sentence if it compared fewer payments than the provider has.
 */
export async function reconcileLater(variables: Record<string, string>, provider: ReturnType<typeof readProviderBooks>): Promise<string[]> {
	const parsed = parseEnvironment(variables);
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	const { environment } = parsed;
	const now = () => new Date(Date.now() + hour);
	const { runtime, close } = await createRuntime(environment, { connectionString: environment.databaseUrl }, [], { supervise: false, now });
	const found = await reconcile(createShop(runtime));
	await close(1000);
	if (!found.ok) throw new Error("the payment provider cannot be reached");
	const payments = [...provider.values()].flat().length;
	return [
		...(found.compared < payments || payments === 0 ? [`${found.compared} payments were compared, and the provider has ${payments}`] : []),
		...found.differences.map((difference) => JSON.stringify(difference)),
	];
}

/** Reads every document from the bucket. @returns those that are missing or damaged. */
export async function findDamaged(variables: Record<string, string>, documents: ShopBooks["documents"]): Promise<string[]> {
	const parsed = parseEnvironment(variables);
	if (!parsed.ok || parsed.environment.s3 === undefined) throw new Error("no bucket to look into");
	const storage = s3Storage(parsed.environment.s3);
	const damaged: string[] = [];
	await each(documents, async ({ id, storage_path, bytes }) => {
		// `get` checks the hash, which the path contains
		const kept = await storage.get(storage_path).catch(() => null);
		if (kept?.byteLength !== bytes)
			damaged.push(`document ${id}: ${kept === null ? "cannot be read" : `${kept.byteLength} bytes of ${bytes}`}`);
	});
	return damaged;
}

/** Asks the tracking API about every order with a number. @returns the answers that contradict the shop's books. */
export async function findContradictions(shop: Client, customers: readonly CustomersOrder[], books: ShopBooks): Promise<string[]> {
	const byEmail = new Map(books.orders.map((order) => [order.customer_email, order]));
	const contradictions: string[] = [];
	await each(customers, async (customer) => {
		if (customer.number === null) return;
		const shown = await trackedStatus(shop, customer).catch((error: Error) => error.message);
		const status = byEmail.get(customer.email)?.status;
		if (shown !== status) contradictions.push(`${customer.email}: « ${shown} », and it is ${status}`);
	});
	return contradictions;
}

/** A few at a time. */
async function each<Item>(items: readonly Item[], look: (item: Item) => Promise<void>): Promise<void> {
	const left = items.values();
	const lookOn = async () => {
		for (const item of left) await look(item);
	};
	await Promise.all(Array.from({ length: 10 }, lookOn));
}
