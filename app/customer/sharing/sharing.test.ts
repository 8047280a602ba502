import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSharing } from "../../../test/fixtures/sharing.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { signKey } from "../../orders/keys.server.ts";
import type { Order } from "../../orders/order.ts";
import { createShare } from "./create-share.server.ts";
import { describeSharing } from "./describe-sharing.server.ts";
import { shareUrl } from "./share-links.server.ts";
import { deleteOldShares, insertShare, recordShareOpening, revokeShare } from "./shares.store.server.ts";

// The customer's side: making links to an extract, seeing them, and taking them back.

let shop: TestShop;
let sharing: ReturnType<typeof createSharing>;
let placed: Awaited<ReturnType<TestShop["completeOrder"]>>;
let cookie = "";
const start = new Date("2026-11-20T09:00:00Z");
let at = start;
beforeAll(async () => {
	shop = await createTestShop({ now: () => at, variables: { TRUSTED_PROXIES: "1" } });
	sharing = createSharing(shop);
	placed = await shop.completeOrder();
});
beforeEach(async () => {
	at = start;
	await shop.shop.db.deleteFrom("document_shares").execute();
	await sql`delete from rate_limits`.execute(shop.shop.db);
	cookie = await sharing.signIn(placed.number);
});
afterAll(() => shop?.close());

const make = (fields: Record<string, string>) =>
	sharing.post(placed.number, { intent: "share", label: "", days: "7", code: "", ...fields }, cookie);
const readSection = () => sharing.readSection(placed.number, cookie);
const listRows = () => shop.shop.db.selectFrom("document_shares").selectAll().orderBy("created_at").execute();
const getOrder = async () => (await shop.orderRow(placed.id)) as Order;
const setOrder = (values: { disputed_at?: Date | null; customer_email?: string; erased_at?: Date | null }) =>
	shop.shop.db.updateTable("orders").set(values).where("id", "=", placed.id).execute();

