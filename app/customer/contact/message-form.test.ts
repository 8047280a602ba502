import { sql } from "kysely";
import { afterAll, expect, test, vi } from "vitest";
import { createTestContact } from "../../../test/contact.ts";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { insertMessage } from "./contact.store.server.ts";
import { forwardMessage } from "./forward-message.server.ts";
import { receiveMessage } from "./message-form.server.ts";

const smtp = await startFakeSmtp();
const contact = await createTestContact(smtp);
afterAll(async () => {
	await contact.shop.close();
	await smtp.close();
});

const shop = () => contact.shop.shop;
const receive = (email: string, client: string) => {
	const values = { nom: "Ada", firstName: "", lastName: "", email, phone: "", subject: "", message: "Bonjour" };
	return receiveMessage(shop(), { form: "contact", values, about: null, honeypot: "", client });
};
const write = (fields: Record<string, string>) =>
	contact.shop.postForm("/contact", { nom: "Ada Lovelace", message: "Où en est ma commande ?\nMerci.", ...fields });

test("a message reaches the shop, which can reply to it, and its author gets a receipt", async () => {
	const answer = await write({ email: "ada@example.fr" });
	expect(answer.status).toBe(303);
	expect(answer.headers.get("location")).toBe("/contact?envoye=1");
	expect(await (await contact.shop.ask("/contact?envoye=1")).text()).toContain("Votre message est envoyé");
	const [row] = await contact.waitForMessages("ada@example.fr");
	expect(row).toMatchObject({ name: "Ada Lovelace", message: "Où en est ma commande ?\nMerci." });
	// the desk answers it there
	expect(await shop().db.selectFrom("conversations").select("email").where("contact_message_id", "=", String(row?.id)).execute()).toEqual([
		{ email: "ada@example.fr" },
	]);

	const [{ to, content } = expect.fail("nothing came")] = contact.mailsAbout("ada@example.fr");
	expect(to).toEqual([contact.shop.shop.environment.shop.email]);
	expect(content.text?.replaceAll("\u00a0", " ")).toContain("> Où en est ma commande ?\n> Merci.");
	const receipts = contact.mailsTo("ada@example.fr");
	expect(receipts).toHaveLength(1);
	expect(receipts[0]?.content.text?.replaceAll("\u00a0", " ")).toContain(
		"Notre équipe vous répond par e-mail, à cette adresse, sous 24 h.",
	);
	// two mails of one id would be taken for one mail that came twice
	expect(receipts[0]?.content.messageId).not.toBe(content.messageId);
});

test.each([
	["/contact", "Notre équipe vous répond par e-mail sous 24 h.", true],
	["/contact?envoye=1", "Notre équipe vous répond par e-mail sous 24 h. Un accusé de réception vous parvient d’abord", false],
	["/support", "notre équipe vous répond par e-mail sous 24 h.", true],
	["/contact?commande=KB-7F3K-92QD", "Notre équipe vous répond sous 24 h, à l’adresse e-mail que vous indiquez.", false],
	["/contact?objet=erreur&siren=552032534", "nous vérifions, et nous vous répondons par e-mail sous 24 h.", false],
	["/contact?objet=donnees&siren=552032534", "Nous vous répondons par e-mail sous 24 h, et nous masquons la fiche", false],
])("%s says « %s »; it asks for the number of an order: %s", async (page, sentence, asks) => {
	const text = (await (await contact.shop.ask(page)).text()).replaceAll("\u00a0", " ").replace(/<[^>]+>/g, "");
	expect(text).toContain(sentence);
	expect(text.includes("indiquez son numéro")).toBe(asks);
});

test("the receipt repeats no typed text, so the form cannot send text to strangers", async () => {
	await write({ email: "cible@example.fr", nom: "Gagnez https://spam.example", message: "Cliquez sur https://spam.example" });
	await contact.waitForMessages("cible@example.fr");
	for (const { raw, content } of contact.mailsTo("cible@example.fr")) {
		expect(content.html).not.toContain("spam.example");
		expect(raw.toString()).not.toContain("spam.example");
	}
});

test("messages are stored while the mail server is down, and both e-mails of each are sent once when it is back", async () => {
	const waiting = ["patiente@example.fr", "patient@example.fr"];
	await smtp.controls.down();
	for (const email of waiting) {
		expect((await write({ email })).status).toBe(303);
		expect(await contact.listMessages(email)).toHaveLength(1);
	}
	await smtp.controls.up();
	for (const email of waiting) {
		await contact.waitForMessages(email);
		expect([contact.mailsAbout(email).length, contact.mailsTo(email).length]).toEqual([1, 1]);
	}
});

