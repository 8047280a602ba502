import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { formatKept, formatMinutes } from "./figure-labels.ts";
import { writeFigures } from "./figures-file.ts";
import { type Figures, readFigures } from "./read-figures.server.ts";

const minute = 60_000;
let shop: OrderFixture;
let figures: Figures;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T12:00:00Z" });
	const paid = new Date("2026-11-20T08:30:00Z"); // half past nine in Paris
	const at = (minutes: number) => new Date(paid.getTime() + minutes * minute);
	const order = async (values: OrderValues) =>
		(await shop.insertPaidOrder({ paid_at: paid, promised_at: at(120), status: "completed", completed_at: at(60), ...values })).order;
	const quick = await order({ completed_at: at(20), promised_at: at(100_000) });
	const slow = await order({ completed_at: at(100) });
	const uploaded = await order({ completed_at: at(180), late_at: at(120) });
	await order({ status: "failed", completed_at: null, failure_reason: "cancelled" });
	await order({ status: "processing", completed_at: null });
	await order({ product_code: "postal", paid_at: at(300), promised_at: at(100_000), status: "processing", completed_at: null });
	await order({ paid_at: new Date("2026-10-01T08:00:00Z") });
	for (const [of, operator, ok] of [
		[quick, "=Ada", true],
		[slow, "=Ada", true],
		[slow, "Grace", false],
	] as const)
		await shop.db
			.insertInto("desk_acts")
			.values({
				...{
					key: randomUUID(),
					act: "deliver",
					order_id: of.id,
					operator_id: operator === "=Ada" ? quick.id : slow.id,
					operator_name: operator,
				},
				...{ origin: "test", requested_at: paid, ended_at: paid, ok },
			})
			.execute();
	// two people have had this name
	for (const email of ["grace@bureau.example", "grace.2@bureau.example"])
		await shop.db.insertInto("operators.user").values({ id: randomUUID(), name: "Grace", email, email_verified: true }).execute();
	// at the terminal: the name that was given, also of an order whose extract the desk delivered
	const upload = { served_by: "Grace", uploaded_at: paid, storage_path: "x", requested_at: paid };
	for (const of of [uploaded, quick])
		await shop.db
			.insertInto("extract_requests")
			.values({ ...upload, order_id: of.id })
			.execute();
	const { order: refunded, payment } = await shop.insertPaidOrder({ paid_at: paid, product_code: "standard", status: "failed" });
	await shop.insertRefund(payment, { reason: "failed", requested_at: paid });
	await shop.insertRefund(payment, { reason: "operator", status: "failed", requested_at: paid, order_id: refunded.id });
	const { payment: given } = await shop.insertPaidOrder({ paid_at: new Date("2026-10-01T08:00:00Z") });
	for (const [cause, amount_cents] of [
		["late", 700],
		["late", 300],
		["other", 500],
	] as const)
		await shop.insertRefund(given, { reason: "operator", cause, amount_cents, requested_at: paid });
	figures = await readFigures(shop, new URLSearchParams("du=2026-11-20&au=2026-11-20"));
});
afterAll(() => shop?.close());

test("each service has its orders, revenue, delays and kept promises, and all together too", () => {
	expect(figures.byService).toEqual([
		{ service: "standard", orders: 1, revenue: 3900, delivered: 0, median: null, p95: null, due: 0, kept: 0 },
		{ service: "express", orders: 5, revenue: 5 * 5900, delivered: 3, median: 100, p95: 172, due: 4, kept: 2 },
		{ service: "postal", orders: 1, revenue: 4400, delivered: 0, median: null, p95: null, due: 0, kept: 0 },
		{ service: null, orders: 7, revenue: 3900 + 5 * 5900 + 4400, delivered: 3, median: 100, p95: 172, due: 4, kept: 2 },
	]);
});

test("the hours are those of Paris, and an operator has what they delivered", () => {
	expect(figures.byHour.map(({ hour, orders }) => [hour, orders])).toEqual([
		[9, 6],
		[14, 1],
	]);
	expect(figures.byOperator).toMatchObject([
		{ operator: "=Ada", orders: 2, delivered: 2, median: 60, due: 2, kept: 2 },
		{ operator: "Grace", orders: 1, delivered: 1, median: 180, due: 1, kept: 0 },
	]);
});

