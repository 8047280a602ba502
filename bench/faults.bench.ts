import { setTimeout as wait } from "node:timers/promises";
import { readProviderBooks, readShopBooks } from "../test/faults/books.ts";
import { countFaults } from "../test/faults/counts.ts";
import { beCustomer, type CustomersOrder } from "../test/faults/customers.ts";
import { type KillablePostgres, startKillablePostgres } from "../test/faults/killable-postgres.ts";
import { findDamaged, findMistold, reconcileLater } from "../test/faults/outside-checks.ts";
import { waitUntilQuiet } from "../test/faults/quiet.ts";
import { type FaultyShop, startFaultyShop } from "../test/faults/shop.ts";
import { failNowAndThen, planStrikes, type Strike, type Target } from "../test/faults/strikes.ts";
import { type BreakableNetwork, createBreakableNetwork } from "../test/network.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import type { Bench, BenchOptions, Table } from "./bench.ts";
import { openClient } from "./client.ts";
import { withClient } from "./database.ts";
import { knownCompanies } from "./known-companies.ts";
import { figure, percentile } from "./percentiles.ts";
import { type Random, seededRandom } from "./random.ts";

const atOnce = 20;

export default {
	about: "Orders while processes are killed, disks fill, connections fall silent and clocks jump: nothing lost, nothing twice",
	options: { orders: { type: "string" }, kills: { type: "string" }, seed: { type: "string" } },
	longest: () => 3_600_000,
	strict: true,
	async measure({ smoke, asked, undo, progress }: BenchOptions) {
		const orders = Number(asked.orders ?? (smoke ? 30 : 2000));
		const strikes = Number(asked.kills ?? (smoke ? 6 : 120));
		const seed = Number(asked.seed ?? 20261121);
		const started = performance.now();
		const seconds = () => (performance.now() - started) / 1000;

		progress("a shop in several processes");
		const database = await startKillablePostgres(undo);
		const { connection } = database;
		const network = await createBreakableNetwork(connection);
		undo.defer(() => network.close());
		const shop = await startFaultyShop(undo, network.connection);
		const companies = await knownCompanies(connection);

		progress(`${orders} orders, ${strikes} faults`);
		const random = seededRandom(seed);
		const client = openClient(undo, shop.url, 2 * atOnce);
		const { gate, strikeAll } = planStrikes({ strikes, orders, random });
		const unseen: string[] = [];
		const targets = targetsOf({ shop, database, network, random, unseen });
		const stopFailing = failNowAndThen(shop.stripe, seededRandom(seed + 1));
		const striking = strikeAll(targets);
		striking.catch(() => {}); // awaited below
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
		const struck = await striking;
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
			"differences that the nightly comparison finds": await reconcileLater(shop.environment, readProviderBooks(shop.stripe)),
			"customers without a proper answer": customers.flatMap(({ email, way, complaints }) =>
				complaints.map((complaint) => `${email} (${way}): ${complaint}`),
			),
			"full disks that the readiness check did not see, and dead connections that were kept": unseen,
			"processes that ended by themselves": endings,
		};
		const found = Object.entries(faults).filter(([, cases]) => cases.length > 0);
		const touched = new Set(found.flatMap(([, cases]) => cases.map((one) => /client-\d+@/.exec(one)?.[0] ?? one)));
		const paid = books.orders.filter(({ paid_at }) => paid_at !== null).length;
		const hindered = customers.filter(({ failures }) => failures > 0).length;
		const waits = customers.flatMap(({ deliveredAfter }) => (deliveredAfter === null ? [] : [deliveredAfter / 1000]));
		return {
			options: `--orders ${orders} --kills ${strikes} --seed ${seed}`,
			setting: [
				`${orders} orders by ${atOnce} customers at a time, 2 web processes, 1 jobs process, PostgreSQL with its own durable settings; stand-ins for Stripe, S3 and SMTP`,
				`processes are killed with SIGKILL and started anew 0.2 to 2 s later; connections to the database fall silent and stay open; clocks of processes jump by up to ten minutes, for some seconds; the database's disk is full for some seconds${database.fill ? "" : " (not here: no disk may be mounted)"}; ${providerFaults} faults of the payment provider ordered; seed ${seed}`,
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
				tableOfStrikes(struck),
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

function tableOfStrikes(strikes: readonly Strike[]): Table {
	const rows = [...Map.groupBy(strikes, ({ kind }) => kind)].map(([kind, ofKind]) => {
		const recoveries = ofKind.flatMap(({ recoveredAfter }) => (recoveredAfter === null ? [] : [recoveredAfter / 1000]));
		const times = recoveries.length > 0 ? [0.5, 1].map((share) => `${figure(percentile(recoveries, share))} s`) : ["–", "–"];
		return [kind, `${ofKind.length}`, ...times];
	});
	return { title: "Faults", columns: ["what", "times", "works again after, p50", "slowest"], rows };
}

/** Milliseconds, as docs/deployment.md wants it of a server that is reached over a network. */
const serverKeepAlive = 30_000;

/** Milliseconds within which the shop closes its end of dead connections: twice what docs/deployment.md says of a jobs process. */
const longestSilence = scaledTimeout(70_000);

interface Scene {
	shop: FaultyShop;
	database: KillablePostgres;
	network: BreakableNetwork;
	random: Random;
	/** Gets a sentence for each full disk that no readiness check saw, and for dead connections that are not closed in time. */
	unseen: string[];
}

/** What may be struck, and how. */
function targetsOf({ shop, database, network, random, unseen }: Scene): Target[] {
	const { fill } = database;
	const saysDown = async (web: string) => {
		const answer = await fetch(`${web}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
		return ((await answer?.json().catch(() => null)) as { database?: string } | null)?.database === "down";
	};
	const answers = () =>
		withClient(database.connection, (client) => client.query("select 1")).then(
			() => true,
			() => false,
		);
	/** Whether every web process says that the database is down, which still answers: a full disk takes no writes, and gives what is read. */
	const seesFullDisk = async (longest: number) => {
		for (const began = performance.now(); performance.now() - began < longest; await wait(100)) {
			const seen = (await Promise.all(shop.webs.map(saysDown))).every(Boolean);
			if (seen && (await answers())) return true;
		}
		return false;
	};
	return [
		...shop.processes.map((process) => ({ kind: process.role, strike: process.kill })),
		{ kind: "database", strike: database.kill },
		{
			kind: "silent connections",
			async strike() {
				network.silence(serverKeepAlive);
				// a check that asks for a connection gets a new one: what counts is that no old one is left
				const began = performance.now();
				for (; network.countSilent() > 0; await wait(100)) {
					if (performance.now() - began < longestSilence) continue;
					unseen.push(`${network.countSilent()} dead connections are held after ${longestSilence / 1000} s`);
					return null;
				}
				return performance.now() - began;
			},
		},
		{
			kind: "clock",
			async strike(pause) {
				const process = random.pick(shop.processes);
				process.tell({ clock: (random.next() - 0.5) * 1_200_000 });
				await wait(3 * pause);
				process.tell({ clock: 0 });
				return null;
			},
		},
		...(fill
			? [
					{
						kind: "full disk" as const,
						strike: (pause: number) =>
							fill(async () => {
								await wait(pause);
								if (!(await seesFullDisk(scaledTimeout(20_000)))) unseen.push("a full disk: /readyz did not say that the database is down");
							}),
					},
				]
			: []),
	];
}
