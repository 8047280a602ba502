import type { InjectedFault } from "../faults/inject-faults.ts";
import { concurrent, runFaultTest } from "../faults/run-faults.ts";
import type { Bench, Table } from "./bench.ts";
import { formatFigure, percentile } from "./percentiles.ts";

export default {
	about: "Faults under load: processes are killed, disks fill up, connections fall silent and clocks jump",
	options: { orders: { type: "string" }, kills: { type: "string" }, seed: { type: "string" } },
	maxMs: () => 3_600_000,
	strict: true,
	async measure({ smoke, given, undo, progress }) {
		const orders = Number(given.orders ?? (smoke ? 30 : 2000));
		const faults = Number(given.kills ?? (smoke ? 6 : 120));
		const seed = Number(given.seed ?? 20261121);
		const test = { orders, faults, seed, quietMs: smoke ? 120_000 : 900_000, sweep: !smoke };
		const { customers, injected, providerFaults, canFillDisk, failures, books, repeatedJobs, shop, seconds } = await runFaultTest(
			undo,
			test,
			progress,
		);
		const failed = Object.entries(failures).filter(([, cases]) => cases.length > 0);
		const affected = new Set(failed.flatMap(([, cases]) => cases.map((one) => /client-\d+@/.exec(one)?.[0] ?? one)));
		const waits = customers.flatMap(({ deliveredAfter }) => (deliveredAfter === null ? [] : [deliveredAfter / 1000]));
		const [p50, p95, slowest] = waits.length > 0 ? [0.5, 0.95, 1].map((share) => formatFigure(percentile(waits, share))) : [];
		const paid = books.orders.filter(({ paid_at }) => paid_at !== null).length;
		const hindered = customers.filter((customer) => customer.failures > 0).length;
		const repeated = customers.reduce((sum, customer) => sum + customer.failures, 0);
		const mails = new Set(shop.mails.map(({ id }) => id)).size;
		const { deliveries } = shop.stripe.state;
		return {
			options: `--orders ${orders} --kills ${faults} --seed ${seed}`,
			setting: [
				`${orders} orders by ${concurrent} customers at a time, 2 web processes, 1 jobs process, PostgreSQL with its durable default settings; fakes of Stripe, S3 and SMTP`,
				`processes are killed with SIGKILL and started again 0.2 to 2 s later; connections to the database fall silent and stay open; the clocks of processes jump by up to ten minutes for some seconds; the database's disk is full for some seconds${canFillDisk ? "" : " (not here: no disk may be mounted)"}; the fake Stripe was told to fail ${providerFaults} times; seed ${seed}`,
			],
			figures: [
				{
					label: "Orders that ended correctly",
					unit: "%",
					value: Math.max(0, 100 * (1 - affected.size / orders)),
					goal: 100,
					atLeast: true,
					details: [
						`${seconds.load.toFixed(0)} s of orders and faults, and ${seconds.quiet.toFixed(0)} s until all work was done`,
						...(waits.length > 0
							? [`${waits.length} customers saw their order go from paid to delivered: p50 ${p50} · p95 ${p95} · slowest ${slowest} s`]
							: []),
					],
					baseline: { value: 100, label: "nothing lost, nothing twice", maxRatio: Number.POSITIVE_INFINITY },
				},
			],
			tables: [
				faultsTable(injected),
				countsTable("What happened", {
					orders,
					paid,
					"orders whose customer met a failure and continued": hindered,
					"requests that customers repeated": repeated,
					"jobs that ran again": repeatedJobs,
					"e-mails given to the mail server": mails,
					"e-mails given to it again, with the same Message-ID": shop.mails.length - mails,
					"attempts to deliver events": deliveries.length,
					"of these, answered by a failure or not at all": deliveries.filter(({ status }) => status !== 200).length,
				}),
				countsTable(
					"Failures that must not happen",
					Object.fromEntries(Object.entries(failures).map(([label, cases]) => [label, cases.length])),
				),
			],
			broken: failed.flatMap(([label, cases]) => [`${label}: ${cases.length}`, ...cases.slice(0, 20).map((one) => `  ${one}`)]),
		};
	},
} satisfies Bench;

const countsTable = (title: string, counts: Record<string, number>): Table => ({
	title,
	columns: ["what", "count"],
	rows: Object.entries(counts).map(([label, count]) => [label, `${count}`]),
});

function faultsTable(injected: readonly InjectedFault[]): Table {
	const rows = [...Map.groupBy(injected, ({ kind }) => kind)].map(([kind, ofKind]) => {
		const recoveries = ofKind.flatMap(({ recoveredAfter }) => (recoveredAfter === null ? [] : [recoveredAfter / 1000]));
		const times = recoveries.length > 0 ? [0.5, 1].map((share) => `${formatFigure(percentile(recoveries, share))} s`) : ["–", "–"];
		return [kind, `${ofKind.length}`, ...times];
	});
	return { title: "Faults", columns: ["what", "times", "works again after, p50", "slowest"], rows };
}
