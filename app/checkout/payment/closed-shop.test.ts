import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { advisoryLocks } from "../../../server/database/advisory-locks.ts";
import { changesChannel, publicPagesSubject } from "../../../server/database/changes.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { waitForLock } from "../../../test/orders.ts";
import { type BooksScene, booksScene } from "../../../test/payments.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import {
	addDaysOff,
	closeShop,
	pauseExpress,
	reopenShop,
	resumeExpress,
	setCapacity,
} from "../../catalogue/settings/change-settings.server.ts";
import { notifyPublicPages } from "../../catalogue/settings/shop-settings.store.server.ts";
import { sweepPayments } from "../../payments/sweep-payments.server.ts";
import { refreshOffers } from "./check-sales.server.ts";
import { openSession } from "./open-session.server.ts";
import { resumePayment } from "./resume-payment.server.ts";
import { listPlaces } from "./sales-places.store.server.ts";

/** A closed shop, a paused service and a limit that is reached, over HTTP and in the database. */

const ada = { id: null, name: "Ada" };
const monday = new Date("2026-11-23T09:00:00Z"); // 10 h in Paris
const plain = (text: string) =>
	text
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("<!-- -->", "");

describe("over HTTP", () => {
	let shop: TestShop;
	beforeAll(async () => {
		shop = await createTestShop({ variables: { ISSUER: "manual", LOG_LEVEL: "silent" }, now: () => monday });
	});
	afterAll(() => shop?.close());
	afterEach(async () => {
		await deleteRows(shop.shop.db, "shop_settings");
		await notifyPublicPages(shop.shop.db);
		await until(async () => expect((await shop.shop.readSales()).notices).toEqual([]));
	});

	const read = async (path: string) => plain(await (await shop.ask(path)).text());
	const at14 = new Date("2026-11-23T13:00:00Z");
	const close = () => closeShop(shop.shop, ada, { until: at14, sentence: "Le registre est en panne." });
	const suspended = "Les commandes sont suspendues jusqu’à 14 h, heure de Paris.";
	const filledIn = {
		...{ siren: "552032534", service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", billTo: "other" },
		...{ address: "1 rue de la Paix", postalCode: "75002", city: "Paris", acceptTerms: "on" },
	};
	const create = (choice?: Parameters<typeof paymentRequest>[0], key?: string) =>
		shop.postJson("/api/create-payment", paymentRequest(choice), key ? { "idempotency-key": key } : {});
	const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: scaledTimeout(10_000), interval: 20 });

	const promisingPages = [
		"/",
		"/recherche",
		"/entreprise/552032534",
		"/commande",
		"/services/kbis-express",
		"/tarifs",
		"/faq",
		"/cgv",
		"/status-systeme",
		"/ai-je-besoin-d-un-kbis",
	];

	test("every page that promises says at once that the shop is closed, and says so no longer once it is open", async () => {
		for (const path of promisingPages) expect(await read(path), path).not.toContain("suspendues"); // the cached pages are made
		await close();
		for (const path of promisingPages) await until(async () => expect(await read(path), path).toContain(suspended));
		expect(await read("/")).toContain("Le registre est en panne. Les commandes déjà payées restent valables, avec leur heure promise.");
		expect(await read("/")).not.toContain("Commandé maintenant");
		expect(await read("/")).toContain("https://schema.org/OutOfStock");
		await reopenShop(shop.shop, ada);
		for (const path of promisingPages) await until(async () => expect(await read(path), path).not.toContain("suspendues"));
		expect(await read("/")).toContain("Commandé maintenant");
	});

	const payment = `/paiement?${new URLSearchParams(filledIn)}`;

	test("a payment offers another service only while one can be ordered", async () => {
		await pauseExpress(shop.shop, ada, null);
		await until(async () => expect(await read(payment)).toContain("Vous pouvez choisir un autre service, ou revenir plus tard."));
		expect(await read(payment)).toMatch(/<a href="\/commande\?[^"]*"[^>]*>Choisir un autre service<\/a>/);
		const refuse = async () => plain(await (await shop.postForm(payment, { amount: "5900", key: crypto.randomUUID() })).text());
		expect(await refuse()).toContain("Vous pouvez choisir un autre service");
		await close();
		await until(async () => expect(await read(payment)).toContain("votre saisie est conservée. Revenez plus tard."));
		for (const page of [await read(payment), await refuse()]) expect(page).not.toMatch(/autre service/);
		await reopenShop(shop.shop, ada);
		await resumeExpress(shop.shop, ada);
		await until(async () => expect(await read(payment)).toContain("Finaliser ma commande"));
	});

	test("the home page announces the fastest service that is sold, and the status page what is closed", async () => {
		const home = async () => (await read("/")).replace(/<[^>]*>/g, " ");
		const status = () => read("/status-systeme");
		expect(await home()).toContain("Livraison en 2 heures ouvrées");
		expect(await status()).toContain("Tout fonctionne.");
		await pauseExpress(shop.shop, ada, null);
		await until(async () => expect(await home()).toContain("Livraison en 4 heures ouvrées"));
		expect(await home()).not.toMatch(/Livraison en 2 heures|Avec le KBIS Express/);
		expect(await status()).toContain("Le site fonctionne, mais un service au moins ne peut pas être commandé en ce moment.");
		await close();
		await until(async () => expect(await home()).toContain("Heure limite annoncée avant de payer"));
		expect(await home()).not.toMatch(/Livraison en \d heures/);
		expect(await status()).toContain("Le site fonctionne, mais les commandes sont suspendues.");
		expect(await status()).not.toContain("Tout fonctionne.");
	});

	test("pages about an order do not show it", async () => {
		await close();
		await until(async () => expect(await read("/")).toContain(suspended));
		for (const path of ["/suivi-commande", "/retractation", "/contact"]) expect(await read(path), path).not.toContain("suspendues");
	});

	test("days off are announced, and move the hours of pages", async () => {
		await addDaysOff(shop.shop, ada, { from: "2026-11-23", to: "2026-11-24" });
		await until(async () => expect(await read("/tarifs")).toContain("Nous sommes fermés du lundi 23 au mardi 24 novembre."));
		expect(await read("/tarifs")).toContain("livré mercredi 25 novembre avant 10 h");
	});

	test("the API refuses an order with a sentence, from the commit on, and none is placed", async () => {
		const before = await shop.countOrders();
		await close();
		const answer = await create();
		expect([answer.status, answer.headers.get("retry-after")]).toEqual([409, String(4 * 3600)]);
		expect(plain(((await answer.json()) as { error: string }).error)).toBe(`${suspended} Le registre est en panne.`);
		expect(await shop.countOrders()).toBe(before);
	});

	test("a paused express service is refused; the others are sold", async () => {
		await pauseExpress(shop.shop, ada, null);
		const refused = await create();
		expect([refused.status, refused.headers.get("retry-after")]).toEqual([409, null]);
		expect(await refused.json()).toEqual({ error: "Le KBIS Express n’est pas proposé pour le moment." });
		expect((await create({ service: "standard" })).status).toBe(200);
		await until(async () => expect(await read("/")).toContain("Par e-mail, avec le KBIS Standard"));
		expect(await read("/services/kbis-express")).toContain("Voir les autres services");
		const company = await read("/entreprise/552032534?service=express");
		expect(company).toMatch(/id="service-express"[^>]*disabled/);
		expect(company).not.toMatch(/id="service-standard"[^>]*disabled/);
		const sent = await shop.ask("/entreprise/552032534?choisir=1&service=express");
		expect(sent.headers.get("location")).toBe("/entreprise/552032534?choisir=service#service");
	});

	test("a form for a paused service is told so, keeps what was typed, and may choose another", async () => {
		await pauseExpress(shop.shop, ada, null);
		await until(async () => expect(await read("/")).toContain("n’est pas proposé"));
		const opened = await read("/commande/552032534?service=express");
		expect(opened).toContain("Le KBIS Express n’est pas proposé pour le moment.");
		expect(opened).toContain("Nous vous proposons le KBIS Standard à la place du KBIS Express.");
		const answer = await shop.postForm("/commande/552032534?service=express", filledIn);
		const page = plain(await answer.text());
		expect(answer.status).toBe(400);
		expect(page).toContain("Le KBIS Express n’est pas proposé pour le moment. Choisissez un autre service.");
		for (const typed of ["ada@example.fr", "Lovelace", "1 rue de la Paix"]) expect(page).toContain(`value="${typed}"`);
		expect((await shop.postForm("/commande/552032534?service=express", { ...filledIn, service: "standard" })).status).toBe(303);
	});

	test("a form sent to a closed shop is told so and keeps what was typed", async () => {
		await close();
		await until(async () => expect(await read("/")).toContain(suspended));
		const answer = await shop.postForm("/commande", filledIn);
		const page = plain(await answer.text());
		expect(answer.status).toBe(409);
		expect(page).toContain(`${suspended} Le registre est en panne.`);
		for (const typed of ["ada@example.fr", "Lovelace", "1 rue de la Paix"]) expect(page).toContain(`value="${typed}"`);
	});

	test("a form kept on the payment page is told so when the shop closes, and is paid after it reopens", async () => {
		const stored = (await shop.postForm("/commande", filledIn)).headers.get("location") ?? "";
		const pay = async () => {
			const key = /name="key" value="([^"]+)"/.exec(await read(stored))?.[1] ?? "";
			return shop.postForm(stored, { amount: "5900", key });
		};
		const before = await shop.countOrders();
		const opened = await read(stored);
		expect(opened).toContain("Finaliser ma commande");
		const key = /name="key" value="([^"]+)"/.exec(opened)?.[1] ?? "";
		await close();
		const refused = await shop.postForm(stored, { amount: "5900", key });
		expect([refused.status, plain(await refused.text())]).toEqual([409, expect.stringContaining(suspended)]);
		await until(async () => expect(await read(stored)).not.toContain("Finaliser ma commande"));
		expect(await read(stored)).toContain("Revenez plus tard.");
		expect(await shop.countOrders()).toBe(before);
		await reopenShop(shop.shop, ada);
		await until(async () => expect(await read(stored)).toContain("Finaliser ma commande"));
		expect((await pay()).status).toBe(303);
	});

	test("an order placed before the closure keeps its state, and its payment is not opened while the shop is closed", async () => {
		const key = crypto.randomUUID();
		const { url } = (await (await create({}, key)).json()) as { url: string };
		const resume = await shop.getResumePath(url);
		await close();
		expect((await create({}, key)).status).toBe(409);
		const refused = await shop.postForm(resume, {});
		expect([refused.status, plain(await refused.text())]).toEqual([409, expect.stringContaining(suspended)]);
		await reopenShop(shop.shop, ada);
		expect((await create({}, key)).status).toBe(200);
	});

	test("a payment that arrives during the closure is promised from the reopening on, and its e-mail says so", async () => {
		const placed = await shop.placeOrder();
		await close();
		await shop.payByCard(placed.payUrl);
		const { promised_at } = await shop.untilOrderIs("processing", placed.id);
		expect(promised_at).toEqual(new Date("2026-11-23T15:00:00Z")); // 14 h and two hours
		const [mail] = await shop.getMails(placed, "confirmation");
		expect(plain(mail?.text ?? "")).toContain("lundi 23 novembre 2026 à 16 h");
		expect(plain(mail?.text ?? "")).toContain("remplace celle que la page de paiement affichait");
		await reopenShop(shop.shop, ada);
		const usual = await shop.placeOrder();
		await shop.payByCard(usual.payUrl);
		await shop.untilOrderIs("processing", usual.id);
		expect((await shop.getMails(usual, "confirmation"))[0]?.text).not.toContain("page de paiement");
	});

	test("at the limit the API answers 429, pages say from when, and both end with the hour", async () => {
		await sql`update payment_sessions set status = 'expired'`.execute(shop.shop.db);
		await sql`update orders set paid_at = paid_at - interval '2 hours'`.execute(shop.shop.db);
		await setCapacity(shop.shop, ada, { express: 2 });
		for (let i = 0; i < 2; i++) expect((await create()).status).toBe(200);
		const refused = await create();
		expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(10 * 60)]);
		expect(plain(((await refused.json()) as { error: string }).error)).toBe(
			"Le KBIS Express est complet : nous ne prenons pas plus de commandes que nous ne pouvons en traiter à l’heure. Réessayez à partir de 10 h 10, heure de Paris.",
		);
		await until(async () =>
			expect(await read("/")).toContain("Le KBIS Express est complet. Il rouvre au plus tôt à 10 h 10, heure de Paris."),
		);
		expect((await create({ service: "standard" })).status).toBe(200);
		await setCapacity(shop.shop, ada, { express: null });
		expect((await create()).status).toBe(200);
		await resumeExpress(shop.shop, ada);
	});
});

