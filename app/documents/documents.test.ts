import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestShop, testShop } from "../../server/test-shop.ts";
import { diskStorage } from "./disk-storage.server.ts";
import { linkLifetime, signDocumentLink } from "./signed-link.server.ts";
import type { DocumentStorage } from "./storage.ts";

describe("the link to a document", () => {
	let shop: TestShop;
	let ahead = 0; // seconds
	let path = "";
	beforeAll(async () => {
		shop = await testShop({ now: () => new Date(Date.UTC(2026, 10, 20, 9) + ahead * 1000) });
		const placed = await shop.completeOrder();
		const answer = await shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: placed.number });
		path = ((await answer.json()) as { documents: { url: string }[] }).documents[0]?.url ?? "";
	});
	afterAll(() => shop?.close());

	const at = (seconds: number) => {
		ahead = seconds;
		return shop.ask(path).finally(() => {
			ahead = 0;
		});
	};

	test("opens it for a day, to the second, as often as it is asked", async () => {
		expect(linkLifetime).toBe(86_400);
		for (const seconds of [0, 0, 3600, 86_399]) expect((await at(seconds)).status, `${seconds}`).toBe(200);
		for (const seconds of [86_400, 86_401, 10 * 86_400]) {
			const answer = await at(seconds);
			expect(answer.status, `${seconds}`).toBe(410);
			const page = await answer.text();
			expect(page).toContain("Ce lien a expiré : il était valable 24 heures.");
			expect(page).toContain('href="/suivi-commande"');
		}
	});

	test("gives a file to be saved: named, not run, not kept on the way, not told to others", async () => {
		const answer = await shop.ask(path);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"content-type": "application/pdf",
			"content-disposition": expect.stringMatching(/^attachment; filename="kbis-[0-9a-f]{8}\.pdf"$/),
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
			"x-robots-tag": "noindex",
			"referrer-policy": expect.stringMatching(/^(no-referrer|strict-origin)$/),
			"content-security-policy": expect.stringContaining("sandbox"),
		});
		const bytes = Buffer.from(await answer.arrayBuffer());
		expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
	});

	test("a mail scanner's look does not use it up", async () => {
		const look = await shop.ask(path, { method: "HEAD" });
		expect({ status: look.status, type: look.headers.get("content-type"), body: await look.text() }).toEqual({
			...{ status: 200, type: "application/pdf", body: "" },
		});
		expect((await shop.ask(path)).status).toBe(200);
	});

	test("not a character of it can be altered, left out or added", async () => {
		const token = path.replace("/documents/", "");
		const altered = [...token].flatMap((character, index) => [
			token.slice(0, index) + (character === "A" ? "B" : "A") + token.slice(index + 1),
			token.slice(0, index) + token.slice(index + 1),
		]);
		for (const end of ["A", "=", ".", ".x", "%20", "%0A", "!"]) altered.push(token + end);
		for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
			if (!token.endsWith(last)) altered.push(token.slice(0, -1) + last);
		const answers = await Promise.all(altered.map((wrong) => shop.ask(`/documents/${wrong}`)));
		expect(answers.filter(({ status }) => status !== 403).map(({ url }) => url)).toEqual([]);
		const [first] = answers;
		expect(await first?.text()).toContain("Ce lien n’est pas valide.");
	});

	test("a signature made for another purpose opens nothing", async () => {
		const { signer, now, db } = shop.shop;
		const { id, order_id } = await db.selectFrom("documents").selectAll().executeTakeFirstOrThrow();
		const tomorrow = Math.floor(now().getTime() / 1000) + 86_400;
		const tokens = [signer.sign("track", `${id}.${tomorrow}`), signer.sign("document", id), signer.sign("resume", order_id), "x"];
		for (const token of tokens) expect((await shop.ask(`/documents/${token}`)).status, token).toBe(403);
	});

	test("a document that is gone answers as an expired link does", async () => {
		const token = signDocumentLink(shop.shop.signer, "00000000-0000-4000-8000-000000000000", shop.shop.now());
		expect((await shop.ask(`/documents/${token}`)).status).toBe(410);
	});

	test("it names neither customer nor order", () => {
		const [text = ""] = path.replace("/documents/", "").split(".");
		expect(Buffer.from(text, "base64url").toString()).toMatch(/^[0-9a-f-]{36}\.\d{10}$/);
	});
});

/** Every implementation of the contract passes the same tests: a row each. */
const implementations: { name: string; open: () => { storage: DocumentStorage; files: () => string[]; close: () => void } }[] = [
	{
		name: "disk",
		open() {
			const folder = mkdtempSync(join(tmpdir(), "documents-"));
			return {
				storage: diskStorage(join(folder, "documents")),
				files: () => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+/.test(name)),
				close: () => rmSync(folder, { recursive: true }),
			};
		},
	},
];

describe.each(implementations)("a storage: $name", ({ name, open }) => {
	let made: ReturnType<typeof open>;
	beforeAll(() => {
		made = open();
	});
	afterAll(() => made.close());

	const text = (words: string) => new TextEncoder().encode(words);

	test("has its name, and says when it is ready", async () => {
		expect(made.storage.name).toBe(name);
		expect(await made.storage.ready()).toBe(true);
	});

	test("gives back the very bytes, and their hash", async () => {
		const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
		for (const bytes of [everyByte, new Uint8Array(0), text("été"), new Uint8Array(3_000_000).fill(7)]) {
			const stored = await made.storage.put(bytes);
			expect(stored).toEqual({
				path: expect.any(String),
				sha256: createHash("sha256").update(bytes).digest("hex"),
				bytes: bytes.byteLength,
			});
			expect(Buffer.from(await made.storage.get(stored.path)).equals(bytes)).toBe(true);
		}
	});

	test("storing twice, or ten times at once, is storing once", async () => {
		const before = made.files().length;
		const stored = await Promise.all(Array.from({ length: 10 }, () => made.storage.put(text("once"))));
		expect(new Set(stored.map(({ path }) => path)).size).toBe(1);
		await made.storage.put(text("once"));
		expect(made.files()).toHaveLength(before + 1);
	});

	test("a view on a larger buffer is stored alone", async () => {
		const { path } = await made.storage.put(text("before inside after").subarray(7, 13));
		expect(Buffer.from(await made.storage.get(path)).toString()).toBe("inside");
	});

	test("what is missing is a fault", async () => {
		await expect(made.storage.get("00/0000.pdf")).rejects.toThrow();
	});
});

test("a folder that cannot be made is not ready", async () => {
	const folder = mkdtempSync(join(tmpdir(), "documents-"));
	writeFileSync(join(folder, "documents"), "a file where the folder should be");
	expect(await diskStorage(join(folder, "documents")).ready()).toBe(false);
	rmSync(folder, { recursive: true });
});
