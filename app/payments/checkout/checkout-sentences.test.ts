import { describe, expect, test } from "vitest";
import { readOrderValues } from "../../order-form/order-form.ts";
import type { CheckedLine } from "../../purchase-form/checked-line.ts";
import { describeCheckoutRefusal } from "./checkout-sentences.ts";
import { describeLostLine } from "./purchase-payment.server.ts";
import type { CheckoutRefusal } from "./start-checkout.server.ts";

// agreed texts (docs/rules.md, R52)
describe("the error of a refused order", () => {
	const describeRefusal = (refusal: CheckoutRefusal) =>
		describeCheckoutRefusal(refusal, readOrderValues(new URLSearchParams({ email: "ada" })));

	test.each([
		["unknown-service", 400, "Ce service n’existe pas."],
		["unknown-company", 400, "Entreprise introuvable"],
		["no-extract", 400, "Cet organisme n’a pas d’extrait Kbis. Son extrait RNE est gratuit sur data.inpi.fr."],
		["terms-not-accepted", 400, "Vous devez accepter les conditions générales"],
		["wrong-amount", 400, "Le montant ne correspond pas au tarif de ce service."],
		["wrong-delivery", 400, "Le mode de livraison ne correspond pas à ce service."],
		["key-reused", 409, "Cette clé a déjà servi pour une autre commande."],
		["already-paid", 400, "Cette commande est déjà réglée."],
		["not-payable", 502, "Erreur lors du traitement du paiement"],
		["unavailable", 502, "Erreur lors du traitement du paiement"],
		["refused", 502, "Erreur lors du traitement du paiement"],
		["no-url", 502, "Aucune URL de paiement reçue"],
	] as const)("%s: %i, « %s »", (code, status, sentence) => {
		expect(describeRefusal({ ok: false, code, orderId: "" })).toEqual({ status, sentence });
	});

	test("an invalid field has the sentence of the form", () => {
		expect(describeRefusal({ ok: false, code: "invalid-field", field: "email" })).toEqual({
			status: 400,
			sentence: "Format d'email invalide",
		});
		expect(describeRefusal({ ok: false, code: "invalid-field", field: "firstName" }).sentence).toBe("Le prénom est requis");
		// a company that has become masked passes the form's rules, and cannot be invoiced
		const masked = readOrderValues(new URLSearchParams({ billTo: "ordered" }));
		expect(describeCheckoutRefusal({ ok: false, code: "invalid-field", field: "billTo" }, masked).sentence).toBe(
			"Indiquez à qui adresser la facture",
		);
	});

	test("a limit says from when a new try is possible, in Paris time", () => {
		const retryFrom = new Date("2026-11-21T10:01:00Z");
		const { status, sentence } = describeRefusal({ ok: false, code: "limited", by: "mailbox", retryAfter: 3600, retryFrom });
		expect(status).toBe(429);
		expect(sentence.replaceAll("\u00a0", " ")).toBe(
			"Trop de commandes ont été passées avec cette adresse e-mail. Réessayez à partir de 11 h 01.",
		);
	});
});

test.each<[string, Partial<CheckedLine>, string]>([
	["a company that has left the register", { problem: { code: "unknown-siren" } }, "552 032 534\u00a0: Aucune entreprise n’a ce SIREN."],
	[
		"a company without an extract",
		{ company: { name: "DANONE" } as CheckedLine["company"], problem: { code: "no-extract" } },
		"DANONE\u00a0: Cet organisme n’a pas d’extrait Kbis. Son extrait RNE est gratuit sur data.inpi.fr.",
	],
	["a line without a service", { company: { name: "DANONE" } as CheckedLine["company"] }, "DANONE\u00a0: Choisissez un service."],
])("a line that can no longer be ordered is named: %s", (_what, change, sentence) => {
	const line = { company: "552 032 534", reference: "", service: "", siren: null } as const;
	const lost = { place: 3, line, service: null, siren: null, company: null, choices: [], problem: null, remarks: [], ...change };
	expect(describeLostLine(lost)).toBe(`Ligne 3, ${sentence}`);
});
