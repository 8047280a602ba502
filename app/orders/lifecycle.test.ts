import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JobKind } from "../../server/jobs.ts";
import { establishmentFile, unitFile } from "../../test/fixtures/sirene.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { formatEuros } from "../catalogue/money.ts";
import { computePromise } from "../catalogue/promise.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { importCompanies } from "../companies/registry/sirene/import-companies.server.ts";
import type { Siren } from "../companies/siren.ts";
import { jobKinds } from "../job-kinds.ts";

const fridayEvening = new Date("2026-11-20T16:30:00Z"); // 17 h 30 in Paris
let shop: TestShop;
let alerts: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ now: () => fridayEvening, onLog: (line) => alerts.push(JSON.parse(line).msg) });
});
afterAll(() => shop?.close());

const getDocuments = (id: string) => shop.shop.db.selectFrom("documents").selectAll().where("order_id", "=", id).execute();
const folder = (name: string) => join(shop.shop.environment.dataDir, name);
const isConfirmation = (event: string) => event === "mail_sent: confirmation";
/** The text of a mail on one line, with ordinary spaces. */
const flat = (text = "") => text.replace(/\s+/g, " ");

/** The confirmation is sent beside the document, so its place in the history varies. */
async function getHistory(id: string) {
	const events = await shop.getEventTypes(id);
	expect(events.filter(isConfirmation)).toHaveLength(1);
	return events.filter((event) => !isConfirmation(event));
}

describe("from payment to delivery", () => {
	test.each(["standard", "express"] as const)("%s: the document is stored and sent by e-mail", async (service) => {
		const placed = await shop.completeOrder({ service });
		await shop.getMails(placed, "confirmation");
		expect(await getHistory(placed.id)).toEqual([
			...["created", "paid", "processing", "extract_requested", "document_issued"],
			...["mail_sent: document-ready", "document_sent", "completed"],
		]);
		expect(await shop.orderRow(placed.id)).toMatchObject({
			...{ status: "completed", paid_at: fridayEvening, completed_at: fridayEvening, tracking_number: null },
			...{ refunded_cents: 0, failure_reason: null, set_aside_at: null, late_at: null },
		});
	});

	test("the download of the mail's link is the stored file, byte for byte", async () => {
		const placed = await shop.completeOrder();
		const [mail] = await shop.getMails(placed, "document-ready");
		const link = /https?:\/\/\S+\/documents\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
		const downloaded = Buffer.from(await (await shop.ask(link)).arrayBuffer());
		const document = (await getDocuments(placed.id)).find(({ doc_type }) => doc_type === "kbis");
		const stored = readFileSync(join(folder("documents"), document?.storage_path ?? ""));
		expect(downloaded.equals(stored)).toBe(true);
		expect(downloaded.subarray(0, 5).toString()).toBe("%PDF-");
		expect(document).toMatchObject({
			...{ doc_type: "kbis", bytes: stored.length, issued_at: fridayEvening },
			sha256: createHash("sha256").update(stored).digest("hex"),
		});
	});

	test("postal: the letter is posted with a tracking number, and there is no extract to download", async () => {
		const placed = await shop.completeOrder({ service: "postal" });
		const [mail] = await shop.getMails(placed, "posted");
		await shop.getMails(placed, "confirmation");
		expect(await getHistory(placed.id)).toEqual([
			...["created", "paid", "processing", "extract_requested", "document_issued", "posted", "completed"],
			"mail_sent: posted",
		]);
		const { tracking_number } = await shop.orderRow(placed.id);
		expect(tracking_number).toMatch(/^\S{8,}$/);
		expect(mail?.text).toContain(tracking_number);
		expect(flat(mail?.text)).toContain("1 rue de la Paix, 75002 Paris");
		expect(mail?.text).not.toContain("/documents/");

		const tracked = await shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: placed.number });
		const { order, documents } = (await tracked.json()) as { order: { tracking_number: string }; documents: { doc_type: string }[] };
		expect({ number: order.tracking_number, documents }).toMatchObject({ number: tracking_number, documents: [{ doc_type: "invoice" }] });
		const page = await (await shop.ask(`/confirmation/${placed.sessionId}`)).text();
		expect(page).toContain(tracking_number);
		expect(page).not.toContain("Télécharger le KBIS");
	});

	test("nine orders placed and paid at once are all delivered, each once", async () => {
		const placed = await Promise.all(
			Array.from({ length: 9 }, (_, index) =>
				shop.placeOrder({ service: serviceCodes[index % 3], customer: { email: `client${index}@example.fr` } }),
			),
		);
		await Promise.all(placed.map(({ payUrl }) => shop.payByCard(payUrl)));
		await Promise.all(placed.map(({ id }) => shop.untilOrderIs("completed", id)));
		expect(new Set(placed.map(({ number }) => number)).size).toBe(9);
		for (const [index, order] of placed.entries()) {
			const [confirmation, ...others] = await shop.getMails(order, "confirmation");
			expect({ to: confirmation?.to, others }).toEqual({ to: `client${index}@example.fr`, others: [] });
			expect((await getDocuments(order.id)).map(({ doc_type }) => doc_type).sort()).toEqual(["invoice", "kbis"]);
			expect(await getHistory(order.id)).toHaveLength(8);
		}
	});
});

