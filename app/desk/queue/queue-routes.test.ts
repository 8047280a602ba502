import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, insertPayment, type OrderValues, waitForLock } from "../../../test/orders.ts";
import { plain } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { formatShortInstant } from "../../catalogue/instants.ts";
import { listDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";

let shop: TestShop;
let ada: TestOperator;
let grace: TestOperator;
let accountant: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", ["serve"]);
	grace = await createOperator(shop, "Grace", ["serve"]);
	accountant = await createOperator(shop, "Luca", ["accounts"]);
});
afterAll(() => shop?.close());
beforeEach(async () => {
	await shop.shop.db.deleteFrom("order_claims").execute();
	await shop.shop.db.updateTable("orders").set({ status: "failed" }).execute();
});

/** Inserts an order whose extract is awaited; no job knows of it. */
async function waiting(minutes: number, values: OrderValues = {}) {
	const now = shop.shop.now();
	const order = await insertOrder(shop.shop.db, {
		...{ status: "processing", created_at: now, paid_at: now, promised_at: new Date(now.getTime() + minutes * 60_000) },
		...values,
	});
	await insertPayment(shop.shop.db, order, { created_at: now });
	return order;
}

const act = (who: TestOperator, name: string, fields: Record<string, string> = {}, order?: string) =>
	who.post(`/bureau/commandes${order ? `/${order}` : ""}`, { act: name, key: crypto.randomUUID(), ...fields });
const drop = async (id: string, number: string) => {
	const body = new FormData();
	body.append("file", new File([generatePdf({ lines: [...extractLines(), crypto.randomUUID()] }) as Uint8Array<ArrayBuffer>], "a.pdf"));
	await ada.ask(`/bureau/commandes/${number}/extrait`, { method: "POST", body });
	expect(await listDrafts(shop.shop.db, id)).toHaveLength(1);
};
/** Gives an order its extract, without the jobs that follow. */
const recordUpload = ({ shop: { db, now } }: TestShop, orderId: string) =>
	db.insertInto("extract_requests").values({ order_id: orderId, requested_at: now(), uploaded_at: now() }).execute();
const trail = async (verb: string) =>
	shop.shop.db
		.selectFrom("desk_log")
		.select(["verb", "subject", "who", "outcome", "change"])
		.where("verb", "=", verb)
		.orderBy("id", "desc")
		.execute();

