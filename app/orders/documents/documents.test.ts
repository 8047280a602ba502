import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeS3 } from "../../../test/fakes/s3.ts";
import { everyPartWorks, untilReadyzAnswers } from "../../../test/readiness.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { keyKinds, readKey, signKey } from "../keys.server.ts";

describe("a link to a document", () => {
	let shop: TestShop;
	let ahead = 0; // seconds
	let path = "";
	beforeAll(async () => {
		shop = await createTestShop({ now: () => new Date(Date.UTC(2026, 10, 20, 9) + ahead * 1000) });
		const placed = await shop.completeOrder();
		const response = await shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: placed.number });
		const { documents } = (await response.json()) as { documents: { doc_type: string; url: string }[] };
		path = documents.find(({ doc_type }) => doc_type === "kbis")?.url ?? "";
	});
	afterAll(() => shop?.close());

	const extractRow = () => shop.shop.db.selectFrom("documents").selectAll().where("doc_type", "=", "kbis").executeTakeFirstOrThrow();

	const at = (seconds: number) => {
		ahead = seconds;
		return shop.ask(path).finally(() => {
			ahead = 0;
		});
	};

	test("opens the document any number of times for exactly one day", async () => {
		expect(keyKinds.document.seconds).toBe(86_400);
		for (const seconds of [0, 0, 3600, 86_399]) expect((await at(seconds)).status, `${seconds}`).toBe(200);
		for (const seconds of [86_400, 86_401, 10 * 86_400]) {
			const response = await at(seconds);
			expect(response.status, `${seconds}`).toBe(410);
			const page = await response.text();
			expect(page).toContain("Ce lien a expiré\u00a0: il était valable 24\u00a0heures.");
			expect(page).toContain('href="/suivi-commande"');
		}
	});

	test("proves an opening when somebody gets the file, and not when a program asks for its headers", async () => {
		const count = async () => {
			const rows = await shop.shop.db.selectFrom("document_openings").select("count").execute();
			return rows.reduce((sum, row) => sum + row.count, 0);
		};
		const before = await count();
		const [head, get] = [await shop.ask(path, { method: "HEAD" }), shop.ask(path)];
		expect(head.status).toBe(200);
		const { headers } = await get;
		for (const name of ["content-type", "content-disposition", "content-length"]) expect(head.headers.get(name)).toBe(headers.get(name));
		expect(await count()).toBe(before + 1);
	});

	test("created within a second, expires one day after the start of that second", () => {
		const { signer } = shop.shop;
		const since = (milliseconds: number) => new Date(Date.UTC(2026, 10, 20) + milliseconds);
		const at = (milliseconds: number) => ({ signer, now: () => since(milliseconds) });
		const token = signKey(at(500), "document", { id: "id" });
		expect(readKey(at(86_399_999), "document", token).ok).toBe(true);
		expect(readKey(at(86_400_000), "document", token)).toEqual({ ok: false, code: "expired" });
	});

	test("gives a download with a file name that is not executed, cached, indexed or embedded", async () => {
		const response = await shop.ask(path);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "application/pdf",
			"content-disposition": expect.stringMatching(/^attachment; filename="Kbis_DANONE_552032534_\d{4}-\d\d-\d\d\.pdf"$/),
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
			"x-robots-tag": "noindex",
			"referrer-policy": expect.stringMatching(/^(no-referrer|strict-origin)$/),
			"content-security-policy": expect.stringContaining("sandbox"),
			"cross-origin-resource-policy": "same-origin",
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
		expect(Number(response.headers.get("content-length"))).toBe(bytes.byteLength);
	});

	test("the file name has company, SIREN and day, and nothing of the order", async () => {
		const name = (await shop.ask(path)).headers.get("content-disposition") ?? "";
		const { order_id, issued_at } = await extractRow();
		const { order_number } = await shop.orderRow(order_id);
		const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" }).format(issued_at);
		expect(name).toBe(`attachment; filename="Kbis_DANONE_552032534_${day}.pdf"`);
		for (const part of [...order_number.split("-").slice(1), ...order_id.split("-").filter(({ length }) => length >= 8)])
			expect(name).not.toContain(part);
	});

	test("the response is not compressed, so that length and hash match", async () => {
		const response = await shop.ask(path, { headers: { "accept-encoding": "br, gzip" } });
		expect(response.headers.get("content-encoding")).toBeNull();
		const { sha256 } = await extractRow();
		expect(
			createHash("sha256")
				.update(Buffer.from(await response.arrayBuffer()))
				.digest("hex"),
		).toBe(sha256);
	});

	test("HEAD answers like GET, without the file", async () => {
		const [get, head] = [await shop.ask(path), await shop.ask(path, { method: "HEAD" })];
		const toComparable = ({ status, headers }: Response) => {
			const { date, connection, "keep-alive": _, "x-request-id": _id, ...stable } = Object.fromEntries(headers);
			return { status, ...stable };
		};
		await get.arrayBuffer();
		expect(toComparable(head)).toEqual(toComparable(get));
		expect(await head.text()).toBe("");
		expect((await shop.ask(`${path}x`, { method: "HEAD" })).status).toBe(403);
	});

	test("still works after a mail scanner has requested it", async () => {
		const look = await shop.ask(path, { method: "HEAD" });
		expect({ status: look.status, type: look.headers.get("content-type"), body: await look.text() }).toEqual({
			...{ status: 200, type: "application/pdf", body: "" },
		});
		expect((await shop.ask(path)).status).toBe(200);
	});

	test("is refused when any character is changed, removed or added", async () => {
		const token = path.replace("/documents/", "");
		const altered = [...token].flatMap((character, index) => [
			token.slice(0, index) + (character === "A" ? "B" : "A") + token.slice(index + 1),
			token.slice(0, index) + token.slice(index + 1),
		]);
		for (const end of ["A", "=", ".", ".x", "%20", "%0A", "!"]) altered.push(token + end);
		for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
			if (!token.endsWith(last)) altered.push(token.slice(0, -1) + last);
		const read = (wrong: string) => readKey(shop.shop, "document", decodeURIComponent(wrong));
		expect(altered.filter((wrong) => !isDeepStrictEqual(read(wrong), { ok: false, code: "tampered" }))).toEqual([]);
		expect(read(token)).toMatchObject({ ok: true });
		// one of each kind through HTTP
		const [first] = await Promise.all(
			[0, 1, 60, -8, -1].map(async (at) => {
				const response = await shop.ask(`/documents/${altered.at(at)}`);
				expect(response.status, response.url).toBe(403);
				return response.text();
			}),
		);
		expect(first).toContain("Ce lien n’est pas valide.");
	});

	test("a token for another purpose opens nothing", async () => {
		const { signer, now, db } = shop.shop;
		const { id, order_id } = await db.selectFrom("documents").selectAll().executeTakeFirstOrThrow();
		const tomorrow = Math.floor(now().getTime() / 1000) + 86_400;
		// a token for another purpose has another id; a token without expiry would be valid for ever
		const others = ["track", "confirmation", "resume", "withdrawal", "newsletter-confirm", "newsletter-end", ""];
		const tokens = [...others.map((purpose) => signer.sign(purpose, `${id}.${tomorrow}`)), signer.sign("document", id), "x"];
		for (const token of [...tokens, signer.sign("resume", order_id)])
			expect((await shop.ask(`/documents/${token}`)).status, token).toBe(403);
		// links in sent e-mails still work
		expect((await shop.ask(`/documents/${signer.sign("document", `${id}.${tomorrow}`)}`)).status).toBe(200);
	});

	test("a deleted document answers like an expired link", async () => {
		const token = signKey(shop.shop, "document", { id: "00000000-0000-4000-8000-000000000000" });
		expect((await shop.ask(`/documents/${token}`)).status).toBe(410);
	});

	test("names neither customer nor order", () => {
		const [text = ""] = path.replace("/documents/", "").split(".");
		expect(Buffer.from(text, "base64url").toString()).toMatch(/^[0-9a-f-]{36}\.\d{10}$/);
	});
});

