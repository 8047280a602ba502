import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../server/database/database-types.gen.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { createTrackingUrl } from "../order-emails/create-tracking-url.server.ts";
import { publicFields } from "../orders/event-payloads.ts";
import { recordEvent } from "../orders/orders.server.ts";
import { exportPerson } from "../retention/export-person.server.ts";

// Who worked on an order, and why, reach no customer (docs/rules.md, R181): every event, each with names and reasons in it.

const canary = "Camille Serin";
/** The fields in which the desk and the terminal write names, reasons, notes and addresses; and one that nobody knows yet. */
const internalFields = ["by", "because", "reason", "note", "address", "before", "confirmed", "replaces", "operator", "unknown"];

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

test("names and reasons of every event are in no page, no data, no answer of the API, and no export", async () => {
	const placed = await shop.completeOrder();
	const { db } = shop.shop;
	const types = typedKeys(publicFields);
	expect(types.length).toBeGreaterThan(20);
	await db.transaction().execute(async (trx) => {
		for (const type of types) {
			const fields = internalFields.filter((field) => !publicFields[type].includes(field));
			const payload: JsonObject = Object.fromEntries(fields.map((field) => [field, canary]));
			await recordEvent(trx, { orderId: placed.id, type, payload, now: shop.shop.now() });
		}
	});
	await db.updateTable("documents").set({ replaced_because: canary }).where("order_id", "=", placed.id).execute();
	const payment = await db.selectFrom("payments").selectAll().where("order_id", "=", placed.id).executeTakeFirstOrThrow();
	await db
		.insertInto("refunds")
		.values({
			...{ id: crypto.randomUUID(), order_id: placed.id, payment_id: payment.id, amount_cents: 100, reason: "operator", status: "failed" },
			...{ cause: "other", note: canary, requested_at: shop.shop.now() },
		})
		.execute();

	const order = (await shop.orderRow(placed.id)) as Parameters<typeof createTrackingUrl>[1];
	const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
	const customer = cookieOf(await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number }));
	const reader = cookieOf(await shop.ask(new URL(createTrackingUrl(shop.shop, order)).pathname));
	const read = async (path: string, cookie: string) => (await shop.ask(path, { headers: { cookie } })).text();
	const answers = [
		...["", ".data"].flatMap((ending) => [
			read(`/suivi/${placed.number}${ending}`, customer),
			read(`/suivi/${placed.number}${ending}`, reader),
			read(`/confirmation/${placed.sessionId}${ending}`, ""),
			read(`/suivi/${placed.number}/facture${ending}`, customer),
		]),
		shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: placed.number }).then((answer) => answer.text()),
		exportPerson(shop.shop, "ada@example.fr").then((data) => JSON.stringify(data)),
	];
	const [page = "", ...others] = await Promise.all(answers);
	for (const text of [page, ...others]) expect(text.includes(canary)).toBe(false);
	// the events themselves are there
	expect(page).toContain("Numéro de suivi du courrier corrigé");
	expect(others.at(-1)).toContain("company_changed");
});
