import { sql } from "kysely";
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
const ask = (fields: Record<string, string>) =>
	contact.shop.postForm("/support", {
		firstName: "Ada",
		lastName: "Lovelace",
		phone: "",
		subject: "Une facture",
		message: "Bonjour.",
		...fields,
	});

test("a question to the support reaches the shop with its subject and telephone number", async () => {
	const answer = await ask({ email: "question@example.fr", phone: "01 99 00 11 22", message: "Il manque mon numéro de TVA.\nMerci." });
	expect(answer.status).toBe(303);
	expect(answer.headers.get("location")).toBe("/support?envoye=1");
	expect(await (await contact.shop.ask("/support?envoye=1")).text()).toContain("Votre message est envoyé");
	const [row] = await contact.waitForMessages("question@example.fr");
	expect(row).toMatchObject({
		...{ name: "Ada Lovelace", phone: "01 99 00 11 22", subject: "Une facture", message: "Il manque mon numéro de TVA.\nMerci." },
	});
	const [{ content } = expect.fail("nothing came")] = contact.mailsAbout("question@example.fr");
	expect(content.subject).toMatch(/^Support, une facture\s: message [0-9A-F]{8}$/);
	for (const fact of [
		"Sujet : Une facture",
		"Nom : Ada Lovelace",
		"Téléphone : 01 99 00 11 22",
		"> Il manque mon numéro de TVA.\n> Merci.",
	])
		expect(content.text?.replaceAll("\u00a0", " ")).toContain(fact);
	const [receipt] = contact.mailsTo("question@example.fr");
	for (const typed of ["Lovelace", "99 00 11 22", "une facture", "numéro de TVA"]) expect(receipt?.content.text).not.toContain(typed);
});

test("the telephone number of a question is optional", async () => {
	expect((await ask({ email: "muette@example.fr" })).status).toBe(303);
	expect((await contact.waitForMessages("muette@example.fr"))[0]).toMatchObject({ phone: null, subject: "Une facture" });
	expect(contact.mailsAbout("muette@example.fr")[0]?.content.text).not.toContain("Téléphone");
});

test("an empty question is refused with the agreed sentences, in the order of its fields", async () => {
	const answer = await ask({ firstName: "", lastName: " ", email: "", subject: "", message: "" });
	expect(answer.status).toBe(400);
	const page = (await answer.text()).replaceAll("&#x27;", "'");
	const beside = [...page.matchAll(/id="(\w+)-error"[^>]*><svg.*?<\/svg>([^<]+)</g)].map(([, field, sentence]) => [field, sentence]);
	expect(beside).toEqual([
		["firstName", "Le prénom est requis"],
		["lastName", "Le nom est requis"],
		["email", "L'adresse email est requise"],
		["subject", "Choisissez un sujet"],
		["message", "Écrivez votre message"],
	]);
	expect(page).toContain("5 champs à corriger");
	for (const link of ["Choisissez un sujet", "Écrivez votre message"]) expect(page).toContain(`>${link}</a>`);
});

test("a refused question keeps the typed values, including the subject", async () => {
	const answer = await ask({ firstName: "Zoë", email: "zoe@", phone: "12 34", message: "Bonjour & merci" });
	expect(answer.status).toBe(400);
	const page = (await answer.text()).replaceAll("&#x27;", "'");
	for (const sentence of ["Format d'email invalide", "Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78"])
		expect(page).toContain(sentence);
	for (const typed of ['value="Zoë"', 'value="zoe@"', 'value="12 34"', "Bonjour &amp; merci"]) expect(page).toContain(typed);
	expect(page).toMatch(/<option selected="">Une facture</);
	expect(await contact.listMessages("zoe@")).toEqual([]);
});

test.each([
	["plus@example.fr", "+33 1 99 00 11 22"],
	["zeros@example.fr", "0033.1.99.00.11.22"],
	["tirets@example.fr", "01-99-00-11-22"],
	["serre@example.fr", "0199001122"],
])("%s: %s is a French number", async (email, phone) => {
	expect((await ask({ email, phone })).status).toBe(303);
	expect(await contact.listMessages(email)).toMatchObject([{ phone }]);
});

test("a subject that the form does not offer is refused, because it would become the subject of an e-mail", async () => {
	expect((await ask({ email: "sujet@example.fr", subject: "Gagnez !\r\nBcc: tous@example.fr" })).status).toBe(400);
	expect(await contact.listMessages("sujet@example.fr")).toEqual([]);
});

test("the contact form stores only its own fields", async () => {
	expect((await write({ email: "simple@example.fr", phone: "01 99 00 11 22", subject: "Autre" })).status).toBe(303);
	expect(await contact.listMessages("simple@example.fr")).toMatchObject([{ name: "Ada Lovelace", phone: null, subject: null }]);
});

test.each(["message", "lastName"])("a character that cannot be stored is refused, not a server error: %s", async (field) => {
	const answer = await ask({ email: "nul@example.fr", [field]: "avant\0après" });
	expect(answer.status).toBe(400);
	expect(await answer.text()).toContain("Ce champ contient des caractères qui ne sont pas acceptés");
	expect(await contact.listMessages("nul@example.fr")).toEqual([]);
});

test("a robot on the support page gets the success page, and nothing is stored", async () => {
	expect((await ask({ email: "robot@example.fr", website: "https://spam.example" })).status).toBe(303);
	expect(await contact.listMessages("robot@example.fr")).toEqual([]);
});

test("both forms share the messages of a client, and neither refuses a mailbox", async () => {
	await sql`delete from rate_limits`.execute(contact.shop.shop.db);
	for (let i = 0; i < 20; i++) expect((await (i % 2 ? ask : write)({ email: "partout@example.fr" })).status).toBe(303);
	const refused = await ask({ email: "partout@example.fr" });
	expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("Trop de messages ont été envoyés.")]);
	expect(await contact.listMessages("partout@example.fr")).toHaveLength(20);
});

test("the support page says how to reach the shop, answers about orders, and promises no chat", async () => {
	const page = (await (await contact.shop.ask("/support")).text()).replaceAll("\u00a0", " ");
	const { phone, email, supportHours } = contact.shop.shop.environment.shop;
	for (const named of [phone, email, supportHours, "sous 24 h", "Puis-je annuler ma commande ?", 'href="#ecrire"', 'id="ecrire"'])
		expect(page).toContain(named);
	expect(page.slice(0, page.indexOf("<footer")).match(/<details/g)).toHaveLength(4);
	expect(page).not.toMatch(/<script(?! type="application\/ld)|\bchat\b/i);
});