describe("the page of the queue", () => {
	test("lists companies with the time left, without a customer's name or address", async () => {
		const order = await waiting(25, { company_name: "GARAGE DES LILAS", last_name: "Secretname", customer_email: "secret@exemple.fr" });
		await waiting(-5, { company_name: "EN RETARD SARL" });
		const html = await (await ada.ask("/bureau/commandes")).text();
		expect(html).toContain(order.order_number);
		expect(html).toContain("GARAGE DES LILAS");
		expect(html).toMatch(/2[45]\smin/);
		expect(html).toContain("retard 5\u00a0min");
		expect(html).not.toMatch(/Secretname|secret@/);
	});

	// R204
	test("says of which orders the registry was asked, and when, while their extract is awaited", async () => {
		const asked = await waiting(25, { product_code: "postal" });
		await waiting(30, { company_name: "PAS ENCORE" });
		const read = async (list = "") => {
			const rows = plain(await (await grace.ask(`/bureau/commandes${list}`)).text())
				.split("<li")
				.slice(1);
			return rows.filter((row) => row.includes("data-row")).map((row) => /Demandé au greffe : [^<]+/.exec(row)?.[0] ?? null);
		};
		expect(await read()).toEqual([null, null]);
		await act(ada, "record-request", { order: asked.id }, asked.order_number);
		const { extract_requested_at } = await shop.orderRow(asked.id);
		const sentence = plain(`Demandé au greffe : ${formatShortInstant(extract_requested_at ?? new Date(0))}`).trim();
		expect([await read(), await read("?liste=courrier")]).toEqual([[sentence, null], [sentence]]);
		await recordUpload(shop, asked.id);
		expect([await read(), await read("?liste=a-poster")]).toEqual([[null], [null]]);
	});

	test("is for those who serve", async () => {
		expect((await accountant.ask("/bureau/commandes")).status).toBe(403);
		expect((await act(accountant, "claim-next")).status).toBe(403);
	});

	test.each([
		...["?liste=express", "?liste=a-poster", "?liste=en-attente", "?liste=nonsense", "?apres=x~y~z"],
		"?apres=2026-99-99 00:00:00+00~true~00000000-0000-0000-0000-000000000000",
	])("answers %s", async (query) => {
		expect((await ada.ask(`/bureau/commandes${query}`)).status).toBe(200);
	});

	test("has a tab for each list, with its number, and counters of what is promised by each hour of today", async () => {
		const orders = {
			express: await waiting(20),
			standard: await waiting(40, { product_code: "standard" }),
			courrier: await waiting(45, { product_code: "postal" }),
			"a-poster": await waiting(50, { product_code: "postal" }),
			"en-attente": await waiting(55, { disputed_at: shop.shop.now() }),
		};
		await recordUpload(shop, orders["a-poster"].id);
		const shown = async (list: string) => {
			const html = await (await ada.ask(`/bureau/commandes?liste=${list}`)).text();
			return Object.entries(orders).flatMap(([name, order]) => (html.includes(`>${order.order_number}<`) ? [name] : []));
		};
		expect(await shown("a-servir")).toEqual(["express", "standard", "courrier"]);
		for (const list of Object.keys(orders)) expect(await shown(list), list).toEqual([list]);
		const html = (await (await ada.ask("/bureau/commandes")).text()).replaceAll("<!-- -->", "");
		const tabs = [...html.matchAll(/>([^<>]+)<span class="figures text-soft">(\d+)<\/span><\/a>/g)].map(
			([, label, count]) => `${label} ${count}`,
		);
		expect(tabs).toEqual(["À servir 3", "Express 1", "Standard 1", "Courrier 1", "À poster 1", "En attente d’une personne 1"]);
		const counters = [...html.matchAll(/<dt[^>]*>([^<]+)<\/dt><dd[^>]*>(\d+)</g)].map(([, label, count]) => `${count} ${label}`);
		expect(counters.slice(0, 2)).toEqual(["3 à servir", "0 en retard"]);
		// the hours that are still to come; « tonight » always is
		expect(
			counters.slice(2).every((counter) => /^([01] promise|[2-9] promises) (avant 10\u00a0h|avant midi|d’ici ce soir)$/.test(counter)),
		).toBe(true);
		expect(counters.at(-1)).toContain("d’ici ce soir");
	});

	test("says how pressing each order is in words", async () => {
		for (const minutes of [-5, 20, 50, 90]) await waiting(minutes);
		const html = plain(await (await ada.ask("/bureau/commandes")).text());
		for (const words of [/retard 5 min/, /plus que (20|19) min/, /encore (50|49) min/, /dans 1 h (30|29)/]) expect(html).toMatch(words);
	});

	test("pages by a link that goes on where it stopped", async () => {
		const orders = await Promise.all(Array.from({ length: 53 }, (_, index) => waiting(index + 1)));
		const first = await (await ada.ask("/bureau/commandes")).text();
		const next = /href="(\/bureau\/commandes\?apres=[^"]+)"/.exec(first)?.[1] ?? "";
		const second = await (await ada.ask(next)).text();
		expect(orders.map(({ order_number }) => second.includes(order_number))).toEqual([...Array(50).fill(false), true, true, true]);
	});
});

