import { expect, test } from "vitest";
import { formatVerb } from "../../desk-log/run-recorded.server.ts";
import { describeChange } from "./format-change.server.ts";

const ada = "0b5f3c52-6a0f-4a5e-9d5f-3a6f6a1c2d3e";
const describe = (after: Record<string, unknown>, before: Record<string, unknown> = {}) =>
	describeChange({ before, after }, new Map([[ada, "Ada"]])).map(({ name, before: was, after: is }) =>
		[name, was, is.replaceAll("\u00a0", " ")].filter((part) => part !== null),
	);

test("a change is written for people: months, amounts, roles, names", () => {
	expect(describe({ month: "2026-11" })).toEqual([["Mois", "Novembre 2026"]]);
	expect(describe({ cost: 320 })).toEqual([["Coût", "3,20 €"]]);
	expect(describe({ amount: "59,00 €", cause: "late" })).toEqual([
		["Montant", "59,00 €"],
		["Motif", "Retard, geste commercial"],
	]);
	expect(describe({ person: ada, roles: "serve, refund" }, { person: ada, roles: "serve" })).toEqual([
		["Personne", "Ada", "Ada"],
		["Rôles", "servir les commandes", "servir les commandes, rembourser"],
	]);
	expect(describe({ from: "2026-11-01", to: "2026-11-30" })).toEqual([
		["Du", "1er novembre 2026"],
		["Au", "30 novembre 2026"],
	]);
	expect(describe({ entries: "a".repeat(64), erased: "" })).toEqual([["Empreinte des écritures", "aaaaaaaa…"]]);
	expect(describe({ Boutique: "ouverte" }, { Boutique: "fermée" })).toEqual([["Boutique", "fermée", "ouverte"]]);
});

test("codes are words, amounts of each kind are euros, and long texts are cut only when they are identifiers", () => {
	expect(describe({ amount: 5900, compared: 5900, claim: "ada" })).toEqual([
		["Montant", "59,00 €"],
		["Paiements comparés", "5900"],
		["Pris par", "ada"],
	]);
	expect(describe({ "not-found": "removed", mail: "late", extract: "delivered", order: "stopped" })).toEqual([
		["Raison", "L’entreprise est radiée"],
		["E-mail", "Commande en retard"],
		["Extrait", "livré"],
		["Commande", "arrêtée"],
	]);
	expect(describe({ order: "KB-2222-2222", cause: "autre" })).toEqual([
		["Commande", "KB-2222-2222"],
		["Motif", "autre"],
	]);
	expect(describe({ month: "x", roles: "serve, boss", text: "2026-11-01 et plus", title: "1990-11-01", person: "0b5f3c52" })).toEqual([
		["Mois", "x"],
		["Rôles", "servir les commandes, boss"],
		["Texte", "2026-11-01 et plus"],
		["Titre", "1990-11-01"],
		["Personne", "0b5f3c52"],
	]);
	expect(describe({ conversation: ada.replace("0b", "1c"), orders: { a: 1 }, entries: "g".repeat(64) })).toEqual([
		["Message", "1c5f3c52…"],
		["Commandes", '{"a":1}'],
		["Empreinte des écritures", "g".repeat(64)],
	]);
});

test("what is nothing before and after is left out, and what was removed becomes « rien »", () => {
	expect(describe({ tracking: null, email: "", name: undefined }, { tracking: "1A1", email: null, name: undefined })).toEqual([
		["Numéro de suivi", "1A1", "rien"],
	]);
	expect(describe({ tracking: "1A2" }, { tracking: null })).toEqual([["Numéro de suivi", "1A2"]]);
	expect(describe({ letters: 0 }, { siren: "" })).toEqual([["Courriers", "0"]]);
	expect(describeChange({}, new Map())).toEqual([]);
});

test("each line begins with a capital, and names the terminal", () => {
	expect(formatVerb("bureau\u00a0: télécharger les comptes")).toBe("Télécharger les comptes");
	expect(formatVerb("bureau\u00a0: Rechercher")).toBe("Rechercher");
	expect(formatVerb("orders upload")).toBe("Terminal\u00a0: orders upload");
});
