import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../test/orders.ts";
import { publishNotice, recordReading } from "../../test/publish-notice.ts";
import { exportPerson } from "../desk/retention/export-person.server.ts";
import { requeueStalledOrders } from "../fulfilment/requeue-stalled-orders.server.ts";
import { smtpMailer } from "../mail/mailers.server.ts";
import { anonymiseMails, markMailBounced } from "../mail/mails.store.server.ts";
import type { Order } from "../orders/order.ts";
import { updateOrder } from "../orders/orders.store.server.ts";
import type { Refund } from "../orders/refunds/refunds.store.server.ts";
import { endWatch } from "../orders/watch/end-watch.server.ts";
import { queueNoticeEmails } from "./queue-notice-emails.server.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";
import { sendOrderEmail } from "./send-order-email.server.ts";
import { listLeftEmails, removedToken, showOrderEmail } from "./sent-emails.server.ts";

// The nightly e-mails about what was published since delivered extracts, from the notice to the mail server.

const day = 86_400_000;
let shop: OrderFixture;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let mailer: ReturnType<typeof smtpMailer>;
beforeAll(async () => {
	[shop, smtp] = await Promise.all([createOrderFixture({ startsAt: "2026-11-03T09:00:00Z" }), startFakeSmtp()]);
	mailer = smtpMailer(smtp.url, { name: "ExtraitPro", address: "bonjour@boutique.example" });
	await recordReading(shop.db, shop.after(9 * day), { from: "2026-10-01", to: "2026-11-11" });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(async () => {
	mailer?.close();
	await smtp?.close();
	await shop?.close();
});

/** Each test has its own company, because notices belong to a company. */
const used: string[] = [];
async function chooseCompany(): Promise<string> {
	const query = shop.db.selectFrom("companies").select("siren").where("masked", "=", false).where("legal_category", "like", "57%");
	const { siren } = await query
		.where("siren", "not in", ["", ...used])
		.orderBy("siren")
		.limit(1)
		.executeTakeFirstOrThrow();
	used.push(siren);
	return siren;
}

/** Inserts an order whose extract of 3 November 2026 was delivered at once. */
async function deliver(siren: string, values: OrderValues = {}): Promise<Order> {
	const { order } = await shop.insertPaidOrder({
		...{ siren, company_name: "ANALYSE", status: "completed", completed_at: shop.now() },
		...values,
	});
	await shop.insertDocument(order);
	return order;
}

let number = 99_100;
/** Publishes a notice of a company. @returns its id. */
async function publish(siren: string, publishedOn: string, change: Partial<Parameters<typeof publishNotice>[1]> = {}): Promise<string> {
	const id = `B20260234${number++}`;
	await publishNotice(shop.db, { siren, id, publishedOn, kind: "capital", ...change });
	return id;
}

/** Runs the job of a night, and sends what it queued for this order. @returns the mails that its customer received in this night. */
async function runNight(order: Order, at: Date) {
	shop.clock.now = at;
	const before = smtp.mails.length;
	await queueNoticeEmails(shop);
	for (const { id, kind } of await shop.getMails(order)) if (kind === "extract-notices") await sendOrderEmail({ ...shop, mailer }, id);
	return smtp.mails
		.slice(before)
		.filter(({ to }) => to.includes(order.customer_email))
		.map(({ content, to }) => ({
			to,
			subject: content.subject,
			text: (content.text ?? "").replaceAll("\u00a0", " "),
			headers: content.headers,
		}));
}

const night = (days: number) => shop.after(days * day);

const set = ({ id }: Order, values: Partial<Order>) =>
	shop.db
		.updateTable("orders")
		.set(values as never)
		.where("id", "=", id)
		.execute();

const setCompany = (siren: string, values: { masked: true } | { legal_category: string }) =>
	shop.db.updateTable("companies").set(values).where("siren", "=", siren).execute();

/** Refunds the whole price of an order. */
async function refund({ id }: Order, values: Partial<Pick<Refund, "reason" | "cause">>) {
	const payment = await shop.db.selectFrom("payments").selectAll().where("order_id", "=", id).executeTakeFirstOrThrow();
	await shop.insertRefund(payment as never, values);
}

describe("the customer of a delivered extract", () => {
	test("is told once of each notice published after its day, in one e-mail a night", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren, { delivery_email: "banque@example.fr" });
		await publish(siren, "2026-11-03");
		expect(await runNight(order, night(1))).toEqual([]);

		const first = await publish(siren, "2026-11-12");
		await publish(siren, "2026-11-13", { family: "dpc", eventOn: "2026-06-30" });
		const [mail, ...others] = await runNight(order, night(10));
		expect(others).toEqual([]);
		expect(mail?.to).toEqual([order.customer_email]);
		expect(mail?.subject).toContain("Une annonce a été publiée sur ANALYSE depuis votre extrait");
		for (const part of [
			"Une modification a été publiée le 12 novembre 2026 : capital. Votre extrait du 3 novembre 2026 ne la montre peut-être pas.",
			`https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:${first}`,
			`/commande/${siren}?service=express`,
			"Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 12 novembre 2026.",
			"Jusqu’au 1er février 2027, nous vous signalons les annonces que nous relevons au BODACC et qui peuvent concerner votre extrait.",
			"Ne plus recevoir ces e-mails",
		])
			expect(mail?.text).toContain(part);
		expect(mail?.text).not.toMatch(/rien n’a changé|comptes/i);
		const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
		expect(header("list-unsubscribe")).toMatch(/^<http.*\/suivi\/surveillance\/[\w.-]+>$/);
		expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
		expect(await shop.getEventTypes(order)).toContain("mail_sent");

		// not again, neither in the same night nor in the next ones
		expect(await runNight(order, night(10))).toEqual([]);
		expect(await runNight(order, night(11))).toEqual([]);

		await publish(siren, "2026-11-15", { family: "radiation", kind: undefined });
		await publish(siren, "2026-11-16", { family: "collective", kind: "Jugement d’ouverture de sauvegarde", eventOn: "2026-11-09" });
		const [second] = await runNight(order, night(14));
		expect(second?.subject).toContain("2 annonces ont été publiées sur ANALYSE");
		expect(second?.text).toContain("Une radiation peut suivre un transfert à un autre greffe : un extrait récent le précise.");
		expect(second?.text).toContain(
			"Une annonce de procédure collective a été publiée le 16 novembre 2026 : Jugement d’ouverture de sauvegarde, du 9 novembre 2026.",
		);
		expect(second?.text).not.toContain("12 novembre 2026 : capital");
	});

	test("of several orders is told which one, by its own number and reference", async () => {
		const siren = await chooseCompany();
		const { orders } = await shop.insertPaidPurchase(["express", "standard"], {
			...{ siren, company_name: "ANALYSE", status: "completed", completed_at: shop.now() },
		});
		const [first, second] = orders;
		if (second === undefined) throw new Error("the purchase has one order");
		await shop.insertDocument(second);
		await set(second, { reference: "dossier 2026-114" });
		await publish(siren, "2026-11-12");
		expect(await runNight(first, night(10))).toEqual([]);
		const [mail, ...others] = await runNight(second, night(10));
		expect(others).toEqual([]);
		for (const part of [`Numéro de commande : ${second.order_number}`, "Votre référence : dossier 2026-114"])
			expect(mail?.text).toContain(part);
		expect(mail?.text).not.toContain(first.order_number);
	});

	test("is told that a notice which an e-mail told was cancelled or corrected, and of no other cancellation", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		const told = await publish(siren, "2026-11-10");
		const corrected = await publish(siren, "2026-11-11");
		expect(await runNight(order, night(9))).toHaveLength(1);

		await publish(siren, "2026-11-20", { target: told, cancels: true, kind: undefined });
		await publish(siren, "2026-11-21", { target: corrected, kind: "transfert du siège" });
		const untold = await publish(siren, "2026-11-21");
		await publish(siren, "2026-11-22", { target: untold, cancels: true, kind: undefined });
		const [mail] = await runNight(order, night(20));
		expect(mail?.text).toContain("L’annonce du 10 novembre 2026 a été annulée le 20 novembre 2026.");
		expect(mail?.text).toContain("L’annonce du 11 novembre 2026 a été rectifiée le 21 novembre 2026 : transfert du siège.");
		expect(mail?.text).not.toContain("22 novembre 2026");
		expect(await runNight(order, night(21))).toEqual([]);
	});

	test("gets nothing of a notice that was cancelled before its e-mail left", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		const id = await publish(siren, "2026-11-10");
		shop.clock.now = night(9);
		await queueNoticeEmails(shop);
		expect(await shop.getMailKinds(order)).toEqual(["extract-notices"]);
		await publish(siren, "2026-11-11", { target: id, cancels: true });
		expect(await runNight(order, night(10))).toEqual([]);
		expect(await shop.getMailKinds(order)).toEqual([]);
	});

	test("is not told of the cancellation of a notice that was left out of its e-mail", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		const id = await publish(siren, "2026-11-10");
		await publish(siren, "2026-11-11");
		shop.clock.now = night(9);
		await queueNoticeEmails(shop);
		await publish(siren, "2026-11-12", { target: id, cancels: true });
		// the e-mail of the first night leaves with one of its two notices
		const [mail, ...others] = await runNight(order, night(10));
		expect(others).toEqual([]);
		expect(mail?.text).toContain("11 novembre 2026");
		expect(mail?.text).not.toContain("10 novembre 2026");
		expect(await runNight(order, night(11))).toEqual([]);
	});

	test("is told until the last of 90 days, even when that day is imported late, and not of later days", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		await publish(siren, "2027-02-02");
		expect(await runNight(order, night(91))).toEqual([]);
		await publish(siren, "2027-02-01");
		expect(await runNight(order, night(92))).toHaveLength(1);
		await publish(siren, "2027-01-31");
		expect(await runNight(order, night(120))).toEqual([]);
	});

	test("is told from the day of the extract that replaced another", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		await publish(siren, "2026-11-08");
		shop.clock.now = night(7);
		await shop.db.updateTable("documents").set({ replaced_at: shop.now() }).where("order_id", "=", order.id).execute();
		await shop.insertDocument(order);
		expect(await runNight(order, night(8))).toEqual([]);
		await publish(siren, "2027-02-05"); // 94 days after the first delivery
		const [mail] = await runNight(order, night(95));
		expect(mail?.text).toContain("Votre extrait du 10 novembre 2026 ne la montre peut-être pas.");
	});

	test("gets nothing more after the link of an e-mail ended the watch, which mail programs may follow twice", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		await publish(siren, "2026-11-10");
		const [mail] = await runNight(order, night(9));
		const token = /suivi\/surveillance\/([\w.-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
		await Promise.all([endWatch(shop, token), endWatch(shop, token)]);
		await endWatch(shop, `${token}x`);
		expect((await shop.getEventTypes(order)).filter((type) => type === "watch_ended")).toHaveLength(1);
		await publish(siren, "2026-11-13");
		expect(await runNight(order, night(12))).toEqual([]);
	});
});

