import { expect, test } from "vitest";
import { checkMessage, readAboutCompany, readMessage, subjects, toContactMessage } from "./contact-message.ts";

function createForm(fields: Record<string, string>): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.set(name, value);
	return form;
}
const contact = { nom: "Ada Lovelace", email: "ada@example.fr", message: "Bonjour" };
const support = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.fr", phone: "", subject: "Une facture", message: "Bonjour" };
const contactErrors = (change: Record<string, string>) =>
	checkMessage("contact", readMessage("contact", createForm({ ...contact, ...change })));
const supportErrors = (change: Record<string, string>) =>
	checkMessage("support", readMessage("support", createForm({ ...support, ...change })));
const address = (length: number) => `${"a".repeat(64)}@${`${"b".repeat(59)}.`.repeat(3)}${"c".repeat(length - 64 - 1 - 180 - 3)}.fr`;

test("each field accepts its maximum length and no more", () => {
	for (const [field, fits, tooLong] of [
		["nom", "é".repeat(200), "é".repeat(201)],
		// RFC 3696, erratum 1690
		["email", address(254), address(255)],
		["message", "é".repeat(5000), "é".repeat(5001)],
	] as const) {
		expect(contactErrors({ [field]: fits }), field).toEqual({});
		expect(Object.keys(contactErrors({ [field]: tooLong })), field).toEqual([field]);
	}
	for (const field of ["firstName", "lastName"]) {
		expect(supportErrors({ [field]: "é".repeat(100) }), field).toEqual({});
		expect(Object.keys(supportErrors({ [field]: "é".repeat(101) })), field).toEqual([field]);
	}
});

test("a name has one line without markup; a message may have several lines and any character", () => {
	expect(Object.keys(contactErrors({ nom: "Ada\nBcc: tous@example.fr" }))).toEqual(["nom"]);
	expect(Object.keys(contactErrors({ nom: "<b>Ada" }))).toEqual(["nom"]);
	expect(contactErrors({ message: "2 < 3\r\nMerci\t👩‍💻" })).toEqual({});
	expect(readMessage("contact", createForm({ ...contact, message: " un\r\ndeux \r\n" })).message).toBe("un\ndeux");
});

test("the support form accepts only the subjects that it offers", () => {
	expect(subjects).toEqual(["Une commande en cours", "Une facture", "Un extrait reçu", "Mes données personnelles", "Autre"]);
	for (const subject of subjects) expect(supportErrors({ subject })).toEqual({});
	for (const subject of ["", "une facture", "Ces données me concernent"])
		expect(Object.keys(supportErrors({ subject }))).toEqual(["subject"]);
});

test("a form reads and checks only its own fields", () => {
	const everything = createForm({ ...contact, ...support, phone: "01 99 00 11 22" });
	expect(readMessage("contact", everything)).toEqual({ ...contact, firstName: "", lastName: "", phone: "", subject: "" });
	expect(readMessage("support", everything)).toEqual({ ...support, phone: "01 99 00 11 22", nom: "" });
	expect(Object.keys(checkMessage("contact", readMessage("contact", createForm({}))))).toEqual(["nom", "email", "message"]);
});

test("a message has its author from either form, and its company when the form was opened from a company's page", () => {
	const ofContact = readMessage("contact", createForm(contact));
	const ofSupport = readMessage("support", createForm({ ...support, phone: "01 99 00 11 22" }));
	const simple = { name: "Ada Lovelace", email: "ada@example.fr", phone: null, subject: null, siren: null, message: "Bonjour" };
	expect(toContactMessage(ofContact, null)).toEqual(simple);
	expect(toContactMessage({ ...ofContact, message: "4242424242424242" }, null).message).toBe("•••• 4242");
	expect(toContactMessage(ofSupport, null)).toEqual({ ...simple, phone: "01 99 00 11 22", subject: "Une facture" });
	const [subject, company] = ["Signaler une erreur", { concern: "erreur", siren: "552032534" } as const];
	expect(toContactMessage(ofContact, { subject, company, order: null })).toEqual({ ...simple, subject, siren: "552032534" });
});

test.each([
	["donnees", "552032534", true],
	["erreur", "000000000", true],
	["toString", "552032534", false],
	["", "552032534", false],
	["erreur", "5520325340", false],
	["erreur", "a552032534", false],
	["erreur", "552 032 534", false],
])("objet=%s with siren=%s gives a company: %s", (objet, siren, expected) => {
	expect(readAboutCompany(new URLSearchParams({ objet, siren }))).toEqual(expected ? { concern: objet, siren } : null);
	expect(readAboutCompany(new URLSearchParams(expected ? { objet } : {}))).toBeNull();
});