describe("the deadline of an order", () => {
	test.each([
		["standard", "lundi 23 novembre 2026 à 11 h 30"],
		["express", "lundi 23 novembre 2026 à 9 h 30"],
		["postal", "mardi 24 novembre 2026 à 18 h"],
	] as const)("%s, paid on a Friday at 17 h 30: %s", async (service, deadline) => {
		const placed = await shop.completeOrder({ service });
		const { paid_at, promised_at } = await shop.orderRow(placed.id);
		expect(promised_at).toEqual(computePromise(service, paid_at ?? new Date(0), shop.shop.openingHours));
		const [mail] = await shop.getMails(placed, "confirmation");
		expect(flat(mail?.text)).toContain(`${service === "postal" ? "Posté" : "Livré"} au plus tard : ${deadline}`);
		expect(flat(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text())).toContain(deadline.replace(/ \d{4} /, " "));
	});
});

describe("the mails", () => {
	test("go to the customer; the document goes also to the second address", async () => {
		const placed = await shop.completeOrder({ customer: { deliveryEmail: "banque@example.fr" } });
		expect(await shop.getMails(placed, "confirmation")).toMatchObject([{ to: "ada@example.fr" }]);
		expect(await shop.getMails(placed, "document-ready")).toMatchObject([{ to: "ada@example.fr" }]);
		expect(await shop.getMails(placed, "document-ready-delivery")).toMatchObject([{ to: "banque@example.fr" }]);
	});

	test("the confirmation names the service, the seller and that there is no subscription", async () => {
		const placed = await shop.completeOrder({ service: "postal" });
		const [mail] = await shop.getMails(placed, "confirmation");
		expect(mail?.subject).toBe(`DANONE\u00a0: commande ${placed.number} confirmée`);
		const text = flat(mail?.text);
		for (const expected of [
			"Bonjour Ada Lovelace",
			`Numéro de commande : ${placed.number}`,
			"DANONE (SIREN 552032534)",
			services.postal.name,
			`${flat(formatEuros(services.postal.price))} TTC`,
			"Aucun abonnement",
			`${shop.url}/suivi/${placed.number}`,
			"service privé, indépendant",
		])
			expect(text).toContain(expected);
	});

	test("the confirmation repeats the consents with version and hour", async () => {
		const consents = { terms: true, waiveWithdrawal: true, textVersion: "2026-11-01" };
		const placed = await shop.completeOrder({ consents });
		const text = flat((await shop.getMails(placed, "confirmation"))[0]?.text);
		expect(text).toContain(
			"accepté les conditions générales de vente (version du 1er novembre 2026) le vendredi 20 novembre 2026 à 17 h 30",
		);
		expect(text).toContain(
			"demandé l’exécution immédiate le vendredi 20 novembre 2026 à 17 h 30 et reconnu la perte de votre droit de rétractation",
		);
		expect(text).not.toContain("Vous gardez votre droit de rétractation");
	});

	test.each([
		["the box was left unticked", { terms: true, waiveWithdrawal: false, textVersion: "2026-11-01" }],
		["no box was shown", undefined],
	])("when %s, the right of withdrawal stays, and the order is served all the same", async (_what, consents) => {
		const placed = await shop.completeOrder({ consents });
		const text = flat((await shop.getMails(placed, "confirmation"))[0]?.text);
		expect(text).toContain("Vous avez quatorze jours pour vous rétracter");
		expect(text).not.toContain("exécution immédiate");
		expect(text.includes("Vous avez accepté les conditions générales de vente")).toBe(consents !== undefined);
	});

	test("a mail that cannot be sent is tried again, and arrives once", async () => {
		await shop.completeOrder(); // the mail folder exists
		alerts = [];
		renameSync(folder("mails"), folder("mails-away"));
		writeFileSync(folder("mails"), "a file where the letter box should be");
		const placed = await shop.placeOrder();
		await shop.payByCard(placed.payUrl);
		await vi.waitFor(() => expect(alerts).toContain("a job failed and will be tried again"), { timeout: scaledTimeout(20_000) });
		expect((await shop.orderRow(placed.id)).status).not.toBe("completed");

		rmSync(folder("mails"));
		renameSync(folder("mails-away"), folder("mails"));
		await shop.untilOrderIs("completed", placed.id);
		expect(await shop.getMails(placed, "confirmation")).toHaveLength(1);
		expect(await shop.getMails(placed, "document-ready")).toHaveLength(1);
		expect(await getHistory(placed.id)).toEqual([
			...["created", "paid", "processing", "extract_requested", "document_issued"],
			...["mail_sent: document-ready", "document_sent", "completed"],
		]);
	});
});