test("an e-mail that waits is dropped when the watch is ended", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await publish(siren, "2026-11-10");
	shop.clock.now = night(9);
	await queueNoticeEmails(shop);
	await shop.inTransaction((trx) => updateOrder(trx, order.id, { watch_ended_at: shop.now() }));
	expect(await runNight(order, night(9))).toEqual([]);
	expect(await shop.getMailKinds(order)).toEqual([]);
});

describe("nobody is told", () => {
	test.each<[string, (order: Order) => Promise<unknown>]>([
		["whose order is not delivered", (order) => set(order, { status: "processing", completed_at: null })],
		["whose payment is disputed", (order) => set(order, { disputed_at: shop.now() })],
		["of a masked company", ({ siren }) => setCompany(siren, { masked: true })],
		["of an association", ({ siren }) => setCompany(siren, { legal_category: "9220" })],
		["of a sole trader, whose notices are not stored", ({ siren }) => setCompany(siren, { legal_category: "1000" })],
		["whose customer is erased", (order) => set(order, { erased_at: shop.now() })],
		["who got the whole price back", async (order) => refund(order, { reason: "withdrawal" })],
		["who got it back from an operator", async (order) => refund(order, { reason: "operator", cause: "customer-asked" })],
	])("%s", async (_, change) => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		await publish(siren, "2026-11-10");
		await change(order);
		expect(await runNight(order, night(9))).toEqual([]);
		expect(await shop.getMailKinds(order)).toEqual([]);
	});

	test("at an address that refused an e-mail", async () => {
		const siren = await chooseCompany();
		const order = await deliver(siren);
		await publish(siren, "2026-11-10");
		smtp.controls.reject(order.customer_email);
		expect(await runNight(order, night(9))).toEqual([]);
		smtp.controls.accept(order.customer_email);
		await publish(siren, "2026-11-11");
		expect(await runNight(order, night(10))).toEqual([]);
		expect((await shop.getMailKinds(order)).sort()).toEqual(["alert-bounce", "extract-notices"]);
	});
});

