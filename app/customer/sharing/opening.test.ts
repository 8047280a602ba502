import { createHash, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSharing } from "../../../test/fixtures/sharing.ts";
import { publishNotice, recordReading } from "../../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { switchBulletinOn } from "../../../test/watch.ts";
import { describeShareLanding, openShare } from "./open-share.server.ts";
import { hashPasscode } from "./passcode.server.ts";
import { maxCodeFailures } from "./share-rules.ts";

// The reader's side: opening a link, its passcode, and every way in which it does not open.

let shop: TestShop;
let sharing: ReturnType<typeof createSharing>;
let placed: Awaited<ReturnType<TestShop["completeOrder"]>>;
const start = new Date("2026-11-20T09:00:00Z");
let at = start;
const lines: string[] = [];
beforeAll(async () => {
	const variables = { TRUSTED_PROXIES: "1", LOG_LEVEL: "info" };
	shop = await createTestShop({ now: () => at, variables, onLog: (line) => lines.push(line) });
	sharing = createSharing(shop);
	placed = await shop.completeOrder();
});
beforeEach(async () => {
	at = start;
	await shop.shop.db.deleteFrom("document_shares").execute();
	await sql`delete from rate_limits`.execute(shop.shop.db);
});
afterAll(() => shop?.close());

const extract = (id = placed.id) =>
	shop.shop.db
		.selectFrom("documents")
		.selectAll()
		.where("order_id", "=", id)
		.where("doc_type", "=", "kbis")
		.where("replaced_at", "is", null)
		.executeTakeFirstOrThrow();
const later = (milliseconds: number) => {
	at = new Date(start.getTime() + milliseconds);
};
const day = 86_400_000;

const secretsOf = async () => {
	const { customer_email, first_name, last_name, phone, address, order_number, id } = await shop.orderRow(placed.id);
	return [customer_email, first_name, last_name, phone, address, order_number, id].filter(
		(text): text is string => typeof text === "string" && text !== "",
	);
};

test("a link shows a button and the company of the extract, and nothing of the customer", async () => {
	const path = await sharing.share(placed.number, { label: "Banque Martin" });
	const { status, headers, html, text } = await sharing.read(shop.ask(path));
	expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
		status: 200,
		"cache-control": "no-store",
		"referrer-policy": "strict-origin",
		"x-robots-tag": "noindex",
	});
	expect(headers.get("etag")).toBeNull();
	expect(headers.get("set-cookie")).toBeNull();
	expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
	expect(text).toContain("Un extrait vous est transmis");
	expect(text).toContain("Ce lien fonctionne jusqu’au vendredi 27 novembre 2026 à 10 h.");
	expect(html).toContain(`href="/politique-confidentialite#destinataire"`);
	expect(html).toContain("<title>Un extrait vous est transmis\u00a0: DANONE</title>");
	expect(text.replace(/\s+/g, " ")).toContain("Spécimen pour DANONE ( 552 032 534 )");
	for (const hidden of ["Envoyé", "Banque Martin", ...(await secretsOf())]) expect(html).not.toContain(hidden);
	expect((await shop.ask("/robots.txt").then((answer) => answer.text())).split("\n")).toContain("Disallow: /partage/");
});

test("a link says who sends it and what for, in the customer's own words, unless they wrote none", async () => {
	/** The page before it is opened, and after. */
	const read = async (fields: { sender?: string; purpose?: string }) => {
		const path = await sharing.share(placed.number, fields);
		const { html, text } = await sharing.read(shop.ask(path));
		expect(html.match(/<title>.*<\/title>/)?.[0]).toBe("<title>Un extrait vous est transmis\u00a0: DANONE</title>");
		const opened = (await sharing.open(path)).text.replace(/\n+/g, "\n");
		return { html, text: text.replace(/\n+/g, "\n"), opened };
	};
	const unverified = "Écrit par la personne qui vous transmet ce lien. ExtraitPro ne l’a pas vérifié.";
	const both = await read({ sender: "<b>Ada</b> & Cie", purpose: "Ouverture de compte" });
	expect(both.html).toContain("&lt;b&gt;Ada&lt;/b&gt; &amp; Cie");
	for (const text of [both.text, both.opened]) {
		expect(text).toContain("Envoyé par « &lt;b&gt;Ada&lt;/b&gt; &amp; Cie » pour « Ouverture de compte ».");
		expect(text).toContain(unverified);
	}
	for (const [fields, sentence] of [
		[{ sender: "Ada Lovelace" }, "Envoyé par « Ada Lovelace »."],
		[{ purpose: "Prêt" }, "Envoyé pour « Prêt »."],
	] as const) {
		const { text } = await read(fields);
		expect(text).toContain(sentence);
		expect(text).toContain(unverified);
	}
	const none = await read({});
	expect(`${none.text}${none.opened}`).not.toContain(unverified);
});

