import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, waitForLock } from "../../test/orders.ts";
import type { Order } from "../orders/order.ts";
import { packContent } from "./pack-content.server.ts";
import {
	anonymiseAddress,
	findSentEmail,
	insertSentEmail,
	listEmailsNaming,
	listRecentEmailsTo,
	listSentEmails,
	markSentEmailBounced,
} from "./sent-emails.store.server.ts";

// E-mails as they left: stored, listed, and anonymised by address.

let shop: OrderFixture;
let order: Order;
let other: Order;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
	[order, other] = [await shop.insertOrder(), await shop.insertOrder()];
});
afterAll(() => shop?.close());

const files = [{ name: "Facture.pdf", bytes: 12, sha256: "a".repeat(64) }];

/** @param people the addresses that the e-mail goes to or names; it goes to the first. */
async function insert(people: readonly [string, ...string[]], { of = order, mailId = randomUUID() as string, at = shop.start } = {}) {
	const content = { subject: `Pour ${people.join(", ")}`, text: people.join("\n"), html: people.map((each) => `<p>${each}</p>`).join("") };
	const row = { mailId, orderId: of.id, kind: "confirmation", sentAt: at, recipient: people[0], attachments: files };
	await shop.inTransaction(async (trx) => insertSentEmail(trx, { ...row, addresses: [...people], content: await packContent(content) }));
	return { ...row, ...content, bouncedAt: null };
}
const find = ({ mailId }: { mailId: string }) => findSentEmail(shop.db, mailId);
const anonymise = (email: string, keptOrders: string[] = []) => shop.inTransaction((trx) => anonymiseAddress(trx, email, keptOrders));

test("an e-mail is found as it left", async () => {
	const stored = [await insert(["ada@example.fr"]), await insert(["grace@example.fr"], { of: other })];
	for (const each of stored) expect(await find(each)).toEqual(each);
	expect(await find({ mailId: randomUUID() })).toBeNull();
});

test("an e-mail came back once, and no other with it", async () => {
	const [bounced, fine] = [await insert(["ada@example.fr"]), await insert(["ada@example.fr"])];
	const mark = (at: Date) => shop.inTransaction((trx) => markSentEmailBounced(trx, bounced.mailId, at));
	expect([await mark(shop.after(1000)), await mark(shop.after(2000))]).toEqual([true, false]);
	expect([(await find(bounced))?.bouncedAt, (await find(fine))?.bouncedAt]).toEqual([shop.after(1000), null]);
	expect(await shop.inTransaction((trx) => markSentEmailBounced(trx, randomUUID(), shop.start))).toBe(false);
});

test("the newest e-mails that left for an address since an instant and did not come back, with their subjects", async () => {
	const email = "revenu@example.fr";
	await insert([email], { at: shop.after(-1) });
	const first = await insert(["Revenu@example.fr", "x@example.fr"]);
	await insert(["autre@example.fr", email], { at: shop.after(1000) });
	const third = await insert([email], { at: shop.after(3000) });
	const second = await insert([email], { at: shop.after(2000) });
	const bounced = await insert([email], { at: shop.after(4000) });
	await shop.inTransaction((trx) => markSentEmailBounced(trx, bounced.mailId, shop.after(5000)));
	const list = (limit: number) =>
		shop.inTransaction((trx) => listRecentEmailsTo(trx, { email: "REVENU@example.fr", since: shop.start, limit }));
	const rows = [third, second, first].map(({ mailId, sentAt, subject }) => ({ mailId, sentAt, subject }));
	expect(await list(9)).toEqual(rows);
	expect(await list(1)).toEqual(rows.slice(0, 1));
});

