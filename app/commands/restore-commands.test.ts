import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { type FakeStripe, startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { adminDatabase, withClient } from "../../test/postgres.ts";
import { grantRefund } from "../../test/refunds.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { listDeskLog } from "../desk/log/desk-log.store.server.ts";
import { readDemoMails } from "../mail/read-demo-mails.server.ts";
import { copyChangedOrders } from "../orders/copies/copy-changed-orders.server.ts";
import type { DocumentStorage } from "../orders/documents/storage.ts";
import { carryOutRefund } from "../payments/carry-out-refund.server.ts";
import { runCommand } from "./run-command.server.ts";

// A copy of the database is a dump and its restore. Orders that came after it are in the provider's books and beside the documents only.

const minute = 60_000;
const waitOptions = { timeout: scaledTimeout(60_000), interval: 50 };
const folder = mkdtempSync(join(tmpdir(), "restore-"));
const lines: Record<string, unknown>[] = [];
const clock = { ahead: 0 };
const now = () => new Date(Date.now() + clock.ahead);
let stripe: FakeStripe;
let shop: TestShop;
type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;

beforeAll(async () => {
	stripe = await startFakeStripe({ now });
});
afterAll(async () => {
	await shop?.close();
	await stripe?.close();
	rmSync(folder, { recursive: true });
});

async function openOn(connection: pg.ClientConfig): Promise<void> {
	const payment = { STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url };
	shop = await createTestShop({
		variables: { ...payment, DATA_DIR: folder, LOG_LEVEL: "info" },
		database: { connection, close: async () => {} },
		now,
		onLog: (line) => lines.push(JSON.parse(line)),
	});
	stripe.sendEventsTo(`${shop.url}/api/stripe/webhook`);
}

/** A database nobody is connected to, copied. */
async function copyDatabase(connection: pg.ClientConfig): Promise<pg.ClientConfig> {
	const database = `${connection.database}_restored`;
	await withClient({ ...connection, database: adminDatabase }, (admin) =>
		vi.waitFor(() => admin.query(`create database ${database} template ${connection.database}`), waitOptions),
	);
	return { ...connection, database };
}

async function pay({ sessionId }: Placed): Promise<void> {
	stripe.pay(sessionId);
	await stripe.delivered();
}

async function completePaid(email: string): Promise<Placed> {
	const placed = await shop.placeOrder({ customer: { email } });
	await pay(placed);
	await shop.untilOrderIs("completed", placed.id);
	await shop.getMails(placed, "confirmation");
	return placed;
}

/** The operator types a verb. */
const orders = (...args: string[]) => ordersWhile({}, ...args);
/** The same while something is wrong with the storage. */
async function ordersWhile(storage: Partial<DocumentStorage>, ...args: string[]) {
	const wrong = { ...shop.shop, storage: { ...shop.shop.storage, ...storage } };
	const { ok, text } = await runCommand({ shop: wrong, readInput: async () => null }, args);
	return { ok, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

/** What waits for its next try is tried now. */
const tryAgain = () => sql`update jobs.job_common set start_after = now() where state in ('created', 'retry')`.execute(shop.shop.db);
const issued = async () => {
	const rows = await shop.shop.db.selectFrom("invoices").select(["number", "order_id"]).orderBy("number").execute();
	return Object.fromEntries(rows.map(({ number, order_id }) => [number, order_id]));
};
const mailsWritten = () => readDemoMails(join(folder, "mails"), 1000);
const untilRefundIs = (status: string, { id }: Placed) =>
	vi.waitFor(async () => {
		const rows = await shop.shop.db.selectFrom("refunds").select("status").where("order_id", "=", id).execute();
		expect(rows).toEqual([{ status }]);
	}, waitOptions);

describe("after a restore", () => {
	let inDump: Placed;
	let refunded: Placed;
	let lost: Placed[];
	let halfRefunded: Placed;
	let fresh: Placed[];
	/** What reached customers before the accident: numbers, with their orders. */
	let before: Record<string, string>;
	let mailsBefore: string[];

	beforeAll(async () => {
		const database = await createTestDatabase();
		await database.close();
		await openOn(database.connection);
		inDump = await completePaid("in-dump@example.fr");
		refunded = await completePaid("refunded@example.fr");
		await shop.close();
		const restored = await copyDatabase(database.connection);

		await openOn(database.connection);
		lost = [await completePaid("lost-1@example.fr"), await completePaid("lost-2@example.fr")];
		await grantRefund(shop.shop, refunded.id);
		await shop.getMails(refunded, "refunded");
		halfRefunded = await completePaid("half@example.fr");
		stripe.failNext({ path: "POST /v1/refunds", kind: "503", times: 1000 });
		await grantRefund(shop.shop, halfRefunded.id);
		await copyChangedOrders(shop.shop); // as every minute
		before = await issued();
		mailsBefore = (await mailsWritten()).map(({ id }) => id);
		await shop.close(); // the accident
		stripe.clearFaults();
		await openOn(restored);
	}, scaledTimeout(180_000));

	test("no invoice number is issued twice: invoicing waits, and the operator is alerted once", async () => {
		fresh = [];
		for (const name of ["new-1", "new-2"]) {
			const placed = await shop.placeOrder({ customer: { email: `${name}@example.fr` } });
			await pay(placed);
			await shop.untilOrderIs("completed", placed.id);
			fresh.push(placed);
		}
		await vi.waitFor(() => {
			const refused = lines.filter(({ job, error }) => job === "invoice-order" && /F2\d{3}-000003/.test(JSON.stringify(error)));
			expect(refused.length).toBeGreaterThan(1);
		}, waitOptions);
		expect(Object.keys(await issued())).toHaveLength(2);
		expect(lines.filter(({ alert }) => alert === "alert-invoices-stopped")).toHaveLength(1);
		const alerts = await vi.waitFor(async () => {
			const found = (await mailsWritten()).filter(({ subject }) => subject.includes("Factures arrêtées"));
			expect(found).toHaveLength(1);
			return found;
		}, waitOptions);
		expect(alerts[0]?.to).toContain(shop.shop.environment.shop.email);
		await copyChangedOrders(shop.shop); // as every minute: the invoice with which an order is copied at once does not come
	});

	test("reconciliation shows its period, its exclusions and the orders to recreate, and changes none of them", async () => {
		expect((await orders("reconcile")).text).toMatch(
			/^Période comparée : du .+ au .+ ; les paiements des 15 dernières minutes ne le sont pas encore\.\nPaiements comparés : 0\. Le prestataire n’en a aucun pour cette période\.$/,
		);
		clock.ahead = 20 * minute;
		const { ok, text } = await orders("reconcile");
		clock.ahead = 0;
		expect(ok).toBe(false);
		expect(text).toContain("Différences : 4.");
		for (const { id } of [...lost, halfRefunded]) expect(text).toMatch(new RegExp(`${id} +inconnu chez nous, à recréer`));
		// the difference is known also while the copies are not
		clock.ahead = 20 * minute;
		const unread = await ordersWhile({ findObject: () => Promise.reject(new Error("silent")) }, "reconcile");
		clock.ahead = 0;
		expect(unread.text).toMatch(new RegExp(`${lost[0]?.id} +inconnu chez nous, copie illisible pour l’instant`));
		expect(unread.text).toContain("Différences : 4.");
		expect(text).toMatch(new RegExp(`${refunded.number} +montant rendu, à recréer`));
		expect(text).toContain("recréez-les avec npm run orders -- recreate --all");
		expect(await shop.getEventTypes(refunded.id)).not.toContain("refunded");
		expect(lines).toContainEqual(
			expect.objectContaining({
				msg: "the provider's books are compared with ours",
				compared: 7,
				differences: 4,
				since: expect.any(String),
			}),
		);
	});

	test("a lost order is recreated by its payment session, by its number or by its id, once", async () => {
		const [first, second] = lost as [Placed, Placed];
		expect(await orders("recreate", first.sessionId)).toEqual({ ok: true, text: `${first.number} : recréée.` });
		expect(await orders("recreate", first.number)).toMatchObject({ ok: true, text: expect.stringContaining("rien à faire") });
		expect(await orders("recreate", second.number)).toEqual({ ok: true, text: `${second.number} : recréée.` });
		expect(await orders("recreate", second.id)).toMatchObject({ ok: true, text: expect.stringContaining("rien à faire") });
		for (const unknown of ["KB-0000-0000", "cs_test_unknown", "nonsense"])
			expect(await orders("recreate", unknown)).toMatchObject({
				ok: false,
				text: expect.stringMatching(/^Aucune commande ni aucune copie/),
			});
		expect(await orders("recreate")).toMatchObject({ ok: false });
		expect(await orders("recreate", first.number, "--all")).toMatchObject({ ok: false });
		const recorded = (await listDeskLog(shop.shop.db, 20)).map(({ verb, subject, outcome }) => [verb, subject, outcome]);
		expect(recorded).toContainEqual(["orders recreate", first.number, "done"]);
	});

	test("while the provider is unavailable, the command asks to sync the recreated order later", async () => {
		stripe.failNext({ path: "GET /v1/", kind: "503", times: 1000 });
		expect(await orders("recreate", halfRefunded.sessionId)).toMatchObject({ ok: false, text: expect.stringContaining("ne répond pas") });
		expect(await orders("recreate", halfRefunded.number)).toEqual({
			ok: true,
			text: `${halfRefunded.number} : recréée. Le prestataire de paiement ne répond pas : comparez avec lui plus tard (reconcile).`,
		});
		stripe.clearFaults();
	});

	test("an unreadable copy is named, and the other orders are recreated", async () => {
		const { findObject } = shop.shop.storage;
		const [bad] = lost as [Placed];
		const storage = { findObject: (name: string) => (name.endsWith(bad.id) ? Promise.reject(new Error("silent")) : findObject(name)) };
		const { ok, text } = await ordersWhile(storage, "recreate", "--all");
		expect(text).toMatch(
			/^Copies lues : 7\.\nCommandes recréées : 0\.\nCommandes remises à jour : 1\.\nCommandes déjà complètes : 5\.\nÀ voir : 1\./,
		);
		expect([ok, text]).toEqual([false, expect.stringContaining(`${bad.id} : une panne l’a empêché`)]);
		expect(lines).toContainEqual(expect.objectContaining({ msg: "an order could not be recreated", order: bad.id }));
	});

	test("--discard-copy replaces one copy from the database, and only when the order exists there", async () => {
		const [first] = lost as [Placed];
		expect(await orders("recreate", "--all", "--discard-copy")).toMatchObject({
			ok: false,
			text: expect.stringContaining("une commande à la fois"),
		});
		expect(await orders("recreate", crypto.randomUUID(), "--discard-copy")).toMatchObject({
			ok: false,
			text: expect.stringContaining("pas ici"),
		});
		expect(await orders("recreate", first.number, "--discard-copy")).toMatchObject({
			ok: true,
			text: expect.stringContaining("refaite dans la minute"),
		});
		await copyChangedOrders(shop.shop);
		expect(await orders("recreate", first.number)).toMatchObject({ ok: true, text: expect.stringContaining("rien à faire") });
	});

	test("a second run changes nothing", async () => {
		const first = await orders("recreate", "--all");
		expect(first.text).toMatch(
			/^Copies lues : 7\.\nCommandes recréées : 0\.\nCommandes remises à jour : 0\.\nCommandes déjà complètes : 7\./,
		);
		expect(first.ok).toBe(true);
		expect(await orders("recreate", "--all")).toEqual(first);
	});

	test("issued invoices keep their numbers, waiting ones get later numbers, and a pending refund arrives once", async () => {
		const refunds = () => stripe.state.refunds.size;
		expect(refunds()).toBe(1);
		await vi.waitFor(async () => {
			await tryAgain();
			expect(Object.keys(await issued())).toHaveLength(8);
		}, waitOptions);
		expect(await issued()).toMatchObject(before);
		const after = await issued();
		const findByNumber = (number: RegExp) => Object.entries(after).find(([name]) => number.test(name))?.[1];
		expect([findByNumber(/^F.*006$/), findByNumber(/^F.*007$/)].sort()).toEqual(fresh.map(({ id }) => id).sort());
		// the job that was to carry it out was lost with the database
		const { id } = await shop.shop.db.selectFrom("refunds").select("id").where("order_id", "=", halfRefunded.id).executeTakeFirstOrThrow();
		await carryOutRefund(shop.shop, id);
		await carryOutRefund(shop.shop, id);
		await untilRefundIs("succeeded", halfRefunded);
		await shop.getMails(halfRefunded, "refunded");
		expect(refunds()).toBe(2);
		expect((await shop.orderRow(refunded.id)).refunded_cents).toBe(5900);
		expect((await shop.orderRow(inDump.id)).refunded_cents).toBe(0);
	});

	test("no e-mail is sent twice, and the orders are as before the loss", async () => {
		for (const placed of fresh) await shop.getMails(placed, "confirmation");
		const mails = await mailsWritten();
		expect(mails.map(({ id }) => id)).toEqual(expect.arrayContaining(mailsBefore));
		const told = mails.filter(({ to }) => !to.includes(shop.shop.environment.shop.email)).map(({ to, subject }) => `${to} ${subject}`);
		expect(told.filter((mail, index) => told.indexOf(mail) !== index)).toEqual([]);
		clock.ahead = 20 * minute;
		expect(await orders("reconcile")).toMatchObject({
			ok: true,
			text: expect.stringContaining("Paiements comparés : 7. Aucune différence."),
		});
		clock.ahead = 0;
		for (const placed of [inDump, refunded, ...lost, halfRefunded, ...fresh])
			expect((await shop.orderRow(placed.id)).status, placed.number).toBe("completed");
	});
});
