import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDesk, type TestDesk } from "../../test/terminal.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

let desk: TestDesk;
beforeAll(async () => {
	desk = await createTestDesk("manual");
});
afterAll(() => desk?.close());

describe("mails", () => {
	test("an e-mail is sent again as a new one, to the corrected address", async () => {
		const placed = await desk.deliveredOrder();
		await desk.getMails(placed, "document-ready");
		const getId = async () =>
			(
				await desk.shop.db
					.selectFrom("mails")
					.selectAll()
					.where("order_id", "=", placed.id)
					.where("kind", "=", "document-ready")
					.executeTakeFirstOrThrow()
			).id;
		const first = await getId();
		expect(await desk.orders("resend", placed.number, "document-ready", "--to", "grace")).toMatchObject({
			ok: false,
			text: expect.stringContaining("pas valide"),
		});
		expect(await desk.orders("resend", placed.number, "document-ready", "--to", "grace@example.fr")).toMatchObject({ ok: true });
		expect(await getId()).not.toBe(first);
		const [again] = await desk.getMails(placed, "document-ready");
		expect(again?.to).toBe("grace@example.fr");
		expect(await desk.orderRow(placed.id)).toMatchObject({
			status: "completed",
			customer_email: "grace@example.fr",
			delivery_email: null,
		});
		expect(await desk.orders("resend", placed.number, "confirmation", "--to", "lovelace@example.fr")).toMatchObject({ ok: true });
		expect((await desk.getMails(placed, "confirmation"))[0]?.to).toBe("lovelace@example.fr");
	});

	test("an e-mail that was never queued, or of an unknown kind, is not sent", async () => {
		const placed = await desk.paidOrder();
		expect(await desk.orders("resend", placed.number, "posted")).toMatchObject({
			ok: false,
			text: expect.stringMatching(/pas d’e-mail posted\. Elle a : .*confirmation/),
		});
		expect(await desk.orders("resend", placed.number, "greeting")).toMatchObject({
			ok: false,
			text: expect.stringContaining("n’est pas un e-mail de la boutique"),
		});
		await vi.waitFor(
			async () =>
				expect(await desk.orders("resend", placed.number, "alert-extract-needed", "--to", "x@example.fr")).toMatchObject({
					ok: false,
					text: expect.stringContaining("SHOP_EMAIL"),
				}),
			scaledTimeout(10_000),
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

	test("a late bounce is recorded once with its reason, and the operator is alerted", async () => {
		const placed = await desk.deliveredOrder();
		await desk.getMails(placed, "document-ready");
		const row = () =>
			desk.shop.db
				.selectFrom("mails")
				.selectAll()
				.where("order_id", "=", placed.id)
				.where("kind", "=", "document-ready")
				.executeTakeFirstOrThrow();
		expect(await desk.ordersWith(report(`${(await row()).id}@extraitpro.example`, "delayed"), "bounce")).toMatchObject({
			ok: false,
			text: expect.stringContaining("échec définitif"),
		});
		expect((await row()).bounced_at).toBeNull();
		const came = report(`${(await row()).id}@extraitpro.example`);
		const noted = await desk.ordersWith(came, "bounce");
		expect(noted).toMatchObject({ ok: true, text: expect.stringContaining(`commande ${placed.number}, e-mail document-ready`) });
		expect(await row()).toMatchObject({ bounced_at: desk.now(), bounce_reason: expect.stringContaining("Recipient address rejected") });
		expect((await row()).bounce_reason).not.toContain("ada@");
		expect(await desk.ordersWith(came, "bounce")).toMatchObject({ ok: true, text: expect.stringContaining("déjà noté") });
		expect((await desk.getEventTypes(placed.id)).filter((type) => type === "mail_bounced")).toHaveLength(1);
		await desk.getMails(placed, "alert-bounce");
		expect((await desk.orders("show", placed.number)).text).toMatch(/document-ready +refusé le .*Recipient address rejected/);
	});

	test("a message that is no bounce report is refused with a sentence", async () => {
		expect(await desk.orders("bounce")).toMatchObject({ ok: false, text: expect.stringContaining("npm run orders -- bounce < avis.eml") });
		for (const [text, why] of [
			["Subject: Bonjour\r\n\r\nBonjour", "n’est pas un avis"],
			["\0\x01\x02", "n’est pas un avis"],
			[report("receipt-of-something-else@extraitpro.example"), "aucun e-mail d’une commande"],
			[report("00000000-0000-4000-8000-000000000000@extraitpro.example"), "aucun e-mail d’une commande"],
			[report("").replace("Message-ID:", "X-Other:"), "ne cite pas"],
		] as const) {
			expect(await desk.ordersWith(text, "bounce"), text).toMatchObject({ ok: false, text: expect.stringContaining(why) });
		}
	});
});

test("reconciliation shows no difference, then one difference in columns", async () => {
	await desk.shop.db.deleteFrom("reconciliations").execute();
	expect(await desk.orders("reconcile", "bientôt")).toMatchObject({ ok: false, text: expect.stringContaining("nombre de jours") });
	const placed = await desk.placeOrder();
	await desk.shop.db
		.updateTable("sandbox.sessions")
		.set({
			status: "complete",
			payment_status: "paid",
			payment_intent: `pi_test_${placed.id}`,
			paid_at: new Date(desk.now().getTime() - 3_600_000),
		})
		.where("id", "=", placed.sessionId)
		.execute();
	const found = await desk.orders("reconcile");
	expect(found).toMatchObject({ ok: false, text: expect.stringContaining("Différences : 1.") });
	expect(found.text).toMatch(new RegExp(`pi_test_${placed.id} +${placed.number} +inconnu chez nous +— +59,00 €`));
	await desk.untilOrderIs("processing", placed.id);
	desk.moveTo(new Date(desk.now().getTime() + 60_000));
	expect(await desk.orders("reconcile", "7")).toMatchObject({ ok: true, text: expect.stringContaining("Aucune différence.") });
});
