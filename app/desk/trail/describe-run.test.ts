import { expect, test } from "vitest";
import { describeChange, describeVerb } from "./describe-run.server.ts";

const ada = "0b5f3c52-6a0f-4a5e-9d5f-3a6f6a1c2d3e";
const describe = (verb: string, after: object, before: object = {}) =>
	describeChange({ verb, change: { before, after } as never }, new Map([[ada, "Ada"]])).map(({ name, before: was, after: is }) =>
		[name, was, is.replaceAll("\u00a0", " ")].filter((part) => part !== null),
	);

test("a change is written for people: months, amounts, roles, names, settings", () => {
	expect(describe("close-month", { month: "2026-11", entries: "a".repeat(64) })).toEqual([
		["Mois", "Novembre 2026"],
		["Empreinte des écritures", "aaaaaaaa…"],
	]);
	expect(describe("close-month", { month: "x", entries: "g".repeat(64) })).toEqual([
		["Mois", "x"],
		["Empreinte des écritures", "g".repeat(64)],
	]);
	expect(describe("extract-cost", { cost: 320 })).toEqual([["Coût", "3,20 €"]]);
	expect(describe("refund", { amount: "59,00 €", cause: "late", order: "stopped" })).toEqual([
		["Montant", "59,00 €"],
		["Motif", "Retard, geste commercial"],
		["Commande", "arrêtée"],
	]);
	expect(describe("change-roles", { person: ada, roles: "serve, refund" }, { person: ada, roles: "serve, boss" })).toEqual([
		["Personne", "Ada", "Ada"],
		["Rôles", "servir les commandes, boss", "servir les commandes, rembourser"],
	]);
	expect(describe("close-shop", { closure: "ouverte" }, { closure: "fermée" })).toEqual([["Boutique", "fermée", "ouverte"]]);
	expect(describe("export-figures", { from: "2026-11-01", to: "2026-11-30" })).toEqual([
		["Du", "1er novembre 2026"],
		["Au", "30 novembre 2026"],
	]);
});

test("codes are words where the act knows them, and only identifiers are cut", () => {
	expect(describe("not-found", { "not-found": "removed" })).toEqual([["Raison", "L’entreprise est radiée"]]);
	expect(describe("resend", { mail: "late" })).toEqual([["E-mail", "Commande en retard"]]);
	expect(describe("deliver", { extract: "delivered" })).toEqual([["Extrait", "livré"]]);
	expect(describe("recreate-order", { order: "KB-2222-2222", what: "made" })).toEqual([
		["Commande", "KB-2222-2222"],
		["Recréé", "recréée"],
	]);
	expect(describe("refund", { cause: "autre", more: "2026-11-01 et plus" })).toEqual([
		["Motif", "autre"],
		["more", "2026-11-01 et plus"],
	]);
	expect(describe("close-conversation", { conversation: ada.replace("0b", "1c") })).toEqual([["Message", "1c5f3c52…"]]);
	expect(describe("print-letters", { letters: 2, orders: { a: 1 }, left: "1990-11-01" })).toEqual([
		["Courriers", "2"],
		["Commandes", '{"a":1}'],
		["Hors du PDF", "1990-11-01"],
	]);
});

test("what is nothing before and after is left out, and what was removed becomes « rien »", () => {
	expect(
		describe("post-letter", { tracking: null, email: "", name: undefined }, { tracking: "1A1", email: null, name: undefined }),
	).toEqual([["Numéro de suivi", "1A1", "rien"]]);
	expect(describe("post-letter", { tracking: "1A2" }, { tracking: null })).toEqual([["Numéro de suivi", "1A2"]]);
	expect(describe("print-letters", { letters: 0 }, { siren: "" })).toEqual([["Courriers", "0"]]);
	for (const verb of ["refund", "orders upload"])
		expect(describe(verb, { refusal: "Tout est déjà remboursé." })).toEqual([["Motif", "Tout est déjà remboursé."]]);
	expect(describeChange({ verb: "note", change: null }, new Map())).toEqual([]);
});

test("a line names the act, the other thing that was done, or the command of the terminal", () => {
	const name = (verb: string, after?: object) => describeVerb({ verb, change: after ? ({ after } as never) : null });
	expect(name("deliver")).toBe("Livrer l’extrait");
	expect(name("download-accounts")).toBe("Télécharger les comptes");
	expect(name("orders upload")).toBe("Terminal\u00a0: orders upload");
	expect(name("constructor")).toBe("Terminal\u00a0: constructor");
	expect(name("undo", { act: "refund" })).toBe("Annuler «\u00a0Rembourser\u00a0»");
	expect(name("approve", { act: "former-act" })).toBe("Approuver «\u00a0former-act\u00a0»");
	expect(describe("undo", { act: "refund" })).toEqual([]);
});
