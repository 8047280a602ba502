import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type PlacedPurchase, placePurchase } from "../../../../test/purchases/place-purchase.ts";
import { readZip } from "../../../../test/purchases/read-zip.ts";
import { createTestShop, type TestShop } from "../../../../test/shop.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { signKey } from "../../../orders/keys.server.ts";

// A client that leaves in the middle of the archive of a purchase.

let shop: TestShop;
let bought: PlacedPurchase;
const lines: { level: number; msg: string; files?: number; complete?: boolean }[] = [];
/** The paths of the extracts; the jobs that write e-mails read other documents. */
const extracts = new Set<string>();
/** Those that were read from the storage. */
const read: string[] = [];
/** What each read waits for. */
let answers: Promise<void> = Promise.resolve();
const consoleError = vi.spyOn(console, "error");
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "info" }, onLog: (line) => lines.push(JSON.parse(line)) });
	bought = await placePurchase(shop, [{}, {}, {}]);
	await shop.payByCard(bought.payUrl);
	for (const { id } of bought.orders) await shop.untilOrderIs("completed", id);
	const documents = await shop.shop.db.selectFrom("documents").select("storage_path").where("doc_type", "=", "kbis").execute();
	for (const { storage_path } of documents) extracts.add(storage_path);
	const { storage } = shop.shop;
	shop.shop.storage = {
		...storage,
		async get(path) {
			if (!extracts.has(path)) return storage.get(path);
			read.push(path);
			await answers;
			const bytes = await storage.get(path);
			// the sockets of a system hold less than this first file
			return path === read[0] ? Buffer.concat([bytes, Buffer.alloc(16 * 1024 * 1024)]) : bytes;
		},
	};
});
beforeEach(() => {
	lines.length = 0;
	read.length = 0;
});
afterAll(() => shop?.close());

const getUrl = () =>
	new URL(`/documents/ensemble/${signKey(shop.shop, "files", bought.orders[0], { access: "purchase-link", from: new Date() })}`, shop.url);
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: scaledTimeout(5_000), interval: 25 });
const findEnd = () => lines.find(({ msg }) => msg === "the documents of a purchase were downloaded");

/** Waits until the archive has ended, which reads no further file. */
async function untilLeft(): Promise<void> {
	await waitFor(() => expect(findEnd()).toMatchObject({ files: 1, complete: false }));
	expect(read).toHaveLength(1);
	expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
	expect(consoleError).not.toHaveBeenCalled();
}

async function downloadAll(): Promise<void> {
	read.length = 0;
	const response = await fetch(getUrl());
	expect(response.status).toBe(200);
	const names = [...readZip(Buffer.from(await response.arrayBuffer())).keys()];
	expect(names).toEqual([...bought.orders.map(({ order_number }) => `Kbis_DANONE_${order_number}.pdf`), "manifeste.csv"]);
	expect(read).toHaveLength(3);
}

test("while it takes a file: no other is read, no error is logged, and the next download is whole", async () => {
	const response = await new Promise<IncomingMessage>((resolve) => get(getUrl(), resolve));
	await new Promise((resolve) => response.once("readable", resolve));
	response.destroy();
	await untilLeft();
	await downloadAll();
});

test("while the storage reads a file: the same", async () => {
	const gate = Promise.withResolvers<void>();
	answers = gate.promise;
	const request = get(getUrl()).on("error", () => {});
	await waitFor(() => expect(read).toHaveLength(1));
	const closed = new Promise((resolve) => request.once("close", resolve));
	request.destroy();
	await closed;
	gate.resolve();
	await untilLeft();
	await downloadAll();
});