test("the refunds have their reason and the operator's cause, without those that failed", () => {
	expect(figures.refunds).toEqual([
		{ reason: "failed", cause: null, count: 1, amount: 3900 },
		{ reason: "operator", cause: "late", count: 2, amount: 1000 },
		{ reason: "operator", cause: "other", count: 1, amount: 500 },
	]);
});

test("a day without orders has no rows but the total", async () => {
	const empty = await readFigures(shop, new URLSearchParams("du=2026-01-01&au=2026-01-01"));
	expect(empty).toMatchObject({ byService: [{ service: null, orders: 0, revenue: 0 }], byHour: [], byOperator: [], refunds: [] });
});

test("a day begins at midnight in Paris and ends before the next one, for orders and refunds", async () => {
	const [midnight, next] = [new Date("2026-12-10T23:00:00Z"), new Date("2026-12-11T23:00:00Z")];
	for (const instant of [new Date(midnight.getTime() - 1), midnight, new Date(next.getTime() - 1), next]) {
		const { payment } = await shop.insertPaidOrder({ paid_at: instant, status: "failed" });
		await shop.insertRefund(payment, { reason: "late", requested_at: instant, amount_cents: 100 });
	}
	const { byService, byHour, refunds } = await readFigures(shop, new URLSearchParams("du=2026-12-11&au=2026-12-11"));
	expect(byService.at(-1)?.orders).toBe(2);
	expect(byHour.map(({ hour, orders }) => [hour, orders])).toEqual([
		[0, 1],
		[23, 1],
	]);
	expect(refunds).toEqual([{ reason: "late", cause: null, count: 2, amount: 200 }]);
});

test("each order of a purchase counts once, at its own price", async () => {
	await shop.insertPaidPurchase(["standard", "express", "express"], { paid_at: new Date("2026-11-10T09:00:00Z") });
	const { byService } = await readFigures(shop, new URLSearchParams("du=2026-11-10&au=2026-11-10"));
	expect(byService.map(({ service, orders, revenue }) => [service, orders, revenue])).toEqual([
		["standard", 1, 3900],
		["express", 2, 11_800],
		[null, 3, 15_700],
	]);
});

test("the file opens in a French spreadsheet, and computes nothing", () => {
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(writeFigures(figures));
	expect(text.charCodeAt(0)).toBe(0xfeff);
	const lines = text.slice(1).split("\r\n");
	expect(lines.filter(Boolean).map((line) => line.replaceAll("\u00a0", " "))).toEqual([
		[
			...["Tableau;Ligne;Commandes payées;Chiffre d’affaires TTC (€);Livrées;Délai médian (min)"],
			...["95 % livrées en moins de (min);Promesses échues;Promesses tenues"],
		].join(";"),
		"Service;Standard;1;39,00;0;;;0;0",
		"Service;Express;5;295,00;3;100;172;4;2",
		"Service;Postal;1;44,00;0;;;0;0",
		"Service;Tous;7;378,00;3;100;172;4;2",
		"Heure du paiement;9 h;6;334,00;3;100;172;4;2",
		"Heure du paiement;14 h;1;44,00;0;;;0;0",
		"Opérateur;'=Ada;2;118,00;2;60;96;2;2",
		"Opérateur;Grace;1;59,00;1;180;180;1;0",
		"Remboursements;Commande arrêtée ou sans extrait;1;39,00",
		"Remboursements;Décision d’un opérateur : retard, geste commercial;2;10,00",
		"Remboursements;Décision d’un opérateur : autre, précisé dans la note;1;5,00",
	]);
});

test.each([
	[null, "–"],
	[0.4, "0\u00a0min"],
	[59.4, "59\u00a0min"],
	[100, "1\u00a0h\u00a040"],
	[1440 * 3 + 125, "3\u00a0j\u00a02\u00a0h"],
])("%s minutes are « %s »", (minutes, text) => {
	expect(formatMinutes(minutes)).toBe(text);
});

test("kept promises are a share, and nothing when none was due", () => {
	expect(formatKept({ due: 0, kept: 0 })).toBe("–");
	expect(formatKept({ due: 200, kept: 193 })).toBe("96,5\u00a0%");
});
