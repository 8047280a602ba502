import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startPartners } from "../../../proof/faults/shop.ts";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { freePort } from "../../../test/free-port.ts";
import { createOrderFixture, type OrderFixture, waitForLock } from "../../../test/orders.ts";
import { toDatabaseUrl } from "../../../test/postgres.ts";
import { keepRunning } from "../../../test/shop-process.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { formatDay, formatHour } from "../../catalogue/instants.ts";
import { insertDraft } from "../../fulfilment/drafts/insert-draft.server.ts";
import { lockHash } from "../../fulfilment/extract-requests.store.server.ts";
import { findAct, insertAct } from "../log/acts.store.server.ts";

// A real jobs process is killed (SIGKILL) in the middle of a delivery. The queue notices after ten seconds without a heartbeat, and its
// successor runs the job again.

let shop: OrderFixture;
const undo = new AsyncDisposableStack();
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: new Date().toISOString() });
});
afterAll(async () => {
	await undo.disposeAsync();
	await shop?.close();
});

async function insertOperator(): Promise<{ id: string; name: string }> {
	const person = { id: crypto.randomUUID(), name: "Camille" };
	await shop.db
		.insertInto("operators.user")
		.values({ ...person, email: "camille@bureau.example", email_verified: true })
		.execute();
	await shop.db
		.insertInto("operators.member")
		.values({ user_id: person.id, roles: ["serve"], joined_at: shop.now() })
		.execute();
	return person;
}

test(
	"a process killed during a delivery loses nothing: its successor delivers once",
	async () => {
		const { order } = await shop.insertPaidOrder();
		const operator = await insertOperator();
		const dated = `à jour au ${formatDay(shop.now())} à ${formatHour(shop.now())}`;
		const bytes = generatePdf({ lines: extractLines({ siren: order.siren, dated }) });
		const dropped = await insertDraft(shop, { orderId: order.id, bytes, operator: operator.id, fileName: "extrait.pdf" });
		if (!dropped.ok) expect.fail(dropped.code);
		const { id: draft, sha256 } = dropped.draft;

		const partners = await startPartners(undo, `http://127.0.0.1:${await freePort()}`);
		const environment = { ...partners.environment, DATABASE_URL: toDatabaseUrl(shop.connection), ISSUER: "manual" };
		const jobs = keepRunning(undo, { role: "jobs", environment });
		await jobs.ready();

		const key = crypto.randomUUID();
		let restarted: Promise<number> | undefined;
		await shop.inTransaction(async (trx) => {
			// the delivery waits here, in its middle
			await lockHash(trx, sha256);
			await shop.inTransaction(async (asking) => {
				await insertAct(asking, {
					...{ key, act: "deliver", order_id: order.id, fields: { draft } },
					...{ operator_id: operator.id, operator_name: operator.name, origin: "test" },
					...{ requested_at: shop.now(), due_at: shop.now(), needs_approval: false },
				});
				await shop.jobs.send(asking, "run-desk-act", { key });
			});
			await waitForLock(shop.db, new Promise(() => {}));
			restarted = jobs.kill(0);
		});
		expect(await restarted).toBeGreaterThan(0);

		await vi.waitFor(async () => expect((await shop.getOrder(order.id)).status).toBe("completed"), {
			timeout: scaledTimeout(60_000),
			interval: 200,
		});
		expect(await findAct(shop.db, key)).toMatchObject({ ok: true, ended_at: expect.any(Date) });
		expect((await shop.getDocuments(order)).filter(({ doc_type }) => doc_type === "kbis")).toHaveLength(1);
		expect((await shop.getEventTypes(order)).filter((type) => type === "document_issued")).toHaveLength(1);
		const sent = () => shop.db.selectFrom("sent_emails").select("kind").where("order_id", "=", order.id).execute();
		await vi.waitFor(async () => expect(await sent()).toEqual([{ kind: "document-ready" }]), { timeout: scaledTimeout(30_000) });
		expect(partners.mails).toHaveLength(1);
		expect(jobs.endings).toEqual([]);
	},
	scaledTimeout(180_000),
);
