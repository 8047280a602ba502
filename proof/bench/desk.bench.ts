import type pg from "pg";
import { withClient } from "../../test/postgres.ts";
import { seededRandom } from "../../test/random.ts";
import type { Bench, Figure } from "./bench.ts";
import { startDeskShop } from "./desk/desk-shop.ts";
import { measureLiveDesks } from "./desk/live-desks.ts";
import { insertManyOrders } from "./desk/many-orders.ts";
import { giveValidSirens, measureSitting } from "./desk/sitting.ts";
import { loadHttp } from "./load.ts";
import { formatFigure, formatSpread, measureEach, percentile } from "./percentiles.ts";

export default {
	about: "The operators’ desk: queue, order, search, twenty desks at once, and 120 orders in one sitting",
	options: { orders: { type: "string" }, searched: { type: "string" } },
	maxMs: () => 1_800_000,
	async measure({ smoke, given, server: startServer, undo, progress }) {
		const orders = Number(given.orders ?? (smoke ? 300 : 50_000));
		const searched = Number(given.searched ?? (smoke ? 300 : 500_000));
		const open = Math.ceil(orders / 25);
		const server = await startServer();
		const fill = async (name: string, count: number, waiting: number): Promise<pg.ClientConfig> => {
			progress(`${count} orders`);
			const connection = await server.createFilled(name);
			await withClient(connection, (client) =>
				insertManyOrders(client, { orders: count, open: waiting, toPost: Math.ceil(waiting / 10), now: new Date() }),
			);
			return connection;
		};
		const times = smoke ? 20 : 300;

		const desk = await fill("desk", orders, open);
		const shop = await startDeskShop(undo, desk);
		progress("the pages");
		const cookies = await Promise.all(["Ada", "Grace", "Alan", "Edsger"].map((name) => shop.signIn(name)));
		const [cookie = ""] = cookies;
		const load = async (paths: readonly string[]) => {
			await loadHttp({ url: shop.url, paths, headers: { cookie } }, { amount: 10 });
			const before = await shop.usage();
			const { latencies } = await loadHttp({ url: shop.url, paths, headers: { cookie } }, { amount: times });
			return { latencies, cpu: ((await shop.usage()).cpu - before.cpu) / times };
		};
		const measurePage = async (label: string, paths: readonly string[]): Promise<Figure> => {
			const { latencies, cpu } = await load(paths);
			const simple = await load(["/bureau/mon-acces"]);
			return {
				label,
				unit: "ms",
				value: percentile(latencies, 0.95),
				goal: 100,
				details: [formatSpread(latencies, "ms"), `${formatFigure(cpu)} ms of CPU a page`],
				baseline: {
					value: percentile(simple.latencies, 0.95),
					label: "a page of the desk without orders, in the same minute",
					maxRatio: 20,
				},
			};
		};
		const lists = ["", "?liste=express", "?liste=a-poster", "?liste=en-attente"].map((query) => `/bureau/commandes${query}`);
		const numbers = await withClient(desk, async (client) => {
			const { rows } = await client.query("select order_number from orders order by md5(id::text) limit 200");
			return rows.map(({ order_number }) => `/bureau/commandes/${order_number}`);
		});
		const figures = [
			await measurePage(`Queue beside ${orders} orders, ${open} of them open, p95`, lists),
			await measurePage(`Order page beside ${orders} orders, p95`, numbers),
		];
		progress("twenty live desks");
		const live = await measureLiveDesks(shop, desk, {
			cookies: Array.from({ length: 20 }, (_, index) => cookies[index % cookies.length] ?? ""),
			ms: smoke ? 3000 : 30_000,
			changesPerSecond: 5,
		});
		await shop.stop();

		const sitting = smoke ? 3 : 120;
		const morning = await fill("morning", sitting * 2, sitting + 20);
		const sirens = await giveValidSirens(morning);
		const counter = await startDeskShop(undo, morning);
		progress(`${sitting} orders in one sitting`);
		const served = await measureSitting(undo, counter, morning, {
			cookie: await counter.signIn("Ada"),
			orders: sitting,
			inTerminal: smoke ? 1 : 10,
			sirens,
		});
		await counter.stop();

		const many = await fill("searched", searched, open);
		const searchedShop = await startDeskShop(undo, many);
		progress("the search");
		const searcher = await searchedShop.signIn("Ada");
		const queries = await listQueries(many, times);
		const search = async (q: string) => {
			const body = new URLSearchParams({ q });
			const answer = await fetch(`${searchedShop.url}/bureau/recherche`, {
				method: "POST",
				body,
				headers: { cookie: searcher },
				redirect: "manual",
			});
			await answer.arrayBuffer();
			if (answer.status !== 200 && answer.status !== 302) throw new Error(`the search answers ${answer.status}`);
		};
		for (const query of queries.slice(0, 20)) await search(query);
		const latencies = await measureEach(queries, search);
		await searchedShop.stop();
		return {
			options: `--orders ${orders} --searched ${searched}`,
			setting: [
				server.setting,
				"each page and search is one HTTP request of a signed-in operator, one after the other",
				"searches: numbers, SIRENs, telephones, addresses, invoices, payments, tracking numbers, names, frequent and rare words",
			],
			figures: [
				...figures,
				{
					label: `Search among ${searched} orders, p95`,
					unit: "ms",
					value: percentile(latencies, 0.95),
					goal: 300,
					details: [formatSpread(latencies, "ms")],
				},
				...live.figures,
				...served.figures,
			],
			broken: [...live.broken, ...served.broken],
		};
	},
} satisfies Bench;

/** What operators type: numbers and words of orders drawn at random, and words that many or no orders have. */
async function listQueries(connection: pg.ClientConfig, amount: number): Promise<string[]> {
	const orders = await withClient(connection, async (client) => {
		const { rows } = await client.query(`
			select orders.*, invoices.number as invoice, payments.id as payment from orders
			join invoices on invoices.order_id = orders.id join payments on payments.order_id = orders.id
			order by md5(orders.id::text) limit 200`);
		return rows;
	});
	const random = seededRandom(7);
	return Array.from({ length: amount }, (_, index) => {
		const order = random.pick(orders);
		const typed = [
			...[order.order_number, order.siren, order.phone, order.customer_email, order.invoice, order.payment, order.tracking_number],
			...[
				`${order.first_name} ${order.last_name}`,
				order.last_name,
				order.company_name,
				"martin",
				"sarl boulangerie",
				"durand petit",
				"zzzz",
			],
			order.customer_email.slice(0, 8),
		];
		return typed[index % typed.length] ?? order.order_number;
	});
}
