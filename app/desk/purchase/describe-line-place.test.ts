import { expect, test } from "vitest";
import { formatPlace, type Purchase } from "../../orders/purchase.ts";
import { describeLinePlace, type PurchaseLine } from "./describe-line-place.ts";

const lineOf = (n: number, values: object = {}) =>
	({
		...{ id: `id-${n}`, purchase_line: n, order_number: `KB-${n}`, company_name: `SOCIETE ${n}`, reference: null },
		...{ product_code: "express", status: "completed", failure_reason: null, ...values },
	}) as unknown as PurchaseLine;
const lines = Array.from({ length: 60 }, (_, index) => lineOf(index + 1));

test("the purchase of an order is named by its first order, and shows twenty lines on each side", () => {
	const view = describeLinePlace(lines, { id: "id-30" });
	expect(view).toMatchObject({ number: "KB-1", line: 30, count: 60, open: 0 });
	expect(view?.lines.map(({ line }) => line)).toEqual(Array.from({ length: 41 }, (_, index) => index + 10));
	expect(view?.lines.filter(({ isThis }) => isThis).map(({ number }) => number)).toEqual(["KB-30"]);
	expect(describeLinePlace(lines, { id: "id-2" })?.lines.map(({ line }) => line)).toEqual(
		Array.from({ length: 22 }, (_, index) => index + 1),
	);
	expect(describeLinePlace(lines, { id: "id-60" })?.lines.at(-1)).toMatchObject({ line: 60, isThis: true });
});

test("each line has its service and its state, and those in progress are counted", () => {
	const some = [
		lineOf(1, { status: "processing", reference: "2026-114" }),
		lineOf(2, { status: "failed", failure_reason: "cancelled", product_code: "standard" }),
		lineOf(3, { status: "failed", failure_reason: "operator" }),
		lineOf(4, { status: "paid", product_code: "postal" }),
	];
	const view = describeLinePlace(some, { id: "id-1" });
	expect(view?.open).toBe(2);
	expect(view?.lines.map(({ company, reference, text }) => [company, reference, text])).toEqual([
		["SOCIETE 1", "2026-114", "KBIS Express, en traitement"],
		["SOCIETE 2", null, "KBIS Standard, annulée"],
		["SOCIETE 3", null, "KBIS Express, échec"],
		["SOCIETE 4", null, expect.stringMatching(/, payé$/)],
	]);
});

test("an order that was bought alone has no place in a purchase", () => {
	expect(describeLinePlace([lineOf(1)], { id: "id-1" })).toBeNull();
	expect(formatPlace({ number: "KB-1", lines: 1 } as Purchase, { purchase_line: 1 })).toBeNull();
	expect(formatPlace({ number: "KB-1", lines: 2 } as Purchase, { purchase_line: 2 })).toBe("ligne 2 sur 2 de la commande groupée KB-1");
});
