import { expect, test } from "vitest";
import { paperNotice, type ServiceCode } from "../../catalogue/services.ts";
import { readOrderValues } from "../form/read-order-values.ts";
import { describeCustomer, describeSent } from "./payment-customer.ts";

test.each<[ServiceCode, string, string | null, string | null]>([
	["standard", "Extrait et facture", "PDF envoyé aussi à", null],
	["express", "Extrait et facture", "PDF envoyé aussi à", null],
	["postal", "Facture et numéro de suivi", null, "Courrier posté à"],
])("one order (%s) says what is sent", (service, sent, copies, letters) => {
	expect(describeSent([service])).toEqual({ sent, copies, letters });
});

test.each<[Partial<Record<ServiceCode, number>>, string, string | null, string | null]>([
	[{ express: 3 }, "Lien de téléchargement et facture", "Lien de téléchargement envoyé aussi à", null],
	[{ standard: 1, express: 1 }, "PDF et facture", "PDF envoyés aussi à", null],
	[{ standard: 1, postal: 1 }, "PDF, facture et numéro de suivi", "PDF envoyé aussi à", "Courrier posté à"],
	[{ standard: 1, express: 2 }, "Liens de téléchargement et facture", "Liens de téléchargement envoyés aussi à", null],
	[{ postal: 2 }, "Facture et numéros de suivi", null, "Courriers postés à"],
	[
		{ standard: 2, postal: 1 },
		"Lien de téléchargement, facture et numéro de suivi",
		"Lien de téléchargement envoyé aussi à",
		"Courrier posté à",
	],
	[{ standard: 1, express: 1, postal: 2 }, "PDF, facture et numéros de suivi", "PDF envoyés aussi à", "Courriers postés à"],
])("several orders (%j) say what is sent", (counts, sent, copies, letters) => {
	const services = (Object.entries(counts) as [ServiceCode, number][]).flatMap(([code, count]) => Array<ServiceCode>(count).fill(code));
	expect(describeSent(services)).toEqual({ sent, copies, letters });
});

const values = readOrderValues(
	new URLSearchParams({
		...{ email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", deliveryEmail: "client@example.fr" },
		...{ address: "1 rue de la Paix", postalCode: "75002", city: "Paris", billingSiren: "732829320", billingVat: "FR44732829320" },
	}),
);
const recipient = { deliveryName: "Greffe", deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" };
const meant = { email: "ada@gmail.com", deliveryEmail: "client@gmail.com" };
// Wednesday
const postedBy = new Date("2026-12-02T17:00:00Z");
const own = { meant, postedBy, isMasked: false };

test("names who receives what, and who is invoiced", () => {
	expect(describeCustomer(values, describeSent(["express"]), own)).toEqual({
		sent: "Extrait et facture envoyés à Ada Lovelace",
		...{ email: "ada@example.fr", meant },
		rows: [["PDF envoyé aussi à", { lines: ["client@example.fr"], arrival: null, note: null }]],
		invoiced: { name: "Ada Lovelace", address: "1 rue de la Paix, 75002 Paris", siren: "732829320", vat: "FR44732829320", note: "" },
	});
	// a letter has no PDF, and goes to the billing address without one of its own
	expect(describeCustomer(values, describeSent(["postal"]), own)).toMatchObject({
		meant: { email: "ada@gmail.com", deliveryEmail: undefined },
		rows: [
			[
				"Courrier posté à",
				{
					lines: ["Ada Lovelace", "1 rue de la Paix", "75002 Paris"],
					arrival: "Arrivée prévue entre le jeudi 3 et le lundi 7 décembre.",
					note: paperNotice,
				},
			],
		],
	});
	const overseas = { ...values, ...recipient, deliveryPostalCode: "98800", deliveryCity: "Nouméa" };
	expect(describeCustomer(overseas, describeSent(["postal"]), own).rows).toEqual([
		[
			"Courrier posté à",
			{
				lines: ["Greffe", "1 quai de la Corse", "98800 Nouméa"],
				arrival: "Arrivée prévue entre le vendredi 11 et le mercredi 16 décembre.",
				note: paperNotice,
			},
		],
	]);
	// while letters cannot be ordered, nothing is said of their arrival
	expect(describeCustomer(overseas, describeSent(["postal"]), { ...own, postedBy: null }).rows).toEqual([
		["Courrier posté à", { lines: ["Greffe", "1 quai de la Corse", "98800 Nouméa"], arrival: null, note: paperNotice }],
	]);
	const mixed = describeSent(["standard", "standard", "postal"]);
	const toRecipient = { ...values, ...recipient, company: "ACME", deliveryEmail: "" };
	expect(describeCustomer(toRecipient, mixed, own)).toMatchObject({
		rows: [
			[
				"Courrier posté à",
				{
					lines: ["Greffe", "1 quai de la Corse", "75004 Paris"],
					arrival: "Arrivée prévue entre le jeudi 3 et le lundi 7 décembre.",
					note: paperNotice,
				},
			],
		],
		invoiced: { name: "ACME" },
	});
});

const other = "La facture reste à ce nom et à cette adresse. Le courrier a un autre destinataire (Greffe).";
const here = "La facture reste à ce nom, mais à l’adresse du destinataire du courrier (Greffe).";
const sameAddress = { deliveryAddress: values.address, deliveryPostalCode: values.postalCode, deliveryCity: values.city };
test.each<[string, ServiceCode[], object, string]>([
	["a letter to the customer", ["postal"], {}, ""],
	["a letter to the customer elsewhere", ["postal"], { ...recipient, deliveryName: "" }, ""],
	["a letter to the customer by name", ["postal"], { ...recipient, deliveryName: "Ada Lovelace" }, ""],
	["a letter to the customer of an invoiced company", ["postal"], { ...recipient, company: "ACME", deliveryName: "Ada Lovelace" }, ""],
	["a letter to the customer in other words", ["postal"], { ...recipient, deliveryName: "Mme ada LOVELACE" }, ""],
	["a letter to the invoiced company", ["postal"], { ...recipient, company: "ACME", deliveryName: "ACME" }, ""],
	["a letter to somebody else", ["postal"], recipient, other],
	["one of several", ["standard", "postal"], recipient, other],
	["a letter to somebody else, beside an invoiced company", ["postal"], { ...recipient, company: "ACME" }, other],
	["a letter to somebody else at the invoice's address", ["postal"], { ...recipient, ...sameAddress }, here],
	["a PDF", ["express"], recipient, ""],
])("%s: %j, says what the invoice keeps", (_, services, change, note) => {
	expect(describeCustomer({ ...values, ...change }, describeSent(services), own).invoiced.note).toBe(note);
});

test("names nobody in another browser", () => {
	const masked = { meant, postedBy, isMasked: true };
	const invoiced = { name: "la personne ou la société indiquée dans la commande", address: "", siren: "", vat: "", note: "" };
	expect(describeCustomer(values, describeSent(["express"]), masked)).toEqual({
		sent: "Extrait et facture envoyés à l’adresse e-mail indiquée dans la commande",
		...{ email: null, meant: {}, rows: [], invoiced },
	});
	expect(describeCustomer(values, describeSent(["postal"]), masked).rows).toEqual([
		["Courrier posté à", { lines: ["l’adresse indiquée dans la commande"], arrival: null, note: paperNotice }],
	]);
});