test("a shop with a bucket stores and delivers documents there, reports a lost one, and is not ready without the bucket", async () => {
	const s3 = await startFakeS3();
	let ahead = 0; // seconds
	const lines: Record<string, unknown>[] = [];
	const shop = await createTestShop({
		now: () => new Date(Date.UTC(2026, 10, 20, 9) + ahead * 1000),
		variables: {
			...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket },
			...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
		},
		onLog: (line) => void lines.push(JSON.parse(line)),
	});
	try {
		const order = await shop.completeOrder();
		const document = await shop.shop.db.selectFrom("documents").selectAll().executeTakeFirstOrThrow();
		expect(s3.files()).toContain(document.storage_path);
		const open = () => shop.ask(`/documents/${signKey(shop.shop, "document", document)}`);
		const response = await open();
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(createHash("sha256").update(bytes).digest("hex")).toBe(document.sha256);
		await untilReadyzAnswers(shop.ask, 200, everyPartWorks);

		s3.alter(document.storage_path, new TextEncoder().encode("another file"));
		for (const lose of [() => {}, () => shop.shop.storage.remove(document.storage_path)]) {
			await lose();
			lines.length = 0;
			const lost = await open();
			expect({ status: lost.status, retryAfter: lost.headers.get("retry-after") }).toEqual({ status: 503, retryAfter: "300" });
			const page = await lost.text();
			expect(page).toContain("Document momentanément indisponible</h1>");
			expect(page).toContain("Nous ne retrouvons pas ce document. Notre équipe est prévenue");
			expect(lines).toContainEqual(
				expect.objectContaining({ level: 50, order: order.id, document: document.id, reason: "lost", msg: "a document cannot be read" }),
			);
		}
		// the operator gets one alert per document
		expect(await shop.getMails(order, "alert-document-lost")).toHaveLength(1);

		await s3.down();
		const unavailable = await open();
		expect(unavailable.status).toBe(503);
		expect(await unavailable.text()).toContain("Nous n’arrivons pas à ouvrir vos documents pour le moment. Votre lien reste valable");
		expect(await shop.getMails(order, "alert-document-lost")).toHaveLength(1);
		ahead = 10;
		await untilReadyzAnswers(shop.ask, 503, { ...everyPartWorks, ok: false, storage: "down" });
	} finally {
		await shop.close();
		await s3.close();
	}
});