test("a link names no company that had no name, or is no longer in the register", async () => {
	const { db, environment } = shop.shop;
	const path = await sharing.share(placed.number);
	const token = path.split("/").at(-1) ?? "";
	const served = { ...shop.shop, environment: { ...environment, issuer: "manual" as const } };
	const describe = async () => {
		const door = await describeShareLanding(served, token);
		return door.ok ? [door.extractName, door.company] : door;
	};
	const setOrder = (values: { siren?: string; company_name?: string }) =>
		db.updateTable("orders").set(values).where("id", "=", placed.id).execute();
	expect(await describe()).toEqual(["Extrait Kbis", { name: "DANONE", siren: "552032534" }]);
	try {
		await setOrder({ siren: "900000001" });
		expect(await describe()).toEqual(["Extrait Kbis", null]);
		await setOrder({ siren: "552032534", company_name: "Entreprise" });
		expect(await describe()).toEqual(["Extrait Kbis", null]);
		const { html, text } = await sharing.read(shop.ask(path));
		expect(text).toContain("Un extrait vous est transmis");
		expect(html).not.toContain("552032534");
	} finally {
		await setOrder({ siren: "552032534", company_name: "DANONE" });
	}
});

test("a link says before it is opened whether the file is a demo's specimen", async () => {
	const path = await sharing.share(placed.number);
	const read = async () => (await sharing.read(shop.ask(path))).text;
	const specimen = "Ce spécimen sans valeur, qui n’est pas un extrait Kbis, a été livré par ExtraitPro";
	const extract = "Cet extrait du registre du commerce a été livré par ExtraitPro";
	const { environment } = shop.shop;
	expect([await read()].map((text) => [text.includes(specimen), text.includes(extract)])).toEqual([[true, false]]);
	Object.assign(shop.shop, { environment: { ...environment, issuer: "manual" } });
	try {
		expect([await read()].map((text) => [text.includes(specimen), text.includes(extract)])).toEqual([[false, true]]);
		for (const [company_name, heading] of [
			["AIRBUS", "Extrait Kbis d’AIRBUS ("],
			["DANONE", "Extrait Kbis de DANONE ("],
		] as const) {
			await shop.shop.db.updateTable("orders").set({ company_name }).where("id", "=", placed.id).execute();
			expect((await read()).replace(/\s+/g, " ")).toContain(heading);
		}
	} finally {
		Object.assign(shop.shop, { environment });
	}
});

test("opened, it says whose document it is, that the file is intact and until when it works, and nothing of the customer", async () => {
	await switchBulletinOn(shop.shop);
	await recordReading(shop.shop.db, new Date("2026-11-20T05:00:00Z"), { from: "2026-11-01", to: "2026-11-19" });
	const path = await sharing.share(placed.number, { label: "Banque Martin" });
	const document = await extract();
	later(86_400_000); // on the extract's own day nothing is said of the bulletin
	const { status, headers, html, text, file } = await sharing.open(path);
	expect(status).toBe(200);
	expect(headers.get("cache-control")).toBe("no-store");
	expect(headers.get("set-cookie")).toBeNull();
	expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
	for (const shown of [
		"DANONE",
		"Spécimen sans valeur",
		"Greffe\nParis",
		"Établi le\nvendredi 20 novembre 2026 à 10 h",
		"Le fichier est intact.",
		"Le lien que vous avez reçu fonctionne jusqu’au vendredi 27 novembre 2026 à 10 h",
		"Le prochain relevé du BODACC dira si une annonce a paru depuis cet extrait.",
	])
		expect(text.replace(/\n+/g, "\n")).toContain(shown);
	expect(text.replace(/\s/g, "")).toContain(document.sha256);
	expect(html).toContain(`href="/verifier/${document.id}"`);
	for (const hidden of ["Banque Martin", "/documents/", "service=", ...(await secretsOf())]) expect(html).not.toContain(hidden);
	// the framework's address of the page's data says no more
	const data = await (await shop.ask(`${path}.data`)).text();
	for (const hidden of [document.sha256, document.id, "/partage/fichier/", ...(await secretsOf())]) expect(data).not.toContain(hidden);
	expect(file).not.toContain(path.split("/").at(-1) ?? "-");
});

