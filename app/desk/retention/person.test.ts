import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDesk, type Placed, personal, type TestDesk } from "../../../test/terminal.ts";
import { insertInterest, insertMessage } from "../../customer/contact/contact.store.server.ts";
import { recordShareOpening } from "../../customer/sharing/shares.store.server.ts";
import { askForRefund } from "../../customer/tracking/ask-for-refund.server.ts";
import { refuseRefund } from "../../customer/tracking/refuse-refund.server.ts";
import { resendEmail } from "../../emails/resend-email.server.ts";
import { requeueStalledOrders } from "../../fulfilment/requeue-stalled-orders.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { exportPerson, type PersonalData } from "./export-person.server.ts";

let desk: TestDesk;
beforeAll(async () => {
	desk = await createTestDesk("specimen");
});
afterAll(() => desk?.close());

describe("one person", () => {
	const customer = { email: "Ada.L@Example.fr", deliveryEmail: "grace@example.fr" };
	const written = { label: "Banque de Mme Lovelace", sender: "Ada Lovelace", purpose: "Prêt de Mme Lovelace" };
	let paid: Placed;
	let unpaid: Placed;
	let unfinished: Placed;
	beforeAll(async () => {
		[paid, unfinished] = await Promise.all([
			desk.completeOrder({ customer }),
			desk.completeOrder({ customer: { email: "ada.l@example.fr" } }),
		]);
		unpaid = await desk.expiredOrder("ada.l@example.fr");
		await askForRefund(desk.shop, unfinished.id, "purchase", "Une erreur dans mon nom, Lovelace.");
		await desk.shop.db.transaction().execute((trx) =>
			insertMessage(trx, {
				...{
					id: crypto.randomUUID(),
					name: "Ada",
					email: "ADA.L@example.fr",
					phone: "01 99 00 11 22",
					subject: "Autre",
					siren: null,
					message: "Bonjour",
				},
				now: desk.now(),
			}),
		);
		await insertInterest(desk.shop.db, { email: "ada.l@EXAMPLE.fr", textVersion: "1", now: desk.now() });
		const subscription = { id: crypto.randomUUID(), email: "Ada.L@example.fr", source: "form" as const, text_version: "2026-11-21" };
		const letter = { id: crypto.randomUUID(), subject: "Novembre", content: "# Novembre", created_at: desk.now() };
		await desk.shop.db
			.insertInto("newsletter_subscriptions")
			.values({ ...subscription, requested_at: desk.now(), confirmed_at: desk.now() })
			.execute();
		await desk.shop.db.insertInto("newsletter_letters").values(letter).execute();
		const { id: document_id } = await desk.getExtract(paid);
		const share = { id: crypto.randomUUID(), document_id, ...written, code_hash: "0:0", created_at: desk.now() };
		await desk.shop.db
			.insertInto("document_shares")
			.values({ ...share, expires_at: desk.now() })
			.execute();
		await recordShareOpening(desk.shop.db, share.id, "opened", desk.now());
		const delivery = { letter_id: letter.id, subscription_id: subscription.id, sent_at: desk.now() };
		await desk.shop.db.insertInto("newsletter_deliveries").values(delivery).execute();
	});

	test("receives all stored data, by e-mail address in any spelling, in a file that other users cannot read", async () => {
		const file = join(desk.folder, "ada.json");
		expect(await desk.orders("export", " ada.L@example.fr ", file)).toMatchObject({ ok: true, text: expect.stringContaining(file) });
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const data = JSON.parse(readFileSync(file, "utf8")) as PersonalData;
		expect(data.orders.map((order) => order.order_number).sort()).toEqual([paid, unfinished, unpaid].map(({ number }) => number).sort());
		const whole = data.orders.find((order) => order.id === paid.id);
		expect(whole).toMatchObject({ last_name: "Lovelace", payments: [{ amount_cents: 5900 }], delivery_email: "grace@example.fr" });
		expect(whole?.events.map(({ event_type }) => event_type)).toContain("completed");
		expect(whole?.documents.map(({ doc_type }) => doc_type).sort()).toEqual(["invoice", "kbis"]);
		expect(whole?.mails.map(({ kind }) => kind)).toContain("document-ready");
		const opened = { kind: "opened", first_at: desk.now().toISOString(), last_at: desk.now().toISOString(), count: 1 };
		const times = { created_at: desk.now().toISOString(), expires_at: desk.now().toISOString(), revoked_at: null };
		expect(whole?.shares).toEqual([{ ...written, ...times, openings: [opened] }]);
		expect(whole?.sent_emails.find(({ kind }) => kind === "confirmation")).toMatchObject({
			...{ recipient: "Ada.L@Example.fr", subject: expect.stringContaining(paid.number), text: expect.stringContaining("Lovelace") },
			attachments: [{ name: expect.stringMatching(/^Facture.+pdf$/) }, { name: expect.stringMatching(/^Conditions.+pdf$/) }],
		});
		expect(data.orders.find((order) => order.id === unfinished.id)?.refund_requests).toMatchObject([
			{ message: "Une erreur dans mon nom, Lovelace." },
		]);
		expect(data.invoices.map(({ buyer }) => buyer.name)).toEqual(["Ada Lovelace", "Ada Lovelace"]);
		expect(data.messages).toMatchObject([{ phone: "01 99 00 11 22", subject: "Autre", message: "Bonjour" }]);
		expect(data.interest).toHaveLength(1);
		const subscribed = {
			email: "Ada.L@example.fr",
			source: "form" as const,
			text_version: "2026-11-21",
			confirmed_at: desk.now().toISOString(),
		};
		expect(data.newsletter).toMatchObject([{ ...subscribed, letters: [{ subject: "Novembre", sent_at: desk.now().toISOString() }] }]);
		// what only the shop's own workings need, and the operator's own words
		for (const key of ["request_hash", "replaced_because"]) expect(readFileSync(file, "utf8")).not.toContain(key);
	});

	test("who only received a document gets no data of its customer", async () => {
		const { ok, text } = await desk.orders("export", "grace@example.fr");
		expect(ok).toBe(true);
		const data = JSON.parse(text) as PersonalData;
		expect(data).toMatchObject({ orders: [], deliveries: [{ order_number: paid.number, mails: [{ kind: "document-ready-delivery" }] }] });
		expect(text).not.toContain("Lovelace");
		expect(await desk.orders("export", "nobody@example.fr")).toEqual({ ok: false, text: "Rien n’est conservé sous cette adresse." });
		expect(await desk.orders("erase", "pas une adresse")).toMatchObject({ ok: false, text: expect.stringContaining("pas valide") });
	});

	test("is erased from finished orders, only with --yes; unfinished orders and invoices are named", async () => {
		const before = await desk.track("ada.l@example.fr", paid);
		expect(before.status).toBe(200);
		expect(await desk.orders("erase", "ada.l@example.fr")).toMatchObject({
			ok: false,
			text: expect.stringMatching(/Commandes : +3[\s\S]*lettre d’information : +1[\s\S]*Rien n’est effacé/),
		});
		expect((await desk.orderRow(paid.id)).erased_at).toBeNull();
		const { path, sha256 } = { path: (await desk.getExtract(paid)).storage_path, sha256: (await desk.getExtract(paid)).sha256 };

		const erased = await desk.orders("erase", "ADA.L@example.fr", "--yes");
		expect(erased.ok).toBe(false);
		expect(erased.text).toMatch(new RegExp(`restent : ${paid.number}\\.`));
		expect(erased.text).toMatch(new RegExp(`supprimées : ${unpaid.number}\\.`));
		expect(erased.text).toMatch(new RegExp(`ne sont pas terminées : ${unfinished.number}\\.`));
		expect(erased.text).toContain("10 ans (article L123-22 du code de commerce)");

		expect(erased.text).toContain("Inscriptions à la lettre d’information supprimées : 1.");
		for (const table of ["newsletter_subscriptions", "newsletter_deliveries"] as const)
			expect(await desk.shop.db.selectFrom(table).selectAll().execute(), table).toEqual([]);

		for (const word of [...personal, "grace"]) expect(await desk.everythingAbout(paid.id), word).not.toContain(word);
		expect(await desk.orderRow(paid.id)).toMatchObject({
			company_name: "DANONE",
			price_cents: 5900,
			status: "completed",
			erased_at: desk.now(),
		});
		expect(await desk.countRows(paid.id)).toMatchObject({ invoices: 1, payments: 1, documents: 2, orders: 1 });
		expect(await desk.countRows(paid.id)).not.toHaveProperty("sent_emails");
		for (const table of ["document_shares", "document_share_openings"] as const)
			expect(await desk.shop.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
		expect(await desk.countRows(unpaid.id)).toEqual({});
		expect(await desk.orderRow(unfinished.id)).toMatchObject({ last_name: "Lovelace", erased_at: null });

		// its pages
		for (const email of ["ada.l@example.fr", "", " "]) expect((await desk.track(email, paid)).status).not.toBe(200);
		for (const type of ["kbis", "invoice"]) expect((await desk.ask(before.getUrl(type))).status, type).toBe(410);
		expect((await desk.ask(`/confirmation/${paid.sessionId}`)).status).toBe(404);
		expect(existsSync(desk.getFilePath(path))).toBe(false);
		const verifier = await (await desk.ask(`/verifier/${(await desk.getExtract(paid)).id}`)).text();
		for (const shown of [sha256, "DANONE", "Nous ne gardons plus ce fichier"]) expect(verifier).toContain(shown);
		expect(await resendEmail(desk.shop, { orderId: paid.id, kind: "confirmation", to: "ada@example.fr" })).toMatchObject({ ok: false });
	});

	test("is not erased further until the last order is finished; then only the invoices stay", async () => {
		const again = await erasePerson(desk.shop, "ada.l@example.fr");
		expect(again).toEqual({
			orders: { erased: [], deleted: [], archived: [], unfinished: [unfinished.number], delivery: [] },
			otherEmails: 0,
			untraceableInvoices: 0,
			conversations: 0,
			orderForms: 0,
			messages: 0,
			interest: 0,
			newsletter: 0,
			companyAlerts: 0,
			customerSessions: 0,
		});
		await refuseRefund(desk.shop, unfinished.id, "Le nom est celui du greffe, Madame Lovelace.");
		await desk.getMails(unfinished, "refund-request-refused");
		expect(await desk.orders("erase", "ada.l@example.fr", "--yes")).toMatchObject({
			ok: true,
			text: expect.stringContaining(unfinished.number),
		});
		for (const word of personal) expect(await desk.everythingAbout(unfinished.id), word).not.toContain(word);
		// the law keeps their name and postal address, and nothing else: their e-mail finds no invoice
		expect(await desk.orders("export", "ada.l@example.fr")).toEqual({ ok: false, text: "Rien n’est conservé sous cette adresse." });
		const kept = await desk.shop.db.selectFrom("invoices").select("data").where("order_id", "in", [paid.id, unfinished.id]).execute();
		expect(kept).toHaveLength(2);
		for (const { data } of kept) expect(data).toMatchObject({ buyer: { name: "Ada Lovelace", address: "1 rue de la Paix" } });
		expect(JSON.stringify(kept)).not.toContain("ada.l@");
	});

	test("a recipient's address is deleted from another customer's order, which stays", async () => {
		const placed = await desk.completeOrder({ customer });
		expect(await desk.orders("erase", "Grace@example.fr", "--yes")).toMatchObject({
			ok: true,
			text: expect.stringContaining(placed.number),
		});
		expect(await desk.orderRow(placed.id)).toMatchObject({ delivery_email: null, last_name: "Lovelace", erased_at: null });
		const [{ sent_emails } = { sent_emails: [] }] = (await exportPerson(desk.shop, customer.email)).orders.filter(
			({ id }) => id === placed.id,
		);
		expect(sent_emails.find(({ kind }) => kind === "document-ready-delivery")).toMatchObject({ recipient: null });
		expect(sent_emails.find(({ kind }) => kind === "confirmation")?.text).toContain("à Ada.L@Example.fr et à [adresse effacée]");
		expect(JSON.stringify(sent_emails)).not.toContain("grace");
	});

	test("an address that an order had before is exported and erased from its e-mails", async () => {
		const placed = await desk.completeOrder({ customer: { ...customer, deliveryEmail: "before@example.fr" } });
		await desk.shop.db.updateTable("orders").set({ delivery_email: null }).where("id", "=", placed.id).execute();
		const { text } = await desk.orders("export", "before@example.fr");
		expect(JSON.parse(text)).toMatchObject({
			orders: [],
			deliveries: [],
			other_emails: expect.arrayContaining([expect.objectContaining({ kind: "document-ready-delivery" })]),
		});
		expect(text).not.toContain("Lovelace");
		expect(await desk.orders("erase", "before@example.fr", "--yes")).toMatchObject({
			ok: true,
			text: expect.stringMatching(/^E-mails sur la commande d’un autre, dont l’adresse est retirée : \d\.$/),
		});
		expect(await desk.orders("export", "before@example.fr")).toMatchObject({ ok: false });
	});

	test("a letter's recipient and address are exported and erased with the order of its customer", async () => {
		const recipient = { deliveryName: "Grace Hopper", deliveryComplement: "Bâtiment 12", deliveryAddress: "4 quai de l’Horloge" };
		const place = { deliveryPostalCode: "33000", deliveryCity: "Bordeaux" };
		const placed = await desk.completeOrder({ service: "postal", customer: { email: "posted@example.fr", ...recipient, ...place } });
		const words = ["grace hopper", "bâtiment 12", "horloge", "33000", "bordeaux"];
		const { text } = await desk.orders("export", "posted@example.fr");
		for (const word of words) expect(text.toLowerCase(), word).toContain(word);
		for (const word of words) expect(await desk.everythingAbout(placed.id), word).toContain(word);
		expect(await desk.orders("erase", "posted@example.fr", "--yes")).toMatchObject({ ok: true });
		for (const word of [...words, ...personal]) expect(await desk.everythingAbout(placed.id), word).not.toContain(word);
	});

	test("an erased order is not requeued, and its e-mails are not sent", async () => {
		await desk.shop.db.deleteFrom("mails").where("order_id", "=", paid.id).execute();
		desk.moveTo(new Date(desk.now().getTime() + 3_600_000));
		await requeueStalledOrders(desk.shop);
		const { rows } = await sql`select name from jobs.job where data->>'orderId' = ${paid.id} and state < 'completed'`.execute(desk.shop.db);
		expect(rows).toEqual([]);
	});
});