test("a link is made with a name, a period and a passcode, and is shown in full from then on", async () => {
	const made = await make({ label: "Banque Martin", days: "30", code: "Bleu 42" });
	expect([made.status, made.headers.get("location")]).toEqual([303, `/suivi/${placed.number}?partage=cree#partage`]);
	const section = await readSection();
	for (const shown of [
		"Banque Martin",
		"Créé le vendredi 20 novembre 2026 à 10 h, valable jusqu’au dimanche 20 décembre 2026 à 10 h, avec code.",
		"Jamais ouvert.",
		"Retirer ce lien",
		"au plus jusqu’au 18 février 2027",
	])
		expect(section).toContain(shown);
	const url = /value="([^"]*\/partage\/[^"]*)"/.exec(section)?.[1] ?? "";
	expect(url.startsWith(`${shop.url}/partage/`)).toBe(true);
	expect((await shop.ask(url)).status).toBe(200);
	// another visit shows the same link
	expect(await sharing.readSection(placed.number, await sharing.signIn(placed.number))).toContain(url);
	// neither the page nor the database has the passcode, and no row has the link
	expect(section).not.toMatch(/bleu/i);
	const [row] = await listRows();
	expect(row?.code_hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
	expect(JSON.stringify(row)).not.toMatch(/bleu/i);
	expect(JSON.stringify(row)).not.toContain(url.split("/").at(-1));
});

test("a link comes with a message to paste, which says what its reader sees", async () => {
	const readMessages = async () =>
		[...(await readSection()).matchAll(/<textarea[^>]*>([\s\S]*?)<\/textarea>/g)].map(([, text]) =>
			text?.trim().replace(/http\S+/, "LIEN"),
		);
	await make({ label: "Banque Martin", sender: "Ada & Cie", purpose: "Ouverture de compte", code: "Bleu 42" });
	const [first] = await readMessages();
	expect(first).toBe(
		[
			"Bonjour,",
			"Voici un document livré par ExtraitPro.\nSpécimen sans valeur : DANONE (552 032 534)\nObjet : Ouverture de compte",
			"Ouvrez ce lien, puis cliquez sur « Ouvrir l’extrait » :\nLIEN",
			"Il fonctionne jusqu’au vendredi 27 novembre 2026 à 10 h. Je vous donne le code d’accès séparément.",
			"Ada &amp; Cie",
		].join("\n\n"),
	);
	expect(await readSection()).toContain("La personne lit : Envoyé par « Ada &amp; Cie » pour « Ouverture de compte ».");
	await shop.shop.db.deleteFrom("document_shares").execute();
	await make({});
	expect(await readMessages()).toEqual([
		[
			"Bonjour,",
			"Voici un document livré par ExtraitPro.\nSpécimen sans valeur : DANONE (552 032 534)",
			"Ouvrez ce lien, puis cliquez sur « Ouvrir l’extrait » :\nLIEN",
			"Il fonctionne jusqu’au vendredi 27 novembre 2026 à 10 h.",
		].join("\n\n"),
	]);
	expect(await readSection()).not.toContain("La personne lit");
});

test("the page says that a link was made or taken back, aloud and once", async () => {
	const readNotices = async (query: string) =>
		[...(await sharing.readSection(`${placed.number}${query}`, cookie)).matchAll(/role="status"[\s\S]*?Le lien est (créé|retiré)/g)].map(
			([, act]) => act,
		);
	expect(await readNotices("?partage=cree")).toEqual([]);
	await make({});
	expect([await readNotices("?partage=cree"), await readNotices("")]).toEqual([["créé"], []]);
	const revoked = await sharing.revoke(placed.number);
	expect(revoked.headers.get("location")).toBe(`/suivi/${placed.number}?partage=retire#partage`);
	expect(await readNotices("?partage=retire")).toEqual(["retiré"]);
	at = new Date(start.getTime() + 121_000);
	expect([await readNotices("?partage=cree"), await readNotices("?partage=retire")]).toEqual([[], []]);
});

test("while the payment is disputed, the customer reads that the links open nothing", async () => {
	await make({});
	expect(await readSection()).not.toContain("contesté");
	await setOrder({ disputed_at: at });
	const section = await readSection();
	await setOrder({ disputed_at: null });
	expect(section).toContain("contesté : pour le moment, ces liens n’ouvrent plus l’extrait.");
});

test.each<[string, Record<string, string>, string]>([
	["no days", { days: "" }, "Indiquez un nombre de jours, de 1 à 90."],
	["zero days", { days: "0" }, "Indiquez un nombre de jours"],
	["too many days", { days: "91" }, "Indiquez un nombre de jours"],
	["days that are no number", { days: "1e1" }, "Indiquez un nombre de jours"],
	["a short passcode", { code: "a b c" }, "Choisissez un code de 4 à 60 caractères."],
	["a passcode with a direction override", { code: "Bleu\u202e42" }, "Choisissez un code de 4 à 60 caractères."],
	["a long passcode", { code: "a".repeat(61) }, "Choisissez un code de 4 à 60 caractères."],
	["a long sender", { sender: "x".repeat(61) }, "Écrivez au plus 60 caractères, sans adresse web ni e-mail."],
	["a sender with an e-mail address", { sender: "ada@example.fr" }, "sans adresse web ni e-mail."],
	["a sender with the name of a site", { sender: "Banque-Martin.fr" }, "sans adresse web ni e-mail."],
	["a sender with a direction override", { sender: "Ada \u202e" }, "sans adresse web ni e-mail."],
	["a long purpose", { purpose: "x".repeat(61) }, "Écrivez au plus 60 caractères, sans adresse web ni e-mail."],
	["a purpose with a URL", { purpose: "Voir http://intranet" }, "sans adresse web ni e-mail."],
	["a long name", { label: "x".repeat(61) }, "Écrivez au plus 60 caractères"],
	["a name with a direction override", { label: "Banque \u202e" }, "Écrivez au plus 60 caractères"],
])("refuses %s, with what was typed", async (_, fields, sentence) => {
	const answer = await make({ label: "Banque Martin", sender: "Me A. Durand", purpose: "Dossier 12.4", code: "secret", ...fields });
	expect(answer.status).toBe(400);
	const html = (await answer.text()).replaceAll("\u00a0", " ");
	expect(html).toContain(sentence);
	expect(html).toMatch(/<details[^>]*open=""[^>]*>(?:(?!<\/details>)[\s\S])*Créer le lien/);
	if (!("label" in fields)) expect(html).toContain('value="Banque Martin"');
	// otherwise a second try would make a link without a passcode
	if (!("code" in fields)) expect(html).toContain('value="secret"');
	if (!("sender" in fields)) expect(html).toContain('value="Me A. Durand"');
	if (!("purpose" in fields)) expect(html).toContain('value="Dossier 12.4"');
	expect(await listRows()).toEqual([]);
});

test("each wrong field gets its sentence", async () => {
	const { text } = await sharing.read(make({ sender: "ada@b", purpose: "x".repeat(61), label: "x".repeat(61), days: "x", code: "abc" }));
	for (const [sentence, fields] of [
		["caractères, sans adresse web ni e-mail.", 2],
		["caractères, sans caractère de contrôle.", 1],
		["Indiquez un nombre de jours", 1],
		["Choisissez un code de 4 à 60 caractères.", 1],
	] as const)
		expect(text.split(sentence).length - 1, sentence).toBe(2 * fields); // in the summary, and beside the field
});

test("takes each field up to its limits", async () => {
	const order = await getOrder();
	for (const typed of [
		{ label: "x".repeat(60), sender: "s".repeat(60), purpose: "p".repeat(60), days: "90", code: "a b c d" },
		{ label: "", sender: "", purpose: "", days: "1", code: "a".repeat(60) },
	])
		expect(await createShare(shop.shop, order, "purchase", typed)).toEqual({ ok: true, id: expect.any(String) });
	const rows = await shop.shop.db.selectFrom("document_shares").selectAll().orderBy("expires_at").execute();
	expect(rows.map(({ label, sender, purpose, expires_at }) => [label, sender, purpose, expires_at])).toEqual([
		[null, null, null, new Date("2026-11-21T09:00:00Z")],
		["x".repeat(60), "s".repeat(60), "p".repeat(60), new Date("2027-02-18T09:00:00Z")],
	]);
});

test("at most twenty links live at once, also when they are made at once; a revoked one makes room", async () => {
	const answers = await Promise.all(Array.from({ length: 24 }, () => make({})));
	expect(answers.filter(({ status }) => status === 303)).toHaveLength(20);
	expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
	expect(await listRows()).toHaveLength(20);
	expect((await sharing.revoke(placed.number)).status).toBe(303);
	expect((await make({})).status).toBe(303);
	expect((await make({})).status).toBe(409);
	expect(await readSection()).toContain("Liens terminés (1)");
	// expired ones make room, too
	at = new Date(start.getTime() + 8 * 86_400_000);
	cookie = await sharing.signIn(placed.number);
	expect((await make({})).status).toBe(303);
});

test("an order makes sixty links a day, because revoked ones are stored for a while", async () => {
	for (let count = 0; count < 60; count++) {
		expect((await make({})).status, `${count}`).toBe(303);
		await shop.shop.db.updateTable("document_shares").set({ revoked_at: at }).execute();
	}
	const refused = await make({});
	expect(refused.status).toBe(429);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("no link works for longer than its extract is stored", async () => {
	at = new Date("2027-01-20T09:00:00Z");
	cookie = await sharing.signIn(placed.number);
	expect((await make({ days: "90" })).status).toBe(303);
	const [row] = await listRows();
	// ninety days after the delivery
	expect(row?.expires_at.toISOString()).toBe("2027-02-18T09:00:00.000Z");
	// an extract that the purge has not deleted yet
	at = new Date("2027-02-18T09:00:00Z");
	const made = await createShare(shop.shop, await getOrder(), "purchase", { label: "", sender: "", purpose: "", days: "2", code: "" });
	const { expires_at } = await shop.shop.db
		.selectFrom("document_shares")
		.select("expires_at")
		.where("id", "=", made.ok ? made.id : null)
		.executeTakeFirstOrThrow();
	expect(expires_at.toISOString()).toBe("2027-02-20T09:00:00.000Z");
});

test("only the customer shares: the link of an e-mail, another order and another site cannot", async () => {
	const order = await shop.orderRow(placed.id);
	const link = await shop.ask(`/suivi/${placed.number}/acces/${signKey(shop.shop, "link", order, { access: "link" })}`);
	const reading = link.headers.get("set-cookie")?.split(";")[0] ?? "";
	expect(await sharing.readSection(placed.number, reading)).toBe("");
	expect((await sharing.post(placed.number, { intent: "share", label: "", days: "7", code: "" }, reading)).status).toBe(403);
	expect(await listRows()).toEqual([]);

	const path = await sharing.share(placed.number);
	const [row] = await listRows();
	const other = await shop.completeOrder({ customer: { email: "grace@example.fr" } });
	const stranger = await sharing.signIn(other.number, "grace@example.fr");
	await sharing.post(other.number, { intent: "revoke-share", share: row?.id ?? "" }, stranger);
	await sharing.post(placed.number, { intent: "revoke-share", share: row?.id ?? "" }, stranger);
	await sharing.post(placed.number, { intent: "revoke-share", share: row?.id ?? "" }, reading);
	expect((await shop.ask(path)).status).toBe(200);
	const forged = await shop.postForm(
		`/suivi/${placed.number}`,
		{ intent: "revoke-share", share: row?.id ?? "" },
		{ cookie, origin: "https://evil.example" },
	);
	expect(forged.status).toBe(403);
	expect((await shop.ask(path)).status).toBe(200);
	expect((await sharing.post(placed.number, { intent: "revoke-share", share: "x" }, cookie)).status).toBe(303);
});

test("nothing is shared of a disputed order, a letter, or an unpaid order", async () => {
	await setOrder({ disputed_at: at });
	expect(await readSection()).toBe("");
	expect((await make({})).status).toBe(409);
	await setOrder({ disputed_at: null });
	const customer = { email: "ada@example.fr" };
	for (const { number } of [await shop.completeOrder({ service: "postal", customer }), await shop.placeOrder({ customer })]) {
		const access = await sharing.signIn(number);
		expect(await sharing.readSection(number, access)).toBe("");
		expect((await sharing.post(number, { intent: "share", label: "", days: "7", code: "" }, access)).status).toBe(409);
	}
	expect(await listRows()).toEqual([]);
});

describe("a link ends", () => {
	test("when the address of the order is corrected, with those of before only", async () => {
		const path = await sharing.share(placed.number);
		await setOrder({ customer_email: "ada.l@example.fr" });
		expect((await shop.ask(path)).status).toBe(410);
		const again = await sharing.signIn(placed.number, "ada.l@example.fr");
		expect(await sharing.readSection(placed.number, again)).toContain("Liens terminés (1)");
		await setOrder({ customer_email: "ada@example.fr" });
		cookie = await sharing.signIn(placed.number);
		await make({});
		await setOrder({ customer_email: "ada@example.fr" });
		expect((await listRows()).filter(({ revoked_at }) => revoked_at === null)).toHaveLength(1);
		// a form that was sent before the correction
		const before = { ...(await getOrder()), customer_email: "ada.l@example.fr" };
		const late = await createShare(shop.shop, before, "purchase", { label: "", sender: "", purpose: "", days: "7", code: "" });
		expect(late).toEqual({ ok: false, code: "missing" });
	});

	test("when the customer is erased: nothing of it is left", async () => {
		const path = await sharing.share(placed.number, { label: "Banque Martin" });
		await sharing.open(path);
		await setOrder({ erased_at: at });
		expect(await listRows()).toEqual([]);
		expect(await shop.shop.db.selectFrom("document_share_openings").selectAll().execute()).toEqual([]);
		expect((await sharing.read(shop.ask(path))).status).toBe(410);
		await setOrder({ erased_at: null });
	});
});

test("the section counts openings and downloads with their days, and says nothing of readers", async () => {
	const path = await sharing.share(placed.number, { label: "Banque Martin" });
	// link scanners: they request the link, and change nothing
	for (const method of ["GET", "HEAD"]) expect((await shop.ask(path, { method })).status).toBe(200);
	expect(await readSection()).toContain("Jamais ouvert.");
	const { file } = await sharing.open(path);
	await sharing.open(path);
	expect((await shop.ask(file, { method: "HEAD" })).status).toBe(200);
	expect(await readSection()).toContain("Ouvert 2 fois, téléchargé 0 fois.");
	expect((await shop.ask(file)).status).toBe(200);
	at = new Date(start.getTime() + 2 * 86_400_000);
	await sharing.open(path);
	cookie = await sharing.signIn(placed.number);
	const section = await readSection();
	for (const shown of [
		"Ouvert 3 fois, téléchargé 1 fois.",
		"Ouvert le vendredi 20 novembre 2026 à 10 h, 2 fois ce jour-là, la dernière à 10 h",
		"Ouvert le dimanche 22 novembre 2026 à 10 h",
		"Téléchargé le vendredi 20 novembre 2026 à 10 h",
	])
		expect(section).toContain(shown);
	const rows = await shop.shop.db.selectFrom("document_share_openings").selectAll().execute();
	expect(Object.keys(rows[0] ?? {}).sort()).toEqual(["count", "day", "first_at", "kind", "last_at", "share_id"]);
});

test("the section has the links of the order's extracts, the newest first, each with its own openings", async () => {
	const { db } = shop.shop;
	const order = await getOrder();
	const other = await shop.completeOrder();
	const findExtractId = async (id: string) =>
		(await db.selectFrom("documents").select("id").where("order_id", "=", id).where("doc_type", "=", "kbis").executeTakeFirstOrThrow()).id;
	const [documentId, othersId] = [await findExtractId(placed.id), await findExtractId(other.id)];
	const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
	const week = minutes(7 * 24 * 60);
	const unsaid = { sender: null, purpose: null };
	const toId = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;
	await db.transaction().execute(async (trx) => {
		for (const [digit, now, expiresAt, codeHash] of [
			[1, minutes(0), minutes(5), "x"],
			[3, minutes(3), week, null],
			[2, minutes(3), week, null],
			[4, minutes(1), week, null],
		] as const)
			await insertShare(trx, { id: toId(digit), documentId, label: `lien ${digit}`, ...unsaid, codeHash, now, expiresAt });
		await insertShare(trx, { id: toId(5), documentId: othersId, label: null, ...unsaid, codeHash: null, now: minutes(3), expiresAt: week });
	});
	for (const orderId of [other.id, placed.id, placed.id]) {
		at = new Date(at.getTime() + 60_000);
		await revokeShare(db, { id: toId(4), orderId, now: at });
	}
	// the second one is of the next day in Paris
	const [evening, night, later] = ["21:30", "23:30", "23:40"].map((time) => new Date(`2026-11-20T${time}:00Z`)) as [Date, Date, Date];
	for (const [digit, kind, now] of [
		[2, "opened", night],
		[2, "opened", evening],
		[2, "opened", later],
		[2, "downloaded", later],
		[3, "opened", night],
		[3, "opened", evening],
		[5, "opened", night],
	] as const)
		await recordShareOpening(db, toId(digit), kind, now);

	at = minutes(5);
	const describeAt = (query: string, of: Order = order) =>
		describeSharing(shop.shop, new Request(`http://shop.example/suivi/KB${query}`), of, "purchase");
	const never = { count: 0, days: [] };
	const link = (digit: number, createdAt: Date) => ({
		...{
			id: toId(digit),
			label: `lien ${digit}`,
			...unsaid,
			url: null,
			message: null,
			withCode: false,
			createdAt: createdAt.toISOString(),
		},
		...{ expiresAt: week.toISOString(), revokedAt: null, openings: never, downloads: never },
	});
	const day = (firstAt: Date, lastAt: Date, count: number) => ({ firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString(), count });
	const active = (digit: number) => {
		const url = shareUrl(shop.shop, toId(digit));
		return { state: "active", url, message: expect.stringContaining(url) };
	};
	const described = {
		...{ deletedAt: "2027-02-18T09:00:00.000Z", frozen: false, done: null },
		shares: [
			{
				...{ ...link(2, minutes(3)), ...active(2) },
				openings: { count: 3, days: [day(evening, evening, 1), day(night, later, 2)] },
				downloads: { count: 1, days: [day(later, later, 1)] },
			},
			{ ...link(3, minutes(3)), ...active(3), openings: { count: 2, days: [day(evening, evening, 1), day(night, night, 1)] } },
			{ ...link(4, minutes(1)), state: "revoked", revokedAt: minutes(2).toISOString() },
			{ ...link(1, minutes(0)), state: "expired", withCode: true, expiresAt: minutes(5).toISOString() },
		],
	};
	expect(await describeAt("")).toEqual(described);
	// two minutes after the links of the third minute, three after the end of the other one
	expect(await describeAt("?partage=cree")).toEqual({ ...described, done: "cree" });
	expect((await describeAt("?partage=retire"))?.done).toBeNull();
	at = minutes(4);
	expect((await describeAt("?partage=retire"))?.done).toBe("retire");
	expect(await describeAt("", { ...order, disputed_at: at })).toMatchObject({ frozen: true, deletedAt: null });
	expect(await describeAt("", { ...order, id: toId(9), erased_at: at })).toBeNull();
	expect((await describeAt("", { ...order, erased_at: at }))?.deletedAt).toBeNull();
	// an extract is there before the order is completed, and a replacement after it
	const delivered = (completed_at: Date | null) => describeAt("", { ...order, completed_at }).then((sharing) => sharing?.deletedAt);
	expect(await delivered(null)).toBe("2027-02-18T09:00:00.000Z");
	expect(await delivered(new Date("2026-11-19T09:00:00Z"))).toBe("2027-02-18T09:00:00.000Z");
	expect(await delivered(new Date("2026-11-21T09:00:00Z"))).toBe("2027-02-19T09:00:00.000Z");

	// the revoked one and the expired one
	expect([await deleteOldShares(db, minutes(2)), await deleteOldShares(db, minutes(5)), await deleteOldShares(db, week)]).toEqual([
		0, 1, 1,
	]);
});