test("opened, it is described without anything of the customer; a company that has left the register has no greffe", async () => {
	const [code_hash, document] = [await hashPasscode("fast", "bleu42"), await extract()];
	const path = await sharing.share(placed.number, { days: "5" });
	const other = await sharing.share(placed.number, { days: "9" });
	const token = path.split("/").at(-1) ?? "";
	const setSiren = (siren: string) => shop.shop.db.updateTable("orders").set({ siren }).where("id", "=", placed.id).execute();
	const open = (code = "") => openShare(served, token, { code, client: "192.0.2.77" });
	const served = { ...shop.shop, environment: { ...shop.shop.environment, issuer: "manual" as const } };
	later(60_000);
	const opened = {
		...{ documentId: document.id, extractName: "Extrait Kbis", sha256: document.sha256, bytes: document.bytes, isReplacement: false },
		company: { name: "DANONE", siren: "552032534", greffe: "Paris" },
		...{ issuedAt: "2026-11-20T09:00:00.000Z", checkedAt: "2026-11-20T09:01:00.000Z", expiresAt: "2026-11-25T09:00:00.000Z" },
		filePath: expect.stringMatching(/^\/partage\/fichier\/[\w.-]+$/),
		...{ sender: null, purpose: null },
	};
	expect(await open()).toEqual({ ok: true, opened: { ...opened, watch: expect.anything() } });
	await setSiren("900000001");
	try {
		expect(await open()).toEqual({
			ok: true,
			opened: { ...opened, company: { name: "DANONE", siren: "900000001", greffe: null }, watch: null },
		});
	} finally {
		await setSiren("552032534");
	}

	// a passcode that is too long for one is no try, and a wrong one counts for its link alone
	await shop.shop.db.updateTable("document_shares").set({ code_hash }).execute();
	expect(await open("x".repeat(61))).toEqual({ ok: false, code: "wrong-code" });
	expect(await open("x".repeat(60))).toEqual({ ok: false, code: "wrong-code" });
	const failures = await shop.shop.db.selectFrom("document_shares").select(["expires_at", "code_failures"]).orderBy("expires_at").execute();
	expect(failures.map(({ code_failures }) => code_failures)).toEqual([1, 0]);
	expect((await sharing.open(other, "Bleu 42")).status).toBe(200);
});

test("it opens also when the opening cannot be counted", async () => {
	const path = await sharing.share(placed.number);
	await sql`alter table document_share_openings rename to openings_away`.execute(shop.shop.db);
	try {
		const { status, file } = await sharing.open(path);
		expect([status, (await shop.ask(file)).status]).toEqual([200, 200]);
	} finally {
		await sql`alter table openings_away rename to document_share_openings`.execute(shop.shop.db);
	}
	const { id: share } = await shop.shop.db.selectFrom("document_shares").select("id").executeTakeFirstOrThrow();
	const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.share === share);
	expect(logged.filter(({ msg }) => msg === "an opening is not recorded")).toMatchObject(Array(2).fill({ error: expect.anything() }));
	expect(logged.filter(({ kind }) => kind !== undefined)).toMatchObject([
		{ order: placed.id, kind: "opened", msg: "a shared document was opened" },
		{ order: placed.id, kind: "downloaded", msg: "a shared document was downloaded" },
	]);
});

test("it tells what was published since, and a gap of the bulletin", async () => {
	at = new Date("2026-11-25T09:00:00Z");
	const path = await sharing.share(placed.number);
	await recordReading(shop.shop.db, new Date("2026-11-25T05:00:00Z"), { from: "2026-11-01", to: "2026-11-24" });
	expect((await sharing.open(path)).text).toContain(
		"Rien n’a été publié au BODACC depuis cet extrait du 20 novembre 2026 (relevé complet jusqu’au 24 novembre 2026).",
	);
	await publishNotice(shop.shop.db, { siren: "552032534", id: "B202602342014", publishedOn: "2026-11-23", kind: "capital" });
	const { text, html } = await sharing.open(path);
	expect(text).toContain("Une modification a été publiée le 23 novembre 2026 : capital.");
	expect(text).toContain("Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 25 novembre 2026.");
	expect(html).not.toContain("service=");
});

test("the file is the delivered one, byte for byte, and is not cached, indexed or executed", async () => {
	const { file } = await sharing.open(await sharing.share(placed.number));
	const answer = await shop.ask(file);
	expect(Object.fromEntries(answer.headers)).toMatchObject({
		"content-type": "application/pdf",
		"content-disposition": expect.stringMatching(/^attachment; filename="Kbis_DANONE_552032534_2026-11-20\.pdf"$/),
		"cache-control": "no-store",
		"x-robots-tag": "noindex",
		"content-security-policy": expect.stringContaining("sandbox"),
	});
	const bytes = Buffer.from(await answer.arrayBuffer());
	const { sha256, storage_path } = await extract();
	expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
	expect(bytes.equals(readFileSync(join(shop.shop.environment.dataDir, "documents", storage_path)))).toBe(true);
});