test("the shop schedules each kind of job that has a time, in French time; it requeues stalled orders every minute", () => {
	const scheduled = Object.entries<JobKind<never>>(jobKinds).flatMap(([name, { cron }]) =>
		cron === undefined ? [] : [{ name, cron, timezone: "Europe/Paris" }],
	);
	expect(shop.schedules).toEqual(expect.arrayContaining(scheduled));
	expect(shop.schedules).toHaveLength(scheduled.length);
	expect(jobKinds["wake-orders"].cron).toBe("* * * * *"); // as docs/architecture.md says
});

describe("companies that are not in the sample", () => {
	beforeAll(async () => {
		const files = mkdtempSync(join(tmpdir(), "generated-companies-"));
		const [units, establishments] = [join(files, "units.csv"), join(files, "establishments.csv")];
		writeFileSync(units, unitFile);
		writeFileSync(establishments, establishmentFile);
		await importCompanies(shop.connection, units, establishments);
		rmSync(files, { recursive: true });
	});

	test("a masked company is sold as « Entreprise », and its name appears nowhere", async () => {
		const placed = await shop.completeOrder({ order: { siren: "100000002", companyName: "SECRET DE FAMILLE" } });
		expect(await shop.orderRow(placed.id)).toMatchObject({ siren: "100000002", company_name: "Entreprise" });
		const [confirmation] = await shop.getMails(placed, "confirmation");
		expect(flat(confirmation?.text)).toContain("Entreprise (SIREN 100000002)");
		expect(confirmation?.text).not.toContain("SECRET");
		expect(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text()).not.toContain("SECRET");
	});

	test.each([
		["a sole trader", "100000001"],
		["a ceased company", "100000004"],
	])("%s can be ordered", async (_what, siren) => {
		await shop.completeOrder({ order: { siren } });
	});

	test("an order keeps the company's name after the company is deleted", async () => {
		const { db } = shop.shop;
		const older = await db
			.selectFrom("orders")
			.selectAll()
			.where("siren", "=", "552032534" as Siren)
			.where("status", "=", "completed")
			.executeTakeFirstOrThrow();
		const answer = await shop.postJson("/api/suivi", { email: older.customer_email, orderId: older.order_number });
		expect(await answer.json()).toMatchObject({ order: { company_name: "DANONE" } });
	});
});
