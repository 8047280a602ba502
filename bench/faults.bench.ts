import type { Bench, BenchOptions, Table } from "./bench.ts";
import { openClient } from "./client.ts";
import { withClient } from "./database.ts";
import { readProviderBooks, readShopBooks } from "./faults/books.ts";
import { countFaults } from "./faults/counts.ts";
import { beCustomer, type CustomersOrder } from "./faults/customers.ts";
import { startKillablePostgres } from "./faults/killable-postgres.ts";
import { failNowAndThen, type Kill, planKills, type Victim } from "./faults/killing.ts";
import { findDamaged, findMistold, reconcileLater } from "./faults/outside-checks.ts";
import { waitUntilQuiet } from "./faults/quiet.ts";
import { startFaultyShop } from "./faults/shop.ts";
import { knownCompanies } from "./known-companies.ts";
import { figure, percentile } from "./percentiles.ts";
import { seededRandom } from "./random.ts";

const atOnce = 20;

export default {
	about: "Orders while web, jobs and database are killed: nothing lost, nothing twice",
	options: { orders: { type: "string" }, kills: { type: "string" }, seed: { type: "string" } },
	longest: () => 3_600_000,
	strict: true,
	async measure({ smoke, asked, undo, progress }: BenchOptions) {
		const orders = Number(asked.orders ?? (smoke ? 30 : 1000));
		const kills = Number(asked.kills ?? (smoke ? 3 : 50));
		const seed = Number(asked.seed ?? 20261121);
		const started = performance.now();
		const seconds = () => (performance.now() - started) / 1000;

		progress("a shop in several processes");
		const database = await startKillablePostgres(undo);
		const { connection } = database;
		const shop = await startFaultyShop(undo, connection);
		const companies = await knownCompanies(connection);

		progress(`${orders} orders, ${kills} kills`);
		const random = seededRandom(seed);
		const client = openClient(undo, shop.url, 2 * atOnce);
		const { gate, killAll } = planKills({ kills, orders, random });
		const victims: Victim[] = [
			...shop.processes.map((process) => ({ kind: process.role, kill: process.kill })),
			{ kind: "database", kill: database.kill },
		];
		const stopFailing = failNowAndThen(shop.stripe, seededRandom(seed + 1));
		const killing = killAll(victims);
		killing.catch(() => {}); // awaited below
		const customers: CustomersOrder[] = [];
		let next = 0;
		const comeAndGo = async () => {
			while (next < orders) {
				const number = next++;
				await gate();
				customers.push(await beCustomer({ stripe: shop.stripe, shop: client, companies, seed }, number));
				if (customers.length % 50 === 0) progress(`${customers.length} orders`);
			}
		};
		await Promise.all(Array.from({ length: atOnce }, comeAndGo));
		const killed = await killing;
		const providerFaults = stopFailing();
		const loadEnded = seconds();

		progress("until all is quiet");
		await Promise.all(shop.processes.map((process) => process.ready()));
		const left = await waitUntilQuiet(connection, shop.stripe, { patience: smoke ? 120_000 : 900_000, sweep: !smoke });
		const quietAfter = seconds() - loadEnded;

		progress("counting");
		const books = await readShopBooks(connection);
		const endings = shop.processes.flatMap((process) => process.endings);
		const repeatedJobs = await withClient(connection, async (one) =>
			Number((await one.query("select count(*) from jobs.job where retry_count > 0")).rows[0].count),
		);
		const faults = {
			"left undone": left === "" ? [] : [left],
			...countFaults({
				customers,
				shop: books,
				provider: readProviderBooks(shop.stripe),
				handedOver: shop.mails,
				damaged: await findDamaged(shop.environment, books.documents),
			}),
			"answers that are not what the books say": await findMistold(client, customers, books),
			"differences that the nightly comparison finds": await reconcileLater(shop.environment),
			"customers without a proper answer": customers.flatMap(({ email, way, complaints }) =>
				complaints.map((complaint) => `${email} (${way}): ${complaint}`),
			),
			"processes that ended by themselves": endings,
		};
		const found = Object.entries(faults).filter(([, cases]) => cases.length > 0);
		const touched = new Set(found.flatMap(([, cases]) => cases.map((one) => /client-\d+@/.exec(one)?.[0] ?? one)));
		const paid = books.orders.filter(({ paid_at }) => paid_at !== null).length;
		const hindered = customers.filter(({ failures }) => failures > 0).length;
		const waits = customers.flatMap(({ deliveredAfter }) => (deliveredAfter === null ? [] : [deliveredAfter / 1000]));
		return {
			options: `--orders ${orders} --kills ${kills} --seed ${seed}`,
			setting: [
				`${orders} orders by ${atOnce} customers at a time, 2 web processes, 1 jobs process, PostgreSQL with its own durable settings; stand-ins for Stripe, S3 and SMTP`,
				`killed with SIGKILL and started anew 0.2 to 2 s later; ${providerFaults} faults of the payment provider ordered; seed ${seed}`,
			],
			figures: [
				{
					what: "Orders that ended as they should",
					unit: "%" as const,
					value: Math.max(0, 100 * (1 - touched.size / orders)),
					goal: 100,
					atLeast: true as const,
					bare: 100,
					bareWhat: "nothing lost, nothing twice",
					details: [
						`${seconds().toFixed(0)} s in all: ${loadEnded.toFixed(0)} s of orders and kills, quiet ${quietAfter.toFixed(0)} s later`,
						...(waits.length > 0 ? [`from paid to delivered, as ${waits.length} customers saw it: ${sayWaits(waits)}`] : []),
					],
					largestRatio: Number.POSITIVE_INFINITY,
				},
			],
			tables: [
				tableOfKills(killed),
				{
					title: "What happened",
					columns: ["what", "count"],
					rows: [
						["orders", `${orders}`],
						["paid", `${paid}`],
						["orders whose customer met a failure, and went on", `${hindered}`],
						["requests that customers made again", `${customers.reduce((sum, { failures }) => sum + failures, 0)}`],
						["jobs that were taken up again", `${repeatedJobs}`],
						["mails handed over", `${new Set(shop.mails).size}`],
						["mails handed over again, with the same Message-ID", `${shop.mails.length - new Set(shop.mails).size}`],
						["attempts of events, of which answered by a failure or by nobody", attemptsOf(shop.stripe.state.deliveries)],
					],
				},
				{
					title: "What must not be",
					columns: ["what", "count"],
					rows: Object.entries(faults).map(([what, cases]) => [what, `${cases.length}`]),
				},
			],
			broken: found.flatMap(([what, cases]) => [`${what}: ${cases.length}`, ...cases.slice(0, 20).map((one) => `  ${one}`)]),
		};
	},
} satisfies Bench;

const sayWaits = (waits: readonly number[]) =>
	`p50 ${figure(percentile(waits, 0.5))} · p95 ${figure(percentile(waits, 0.95))} · slowest ${figure(percentile(waits, 1))} s`;

const attemptsOf = (deliveries: readonly { status: number }[]) =>
	`${deliveries.length}, ${deliveries.filter(({ status }) => status !== 200).length}`;

function tableOfKills(kills: readonly Kill[]): Table {
	const rows = [...Map.groupBy(kills, ({ kind }) => kind)].map(([kind, ofKind]) => {
		const recoveries = ofKind.map(({ recoveredAfter }) => recoveredAfter / 1000);
		return [kind, `${ofKind.length}`, `${figure(percentile(recoveries, 0.5))} s`, `${figure(percentile(recoveries, 1))} s`];
	});
	return { title: "Kills", columns: ["what was killed", "times", "works again after, p50", "slowest"], rows };
}