test("a message is retried for half a day while the mail server is down", async () => {
	const { rows } = await sql<{ retry_limit: number; retry_delay: number; retry_delay_max: number }>`
		select retry_limit, retry_delay, retry_delay_max from jobs.queue where name = 'pass-on-message'`.execute(shop().db);
	const [{ retry_limit, retry_delay, retry_delay_max } = expect.fail("no queue")] = rows;
	// pg-boss doubles the delay until it is the longest
	const delays = Array.from({ length: retry_limit }, (_, tried) => Math.min(retry_delay_max, retry_delay * 2 ** tried));
	expect(delays.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(12 * 3600);
});

/** A message whose job is this test's to do. */
async function written(email: string): Promise<string> {
	const id = crypto.randomUUID();
	const message = { name: "Ada", email, phone: null, subject: null, siren: null, message: "Bonjour" };
	await shop()
		.db.transaction()
		.execute((trx) => insertMessage(trx, { id, ...message, now: shop().now() }));
	return id;
}

test("a message that the shop's own mailbox refuses is tried again, and its receipt is sent once", async () => {
	const own = shop().environment.shop.email;
	const [id, other] = [await written("refusee@example.fr"), await written("autre@example.fr")];
	smtp.controls.reject(own, "552 5.2.2 Mailbox full");
	for (let i = 0; i < 2; i++) await expect(forwardMessage(shop(), id)).rejects.toThrow("the shop's mailbox refuses a message");
	expect(await contact.listMessages("refusee@example.fr")).toMatchObject([{ forwarded_at: null, acknowledged_at: expect.any(Date) }]);
	smtp.controls.accept(own);
	for (let i = 0; i < 2; i++) await forwardMessage(shop(), id);
	expect(await contact.listMessages("refusee@example.fr")).toMatchObject([{ forwarded_at: expect.any(Date) }]);
	expect([contact.mailsAbout("refusee@example.fr").length, contact.mailsTo("refusee@example.fr").length]).toEqual([1, 1]);
	expect(await contact.listMessages("autre@example.fr")).toMatchObject([{ forwarded_at: null, acknowledged_at: null }]);
	await shop().db.deleteFrom("contact_messages").where("id", "=", other).execute();
	await forwardMessage(shop(), other); // its writer was erased meanwhile
	expect(contact.mailsTo("autre@example.fr")).toEqual([]);
});

test("e-mails interrupted after sending are sent again with the same Message-IDs, and then no more", async () => {
	const id = await written("coupee@example.fr");
	const { mailer } = shop();
	const killed: Mailer = {
		...mailer,
		async send(mail) {
			await mailer.send(mail);
			throw new Error("killed");
		},
	};
	await expect(forwardMessage({ ...shop(), mailer: killed }, id)).rejects.toThrow("killed");
	for (let i = 0; i < 2; i++) await forwardMessage(shop(), id);
	for (const mails of [contact.mailsAbout("coupee@example.fr"), contact.mailsTo("coupee@example.fr")]) {
		const ids = mails.map(({ content }) => content.messageId);
		expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
	}
});

test("a deferred receipt does not send the message to the shop again", async () => {
	smtp.controls.reject("lente@example.fr", "450 4.2.0 Later");
	await write({ email: "lente@example.fr" });
	await vi.waitFor(async () => expect((await contact.listMessages("lente@example.fr"))[0]?.forwarded_at).not.toBeNull(), {
		timeout: scaledTimeout(10_000),
	});
	smtp.controls.accept("lente@example.fr");
	await contact.waitForMessages("lente@example.fr");
	expect(contact.mailsAbout("lente@example.fr")).toHaveLength(1);
	expect(contact.mailsTo("lente@example.fr")).toHaveLength(1);
});

test("a refused receipt is logged with its message, and without its address", async () => {
	const id = await written("refus@example.fr");
	smtp.controls.reject("refus@example.fr");
	const warn = vi.spyOn(shop().log, "warn");
	await forwardMessage(shop(), id);
	expect(warn.mock.calls.filter(([, text]) => text === "a receipt was not sent").map(([fields]) => fields)).toEqual([
		{ message: id, reason: expect.not.stringContaining("refus@example.fr") },
	]);
	warn.mockRestore();
});

test("a refused receipt does not prevent the message from reaching the shop", async () => {
	smtp.controls.reject("partie@example.fr");
	await write({ email: "partie@example.fr" });
	await contact.waitForMessages("partie@example.fr");
	expect(contact.mailsAbout("partie@example.fr")).toHaveLength(1);
	expect(contact.mailsTo("partie@example.fr")).toEqual([]);
});

test("an empty form is refused with the agreed sentences", async () => {
	const answer = await write({ nom: " ", email: "", message: "\r\n" });
	expect(answer.status).toBe(400);
	const page = (await answer.text()).replaceAll("&#x27;", "'");
	for (const sentence of ["Le nom est requis", "L'adresse email est requise", "Écrivez votre message", "3 champs à corriger"])
		expect(page).toContain(sentence);
});

test("a form with an invalid field keeps the typed values", async () => {
	const answer = await write({ nom: "Zoë <b>", email: "zoe@", message: "Bonjour & merci" });
	expect(answer.status).toBe(400);
	const page = (await answer.text()).replaceAll("&#x27;", "'");
	expect(page).toContain("Format d'email invalide");
	expect(page).toContain("Zoë &lt;b&gt;");
	expect(page).toContain("Bonjour &amp; merci");
	expect(await contact.listMessages("zoe@")).toEqual([]);
});

test("a message above the maximum length is refused, one of exactly that length is not", async () => {
	expect((await write({ email: "longue@example.fr", message: "é".repeat(5001) })).status).toBe(400);
	expect(await contact.listMessages("longue@example.fr")).toEqual([]);
	expect((await write({ email: "longue@example.fr", message: "é".repeat(5000) })).status).toBe(303);
	await contact.waitForMessages("longue@example.fr");
});

test("a robot gets the success page, and nothing is stored", async () => {
	expect((await write({ email: "robot@example.fr", website: "https://spam.example" })).status).toBe(303);
	expect(await contact.listMessages("robot@example.fr")).toEqual([]);
	// a browser's extension that leaves a blank is no robot
	expect((await write({ email: "blanc@example.fr", website: " " })).status).toBe(303);
	expect(await contact.listMessages("blanc@example.fr")).toHaveLength(1);
});

test("a mailbox gets five receipts a day, four of them for one client; every message reaches the shop", async () => {
	const email = "inondee@example.fr";
	const waitForForwarded = (count: number) =>
		vi.waitFor(async () => expect((await contact.listMessages(email)).filter((row) => row.forwarded_at)).toHaveLength(count), {
			timeout: scaledTimeout(20_000),
			interval: 25,
		});
	// a receipt leaves beside its message, not before it
	const waitForReceipts = (count: number) =>
		vi.waitFor(() => expect(contact.mailsTo(email)).toHaveLength(count), { timeout: scaledTimeout(20_000), interval: 25 });
	for (let i = 0; i < 6; i++) expect(await receive(email, "a stranger")).toEqual({ ok: true });
	await waitForForwarded(6);
	await waitForReceipts(4);
	const others = Array.from({ length: 10 }, (_, i) => receive(email, `stranger ${i}`));
	expect(await Promise.all(others)).toEqual(Array(10).fill({ ok: true }));
	await waitForForwarded(16);
	await waitForReceipts(5);
	expect(contact.mailsAbout(email)).toHaveLength(16);
	// the form says the same
	const answer = await write({ email });
	expect([answer.status, answer.headers.get("location")]).toEqual([303, "/contact?envoye=1"]);
	await waitForForwarded(17);
	await waitForReceipts(5);
});

test("the page names the telephone contact, and an old URL redirects to it", async () => {
	const page = await (await contact.shop.ask("/contact")).text();
	const { phone, email, supportHours } = contact.shop.shop.environment.shop;
	for (const named of [phone, email, supportHours]) expect(page).toContain(named);
	expect(page).not.toMatch(/<script(?! type="application\/ld\+json")/);
	const moved = await contact.shop.ask("/nous-contacter");
	expect([moved.status, moved.headers.get("location")]).toEqual([301, "/contact"]);
});

test("a client sends at most twenty messages an hour; refused ones do not count against a mailbox", async () => {
	const burst = await Promise.all(Array.from({ length: 30 }, (_, i) => receive(`foison${i}@example.fr`, "one client")));
	expect(burst.filter(({ ok }) => ok)).toHaveLength(20);
	for (let i = 0; i < 5; i++)
		expect(await receive("visee@example.fr", "one client")).toMatchObject({ ok: false, code: "limited", retryAfter: expect.any(Number) });
	expect(await receive("visee@example.fr", "another client")).toEqual({ ok: true });
});

test("one client cannot flood the shop", async () => {
	await Promise.all(Array.from({ length: 20 }, (_, i) => write({ email: `foule${i}@example.fr` })));
	const refused = await write({ email: "foule20@example.fr" });
	expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
	expect(await contact.listMessages("foule20@example.fr")).toEqual([]);
});
