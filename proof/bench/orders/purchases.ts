import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { FakeStripe } from "../../../test/fakes/stripe/stripe.ts";
import type { Client } from "../../../test/http-client.ts";
import type { KnownCompany } from "../../../test/known-companies.ts";
import { withClient } from "../../../test/postgres.ts";
import type { ShopProcess } from "../../../test/shop-process.ts";
import type { Table } from "../bench.ts";
import { formatFigure, percentile } from "../percentiles.ts";
import { payAndNotify } from "./customers.ts";

interface Subjects {
	/** The URL by which browsers know the shop. */
	origin: string;
	stripe: FakeStripe;
	web: Client;
	companies: readonly KnownCompany[];
	connection: pg.ClientConfig;
	processes: readonly ShopProcess[];
	/** Places and pays one order by the API. */
	orderOne: () => Promise<unknown>;
	untilDelivered: () => Promise<void>;
}

interface Costs {
	/** Milliseconds from the first request until the shop has answered the webhooks of all payments. */
	paid: number;
	rows: number;
	/** Bytes of write-ahead log. */
	written: number;
	mails: number;
	/** Milliseconds of CPU of the web processes, and of the jobs process, without what they use while idle. */
	web: number;
	jobs: number;
}

/** Compares purchases of `size` orders with as many orders that are bought one by one. `times`: how often each is done. */
export async function comparePurchases(subjects: Subjects, { size, times }: { size: number; times: number }): Promise<Table> {
	const buySeveral = createBuyer(subjects, size);
	await buySeveral(); // until everything is loaded and compiled
	await untilIdle(subjects);
	const idle = await measureIdle(subjects.processes);
	const several = await measureCosts(subjects, { idle, times, buy: buySeveral });
	const single = await measureCosts(subjects, {
		...{ idle, times },
		async buy() {
			for (let count = 0; count < size; count++) await subjects.orderOne();
		},
	});
	const row = (label: string, read: (costs: Costs) => number, unit = ""): string[] => [
		label,
		`${formatFigure(read(several))}${unit}`,
		`${formatFigure(read(single))}${unit}`,
		`×${formatFigure(read(several) / read(single))}`,
	];
	return {
		title: `A purchase of ${size} orders, and ${size} purchases of one (${times === 1 ? "once" : `${times} times; time to paid: the median`})`,
		columns: ["what", `a purchase of ${size}`, `${size} purchases of one, one after the other`, "ratio"],
		rows: [
			row("from the first request to paid", ({ paid }) => paid, " ms"),
			row("rows, until all is delivered", ({ rows }) => rows),
			row("write-ahead log", ({ written }) => written / 2 ** 20, " MB"),
			row("e-mails", ({ mails }) => mails),
			row("CPU of the web processes per order", ({ web }) => web / size, " ms"),
			row("CPU of the jobs process per order", ({ jobs }) => jobs / size, " ms"),
		],
	};
}

/** Buys as a browser without scripts does: the list, its form, the payment page, the payment. */
function createBuyer({ origin, stripe, web, companies }: Subjects, size: number) {
	const sirens = Array.from({ length: size }, (_, line) => (companies[line % companies.length] as KnownCompany).siren);
	let number = 0;
	const post = async (path: string, fields: Record<string, string>): Promise<string> => {
		const headers = { "content-type": "application/x-www-form-urlencoded", origin };
		const { status, location, body } = await web.ask(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
		if (status !== 303 || location === undefined) throw new Error(`${path.split("?")[0]} answered ${status}: ${body}`);
		return location;
	};
	const read = async (path: string) => (await web.ask(path)).body.toString();
	return async () => {
		const customer = {
			...{ email: `group-${number++}@bench.example`, firstName: "Camille", lastName: "Martin" },
			...{ billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
		};
		const form = await post("/commande/plusieurs", { entreprises: sirens.join("\n") });
		const lines = Object.fromEntries(
			Array.from((await read(form)).matchAll(/<input[^>]*name="(entreprise-\d+|vues)"[^>]*>/g), ([input, name]) => [
				name ?? "",
				/value="([^"]*)"/.exec(input)?.[1] ?? "",
			]),
		);
		const payment = await post(form, { ...customer, ...lines, lignes: "1", service: "express", acceptTerms: "on" });
		const page = await read(payment);
		const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
		const session = await post(payment, { key: hidden("key"), amount: hidden("amount") });
		await payAndNotify(stripe, session.split("/").at(-1) ?? "", web);
	};
}

/** Waits until all orders are delivered and no job is due: invoices, e-mails and copies come after the delivery. */
async function untilIdle({ connection, untilDelivered }: Subjects): Promise<void> {
	await untilDelivered();
	await withClient(connection, async (client) => {
		const due = "select count(*)::integer as due from jobs.job where state in ('created', 'retry', 'active') and start_after <= now()";
		for (let calm = 0; calm < 5; await wait(200)) calm = (await client.query(due)).rows[0].due === 0 ? calm + 1 : 0;
	});
}

async function measureCosts(
	subjects: Subjects,
	{ idle, times, buy }: { idle: Cpu; times: number; buy: () => Promise<void> },
): Promise<Costs> {
	const { connection, processes } = subjects;
	const before = { ...(await measureRows(connection)), ...(await measureCpu(processes)) };
	const started = performance.now();
	const paid: number[] = [];
	for (let time = 0; time < times; time++) {
		const asked = performance.now();
		await buy();
		paid.push(performance.now() - asked);
	}
	await untilIdle(subjects);
	const seconds = (performance.now() - started) / 1000;
	const after = { ...(await measureRows(connection)), ...(await measureCpu(processes)) };
	return {
		paid: percentile(paid, 0.5),
		rows: (after.rows - before.rows) / times,
		written: (after.written - before.written) / times,
		mails: (after.mails - before.mails) / times,
		web: (after.web - before.web - idle.web * seconds) / times,
		jobs: (after.jobs - before.jobs - idle.jobs * seconds) / times,
	};
}

/** The rows that stay: jobs are deleted once they are done. */
const measureRows = (connection: pg.ClientConfig) =>
	withClient(connection, async (client) => {
		const tables = await client.query("select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'");
		const counts = tables.rows.map(({ name }) => `select count(*) as n from ${name}`).join(" union all ");
		const { rows } = await client.query(`select (select sum(n) from (${counts}) counts)::float8 as rows,
			(select count(*) from mails)::float8 as mails, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as written`);
		return rows[0] as { rows: number; mails: number; written: number };
	});

interface Cpu {
	web: number;
	jobs: number;
}

async function measureCpu(processes: readonly ShopProcess[]): Promise<Cpu> {
	const cpu = { web: 0, jobs: 0 };
	for (const process of processes) cpu[process.role] += (await process.usage()).cpu;
	return cpu;
}

/** Milliseconds of CPU per second that the processes use without orders. */
async function measureIdle(processes: readonly ShopProcess[]): Promise<Cpu> {
	const seconds = 5;
	const before = await measureCpu(processes);
	await wait(1000 * seconds);
	const after = await measureCpu(processes);
	return { web: (after.web - before.web) / seconds, jobs: (after.jobs - before.jobs) / seconds };
}
