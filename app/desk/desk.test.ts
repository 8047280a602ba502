import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestShop, testShop } from "../../server/test-shop.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import { extractLines, madeUpPdf } from "../issuing/made-up-pdf.ts";
import { askForRefund } from "../orders/ask-for-refund.server.ts";
import { runVerb } from "./run-verb.server.ts";

type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;

let shop: TestShop;
let input: string | null = null;
const folder = mkdtempSync(join(tmpdir(), "desk-"));
let at = new Date("2026-11-20T10:00:00Z"); // a Friday, in opening hours
const now = () => at;
beforeAll(async () => {
	shop = await testShop({ variables: { ISSUER: "manual", LOG_LEVEL: "silent" }, now });
});
afterAll(async () => {
	await shop?.close();
	rmSync(folder, { recursive: true });
});
beforeEach(() => {
	input = null;
});

/** What the operator is told, with ordinary spaces. */
async function orders(...args: string[]) {
	const readInput = async () => (input === null ? null : new TextEncoder().encode(input));
	const { ok, text } = await runVerb({ shop: shop.shop, readInput }, args);
	return { ok, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

async function paidOrder(service: ServiceCode = "express", customer: Record<string, unknown> = {}): Promise<Placed> {
	const placed = await shop.placeOrder({ service, customer });
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("processing", placed.id);
	await shop.mailsOf(placed, "confirmation");
	return placed;
}

let made = 0;
/** An extract like no other, on disk. */
function extractFile(dated?: string): string {
	const file = join(folder, `${++made}.pdf`);
	writeFileSync(file, madeUpPdf({ lines: [...extractLines({ dated }), `Exemplaire ${made}`] }));
	return file;
}
const today = "à jour au 20/11/2026 à 10:32";

async function deliveredOrder(customer: Record<string, unknown> = {}): Promise<Placed> {
	const placed = await paidOrder("express", customer);
	expect(await orders("upload", placed.number, extractFile(today))).toMatchObject({ ok: true });
	await shop.untilOrderIs("completed", placed.id);
	return placed;
}

const refundsOf = (placed: Placed) =>
	shop.shop.db.selectFrom("refunds").selectAll().where("order_id", "=", placed.id).orderBy("requested_at").execute();
const untilRefunded = (placed: Placed, cents: number) =>
	vi.waitFor(async () => expect((await shop.orderRow(placed.id)).refunded_cents).toBe(cents), { timeout: 20_000, interval: 25 });

describe("what is wrong is said in a sentence", () => {
	test("nothing, an unknown verb, a missing word, an unknown option, an unknown order", async () => {
		expect(await orders()).toMatchObject({ ok: false, text: expect.stringContaining("Usage : npm run orders -- <verbe>") });
		for (const verb of ["list", "show", "upload", "post", "not-found", "fail", "refund", "refuse-refund", "resend", "bounce"])
			expect((await orders()).text).toContain(`  ${verb}`);
		expect(await orders("toString")).toMatchObject({ ok: false, text: expect.stringContaining("n’est pas un verbe") });
		expect(await orders("show")).toEqual({ ok: false, text: "Usage : npm run orders -- show KB-…" });
		expect((await orders("list", "--soon")).text).toContain("Usage : npm run orders -- list [--status");
		expect(await orders("show", "KB-2222-2222")).toEqual({ ok: false, text: "La commande KB-2222-2222 n’existe pas." });
		expect(await orders("list", "--status", "payée")).toMatchObject({ ok: false, text: expect.stringContaining("n’est pas un état") });
	});
});

describe("an order by e-mail", () => {
	test("is listed with its time left, takes its extract and is delivered; the same again is no fault", async () => {
		const placed = await paidOrder();
		const listed = (await orders("list")).text.split("\n").find((line) => line.includes(placed.number));
		expect(listed).toMatch(/^2 h 00 +KB-\S+ +KBIS Express +DANONE \(552032534\) +En traitement +20\/11\/2026 13:00$/);

		expect(await orders("upload", placed.number, join(folder, "none.pdf"))).toMatchObject({
			ok: false,
			text: expect.stringContaining("ne se lit pas"),
		});
		const old = extractFile("à jour au 3 novembre 2026");
		expect(await orders("upload", placed.number, old)).toMatchObject({ ok: false, text: expect.stringContaining("--confirm-date") });
		expect(await orders("upload", placed.number, old, "--confirm-date")).toMatchObject({
			ok: true,
			text: expect.stringContaining("déposé"),
		});
		await shop.untilOrderIs("completed", placed.id);
		expect(await orders("upload", placed.number, old)).toEqual({ ok: false, text: "Cette commande est déjà terminée." });
		expect((await orders("list")).text).not.toContain(placed.number);
		expect((await orders("list", "--status", "completed")).text).toContain(placed.number);
	});

	test("everything about it is shown, found by number or UUID", async () => {
		const placed = await deliveredOrder({ deliveryEmail: "grace@example.fr" });
		for (const name of [placed.number.toLowerCase(), placed.id]) {
			const { ok, text } = await orders("show", name);
			expect(ok).toBe(true);
			for (const shown of [
				...[placed.number, placed.id, "Terminé", "KBIS Express, 59,00 €", "DANONE (SIREN 552032534)", "Ada Lovelace"],
				...["ada@example.fr", "grace@example.fr", "Paiement reçu", "règle la commande", "F2026-0", "document-ready", "Extrait  "],
				...["Extrait déposé le", placed.sessionId],
			])
				expect(text).toContain(shown);
			const { sha256 } = await shop.shop.db
				.selectFrom("documents")
				.select("sha256")
				.where("order_id", "=", placed.id)
				.where("doc_type", "=", "kbis")
				.executeTakeFirstOrThrow();
			expect(text).toContain(sha256);
		}
	});

	test("that the registry knows nothing of fails and is refunded, once", async () => {
		const placed = await paidOrder();
		expect(await orders("not-found", placed.number)).toMatchObject({ ok: true });
		await shop.untilOrderIs("failed", placed.id);
		await untilRefunded(placed, 5900);
		expect(await orders("not-found", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("déjà") });
		expect(await refundsOf(placed)).toHaveLength(1);
	});

	test("that the operator gives up is refunded in full, once", async () => {
		const placed = await paidOrder();
		expect(await orders("fail", placed.number)).toMatchObject({ ok: true });
		expect(await orders("fail", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("déjà") });
		await untilRefunded(placed, 5900);
		expect(await orders("fail", (await shop.placeOrder()).number)).toEqual({ ok: false, text: "Cette commande n’est pas payée." });
	});
});

test("an order by post is completed by its tracking number, blanks and all", async () => {
	const placed = await paidOrder("postal");
	expect(await orders("post", placed.number, "1A", "234", "567", "8901", "2")).toMatchObject({
		ok: false,
		text: expect.stringContaining("Déposez"),
	});
	expect(await orders("upload", placed.number, extractFile(today))).toMatchObject({ ok: true });
	expect(await orders("post", placed.number, "12")).toMatchObject({ ok: false, text: expect.stringContaining("pas valide") });
	expect(await orders("post", placed.number, "1A", "234", "567", "8901", "2")).toMatchObject({ ok: true });
	await shop.untilOrderIs("completed", placed.id);
	expect((await orders("show", placed.number)).text).toContain("1A23456789012");
});

describe("money", () => {
	test.each(["0", "-5", "1,234", "douze", "1 000"])("an amount of « %s » is not read", async (amount) => {
		const placed = await shop.placeOrder();
		expect(await orders("refund", placed.number, ...(amount.startsWith("-") ? ["--", amount] : [amount]))).toMatchObject({
			ok: false,
			text: expect.stringContaining("ne se lit pas"),
		});
	});

	test("a part is refunded once, however often it is asked for, then again on purpose, then the rest", async () => {
		const placed = await deliveredOrder();
		expect(await orders("refund", placed.number, "12,50 €")).toMatchObject({ ok: true, text: expect.stringContaining("12,50 €") });
		expect(await orders("refund", placed.number, "12.5")).toMatchObject({ ok: true, text: expect.stringContaining("déjà demandé") });
		await untilRefunded(placed, 1250);
		expect(await orders("refund", placed.number, "12,50", "--again")).toMatchObject({ ok: true });
		expect(await orders("refund", placed.number, "40")).toEqual({ ok: false, text: "C’est trop : il reste 34,00 € à rembourser au plus." });
		expect(await orders("refund", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("34,00 €") });
		await untilRefunded(placed, 5900);
		expect(await orders("refund", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("déjà rendu") });
		expect(await refundsOf(placed)).toHaveLength(3);
		expect(await orders("refund", (await shop.placeOrder()).number)).toMatchObject({
			ok: false,
			text: expect.stringContaining("Rien n’a été payé"),
		});
	});

	test("a payment that does not fit is listed as set aside, and given back", async () => {
		const placed = await shop.placeOrder();
		await shop.payInSilence(placed.sessionId, { amount_total: 4200 });
		expect(await orders("settle", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("En attente") });
		expect((await orders("list", "--set-aside")).text).toContain(placed.number);
		expect(await orders("refund", placed.number)).toMatchObject({ ok: true, text: expect.stringContaining("42,00 €") });
		await vi.waitFor(async () => expect((await orders("list", "--set-aside")).text).not.toContain(placed.number), { timeout: 20_000 });
		expect(await refundsOf(placed)).toMatchObject([{ status: "succeeded", amount_cents: 4200, reason: "operator" }]);
	});

	test("a request for a refund is refused with an answer, or granted by a refund", async () => {
		const placed = await deliveredOrder();
		expect(await orders("refuse-refund", placed.number, "Non.")).toMatchObject({
			ok: false,
			text: expect.stringContaining("pas de demande"),
		});
		await askForRefund(shop.shop, placed.id, "Le capital est faux.");
		expect((await orders("list", "--refund-requests")).text).toContain(placed.number);
		expect(await orders("refuse-refund", placed.number, "Le capital est celui du greffe.")).toMatchObject({ ok: true });
		expect(await orders("refuse-refund", placed.number, "Le capital est celui du greffe.")).toMatchObject({ ok: true });
		const [mail] = await shop.mailsOf(placed, "refund-request-refused");
		expect(mail?.text).toContain("Le capital est celui du greffe.");
		expect((await orders("list", "--refund-requests")).text).not.toContain(placed.number);
		await askForRefund(shop.shop, placed.id, "Je ne suis pas d’accord.");
		await orders("refund", placed.number);
		expect((await refundsOf(placed)).map(({ reason }) => reason)).toEqual(["guarantee"]);
		expect((await orders("show", placed.number)).text).toMatch(/Je ne suis pas d’accord\.\n.*accordée/);
	});

	test("a payment whose event was lost is found by settling its order", async () => {
		const placed = await shop.placeOrder();
		await shop.payInSilence(placed.sessionId);
		expect(await orders("settle", placed.number)).toMatchObject({ ok: true, text: expect.stringMatching(/État : (Payé|En traitement)/) });
		await shop.untilOrderIs("processing", placed.id);
	});
});

describe("mails", () => {
	test("one is sent again as a new one, to the address that is corrected", async () => {
		const placed = await deliveredOrder();
		await shop.mailsOf(placed, "document-ready");
		const idOf = async () =>
			(
				await shop.shop.db
					.selectFrom("mails")
					.selectAll()
					.where("order_id", "=", placed.id)
					.where("kind", "=", "document-ready")
					.executeTakeFirstOrThrow()
			).id;
		const first = await idOf();
		expect(await orders("resend", placed.number, "document-ready", "--to", "grace")).toMatchObject({
			ok: false,
			text: expect.stringContaining("pas valide"),
		});
		expect(await orders("resend", placed.number, "document-ready", "--to", "grace@example.fr")).toMatchObject({ ok: true });
		expect(await idOf()).not.toBe(first);
		const [again] = await shop.mailsOf(placed, "document-ready");
		expect(again?.to).toBe("grace@example.fr");
		expect(await shop.orderRow(placed.id)).toMatchObject({
			status: "completed",
			customer_email: "ada@example.fr",
			delivery_email: "grace@example.fr",
		});
		expect(await orders("resend", placed.number, "confirmation", "--to", "lovelace@example.fr")).toMatchObject({ ok: true });
		expect((await shop.mailsOf(placed, "confirmation"))[0]?.to).toBe("lovelace@example.fr");
	});

	test("one that was never written, or that nobody writes, is not sent", async () => {
		const placed = await paidOrder();
		expect(await orders("resend", placed.number, "posted")).toMatchObject({
			ok: false,
			text: expect.stringMatching(/pas d’e-mail posted\. Elle a : .*confirmation/),
		});
		expect(await orders("resend", placed.number, "greeting")).toMatchObject({
			ok: false,
			text: expect.stringContaining("n’est pas un e-mail de la boutique"),
		});
		await vi.waitFor(async () =>
			expect(await orders("resend", placed.number, "alert-extract-needed", "--to", "x@example.fr")).toMatchObject({
				ok: false,
				text: expect.stringContaining("SHOP_EMAIL"),
			}),
		);
	});

	/** As a mail server sends it (RFC 3464, appendix). */
	const report = (messageId: string, action = "failed") =>
		`From: MAILER-DAEMON@mx.example
To: contact@extraitpro.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ada@example.fr
Action: ${action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <ada@example.fr>:
    Recipient address rejected

--b1
Content-Type: text/rfc822-headers

From: contact@extraitpro.example
Message-ID:
 <${messageId}>
Subject: Votre extrait

--b1--
`.replaceAll("\n", "\r\n");

	test("one that came back days later is marked, with its reason, once; the operator is told", async () => {
		const placed = await deliveredOrder();
		await shop.mailsOf(placed, "document-ready");
		const row = () =>
			shop.shop.db
				.selectFrom("mails")
				.selectAll()
				.where("order_id", "=", placed.id)
				.where("kind", "=", "document-ready")
				.executeTakeFirstOrThrow();
		input = report(`${(await row()).id}@extraitpro.example`, "delayed");
		expect(await orders("bounce")).toMatchObject({ ok: false, text: expect.stringContaining("échec définitif") });
		expect((await row()).bounced_at).toBeNull();
		input = report(`${(await row()).id}@extraitpro.example`);
		const noted = await orders("bounce");
		expect(noted).toMatchObject({ ok: true, text: expect.stringContaining(`commande ${placed.number}, e-mail document-ready`) });
		expect(await row()).toMatchObject({ bounced_at: now(), bounce_reason: expect.stringContaining("Recipient address rejected") });
		expect((await row()).bounce_reason).not.toContain("ada@");
		expect(await orders("bounce")).toMatchObject({ ok: true, text: expect.stringContaining("déjà noté") });
		expect((await shop.historyOf(placed.id)).filter((type) => type === "mail_bounced")).toHaveLength(1);
		await shop.mailsOf(placed, "alert-bounce");
		expect((await orders("show", placed.number)).text).toMatch(/document-ready +refusé le .*Recipient address rejected/);
	});

	test("what is no such report is refused politely", async () => {
		expect(await orders("bounce")).toMatchObject({ ok: false, text: expect.stringContaining("npm run orders -- bounce < avis.eml") });
		for (const [text, why] of [
			["Subject: Bonjour\r\n\r\nBonjour", "n’est pas un avis"],
			["\0\x01\x02", "n’est pas un avis"],
			[report("receipt-of-something-else@extraitpro.example"), "aucun e-mail d’une commande"],
			[report("00000000-0000-4000-8000-000000000000@extraitpro.example"), "aucun e-mail d’une commande"],
			[report("").replace("Message-ID:", "X-Other:"), "ne cite pas"],
		] as const) {
			input = text;
			expect(await orders("bounce"), text).toMatchObject({ ok: false, text: expect.stringContaining(why) });
		}
	});
});

test("the books are compared: zero differences, and one when there is one, in columns", async () => {
	await shop.shop.db.deleteFrom("reconciliations").execute();
	expect(await orders("reconcile", "bientôt")).toMatchObject({ ok: false, text: expect.stringContaining("nombre de jours") });
	const placed = await shop.placeOrder();
	await shop.shop.db
		.updateTable("sandbox.sessions")
		.set({
			status: "complete",
			payment_status: "paid",
			payment_intent: `pi_test_${placed.id}`,
			paid_at: new Date(now().getTime() - 3_600_000),
		})
		.where("id", "=", placed.sessionId)
		.execute();
	const found = await orders("reconcile");
	expect(found).toMatchObject({ ok: false, text: expect.stringContaining("Différences : 1.") });
	expect(found.text).toMatch(new RegExp(`pi_test_${placed.id} +${placed.number} +inconnu chez nous +— +59,00 €`));
	await shop.untilOrderIs("processing", placed.id);
	at = new Date(at.getTime() + 60_000);
	expect(await orders("reconcile", "7")).toMatchObject({ ok: true, text: expect.stringContaining("Aucune différence.") });
});