describe("the most orders an hour, in the database", () => {
	let scene: BooksScene;
	beforeAll(async () => {
		scene = await booksScene();
	});
	afterAll(() => scene?.close());
	beforeEach(async () => {
		await scene.deleteOrders();
		await scene.startAfresh();
		await deleteRows(scene.db, "shop_settings");
	});
	const limit = (most: number) => setCapacity(scene.shop, ada, { all: null, express: most });
	const countOpen = async () => (await listPlaces(scene.db, scene.now(), null)).length;

	test("of twenty concurrent orders, as many as the limit get a payment page", async () => {
		await limit(7);
		const started = await Promise.all(
			Array.from({ length: 20 }, (_, i) => scene.checkOut(undefined, { email: `client${i}@example.fr`, client: `client ${i}` })),
		);
		expect(started.filter(({ ok }) => ok)).toHaveLength(7);
		expect(started.filter((outcome) => !outcome.ok && outcome.code === "full")).toHaveLength(13);
		expect(await countOpen()).toBe(7);
	});

	test("a payment page that nobody uses frees its place; a payment keeps it for an hour", async () => {
		await limit(2);
		const [paid, unused] = [await scene.place(), await scene.place()];
		scene.pay(paid.session);
		await scene.tell("checkout.session.completed", { object: "checkout.session", id: paid.session.id });
		expect(await scene.checkOut()).toMatchObject({ ok: false, code: "full" });
		expect(unused.session.expiresAt.getTime() - scene.clock.at).toBe(45 * 60_000);
		scene.pass(10 * 60_000 - 1);
		expect(await scene.checkOut()).toMatchObject({ ok: false, code: "full" });
		scene.pass(1);
		expect(await scene.checkOut()).toMatchObject({ ok: true });
		expect(await scene.checkOut()).toMatchObject({ ok: false, code: "full" });
		// its page still opens, and its payment is taken
		expect(await openSession(scene.shop, unused.id, "a client")).toEqual({ ok: true, url: unused.session.url });
		scene.pay(unused.session);
		await scene.tell("checkout.session.completed", { object: "checkout.session", id: unused.session.id });
		expect((await scene.getOrder(unused.id)).status).toBe("paid");
		scene.pass(50 * 60_000);
		expect(await countOpen()).toBe(1);
		expect(await scene.checkOut()).toMatchObject({ ok: true });
	});

	test("a purchase that nobody pays does not close the shop, whatever its size, and however often it is repeated", async () => {
		await limit(50);
		const lines = Array<ServiceCode>(49).fill("express");
		const attack = { email: "mallory@example.fr", client: "a stranger" };
		expect(await scene.checkOutSeveral(lines, attack)).toMatchObject({ ok: true });
		expect(await countOpen()).toBe(3);
		const forty = Array<ServiceCode>(40).fill("express");
		for (let i = 0; i < 5; i++) await scene.checkOutSeveral(forty, { ...attack, email: `mallory${i}@example.fr` });
		expect(await countOpen()).toBe(3);
		await scene.deleteOrders();
		for (let i = 0; i < 5; i++) await scene.checkOutSeveral(forty, { ...attack, client: `stranger ${i}` });
		expect(await countOpen()).toBe(3);
		const large = await scene.checkOutSeveral(Array<ServiceCode>(47).fill("express"), attack);
		expect(await scene.checkOut(undefined, { email: "ada@example.fr", client: "a customer" })).toMatchObject({ ok: true });
		expect(await countOpen()).toBe(4);
		// once it is paid, all its lines count
		const [session = expect.fail("no session")] = large.ok ? scene.listSessions(large.orderId) : [];
		scene.pay(session);
		await scene.tell("checkout.session.completed", { object: "checkout.session", id: session.id });
		const honest = { email: "grace@example.fr", client: "another customer" };
		expect(await scene.checkOut(undefined, honest)).toMatchObject({ ok: false, code: "full" });
	});

	test("cached pages are cleared when the last place is taken and when an order is refused for want of one, and else never", async () => {
		const listener = new pg.Client(scene.connection);
		await listener.connect();
		const heard: (string | undefined)[] = [];
		listener.on("notification", ({ payload }) => heard.push(payload));
		await listener.query(`listen ${changesChannel}`);
		/** How often the pages were cleared since the last call. */
		const countCleared = async () => {
			const mark = crypto.randomUUID();
			await sql`select pg_notify(${changesChannel}, ${mark})`.execute(scene.db);
			await vi.waitFor(() => expect(heard).toContain(mark), { timeout: scaledTimeout(10_000), interval: 10 });
			return heard.splice(0).filter((subject) => subject === publicPagesSubject).length;
		};
		try {
			const order = (services: ServiceCode[], client: string) =>
				scene.checkOutSeveral(services, { client, email: `${client}@example.fr` }).then(({ ok }) => ok);
			expect([await order(["express"], "without-limit"), await countCleared()]).toEqual([true, 0]);
			await scene.deleteOrders();
			await limit(4);
			await countCleared();
			// of a purchase that nobody has paid three places count, so one is left
			expect([await order(["express", "express", "express", "express"], "large"), await countCleared()]).toEqual([true, 0]);
			expect([await order(["standard"], "another-service"), await countCleared()]).toEqual([true, 0]);
			expect([await order(["express"], "last"), await countCleared()]).toEqual([true, 1]);
			expect([await order(["standard"], "another-service-again"), await countCleared()]).toEqual([true, 0]);
			expect([await order(["express"], "refused"), await countCleared()]).toEqual([false, 1]);
			scene.pass(10 * 60_000);
			await scene.place({ services: ["express", "express", "express"], client: "others", email: "others@example.fr" });
			await scene.place({ services: ["express"], client: "and-more", email: "and-more@example.fr" });
			const { rows } = await sql<{ id: string }>`select id from orders where customer_email = 'last@example.fr'`.execute(scene.db);
			const id = rows[0]?.id ?? "";
			await scene.db.updateTable("payment_sessions").set({ status: "expired" }).where("order_id", "=", id).execute();
			await countCleared();
			expect([await openSession(scene.shop, id, "last"), await countCleared()]).toMatchObject([{ ok: false, code: "full" }, 1]);
			await refreshOffers(scene.shop, { code: "closed" });
			await refreshOffers({ ...scene.shop, limits: () => ({ take: async () => ({ ok: false, retryAfter: 1 }) }) as never }, full);
			expect(await countCleared()).toBe(0);
			await refreshOffers(scene.shop, full);
			expect(await countCleared()).toBe(1);
		} finally {
			await listener.end();
		}
	});
	const full = { code: "full" };

	test("transactions that open payments wait for each other under a limit, and only then", async () => {
		await setCapacity(scene.shop, ada, { all: null, express: null });
		const work = (order: Promise<unknown>) => order.then(() => "placed");
		const whileLocked = () =>
			scene.db.transaction().execute(async (trx) => {
				await sql`select pg_advisory_xact_lock_shared(${advisoryLocks.places})`.execute(trx);
				const order = work(scene.checkOut());
				await waitForLock(scene.db, order);
				const first = await Promise.race([order, Promise.resolve("waits")]);
				return { order, first };
			});
		expect(await whileLocked().then(async ({ order, first }) => [first, await order])).toEqual(["placed", "placed"]);
		await limit(5);
		expect(await whileLocked().then(async ({ order, first }) => [first, await order])).toEqual(["waits", "placed"]);
	});

	test("a resumed payment has 23 hours, and less under a limit", async () => {
		for (const [most, minutes] of [
			[null, 23 * 60],
			[5, 45],
		] as const) {
			await setCapacity(scene.shop, ada, { all: null, express: most });
			const { id } = await scene.place();
			scene.pass(24 * 60 * 60_000);
			await sweepPayments(scene.shop);
			expect(await resumePayment(scene.shop, await scene.getOrder(id), "a client")).toMatchObject({ ok: true });
			expect(scene.listSessions(id).at(-1)?.expiresAt).toEqual(new Date(scene.clock.at + minutes * 60_000));
		}
	});

	test("a refusal says after how many seconds a place is free, rounded up", async () => {
		await limit(1);
		await scene.checkOut();
		scene.pass(500);
		expect(await scene.checkOut()).toMatchObject({ ok: false, code: "full", retryAfter: 600 });
	});

	test("orders that do not share one state are neither paid nor resumed", async () => {
		const { id, ids } = await scene.place({ services: ["express", "standard"] });
		const change = (status: "pending" | "failed", failure_reason: "cancelled" | "expired") =>
			scene.db
				.updateTable("orders")
				.set({ status, failure_reason })
				.where("id", "=", ids[1] ?? "")
				.execute();
		const order = await scene.getOrder(id);
		await change("failed", "cancelled");
		expect(await openSession(scene.shop, id, "a client")).toEqual({ ok: false, code: "not-payable" });
		expect(await resumePayment(scene.shop, order, "a client")).toEqual({ ok: false, code: "not-payable" });
		// one that has expired is not reopened while its service is closed
		await change("failed", "expired");
		await pauseExpress(scene.shop, ada, null);
		expect(await resumePayment(scene.shop, order, "a client")).toMatchObject({ ok: false, code: "closed" });
		expect((await scene.getOrder(ids[1] ?? "")).status).toBe("failed");
	});

	test("resuming takes no second place, and a repeated key opens the same page at the limit", async () => {
		await limit(1);
		const first = await scene.checkOut("once");
		expect(await scene.checkOut("once")).toEqual(first);
		expect(await scene.checkOut("other")).toMatchObject({ ok: false, code: "full" });
	});

	test("a limit set meanwhile counts the pages opened within the hour", async () => {
		for (let i = 0; i < 3; i++) await scene.place();
		await limit(3);
		expect(await scene.checkOut()).toMatchObject({ ok: false, code: "full" });
		scene.pass(61 * 60_000);
		expect(await scene.checkOut()).toMatchObject({ ok: true });
	});

	test("each order of a purchase takes a place, paid or not; the last place may be the last order's", async () => {
		await limit(3);
		const three = await scene.place({ services: ["express", "standard", "express", "express"] });
		expect(await countOpen()).toBe(3);
		// its own places do not count against it
		expect(await openSession(scene.shop, three.id, "a client")).toEqual({ ok: true, url: three.session.url });
		scene.pay(three.session);
		await scene.tell("checkout.session.completed", { object: "checkout.session", id: three.session.id });
		expect(await countOpen()).toBe(4);
		expect(await scene.checkOut()).toMatchObject({ ok: false, code: "full" });
		scene.pass(60 * 60_000 + 1);
		expect(await scene.checkOut()).toMatchObject({ ok: true });
	});

	test("a purchase with more orders than places are left is refused as a whole, with another sentence", async () => {
		await limit(3);
		await scene.place({ services: ["express", "express"] });
		const two = await scene.checkOutSeveral(["standard", "express", "express"]);
		expect(two).toMatchObject({
			ok: false,
			code: "full",
			sentence: expect.stringMatching(/^Nous ne pouvons pas servir autant d’extraits/),
		});
		expect(await countOpen()).toBe(2);
		expect(await scene.checkOutSeveral(["standard", "express"])).toMatchObject({ ok: true });
		expect(await scene.checkOutSeveral(["standard", "standard"])).toMatchObject({ ok: true });
	});

	test("the order of the lines does not matter under the common limit, of which express may use four fifths", async () => {
		await setCapacity(scene.shop, ada, { all: 5, express: null });
		const four = ["standard", "standard", "standard", "standard"] as const;
		expect(await scene.checkOutSeveral([...four, "express"])).toMatchObject({ ok: true });
		await scene.deleteOrders();
		expect(await scene.checkOutSeveral(["express", ...four])).toMatchObject({ ok: true });
		await scene.deleteOrders();
		expect(await scene.checkOutSeveral(Array(5).fill("express"))).toMatchObject({ ok: false, code: "full" });
	});

	test("a purchase with a service that is closed is refused as a whole, and resumed once it is open", async () => {
		const { id, ids } = await scene.place({ services: ["standard", "express"] });
		scene.pass(24 * 60 * 60_000);
		await sweepPayments(scene.shop);
		await pauseExpress(scene.shop, ada, null);
		const order = await scene.getOrder(ids[0] ?? "");
		expect(await resumePayment(scene.shop, order, "a client")).toMatchObject({ ok: false, code: "closed" });
		expect((await scene.getOrder(id)).failure_reason).toBe("expired");
		expect(await scene.checkOutSeveral(["standard", "express"])).toMatchObject({ ok: false, code: "closed" });
		await resumeExpress(scene.shop, ada);
		expect(await resumePayment(scene.shop, order, "a client")).toMatchObject({ ok: true });
	});

	test("of orders that are paid within ten minutes, never more than the limit are paid in any hour", async () => {
		await limit(3);
		const paidAt: number[] = [];
		const open: { session: Parameters<typeof scene.pay>[0]; until: number }[] = [];
		let seed = 7;
		const random = (most: number) => {
			seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
			return seed % most;
		};
		for (let i = 0; i < 120; i++) {
			scene.pass((1 + random(9)) * 60_000);
			// who has not paid by then leaves the page
			for (const gone of open.filter(({ until }) => until <= scene.clock.at)) {
				open.splice(open.indexOf(gone), 1);
				await sql`update payment_sessions set status = 'expired' where id = ${gone.session.id}`.execute(scene.db);
			}
			const started = await scene.checkOut();
			const [session] = started.ok ? scene.listSessions(started.orderId) : [];
			if (session) open.push({ session, until: scene.clock.at + 10 * 60_000 });
			const chosen = random(2) === 0 ? open.splice(random(open.length || 1), 1)[0] : undefined;
			if (!chosen) continue;
			scene.pay(chosen.session);
			await scene.tell("checkout.session.completed", { object: "checkout.session", id: chosen.session.id });
			expect((await scene.getOrder(chosen.session.purchaseId ?? "")).status).toBe("paid");
			paidAt.push(scene.clock.at);
		}
		expect(paidAt.length).toBeGreaterThan(10);
		for (const end of paidAt) expect(paidAt.filter((at) => at > end - 3_600_000 && at <= end).length).toBeLessThanOrEqual(3);
	});
});