describe("« Prendre la suivante »", () => {
	test("leads to the order, which the others see as taken", async () => {
		const order = await waiting(10);
		const answer = await act(ada, "claim-next");
		expect(answer.headers.get("location")).toBe(`/bureau/commandes/${order.order_number}`);
		expect(await (await grace.ask("/bureau/commandes")).text()).toContain("Prendre à sa place");
		const refused = await (await act(grace, "claim", { order: order.id })).text();
		expect(refused).toContain("Ada s’occupe de cette commande");
		expect((await trail("claim-next"))[0]).toMatchObject({
			...{ who: "Ada", outcome: "done" },
			change: { after: { order: order.order_number } },
		});
	});

	test("clicked by two at once gives each another order; sent twice with one key it claims one", async () => {
		const orders = await Promise.all([waiting(10), waiting(20), waiting(30)]);
		const answers = await Promise.all([act(ada, "claim-next"), act(grace, "claim-next")]);
		const first = orders.slice(0, 2).map(({ order_number }) => `/bureau/commandes/${order_number}`);
		expect(new Set(answers.map((answer) => answer.headers.get("location")))).toEqual(new Set(first));
		const form = { act: "claim-next", key: crypto.randomUUID() };
		for (let i = 0; i < 2; i++) await ada.post("/bureau/commandes", form);
		// Ada left the first one for the third one
		expect(await shop.shop.db.selectFrom("order_claims").selectAll().execute()).toHaveLength(2);
	});

	const holders = async () => {
		const query = shop.shop.db.selectFrom("order_claims").innerJoin("orders", "orders.id", "order_claims.order_id");
		const rows = await query.select(["order_number", "operator_name"]).orderBy("claimed_at").execute();
		return rows.map(({ order_number, operator_name }) => `${operator_name} ${order_number}`);
	};

	test("frees the order that it gave before, when nothing was dropped or asked for; the others see it", async () => {
		const [first, second] = [await waiting(10), await waiting(20)];
		await act(ada, "claim-next");
		expect((await act(ada, "claim-next")).headers.get("location")).toContain(second.order_number);
		expect(await holders()).toEqual([`Ada ${second.order_number}`]);
		expect((await trail("claim-next"))[0]?.change).toEqual({
			after: { order: second.order_number, released: first.order_number },
		});
		expect((await act(grace, "claim-next")).headers.get("location")).toContain(first.order_number);
	});

	test.each<[string, (order: { id: string; order_number: string }) => Promise<unknown>]>([
		["a file was dropped for", ({ id, order_number: number }) => drop(id, number)],
		["a note was written on", ({ id, order_number }) => act(ada, "note", { order: id, text: "Rappeler" }, order_number)],
		["an act waits on", ({ id, order_number }) => act(ada, "not-found", { order: id, because: "removed" }, order_number)],
		["its own button took", ({ id }) => act(ada, "claim", { order: id })],
	])("keeps an order that %s", async (_, touch) => {
		const [first, second] = [await waiting(10), await waiting(20)];
		await act(ada, "claim-next");
		await touch(first);
		await act(ada, "claim-next");
		expect(await holders()).toEqual([`Ada ${first.order_number}`, `Ada ${second.order_number}`]);
	});

	test("frees the order of its page only: one that is open in another tab stays", async () => {
		const [first, second, third] = [await waiting(10), await waiting(20), await waiting(30)];
		await act(ada, "claim-next");
		await act(ada, "claim", { order: second.id });
		await act(ada, "claim-next", { from: second.id });
		expect(await holders()).toEqual([first, second, third].map(({ order_number }) => `Ada ${order_number}`));
		expect((await act(ada, "claim-next", { from: third.id })).status).toBe(200);
		const fourth = await waiting(40);
		expect((await act(ada, "claim-next", { from: third.id })).headers.get("location")).toContain(fourth.order_number);
		expect(await holders()).toEqual([first, second, fourth].map(({ order_number }) => `Ada ${order_number}`));
	});

	test("names only what it freed: an order whose time was extended meanwhile stays", async () => {
		const [first, second, third] = [await waiting(10), await waiting(20), await waiting(30)];
		await act(ada, "claim-next");
		await act(ada, "claim-next", { from: second.id });
		let moved: Promise<unknown> = Promise.resolve();
		await shop.shop.db.transaction().execute(async (trx) => {
			const expires_at = new Date(shop.shop.now().getTime() + 3_600_000);
			await trx.updateTable("order_claims").set({ expires_at }).where("order_id", "=", first.id).execute();
			moved = act(ada, "claim-next");
			await waitForLock(shop.shop.db, moved);
		});
		await moved;
		expect(await holders()).toEqual([first, third].map(({ order_number }) => `Ada ${order_number}`));
		expect((await trail("claim-next"))[0]?.change).toEqual({
			after: { order: third.order_number, released: second.order_number },
		});
	});

	test("frees an order whose file was discarded again", async () => {
		const [first, second] = [await waiting(10), await waiting(20)];
		await act(ada, "claim-next");
		await drop(first.id, first.order_number);
		const { id } = await shop.shop.db.selectFrom("extract_drafts").select("id").where("order_id", "=", first.id).executeTakeFirstOrThrow();
		await act(ada, "discard-draft", { order: first.id, draft: id }, first.order_number);
		await act(ada, "claim-next");
		expect(await holders()).toEqual([`Ada ${second.order_number}`]);
	});

	test("keeps the order when there is no other, and says so", async () => {
		const order = await waiting(10);
		await act(ada, "claim-next");
		expect(await (await act(ada, "claim-next")).text()).toContain(`La commande ${order.order_number} est encore à vous.`);
		expect(await holders()).toEqual([`Ada ${order.order_number}`]);
	});

	test("says when nothing is left, and takes from the list that is shown", async () => {
		await waiting(10);
		expect(await (await act(ada, "claim-next", { list: "courrier" })).text()).toContain("Aucune commande de cette liste");
	});

	test("refuses a form without its key at its button, and does nothing", async () => {
		const order = await waiting(10);
		for (const fields of [{ key: "" }, { key: "x" }]) {
			const html = plain(await (await act(ada, "claim", { order: order.id, ...fields })).text());
			expect(html).toContain("Ce formulaire n’est plus valable : rechargez la page.");
		}
		expect(await holders()).toEqual([]);
		const page = await ada.post("/bureau/recherche", {});
		expect(await page.text()).toContain("au moins deux caractères");
	});

	test("releases and takes over with a line in the trail", async () => {
		const order = await waiting(10);
		await act(ada, "claim", { order: order.id });
		expect(await (await act(grace, "take-over", { order: order.id })).text()).toContain("Ada ne l’a plus");
		expect((await trail("take-over"))[0]).toMatchObject({
			...{ who: "Grace", subject: order.order_number, outcome: "done" },
			change: { before: { holder: "Ada" }, after: { holder: "Grace" } },
		});
		await act(grace, "release", { order: order.id });
		expect((await act(ada, "claim-next")).headers.get("location")).toContain(order.order_number);
	});
});

