import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { inOneBrowser } from "../../../test/browser.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { knownCompanies } from "../../../test/known-companies.ts";
import { insertOrder } from "../../../test/orders.ts";
import { type BooksScene, booksScene } from "../../../test/payments.ts";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import { getRedirect, listLineFields } from "../../../test/purchases/send-purchase-form.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { forecast } from "../../catalogue/forecast.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { setPace } from "../../catalogue/settings/change-settings.server.ts";
import { notifyPublicPages, readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { readDesk } from "../../fulfilment/forecast/read-desk.server.ts";
import { listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { toSentLine } from "../form/form-line.ts";
import { readOrderValues } from "../form/read-order-values.ts";
import { describePayment } from "./describe-payment.server.ts";
import { openSession } from "./open-session.server.ts";

/** Hours that follow the desk: said before the payment, and kept afterwards. */

const ada = { id: null, name: "Ada" };
const minute = 60_000;
const repeat = (count: number, service: ServiceCode = "standard"): ServiceCode[] => Array(count).fill(service);

describe("the hours of a purchase", () => {
	let scene: BooksScene;
	beforeAll(async () => {
		scene = await booksScene(); // a Monday, 10 h in Paris
	});
	afterAll(() => scene?.close());
	beforeEach(async () => {
		await scene.deleteOrders();
		await scene.startAfresh();
		await deleteRows(scene.db, "shop_settings");
		// an extract takes twenty minutes, and a line of a list an hour
		await setPace(scene.shop, ada, 3);
	});

	/** An instant in November, in Paris. */
	const at = (time: string) => new Date(`2026-11-${time.replace(" ", "T")}:00+01:00`);
	const hours = async (id: string, column: "offered_at" | "promised_at" = "offered_at") =>
		(await listOrdersOfPurchase(scene.db, id)).map((order) => order[column]);
	const pay = async (placed: Awaited<ReturnType<BooksScene["place"]>>) => {
		scene.pay(placed.session);
		await scene.tell("checkout.session.completed", { id: placed.session.id, object: "checkout.session" });
	};
	const someone = () => ({ email: `${crypto.randomUUID()}@example.fr`, client: crypto.randomUUID() });
	/** Inserts an order that waits for its extract. */
	const wait = (time: string) =>
		insertOrder(scene.db, { created_at: scene.now(), status: "processing", paid_at: scene.now(), promised_at: at(time) });
	const place = (services: readonly ServiceCode[]) => scene.place({ services, ...someone() });
	const refuse = async (services: readonly ServiceCode[]) => {
		const outcome = await scene.checkOutSeveral(services, someone());
		return outcome.ok ? null : outcome;
	};

	test("are the catalogue's for its first lines, and later ones for the others, said before the payment and kept after it", async () => {
		const placed = await place(repeat(12));
		const said = await hours(placed.id);
		expect(said).toEqual([
			...Array(5).fill(at("23 14:00")),
			...["15:05", "15:25", "15:45", "16:05", "16:25", "16:45", "17:05"].map((time) => at(`23 ${time}`)),
		]);
		for (let i = 0; i < 3; i++) await pay(await place(["standard"]));
		scene.pass(20 * minute);
		await pay(placed);
		expect(await hours(placed.id, "promised_at")).toEqual([...Array(5).fill(at("23 14:20")), ...said.slice(5)]);
	});

	test("are the catalogue's at the payment without a pace", async () => {
		await setPace(scene.shop, ada, null);
		const placed = await place(repeat(12));
		expect(await hours(placed.id)).toEqual(Array(12).fill(null));
		await pay(placed);
		expect(await hours(placed.id, "promised_at")).toEqual(Array(12).fill(at("23 14:00")));
	});

	test("of another list come after it, also unpaid, and those of a single order do not", async () => {
		await place(repeat(12));
		const [single, list] = [await place(["express"]), await place(repeat(12))];
		expect(await hours(single.id)).toEqual([at("23 12:00")]);
		expect((await hours(list.id)).at(-1)).toEqual(at("25 09:00"));
	});

	test("are free again when their payment page has ended", async () => {
		await place(repeat(12));
		const before = await hours((await place(repeat(12))).id);
		await scene.deleteOrders();
		await place(repeat(12));
		scene.pass(46 * minute);
		const after = await hours((await place(repeat(12))).id);
		expect(before.at(-1)).toEqual(at("25 09:00"));
		expect(after.at(-1)).toEqual(new Date(at("23 17:05").getTime() + 46 * minute));
	});

	test.each([
		["one client", { client: "a client" }],
		["one mailbox", { email: "ada@example.fr" }],
	])("of single orders that %s does not pay count three times at most", async (_, who) => {
		for (let i = 0; i < 6; i++) await scene.place({ services: ["express"], ...someone(), ...who });
		for (let i = 0; i < 2; i++) await wait("23 12:00");
		// the sixth express order is ready five minutes too late
		expect(await refuse(["express"])).toMatchObject({ code: "full", retryAfter: 5 * 60 });
	});

	test("move when the payment is resumed, beside what is paid by then, without what it offered itself", async () => {
		const placed = await place(repeat(12));
		const before = await hours(placed.id);
		expect((await openSession(scene.shop, placed.id, "a client")).ok).toBe(true);
		expect(await hours(placed.id)).toEqual(before);
		await pay(await place(repeat(6)));
		expect((await openSession(scene.shop, placed.id, "a client")).ok).toBe(true);
		expect((await hours(placed.id)).at(-1)).toEqual(at("24 12:00"));
	});

	test("are all kept when many purchases come at once", async () => {
		await setPace(scene.shop, ada, 12);
		const sizes = [40, 1, 12, 1, 6, 3, 30, 1];
		const placed = await Promise.all(sizes.map((size) => place(repeat(size))));
		for (const one of placed) await pay(one);
		const desk = await readDesk(scene.db, { ...scene.shop, settings: await readSettings(scene.db), now: scene.now() });
		if (desk === null) throw new Error("the desk has a pace");
		expect(desk.load.reduce((sum, { singles, lists }) => sum + singles + lists, 0)).toBe(94);
		expect(forecast(desk, at("30 18:00")).lost).toBe(0);
	});

	test("of an express order are the catalogue's, or it is not sold until they are", async () => {
		for (let i = 0; i < 4; i++) await wait("23 12:00");
		expect(await refuse(["express"])).toBeNull();
		await scene.deleteOrders();
		for (let i = 0; i < 6; i++) await wait("23 12:00");
		expect(await refuse(["express"])).toMatchObject({ code: "full", retryAfter: 25 * 60 });
	});

	test.each<[string, ServiceCode[], string]>([
		[
			"a few express lines",
			repeat(5, "express"),
			"Nous ne pouvons pas servir autant d’extraits à l’heure promise. Retirez des lignes, ou réessayez plus tard.",
		],
		[
			"many express lines",
			repeat(12, "express"),
			"Pour 7 de vos 12 extraits, le KBIS Express n’irait pas plus vite que le KBIS Standard en ce moment. Choisissez le KBIS Standard pour ceux-ci, ou retirez des lignes.",
		],
		[
			"one express line of a list",
			repeat(6, "express"),
			"Pour 1 de vos 6 extraits, le KBIS Express n’irait pas plus vite que le KBIS Standard en ce moment. Choisissez le KBIS Standard pour celui-ci, ou retirez une ligne.",
		],
		[
			"more lines than five days have",
			repeat(200),
			"Nous ne pouvons pas promettre plus de 59 de ces extraits dans les cinq jours ouvrés qui viennent. Gardez-en 59, ou réessayez plus tard.",
		],
	])("that cannot be kept are not sold: %s", async (name, services, sentence) => {
		if (name === "a few express lines") await wait("23 12:00");
		expect(await refuse(services)).toEqual({ ok: false, code: "full", sentence });
	});

	test("that can be kept are sold, up to the last of five days", async () => {
		expect(await refuse(repeat(59))).toBeNull();
	});
});

describe("over HTTP", () => {
	let shop: TestShop;
	const monday = new Date("2026-11-23T09:00:00Z"); // 10 h in Paris
	beforeAll(async () => {
		shop = await createTestShop({ variables: { ISSUER: "manual", LOG_LEVEL: "silent" }, now: () => monday });
		await setPace(shop.shop, ada, 3);
		const paid = { created_at: monday, status: "processing", paid_at: monday } as const;
		for (let i = 0; i < 14; i++)
			await insertOrder(shop.shop.db, { ...paid, product_code: "standard", promised_at: new Date(monday.getTime() + 240 * minute) });
		await notifyPublicPages(shop.shop.db);
		await vi.waitFor(async () => expect((await shop.shop.readSales()).closed).toHaveProperty("express"), scaledTimeout(10_000));
	});
	afterAll(() => shop?.close());
	const read = async (path: string) =>
		(await (await shop.ask(path)).text())
			.replaceAll(/<[^>]*>/g, "")
			.replaceAll(/[\u00a0\u202f]/g, " ")
			.replaceAll("&#x27;", "'");

	test("every page says the same later hour, and that express is not sold", async () => {
		for (const path of ["/", "/entreprise/552032534", "/commande/552032534?service=standard", "/tarifs", "/services/kbis-standard"]) {
			const page = await read(path);
			expect(page, path).toContain("lundi 23 novembre avant 15 h 05");
			expect(page, path).toContain("Nous avons beaucoup de commandes : l’heure promise est plus tardive que d’habitude.");
			expect(page, path).toContain("Elle nous engage comme les autres.");
			expect(page, path).toContain("Le KBIS Express est complet. Il rouvre au plus tôt à 13 h 05, heure de Paris.");
		}
		expect((await shop.postJson("/api/create-payment", paymentRequest(), {})).status).toBe(429);
		const placed = await shop.placeOrder({ service: "standard" });
		await shop.payByCard(placed.payUrl);
		expect((await shop.untilOrderIs("processing", placed.id)).promised_at).toEqual(new Date("2026-11-23T14:05:00Z"));
	});

	test("a list says the hour of each line before it is paid, keeps it, and repeats it afterwards", async () => {
		await shop.shop.db.updateTable("orders").set({ status: "failed" }).execute();
		await notifyPublicPages(shop.shop.db);
		await vi.waitFor(async () => expect((await shop.shop.readSales()).closed).not.toHaveProperty("express"), scaledTimeout(10_000));
		const sirens = (await knownCompanies(shop.connection)).map(({ siren }) => siren).slice(0, 12);
		const browser = inOneBrowser(shop);
		const filledIn = {
			...{ email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", billTo: "other" },
			...{ address: "1 rue de la Paix", postalCode: "75002", city: "Paris", acceptTerms: "on" },
		};
		const toText = (html: string) =>
			html
				.replaceAll(/<[^>]*>/g, "")
				.replaceAll(/[\u00a0\u202f]/g, " ")
				.replaceAll("&#x27;", "'");

		// twelve express extracts are more than the desk can serve before standard ones
		const url = await getRedirect(await browser.postForm("/commande/plusieurs", { entreprises: sirens.join("\n") }));
		const fields = listLineFields(await (await browser.ask(url)).text());
		const refused = await browser.postForm(url, { ...fields, ...filledIn, service: "express" });
		expect(refused.status).toBe(409);
		expect(toText(await refused.text())).toContain("Pour 7 de vos 12 extraits, le KBIS Express n’irait pas plus vite");

		const payment = await getRedirect(await browser.postForm(url, { ...fields, ...filledIn, service: "standard" }));
		const page = await (await browser.ask(payment)).text();
		const said = "livrés lundi 23 novembre avant 14 h pour les premiers, lundi 23 novembre avant 17 h 05 pour le dernier";
		expect(toText(page)).toContain(said);
		expect(toText(page)).toContain("lundi 23 novembre avant 15 h 25");
		const hidden = (html: string) =>
			Object.fromEntries(
				["key", "amount", "until"].map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""]),
			);
		expect(hidden(page)).toMatchObject({ amount: String(12 * 3900), until: String(Date.parse("2026-11-23T16:05:00Z")) });

		// another list is ordered between the page and the button: nobody is sold an hour that was not seen
		const other = await placePurchase(shop, Array(6).fill({}), { email: "grace@example.fr" });
		const moved = await browser.postForm(payment, hidden(page));
		const again = await moved.text();
		expect(moved.status).toBe(409);
		expect(toText(again)).toContain("L’heure promise est devenue plus tardive pendant votre commande.");
		expect(toText(again)).toContain("Rien n’a été débité. Si le prix et l’heure affichés vous conviennent, confirmez de nouveau.");
		expect(toText(again)).toContain("mardi 24 novembre avant 13 h pour le dernier");
		await shop.shop.db.updateTable("orders").set({ status: "failed" }).where("purchase_id", "=", other.orders[0].id).execute();
		const session = await getRedirect(await browser.postForm(payment, hidden(again)));
		const resume = await shop.getResumePath(session);
		expect(toText(await (await browser.ask(resume)).text())).toContain(`12 extraits, ${said}`);

		await shop.payByCard(session);
		const [first] = await shop.shop.db
			.selectFrom("orders")
			.selectAll()
			.where("status", "!=", "failed")
			.where("purchase_line", "=", 12)
			.execute();
		if (first === undefined) throw new Error("nothing was ordered");
		const last = await shop.untilOrderIs("processing", first.id);
		expect([last.promised_at, last.offered_at]).toEqual(Array(2).fill(new Date("2026-11-23T16:05:00Z")));
		const [mail] = await shop.getMails(
			{ ...first, id: first.purchase_id, number: first.order_number, sessionId: "", payUrl: session },
			"confirmation",
		);
		expect(mail?.text.replaceAll("\u00a0", " ")).toContain(
			"12 extraits, livrés au plus tard lundi 23 novembre 2026 à 14 h pour les premiers, lundi 23 novembre 2026 à 17 h 05 pour le dernier, heure de Paris",
		);
	});

	test("the arrival of a letter follows its own line, behind the other services of its purchase", async () => {
		const values = readOrderValues(
			new URLSearchParams({
				email: "ada@example.fr",
				deliveryAddress: "1 quai de la Corse",
				deliveryPostalCode: "75004",
				deliveryCity: "Paris",
			}),
		);
		const lines = (["standard", "postal"] as const).map((service) => ({ ...toSentLine("552032534" as Siren), service }));
		const sales = await shop.shop.readSales();
		const describe = async (...days: number[]) => {
			const slots = days.map((day) => new Date(Date.UTC(2026, 10, day, 10)));
			const { customer } = await describePayment(
				{ ...shop.shop, readSales: async () => ({ ...sales, closed: {}, slots }) },
				{ values, lines },
				false,
			);
			return customer.rows.flatMap(([, { arrival }]) => arrival ?? []);
		};
		const [usual, late] = [await describe(23, 23), await describe(23, 30)];
		expect([usual.length, late.length]).toEqual([1, 1]);
		expect(late).not.toEqual(usual);
		expect(await describe(30, 30)).toEqual(late);
	});
});
