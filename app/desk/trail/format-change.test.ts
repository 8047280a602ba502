import { expect, test } from "vitest";
import { formatVerb } from "../../desk-log/format-verb.ts";
import { describeChange } from "./format-change.ts";

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

test("each line begins with a capital, and names the terminal", () => {
	expect(formatVerb("bureau\u00a0: télécharger les comptes")).toBe("Télécharger les comptes");
	expect(formatVerb("bureau\u00a0: Rechercher")).toBe("Rechercher");
	expect(formatVerb("orders upload")).toBe("Terminal\u00a0: orders upload");
});
