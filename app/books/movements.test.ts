import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../test/accounts.ts";
import { recordEvent } from "../orders/orders.store.server.ts";
import type { RecordedPayment } from "../orders/refunds/refunds.store.server.ts";
import { checkMovements } from "./checks/check-movements.store.server.ts";
import { listEntries } from "./entries.store.server.ts";
import { listPaidOut } from "./files/files.store.server.ts";
import { writePayouts } from "./files/payouts-file.ts";
import { getBounds, type Month } from "./month.ts";
import { postEntries } from "./post-entries.server.ts";

// Fees, disputes and payouts, as the provider's balance has them.

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-09-01T09:00:00Z");
});
afterAll(() => shop?.close());

const toMonth = (text: string) => text as Month;

async function move(
	kind: string,
	values: {
		amount: number;
		fee?: number;
		payment?: RecordedPayment | undefined;
		source?: string;
		at?: Date;
		payout?: string;
		currency?: string;
	},
) {
	const row = {
		...{ id: `txn_${crypto.randomUUID()}`, kind: kind as "charge", amount_cents: values.amount, fee_cents: values.fee ?? 0 },
		...{ currency: values.currency ?? "eur", payment_id: values.payment?.id ?? null, source_id: values.source ?? null },
		...{ payout_id: values.payout ?? null, occurred_at: values.at ?? shop.now() },
	};
	await shop.db.insertInto("provider_movements").values(row).execute();
	return row.id;
}
async function payOut(id: string, amount: number, arrives: string, values: { status?: "paid" | "failed"; automatic?: boolean } = {}) {
	const row = { id, amount_cents: amount, currency: "eur", status: "paid" as const, automatic: true, ...values };
	await shop.db
		.insertInto("provider_payouts")
		.values({ ...row, created_at: shop.now(), arrives_at: new Date(arrives) })
		.execute();
}
const markRead = (until: Date) => shop.db.insertInto("provider_readings").values({ until, read_at: until }).execute();
const check = async (month: string) => {
	await postEntries(shop);
	return (await checkMovements(shop.db, toMonth(month))).map(({ code, amount }) => [code, amount]);
};
const listBooked = async (month: string, journal?: string) => {
	await postEntries(shop);
	return (await listEntries(shop.db, toMonth(month)))
		.filter((entry) => entry.journal === (journal ?? entry.journal))
		.map(({ label, lines }) => [label.split(",")[0], lines.map(({ account, debit, credit }) => `${account} ${debit - credit}`).join(", ")]);
};

test("a payment's fee is a charge without VAT, and a payout moves the rest to the bank", async () => {
	const { payment } = await shop.sell("2026-09-10T09:00:00Z");
	await payOut("po_1", 5786, "2026-09-12T00:00:00Z");
	await move("charge", { amount: 5900, fee: 114, payment, payout: "po_1" });
	await move("payout", { amount: -5786, source: "po_1" });
	expect(await listBooked("2026-09")).toEqual([
		["Facture F2026-000001", "customers 5900, sales -4917, vat -983"],
		["Encaissement", "provider 5900, customers -5900"],
		["Frais", "provider -114, fees 114"],
		["Virement du prestataire de paiement po_1", "bank 5786, provider -5786"],
	]);
	expect(await check("2026-09")).toEqual([["provider-unread", null]]);
	await markRead(getBounds(toMonth("2026-09")).until);
	expect(await check("2026-09")).toEqual([]);
});

test("a payout that comes back is booked back", async () => {
	shop.setClock("2026-09-20T09:00:00Z");
	await shop.db.updateTable("provider_payouts").set({ status: "failed" }).where("id", "=", "po_1").execute();
	await move("payout-returned", { amount: 5786, source: "po_1" });
	expect((await listBooked("2026-09", "BQ")).at(-1)).toEqual(["Virement revenu po_1", "bank -5786, provider 5786"]);
	expect(await postEntries(shop)).toBe(0);
	expect(await check("2026-09")).toEqual([["payout-returned", 5786]]);
});

test("a disputed payment is owed again, and is lost with its VAT when the bank decides so", async () => {
	const { order, payment } = await shop.sell("2026-10-05T09:00:00Z");
	await move("charge", { amount: 5900, fee: 114, payment });
	shop.setClock("2026-10-20T09:00:00Z");
	await move("dispute", { amount: -5900, fee: 2000, payment, source: "du_1" });
	expect((await listBooked("2026-10")).at(-1)).toEqual(["Paiement contesté et frais (20", "provider -7900, fees 2000, disputed 5900"]);
	shop.setClock("2026-10-28T09:00:00Z");
	await shop.db.updateTable("payments").set({ dispute_status: "lost" }).where("id", "=", payment.id).execute();
	await shop.inTransaction((trx) =>
		recordEvent(trx, { orderId: order.id, type: "disputed", payload: { status: "lost" }, now: shop.now() }),
	);
	expect((await listBooked("2026-10")).at(-1)).toEqual(["Contestation perdue", "losses 5900, disputed -5900"]);
	expect(await postEntries(shop)).toBe(0);
});

