import { afterAll, expect, test } from "vitest";
import { createTestContact } from "../../../test/contact.ts";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import type { TrackingAccess } from "../../orders/access.ts";
import { createTrackingCookies } from "../tracking/tracking-access.server.ts";

// « Nous écrire » on the pages of an order: the form knows the order, and its customer as far as the key of the page does.

const smtp = await startFakeSmtp();
const contact = await createTestContact(smtp);
const { shop } = contact;
const email = "zenobie@cabinet.example";
const { orders } = await placePurchase(shop, [{}, {}], { email, firstName: "Zénobie", lastName: "Canari" });
const [, second = orders[0]] = orders;
const { order_number: number } = second;
afterAll(async () => {
	await shop.close();
	await smtp.close();
});

const open = async (access: TrackingAccess) => {
	const cookie = createTrackingCookies(shop.shop, second, access).getSetCookie()[0]?.split(";")[0] ?? "";
	const answer = await shop.ask(`/suivi/${number}/message`, { headers: { cookie } });
	return { headers: answer.headers, text: await answer.text() };
};

test.each<[TrackingAccess, boolean, boolean]>([
	["purchase", true, true],
	["line", false, true],
	["purchase-link", false, false],
	["link", false, false],
])("opened with %s, the form has the number; the name: %s, the address: %s", async (access, hasName, hasEmail) => {
	const { headers, text } = await open(access);
	expect(headers.get("cache-control")).toContain("no-store");
	expect(text).toContain(`Commande ${number}`);
	expect(text).toContain(`name="commande" value="${number}"`);
	expect([text.includes("Zénobie Canari"), text.includes(email)]).toEqual([hasName, hasEmail]);
	expect(text).not.toMatch(/<script(?! type="application\/ld)/);
});

test("without access the form has the number that is typed, and nothing of the order", async () => {
	const answer = await shop.ask(`/suivi/${number}/message`);
	expect([answer.status, answer.headers.get("location")]).toEqual([303, `/contact?commande=${number}`]);
	const text = await (await shop.ask(`/contact?commande=${number}`)).text();
	expect(text).toContain(`name="commande" value="${number}"`);
	expect(text).not.toMatch(/Canari|cabinet\.example/);
	for (const typed of ["KB-7F3K", "552032534", "<b>"])
		expect(await (await shop.ask(`/contact?${new URLSearchParams({ commande: typed })}`)).text()).not.toContain('name="commande"');
});

test("the message says the order in its subject, and is filed with it, whatever its text", async () => {
	const fields = { nom: "Zénobie Canari", email, message: "Bonjour, où en est-il ?", commande: number };
	const refused = await shop.postForm("/contact", { ...fields, message: "" });
	expect(refused.status).toBe(400);
	expect(await refused.text()).toContain(`name="commande" value="${number}"`);
	const sent = await shop.postForm("/contact", fields);
	expect(sent.headers.get("location")).toBe(`/contact?envoye=1&commande=${number}`);
	const thanked = await (await shop.ask(sent.headers.get("location") ?? "")).text();
	expect(thanked).toContain("Votre message est envoyé");
	expect(thanked).toContain(`href="/suivi/${number}"`);
	expect(await contact.waitForMessages(email)).toMatchObject([{ subject: `Commande ${number}`, siren: null }]);
	expect(contact.mailsAbout(email)[0]?.content.subject).toMatch(new RegExp(`^Commande ${number}\\s: message [0-9A-F]{8}$`));
	const conversation = await shop.shop.db.selectFrom("conversations").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
	expect(conversation).toMatchObject({ order_id: second.id, order_found: "number", subject: `Commande ${number}` });
});
