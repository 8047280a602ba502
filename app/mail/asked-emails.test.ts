import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { deleteCounts } from "../../server/rate-limits.ts";
import { type AlertShop, createAlertShop } from "../../test/company-alerts.ts";
import { insertOrder } from "../../test/orders.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { describeUnsent, mayAskForEmail, sendAskedEmail } from "./asked-emails.server.ts";
import type { Mailer } from "./mailer.ts";

// All e-mails to an address that somebody typed: five a day to a mailbox, over all forms (docs/rules.md, R186).

let shop: AlertShop;
beforeAll(async () => {
	shop = await createAlertShop("2026-11-23T09:00:00Z");
});
afterAll(() => shop?.stop());
beforeEach(async () => {
	await sql`delete from rate_limits`.execute(shop.shop.db);
	shop.smtp.mails.length = 0;
});

/** Where e-mails leave, and why the others need no limit. */
const senders: Record<string, "asked" | "operator" | "subscriber" | "paid or asked" | "person"> = {
	"app/mail/asked-emails.server.ts": "asked",
	// a paid order's own, or through sendAskedEmail
	"app/emails/send-order-email.server.ts": "paid or asked",
	"app/customer/contact/forward-message.server.ts": "operator",
	"app/desk/alerts/send-alerts.server.ts": "operator",
	"app/desk/alerts/send-morning-mail.server.ts": "operator",
	"app/desk/operators/access-notice.server.ts": "operator",
	"app/desk/operators/send-invitation.server.ts": "operator",
	// confirmed by the owner of the mailbox
	"app/companies/alerts/deliver-alert-mail.server.ts": "subscriber",
	"app/emails/newsletter/deliver-issue.server.ts": "subscriber",
	// an operator answers
	"app/emails/messages/send-reply.server.ts": "person",
};