test("a second address that refused its e-mail does not stop those to the customer", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren, { delivery_email: "partie@example.fr" });
	await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId: order.id, kind: "document-ready-delivery" }));
	const [mail] = await shop.getMails(order);
	await shop.inTransaction((trx) => markMailBounced(trx, mail?.id ?? "", "550 5.1.1 no such user", shop.now()));
	await publish(siren, "2026-11-10");
	expect(await runNight(order, night(9))).toHaveLength(1);
});

test("a mailbox that refused one e-mail as spam gets the next one", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await publish(siren, "2026-11-10");
	smtp.controls.reject(order.customer_email, "554 5.7.1 Message looks like spam");
	expect(await runNight(order, night(9))).toEqual([]);
	smtp.controls.accept(order.customer_email);
	await publish(siren, "2026-11-11");
	expect(await runNight(order, night(10))).toHaveLength(1);
});

test.each<[string, Parameters<typeof refund>[1]]>([
	["by the shop itself", { reason: "late" }],
	["by an operator", { reason: "operator", cause: "late" }],
])("a late order that was refunded %s and still delivered is watched", async (_, values) => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await refund(order, values);
	await publish(siren, "2026-11-10");
	expect(await runNight(order, night(9))).toHaveLength(1);
});

test("the e-mails of a night wait in a queue of low priority", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await publish(siren, "2026-11-10");
	shop.clock.now = night(9);
	await queueNoticeEmails(shop);
	const [mail] = await shop.getMails(order);
	const countJobs = async () => [
		(await shop.getJobs("send-bulk-mail", mail?.id ?? "")).length,
		(await shop.getJobs("send-order-mail", mail?.id ?? "")).length,
	];
	expect(await countJobs()).toEqual([1, 0]);
	const { rows } = await sql<{ priority: number }>`
		select distinct priority from jobs.job where name = 'send-bulk-mail'`.execute(shop.db);
	expect(rows).toEqual([{ priority: -1 }]);

	// a lost job is sent again in the same queue
	await sql`delete from jobs.job where name = 'send-bulk-mail'`.execute(shop.db);
	shop.clock.now = new Date(shop.now().getTime() + 180_000);
	await requeueStalledOrders(shop);
	expect(await countJobs()).toEqual([1, 0]);
});