test("the e-mails of an order, and those naming an address, are listed oldest first, those of an instant by their id", async () => {
	const [mine, theirs] = [await shop.insertOrder(), await shop.insertOrder()];
	// the larger id is stored first, so that the order of the rows is not that of the ids
	const [smaller = "", larger = ""] = [randomUUID(), randomUUID()].sort();
	const last = await insert(["listed@example.fr"], { of: mine, at: shop.after(2000) });
	const second = await insert(["listed@example.fr"], { of: mine, at: shop.after(1000), mailId: larger });
	const first = await insert(["bank@example.fr", "Listed@example.fr"], { of: mine, at: shop.after(1000), mailId: smaller });
	const before = await insert(["listed@example.fr"], { of: theirs });
	const ids = (rows: { mailId: string }[]) => rows.map(({ mailId }) => mailId);
	expect(ids(await listSentEmails(shop.db, mine.id))).toEqual(ids([first, second, last]));
	expect(ids(await listEmailsNaming(shop.db, " LISTED@example.fr"))).toEqual(ids([before, first, second, last]));
	const { subject, text, html, ...row } = before;
	expect(await listSentEmails(shop.db, theirs.id)).toEqual([row]);
});

test("an address is taken out of the e-mails that went to it or name it, except for those of kept orders", async () => {
	const to = await insert(["Erased@example.fr", "notary@example.fr"]);
	const naming = await insert(["notary@example.fr", "erased@example.fr"]);
	const kept = await insert(["erased@example.fr"], { of: other });
	const foreign = await insert(["someone-erased@example.fr"]);
	expect(await anonymise(" ERASED@example.fr", [other.id])).toBe(2);
	const gone = "[adresse effacée]";
	expect(await find(to)).toEqual({
		...{ ...to, recipient: null, subject: `Pour ${gone}, notary@example.fr` },
		...{ text: `${gone}\nnotary@example.fr`, html: `<p>${gone}</p><p>notary@example.fr</p>` },
	});
	expect(await find(naming)).toMatchObject({ recipient: "notary@example.fr", text: `notary@example.fr\n${gone}` });
	for (const each of [kept, foreign]) expect(await find(each)).toEqual(each);
	// it is no longer found by the address that is gone, and still by the other
	expect((await listEmailsNaming(shop.db, "erased@example.fr")).map(({ mailId }) => mailId)).toEqual([kept.mailId]);
	expect(await listEmailsNaming(shop.db, "notary@example.fr")).toEqual(
		expect.arrayContaining([expect.objectContaining({ mailId: to.mailId, recipient: null })]),
	);
	expect(await anonymise("notary@example.fr")).toBe(2);
	expect(await find(to)).toMatchObject({ recipient: null, text: `${gone}\n${gone}` });
	expect(await find(naming)).toMatchObject({ recipient: null, text: `${gone}\n${gone}` });
});

test("an address is taken out with the characters that HTML and patterns treat apart, in any case of letters", async () => {
	const email = "o'neil+a&b.c@example.fr";
	const stored = await insert([email]);
	const html = "<p>O&#x27;Neil+a&amp;b.c@example.fr, o&#x27;neil+a&amp;bxc@example.fr</p>";
	await shop.db
		.updateTable("sent_emails")
		.set({ content: await packContent({ subject: "O'Neil+A&B.C@example.fr", text: `<${email}>, x${email}, ${email}.be`, html }) })
		.where("mail_id", "=", stored.mailId)
		.execute();
	await anonymise(email);
	expect(await find(stored)).toMatchObject({
		...{ subject: "[adresse effacée]", text: `<[adresse effacée]>, x${email}, ${email}.be` },
		html: "<p>[adresse effacée], o&#x27;neil+a&amp;bxc@example.fr</p>",
	});
});

test("two addresses are taken out of one e-mail at the same time", async () => {
	const stored = await insert(["one@example.fr", "two@example.fr"]);
	const { second } = await shop.inTransaction(async (trx) => {
		await anonymiseAddress(trx, "one@example.fr", []);
		const second = anonymise("two@example.fr");
		await waitForLock(shop.db, second);
		return { second };
	});
	expect(await second).toBe(1);
	expect(await find(stored)).toMatchObject({ recipient: null, text: "[adresse effacée]\n[adresse effacée]" });
});
