import { openClient } from "../../test/http-client.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { createBreakableNetwork } from "../../test/network.ts";
import { withClient } from "../../test/postgres.ts";
import { seededRandom } from "../../test/random.ts";
import { readProviderBooks, readShopBooks, type ShopBooks } from "./books.ts";
import { type CustomerOrder, playCustomer } from "./customers.ts";
import { type Failures, findFailures } from "./find-failures.ts";
import { type InjectedFault, injectProviderFaults, planFaults } from "./inject-faults.ts";
import { startKillablePostgres } from "./killable-postgres.ts";
import { findContradictions, findDamaged, reconcileLater } from "./outside-checks.ts";
import { createPurchasePlacer } from "./place-purchase.ts";
import { waitUntilQuiet } from "./quiet.ts";
import { type FaultyShop, startFaultyShop } from "./shop.ts";
import { createTargets } from "./targets.ts";

/** Customers at a time. */
export const concurrent = 20;

export interface FaultTestOptions {
	orders: number;
	/** How many faults are injected. */
	faults: number;
	seed: number;
	/** Milliseconds in which all work must be done after the last order (see scaledTimeout). */
	quietMs: number;
	/** Also waits for the sweeper, which runs every minute. */
	sweep: boolean;
}

export interface FaultTestReport {
	customers: CustomerOrder[];
	injected: InjectedFault[];
	/** How often the fake payment provider was told to fail. */
	providerFaults: number;
	/** False where this machine allows no mount of a small disk. */
	canFillDisk: boolean;
	/** Failures that must not happen, by kind: empty lists when the shop is correct. */
	failures: Failures;
	books: ShopBooks;
	repeatedJobs: number;
	shop: FaultyShop;
	/** Seconds of orders and faults, and seconds after that until all work was done. */
	seconds: { load: number; quiet: number };
}

/** Injects faults under the shop while customers order, then compares what customers, provider, mail server, bucket and database know. */
export async function runFaultTest(
	undo: AsyncDisposableStack,
	{ orders, faults, seed, quietMs, sweep }: FaultTestOptions,
	progress: (text: string) => void,
): Promise<FaultTestReport> {
	progress("a shop in several processes");
	const database = await startKillablePostgres(undo);
	const { connection } = database;
	const network = await createBreakableNetwork(connection);
	undo.defer(() => network.close());
	const shop = await startFaultyShop(undo, network.connection);
	const companies = await knownCompanies(connection);

	progress(`${orders} orders, ${faults} faults`);
	const started = performance.now();
	const random = seededRandom(seed);
	const placePurchase = await createPurchasePlacer(undo, shop.environment);
	const client = openClient(undo, shop.url, 2 * concurrent);
	const { gate, injectAll } = planFaults({ faults, orders, random });
	const missed: string[] = [];
	const stopProviderFaults = injectProviderFaults(shop.stripe, seededRandom(seed + 1));
	const injecting = injectAll(createTargets({ shop, database, network, random, missed }));
	injecting.catch(() => {}); // awaited below
	const customers: CustomerOrder[] = [];
	let next = 0;
	const placeOrders = async () => {
		while (next < orders) {
			const number = next++;
			await gate();
			customers.push(await playCustomer({ stripe: shop.stripe, shop: client, companies, seed, placePurchase }, number));
			if (customers.length % 50 === 0) progress(`${customers.length} orders`);
		}
	};
	await Promise.all(Array.from({ length: concurrent }, placeOrders));
	const injected = await injecting;
	const providerFaults = stopProviderFaults();
	const load = (performance.now() - started) / 1000;

	progress("until all work is done");
	await Promise.all(shop.processes.map((process) => process.ready()));
	const left = await waitUntilQuiet(connection, shop.stripe, { timeout: quietMs, sweep });
	const quiet = (performance.now() - started) / 1000 - load;

	progress("counting");
	const books = await readShopBooks(connection);
	const provider = readProviderBooks(shop.stripe);
	// a jobs process whose clock was set back ends, and is started again
	const endings = shop.processes.flatMap((process) => process.endings).filter((last) => !last.includes("was set back: this process ends"));
	const repeatedJobs = await withClient(connection, async (one) =>
		Number((await one.query("select count(*) from jobs.job where retry_count > 0")).rows[0].count),
	);
	const damaged = await findDamaged(shop.environment, books.documents);
	const failures: Failures = {
		"work left undone": left === "" ? [] : [left],
		...findFailures({ customers, shop: books, provider, mailServer: shop.mails, damaged }),
		"pages and answers that contradict the books": await findContradictions(client, customers, books),
		"differences found by the nightly comparison": await reconcileLater(shop.environment, provider),
		"customers without a proper answer": customers.flatMap(({ email, way, complaints }) =>
			complaints.map((complaint) => `${email} (${way}): ${complaint}`),
		),
		"full disks that the readiness check missed, and dead connections that stayed open": missed,
		"processes that ended by themselves": endings,
	};
	const canFillDisk = database.fill !== undefined;
	return { customers, injected, providerFaults, canFillDisk, failures, books, repeatedJobs, shop, seconds: { load, quiet } };
}
