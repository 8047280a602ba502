import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Trx } from "../../../server/database/database.ts";
import { type Environment, parseEnvironment } from "../../../server/environment/environment.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { invoice as example } from "../../../test/fixtures/invoice.ts";
import { insertOrder } from "../../../test/orders.ts";
import { diskStorage } from "../documents/disk-storage.server.ts";
import { issueInvoice } from "./issue-invoice.server.ts";
import {
	clearMailbox,
	countMailboxKeys,
	listFingerprints,
	listInvoicesOfMailbox,
	recordMailboxes,
	renewMailboxKeys,
} from "./mailbox-fingerprints.server.ts";
import { insertMailboxKey, listMailboxKeys } from "./mailbox-fingerprints.store.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let environment: Environment;
const folder = mkdtempSync(join(tmpdir(), "fingerprints-"));
const [present, next, third] = ["present", "next", "third"].map((name) => `the ${name} secret that is long enough to sign`) as [
	string,
	string,
	string,
];
beforeAll(async () => {
	database = await createTestDatabase();
	const parsed = parseEnvironment({ APP_SECRET: present });
	if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
	({ environment } = parsed);
});
afterAll(async () => {
	await database?.close();
	rmSync(folder, { recursive: true });
});
beforeEach(() => deleteRows(database.db, "invoices", "invoice_series", "orders", "mailbox_keys"));

const november = new Date("2026-11-24T10:00:00Z");
const minutesLater = (minutes: number) => new Date(november.getTime() + minutes * 60_000);
const inTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => database.db.transaction().execute(work);
/** A shop with these secrets, of which the first encrypts. */
const withSecrets = (...secrets: string[]) => ({ db: database.db, environment: { ...environment, secrets } });

/** Issues the invoice of a new order. */
async function issue(customer_email: string, now = november) {
	const { id } = await insertOrder(database.db, { created_at: now, status: "completed", paid_at: now, customer_email });
	const { kind: _, number: __, issuedAt: ___, corrects: ____, ...draft } = example;
	const { number } = await inTransaction((trx) => issueInvoice({ storage: diskStorage(folder) }, trx, { purchaseId: id, draft, now }));
	return { id, customer_email, number };
}

const record = (orders: Parameters<typeof recordMailboxes>[2], secrets = [present], now = november) =>
	inTransaction((trx) => recordMailboxes({ environment: { ...environment, secrets }, now: () => now }, trx, orders));
const find = async (email: string, ...secrets: string[]) =>
	(await listInvoicesOfMailbox(withSecrets(...secrets), email)).map(({ number }) => number);

test("a mailbox finds the recorded invoices of its orders, the oldest first, whatever its case", async () => {
	const later = await issue("Ada@example.fr", minutesLater(1));
	const [first, second] = [await issue("ada@example.fr", minutesLater(1)), await issue("ada@example.fr", minutesLater(2))];
	const [other, unrecorded] = [await issue("grace@example.fr"), await issue("ada@example.fr")];
	await record([first]);
	await record([second, later, other]);
	expect(await find(" ADA@example.fr", present)).toEqual([later.number, first.number, second.number]);
	expect(await find("grace@example.fr", present)).toEqual([other.number]);
	expect(await find("nobody@example.fr", present)).toEqual([]);
	expect(await countMailboxKeys(withSecrets(present))).toEqual({ all: 1, lost: 0 });
	expect(unrecorded.number).not.toBe("");
});

test("keys are listed from the newest, those of one instant by their ids", async () => {
	const [old, newest, ...same] = Array.from({ length: 8 }, () => randomUUID());
	for (const id of same) await insertMailboxKey(database.db, { id, encrypted: Buffer.alloc(1) }, november);
	await insertMailboxKey(database.db, { id: newest ?? "", encrypted: Buffer.alloc(1) }, minutesLater(1));
	await insertMailboxKey(database.db, { id: old ?? "", encrypted: Buffer.alloc(1) }, minutesLater(-1));
	expect((await listMailboxKeys(database.db)).map(({ id }) => id)).toEqual([newest, ...same.sort(), old]);
});

test("no key is made as long as no order is recorded", async () => {
	await record([]);
	expect(await countMailboxKeys(withSecrets(present))).toEqual({ all: 0, lost: 0 });
	expect(await listFingerprints(withSecrets(present), "ada@example.fr")).toEqual([]);
});

test("the erasure of a mailbox makes its invoices untraceable, and no others", async () => {
	const orders = [await issue("ada@example.fr"), await issue("ada@example.fr"), await issue("grace@example.fr")];
	await record(orders);
	expect(await clearMailbox(withSecrets(present), "ada@example.fr")).toBe(2);
	expect(await clearMailbox(withSecrets(present), "ada@example.fr")).toBe(0);
	expect(await find("ada@example.fr", present)).toEqual([]);
	expect(await find("grace@example.fr", present)).toEqual([orders[2]?.number]);
});

test("keys are encrypted again with the present secret, once; the key of a lost secret stays", async () => {
	const [first, second] = [await issue("ada@example.fr"), await issue("ada@example.fr", minutesLater(1))];
	await record([first], [third]);
	await record([second], [present], minutesLater(1));
	expect(await countMailboxKeys(withSecrets(present))).toEqual({ all: 2, lost: 1 });
	const encrypted = async () => (await listMailboxKeys(database.db)).map((key) => key.encrypted.toString("hex"));
	const before = await encrypted();
	await renewMailboxKeys(withSecrets(present));
	expect(await encrypted()).toEqual(before);
	await renewMailboxKeys(withSecrets(next, present));
	expect(await find("ada@example.fr", next)).toEqual([second.number]);
	expect(await find("ada@example.fr", present)).toEqual([]);
	expect((await encrypted())[1]).toBe(before[1]);
	// the newest key that can be decrypted is used
	const last = await issue("ada@example.fr", minutesLater(2));
	await record([last], [next, third], minutesLater(2));
	expect(await countMailboxKeys(withSecrets(next, third))).toEqual({ all: 2, lost: 0 });
	expect(await find("ada@example.fr", next)).toEqual([second.number, last.number]);
	expect(await find("ada@example.fr", third)).toEqual([first.number]);
});