test("every e-mail leaves by a sender that is known here", () => {
	const files = readdirSync("app", { recursive: true, encoding: "utf8" })
		.map((name) => `app/${name.replaceAll("\\", "/")}`)
		.filter((name) => /\.server\.tsx?$/.test(name) && /\bmailer\.send\(/.test(readFileSync(name, "utf8")));
	expect(files.sort()).toEqual(Object.keys(senders).sort());
});

let client = 0;
/** Sends a form, each time from another place. */
const send = (path: string, fields: Record<string, string>) =>
	shop.request(path, {
		method: "POST",
		body: new URLSearchParams(fields),
		headers: { "x-forwarded-for": `203.0.113.${++client}` },
	});

const waitForJobs = () =>
	vi.waitFor(
		async () => {
			const { rows } = await sql`
				select from jobs.job where state < 'completed' and name in ('pass-on-message', 'send-newsletter-confirmation', 'send-customer-link',
					'send-order-numbers', 'send-company-alert-confirmation', 'send-company-alert-link', 'send-order-mail')
				and start_after <= now()`.execute(shop.shop.db);
			expect(rows).toEqual([]);
		},
		{ timeout: scaledTimeout(30_000), interval: 25 },
	);

const forms: Record<string, (email: string) => Promise<Response>> = {
	contact: (email) => send("/contact", { nom: "Ada", email, message: "Bonjour" }),
	support: (email) => send("/support", { firstName: "Ada", lastName: "Lovelace", email, phone: "", subject: "Autre", message: "Bonjour" }),
	"lost number": (email) => send("/numero-perdu", { email }),
	"link to orders": (email) => send("/mes-commandes", { email }),
	newsletter: (email) => send("/lettre-information", { email }),
	alert: (email) => shop.ask(email),
	"alert of another company": (email) => shop.ask(email, { siren: "356000000" }),
	"link to alerts": (email) => send("/alertes", { email }),
};

test("all forms together send a mailbox five e-mails a day, and answer the same afterwards", async () => {
	const email = "partout@example.fr";
	await insertOrder(shop.shop.db, { customer_email: email, created_at: shop.clock.at, paid_at: shop.clock.at });
	const first = new Map<string, unknown>();
	const describeAnswer = (answer: Response) => [answer.status, answer.headers.get("location")];
	for (const [name, ask] of Object.entries(forms)) {
		first.set(name, describeAnswer(await ask(email)));
		await waitForJobs();
	}
	expect(shop.mailsTo(email)).toHaveLength(5);
	for (const [name, ask] of Object.entries(forms)) expect([name, describeAnswer(await ask(email))]).toEqual([name, first.get(name)]);
	await waitForJobs();
	expect(shop.mailsTo(email)).toHaveLength(5);
	// the messages reached the shop, each of them
	const messages = await shop.shop.db.selectFrom("contact_messages").select("forwarded_at").where("email", "=", email).execute();
	expect(messages.map(({ forwarded_at }) => forwarded_at !== null)).toEqual(Array(4).fill(true));
	shop.days(1);
	await forms.contact?.(email);
	await waitForJobs();
	expect(shop.mailsTo(email)).toHaveLength(6);
});

const mail = (to: string) => ({ id: crypto.randomUUID(), to, subject: "x", text: "x", html: "<p>x</p>" });

test("an e-mail that could not be sent for a while costs nothing; a refused one counts", async () => {
	const context = (send: Mailer["send"]) => ({ ...shop.shop, mailer: { ...shop.shop.mailer, send } });
	const failing = context(() => Promise.reject(new Error("no connection")));
	for (let i = 0; i < 8; i++) await expect(sendAskedEmail(failing, mail("ada@example.fr"))).rejects.toThrow("no connection");
	const refusing = context(async () => ({ ok: false, code: "refused", reply: "550" }));
	for (let i = 0; i < 4; i++) expect(await sendAskedEmail(refusing, mail(" ADA@example.fr"))).toMatchObject({ code: "refused" });
	expect(await sendAskedEmail(shop.shop, mail("ada@example.fr"))).toEqual({ ok: true });
	expect(await sendAskedEmail(shop.shop, mail("Ada@example.fr"))).toEqual({ ok: false, code: "limited", retryAfter: 86_400 });
	expect(await sendAskedEmail(shop.shop, mail("grace@example.fr"))).toEqual({ ok: true });
});

test("the log says why an e-mail was not sent", () => {
	expect(describeUnsent({ ok: false, code: "refused", reply: "550 no" })).toBe("550 no");
	expect(describeUnsent({ ok: false, code: "limited", retryAfter: 60 })).toContain("e-mails of a day");
});

test("a kind's own count is taken with those of the mailbox, or neither", async () => {
	const own = [{ name: "own", subject: "ada@example.fr", most: 1 }];
	expect(await sendAskedEmail(shop.shop, mail("ada@example.fr"), own)).toEqual({ ok: true });
	for (let i = 0; i < 3; i++) expect(await sendAskedEmail(shop.shop, mail("ada@example.fr"), own)).toMatchObject({ code: "limited" });
	for (let i = 0; i < 4; i++) expect(await sendAskedEmail(shop.shop, mail("ada@example.fr"))).toEqual({ ok: true });
	expect(await sendAskedEmail(shop.shop, mail("ada@example.fr"))).toMatchObject({ code: "limited" });
});

test("a client asks for four a day to a mailbox; those within the minutes between two cost nothing", async () => {
	const ask = (from: string, spacing?: { name: string; minutes: number }) =>
		shop.shop.db.transaction().execute((trx) => mayAskForEmail(shop.shop, trx, { email: "ada@example.fr", client: from, spacing }));
	const spaced = { name: "some", minutes: 5 };
	expect([await ask("one", spaced), await ask("one", spaced), await ask("two", spaced)]).toEqual([true, false, false]);
	expect([await ask("one"), await ask("one"), await ask("one"), await ask("one")]).toEqual([true, true, true, false]);
	expect([await ask("two"), await ask("one")]).toEqual([true, false]);
	shop.clock.at = new Date(shop.clock.at.getTime() + 5 * 60_000);
	expect(await ask("two", spaced)).toBe(true);
});

test("an erasure deletes every count of a mailbox, and none of others", async () => {
	const { db } = shop.shop;
	const ask = (email: string) => db.transaction().execute((trx) => mayAskForEmail(shop.shop, trx, { email, client: "one" }));
	for (const email of ["ada@example.fr", "grace@example.fr"]) {
		await ask(email);
		await sendAskedEmail(shop.shop, mail(email));
	}
	expect(await deleteCounts(shop.shop, db, "ada@example.fr")).toBe(2);
	expect((await sql`select from rate_limits`.execute(db)).rows).toHaveLength(2);
	expect(await deleteCounts(shop.shop, db, "one")).toBe(1);
});
