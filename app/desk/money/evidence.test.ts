import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { readZip } from "../../../test/purchases/read-zip.ts";
import { packContent } from "../../mail/pack-content.server.ts";
import { insertSentEmail } from "../../mail/sent-emails.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { recordEvent } from "../../orders/orders.store.server.ts";
import type { Shop } from "../../shop.ts";
import { createEvidenceZip } from "./dispute-evidence.server.ts";

// The evidence of a disputed order and of a disputed purchase, word for word.

const hour = 3_600_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const insertOrder = (n: number, values: OrderValues) =>
	shop.insertOrder({
		...{ id: uuid(n), order_number: `KB-2222-222${n}`, customer_email: "ada@example.fr", company_name: `SOCIETE ${n}` },
		...{ paid_at: shop.after(hour), status: "completed", ...values },
	});

/** Stores a document under a fixed id, so that the text that names it is always the same. */
async function insertDocument(n: number, order: Order, doc_type: "kbis" | "invoice" | "credit_note", values: object = {}) {
	const { path } = await shop.storage.put(Buffer.from(`%PDF-1.7 ${n}`));
	await shop.db
		.insertInto("documents")
		.values({
			...{ id: uuid(n), order_id: order.id, doc_type, created_at: shop.after(n * hour), issued_at: shop.start, bytes: 1000 + n },
			...{ sha256: String(n).repeat(64).slice(0, 64), storage_path: path, ...values },
		})
		.execute();
}

const open = (n: number, count: number, first: number, last: number) =>
	shop.db
		.insertInto("document_openings")
		.values({ document_id: uuid(n), day: shop.after(first), count, first_at: shop.after(first), last_at: shop.after(last) })
		.execute();

/** Inserts an e-mail that left. @param stored without it, nothing of its text was stored. */
async function insertMail(n: number, order: Order, kind: string, stored: { recipient: string | null; files?: number } | null) {
	const sentAt = shop.after(n * hour);
	await shop.db
		.insertInto("mails")
		.values({ id: uuid(n), order_id: order.id, kind, created_at: sentAt, sent_at: sentAt })
		.execute();
	if (stored === null) return;
	const { recipient, files = 0 } = stored;
	const attachments = Array.from({ length: files }, (_, index) => ({
		name: `${index}.pdf`,
		bytes: 10 + index,
		sha256: `${index}`.repeat(64),
	}));
	const content = await packContent({ subject: `Sujet ${n}`, text: `Texte ${n}`, html: `<p>${n}</p>` });
	await shop.inTransaction((trx) =>
		insertSentEmail(trx, { mailId: uuid(n), orderId: order.id, kind, sentAt, recipient, attachments, addresses: [], content }),
	);
}

async function insertConversation(n: number, order: Order, email: string, messages: [direction: "in" | "out", author: string][]) {
	const id = uuid(n);
	await shop.db
		.insertInto("conversations")
		.values({ id, order_id: order.id, order_found: "number", email, name: "X", subject: `Objet ${n}`, last_at: shop.after(n * hour) })
		.execute();
	for (const [index, [direction, author]] of messages.entries())
		await shop.db
			.insertInto("conversation_messages")
			.values({
				...{ id: uuid(n * 10 + index), conversation_id: id, direction, author, text: `Message ${n}.${index}`, attachments: toJson([]) },
				created_at: shop.after((n + index) * hour),
			})
			.execute();
}

/** The texts of the archive one after the other, and the names of its other files. */
async function read(order: Order): Promise<string> {
	const files = [...readZip(await buffer(await createEvidenceZip(shop as unknown as Shop, order)))];
	const isText = (name: string) => !/\.(html|pdf)$/.test(name);
	// the text of an e-mail that is composed again is compared beside its template
	const shorten = (name: string, text: string) => (name.endsWith("-recompose.txt") ? `${text.split("\n\n")[0]}\n` : text);
	const texts = files.filter(([name]) => isText(name)).map(([name, content]) => `=== ${name}\n${shorten(name, `${content}`)}`);
	const others = files.filter(([name]) => !isText(name)).map(([name]) => name);
	return `${[...texts, `=== other files\n${others.join("\n")}`].join("\n")}\n`.replaceAll("\u00a0", " ");
}

