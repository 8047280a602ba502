import { afterAll, expect, test } from "vitest";
import { createTestContact } from "../../../test/contact.ts";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";

const smtp = await startFakeSmtp();
const contact = await createTestContact(smtp);
afterAll(async () => {
	await contact.shop.close();
	await smtp.close();
});

const write = (fields: Record<string, string>) =>
	contact.shop.postForm("/contact", { nom: "Ada Lovelace", message: "Où en est ma commande ?\nMerci.", ...fields });

test.each([
	["donnees", "Ces données me concernent", true],
	["erreur", "Signaler une erreur", false],
])("a message from a company's page (%s) reaches the shop with the SIREN and the next steps", async (objet, subject, hides) => {
	const company = await (await contact.shop.ask("/entreprise/552032534")).text();
	expect(company).toContain(`href="/contact?objet=${objet}&amp;siren=552032534"`);
	const page = await (await contact.shop.ask(`/contact?objet=${objet}&siren=552032534`)).text();
	for (const shown of [subject, `name="objet" value="${objet}"`, 'name="siren" value="552032534"', 'content="noindex"'])
		expect(page.replaceAll(/[\u00a0\u202f]/g, " ")).toContain(shown);
	expect(page.replaceAll(/<[^>]*>|\s/g, "")).toContain("SIREN552032534");
	expect(page).not.toMatch(/<script(?! type="application\/ld)/);

	const email = `${objet}@example.fr`;
	expect((await write({ email, objet, siren: "552032534" })).headers.get("location")).toBe("/contact?envoye=1");
	expect(await contact.waitForMessages(email)).toMatchObject([{ subject, siren: "552032534" }]);
	const [{ content } = expect.fail("nothing came")] = contact.mailsAbout(email);
	const text = content.text?.replaceAll("\u00a0", " ");
	expect(content.subject).toMatch(new RegExp(`^Fiche 552032534, ${subject.toLowerCase()}\\s: message [0-9A-F]{8}$`));
	expect(text).toContain("SIREN : 552032534");
	// who is made sure of, how, and until when (GDPR art. 12.3 and 12.6)
	for (const said of [
		"assurez-vous que c’est bien elle qui écrit",
		"npm run companies:hide -- 552032534 --reason",
		"dans le mois qui suit",
	])
		expect(text?.includes(said), said).toBe(hides);
	expect(contact.mailsTo(email)[0]?.content.text).not.toContain("552032534");
});

test("a refused form keeps the company and the concern", async () => {
	const answer = await write({ email: "zoe@", objet: "donnees", siren: "552032534" });
	expect(answer.status).toBe(400);
	const page = await answer.text();
	for (const kept of ['name="objet" value="donnees"', 'name="siren" value="552032534"']) expect(page).toContain(kept);
});

test.each([
	["autre", "552032534"],
	["donnees", "55203253"],
	["donnees", "552032534; rm -rf"],
	["__proto__", "552032534"],
	["donnees", ""],
])("an unknown concern or an invalid SIREN is left out of the message: %s %s", async (objet, siren) => {
	const email = `${crypto.randomUUID()}@example.fr`;
	const page = await (await contact.shop.ask(`/contact?${new URLSearchParams({ objet, siren })}`)).text();
	expect(page).not.toContain('name="objet"');
	expect((await write({ email, objet, siren })).status).toBe(303);
	expect(await contact.listMessages(email)).toMatchObject([{ subject: null, siren: null }]);
});