describe("the search", () => {
	const search = (who: TestOperator, q: string) => who.post("/bureau/recherche", { q });

	test("answers without putting what was typed into a URL or into the trail", async () => {
		const order = await waiting(10, { last_name: "Quenouille", company_name: "FILATURE" });
		const answer = await search(ada, "quenouille");
		expect(answer.status).toBe(200);
		const html = await answer.text();
		expect(html).toContain(order.order_number);
		expect(html).toContain("FILATURE");
		const [line] = await trail("search");
		expect(line).toMatchObject({ who: "Ada", subject: null, outcome: "done", change: { after: { found: 1 } } });
		expect(JSON.stringify(await shop.shop.db.selectFrom("desk_log").selectAll().execute())).not.toMatch(/quenouille/i);
	});

	test("leads straight to the order that a number names", async () => {
		const order = await waiting(10);
		const answer = await search(ada, order.order_number.toLowerCase());
		expect(answer.headers.get("location")).toBe(`/bureau/commandes/${order.order_number}`);
	});

	test("leads each role to a page that it may open, or to none", async () => {
		const order = await waiting(10, { last_name: "Bobinette" });
		const money = `/bureau/argent/${order.order_number}`;
		const refunder = await createOperator(shop, "Rose", ["refund"]);
		expect((await search(refunder, order.order_number)).headers.get("location")).toBe(money);
		expect(await (await search(refunder, "bobinette")).text()).toContain(`href="${money}"`);
		expect((await refunder.ask(money)).status).toBe(200);
		const guardian = await createOperator(shop, "Paul", ["privacy"]);
		for (const typed of [order.order_number, "bobinette"]) {
			const answer = await search(guardian, typed);
			expect(answer.status).toBe(200);
			const html = await answer.text();
			expect(html).toContain("Bobinette");
			expect(html).not.toMatch(/href="\/bureau\/(commandes|argent)/);
		}
	});

	test("shows what was typed again, cut after two hundred characters", async () => {
		const html = await (await search(ada, "q".repeat(201))).text();
		expect(html).toContain(`value="${"q".repeat(200)}"`);
	});

	test("says what to do with too little, and is closed to other roles", async () => {
		expect(await (await search(ada, "a")).text()).toContain("au moins deux caractères");
		expect((await search(accountant, "quenouille")).status).toBe(403);
	});
});
