import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startFakeSmtp } from "../../../../test/fakes/smtp.ts";
import { createOrderFixture, type OrderFixture } from "../../../../test/orders.ts";
import { smtpMailer } from "../../../mail/mailers.server.ts";
import { createCustomerAuth } from "../../sign-in/auth.server.ts";
import { openLink } from "../tracking-access.server.ts";
import { askForNumbers } from "./ask-for-numbers.server.ts";
import { sendOrderNumbers } from "./send-order-numbers.server.ts";

const start = "2026-11-23T09:00:00Z";

let shop: OrderFixture;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let mailer: ReturnType<typeof smtpMailer>;
beforeAll(async () => {
	[shop, smtp] = await Promise.all([createOrderFixture({ startsAt: start }), startFakeSmtp()]);
	mailer = smtpMailer(smtp.url, { name: "ExtraitPro", address: "bonjour@boutique.example" });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(async () => {
	mailer?.close();
	await smtp?.close();
	await shop?.close();
});

/** Nobody is signed in here. */
const withAuth = () => ({ ...shop, customerAuth: async () => createCustomerAuth(shop) });

/** Sends the numbers of an address. @returns the received e-mail; undefined when nothing was sent. */
async function sent(email: string) {
	const mailId = randomUUID();
	await sendOrderNumbers({ ...shop, mailer }, { mailId, email });
	const received = smtp.mails.find(({ content }) => content.messageId?.startsWith(`<${mailId}@`));
	return received && { to: received.to, text: (received.content.text ?? "").replaceAll("\u00a0", " ") };
}

test("an address gets the numbers of its orders of three years, newest first, and nothing of others", async () => {
	const mine = { customer_email: "Ada@example.fr" };
	const { order: paid } = await shop.insertPaidOrder(mine);
	const unpaid = await shop.insertOrder({ ...mine, created_at: new Date("2026-11-22T09:00:00Z") });
	const old = await shop.insertOrder({ ...mine, created_at: new Date("2023-11-22T09:00:00Z") });
	const erased = await shop.insertOrder({ ...mine, erased_at: new Date(start) });
	const others = await shop.insertOrder({ delivery_email: "ada@example.fr" });
	const mail = await sent(" ADA@example.fr");
	expect(mail?.to).toEqual(["Ada@example.fr"]);
	const numbers = [...(mail?.text ?? "").matchAll(/^(KB-[\w-]+), DANONE, KBIS Express, /gm)].map(([, number]) => number);
	expect(numbers).toEqual([paid.order_number, unpaid.order_number]);
	for (const { order_number } of [old, erased, others]) expect(mail?.text).not.toContain(order_number);
	// the link of a paid order opens it; that of an unpaid one asks for the address
	const token = new RegExp(`/suivi/${paid.order_number}/acces/(\\S+)`).exec(mail?.text ?? "")?.[1] ?? "";
	const opened = await openLink(withAuth(), new Request("http://localhost/"), { number: paid.order_number, token, isWhole: false });
	expect(opened?.status).toBe(303);
	expect(mail?.text).toMatch(new RegExp(`/suivi/${unpaid.order_number}$`, "m"));
	expect(mail?.text).not.toMatch(/Lovelace|€/);
});

// a change of this text is agreed first, then written to the file: npx vitest run app/customer/tracking/lost-number -u
test("the e-mail says word for word what its file says, of one order and of several", async () => {
	const customer_email = "exact@example.fr";
	const insert = (order_number: string, minutes: number) =>
		shop.insertPaidOrder({ customer_email, order_number, created_at: new Date(shop.start.getTime() - minutes * 60_000) });
	await insert("KB-2222-2222", 2);
	const write = async () => (await sent(customer_email))?.text.replaceAll(/acces\/\S+/g, "acces/…");
	const one = await write();
	await insert("KB-3333-3333", 1);
	await expect(`=== one\n${one}\n=== two\n${await write()}`).toMatchFileSnapshot("lost-number.txt");
	const subjects = smtp.mails.slice(-2).map(({ content }) => content.subject);
	expect(subjects).toEqual(["Votre numéro de commande", "Vos numéros de commande"]);
});

test("a purchase of several is named once, with its page, and counts once among the twenty", async () => {
	const mine = { customer_email: "accountant@example.fr" };
	const { orders } = await shop.insertPaidPurchase(Array(40).fill("express"), mine);
	const [first, second] = orders;
	const unpaid = { ...mine, created_at: new Date("2026-11-22T09:00:00Z") };
	const purchase_id = randomUUID();
	const [head] = [
		await shop.insertOrder({ ...unpaid, id: purchase_id, purchase_id, purchase_line: 1 }),
		await shop.insertOrder({ ...unpaid, purchase_id, purchase_line: 2 }),
	];
	for (let i = 0; i < 20; i++)
		await shop.insertOrder({ ...mine, created_at: new Date(`2026-11-${String(21 - i).padStart(2, "0")}T09:00:00Z`) });
	const { text = "" } = (await sent(mine.customer_email)) ?? {};
	expect(text).toContain(`Commande groupée ${first.order_number} : 40 lignes, dont DANONE, 23 novembre 2026`);
	expect(text).not.toContain(second?.order_number);
	const token = new RegExp(`/suivi/${first.order_number}/ensemble/acces/(\\S+)`).exec(text)?.[1] ?? "";
	const opened = await openLink(withAuth(), new Request("http://localhost/"), { number: first.order_number, token, isWhole: true });
	expect(opened?.headers.get("location")).toBe(`/suivi/${first.order_number}/ensemble`);
	// before the payment the page asks for the address
	expect(text).toContain(`Commande groupée ${head.order_number} : 2 lignes, dont DANONE, 22 novembre 2026`);
	expect(text).toMatch(new RegExp(`/suivi/${head.order_number}/ensemble$`, "m"));
	expect(text.match(/^KB-[\w-]+, DANONE, /gm)).toHaveLength(18);
});

test("an address without orders gets nothing", async () => {
	expect(await sent("nobody@example.fr")).toBeUndefined();
});

describe("a request has the same result whether it sends a job or not", () => {
	const minute = 60_000;

	/** Asks for a mailbox, at a minute of the day. @returns how many jobs its requests have sent. */
	async function ask(email: string, { at = 0, client = email }: { at?: number; client?: string } = {}) {
		shop.clock.now = shop.after(at * minute);
		expect(await askForNumbers(shop, { email, client })).toEqual({ ok: true });
		return (await shop.getJobs("send-order-numbers", email)).length;
	}

	test.each([true, false])("a mailbox gets one in ten minutes, also of many clients at once; with orders: %s", async (hasOrders) => {
		const email = `grace-${hasOrders}@example.fr`;
		if (hasOrders) await shop.insertPaidOrder({ customer_email: email });
		await Promise.all([1, 2, 3].map((client) => ask(email, { client: `${client} ${email}` })));
		expect(await ask(email.toUpperCase(), { at: 9 })).toBe(0);
		expect(await ask(email, { at: 10 })).toBe(2);
	});

	test("a client asks four times a day for a mailbox, and leaves the others to its owner, at once", async () => {
		const email = "ada-besieged@example.fr";
		for (let i = 0; i < 6; i++) await ask(email, { at: i * 10, client: "a stranger" });
		expect(await ask(email, { at: 51, client: "the owner" })).toBe(5);
		expect(await ask(email, { at: 1440, client: "a stranger" })).toBe(6);
	});

	test("a request within the ten minutes takes no point of the day", async () => {
		const email = "ada-impatient@example.fr";
		for (let i = 0; i < 5; i++) await ask(email, { at: i });
		expect([await ask(email, { at: 10 }), await ask(email, { at: 20 }), await ask(email, { at: 30 })]).toEqual([2, 3, 4]);
		expect(await ask(email, { at: 40 })).toBe(4);
	});
});

test("a wrong address is refused, and a client is limited", async () => {
	expect(await askForNumbers(shop, { email: "ada", client: "one" })).toEqual({ ok: false, code: "invalid" });
	for (let i = 0; i < 10; i++) expect(await askForNumbers(shop, { email: `a${i}@example.fr`, client: "two" })).toEqual({ ok: true });
	expect(await askForNumbers(shop, { email: "b@example.fr", client: "two" })).toMatchObject({ ok: false, code: "limited" });
	expect(await askForNumbers(shop, { email: "b@example.fr", client: "three" })).toEqual({ ok: true });
});