test("the row of an e-mail has its notices in the order of their ids", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	const ids: string[] = [];
	for (const day of ["10", "09", "11", "10"]) ids.push(await publish(siren, `2026-11-${day}`));
	expect(await runNight(order, night(9))).toHaveLength(1);
	expect((await shop.getMails(order)).map(({ notices }) => notices)).toEqual([ids]);
});

test("an order whose e-mail cannot be queued is logged, keeps no other from its own, and has it the next time", async () => {
	const siren = await chooseCompany();
	const orders = [await deliver(siren), await deliver(siren)];
	const ids = orders.map(({ id }) => id).sort();
	await publish(siren, "2026-11-10");
	shop.clock.now = night(9);
	let left = 1;
	const jobs: typeof shop.jobs = {
		...shop.jobs,
		send: (...given) => (left-- > 0 ? Promise.reject(new Error("no queue")) : shop.jobs.send(...given)),
	};
	const listQueued = async () => {
		const kinds = [];
		for (const id of ids) kinds.push(await shop.getMailKinds({ id }));
		return kinds;
	};
	const before = shop.lines.length;
	await expect(queueNoticeEmails({ ...shop, jobs })).rejects.toThrow("no queue");
	expect(await listQueued()).toEqual([[], ["extract-notices"]]);
	await queueNoticeEmails(shop);
	expect(await listQueued()).toEqual([["extract-notices"], ["extract-notices"]]);
	expect(shop.lines.slice(before)).toMatchObject([
		{ level: 50, order: ids[0], error: expect.stringContaining("no queue"), msg: "the notices of an order could not be told" },
		{ level: 30, queued: 1 },
		{ level: 30, queued: 1 },
	]);
});

test("two runs at the same time queue one e-mail", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await publish(siren, "2026-11-10");
	shop.clock.now = night(9);
	await Promise.all([queueNoticeEmails(shop), queueNoticeEmails(shop)]);
	expect(await shop.getMailKinds(order)).toEqual(["extract-notices"]);
});

test("an operator reads the e-mail as it left, without the link that ends the watch", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await publish(siren, "2026-11-10");
	await runNight(order, night(9));
	const [left] = await listLeftEmails(shop, order.id);
	expect(left?.kind).toBe("extract-notices");
	const shown = await showOrderEmail(shop, order, left?.id ?? "");
	expect(shown?.text).toContain(`/suivi/surveillance/${removedToken}`);
});

test("what was told, and the end of the watch, are in the export of a person", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	const id = await publish(siren, "2026-11-10");
	await runNight(order, night(9));
	await set(order, { watch_ended_at: shop.now() });
	const [exported] = (await exportPerson(shop, order.customer_email)).orders;
	expect(exported).toMatchObject({ watch_ended_at: shop.now(), mails: [{ kind: "extract-notices", notices: [id] }] });
	expect(exported?.sent_emails[0]?.text.replaceAll("\u00a0", " ")).toContain("Une modification a été publiée le 10 novembre 2026");
});

test("what was told goes with the erasure of its customer", async () => {
	const siren = await chooseCompany();
	const order = await deliver(siren);
	await publish(siren, "2026-11-10");
	await runNight(order, night(9));
	await shop.inTransaction((trx) => anonymiseMails(trx, [order.id]));
	expect(await shop.getMails(order)).toEqual([]);
});