// a change of these texts is read first, then written to the files: npx vitest run app/desk/money/evidence -u
test("the evidence of one order says word for word what its file says", async () => {
	const order = await insertOrder(1, {
		...{ phone: "06 12 34 56 78", address: "1 rue de la Paix", postal_code: "75002", city: "Paris", reference: "2026-114" },
		...{ delivery_email: "bob@example.fr", promised_at: shop.after(3 * hour), completed_at: shop.after(2 * hour) },
		...{ terms_accepted_at: shop.start, withdrawal_waived_at: shop.start, consent_text_version: "2026-09-01" },
	});
	const payment = await shop.insertPayment(order, {
		...{ id: "pi_1", dispute_status: "open", dispute_reason: "product_not_received", dispute_due_at: shop.after(100 * hour) },
	});
	await shop.insertPayment(order, {
		id: "pi_2",
		role: "surplus",
		created_at: shop.after(hour),
		dispute_status: "lost",
		dispute_reason: null,
	});
	await shop.insertPayment(order, { id: "pi_3", role: "mismatch", created_at: shop.after(2 * hour) });
	await shop.insertRefund(payment, { amount_cents: 1000, reason: "late" });
	await insertDocument(4, order, "kbis");
	await insertDocument(5, order, "invoice");
	await insertDocument(6, order, "kbis", { replaced_at: shop.after(7 * hour), purged_at: shop.after(7 * hour) });
	await insertDocument(7, order, "credit_note", { storage_path: "lost" });
	await open(4, 1, 5 * hour, 5 * hour);
	await open(4, 3, 30 * hour, 31 * hour);
	await insertMail(2, order, "confirmation", { recipient: "ada@example.fr", files: 2 });
	await insertMail(3, order, "late", { recipient: null });
	await insertMail(4, order, "failed", null);
	await insertMail(5, order, "alert-late", { recipient: "boutique@example.fr" });
	await shop.db
		.updateTable("mails")
		.set({ bounced_at: shop.after(9 * hour) })
		.where("id", "=", uuid(3))
		.execute();
	for (const type of ["created", "mail_sent", "completed"] as const)
		await shop.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type, now: shop.after(hour) }));
	await insertConversation(1, order, "Ada@example.fr", [
		["in", "ada@example.fr"],
		["out", "Grace"],
		["in", "eve@example.com"],
	]);
	await insertConversation(2, order, "eve@example.com", [["in", "eve@example.com"]]);
	await expect(await read(order)).toMatchFileSnapshot("evidence-order.txt");
});

test("the evidence of a purchase has a part for each of its orders", async () => {
	const orders = [
		await insertOrder(3, { purchase_id: uuid(3), purchase_line: 1, product_code: "standard" }),
		await insertOrder(4, {
			...{ purchase_id: uuid(3), purchase_line: 2, product_code: "postal", reference: "2026-115", tracking_number: "1A23456789012" },
			...{ promised_at: shop.after(3 * hour), completed_at: shop.after(2 * hour) },
		}),
	] as const;
	const payment = await shop.insertPayment(orders[0], { id: "pi_4", amount_cents: 8300, dispute_status: "open", dispute_reason: "new" });
	await shop.insertRefund(payment, { order_id: orders[1].id, amount_cents: 4400, status: "failed" });
	await insertDocument(8, orders[1], "kbis");
	await insertMail(6, orders[0], "confirmation", { recipient: "ada@example.fr" });
	await insertMail(7, orders[1], "posted", { recipient: "ada@example.fr" });
	await shop.db.updateTable("orders").set({ customer_email: "bob@example.fr" }).where("id", "=", orders[1].id).execute();
	await insertConversation(3, orders[0], "eve@example.com", [["in", "eve@example.com"]]);
	await expect(await read(await shop.getOrder(orders[1].id))).toMatchFileSnapshot("evidence-purchase.txt");
});

test("an archive is read no faster than its client takes it", async () => {
	const order = await insertOrder(6, {});
	const count = 40;
	for (let n = 100; n < 100 + count; n++) await insertDocument(n, order, "kbis", { replaced_at: shop.start });
	const content = Buffer.alloc(100_000);
	let [reads, taken, mostAhead] = [0, 0, 0];
	const storage = {
		...shop.storage,
		async get() {
			mostAhead = Math.max(mostAhead, reads++ - taken / content.length);
			return content;
		},
	};
	for await (const chunk of await createEvidenceZip({ ...shop, storage } as unknown as Shop, order)) {
		taken += chunk.length;
		// a slow client
		for (let query = 0; query < 10; query++) await shop.getOrder(order.id);
	}
	expect(reads).toBe(count);
	expect(mostAhead).toBeLessThan(count / 4);
});

test("an archive that cannot be completed breaks off", async () => {
	const order = await insertOrder(5, {});
	await insertDocument(9, order, "kbis", { storage_path: "lost" });
	const log = {
		warn() {
			throw new Error("no log");
		},
	};
	await expect(buffer(await createEvidenceZip({ ...shop, log } as unknown as Shop, order))).rejects.toThrow("no log");
});
