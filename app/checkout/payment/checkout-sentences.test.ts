import { describe, expect, test } from "vitest";
import type { CheckedLine, LineProblem } from "../form/lines/checked-line.ts";
import { describeCheckoutRefusal } from "./checkout-sentences.ts";
import { describeLost } from "./describe-payment.server.ts";

// agreed texts (docs/rules.md, R52)
describe("the error of a refused order", () => {
	test.each([
		["wrong-amount", 400, "Le montant ne correspond pas au tarif de ce service."],
		["key-reused", 409, "Cette clé a déjà servi pour une autre commande."],
		["already-paid", 400, "Cette commande est déjà réglée."],
		["not-payable", 502, "Erreur lors du traitement du paiement"],
		["unavailable", 502, "Erreur lors du traitement du paiement"],
		["refused", 502, "Erreur lors du traitement du paiement"],
		["email-refused", 400, "Notre prestataire de paiement refuse cette adresse e-mail\u00a0: vérifiez-la, ou indiquez-en une autre"],
		["no-url", 502, "Aucune URL de paiement reçue"],
	] as const)("%s: %i, « %s »", (code, status, sentence) => {
		expect(describeCheckoutRefusal({ ok: false, code, orderId: "" })).toEqual({ status, sentence });
	});

	test.each<[string, LineProblem | null | undefined, string]>([
		["no line", undefined, "Entreprise introuvable"],
		["an unknown company", { code: "unknown-siren" }, "Entreprise introuvable"],
		[
			"a company without an extract",
			{ code: "no-extract" },
			"Cet organisme n’a pas d’extrait Kbis. Son extrait RNE est gratuit sur data.inpi.fr.",
		],
		["no service", null, "Ce service n’existe pas."],
	])("%s", (_, problem, sentence) => {
		const lines = problem === undefined ? [] : [{ problem } as CheckedLine];
		expect(describeCheckoutRefusal({ ok: false, code: "unorderable", lines })).toEqual({ status: 400, sentence });
	});

	test("of invalid fields, the first of the form has its sentence", () => {
		const errors = { lastName: "Le nom est requis", email: "Format d'email invalide" };
		expect(describeCheckoutRefusal({ ok: false, code: "invalid-fields", errors })).toEqual({ status: 400, sentence: errors.email });
	});

	test("a limit says from when a new try is possible, in Paris time", () => {
		const retryFrom = new Date("2026-11-21T10:01:00Z");
		const { status, sentence } = describeCheckoutRefusal({ ok: false, code: "limited", by: "mailbox", retryAfter: 3600, retryFrom });
		expect(status).toBe(429);
		expect(sentence.replaceAll("\u00a0", " ")).toBe(
			"Trop de commandes ont été passées avec cette adresse e-mail. Réessayez à partir de 11 h 01, heure de Paris.",
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
	const closing = "Rien n’a été débité, et votre saisie est conservée. Modifiez votre commande pour continuer.";
	expect(describeLost([lost])).toEqual(["Une ligne ne peut plus être commandée.", `Ligne 3, ${sentence}`, closing]);
	expect(describeLost([lost, lost]).slice(0, 2)).toEqual(["2 lignes ne peuvent plus être commandées.", `Ligne 3, ${sentence}`]);
	expect(describeLost([])).toEqual([]);
});