test("a dispute that is won gives the money back, and loses nothing", async () => {
	const { payment } = await shop.sell("2026-10-06T09:00:00Z");
	await move("charge", { amount: 5900, fee: 114, payment });
	shop.setClock("2026-10-29T09:00:00Z");
	await move("dispute", { amount: -5900, fee: 2000, payment });
	await move("dispute-won", { amount: 5900, fee: -2000, payment });
	const booked = (await listBooked("2026-10")).slice(-2);
	expect(booked.map(([, lines]) => lines)).toEqual(
		expect.arrayContaining(["provider -7900, fees 2000, disputed 5900", "provider 7900, fees -2000, disputed -5900"]),
	);
	await shop.db.updateTable("payments").set({ dispute_status: "won" }).where("id", "=", payment.id).execute();
	expect(await postEntries(shop)).toBe(0);
});

test("what does not match is found: unknown here, unknown there, another amount, a payout that is not its sum", async () => {
	const first = await shop.sell("2026-11-03T09:00:00Z");
	await move("charge", { amount: 5800, fee: 114, payment: first.payment });
	const second = await shop.sell("2026-11-04T09:00:00Z");
	shop.setClock("2026-11-20T09:00:00Z");
	await payOut("po_2", 6000, "2026-11-22T00:00:00Z");
	await payOut("po_3", 100, "2026-11-22T00:00:00Z", { automatic: false });
	const unknown = await move("charge", { amount: 4500, fee: 92, payout: "po_2", source: "ch_unknown" });
	await move("other", { amount: -300 });
	await markRead(getBounds(toMonth("2026-11")).until);
	expect(await check("2026-11")).toEqual([
		["unknown-there", 5900],
		["movement-amount", -100],
		["unknown-here", 4500],
		["other-movement", -300],
		["payout-sum", 6000 - 4408],
		["payout-not-itemised", 100],
	]);
	expect(second.payment.amount_cents).toBe(5900);
	// three days later nobody has found its payment: the books follow the provider's balance
	expect((await listBooked("2026-11")).filter(([label]) => label === "Encaissement inconnu et frais (0")).toEqual([]);
	shop.setClock("2026-11-24T09:00:00Z");
	expect((await listBooked("2026-11")).at(-1)).toEqual(["Encaissement inconnu et frais (0", "provider 4408, fees 92, suspense -4500"]);
	expect((await check("2026-11"))[2]).toEqual(["unknown-booked", 4500]);
	const detail = new TextDecoder().decode(writePayouts(await listPaidOut(shop.db, toMonth("2026-11"))));
	expect(detail).toContain(`po_2;22/11/2026;60,00;${unknown};Paiement;20/11/2026;;;45,00;0,92;44,08\r\n`);
	expect(detail).toContain(`En attente de virement;;;`);
});

test("a payment that the shop learns of after three days settles what waited on the suspense account", async () => {
	shop.setClock("2026-12-01T09:00:00Z");
	const { order } = await shop.insertPaidOrder();
	await shop.db.deleteFrom("payments").where("order_id", "=", order.id).execute();
	const id = "pi_late";
	await move("charge", { amount: 5900, payment: { id } as RecordedPayment });
	shop.setClock("2026-12-05T09:00:00Z");
	expect((await listBooked("2026-12")).at(-1)?.[1]).toBe("provider 5900, suspense -5900");
	await shop.insertPayment(order, { id });
	expect((await listBooked("2026-12")).at(-1)).toEqual(["Encaissement", "suspense 5900, customers -5900"]);
	expect(await postEntries(shop)).toBe(0);
});

test("another currency is not booked", async () => {
	shop.setClock("2027-01-05T09:00:00Z");
	const { order } = await shop.insertPaidOrder();
	await shop.db.updateTable("payments").set({ currency: "usd", role: "mismatch" }).where("order_id", "=", order.id).execute();
	await move("charge", { amount: 4000, fee: 100, currency: "usd" });
	expect(await listBooked("2027-01")).toEqual([]);
});

test("a dispute that is lost before its movement is booked is booked at once with it", async () => {
	const { order, payment } = await shop.sell("2027-03-05T09:00:00Z");
	await move("charge", { amount: 5900, fee: 114, payment });
	shop.setClock("2027-03-20T09:00:00Z");
	await move("dispute", { amount: -5900, fee: 2000, payment, source: "du_9" });
	await shop.db.updateTable("payments").set({ dispute_status: "lost" }).where("id", "=", payment.id).execute();
	await shop.inTransaction((trx) =>
		recordEvent(trx, { orderId: order.id, type: "disputed", payload: { status: "lost" }, now: shop.now() }),
	);
	const booked = (await listBooked("2027-03")).slice(-2);
	expect(booked.map(([, lines]) => lines)).toEqual(["provider -7900, fees 2000, disputed 5900", "losses 5900, disputed -5900"]);
	expect(await postEntries(shop)).toBe(0);
});