describe("a link is dead", () => {
	test.each<[string, () => Promise<unknown>, () => Promise<unknown>, number, string]>([
		["when it is revoked", () => sharing.revoke(placed.number), async () => {}, 410, "Ce lien a été retiré"],
		["when its time is over", async () => later(7 * day), async () => {}, 410, "Ce lien a expiré"],
		[
			"while the payment is disputed, without saying so",
			() => shop.shop.db.updateTable("orders").set({ disputed_at: at }).where("id", "=", placed.id).execute(),
			() => shop.shop.db.updateTable("orders").set({ disputed_at: null }).where("id", "=", placed.id).execute(),
			403,
			"Ce document ne peut pas être ouvert",
		],
		[
			"when the extract is purged",
			async () =>
				shop.shop.db
					.updateTable("documents")
					.set({ purged_at: at })
					.where("id", "=", (await extract()).id)
					.execute(),
			async () => shop.shop.db.updateTable("documents").set({ purged_at: null }).where("order_id", "=", placed.id).execute(),
			410,
			"Ce document n’est plus disponible",
		],
		[
			"when it is no longer stored",
			() => shop.shop.db.deleteFrom("document_shares").execute(),
			async () => {},
			410,
			"Ce document n’est plus disponible",
		],
	])("%s: at its address, by its button, and at the file of its open page", async (_, end, undo, status, title) => {
		const path = await sharing.share(placed.number);
		const { file } = await sharing.open(path);
		expect((await shop.ask(file)).status).toBe(200);
		await end();
		// the key of the file lives for an hour: here it is of the same minute
		const fresh = title.includes("expiré") ? null : file;
		try {
			await checkDead();
		} finally {
			await undo();
		}
		async function checkDead() {
			for (const answer of [sharing.read(shop.ask(path)), sharing.open(path), ...(fresh ? [sharing.read(shop.ask(fresh))] : [])]) {
				const { status: found, text, html, headers } = await answer;
				expect(found).toBe(status);
				expect(text).toContain(title);
				expect(text).not.toMatch(/contest|banque/i);
				expect(headers.get("cache-control")).toBe("no-store");
				for (const hidden of ["DANONE", ...(await secretsOf())]) expect(html).not.toContain(hidden);
			}
		}
	});

	test.each<[string, (path: string) => string, number]>([
		["unknown", () => "/partage/abc", 404],
		["cut", (path) => path.slice(0, -1), 403],
		["altered", (path) => path.replace(/.$/, (last) => (last === "A" ? "B" : "A")), 403],
		["of another id", () => `/partage/${Buffer.from(randomUUID()).toString("base64url")}.${"A".repeat(43)}`, 403],
		["signed for another purpose", () => `/partage/${shop.shop.signer.sign("document", randomUUID())}`, 403],
	])("when it is %s", async (_, change, status) => {
		const path = change(await sharing.share(placed.number));
		for (const answer of [await sharing.read(shop.ask(path)), await sharing.open(path)]) {
			expect(answer.status).toBe(status);
			expect(answer.text).toContain("Ce lien ne fonctionne pas");
		}
		expect((await shop.ask(path.replace("/partage/", "/partage/fichier/"))).status).toBe(403);
	});

	test("at the file, an hour after its page was opened; the link opens it again", async () => {
		const path = await sharing.share(placed.number);
		const { file } = await sharing.open(path);
		later(3_599_000);
		expect((await shop.ask(file)).status).toBe(200);
		later(3_600_000);
		const expired = await sharing.read(shop.ask(file));
		expect([expired.status, expired.text]).toEqual([410, expect.stringContaining("Ce téléchargement a expiré")]);
		expect((await shop.ask((await sharing.open(path)).file)).status).toBe(200);
	});

	test("at the file when the link expires before that hour", async () => {
		const path = await sharing.share(placed.number, { days: "1" });
		later(day - 1000);
		const { file } = await sharing.open(path);
		later(day);
		expect((await sharing.read(shop.ask(file))).text).toContain("Ce lien a expiré");
	});
});

