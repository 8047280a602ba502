import { describe, expect, test } from "vitest";
import { describeRequest, describeRequests } from "./describe-request.ts";
import type { Order } from "./order.ts";

// Whether the registry was asked for the extracts that a customer awaits (docs/rules.md, R204).

const monday = new Date("2026-11-23T07:00:00Z");
const awaited = { id: "a", status: "processing", disputed_at: null, extract_requested_at: null } as Order;
const asked: Order = { ...awaited, id: "b", extract_requested_at: monday };

test.each([
	[true, 1, "Demande transmise au greffe : nous attendons l’extrait."],
	[true, 2, "Demandes transmises aux greffes : nous attendons les extraits."],
	[false, 1, "Commande enregistrée : nous allons demander l’extrait au greffe."],
	[false, 2, "Commande enregistrée : nous allons demander les extraits aux greffes."],
])("requested: %s, %i extracts", (requested, extracts, sentence) => {
	expect(describeRequest(requested, null, extracts)).toBe(sentence);
});

test("a closed shop says when it will ask", () => {
	expect(describeRequest(false, monday)).toBe(
		"Commande enregistrée : nous demanderons l’extrait au greffe à partir de lundi 23 novembre à 8 h, heure de Paris.",
	);
	expect(describeRequest(true, monday)).toBe(describeRequest(true, null));
});

describe("the orders of a purchase", () => {
	test.each<[string, Order[], string | null]>([
		["none", [], null],
		["one that was not asked for", [awaited], describeRequest(false, null, 1)],
		["one that was asked for", [asked], describeRequest(true, null, 1)],
		["two that were asked for", [asked, { ...asked, id: "c" }], describeRequest(true, null, 2)],
		["one of two that was not", [asked, awaited], describeRequest(false, null, 1)],
		["two of three that were not", [asked, awaited, { ...awaited, id: "c" }], describeRequest(false, null, 2)],
		["one that a dispute stops", [{ ...awaited, disputed_at: monday }], null],
		["one that is delivered", [{ ...awaited, status: "completed" }], null],
		["one that has its extract", [{ ...awaited, id: "issued" }], null],
		["one beside one that has its extract", [asked, { ...awaited, id: "issued" }], describeRequest(true, null, 1)],
	])("%s", (_what, orders, sentence) => {
		expect(describeRequests(orders, new Set(["issued"]), null)).toBe(sentence);
	});
});
