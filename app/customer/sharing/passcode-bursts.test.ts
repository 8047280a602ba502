import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createSharing } from "../../../test/fixtures/sharing.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { hashPasscode, isPasscode } from "./passcode.server.ts";
import { maxCodeFailures } from "./share-rules.ts";

// Many passcodes and many processes at once. opening.test.ts has one of each.

let shop: TestShop;
let sharing: ReturnType<typeof createSharing>;
let placed: Awaited<ReturnType<TestShop["completeOrder"]>>;
const start = new Date("2026-11-20T09:00:00Z");
const lines: string[] = [];
beforeAll(async () => {
	const variables = { TRUSTED_PROXIES: "1", LOG_LEVEL: "info" };
	shop = await createTestShop({ now: () => start, variables, onLog: (line) => lines.push(line) });
	sharing = createSharing(shop);
	placed = await shop.completeOrder();
});
beforeEach(async () => {
	await shop.shop.db.deleteFrom("document_shares").execute();
	await sql`delete from rate_limits`.execute(shop.shop.db);
});
afterAll(() => shop?.close());

test("fifty passcodes at once from one client: five are compared, whatever they are", async () => {
	const path = await sharing.share(placed.number, { code: "Bleu 42" });
	const answers = await Promise.all(Array.from({ length: 50 }, (_, place) => sharing.open(path, `code ${place}`)));
	expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
	const limited = answers.filter(({ status }) => status === 429);
	expect(limited).toHaveLength(45);
	for (const { headers, text } of limited) {
		expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
		expect(text).toContain("Trop d’essais. Réessayez dans un quart d’heure.");
	}
	// not even the right one, for this client; others are not locked out
	expect((await sharing.open(path, "Bleu 42")).status).toBe(429);
	expect((await sharing.open(path, "Bleu 42", "192.0.2.9")).status).toBe(200);
});

test("a client tries twenty passcodes in all, on however many links", async () => {
	const paths = [];
	for (let count = 0; count < 5; count++) paths.push(await sharing.share(placed.number, { code: "Bleu 42" }));
	const answers = [];
	for (const path of paths) for (let count = 0; count < 5; count++) answers.push((await sharing.open(path, "rouge")).status);
	expect(answers.filter((status) => status === 403)).toHaveLength(20);
	expect(answers.slice(20)).toEqual([429, 429, 429, 429, 429]);
});

test("many clients at once: after fifty wrong passcodes the link is blocked for good, and the customer sees it", async () => {
	const path = await sharing.share(placed.number, { code: "Bleu 42", label: "Banque Martin" });
	const { file } = await sharing.open(path, "Bleu 42", "198.51.100.1");
	const countCompared = () => lines.filter((line) => line.includes("a wrong passcode was given")).length;
	lines.length = 0;
	const answers: Awaited<ReturnType<typeof sharing.open>>[] = [];
	for (const block of [0, 20, 40])
		answers.push(...(await Promise.all(Array.from({ length: 20 }, (_, place) => sharing.open(path, "rouge", `192.0.2.${block + place}`)))));
	for (const { status, text } of answers) expect([status, text.includes("DANONE")]).toEqual([403, false]);
	expect(countCompared()).toBe(maxCodeFailures);
	const right = await sharing.open(path, "Bleu 42", "198.51.100.2");
	expect([right.status, right.text]).toEqual([403, expect.stringContaining("Ce lien est bloqué")]);
	expect((await shop.ask(file)).status).toBe(403);
	expect(await sharing.readSection(placed.number, await sharing.signIn(placed.number))).toContain("bloqué après trop de codes erronés");
});

test("right passcodes at once open the link, and block it for nobody, when one failure is left", async () => {
	const path = await sharing.share(placed.number, { code: "Bleu 42" });
	const setFailures = (code_failures: number) => shop.shop.db.updateTable("document_shares").set({ code_failures }).execute();
	await setFailures(maxCodeFailures - 1);
	const answers = await Promise.all(Array.from({ length: 15 }, (_, place) => sharing.open(path, "Bleu 42", `192.0.2.${place}`)));
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
	const [row] = await shop.shop.db.selectFrom("document_shares").select("code_failures").execute();
	expect(row?.code_failures).toBe(maxCodeFailures - 1);
	// the fiftieth wrong one
	for (const [code, client] of [
		["rouge", "192.0.2.50"],
		["Bleu 42", "192.0.2.51"],
	] as const)
		expect((await sharing.open(path, code, client)).text).toContain("Ce lien est bloqué");
});

test("with more than twenty passcodes waiting, a process refuses without comparing", async () => {
	const hashes = await Promise.all(Array.from({ length: 60 }, () => hashPasscode("fast", "bleu42")));
	expect(hashes.filter((hash) => hash !== null)).toHaveLength(22);
	const after = await hashPasscode("fast", "bleu42");
	expect(await isPasscode("fast", "bleu42", after ?? "")).toBe(true);
});

test("right passcodes are no failures", async () => {
	const path = await sharing.share(placed.number, { code: "Bleu 42" });
	for (let place = 0; place < maxCodeFailures + 2; place++)
		expect((await sharing.open(path, "Bleu 42", `192.0.2.${place}`)).status).toBe(200);
});

test("a revoked link is dead at once in every process, also where it was open before", async () => {
	// the second process has the files of the first
	const variables = { DATA_DIR: shop.shop.environment.dataDir };
	const other = await createTestShop({ now: () => start, variables, database: { connection: shop.connection, close: async () => {} } });
	try {
		const elsewhere = createSharing(other);
		for (let round = 0; round < 3; round++) {
			const path = await sharing.share(placed.number);
			const { file } = await elsewhere.open(path);
			for (const address of [path, path, file, file]) expect((await other.ask(address)).status).toBe(200);
			await sharing.revoke(placed.number);
			for (const address of [path, file]) expect((await other.ask(address)).status).toBe(410);
			expect((await elsewhere.open(path)).status).toBe(410);
		}
	} finally {
		await other.close();
	}
});