test("a file that was altered is not given, and the operator is told", async () => {
	const { storage_path } = await extract();
	const stored = join(shop.shop.environment.dataDir, "documents", storage_path);
	const path = await sharing.share(placed.number);
	const { file } = await sharing.open(path);
	const original = readFileSync(stored);
	writeFileSync(stored, Buffer.concat([original, Buffer.from("\n")]));
	for (const answer of [await sharing.open(path), await sharing.read(shop.ask(file))]) {
		expect(answer.status).toBe(503);
		expect(answer.headers.get("retry-after")).toBe("300");
		expect(answer.text).toContain("n’est plus identique à celui que nous avons livré");
		expect(answer.text).not.toContain("intact.");
	}
	expect(await shop.getMails(placed, "alert-document-lost")).toHaveLength(1);
	writeFileSync(stored, original);
	expect((await sharing.open(path)).text).toContain("Le fichier est intact.");
});

test("a replaced extract: the reader is told, and gets the one that took its place", async () => {
	const { number, id } = await shop.completeOrder();
	const path = await sharing.share(number);
	const old = await extract(id);
	const bytes = Buffer.from("%PDF-1.7 another extract");
	const stored = await shop.shop.storage.put(bytes);
	const { db } = shop.shop;
	await db.updateTable("documents").set({ replaced_at: at, replaced_because: "page manquante" }).where("id", "=", old.id).execute();
	const { purged_at: _, ...row } = old;
	const current = { ...row, id: randomUUID(), sha256: stored.sha256, storage_path: stored.path, bytes: stored.bytes };
	await db.insertInto("documents").values(current).execute();
	const { text, file, html } = await sharing.open(path);
	expect(text).toContain("L’extrait qui vous a été transmis a été remplacé.");
	expect(text.replace(/\s/g, "")).toContain(stored.sha256);
	expect(html).toContain(`/verifier/${current.id}`);
	expect(html).not.toContain("manquante");
	expect(Buffer.from(await (await shop.ask(file)).arrayBuffer()).equals(bytes)).toBe(true);
});

describe("a passcode", () => {
	test("opens in any writing, by telephone; without it nothing is said", async () => {
		const path = await sharing.share(placed.number, { code: "Été 42" });
		const door = await sharing.read(shop.ask(path));
		expect(door.html).toContain('name="code"');
		expect(door.text).toContain("Le nom de l’entreprise s’affiche après le code.");
		for (const right of ["Été 42", " été42 ", "ÉTÉ ４ ２", "e\u0301te\u0301 42"])
			expect((await sharing.open(path, right)).status, right).toBe(200);
		for (const wrong of ["ete 42", "Été 43"]) {
			const { status, text, html } = await sharing.open(path, wrong, "192.0.2.2");
			expect(status).toBe(403);
			expect(text).toContain("Ce code est incorrect.");
			for (const hidden of ["DANONE", "/partage/fichier/", wrong, ...(await secretsOf())]) expect(html).not.toContain(hidden);
		}
		// nothing typed is no try
		for (let count = 0; count < 10; count++) expect((await sharing.open(path, "", "192.0.2.3")).text).toContain("Indiquez le code.");
		expect((await sharing.open(path, "été 42", "192.0.2.3")).status).toBe(200);
		expect(lines.join("\n")).not.toMatch(/été|Été/);
	});

	test("after five wrong ones a client waits, and others do not", async () => {
		const path = await sharing.share(placed.number, { code: "Bleu 42" });
		const statuses = [];
		for (let count = 0; count < 6; count++) statuses.push((await sharing.open(path, "rouge")).status);
		expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
		expect((await sharing.open(path, "Bleu 42", "192.0.2.9")).status).toBe(200);
	});

	test("after the fiftieth wrong one the link is blocked for good", async () => {
		const path = await sharing.share(placed.number, { code: "Bleu 42" });
		await shop.shop.db
			.updateTable("document_shares")
			.set({ code_failures: maxCodeFailures - 1 })
			.execute();
		for (const [code, client] of [
			["rouge", "192.0.2.50"],
			["Bleu 42", "192.0.2.51"],
		] as const)
			expect((await sharing.open(path, code, client)).text).toContain("Ce lien est bloqué");
	});
});

test("no log line has a token, an address or a name", async () => {
	const path = await sharing.share(placed.number, { label: "Banque Martin", code: "Bleu 42" });
	const { file } = await sharing.open(path, "Bleu 42");
	await shop.ask(file);
	const log = lines.join("\n");
	expect(log).toContain("/partage/:token");
	for (const secret of [path, file, path.split("/").at(-1) ?? "-", "Banque Martin", "192.0.2.1", "Bleu"]) expect(log).not.toContain(secret);
});
